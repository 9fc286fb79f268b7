//! The hemisphere: a dome, which no flat picture shows without stretching.
//!
//! x = r (sin a cos b, sin a sin b, cos a), with a from 0 at the pole to pi / 2 at the rim. A slice between two heights
//! has area proportional to its thickness, so uniform by area is 1 - cos a uniform. The truth is the azimuthal
//! equidistant chart r a (cos b, sin b): distances from the pole are true, circles around it are too long by
//! a / sin a, at most pi / 2 at the rim.

use super::drawing::{Drawing, Random};
use super::setting::Chosen;
use super::spherical_cap::{RADIUS, cap};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "hemisphere",
        summary: "the upper half of a sphere",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["east", "north"],
        truth_summary: "azimuthal equidistant chart: the direction from the pole, and the true distance from it",
        isometric: Isometric::No,
        closed: false,
        default_points: 2000,
        settings: &[RADIUS],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    cap(chosen.number(&RADIUS), 1.0, points, random)
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn every_point_is_on_the_upper_half() {
        for x in sample(&DATASET, 2000, &[("radius", "2")]).points.rows() {
            assert!((x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 4.0).abs() < 1e-12, "{x:?}");
            assert!(x[2] >= 0.0, "{x:?}");
        }
    }

    #[test]
    fn the_chart_keeps_directions_and_distances_from_the_pole() {
        let sample = sample(&DATASET, 2000, &[("radius", "2")]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            let arc = 2.0 * x[0].hypot(x[1]).atan2(x[2]);
            assert!((z[0].hypot(z[1]) - arc).abs() < 1e-12, "{x:?} {z:?}");
            assert!((x[0] * z[1] - x[1] * z[0]).abs() < 1e-12 && x[0] * z[0] + x[1] * z[1] >= 0.0, "{x:?} {z:?}");
        }
    }

    #[test]
    fn the_dome_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        assert_distributed(column(&sample.points, 2), |height| height);
        assert_distributed(sample.truth.rows().map(|z| z[1].atan2(z[0]).rem_euclid(TAU)), |b| b / TAU);
    }
}
