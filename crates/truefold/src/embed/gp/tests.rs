//! Greedy Procrustes on surfaces whose best possible R_N is known.

use super::*;
use crate::data::Input;
use crate::dataset::{self, Request, Sample};
use crate::embed::fit;
use crate::{Distances, Embedding, Neighborhoods, Outcome, Pieces, Run, measure};

fn sample(name: &str, points: usize) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap()
}

fn embedded(gp: &Gp, x: &Points, k: usize, dim: usize) -> (Embedding, measure::Score) {
    let neighborhoods = Neighborhoods::nearest(x, k, &Run::new()).unwrap();
    with(gp, x, &neighborhoods, dim)
}

fn with(gp: &Gp, x: &Points, neighborhoods: &Neighborhoods, dim: usize) -> (Embedding, measure::Score) {
    let problem = Problem::new(x, neighborhoods, dim).unwrap();
    let embedding = fit(gp, &problem, Pieces::SideBySide, &Run::new()).unwrap();
    let score = measure::evaluate(x, &embedding.points, neighborhoods, &["r_n"]).unwrap().remove(0);
    (embedding, score)
}

/// A turned and shifted copy of points in space.
fn moved(points: &Points) -> Points {
    let rows: Vec<[f64; 3]> = points
        .rows()
        .map(|p| {
            [0.6 * p[0] - 0.8 * p[1] + 3.0, 0.28 * p[2] - 0.96 * (0.8 * p[0] + 0.6 * p[1]), {
                0.96 * p[2] + 0.28 * (0.8 * p[0] + 0.6 * p[1]) - 7.0
            }]
        })
        .collect();
    Points::from_rows(&rows).unwrap()
}

#[test]
fn a_flat_patch_is_laid_out_exactly() {
    let roll = sample("swiss-roll", 500);
    let rows: Vec<[f64; 5]> =
        roll.truth.rows().map(|p| [0.6 * p[0], 0.8 * p[0], 2.0, 0.28 * p[1], 0.96 * p[1]]).collect();
    let patch = Points::from_rows(&rows).unwrap();
    for start in [GrowthStart::Center, GrowthStart::Random] {
        for k in [4, 8, 20] {
            let raw = Gp { start, refine: Refinement::None, ..Gp::default() };
            let (embedding, score) = embedded(&raw, &patch, k, 2);
            assert!(score.value < 1e-10, "k = {k}: {} {:?}", score.value, embedding.info.facts);
        }
    }
}

#[test]
fn developable_surfaces_reach_the_best_possible() {
    for name in ["swiss-roll", "s-curve"] {
        let surface = sample(name, 1600);
        for k in [9, 12, 15] {
            let (embedding, score) = embedded(&Gp::default(), &surface.points, k, 2);
            let times = score.times_bound().unwrap();
            assert!(times <= 1.02, "{name}, k = {k}: {times} {:?}", embedding.info);
        }
    }
}

#[test]
fn the_hemisphere_opens_without_folds() {
    let (embedding, score) = embedded(&Gp::default(), &sample("hemisphere", 2500).points, 6, 2);
    assert!(score.value <= 0.0110, "{} {:?}", score.value, embedding.info);
}

#[test]
fn the_cylinder_is_pressed_flat() {
    let (embedding, score) = embedded(&Gp::default(), &sample("cylinder", 800).points, 9, 2);
    assert!(score.value <= 0.04, "{} {:?}", score.value, embedding.info);
}

#[test]
fn rigid_motions_change_nothing() {
    let roll = sample("swiss-roll", 400).points;
    for gp in [Gp::default(), Gp { refine: Refinement::None, ..Gp::default() }] {
        let (here, there) = (embedded(&gp, &roll, 10, 2).1.value, embedded(&gp, &moved(&roll), 10, 2).1.value);
        assert!((here - there).abs() < 1e-9, "{here} {there}");
    }
}

#[test]
fn units_change_nothing() {
    let dome = sample("hemisphere", 400).points;
    let raw = Gp { refine: Refinement::None, ..Gp::default() };
    let (here, score) = embedded(&raw, &dome, 6, 2);
    // Powers of two scale without rounding.
    for unit in [2.0_f64.powi(-330), 2.0_f64.powi(330)] {
        let values = dome.values().iter().map(|value| value * unit).collect();
        let (there, scaled) = embedded(&raw, &Points::new(400, 3, values).unwrap(), 6, 2);
        assert_eq!(here.info.facts, there.info.facts, "{unit:e}");
        assert!((score.value - scaled.value).abs() <= 1e-9 * score.value, "{unit:e}: {} {}", score.value, scaled.value);
    }
}

#[test]
fn links_one_way_are_followed() {
    // Rows 10 and 11 list each other only; row 0 lists row 10.
    let mut lists: Vec<Vec<i64>> = (0..10).map(|row: i64| vec![(row + 9) % 10, (row + 1) % 10]).collect();
    lists[0] = vec![1, 2, 10];
    lists[9] = vec![7, 8];
    lists.extend([vec![11], vec![10]]);
    let line: Vec<[f64; 2]> = (0..10).map(f64::from).chain([-1.0, -2.0]).map(|t| [0.6 * t, 0.8 * t]).collect();
    let line = Points::from_rows(&line).unwrap();
    let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
    for start in [GrowthStart::Center, GrowthStart::Random] {
        let raw = Gp { start, refine: Refinement::None, ..Gp::default() };
        let (_, score) = with(&raw, &line, &neighborhoods, 1);
        assert!(score.value < 1e-20, "{}", score.value);
        let (embedding, _) = with(&Gp { choice: GrowthRule::Paper, ..raw }, &line, &neighborhoods, 1);
        assert!((embedding.points.row(10)[0] - embedding.points.row(0)[0]).abs() > 0.1);
    }
}

