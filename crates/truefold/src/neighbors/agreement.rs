//! One test suite for every exact search, compared with the definition.

use super::engine::Engine;
use super::shortlist::{Candidate, order};
use super::{Algorithm, Metric, Neighborhoods, Search, Space};
use crate::{Points, Run};
use proptest::prelude::*;

const EXACT: [Algorithm; 3] = [Algorithm::Tree, Algorithm::Brute, Algorithm::Auto];

/// All others of `center` in order, from the definition.
fn sorted(space: &Space, center: usize) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = (0..space.len())
        .filter(|&other| other != center)
        .map(|other| (space.value(center, other), other as u32))
        .collect();
    all.sort_unstable_by(order);
    all
}

fn check_nearest(points: &Points, k: usize, metric: Metric) {
    let space = Space::new(points, metric).unwrap();
    for algorithm in EXACT {
        let found = Search::nearest(k).with_metric(metric).with_algorithm(algorithm).run(points, &Run::new()).unwrap();
        for center in 0..points.len() {
            let expected: Vec<u32> = sorted(&space, center)[..k].iter().map(|candidate| candidate.1).collect();
            assert_eq!(found.neighbors(center), expected, "{algorithm:?} {metric} center {center} k {k}");
            assert_eq!(found.members(center)[0] as usize, center);
        }
    }
}

fn check_within(points: &Points, radius: f64, metric: Metric) {
    let space = Space::new(points, metric).unwrap();
    let limit = space.limit(radius);
    for algorithm in EXACT {
        let found =
            Search::within(radius).with_metric(metric).with_algorithm(algorithm).run(points, &Run::new()).unwrap();
        for center in 0..points.len() {
            let all = sorted(&space, center);
            let expected: Vec<u32> = all.iter().filter(|one| one.0 <= limit).map(|one| one.1).collect();
            assert_eq!(found.neighbors(center), expected, "{algorithm:?} {metric} center {center} radius {radius}");
        }
    }
}

/// Awkward data of many kinds.
fn awkward(kind: usize, count: usize, dim: usize, seed: u64) -> Points {
    let mut state = seed | 1;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut values = Vec::with_capacity(count * dim);
    for _ in 0..count {
        let (cluster, along) = ((uniform() * 5.0).floor(), uniform());
        for axis in 0..dim {
            let noise = uniform();
            values.push(match kind {
                0 => noise,
                1 => cluster * 1e4 + noise * 1e-3,
                2 => (noise * 3.0).floor(),
                3 => (cluster * 7.0 + axis as f64).sin(),
                4 => along * (axis as f64 + 1.0),
                5 => {
                    if axis % 2 == 0 {
                        4.25
                    } else {
                        noise
                    }
                }
                6 => 1e8 + noise,
                7 => noise * 1e-250,
                8 => (noise - 0.5) * 1e250,
                9 => 1.0 + axis as f64,
                _ => cluster * (axis as f64 + 1.0) * if along < 0.5 { -1.0 } else { 1.0 },
            });
        }
    }
    Points::new(count, dim, values).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_exact_search_finds_the_nearest(
        kind in 0_usize..11, count in 2_usize..150, dim in 1_usize..=20, share in 0.0..1.0_f64, seed: u64, manhattan: bool,
    ) {
        let points = awkward(kind, count, dim, seed);
        let k = 1 + ((count - 2) as f64 * share * share) as usize;
        check_nearest(&points, k, if manhattan { Metric::Manhattan } else { Metric::Euclidean });
    }

    #[test]
    fn every_exact_search_finds_those_within(
        kind in 0_usize..11, count in 2_usize..150, dim in 1_usize..=20, factor in 1.0..3.0_f64, seed: u64, manhattan: bool,
    ) {
        let points = awkward(kind, count, dim, seed);
        let metric = if manhattan { Metric::Manhattan } else { Metric::Euclidean };
        let space = Space::new(&points, metric).unwrap();
        let needed = (0..count).map(|center| space.distance(sorted(&space, center)[0].0)).fold(0.0, f64::max);
        let radius = if needed > 0.0 { needed * factor } else { 1e-9 };
        check_within(&points, radius, metric);
        if needed > 0.0 {
            check_within(&points, needed, metric);
            prop_assert!(Search::within(needed.next_down()).with_metric(metric).run(&points, &Run::new()).is_err());
        }
    }

    #[test]
    fn a_permutation_permutes_the_lists(count in 20_usize..200, dim in 1_usize..6, seed: u64, shift in 1_usize..19) {
        let points = awkward(0, count, dim, seed);
        let moved = |row: usize| (row + shift) % count;
        let mut values = vec![0.0; count * dim];
        for row in 0..count {
            values[moved(row) * dim..][..dim].copy_from_slice(points.row(row));
        }
        let permuted = Points::new(count, dim, values).unwrap();
        for algorithm in EXACT {
            let search = Search::nearest(5).with_algorithm(algorithm);
            let (a, b) = (search.run(&points, &Run::new()).unwrap(), search.run(&permuted, &Run::new()).unwrap());
            for row in 0..count {
                let expected: Vec<u32> = a.members(row).iter().map(|&member| moved(member as usize) as u32).collect();
                prop_assert_eq!(b.members(moved(row)), expected);
            }
        }
    }
}

