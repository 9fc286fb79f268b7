//! What refinement guarantees for every target and step.

#![expect(clippy::needless_range_loop, reason = "dense algebra reads best by its indices")]

use super::*;
use crate::dataset::{self, Request, Sample};
use crate::{Stop, local, measure};

const TARGETS: [Target; 4] = [Target::R, Target::RN, Target::RC, Target::RPca];

pub(super) fn sample(name: &str, points: usize) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap()
}

/// Numbers from -1 to 1 that look random.
pub(super) fn noise(count: usize) -> Vec<f64> {
    let mut state = 1_u64;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    })
    .take(count)
    .collect()
}

pub(super) fn shaken(points: &Points, by: f64) -> Points {
    let values = points.values().iter().zip(noise(points.values().len())).map(|(value, noise)| value + by * noise);
    Points::new(points.len(), points.dim(), values.collect()).unwrap()
}

pub(super) fn nearest(points: &Points, k: usize) -> Neighborhoods {
    Neighborhoods::nearest(points, k, &Run::new()).unwrap()
}

pub(super) fn refined(refine: &Refine, x: &Points, neighborhoods: &Neighborhoods, start: &Points) -> (Points, Outcome) {
    let outcome = refine.refine(Input::Points(x), neighborhoods, start, &Run::new()).unwrap();
    (Points::new(start.len(), start.dim(), outcome.values.clone()).unwrap(), outcome)
}

pub(super) fn score(x: &Points, y: &Points, neighborhoods: &Neighborhoods, name: &str) -> measure::Score {
    measure::evaluate(x, y, neighborhoods, &[name]).unwrap().remove(0)
}

#[test]
fn the_target_never_rises_and_is_the_measure() {
    let roll = sample("swiss-roll", 300);
    let neighborhoods = nearest(&roll.points, 8);
    let start = shaken(&roll.truth, 2.0);
    for target in TARGETS {
        for step in [Step::Exact, Step::Simple] {
            for acceleration in [Acceleration::None, Acceleration::QuasiNewton] {
                // Without a look at the other side, which may end a descent early.
                let refine = Refine { target, step, acceleration, iterations: 40, slack: None, ..Refine::default() };
                let (y, outcome) = refined(&refine, &roll.points, &neighborhoods, &start);
                let trace = &outcome.traces[0];
                assert_eq!(trace.objective, target.measure());
                assert!(trace.values.len() > 5, "{refine:?}: {:?}", trace.values);
                assert!(trace.values.is_sorted_by(|before, after| after < before), "{refine:?}: {:?}", trace.values);
                let ends = [(&start, trace.values[0]), (&y, trace.values[trace.values.len() - 1])];
                for (y, traced) in ends {
                    let measured = score(&roll.points, y, &neighborhoods, target.measure()).value;
                    assert!((measured - traced).abs() < 1e-9 * measured, "{refine:?}: {measured} {traced}");
                }
            }
        }
    }
}

#[test]
fn an_isometry_stays_where_it_is() {
    let plane = Points::new(60, 2, noise(120)).unwrap();
    let rows: Vec<[f64; 3]> = plane.rows().map(|p| [0.6 * p[0], p[1], 0.8 * p[0]]).collect();
    let x = Points::from_rows(&rows).unwrap();
    let neighborhoods = nearest(&x, 6);
    for target in TARGETS {
        let (y, outcome) = refined(&Refine { target, ..Refine::default() }, &x, &neighborhoods, &plane);
        let moved = local::procrustes(&plane, &y).unwrap();
        assert!(moved.residual < 1e-18, "{target:?}: {}", moved.residual);
        assert!(outcome.traces[0].values[0] < 1e-24);
    }
}

/// Solves a small dense system by elimination with row exchange.
fn dense_solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for at in 0..size {
        let pivot = (at..size).max_by(|&a, &b| matrix[a][at].abs().total_cmp(&matrix[b][at].abs())).unwrap();
        matrix.swap(at, pivot);
        right.swap(at, pivot);
        for row in (0..size).filter(|&row| row != at) {
            let factor = matrix[row][at] / matrix[at][at];
            for column in 0..size {
                matrix[row][column] -= factor * matrix[at][column];
            }
            for column in 0..right[0].len() {
                right[row][column] -= factor * right[at][column];
            }
        }
    }
    for at in 0..size {
        right[at].iter_mut().for_each(|value| *value /= matrix[at][at]);
    }
    right
}

#[test]
fn the_exact_step_is_the_least_squares_solution() {
    let x = Points::new(14, 3, noise(42)).unwrap();
    let start = Points::new(14, 2, x.rows().flat_map(|row| [row[0], row[1] + 0.5 * row[2]]).collect()).unwrap();
    let neighborhoods = nearest(&x, 5);
    let pick = |points: &Points, members: &[u32]| points.select(members);
    let mut matrix = vec![vec![1.0 / 14.0; 14]; 14];
    let mut right = vec![vec![0.0; 2]; 14];
    for index in 0..14 {
        let members = neighborhoods.members(index);
        let (xi, yi) = (pick(&x, members), pick(&start, members));
        let fit = local::procrustes(&xi, &yi).unwrap();
        let size = members.len() as f64;
        let mean: Vec<f64> = (0..3).map(|axis| xi.rows().map(|row| row[axis]).sum::<f64>() / size).collect();
        let extent: f64 = xi.rows().flat_map(|row| row.iter().zip(&mean).map(|(a, b)| (a - b).powi(2))).sum();
        for (a, &row) in members.iter().enumerate() {
            for &column in members {
                matrix[row as usize][column as usize] += (f64::from(u8::from(row == column)) - 1.0 / size) / extent;
            }
            for column in 0..2 {
                let turned = (0..3).map(|axis| (xi.row(a)[axis] - mean[axis]) * fit.rotation[axis * 2 + column]);
                right[row as usize][column] += turned.sum::<f64>() / extent;
            }
        }
    }
    let wanted = Points::from_rows(&dense_solve(matrix, right)).unwrap();
    let refine = Refine { iterations: 1, acceleration: Acceleration::None, ..Refine::default() };
    let (y, _) = refined(&refine, &x, &neighborhoods, &start);
    for column in 0..2 {
        let shift = y.row(0)[column] - wanted.row(0)[column];
        for row in 0..14 {
            assert!((y.row(row)[column] - wanted.row(row)[column] - shift).abs() < 1e-9);
        }
    }
}

