//! What is promised where one coordinate is many times as long as the others.

use super::tests::{embed, sample};
use super::{Psa, Tearing};
use crate::{Embedding, Neighborhoods, Points, Run};

/// A sample of which one coordinate is multiplied by a factor.
fn long(name: &str, points: usize, axis: usize, times: f64) -> Points {
    let sample = sample(name, points).points;
    let dim = sample.dim();
    let values =
        sample.values().iter().enumerate().map(|(at, value)| if at % dim == axis { times * value } else { *value });
    Points::new(points, dim, values.collect()).unwrap()
}

fn mapped(points: &Points) -> Embedding {
    embed(&Psa::default(), points, 12, 2, &Run::new()).unwrap()
}

fn says(embedding: &Embedding, name: &str) -> bool {
    embedding.info.warnings.iter().any(|warning| warning.name() == name)
}

/// How far the map reaches along its axes.
fn extents(embedding: &Embedding) -> [f64; 2] {
    [0, 1].map(|axis| {
        let cells = embedding.points.rows().map(|row| row[axis]);
        cells.clone().fold(f64::MIN, f64::max) - cells.fold(f64::MAX, f64::min)
    })
}

#[test]
fn closed_surfaces_are_torn_whichever_coordinate_is_long() {
    for (name, axis) in [("cylinder", 0), ("cylinder", 1), ("cylinder", 2), ("torus", 0), ("moebius", 1)] {
        let embedding = mapped(&long(name, 3000, axis, 100.0));
        assert!(
            embedding.tear.is_some() && says(&embedding, "torn") && !says(&embedding, "shortcuts"),
            "{name} {axis}"
        );
        assert!(says(&embedding, "unlike-units"), "{name} {axis}");
    }
}

#[test]
fn open_surfaces_are_left_whole_whichever_coordinate_is_long() {
    for (name, axis) in [("swiss-roll", 0), ("swiss-roll", 2), ("s-curve", 1), ("hemisphere", 0), ("plane", 3)] {
        let embedding = mapped(&long(name, 3000, axis, 100.0));
        assert!(!says(&embedding, "torn"), "{name} {axis}");
        // A plane is one in any units.
        assert!(name == "plane" || says(&embedding, "unlike-units"), "{name} {axis}");
    }
}

#[test]
fn copies_of_a_point_stay_together() {
    let once = long("cylinder", 2500, 1, 100.0);
    let rows: Vec<&[f64]> = (0..2513).map(|at| once.row(if at < 2500 { at } else { 700 })).collect();
    let points = Points::new(2513, 3, rows.concat()).unwrap();
    let embedding = mapped(&points);
    assert!(says(&embedding, "unlike-units"));
    let tear = embedding.tear.unwrap();
    let is_copy = |row: u32| row == 700 || row >= 2500;
    assert!(tear.pairs().iter().all(|pair| !(is_copy(pair.0) && is_copy(pair.1))));
}

#[test]
fn a_deep_cup_is_mapped_in_the_given_units() {
    let embedding = mapped(&long("hemisphere", 3000, 2, 100.0));
    assert!(embedding.tear.is_some() && !says(&embedding, "unlike-units") && !says(&embedding, "lies-on-itself"));
}

#[test]
fn a_sheet_with_small_waves_is_mapped_in_the_given_units() {
    let plane = sample("plane", 3000).points;
    let row = |row: usize| {
        let (x, y) = (plane.row(row)[0], plane.row(row)[1]);
        [x, y, 1e-3 * (3.0 * x).sin() * (3.0 * y).sin()]
    };
    let points = Points::from_rows(&(0..3000).map(row).collect::<Vec<_>>()).unwrap();
    let embedding = mapped(&points);
    assert!(embedding.tear.is_none() && !says(&embedding, "unlike-units"));
}

#[test]
fn a_pressed_roll_and_a_pressed_tube_come_out_as_rectangles() {
    // An S of two times three quarters of a circle of radius 1, which is 2 wide: along x it goes there and back six times.
    let [length, width] = extents(&mapped(&long("s-curve", 6000, 0, 100.0)));
    assert!((length - 600.0).abs() < 30.0 && width < 3.0, "{length} {width}");
    let [length, width] = extents(&mapped(&long("cylinder", 6000, 0, 100.0)));
    assert!((length - 405.0).abs() < 30.0 && width < 3.0, "{length} {width}");
}

#[test]
fn the_map_by_own_units_has_the_same_bits_on_any_number_of_threads_and_in_any_unit() {
    let points = long("cylinder", 2500, 1, 128.0);
    let on = |threads: usize| {
        let run = Run::new().with_threads(threads).unwrap();
        let embedding = embed(&Psa::default(), &points, 12, 2, &run).unwrap();
        (embedding.points, embedding.tear)
    };
    let (one, torn) = on(1);
    assert!(on(2) == (one.clone(), torn.clone()) && on(8) == (one.clone(), torn.clone()));
    for exponent in [-330, 330] {
        let unit = 2f64.powi(exponent);
        let other = Points::new(2500, 3, points.values().iter().map(|value| unit * value).collect()).unwrap();
        let embedding = mapped(&other);
        let back: Vec<f64> = embedding.points.values().iter().map(|value| value / unit).collect();
        assert_eq!((&back[..], &embedding.tear), (one.values(), &torn), "{exponent}");
    }
}

#[test]
fn lists_that_were_given_and_a_surface_to_be_kept_whole_are_left_as_they_are() {
    let (points, run) = (long("cylinder", 1000, 0, 100.0), Run::new());
    let never = Psa { tear: Tearing::Never, ..Psa::default() };
    assert!(!says(&embed(&never, &points, 12, 2, &run).unwrap(), "unlike-units"));
    let searched = Neighborhoods::nearest(&points, 12, &run).unwrap();
    let lists: Vec<Vec<i64>> =
        (0..1000).map(|row| searched.neighbors(row).iter().map(|&member| i64::from(member)).collect()).collect();
    let given = Neighborhoods::from_lists(&lists).unwrap();
    let problem = crate::Problem::new(&points, &given, 2).unwrap();
    let embedding = crate::fit(&Psa::default(), &problem, crate::Pieces::Error, &run).unwrap();
    assert!(!says(&embedding, "unlike-units"));
}
