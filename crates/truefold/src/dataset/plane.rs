//! The plane: a flat rectangle, turned at random in q dimensions.
//!
//! x = u e + v f, with e and f orthonormal, drawn from the seed: two Gaussian vectors made orthonormal are uniform
//! among all frames. The truth (u, v) is a global isometry, and even keeps straight lines: every method should get it
//! right.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;

const DIM: Setting = Setting::whole("dim", 10, (2, 100_000), "number of coordinates of a point");
const WIDTH: Setting = Setting::number("width", 2.0, (0.001, 1000.0), "side of the rectangle along u");
const HEIGHT: Setting = Setting::number("height", 1.0, (0.001, 1000.0), "side of the rectangle along v");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "plane",
        summary: "a flat rectangle, turned at random in many dimensions",
        input_dim: 10,
        intrinsic_dim: 2,
        truth: &["u", "v"],
        truth_summary: "position in the rectangle, from its center along its sides",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[DIM, WIDTH, HEIGHT],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let dim = chosen.whole(&DIM);
    let (width, height) = (chosen.number(&WIDTH), chosen.number(&HEIGHT));
    let (e, f) = frame(dim, random);
    Drawing::rows(points, dim, 2, |place, truth| {
        let (u, v) = (width * random.between(-0.5, 0.5), height * random.between(-0.5, 0.5));
        for ((x, e), f) in place.iter_mut().zip(&e).zip(&f) {
            *x = u * e + v * f;
        }
        truth.copy_from_slice(&[u, v]);
    })
}

/// Two orthonormal vectors in a random direction.
fn frame(dim: usize, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    loop {
        let mut e: Vec<f64> = (0..dim).map(|_| random.normal()).collect();
        let mut f: Vec<f64> = (0..dim).map(|_| random.normal()).collect();
        let before = dot(&f, &f).sqrt();
        if !normalize(&mut e) {
            continue;
        }
        // Twice: what rounding leaves of e in f after the first time is gone after the second.
        for _ in 0..2 {
            let along = dot(&e, &f);
            f.iter_mut().zip(&e).for_each(|(f, e)| *f -= along * e);
        }
        // Vectors that are nearly parallel, as may happen in a low dimension, would give f few digits: draw again.
        if dot(&f, &f).sqrt() > 1e-3 * before && normalize(&mut f) {
            return (e, f);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Makes the length one; false if there is almost no length.
fn normalize(vector: &mut [f64]) -> bool {
    let length = dot(vector, vector).sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    length > 1e-9
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;

    #[test]
    fn frames_are_orthonormal() {
        for dim in [2, 3, 50] {
            for seed in 0..100 {
                let (e, f) = frame(dim, &mut Random::new(seed, Random::PLACES));
                assert!((dot(&e, &e) - 1.0).abs() < 1e-14 && (dot(&f, &f) - 1.0).abs() < 1e-14);
                assert!(dot(&e, &f).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn every_distance_is_the_true_one() {
        let sample = sample(&DATASET, 200, &[("dim", "25")]);
        assert_eq!(sample.points.dim(), 25);
        for i in 0..200 {
            for j in 0..i {
                let distance = |table: &crate::Points| {
                    table.row(i).iter().zip(table.row(j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
                };
                assert!((distance(&sample.points) - distance(&sample.truth)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_rectangle_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[("width", "4")]);
        assert_distributed(column(&sample.truth, 0), |u| u / 4.0 + 0.5);
        assert_distributed(column(&sample.truth, 1), |v| v + 0.5);
    }
}
