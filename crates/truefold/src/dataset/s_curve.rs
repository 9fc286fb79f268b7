//! The S curve: a flat sheet bent along two arcs of three quarters of a circle each.
//!
//! x = r (sin a, 0, sign(a) (cos a - 1)) + (0, h, 0), with the angle a = s / r from -3 pi / 2 to 3 pi / 2. The truth
//! (s, h) is a global isometry: s is the arc length from the middle of the S.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::PI;

/// For the S curves with a window and of uneven density too.
pub(super) const RADIUS: Setting = Setting::number("radius", 1.0, (0.001, 1000.0), "radius of the two arcs");
/// For these too.
pub(super) const HEIGHT: Setting = Setting::number("height", 2.0, (0.001, 1000.0), "width of the sheet, across the S");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "s-curve",
        summary: "a flat sheet bent into an S",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["arc_length", "height"],
        truth_summary: "the sheet laid flat: length along the S from its middle, and height",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[RADIUS, HEIGHT],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, height) = (chosen.number(&RADIUS), chosen.number(&HEIGHT));
    let end = end(radius);
    Drawing::of(points, || {
        let (s, h) = (random.between(-end, end), random.between(0.0, height));
        (point(radius, s, h), [s, h])
    })
}

/// The arc length from the middle of the S to its end.
pub(super) fn end(radius: f64) -> f64 {
    1.5 * PI * radius
}

/// The point at an arc length and a height.
pub(super) fn point(radius: f64, s: f64, h: f64) -> [f64; 3] {
    let (sin, cos) = (s / radius).sin_cos();
    [radius * sin, h, radius * s.signum() * (cos - 1.0)]
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;

    #[test]
    fn every_point_is_on_one_of_the_two_arcs() {
        let sample = sample(&DATASET, 2000, &[("radius", "2")]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            let center = if z[0] > 0.0 { -2.0 } else { 2.0 };
            assert!((x[0].hypot(x[2] - center) - 2.0).abs() < 1e-12, "{x:?}");
            assert!((x[0] - 2.0 * (z[0] / 2.0).sin()).abs() < 1e-12, "{x:?} {z:?}");
            assert_eq!(x[1], z[1]);
        }
    }

    #[test]
    fn the_sheet_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        assert_distributed(column(&sample.truth, 0), |s| s / (3.0 * PI) + 0.5);
        assert_distributed(column(&sample.truth, 1), |h| h / 2.0);
    }
}
