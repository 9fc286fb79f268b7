//! The sphere: closed, so that every flat picture of it must tear.
//!
//! x = r (cos b cos a, cos b sin a, sin b), with longitude a from -pi to pi and latitude b from -pi / 2 to pi / 2. A
//! slice between two heights has area proportional to its thickness, so uniform by area is sin b uniform. The truth is
//! (a, b) in radians, as on a plain world map: it has a seam at longitude pi and stretches toward the poles.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::{PI, TAU};

const RADIUS: Setting = Setting::number("radius", 1.0, (0.001, 1000.0), "radius of the sphere");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "sphere",
        summary: "the whole surface of a ball",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["longitude", "latitude"],
        truth_summary: "longitude and latitude in radians",
        isometric: Isometric::No,
        closed: true,
        default_points: 2000,
        settings: &[RADIUS],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let radius = chosen.number(&RADIUS);
    Drawing::of(points, || {
        // The half angle from the nearer pole is exact where the arc sine of the height would lose half the digits.
        let (signed, longitude) = (random.between(-1.0, 1.0), TAU * random.between(-0.5, 0.5));
        let from_pole = 2.0 * ((1.0 - signed.abs()) / 2.0).sqrt().asin();
        let latitude = (PI / 2.0 - from_pole).copysign(signed);
        let (sin, cos) = longitude.sin_cos();
        let out = radius * from_pole.sin();
        ([out * cos, out * sin, radius * signed], [longitude, latitude])
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;

    #[test]
    fn every_point_is_on_the_sphere_where_its_angles_say() {
        let sample = sample(&DATASET, 2000, &[("radius", "2")]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            assert!((x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 4.0).abs() < 1e-12, "{x:?}");
            assert!((x[1].atan2(x[0]) - z[0]).abs() < 1e-12, "{x:?} {z:?}");
            assert!((x[2].atan2(x[0].hypot(x[1])) - z[1]).abs() < 1e-12, "{x:?} {z:?}");
        }
    }

    #[test]
    fn every_axis_is_covered_evenly() {
        // By Archimedes the height along any axis is uniform; along x and y this also checks the radius of a slice.
        let sample = sample(&DATASET, 20_000, &[]);
        for axis in 0..3 {
            assert_distributed(column(&sample.points, axis), |height| (height + 1.0) / 2.0);
        }
    }
}
