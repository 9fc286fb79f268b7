//! Clusters, seeds, dimensions, and settings that cannot work together.

use super::Umap;
use crate::embed::Recipe;
use crate::{Neighborhoods, Pieces, Points, Problem, Run, fit};

/// Three clusters in ten dimensions: row i belongs to cluster i % 3.
fn clusters(count: usize) -> Points {
    let noise = |at: usize| ((at * 7919 + at * at % 1013) % 2003) as f64 / 1001.5 - 1.0;
    let cell = |at: usize| noise(at) + if at % 10 == at / 10 % 3 { 6.0 } else { 0.0 };
    Points::new(count, 10, (0..count * 10).map(cell).collect()).unwrap()
}

fn embed(points: &Points, dim: usize, run: &Run) -> Points {
    let neighborhoods = Neighborhoods::nearest(points, 14, run).unwrap();
    fit(&Umap::default(), &Problem::new(points, &neighborhoods, dim).unwrap(), Pieces::Error, run).unwrap().points
}

#[test]
fn clusters_come_apart_in_any_dimension() {
    let points = clusters(300);
    for dim in [1, 2, 3, 5, 10] {
        let map = embed(&points, dim, &Run::new());
        let found = Neighborhoods::nearest(&map, 10, &Run::new()).unwrap();
        let pairs = (0..300).flat_map(|row| found.neighbors(row).iter().map(move |to| (row, *to as usize)));
        let wrong = pairs.filter(|(a, b)| a % 3 != b % 3).count();
        assert!(wrong <= 30, "{dim}: {wrong} of 3000");
    }
}

#[test]
fn seeds_differ_and_threads_do_not() {
    let points = clusters(200);
    let with = |seed: u64, threads: usize| {
        embed(&points, 2, &Run::new().with_seed(seed).with_threads(threads).unwrap()).into_values()
    };
    assert_eq!(with(3, 1), with(3, 3));
    assert_ne!(with(3, 1), with(4, 1));
}

#[test]
fn a_least_distance_beyond_the_spread_is_refused() {
    Recipe::check_parameters(&Umap { min_dist: 1.0, ..Umap::default() }, 2).unwrap();
    let error = Recipe::check_parameters(&Umap { min_dist: 2.0, ..Umap::default() }, 2).unwrap_err();
    assert!(error.to_string().starts_with("min_dist = 2 is more than 1: the curve falls from there"), "{error}");
}
