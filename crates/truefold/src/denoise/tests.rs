//! What denoising guarantees.

use super::{Denoise, Denoised};
use crate::dataset::{self, Request, Sample};
use crate::memory::tests::asks_for;
use crate::{Error, Points, Run};

fn sample(name: &str, points: usize, noise: f64) -> Sample {
    let request = Request::new().with_points(points).with_noise(noise).with_seed(3);
    dataset::find(name).unwrap().sample(&request).unwrap()
}

fn denoised(points: &Points) -> Denoised {
    Denoise::default().run(points, &Run::new()).unwrap()
}

/// The root mean square distance of the points from a spiral roll, and how many lie nearer to another turn than to
/// their own.
fn off_the_roll(points: &Points, truth: &Points) -> (f64, usize) {
    let spiral: Vec<(f64, f64, f64)> = (0..=4000)
        .map(|at| (1.5 + 3.0 * f64::from(at) / 4000.0) * std::f64::consts::PI)
        .map(|t: f64| (t * t.cos(), t * t.sin(), t))
        .collect();
    let arc = |t: f64| 0.5 * (t * (1.0 + t * t).sqrt() + t.asinh());
    let (mut sum, mut lost) = (0.0, 0);
    for (x, true_row) in points.rows().zip(truth.rows()) {
        let square = |at: &(f64, f64, f64)| (x[0] - at.0).powi(2) + (x[2] - at.1).powi(2);
        let nearest = spiral.iter().min_by(|a, b| square(a).total_cmp(&square(b))).unwrap();
        sum += square(nearest);
        lost += usize::from((arc(nearest.2) - arc(spiral[0].2) - true_row[0]).abs() > 15.0);
    }
    ((sum / points.len() as f64).sqrt(), lost)
}

#[test]
fn a_plane_keeps_its_place_and_loses_its_noise() {
    // A plane in space with noise across it only, so that all of it can be removed.
    let flat = sample("plane", 900, 0.0).truth;
    let wave = |row: usize| 0.04 * ((row * row % 7919) as f64).sin();
    let rows: Vec<[f64; 3]> = flat
        .rows()
        .enumerate()
        .map(|(row, x)| [x[0], 0.8 * x[1] - 0.6 * wave(row), 0.6 * x[1] + 0.8 * wave(row)])
        .collect();
    let found = denoised(&Points::from_rows(&rows).unwrap());
    let height = |x: &[f64]| 0.8 * x[2] - 0.6 * x[1];
    let spread = |rows: &mut dyn Iterator<Item = f64>| (rows.map(|h| h * h).sum::<f64>() / 900.0).sqrt();
    let before = spread(&mut rows.iter().map(|x| height(x)));
    let after = spread(&mut found.points.rows().map(height));
    assert!(after < 0.4 * before, "{after} {before}");
    assert!((found.noise / before - 1.0).abs() < 0.2, "{} {before}", found.noise);
    for (x, flat) in found.points.rows().zip(flat.rows()) {
        assert!((x[0] - flat[0]).abs() < 0.03 && (0.8 * x[1] + 0.6 * x[2] - flat[1]).abs() < 0.03);
    }
}

#[test]
fn clean_points_stay_where_they_are() {
    let roll = sample("swiss-roll", 2000, 0.0);
    let found = denoised(&roll.points);
    assert!(found.moved < 0.05, "{}", found.moved);
    assert_eq!(found.neighbors, 12);
}

#[test]
fn sheets_that_noise_runs_together_come_apart() {
    let roll = sample("swiss-roll", 2500, 1.0);
    let found = denoised(&roll.points);
    assert!(found.neighbors >= 64, "{}", found.neighbors);
    let ((before, lost_before), (after, lost)) =
        (off_the_roll(&roll.points, &roll.truth), off_the_roll(&found.points, &roll.truth));
    assert!(after < 0.4 * before, "{after} {before}");
    // Points that are nearer to another sheet from the start cannot be recovered.
    assert!(lost <= lost_before + 4, "{lost} {lost_before}");
    assert!((0.7..1.2).contains(&found.noise), "{}", found.noise);
}

#[test]
fn many_coordinates_are_denoised_as_few_are() {
    let roll = sample("swiss-roll", 500, 0.4);
    let wide: Vec<Vec<f64>> = roll.points.rows().map(|row| [row, &[0.0; 77]].concat()).collect();
    let wide = Points::from_rows(&wide).unwrap();
    let settings = Denoise { neighbors: Some(40), ..Denoise::default() };
    let narrow = settings.run(&roll.points, &Run::new()).unwrap().points;
    let broad = settings.run(&wide, &Run::new()).unwrap().points;
    for (one, other) in narrow.rows().zip(broad.rows()) {
        assert!(one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-6), "{one:?} {:?}", &other[..3]);
        assert!(other[3..].iter().all(|value| value.abs() < 1e-9));
    }
}

#[test]
fn threads_do_not_change_a_bit_and_names_stay() {
    let points = sample("swiss-roll", 700, 0.5).points;
    let points = points.clone().with_ids((0..700).map(|row| format!("point {row}")).collect()).unwrap();
    let with = |threads| Denoise::default().run(&points, &Run::new().with_threads(threads).unwrap()).unwrap();
    let one = with(1);
    assert!(one == with(2) && one == with(8));
    assert_eq!((one.points.ids(), one.points.columns()), (points.ids(), points.columns()));
}

#[test]
fn copies_and_lines_come_through() {
    let mut rows: Vec<Vec<f64>> = sample("swiss-roll", 150, 0.2).points.rows().map(<[f64]>::to_vec).collect();
    rows.extend(std::iter::repeat_n(rows[0].clone(), 60));
    let found = denoised(&Points::from_rows(&rows).unwrap());
    assert!((150..210).all(|row| found.points.row(row) == found.points.row(0)));
    let line: Vec<[f64; 3]> = (0..50).map(|at| [f64::from(at), 0.0, 0.0]).collect();
    let line = Points::from_rows(&line).unwrap();
    let found = denoised(&line);
    assert!(found.points.values().iter().zip(line.values()).all(|(a, b)| (a - b).abs() < 1e-9));
}

#[test]
fn settings_are_checked() {
    let points = sample("swiss-roll", 50, 0.0).points;
    let message = |settings: Denoise| settings.run(&points, &Run::new()).unwrap_err().to_string();
    assert_eq!(
        message(Denoise { dim: 3, ..Denoise::default() }),
        "dim = 3 is not from 1 to 2: noise is what lies off the surface; choose a dim below the number of coordinates"
    );
    assert!(message(Denoise { neighbors: Some(3), ..Denoise::default() }).starts_with("neighbors = 3 is less than 4"));
    assert!(message(Denoise { rounds: 0, ..Denoise::default() }).starts_with("rounds = 0 is less than 1"));
    let line = Points::new(50, 1, (0..50).map(f64::from).collect()).unwrap();
    assert!(matches!(Denoise { dim: 1, ..Denoise::default() }.run(&line, &Run::new()), Err(Error::Data { .. })));
}

#[test]
fn what_denoising_holds_is_compared_with_the_memory_that_is_there() {
    let roll = sample("swiss-roll", 200, 0.1).points;
    let denoise = Denoise { dim: 2, neighbors: Some(12), rounds: 1 };
    // Of three coordinates three places and two frames of two axes, three numbers, and thirteen members.
    asks_for(200 * ((3 * 3 + 2 * 2 * 3 + 3) * 8 + 13 * 4), || denoise.run(&roll, &Run::new()));
}