#[test]
fn the_azimuthal_chart_of_a_hemisphere_becomes_conformal() {
    let dome = sample("hemisphere", 2500);
    let neighborhoods = nearest(&dome.points, 12);
    let refine = Refine { target: Target::RC, ..Refine::default() };
    let (y, _) = refined(&refine, &dome.points, &neighborhoods, &dome.truth);
    let reached = score(&dome.points, &y, &neighborhoods, "r_c").value;
    assert!(reached <= 0.0015, "{reached}");
}

#[test]
fn a_noisy_true_map_of_the_swiss_roll_becomes_as_good_as_possible() {
    let roll = sample("swiss-roll", 1600);
    let neighborhoods = nearest(&roll.points, 12);
    let (y, outcome) = refined(&Refine::default(), &roll.points, &neighborhoods, &shaken(&roll.truth, 1.0));
    let times = score(&roll.points, &y, &neighborhoods, "r_n").times_bound().unwrap();
    assert!(times <= 1.02, "{times}");
    assert_eq!(outcome.stop, Stop::Converged);
}

#[test]
fn threads_do_not_change_a_bit() {
    let roll = sample("swiss-roll", 900);
    let neighborhoods = nearest(&roll.points, 8);
    let start = shaken(&roll.truth, 1.0);
    for target in [Target::RN, Target::RC] {
        let refine = Refine { target, iterations: 6, solver: Strategy::Iterative, ..Refine::default() };
        let on = |threads| {
            let run = Run::new().with_threads(threads).unwrap();
            refine.refine(Input::Points(&roll.points), &neighborhoods, &start, &run).unwrap().values
        };
        let one = on(1);
        assert!(one == on(2) && one == on(8), "{target:?}");
    }
}

#[test]
fn neighborhoods_without_extent_hold_together() {
    let mut values = noise(160);
    for copy in 0..9 {
        values[3 * copy..3 * copy + 3].copy_from_slice(&[0.1, 0.2, 0.3]);
    }
    let x = Points::new(53, 3, values[..159].to_vec()).unwrap();
    let neighborhoods = nearest(&x, 5);
    let start = Points::new(53, 2, noise(106)).unwrap();
    for target in TARGETS {
        let (y, outcome) = refined(&Refine { target, ..Refine::default() }, &x, &neighborhoods, &start);
        assert!(outcome.traces[0].values.is_sorted_by(|before, after| after < before), "{target:?}");
        assert!(y.values().iter().all(|value| value.abs() < 1e3), "{target:?}");
    }
    let one_place = Points::new(8, 2, vec![1.0; 16]).unwrap();
    let start = Points::new(8, 1, noise(8)).unwrap();
    let failed = Refine::default().refine(Input::Points(&one_place), &nearest(&one_place, 3), &start, &Run::new());
    assert!(failed.unwrap_err().to_string().contains("single place"));
}

#[test]
fn more_dimensions_than_neighbors_are_no_obstacle() {
    let x = Points::new(40, 6, noise(240)).unwrap();
    let start = Points::new(40, 4, shaken(&x, 0.5).rows().flat_map(|row| row[..4].to_vec()).collect()).unwrap();
    let neighborhoods = nearest(&x, 2);
    for target in TARGETS {
        let (_, outcome) = refined(&Refine { target, ..Refine::default() }, &x, &neighborhoods, &start);
        let values = &outcome.traces[0].values;
        assert!(values[values.len() - 1] < 0.1 * values[0], "{target:?}: {values:?}");
    }
}

#[test]
fn limits_are_kept() {
    let roll = sample("swiss-roll", 200);
    let neighborhoods = nearest(&roll.points, 8);
    let start = shaken(&roll.truth, 1.0);
    let none = Refine { iterations: 0, ..Refine::default() };
    let (y, outcome) = refined(&none, &roll.points, &neighborhoods, &start);
    assert_eq!((y, outcome.stop), (start.clone(), Stop::MaxIterations));
    let short = Refine { time_limit: Some(1e-9), ..Refine::default() };
    assert_eq!(refined(&short, &roll.points, &neighborhoods, &start).1.stop, Stop::Deadline);
    for wrong in [
        Refine { tolerance: f64::NAN, ..Refine::default() },
        Refine { tolerance: -1.0, ..Refine::default() },
        Refine { time_limit: Some(0.0), ..Refine::default() },
    ] {
        assert!(wrong.refine(Input::Points(&roll.points), &neighborhoods, &start, &Run::new()).is_err());
    }
}

#[test]
fn names_are_those_of_the_measures_in_kebab_case() {
    let written = serde_json::to_value(Refine::default()).unwrap();
    assert_eq!(written["target"], "auto");
    assert_eq!((written["step"].as_str(), written["acceleration"].as_str()), (Some("exact"), Some("quasi-newton")));
    for target in TARGETS {
        let name = serde_json::to_value(target).unwrap();
        assert_eq!(name.as_str().unwrap().replace('-', "_"), target.measure());
        assert!(measure::find(target.measure()).is_ok());
    }
    assert!(serde_json::from_str::<Refine>(r#"{"targets": "r"}"#).is_err());
}
