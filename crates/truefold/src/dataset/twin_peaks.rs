//! Twin peaks: a square sheet raised into two hills and two hollows.
//!
//! x = (u, v, c sin(pi u) tanh(3 v)), u and v from -1 to 1. With p and q the slopes of the third coordinate along u and
//! v, the area element is sqrt(1 + p^2 + q^2), at most sqrt(1 + pi^2 c^2). The truth (u, v) is the view from above: it
//! shortens the slopes, and as the surface is curved no chart could keep every length.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::PI;

const HEIGHT: Setting = Setting::number("height", 1.0, (0.0, 100.0), "height of the hills");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "twin-peaks",
        summary: "a square sheet raised into two hills and two hollows",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["u", "v"],
        truth_summary: "the view from above",
        isometric: Isometric::No,
        closed: false,
        default_points: 2000,
        settings: &[HEIGHT],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let height = chosen.number(&HEIGHT);
    Drawing::of(points, || {
        let (u, v) = random.by_area(
            1.0f64.hypot(PI * height),
            |random| (random.between(-1.0, 1.0), random.between(-1.0, 1.0)),
            |&(u, v)| area(height, u, v),
        );
        (surface(height, u, v), [u, v])
    })
}

fn surface(height: f64, u: f64, v: f64) -> [f64; 3] {
    [u, v, height * (PI * u).sin() * (3.0 * v).tanh()]
}

fn area(height: f64, u: f64, v: f64) -> f64 {
    let ((sin, cos), tanh) = ((PI * u).sin_cos(), (3.0 * v).tanh());
    let (along_u, along_v) = (PI * height * cos * tanh, 3.0 * height * sin * (1.0 - tanh * tanh));
    (1.0 + along_u * along_u + along_v * along_v).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_by_area, assert_charted, assert_distributed, column, sample};
    use super::*;

    #[test]
    fn the_hills_are_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[("height", "2")]);
        let chart = |u, v| surface(2.0, u, v);
        assert_charted(&sample, chart);
        assert_by_area(&sample, (-1.0, 1.0), (-1.0, 1.0), chart);
    }

    #[test]
    fn no_area_is_more_than_the_bound() {
        for i in 0..=200 {
            for j in 0..=200 {
                let (u, v) = (f64::from(i) / 100.0 - 1.0, f64::from(j) / 100.0 - 1.0);
                assert!(area(2.0, u, v) <= 1.0f64.hypot(2.0 * PI), "({u}, {v})");
            }
        }
    }

    #[test]
    fn without_height_it_is_a_square() {
        let sample = sample(&DATASET, 20_000, &[("height", "0")]);
        assert!(column(&sample.points, 2).all(|z| z == 0.0));
        assert_distributed(column(&sample.truth, 0), |u| (u + 1.0) / 2.0);
    }
}
