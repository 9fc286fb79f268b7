//! Searches of narrow tables give the lists of the same numbers in double precision, and never make a copy of them.

use super::{Algorithm, Metric, Search, first_of_copies};
use crate::{Half, Points, Precision, Run};

/// Clusters with copies, in each precision that is not double.
fn tables(len: usize, dim: usize) -> [Points; 3] {
    let mixed = |at: usize| (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let cell = |at: usize| (at / dim % 7 * 20) as u64 + mixed(if at / dim % 10 == 3 { at % dim } else { at }) % 100;
    let singles = (0..len * dim).map(|at| cell(at) as f32 * 0.37 - 11.0).collect();
    let halves = (0..len * dim).map(|at| Half::from_bits(0x3000 + cell(at) as u16 * 20)).collect();
    let bytes = (0..len * dim).map(|at| cell(at) as u8).collect();
    [
        Points::from_elements(len, dim, singles).unwrap(),
        Points::from_elements(len, dim, halves).unwrap(),
        Points::from_elements(len, dim, bytes).unwrap(),
    ]
}

#[test]
fn every_search_finds_the_same_in_every_precision() {
    let run = Run::new().with_seed(5);
    for narrow in tables(300, 9) {
        let wide = Points::new(narrow.len(), narrow.dim(), narrow.clone().into_values()).unwrap();
        assert_eq!((narrow.precision() == Precision::Double, wide.precision()), (false, Precision::Double));
        for metric in Metric::ALL {
            for algorithm in [Algorithm::Tree, Algorithm::Brute, Algorithm::Auto] {
                let search = Search::nearest(6).with_metric(metric).with_algorithm(algorithm);
                let [a, b] = [&narrow, &wide].map(|points| search.run(points, &run).unwrap());
                assert_eq!(a, b, "{} {metric} {algorithm:?}", narrow.precision());
            }
            let rows = [0, 7, 299];
            let search = Search::nearest(6).with_metric(metric);
            let [a, b] = [&narrow, &wide].map(|points| search.run_for(points, &rows, &run).unwrap());
            assert_eq!(a, b, "{} {metric}", narrow.precision());
        }
        assert_eq!(first_of_copies(&narrow), first_of_copies(&wide));
        assert!(!narrow.is_widened(), "{}", narrow.precision());
    }
}

#[test]
fn approximate_searches_find_the_same_in_every_precision() {
    let run = Run::new().with_seed(5);
    let metrics = [Metric::Euclidean, Metric::Manhattan, Metric::Cosine];
    for (narrow, metric) in tables(2100, 6).into_iter().zip(metrics) {
        let wide = Points::new(narrow.len(), narrow.dim(), narrow.clone().into_values()).unwrap();
        let search = Search::nearest(6).with_metric(metric).with_algorithm(Algorithm::Approximate);
        let [a, b] = [&narrow, &wide].map(|points| search.run(points, &run).unwrap());
        assert_eq!(a, b, "{} {metric}", narrow.precision());
        assert!(!narrow.is_widened(), "{}", narrow.precision());
    }
}

#[test]
fn every_ball_holds_the_same_in_every_precision() {
    for narrow in tables(400, 5) {
        let wide = Points::new(narrow.len(), narrow.dim(), narrow.clone().into_values()).unwrap();
        for algorithm in [Algorithm::Tree, Algorithm::Brute] {
            let search = Search::within(1e3).with_algorithm(algorithm);
            let [a, b] = [&narrow, &wide].map(|points| search.run(points, &Run::new()).unwrap());
            assert_eq!(a, b, "{} {algorithm:?}", narrow.precision());
        }
        assert!(!narrow.is_widened());
    }
}

/// Tables on which single precision alone would lose neighbors: what is rounded is large beside the differences.
fn delicate() -> Vec<(Metric, Points)> {
    let mixed = |at: usize| ((at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize;
    let beside_large = (0..400).map(|at| if at % 2 == 0 { 1e21 } else { (at / 2 * 7 % 200) as f32 * 1e-20 }).collect();
    let one_direction = (0..240).map(|at| ((at / 3 + 1) * (at % 3 + 1)) as u8).collect();
    let shifted = (0..3000).map(|at| (at / 20 + 7 * (at % 20) % 8) as u8).collect();
    let far = |offset: usize| {
        let cell = move |at: usize| (offset + at / 20 + mixed(at / 20 % 5 * 20 + at % 20) % 8) as f32;
        Points::from_elements(150, 20, (0..3000).map(cell).collect()).unwrap()
    };
    vec![
        (Metric::Euclidean, Points::from_elements(200, 2, beside_large).unwrap()),
        (Metric::Cosine, Points::from_elements(80, 3, one_direction).unwrap()),
        (Metric::Correlation, Points::from_elements(150, 20, shifted).unwrap()),
        (Metric::Correlation, far(1 << 20)),
        (Metric::Correlation, far(1 << 23)),
    ]
}

#[test]
fn what_single_precision_cannot_tell_is_told_in_double() {
    for (number, (metric, narrow)) in delicate().into_iter().enumerate() {
        let wide = Points::new(narrow.len(), narrow.dim(), narrow.clone().into_values()).unwrap();
        for k in [1, 5] {
            let search = Search::nearest(k).with_metric(metric);
            let lists = |points: &Points, algorithm| search.with_algorithm(algorithm).run(points, &Run::new()).unwrap();
            let expected = lists(&wide, Algorithm::Tree);
            for points in [&narrow, &wide] {
                let found = lists(points, Algorithm::Brute);
                assert!((0..found.len()).all(|row| found.members(row) == expected.members(row)), "{number} {k}");
            }
        }
    }
}
