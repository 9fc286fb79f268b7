//! The divergence against its definition, clusters, few points, and what is asked for against what is done.

use super::Tsne;
use crate::forces::Affinities;
use crate::{Distances, Embedding, Input, Metric, Neighborhoods, Pieces, Points, Problem, Run, Search, fit};

/// Three clusters in ten dimensions: row i belongs to cluster i % 3.
fn clusters(count: usize) -> Points {
    let noise = |at: usize| ((at * 7919 + at * at % 1013) % 2003) as f64 / 1001.5 - 1.0;
    let cell = |at: usize| noise(at) + if at % 10 == at / 10 % 3 { 6.0 } else { 0.0 };
    Points::new(count, 10, (0..count * 10).map(cell).collect()).unwrap()
}

fn embed(method: &Tsne, points: &Points, dim: usize) -> Embedding {
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(points, 8, &run).unwrap();
    fit(method, &Problem::new(points, &neighborhoods, dim).unwrap(), Pieces::Error, &run).unwrap()
}

fn fact(embedding: &Embedding, name: &str) -> f64 {
    embedding.info.facts[name].as_f64().unwrap()
}

#[test]
fn the_divergence_is_the_sum_over_all_pairs_that_defines_it() {
    let (points, run) = (clusters(240), Run::new());
    let neighborhoods = Neighborhoods::nearest(&points, 60, &run).unwrap();
    let distances = neighborhoods.distances(&points, Metric::Euclidean, &run).unwrap();
    let affinities = Affinities::of(&neighborhoods, &distances, 20.0, &run).unwrap();
    for dim in 1..=3 {
        let embedding = embed(&Tsne { perplexity: 20.0, ..Tsne::default() }, &points, dim);
        let weight = |a: usize, b: usize| {
            let rows = embedding.points.row(a).iter().zip(embedding.points.row(b));
            1.0 / (1.0 + rows.map(|(a, b)| (a - b) * (a - b)).sum::<f64>())
        };
        let pairs = (0..240).flat_map(|a| (0..240).filter(move |b| *b != a).map(move |b| (a, b)));
        let sum: f64 = pairs.map(|(a, b)| weight(a, b)).sum();
        let mut divergence = 0.0;
        for row in 0..240 {
            let (others, weights) = affinities.of_row(row);
            for (&other, &own) in others.iter().zip(weights).filter(|(_, own)| **own > 0.0) {
                divergence += f64::from(own) * (f64::from(own) / (weight(row, other as usize) / sum)).ln();
            }
        }
        let told = fact(&embedding, "kl_divergence");
        assert!((told - divergence).abs() < 1e-3 * divergence, "{dim}: {told} {divergence}");
        let trace = &embedding.info.traces[0].values;
        assert!(trace[0] > 2.0 * told && trace.last() == Some(&told), "{dim}: {trace:?}");
    }
}

#[test]
fn clusters_come_apart_on_a_line_in_the_plane_and_in_space() {
    let points = clusters(300);
    for dim in 1..=3 {
        let map = embed(&Tsne { perplexity: 20.0, ..Tsne::default() }, &points, dim).points;
        let found = Neighborhoods::nearest(&map, 10, &Run::new()).unwrap();
        let wrong = (0..300).flat_map(|row| found.neighbors(row).iter().map(move |to| (row, *to as usize)));
        let wrong = wrong.filter(|(a, b)| a % 3 != b % 3).count();
        assert!(wrong <= 30, "{dim}: {wrong} of 3000");
    }
}

#[test]
fn more_attraction_gives_a_smaller_map() {
    let points = clusters(300);
    let size = |exaggeration: f64| {
        let map = embed(&Tsne { perplexity: 20.0, exaggeration, ..Tsne::default() }, &points, 2).points;
        map.values().iter().map(|value| value * value).sum::<f64>().sqrt()
    };
    let sizes = [1.0, 4.0, 16.0].map(size);
    assert!(sizes[0] > 1.5 * sizes[1] && sizes[1] > 1.2 * sizes[2], "{sizes:?}");
}

#[test]
fn few_points_have_a_smaller_perplexity_and_many_steps_end_by_the_tolerance() {
    let points = clusters(31);
    let embedding = embed(&Tsne::default(), &points, 2);
    assert_eq!(fact(&embedding, "perplexity"), 10.0);
    let patient = Tsne { perplexity: 20.0, iterations: 20_000, tolerance: 1e-2, ..Tsne::default() };
    let embedding = embed(&patient, &clusters(300), 2);
    assert!(fact(&embedding, "steps") < 10_000.0, "{}", fact(&embedding, "steps"));
    assert_eq!(embedding.info.stop, crate::Stop::Converged);
}

#[test]
fn four_dimensions_are_refused() {
    let (points, run) = (clusters(40), Run::new());
    let neighborhoods = Neighborhoods::nearest(&points, 5, &run).unwrap();
    let problem = Problem::new(&points, &neighborhoods, 4).unwrap();
    let error = fit(&Tsne::default(), &problem, Pieces::Error, &run).unwrap_err();
    assert_eq!(error.to_string(), "dim = 4 is more than 3: tsne makes maps to look at; choose a smaller dim");
}

#[test]
fn where_few_distances_are_known_the_neighbors_found_are_taken() {
    // Of forty points on a line each knows those up to four steps away.
    let known = |row: usize| (row.saturating_sub(4)..(row + 5).min(40)).filter(move |other| *other != row);
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in 0..40 {
        columns.extend(known(row).map(|other| other as u32));
        values.extend(known(row).map(|other| row.abs_diff(other) as f64));
        offsets.push(columns.len());
    }
    let (sparse, run) = (Distances::sparse(40, offsets, columns, values).unwrap(), Run::new());
    let neighborhoods = Search::nearest(4).run_on_distances(&sparse, &run).unwrap();
    let problem = Problem::with_input(Input::Distances(&sparse), &neighborhoods, 2).unwrap();
    let map = fit(&Tsne::default(), &problem, Pieces::Error, &run).unwrap();
    assert!((map.info.facts["perplexity"].as_f64().unwrap() - 4.0 / 3.0).abs() < 1e-9);
}
