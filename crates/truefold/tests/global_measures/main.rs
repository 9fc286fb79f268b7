//! The global measures against their definitions, computed by brute force on small data.

#![expect(clippy::needless_range_loop, reason = "the loops read like the definitions")]

mod chance;
mod collapse;
mod distances;
mod distortion;
mod ranks;
mod scale;

use rand::{RngExt, SeedableRng};
use truefold::Input;
use truefold::measure::{Evaluation, Options, Sampling, Score, find};
use truefold::{Metric, Neighborhoods, Points, Result, Run};

const GLOBAL: [&str; 8] =
    ["overlap", "r_nx", "trustworthiness", "continuity", "collapse", "residual_variance", "distortion", "stress"];

fn score(name: &str, x: &Points, y: &Points, neighborhoods: &Neighborhoods, options: Options, run: &Run) -> Score {
    let evaluation = Evaluation::new(Input::Points(x), y, neighborhoods, options, run).unwrap();
    find(name).unwrap().score(&evaluation).unwrap()
}

fn value(name: &str, x: &Points, y: &Points, neighborhoods: &Neighborhoods) -> f64 {
    score(name, x, y, neighborhoods, Options::default(), &Run::new()).value
}

fn random(count: usize, dim: usize, seed: u64) -> Points {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    Points::new(count, dim, (0..count * dim).map(|_| rng.random_range(-1.0..1.0)).collect()).unwrap()
}

/// Coordinates from few values, so that distances tie and points coincide.
fn coarse(count: usize, dim: usize, seed: u64) -> Points {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    Points::new(count, dim, (0..count * dim).map(|_| f64::from(rng.random_range(0..5))).collect()).unwrap()
}

/// Lists of different lengths that are not the nearest points, in two components if `split`.
fn lists(count: usize, split: bool, seed: u64) -> Neighborhoods {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let lists: Vec<Vec<i64>> = (0..count)
        .map(|point| {
            let wanted = rng.random_range(1..8);
            let side = |other: usize| !split || (other < count / 3) == (point < count / 3);
            let mut list: Vec<i64> = Vec::new();
            while list.len() < wanted {
                let other = rng.random_range(0..count);
                if other != point && side(other) && !list.contains(&(other as i64)) {
                    list.push(other as i64);
                }
            }
            list
        })
        .collect();
    Neighborhoods::from_lists(&lists).unwrap()
}

