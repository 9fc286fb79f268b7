//! Shapes are kept better than by t-SNE, on both sides, and neighbors as well.

use super::Faithful;
use crate::dataset::{self, Request};
use crate::embed::{Embedder, Tsne};
use crate::{Judge, Neighborhoods, Pieces, Points, Problem, Run, fit, measure};

/// Four crowds of six dimensions each, in ten.
fn crowds() -> Points {
    let unit = |at: usize| ((at * 7919 + at * at % 613) % 10_007) as f64 / 10_007.0;
    let value = |at: usize| {
        let (row, column) = (at / 10, at % 10);
        let spread = if column < 6 { 1.0 } else { 0.05 };
        let bell: f64 = (0..4).map(|draw| unit(31 * at + 977 * draw) - 0.5).sum();
        spread * bell + if column == row % 4 { 3.0 } else { 0.0 }
    };
    Points::new(800, 10, (0..8000).map(value).collect()).unwrap()
}

/// R_C, reverse R_C and the share of common neighbors.
fn judged(method: &dyn Embedder, points: &Points) -> [f64; 3] {
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(points, 12, &run).unwrap();
    let map = fit(method, &Problem::new(points, &neighborhoods, 2).unwrap(), Pieces::Error, &run).unwrap().points;
    let measures = ["r_c", "reverse_r_c", "overlap"].map(|name| measure::find(name).unwrap());
    let judge = Judge::of_points(points, &neighborhoods).with_measures(measures.to_vec());
    let scores = judge.judge(&map, &run).unwrap().scores;
    ["r_c", "reverse_r_c", "overlap"].map(|name| scores.get(name).unwrap().value)
}

#[test]
fn shapes_are_kept_better_than_by_tsne_and_neighbors_as_well() {
    let surface = dataset::find("s-curve").unwrap().sample(&Request::new().with_points(800)).unwrap().points;
    for (points, least) in [(crowds(), 0.95), (surface, 0.7)] {
        let tsne = judged(&Tsne::default(), &points);
        let both = judged(&Faithful::default(), &points);
        assert!(both[0] < least * tsne[0] && both[1] < 1.02 * tsne[1] && both[2] > 0.97 * tsne[2], "{both:?} {tsne:?}");
    }
}

#[test]
fn without_shapes_it_is_tsne() {
    let (points, run) = (crowds(), Run::new());
    let neighborhoods = Neighborhoods::nearest(&points, 12, &run).unwrap();
    let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
    let map = |method: &dyn Embedder| fit(method, &problem, Pieces::Error, &run).unwrap().points;
    assert_eq!(map(&Faithful { shape: 0.0, ..Faithful::default() }), map(&Tsne::default()));
}
