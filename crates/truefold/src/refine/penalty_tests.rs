//! What the penalty guarantees: it agrees with the measure collapse, opens folds, and leaves other maps unchanged.

use super::penalty::Penalty;
use super::stress::Stress;
use super::sweep::{Slope, Sweeper};
use super::tests::{nearest, noise, refined, sample, score, shaken};
use super::*;
use crate::embed::Pca;
use crate::graph::LengthGraph;
use crate::laplacian::conjugate_gradient::Operator;
use crate::linalg::dot;

fn penalized(target: Target) -> Refine {
    Refine { target, penalty: 1.0, ..Refine::default() }
}

fn fact(outcome: &Outcome, name: &str) -> f64 {
    outcome.facts[name].as_f64().unwrap()
}

/// A spiral staircase of two turns, `n` points, whose steps are 0.3 wide at a radius of about one.
fn staircase(n: usize) -> Points {
    let draw = noise(2 * n);
    let rows: Vec<[f64; 3]> = draw
        .chunks_exact(2)
        .map(|draw| {
            let (angle, radius) = ((draw[0] + 1.0) * std::f64::consts::TAU, 1.0 + 0.15 * draw[1]);
            [radius * angle.cos(), radius * angle.sin(), 0.1 * angle]
        })
        .collect();
    Points::from_rows(&rows).unwrap()
}

/// Folds a map along a line across its first axis, and shakes it a little.
fn folded(map: &Points, share: f64) -> Points {
    let (low, high) =
        map.rows().fold((f64::INFINITY, -f64::INFINITY), |(low, high), row| (low.min(row[0]), high.max(row[0])));
    let crease = low + share * (high - low);
    let rows: Vec<[f64; 2]> = map.rows().map(|row| [crease - (row[0] - crease).abs(), row[1]]).collect();
    shaken(&Points::from_rows(&rows).unwrap(), 1e-3 * (high - low))
}

/// Opened without a pair left, at the bound, and never rising, where plain refinement leaves it on itself.
fn assert_opens(x: &Points, k: usize, start: &Points, times_bound: f64) {
    let neighborhoods = nearest(x, k);
    let (plain, _) = refined(&Refine::default(), x, &neighborhoods, start);
    assert!(score(x, &plain, &neighborhoods, "collapse").value > 0.0);
    let (y, outcome) = refined(&penalized(Target::RN), x, &neighborhoods, start);
    assert!(fact(&outcome, "collapse_before") > 0.0 && fact(&outcome, "penalty_before") > 0.0, "{:?}", outcome.facts);
    let after = (fact(&outcome, "collapse_after"), fact(&outcome, "penalty_after"));
    assert_eq!(after, (0.0, 0.0), "{:?}", outcome.facts);
    assert_eq!(outcome.facts["unfolded"], true);
    assert_eq!(score(x, &y, &neighborhoods, "collapse").value, 0.0);
    let trace = &outcome.traces[0];
    assert_eq!(trace.objective, "r_n + 1 penalty");
    assert!(trace.values.is_sorted_by(|before, after| after < before), "{:?}", trace.values);
    let reached = score(x, &y, &neighborhoods, "r_n");
    assert!((reached.value - trace.values[trace.values.len() - 1]).abs() < 1e-9);
    let times = reached.times_bound().unwrap();
    assert!(times <= times_bound, "{times}");
}

#[test]
fn the_projection_of_a_swiss_roll_is_unrolled() {
    let roll = sample("swiss-roll", 800);
    let start = Pca::project(&roll.points, 2, &Run::new()).unwrap();
    assert_opens(&roll.points, 10, &start, 1.02);
}

#[test]
fn a_folded_s_curve_is_unfolded() {
    let curve = sample("s-curve", 400);
    assert_opens(&curve.points, 10, &Pca::project(&curve.points, 2, &Run::new()).unwrap(), 1.02);
    for share in [0.5, 0.8] {
        assert_opens(&curve.points, 10, &folded(&curve.truth, share), 1.02);
    }
}

#[test]
fn a_spiral_staircase_seen_from_above_is_wound_off() {
    let stairs = staircase(600);
    let above = Points::from_rows(&stairs.rows().map(|row| [row[0], row[1]]).collect::<Vec<_>>()).unwrap();
    let neighborhoods = nearest(&stairs, 8);
    let (plain, _) = refined(&Refine::default(), &stairs, &neighborhoods, &above);
    assert!(score(&stairs, &plain, &neighborhoods, "collapse").value > 0.005);
    let (y, outcome) = refined(&penalized(Target::RN), &stairs, &neighborhoods, &above);
    assert_eq!(fact(&outcome, "collapse_after"), 0.0, "{:?}", outcome.facts);
    // A map of two turns that keeps all lengths overlaps; this is what it takes to bend it open.
    let reached = score(&stairs, &y, &neighborhoods, "r_n").value;
    assert!(reached <= 0.004, "{reached}");
}