fn distance(points: &Points, metric: Metric, a: usize, b: usize) -> f64 {
    let (a, b) = (points.row(a), points.row(b));
    let cosine = |a: &[f64], b: &[f64]| {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        1.0 - dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    let centered = |row: &[f64]| {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        row.iter().map(|value| value - mean).collect::<Vec<_>>()
    };
    match metric {
        Metric::Euclidean => a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt(),
        Metric::Manhattan => a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum(),
        Metric::Cosine => cosine(a, b),
        Metric::Correlation => cosine(&centered(a), &centered(b)),
        other => unreachable!("no test uses {other}"),
    }
}

/// All other points, nearest first, ties by row.
fn sorted(points: &Points, metric: Metric, center: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).filter(|&other| other != center).collect();
    order.sort_by(|&a, &b| {
        distance(points, metric, center, a).total_cmp(&distance(points, metric, center, b)).then(a.cmp(&b))
    });
    order
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

fn grid(side: usize) -> Points {
    let rows: Vec<[f64; 2]> = (0..side * side).map(|i| [(i % side) as f64, (i / side) as f64]).collect();
    Points::from_rows(&rows).unwrap()
}

#[test]
fn a_perfect_copy_is_perfect() {
    let run = Run::new();
    for x in [grid(15), random(200, 2, 3)] {
        let neighborhoods = Neighborhoods::nearest(&x, 8, &run).unwrap();
        for name in ["trustworthiness", "continuity", "overlap", "r_nx"] {
            assert_eq!(value(name, &x, &x, &neighborhoods), 1.0);
        }
        assert!(value("stress", &x, &x, &neighborhoods) < 2e-5);
        assert_eq!(value("collapse", &x, &x, &neighborhoods), 0.0);
        // Paths along the graph are longer than the straight lines they stand for, so this is small but not zero.
        let residual = value("residual_variance", &x, &x, &neighborhoods);
        assert!(residual < 0.05, "{residual}");
    }
    // Where all points are neighbors of each other, paths are straight lines.
    let x = random(60, 3, 8);
    let neighborhoods = Neighborhoods::nearest(&x, 59, &run).unwrap();
    assert!(value("residual_variance", &x, &x, &neighborhoods) < 1e-12);
    assert_eq!(value("trustworthiness", &x, &random(60, 2, 1), &neighborhoods), 1.0);
    assert_eq!(value("collapse", &x, &x, &neighborhoods), 0.0);
}

#[test]
fn everything_in_one_place_is_as_bad_as_can_be() {
    let x = grid(10);
    let y = Points::new(100, 1, vec![2.5; 100]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 4, &Run::new()).unwrap();
    for name in ["collapse", "stress", "residual_variance"] {
        assert_eq!(value(name, &x, &y, &neighborhoods), 1.0, "{name}");
    }
}

#[test]
fn rigid_motions_and_scaling_change_nothing() {
    let (x, y) = (random(120, 3, 1), random(120, 2, 2));
    let (cos, sin) = (0.7_f64.cos(), 0.7_f64.sin());
    let moved = |points: &Points, scale: f64| {
        let rows = points.rows().map(|row| {
            let mut row = row.to_vec();
            (row[0], row[1]) =
                (scale * (cos * row[0] - sin * row[1]) + 3.0, scale * (sin * row[0] + cos * row[1]) - 1.0);
            row[2..].iter_mut().for_each(|value| *value *= scale);
            row
        });
        Points::from_rows(&rows.collect::<Vec<_>>()).unwrap()
    };
    let neighborhoods = Neighborhoods::nearest(&x, 9, &Run::new()).unwrap();
    for name in GLOBAL {
        let before = value(name, &x, &y, &neighborhoods);
        let after = value(name, &moved(&x, 5.0), &moved(&y, 0.01), &neighborhoods);
        let within = if name == "stress" { 2e-4 } else { 1e-9 };
        assert!((before - after).abs() < within * before.max(1.0), "{name}: {before} {after}");
    }
}

#[test]
fn threads_give_the_same_bits() -> Result<()> {
    let (x, y) = (random(700, 3, 1), random(700, 2, 2));
    let neighborhoods = Neighborhoods::nearest(&x, 9, &Run::new())?;
    let bits = |score: &Score| {
        let mut bits: Vec<u64> = score.per_point.iter().flatten().map(|value| value.to_bits()).collect();
        let chance = score.chance.map_or(0.0, |chance| chance.value);
        bits.extend([score.value, score.standard_error.unwrap_or(0.0), chance].map(f64::to_bits));
        bits
    };
    for name in GLOBAL {
        for sample in [Sampling::All, Sampling::Points(150)] {
            let options = Options { sample, ..Options::default() };
            let one = score(name, &x, &y, &neighborhoods, options, &Run::new().with_threads(1)?);
            for threads in [2, 8] {
                let many = score(name, &x, &y, &neighborhoods, options, &Run::new().with_threads(threads)?);
                assert_eq!(bits(&one), bits(&many), "{name}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_sample_is_within_its_error_of_the_whole_and_its_error_is_right() {
    let x = random(400, 3, 1);
    let y =
        Points::from_rows(&x.rows().map(|row| [row[0] * row[2], row[1] + 0.5 * row[2]]).collect::<Vec<_>>()).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 9, &Run::new()).unwrap();
    for name in ["trustworthiness", "continuity", "r_nx", "residual_variance", "stress"] {
        let whole = score(name, &x, &y, &neighborhoods, Options::default(), &Run::new());
        assert_eq!(whole.standard_error, None);
        let options = Options { sample: Sampling::Points(400), ..Options::default() };
        assert_eq!(score(name, &x, &y, &neighborhoods, options, &Run::new()), whole);
        let options = Options { sample: Sampling::Points(100), ..Options::default() };
        let (mut squares, mut told) = (0.0, 0.0);
        for seed in 0..60 {
            let part = score(name, &x, &y, &neighborhoods, options, &Run::new().with_seed(seed));
            let error = part.standard_error.unwrap();
            assert!((part.value - whole.value).abs() < 4.5 * error, "{name}");
            let sampled = part.per_point.unwrap();
            assert_eq!(sampled.iter().filter(|value| !value.is_nan()).count(), 100);
            assert_eq!(part.left_out, 0);
            squares += (part.value - whole.value).powi(2) / 60.0;
            told += error / 60.0;
        }
        let ratio = squares.sqrt() / told;
        assert!((0.7..1.4).contains(&ratio), "{name}: the estimates spread {ratio} times as far as told");
    }
}

#[test]
fn two_points_are_enough() {
    let x = Points::new(2, 1, vec![0.0, 1.0]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 1, &Run::new()).unwrap();
    for name in GLOBAL {
        let best = ["trustworthiness", "continuity", "overlap", "r_nx", "distortion"];
        let expected = if best.contains(&name) { 1.0 } else { 0.0 };
        assert_eq!(value(name, &x, &x, &neighborhoods), expected, "{name}");
    }
}

#[test]
fn rows_without_direction_are_named_and_a_cancelled_run_stops() {
    let x = Points::from_rows(&[[1.0, 2.0], [0.0, 0.0], [2.0, 1.0]]).unwrap();
    let neighborhoods = Neighborhoods::from_lists(&[[1], [2], [0]]).unwrap();
    let run = Run::new();
    let options = Options { metric: Metric::Cosine, ..Options::default() };
    let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, options, &run).unwrap();
    for name in ["trustworthiness", "stress"] {
        let error = find(name).unwrap().score(&evaluation).unwrap_err().to_string();
        assert!(error.starts_with("row 2 is all zeros"), "{error}");
    }
    let stopped = Run::new().with_cancel(std::sync::Arc::new(true.into()));
    let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, Options::default(), &stopped).unwrap();
    for name in GLOBAL {
        assert_eq!(find(name).unwrap().score(&evaluation), Err(truefold::Error::Cancelled), "{name}");
    }
}
