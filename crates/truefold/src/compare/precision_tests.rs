//! Embeddings and judgments of narrow tables have the bits of the same numbers in double precision, and the main ways
//! never make a copy of the table.

use crate::dataset::{self, Request};
use crate::embed::{EMBEDDERS, Method};
use crate::groups::Groups;
use crate::judgment::Judge;
use crate::measure::{MEASURES, Options};
use crate::{Half, Metric, Neighborhoods, Points, Problem, Run, Search};

/// A roll in `dim` dimensions, in single precision, and the same numbers in double precision.
fn roll(count: usize, dim: usize) -> [Points; 2] {
    let roll = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(count)).unwrap().points;
    let cell = |row: &[f64], axis: usize| (row[axis % 3] / (1 + axis / 3) as f64) as f32;
    let cells = roll.rows().flat_map(|row| (0..dim).map(move |axis| cell(row, axis)));
    let narrow = Points::from_elements(count, dim, cells.collect()).unwrap();
    let wide = Points::new(count, dim, narrow.clone().into_values()).unwrap();
    [narrow, wide]
}

fn embedded(method: &str, points: &Points, run: &Run) -> Points {
    let neighborhoods = Neighborhoods::nearest(points, 10, run).unwrap();
    let problem = Problem::new(points, &neighborhoods, 2).unwrap();
    Method::new(method, &[]).unwrap().fit(&problem, run).unwrap().points
}

#[test]
fn every_method_gives_the_same_bits() {
    let run = Run::new().with_seed(2);
    let [narrow, wide] = roll(100, 5);
    for embedder in EMBEDDERS.iter().map(|entry| entry.info.name) {
        let points = narrow.select(&(0..narrow.len() as u32).collect::<Vec<_>>());
        assert_eq!(embedded(embedder, &points, &run), embedded(embedder, &wide, &run), "{embedder}");
        assert!(!points.is_widened(), "{embedder}");
    }
}

#[test]
fn a_torn_and_refined_sheet_is_made_without_a_copy() {
    let run = Run::new().with_seed(2);
    for (count, dim) in [(900, 4), (400, 40)] {
        let [narrow, wide] = roll(count, dim);
        assert_eq!(embedded("psa", &narrow, &run), embedded("psa", &wide, &run));
        assert!(!narrow.is_widened());
    }
}

#[test]
fn every_measure_and_the_verdict_have_the_same_bits() {
    let run = Run::new().with_seed(2);
    let [narrow, wide] = roll(300, 5);
    let halves = (0..300 * 5).map(|at| Half::from_bits(0x3000 + (at * 7919 % 4001) as u16)).collect();
    let halves = Points::from_elements(300, 5, halves).unwrap();
    let wider = Points::new(300, 5, halves.clone().into_values()).unwrap();
    for (narrow, wide, metric) in
        [(&narrow, &wide, Metric::Euclidean), (&halves, &wider, Metric::Cosine), (&halves, &wider, Metric::Manhattan)]
    {
        let y = embedded("pca", wide, &run);
        let labels: Vec<String> = (0..300).map(|row| format!("{}", row % 3)).collect();
        let [a, b] = [narrow, wide].map(|points| {
            let neighborhoods = Search::nearest(10).with_metric(metric).run(points, &run).unwrap();
            let judge = Judge::of_points(points, &neighborhoods)
                .with_measures(MEASURES.to_vec())
                .with_options(Options { metric, ..Options::default() })
                .with_groups(Groups::of(&labels));
            format!("{:?}", judge.judge(&y, &run).unwrap())
        });
        assert!(a == b && a.len() > 1000, "{metric}");
        assert!(!narrow.is_widened(), "{metric}");
    }
}
