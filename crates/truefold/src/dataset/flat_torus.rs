//! The flat torus: the product of two circles, in four dimensions.
//!
//! x = (r cos a, r sin a, p cos b, p sin b), a and b from 0 to 2 pi. The truth (r a, p b) is an isometry away from the
//! seams a = 0 and b = 0: the surface is flat everywhere and yet, without cuts, no flat picture of it is perfect.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::TAU;

const RADIUS: Setting = Setting::number("radius", 1.0, (0.001, 1000.0), "radius of the first circle");
const SECOND: Setting = Setting::number("second_radius", 1.0, (0.001, 1000.0), "radius of the second circle");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "flat-torus",
        summary: "the product of two circles in four dimensions, flat everywhere",
        input_dim: 4,
        intrinsic_dim: 2,
        truth: &["around_first", "around_second"],
        truth_summary: "the surface cut open and laid flat: length around each circle from the cut",
        isometric: Isometric::Locally,
        closed: true,
        default_points: 2000,
        settings: &[RADIUS, SECOND],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (first, second) = (chosen.number(&RADIUS), chosen.number(&SECOND));
    Drawing::of(points, || {
        let (a, b) = (random.between(0.0, TAU), random.between(0.0, TAU));
        let ((sin_a, cos_a), (sin_b, cos_b)) = (a.sin_cos(), b.sin_cos());
        ([first * cos_a, first * sin_a, second * cos_b, second * sin_b], [first * a, second * b])
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, assert_periodic, column, sample};
    use super::*;

    #[test]
    fn every_point_is_on_both_circles() {
        for x in sample(&DATASET, 2000, &[("radius", "3"), ("second_radius", "0.5")]).points.rows() {
            assert!((x[0].hypot(x[1]) - 3.0).abs() < 1e-12, "{x:?}");
            assert!((x[2].hypot(x[3]) - 0.5).abs() < 1e-12, "{x:?}");
        }
    }

    #[test]
    fn lengths_are_kept_across_the_seams_too() {
        let sample = sample(&DATASET, 3000, &[("second_radius", "2")]);
        assert_periodic(&sample, &[Some(TAU), Some(2.0 * TAU)]);
    }

    #[test]
    fn the_surface_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        assert_distributed(column(&sample.truth, 0), |u| u / TAU);
        assert_distributed(column(&sample.truth, 1), |v| v / TAU);
    }
}