#[test]
fn a_map_without_collapsed_pairs_is_not_changed() {
    let roll = sample("swiss-roll", 900);
    let neighborhoods = nearest(&roll.points, 8);
    for start in [roll.truth.clone(), shaken(&roll.truth, 0.5)] {
        for target in [Target::R, Target::RN, Target::RC, Target::RPca] {
            let plain = refined(&Refine { target, ..Refine::default() }, &roll.points, &neighborhoods, &start);
            let other = refined(&penalized(target), &roll.points, &neighborhoods, &start);
            assert_eq!(fact(&other.1, "collapse_before"), 0.0, "{target:?}");
            assert!(plain.0 == other.0, "{target:?}");
            assert_eq!(plain.1.traces[0].values, other.1.traces[0].values);
            assert_eq!(other.1.facts["unfolded"], false);
        }
    }
}

#[test]
fn every_target_takes_a_penalty() {
    let curve = sample("s-curve", 300);
    let neighborhoods = nearest(&curve.points, 10);
    let start = folded(&curve.truth, 0.6);
    for target in [Target::R, Target::RC, Target::RPca] {
        let (_, outcome) = refined(&penalized(target), &curve.points, &neighborhoods, &start);
        assert!(fact(&outcome, "collapse_before") > 0.0);
        assert_eq!(fact(&outcome, "collapse_after"), 0.0, "{target:?} {:?}", outcome.facts);
    }
}

fn slope_of(penalty: &Penalty<'_>, y: &Points) -> Slope {
    let mut slope = Slope { downhill: vec![0.0; y.values().len()], ..Slope::default() };
    penalty.add(y, y.len() as f64, 1.0, &mut slope, &Run::new()).unwrap();
    slope
}

fn moved(y: &Points, step: &[f64], length: f64) -> Points {
    let values = y.values().iter().zip(step).map(|(value, step)| value + length * step).collect();
    Points::new(y.len(), y.dim(), values).unwrap()
}

/// Whether `downhill` is minus half n times the gradient of a mean over n, along one direction.
fn assert_slope(value: impl Fn(&Points) -> f64, downhill: &[f64], y: &Points) {
    let (step, length) = (noise(y.values().len()), 1e-6);
    let found = (value(&moved(y, &step, length)) - value(&moved(y, &step, -length))) / (2.0 * length);
    let expected = -2.0 * dot(downhill, &step) / y.len() as f64;
    assert!((found - expected).abs() < 1e-5 * expected.abs(), "{found} {expected}");
}

#[test]
fn the_penalty_sees_what_the_measure_sees_and_has_its_slope() {
    let curve = sample("s-curve", 300);
    let neighborhoods = nearest(&curve.points, 8);
    let graph = LengthGraph::new(&neighborhoods, |_, _| 1.0);
    let penalty = Penalty::new(&neighborhoods, &graph, 3.0);
    let good = slope_of(&penalty, &shaken(&curve.truth, 0.01));
    assert_eq!((good.penalty, good.value), (0.0, 0.0));
    assert!(good.downhill.iter().all(|&push| push == 0.0));
    for start in [folded(&curve.truth, 0.5), shaken(&folded(&curve.truth, 0.9), 0.1)] {
        let slope = slope_of(&penalty, &start);
        assert!(score(&curve.points, &start, &neighborhoods, "collapse").value > 0.0);
        assert!(slope.penalty > 0.0);
        assert!((slope.value - 3.0 * slope.penalty).abs() < 1e-15);
        assert_slope(|y| slope_of(&penalty, y).value, &slope.downhill, &start);
        let scaled =
            slope_of(&penalty, &Points::new(300, 2, start.values().iter().map(|v| 8.0 * v).collect()).unwrap());
        assert!((scaled.penalty - slope.penalty).abs() <= 1e-12 * slope.penalty);
    }
}

