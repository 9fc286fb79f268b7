//! What unfolding by a sample guarantees: sheets that the graph keeps apart stay apart, and large maps open as small ones do.

use super::sample::Sample;
use super::tests::{nearest, refined, sample, score};
use super::*;
use crate::embed::Pca;
use crate::graph::LengthGraph;

fn penalized() -> Refine {
    Refine { target: Target::RN, penalty: 1.0, ..Refine::default() }
}

/// A strip of 400 x 12 points folded in the middle, its halves nearer to each other than points of the sample.
fn hairpin() -> (Points, Neighborhoods) {
    let rows: Vec<[f64; 3]> = (0..4800)
        .map(|row| (row / 12, f64::from(row % 12)))
        .map(|(along, across)| {
            let (half, at) = (along / 200, f64::from(if along < 200 { along } else { 399 - along }));
            [0.1 * at, 0.1 * across, 0.12 * f64::from(half)]
        })
        .collect();
    let around = |row: i64| {
        let near = (-1..=1).flat_map(move |a: i64| (-1..=1).map(move |b: i64| (row / 12 + a, row % 12 + b)));
        near.filter(|(a, b)| (0..400).contains(a) && (0..12).contains(b)).map(|(a, b)| 12 * a + b)
    };
    let lists: Vec<Vec<i64>> = (0..4800).map(|row| around(row).filter(|&other| other != row).collect()).collect();
    (Points::from_rows(&rows).unwrap(), Neighborhoods::from_lists(&lists).unwrap())
}

#[test]
fn a_sample_follows_the_graph_where_sheets_are_near() {
    let (points, neighborhoods) = hairpin();
    let charts = Charts::new(Input::Points(&points), &neighborhoods, &Run::new()).unwrap();
    let graph = LengthGraph::new(&neighborhoods, |a, b| Input::Points(&points).distance(a, b));
    let sample = Sample::of(&charts, &graph, &Run::new()).unwrap().unwrap();
    let (rows, own) = sample.parts();
    assert_eq!(rows.len(), 2000);
    let apart = |a: usize, b: u32| (i64::from(rows[a]) / 12 - i64::from(rows[b as usize]) / 12).abs();
    let farthest = (0..2000).flat_map(|at| own.neighbors(at).iter().map(move |&other| (at, other)));
    assert!(farthest.map(|(at, other)| apart(at, other)).max().unwrap() < 12);
    // By distance alone the other half is among the nearest.
    let plain = Neighborhoods::nearest(&points.select(rows), 8, &Run::new()).unwrap();
    assert!((0..2000).any(|at| plain.neighbors(at).iter().any(|&other| apart(at, other) > 100)));
    // The true map of the sample puts all others where they belong.
    let flat = |row: u32| [0.1 * f64::from(row / 12), 0.1 * f64::from(row % 12)];
    let map = Points::from_rows(&rows.iter().map(|&row| flat(row)).collect::<Vec<_>>()).unwrap();
    let placed = sample.placed(&points, &map, &Run::new()).unwrap();
    let inner = (0..4800_u32).filter(|row| (row / 12).abs_diff(200) > 12);
    for row in inner {
        let off = crate::linalg::distance(placed.row(row as usize), &flat(row));
        assert!(off < 1e-9, "{row} {off}");
    }
}

#[test]
fn few_points_and_distances_are_taken_whole() {
    let roll = sample("swiss-roll", 2000);
    let neighborhoods = nearest(&roll.points, 8);
    let charts = Charts::new(Input::Points(&roll.points), &neighborhoods, &Run::new()).unwrap();
    let graph = LengthGraph::new(&neighborhoods, |_, _| 1.0);
    assert!(Sample::of(&charts, &graph, &Run::new()).unwrap().is_none());
}

#[test]
fn a_large_projection_is_unrolled_to_the_bound() {
    let roll = sample("swiss-roll", 3500);
    let neighborhoods = nearest(&roll.points, 10);
    let start = Pca::project(&roll.points, 2, &Run::new()).unwrap();
    let (y, outcome) = refined(&penalized(), &roll.points, &neighborhoods, &start);
    assert_eq!((&outcome.facts["unfolded"], &outcome.facts["collapse_after"]), (&true.into(), &0.0.into()));
    let trace = &outcome.traces[0].values;
    assert!(trace.is_sorted_by(|before, after| after < before), "{trace:?}");
    let reached = score(&roll.points, &y, &neighborhoods, "r_n");
    assert!(reached.times_bound().unwrap() < 1.01, "{reached:?}");
    let run = Run::new().with_threads(3).unwrap();
    let other = penalized().refine(Input::Points(&roll.points), &neighborhoods, &start, &run).unwrap();
    assert!(y.values() == other.values);
}

#[test]
fn whole_numbers_with_copies_end() {
    let roll = sample("swiss-roll", 2500);
    let rounded = roll.points.values().iter().map(|value| value.round()).collect();
    let points = Points::new(2500, 3, rounded).unwrap();
    let neighborhoods = nearest(&points, 12);
    let start = Points::new(2500, 2, points.rows().flat_map(|row| [row[0], row[2]]).collect()).unwrap();
    let (_, outcome) = refined(&penalized(), &points, &neighborhoods, &start);
    let trace = &outcome.traces[0].values;
    assert!(trace[trace.len() - 1] < 0.5 * trace[0], "{trace:?}");
}
