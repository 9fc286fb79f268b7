//! The cylinder: a strip whose ends meet.
//!
//! x = (r cos a, r sin a, h), a from 0 to 2 pi. The truth (r a, h) is an isometry away from the seam a = 0, where it
//! jumps by the period 2 pi r: without a cut no flat picture of a cylinder is perfect.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::TAU;

const RADIUS: Setting = Setting::number("radius", 1.0, (0.001, 1000.0), "radius of the cylinder");
const HEIGHT: Setting = Setting::number("height", 2.0, (0.001, 1000.0), "height of the cylinder");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "cylinder",
        summary: "the side of a cylinder, open at both ends",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["around", "height"],
        truth_summary: "the side cut open and laid flat: length around from the cut, and height",
        isometric: Isometric::Locally,
        closed: false,
        default_points: 2000,
        settings: &[RADIUS, HEIGHT],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, height) = (chosen.number(&RADIUS), chosen.number(&HEIGHT));
    Drawing::of(points, || {
        let (angle, h) = (random.between(0.0, TAU), random.between(0.0, height));
        let (sin, cos) = angle.sin_cos();
        ([radius * cos, radius * sin, h], [radius * angle, h])
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, assert_periodic, column, sample};
    use super::*;

    #[test]
    fn every_point_is_on_the_cylinder() {
        let sample = sample(&DATASET, 2000, &[("radius", "3"), ("height", "5")]);
        for x in sample.points.rows() {
            assert!((x[0] * x[0] + x[1] * x[1] - 9.0).abs() < 1e-12, "{x:?}");
            assert!((0.0..5.0).contains(&x[2]), "{x:?}");
        }
    }

    #[test]
    fn lengths_are_kept_across_the_seam_too() {
        assert_periodic(&sample(&DATASET, 3000, &[("radius", "2")]), &[Some(2.0 * TAU), None]);
    }

    #[test]
    fn the_side_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        assert_distributed(column(&sample.truth, 0), |u| u / TAU);
        assert_distributed(column(&sample.truth, 1), |h| h / 2.0);
    }
}