#[test]
fn cosine_and_correlation_follow_their_formulas() {
    let points = awkward(0, 60, 7, 3);
    for metric in [Metric::Cosine, Metric::Correlation] {
        check_nearest(&points, 6, metric);
        let space = Space::new(&points, metric).unwrap();
        for center in 0..60 {
            for other in 0..60 {
                let (mut a, mut b) = (points.row(center).to_vec(), points.row(other).to_vec());
                if metric == Metric::Correlation {
                    for row in [&mut a, &mut b] {
                        let mean = row.iter().sum::<f64>() / 7.0;
                        row.iter_mut().for_each(|value| *value -= mean);
                    }
                }
                let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                let direct = 1.0 - product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt();
                let value = space.value(center, other);
                assert!((space.distance(value) - direct).abs() < 1e-14);
            }
        }
    }
}

#[test]
fn copies_of_one_point_are_told_apart_by_row_and_stay_fast() {
    let count = 40_000;
    let points = Points::new(count, 3, vec![0.5; count * 3]).unwrap();
    let found = Search::nearest(3).with_algorithm(Algorithm::Tree).run(&points, &Run::new()).unwrap();
    assert_eq!(found.members(0), &[0, 1, 2, 3]);
    assert_eq!(found.members(2), &[2, 0, 1, 3]);
    assert_eq!(found.members(39_999), &[39_999, 0, 1, 2]);
}

#[test]
fn threads_do_not_change_a_bit() {
    for (kind, count, dim) in [(0, 3000, 3), (1, 2000, 40), (2, 3000, 4)] {
        let points = awkward(kind, count, dim, 5);
        for algorithm in [Algorithm::Tree, Algorithm::Brute, Algorithm::Auto, Algorithm::Approximate] {
            let found = |threads| -> Neighborhoods {
                let run = Run::new().with_threads(threads).unwrap();
                Search::nearest(9).with_algorithm(algorithm).run(&points, &run).unwrap()
            };
            let one = found(1);
            assert_eq!(one, found(2), "{algorithm:?}");
            assert_eq!(one, found(8), "{algorithm:?}");
        }
    }
}

#[test]
fn impossible_searches_are_one_sentence() {
    let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 9.0]).unwrap();
    let said = |search: Search| search.run(&points, &Run::new()).unwrap_err().to_string();
    assert_eq!(said(Search::nearest(0)), "k = 0 is less than 1: every point needs a neighbor; choose a larger k");
    assert_eq!(said(Search::nearest(4)), "k = 4 is more than 3: 4 points have 3 neighbors each; choose a smaller k");
    assert_eq!(said(Search::within(-1.0)), "radius = -1 is not a positive number; choose a radius above zero");
    assert!(said(Search::within(f64::NAN)).starts_with("radius = NaN is not a positive number"));
    assert_eq!(
        said(Search::within(1.0)),
        "radius = 1 is less than 6: 2 points have no neighbor within it, the first is row 3; \
         choose a radius of at least 6, or a number of neighbors k"
    );
    assert!(said(Search::within(2.0)).contains("row 4 has no neighbor within it"));
    assert!(said(Search::within(2.0).with_algorithm(Algorithm::Approximate)).contains("radius"));
    let one = Points::new(1, 1, vec![0.0]).unwrap();
    let error = Search::nearest(1).run(&one, &Run::new()).unwrap_err();
    assert!(matches!(error, crate::Error::TooFewPoints { needed: 2, given: 1, .. }));
}

#[test]
fn some_rows_are_found_as_in_a_search_for_all() {
    let (points, k, run) = (awkward(0, 400, 12, 5), 9, Run::new());
    let space = Space::new(&points, Metric::Euclidean).unwrap();
    let engine = Engine::brute(&space, &run).unwrap();
    // Few, and so many that all are searched.
    for step in [97, 3, 1] {
        let rows: Vec<u32> = (0..400).step_by(step).collect();
        let found = std::sync::Mutex::new(Vec::new());
        let emit = |row: u32, list: &[Candidate]| {
            assert_eq!(list, &sorted(&space, row as usize)[..k]);
            found.lock().unwrap().push(row);
            Ok(())
        };
        engine.each_nearest_of(&rows, k, &emit, (&space, &run)).unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort_unstable();
        assert_eq!(found, rows);
    }
}