#[test]
fn pushing_begins_farther_out_than_counting() {
    // A path that turns back beside itself: the radius is 1.5, and the two ways lie 1.6 apart.
    let way: Vec<[f64; 2]> =
        (0..20).map(|at| if at < 10 { [f64::from(at), 0.0] } else { [f64::from(19 - at), 1.6] }).collect();
    let lists: Vec<Vec<i64>> =
        (0..20).map(|at: i64| (at - 2..=at + 2).filter(|&row| row != at && (0..20).contains(&row)).collect()).collect();
    let (way, neighborhoods) = (Points::from_rows(&way).unwrap(), Neighborhoods::from_lists(&lists).unwrap());
    let graph = LengthGraph::new(&neighborhoods, |_, _| 1.0);
    let slope = slope_of(&Penalty::new(&neighborhoods, &graph, 1.0), &way);
    assert_eq!(score(&way, &way, &neighborhoods, "collapse").value, 0.0);
    assert!(slope.penalty > 0.0);
}

#[test]
fn the_system_of_the_stress_bounds_what_is_lowered() {
    let curve = sample("s-curve", 300);
    let neighborhoods = nearest(&curve.points, 8);
    let charts = Charts::new(Input::Points(&curve.points), &neighborhoods, &Run::new()).unwrap();
    let graph = LengthGraph::new(&neighborhoods, |a, b| Input::Points(&curve.points).distance(a, b));
    let stress = Stress::new(&graph, &Run::new()).unwrap();
    let sweeper = Sweeper::new(&charts, Target::RN, 2, &Run::new()).unwrap();
    let weight = 5.0;
    let objective = Objective {
        sweeper,
        penalty: None,
        stress: Some((&stress, weight)),
        guard: None,
        free: None,
        effort: Effort::Full,
    };
    let y = folded(&curve.truth, 0.5);
    let at = |y: &Points| objective.slope(y, &Run::new()).unwrap();
    let slope = at(&y);
    assert_slope(|y| at(y).value, &slope.downhill, &y);
    let system = stress.system(weight, 300.0, &neighborhoods, &slope.weights);
    let quadratic = |step: &[f64]| {
        let mut image = vec![0.0; step.len()];
        system.apply(step, &mut image, 2, &mut Vec::new());
        slope.value + (dot(step, &image) - 2.0 * dot(step, &slope.downhill)) / 300.0
    };
    for length in [1e-3, 0.1, 1.0] {
        let step: Vec<f64> = noise(600).iter().map(|value| length * value).collect();
        assert!(at(&moved(&y, &step, 1.0)).value <= quadratic(&step) * (1.0 + 1e-12), "{length}");
    }
    let step = system.step(&slope.downhill, 2, &Run::new()).unwrap();
    assert!(quadratic(&step) < slope.value && at(&moved(&y, &step, 1.0)).value < slope.value);
    // The diagonal is that of the matrix.
    for point in [0, 7, 299] {
        let mut unit = vec![0.0; 600];
        unit[2 * point] = 1.0;
        let mut image = vec![0.0; 600];
        system.apply(&unit, &mut image, 2, &mut Vec::new());
        assert!((image[2 * point] - system.diagonal()[point]).abs() < 1e-9 * image[2 * point]);
        assert!(image.iter().sum::<f64>().abs() < 1e-9 * image[2 * point]);
    }
}

#[test]
fn threads_do_not_show() {
    let curve = sample("s-curve", 700);
    let neighborhoods = nearest(&curve.points, 8);
    let start = folded(&curve.truth, 0.6);
    let refine = Refine { iterations: 5, ..penalized(Target::RN) };
    let on = |threads| {
        let run = Run::new().with_threads(threads).unwrap();
        refine.refine(Input::Points(&curve.points), &neighborhoods, &start, &run).unwrap().values
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
}

#[test]
fn limits_and_pieces_are_respected() {
    let curve = sample("s-curve", 200);
    let neighborhoods = nearest(&curve.points, 8);
    let start = folded(&curve.truth, 0.6);
    let none = Refine { iterations: 0, ..penalized(Target::RN) };
    assert_eq!(refined(&none, &curve.points, &neighborhoods, &start).0, start);
    let short = Refine { time_limit: Some(1e-9), ..penalized(Target::RN) };
    assert_eq!(refined(&short, &curve.points, &neighborhoods, &start).1.stop, crate::Stop::Deadline);
    for penalty in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(Refine { penalty, ..Refine::default() }.check().is_err());
    }
    let pieces = sample("two-pieces", 200);
    let neighborhoods = nearest(&pieces.points, 6);
    let start = Points::new(200, 2, noise(400)).unwrap();
    let (_, outcome) = refined(&penalized(Target::RN), &pieces.points, &neighborhoods, &start);
    assert!(outcome.warnings[0] == Warning::NotUnfolded { components: 2 }, "{:?}", outcome.warnings);
    assert!(fact(&outcome, "penalty_after") < fact(&outcome, "penalty_before"));
}