#[test]
fn distances_are_as_good_as_points() {
    let roll = sample("swiss-roll", 400);
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let table = roll.points.rows().flat_map(|a| roll.points.rows().map(move |b| distance(a, b))).collect();
    let distances = Distances::dense(400, table).unwrap();
    let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &Run::new()).unwrap();
    let input = Input::Distances(&distances);
    let problem = Problem::with_input(input, &neighborhoods, 2).unwrap();
    for gp in [Gp { refine: Refinement::None, ..Gp::default() }, Gp::default()] {
        let embedding = fit(&gp, &problem, Pieces::Error, &Run::new()).unwrap();
        let value = measure::evaluate(&roll.points, &embedding.points, &neighborhoods, &["r_n"]).unwrap()[0].value;
        let from_points = with(&Gp { choice: gp.choice, ..gp.clone() }, &roll.points, &neighborhoods, 2).1.value;
        assert!(value <= from_points * 1.5 + 1e-9, "{:?}: {value} {from_points}", gp.refine);
    }
    let refined = Refine::default().refine(input, &neighborhoods, &roll.truth, &Run::new()).unwrap();
    let expected =
        Refine::default().refine(Input::Points(&roll.points), &neighborhoods, &roll.truth, &Run::new()).unwrap();
    let last = |outcome: &Outcome| *outcome.traces[0].values.last().unwrap();
    assert!((last(&refined) - last(&expected)).abs() <= 1e-6 * last(&expected));
}

#[test]
fn a_smoothed_front_does_not_drift() {
    let roll = sample("swiss-roll", 20_000);
    let raw = Gp { refine: Refinement::None, ..Gp::default() };
    let (_, score) = embedded(&raw, &roll.points, 12, 2);
    assert!(score.times_bound().unwrap() < 1.5, "{score:?}");
}

#[test]
fn threads_do_not_show() {
    let dome = sample("hemisphere", 600).points;
    let on = |threads| {
        let run = Run::new().with_threads(threads).unwrap();
        let neighborhoods = Neighborhoods::nearest(&dome, 6, &run).unwrap();
        let gp = Gp { iterations: 10, ..Gp::default() };
        fit(&gp, &Problem::new(&dome, &neighborhoods, 2).unwrap(), Pieces::Error, &run).unwrap().points
    };
    let one = on(1);
    assert!(one == on(2) && one == on(8));
}

#[test]
fn more_dimensions_than_the_data_fill_stay_flat() {
    let roll = sample("swiss-roll", 300);
    let rows: Vec<[f64; 4]> = roll.truth.rows().map(|p| [p[0], 0.6 * p[1], 0.8 * p[1], 1.0]).collect();
    let raw = Gp { refine: Refinement::None, ..Gp::default() };
    for dim in [3, 4] {
        let (embedding, score) = embedded(&raw, &Points::from_rows(&rows).unwrap(), 8, dim);
        assert!(score.value < 1e-10, "{}", score.value);
        assert!(embedding.info.warnings.is_empty(), "{:?}", embedding.info.warnings);
    }
}

#[test]
fn drift_is_taken_out_at_once_in_every_unit_and_a_line_has_none() {
    let roll = sample("swiss-roll", 2000);
    let laid = |unit: f64| {
        let values = roll.points.values().iter().map(|value| unit * value).collect();
        let points = Points::new(roll.points.len(), 3, values).unwrap();
        let (embedding, score) = embedded(&Gp::default(), &points, 10, 2);
        (score.value, embedding.info.facts["refinement_steps"].as_u64().unwrap(), embedding)
    };
    let (value, steps, embedding) = laid(1.0);
    assert!(embedding.info.stages.iter().any(|stage| stage.stage == "straightening"));
    let neighborhoods = Neighborhoods::nearest(&roll.points, 10, &Run::new()).unwrap();
    let problem = Problem::new(&roll.points, &neighborhoods, 2).unwrap();
    let grown = with(&Gp { refine: Refinement::None, ..Gp::default() }, &roll.points, &neighborhoods, 2);
    let straight = straightened(&problem, &grown.0.points, Strategy::Auto, &Run::new()).unwrap().unwrap();
    let after = measure::evaluate(&roll.points, &straight, &neighborhoods, &["r_n"]).unwrap().remove(0);
    let bound = after.lower_bound.unwrap();
    assert!(after.value - bound < 0.3 * (grown.1.value - bound), "{} {} {bound}", after.value, grown.1.value);
    for unit in [2.0_f64.powi(-300), 2.0_f64.powi(300)] {
        let there = laid(unit);
        assert!((there.0 - value).abs() < 1e-9 * value && there.1 == steps, "{unit}: {} {}", there.0, there.1);
    }
    let line = Points::from_rows(&(0..80).map(|at| [f64::from(at), 2.0 * f64::from(at), 1.0]).collect::<Vec<_>>());
    let (_, score) = embedded(&Gp::default(), &line.unwrap(), 12, 2);
    assert!(score.value < 1e-12, "{}", score.value);
}
