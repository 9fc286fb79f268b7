//! The recall that is promised is kept, said and the same on any number of threads.

use super::super::device::RemoteLeaves;
use super::super::search::nearest;
use super::joins::Rounds;
use super::lists::Link;
use super::{BETWEEN, CAP, Partition, Sketch, Step};
use crate::random::hash;
use crate::{Algorithm, Fallback, Metric, Neighborhoods, Origin, Points, Run, Search};
use std::sync::Mutex;

/// A number between 0 and 1.
fn uniform(seed: u64, at: usize) -> f64 {
    (hash(seed, at as u64) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Points whose coordinates are smooth functions of a few hidden ones, in groups.
fn curved(count: usize, hidden: usize, dim: usize, groups: usize) -> Points {
    let mut values = Vec::with_capacity(count * dim);
    for row in 0..count {
        let place: Vec<f64> = (0..hidden).map(|at| uniform(3, row * hidden + at)).collect();
        let group = row % groups;
        values.extend((0..dim).map(|axis| {
            let turn =
                |at: usize| (2.0 + uniform(5, axis * hidden + at)) * place[at] + 6.0 * uniform(7, axis * hidden + at);
            let shift = if groups > 1 { 4.0 * uniform(11, group * dim + axis) } else { 0.0 };
            shift + (0..hidden).map(|at| turn(at).sin()).sum::<f64>()
        }));
    }
    Points::new(count, dim, values).unwrap()
}

fn approximate(k: usize, metric: Metric) -> Search {
    Search::nearest(k).with_metric(metric).with_algorithm(Algorithm::Approximate)
}

fn share(found: &Neighborhoods, exact: &Neighborhoods, k: usize) -> f64 {
    let hits = |row| found.neighbors(row).iter().filter(|one| exact.neighbors(row).contains(one)).count();
    (0..found.len()).map(hits).sum::<usize>() as f64 / (found.len() * k) as f64
}

/// Runs the partition search itself: at these sizes the exact one is as fast, so it may cost more.
fn partition(points: &Points, metric: Metric, k: usize, wanted: f64, run: &Run) -> Result<Neighborhoods, f64> {
    with_budget(points, metric, k, wanted, (usize::MAX, run))
}

fn with_budget(
    points: &Points,
    metric: Metric,
    k: usize,
    wanted: f64,
    (budget, run): (usize, &Run),
) -> Result<Neighborhoods, f64> {
    let space = super::super::Space::new(points, metric).unwrap();
    let origin = |recall: super::Recall| Origin::Approximate {
        reach: crate::Reach::Nearest(k),
        metric,
        wanted,
        recall: recall.share,
        standard_error: recall.standard_error,
        checked: recall.checked,
    };
    let keep = |found: &super::Found| nearest(points.len(), k, origin(found.recall), |emit| found.each(emit, run));
    super::search(&space, k, wanted, budget, keep, run).unwrap()
}

#[test]
fn a_very_low_promise_is_measured_on_enough_points() {
    let points = curved(3000, 6, 30, 1);
    for wanted in [1e-6, 0.01, 0.5] {
        let found = partition(&points, Metric::Euclidean, 5, wanted, &Run::new()).unwrap();
        let Origin::Approximate { recall, checked, .. } = *found.origin() else { panic!() };
        assert!(recall >= wanted && recall <= 1.0 && checked == 400, "{wanted} {recall} {checked}");
    }
}

#[test]
fn the_promised_recall_is_reached_and_the_stated_one_is_true() {
    let sphere = |at: usize| uniform(21, at) + uniform(22, at) + uniform(23, at) - 1.5;
    let sets = [
        ("clustered", curved(5000, 6, 30, 40)),
        ("curved", curved(5000, 8, 100, 1)),
        ("uniform", Points::new(5000, 10, (0..50_000).map(|at| uniform(1, at)).collect()).unwrap()),
        ("spherical", Points::new(5000, 12, (0..60_000).map(sphere).collect()).unwrap()),
    ];
    for (name, points) in &sets {
        for metric in Metric::ALL {
            let exact = Search::nearest(10).with_metric(metric).run(points, &Run::new()).unwrap();
            for wanted in [0.95, 0.999] {
                let found = partition(points, metric, 10, wanted, &Run::new().with_seed(3));
                let found = found.unwrap_or_else(|reached| panic!("{name} {metric} {wanted}: only {reached}"));
                let actual = share(&found, &exact, 10);
                let Origin::Approximate { recall, standard_error, checked, .. } = *found.origin() else { panic!() };
                let expected = if wanted < 0.99 { 400 } else { 1000 };
                assert!(recall >= wanted && checked == expected, "{name} {metric} {wanted} {recall}");
                let error = (4.0 * standard_error).max(0.002);
                assert!((recall - actual).abs() <= error, "{name} {metric} {wanted}: {recall} {actual}");
            }
        }
    }
}

#[test]
fn copies_of_points_are_neighbors_at_no_distance() {
    let base = curved(600, 5, 20, 1);
    let values = (0..6000).flat_map(|row| base.row(row % 600).to_vec()).collect();
    let points = Points::new(6000, 20, values).unwrap();
    let found = partition(&points, Metric::Euclidean, 9, 0.99, &Run::new()).unwrap();
    let copies = |row: usize| found.neighbors(row).iter().filter(|other| **other as usize % 600 == row % 600).count();
    assert!((0..6000).map(copies).sum::<usize>() as f64 >= 0.99 * 9.0 * 6000.0);
}

#[test]
fn threads_have_no_influence() {
    let points = curved(7000, 7, 90, 3);
    // Of sixty neighbors only the first ones meet each other in rounds.
    for (metric, k) in [(Metric::Euclidean, 8), (Metric::Manhattan, 8), (Metric::Cosine, 8), (Metric::Euclidean, 60)] {
        let with = |threads: usize| {
            partition(&points, metric, k, 0.98, &Run::new().with_threads(threads).unwrap().with_seed(5)).unwrap()
        };
        let one = with(1);
        for threads in [2, 8] {
            let other = with(threads);
            assert!((0..points.len()).all(|row| one.members(row) == other.members(row)), "{metric} {threads}");
            assert_eq!(one.origin(), other.origin());
        }
    }
}

/// The share of the neighbors found that are as near as the last true one: copies are as good as each other.
fn near_share(points: &Points, found: &Neighborhoods, exact: &Neighborhoods, k: usize) -> f64 {
    let square = |row: usize, other: u32| {
        points.row(row).iter().zip(points.row(other as usize)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
    };
    let hits = |row: usize| {
        let last = square(row, exact.neighbors(row)[k - 1]);
        found.neighbors(row).iter().filter(|other| square(row, **other) <= last * (1.0 + 1e-12)).count()
    };
    (0..points.len()).map(hits).sum::<usize>() as f64 / (points.len() * k) as f64
}

/// Asserts that the recall that a search states was asked for and is true.
fn assert_kept(points: &Points, found: &Neighborhoods, k: usize, wanted: f64) {
    let exact = Search::nearest(k).run(points, &Run::new()).unwrap();
    let actual = near_share(points, found, &exact, k);
    let Origin::Approximate { recall, standard_error, .. } = *found.origin() else { panic!() };
    let error = (4.0 * standard_error).max(0.002);
    assert!(recall >= wanted && (recall - actual).abs() <= error, "{k} {wanted}: {recall} +- {error}, {actual}");
}

#[test]
fn long_lists_and_many_copies_keep_the_promise() {
    let points = curved(6000, 7, 60, 2);
    let copies: Vec<f64> = points.rows().flat_map(|row| row.to_vec()).take(60 * 3000).collect();
    // Groups of fifty copies, more than meet each other in a round.
    let crowds: Vec<f64> = (0..3000).flat_map(|row| copies[row / 50 * 60..][..60].to_vec()).collect();
    let mixed = Points::new(6000, 60, [copies, crowds].concat()).unwrap();
    for (points, k) in [(&points, 60), (&mixed, 80)] {
        let found = partition(points, Metric::Euclidean, k, 0.97, &Run::new()).unwrap();
        assert_kept(points, &found, k, 0.97);
    }
}

#[test]
fn a_sketch_that_takes_others_for_nearer_does_not_end_the_search() {
    // The centers of sixty groups take up all directions of the sketch, and tell nothing of who is near in a group.
    let (count, dim, k, wanted) = (6000, 120, 10, 0.95);
    let wave = |row: usize, axis: usize, at: usize| {
        ((4.0 + 4.0 * uniform(44, axis * 5 + at)) * uniform(43, row * 5 + at) + 6.0 * uniform(45, axis * 5 + at)).sin()
    };
    let cell = |row: usize, axis: usize| match axis {
        0..34 => 100.0 * uniform(41, 34 * (row % 60) + axis) + 0.1 * uniform(42, 34 * row + axis),
        _ => (0..5).map(|at| wave(row, axis, at)).sum(),
    };
    let values = (0..count * dim).map(|at| cell(at / dim, at % dim)).collect();
    let points = Points::new(count, dim, values).unwrap();
    let run = Run::new();
    let space = super::super::Space::new(&points, Metric::Euclidean).unwrap();
    let sketch = Sketch::new(&space, Sketch::ENOUGH, &run).unwrap();
    let mut search = Partition::new(&space, &sketch, k, wanted);
    (0..super::TREES).for_each(|_| search.tree(&run).unwrap());
    let sample = super::Sample::new(&search, &run).unwrap();
    assert!(!sketch.is_whole());
    assert!(sample.ceiling(&search.lists) < wanted, "{}", sample.ceiling(&search.lists));
    assert_kept(&points, &partition(&points, Metric::Euclidean, k, wanted, &run).unwrap(), k, wanted);
}

#[test]
fn trees_follow_rounds_that_find_little_and_rounds_follow_trees() {
    assert_eq!(Step::Round.after(0.8), Step::Round);
    assert_eq!(Step::Round.after(0.3), Step::Tree(1));
    assert_eq!(Step::Tree(1).after(0.1), Step::Tree(2));
    assert_eq!(Step::Tree(1).after(0.01), Step::Round);
    assert_eq!(Step::Tree(BETWEEN).after(0.1), Step::Round);
}

#[test]
fn a_promise_that_cannot_be_kept_ends_in_the_exact_search() {
    let points = Points::new(9000, 100, (0..900_000).map(|at| uniform(31, at)).collect()).unwrap();
    let all_pairs = 9000 * 8999 / 2;
    let reached = with_budget(&points, Metric::Euclidean, 10, 0.999, (all_pairs, &Run::new())).unwrap_err();
    assert!(reached < 0.999);
}

#[test]
fn few_points_are_searched_exactly_and_it_is_said() {
    let points = curved(500, 3, 6, 1);
    let exact = Search::nearest(4).run(&points, &Run::new()).unwrap();
    let found = approximate(4, Metric::Euclidean).run(&points, &Run::new()).unwrap();
    assert!((0..500).all(|row| found.members(row) == exact.members(row)));
    assert!(matches!(found.origin(), Origin::Exact { instead: Some(Fallback::AsFast), .. }));
}

#[test]
fn a_recall_that_is_no_share_is_refused() {
    let points = curved(500, 3, 6, 1);
    for recall in [0.0, -0.5, 1.01, f64::NAN] {
        let error = approximate(4, Metric::Euclidean).with_recall(recall).run(&points, &Run::new()).unwrap_err();
        assert!(error.to_string().contains("recall"), "{error}");
    }
}

/// All links of all lists.
fn links(search: &Partition) -> Vec<Link> {
    (0..search.space.len() as u32).flat_map(|row| search.lists.links(row).collect::<Vec<_>>()).collect()
}

#[test]
fn leaves_on_a_device_give_the_same_lists() {
    let copies = curved(900, 5, 20, 1);
    let copies: Vec<f64> = (0..2700).flat_map(|row| copies.row(row % 900).to_vec()).collect();
    let sets = [
        ("sketched", curved(2600, 7, 90, 3), true),
        ("whole", curved(2600, 6, 20, 1), false),
        ("copies", Points::new(2700, 20, copies).unwrap(), false),
        ("ties", Points::new(2500, 9, (0..22_500).map(|at| (3.0 * uniform(9, at)).floor()).collect()).unwrap(), false),
    ];
    let run = Run::new();
    let mut doubts = 0;
    for (name, points, sketched) in &sets {
        let space = super::super::Space::new(points, Metric::Euclidean).unwrap();
        let sketch = Sketch::new(&space, Sketch::ENOUGH, &run).unwrap();
        assert_eq!(!sketch.is_whole(), *sketched, "{name}");
        let rows = (sketch.rows(), sketch.doubtful());
        let [mut here, mut there] = [0, 1].map(|_| Partition::new(&space, &sketch, 9, 0.95));
        let (device, doubted) = RemoteLeaves::emulated(rows, here.lists.width(), (1100, usize::MAX));
        let mut device = Some(device);
        let mut rounds = [0, 1].map(|_| Rounds::new(space.len(), here.width, CAP));
        for step in 0..6 {
            here.tree(&run).unwrap();
            there.tree_on(&mut device, &run).unwrap();
            assert!(links(&here) == links(&there), "{name}, tree {step}");
            // Lists that rounds have filled are improved by trees too.
            if step == 3 {
                here.round(&mut rounds[0], None, &run).unwrap();
                there.round(&mut rounds[1], None, &run).unwrap();
            }
        }
        assert!(device.is_some() && here.spent == there.spent);
        doubts += doubted.load(std::sync::atomic::Ordering::Relaxed);
        if *sketched {
            // Values of the space are measured on this side.
            there.refer_to_space(&run).unwrap();
            there.tree_on(&mut device, &run).unwrap();
            assert!(device.is_none());
        }
    }
    assert!(doubts > 10_000, "only {doubts} pairs were in doubt");
}

#[test]
fn lists_with_values_have_those_of_their_rows() {
    // Points of which a sketch is enough, whose values are not all needed to order them, and points of which it is not.
    for (points, is_whole) in [(curved(3000, 6, 90, 1), false), (curved(3000, 8, 10, 1), true)] {
        let (space, run) = (super::super::Space::new(&points, Metric::Euclidean).unwrap(), Run::new());
        assert_eq!(Sketch::new(&space, Sketch::ENOUGH, &run).unwrap().is_whole(), is_whole);
        let lists = Mutex::new(vec![Vec::new(); 3000]);
        let emit = |row: u32, list: &[(f64, u32)]| {
            lists.lock().unwrap()[row as usize] = list.to_vec();
            Ok(())
        };
        let keep = |found: &super::Found| found.each_with_values(&emit, &run);
        super::search(&space, 8, 0.9, usize::MAX, keep, &run).unwrap().unwrap();
        for (row, list) in lists.into_inner().unwrap().iter().enumerate() {
            assert!(list.len() == 8 && list.windows(2).all(|pair| pair[0] < pair[1]), "{list:?}");
            for &(value, other) in list {
                let pairs = points.row(row).iter().zip(points.row(other as usize));
                let expected: f64 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
                assert!((value - expected).abs() <= 1e-12 * expected, "{value} {expected}");
            }
        }
    }
}

#[test]
fn a_device_that_fails_is_told() {
    let points = curved(2600, 6, 20, 1);
    let run = Run::new();
    let space = super::super::Space::new(&points, Metric::Euclidean).unwrap();
    let sketch = Sketch::new(&space, Sketch::ENOUGH, &run).unwrap();
    let mut search = Partition::new(&space, &sketch, 9, 0.95);
    // It gives up in the middle of the tree, when some points have their links already.
    let rows = (sketch.rows(), sketch.doubtful());
    let mut device = Some(RemoteLeaves::emulated(rows, search.lists.width(), (600, 3)).0);
    let error = search.tree_on(&mut device, &run).unwrap_err();
    assert!(error.to_string().contains("it is tired"), "{error}");
}
