//! The spherical cap: a part of a sphere about a pole, curved more strongly against its size the wider it is.
//!
//! x = r (sin a cos b, sin a sin b, cos a), with a from 0 at the pole to w at the rim. A slice between two heights has area
//! proportional to its thickness, so uniform by area is 1 - cos a uniform. The truth is the azimuthal equidistant chart
//! r a (cos b, sin b): distances from the pole are true, circles around it are too long by a / sin a.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::TAU;

/// For the hemisphere too.
pub(super) const RADIUS: Setting = Setting::number("radius", 1.0, (0.001, 1000.0), "radius of the sphere");

const WIDTH: Setting = Setting::number("width", 1.0, (0.001, 3.0), "angle from the pole to the rim, in radians");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "spherical-cap",
        summary: "the part of a sphere about a pole",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["east", "north"],
        truth_summary: "azimuthal equidistant chart: the direction from the pole, and the true distance from it",
        isometric: Isometric::No,
        closed: false,
        default_points: 2000,
        settings: &[RADIUS, WIDTH],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let rim = 0.5 * chosen.number(&WIDTH);
    cap(chosen.number(&RADIUS), 2.0 * rim.sin() * rim.sin(), points, random)
}

/// Points down to a depth below the pole, in radii of the sphere.
pub(super) fn cap(radius: f64, deepest: f64, points: usize, random: &mut Random) -> Result<Drawing> {
    Drawing::of(points, || {
        let (depth, direction) = (random.between(0.0, deepest), random.between(0.0, TAU));
        // The half angle is exact near the pole, where the arc cosine of 1 - depth would lose half the digits.
        let angle = 2.0 * (depth / 2.0).sqrt().asin();
        let (sin, cos) = direction.sin_cos();
        let out = radius * angle.sin();
        let arc = radius * angle;
        ([out * cos, out * sin, radius * (1.0 - depth)], [arc * cos, arc * sin])
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;

    #[test]
    fn every_point_is_on_the_cap_and_where_its_truth_says() {
        let sample = sample(&DATASET, 2000, &[("radius", "2"), ("width", "2.5")]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            let arc = 2.0 * x[0].hypot(x[1]).atan2(x[2]);
            assert!((x[0].hypot(x[1]).hypot(x[2]) - 2.0).abs() < 1e-12 && arc <= 5.0 + 1e-12, "{x:?}");
            assert!((z[0].hypot(z[1]) - arc).abs() < 1e-12, "{x:?} {z:?}");
            assert!((x[0] * z[1] - x[1] * z[0]).abs() < 1e-12 && x[0] * z[0] + x[1] * z[1] >= 0.0, "{x:?} {z:?}");
        }
    }

    #[test]
    fn the_cap_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        let lowest = 1.0_f64.cos();
        assert_distributed(column(&sample.points, 2), |height| (height - lowest) / (1.0 - lowest));
        assert_distributed(sample.truth.rows().map(|z| z[1].atan2(z[0]).rem_euclid(TAU)), |b| b / TAU);
    }
}
