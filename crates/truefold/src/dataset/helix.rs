//! The helix: a curve that climbs around an axis, a spring with two ends.
//!
//! x = (r cos a, r sin a, p a / 2 pi), with a from 0 to 2 pi times the turns. It runs at the constant speed
//! c = sqrt(r^2 + (p / 2 pi)^2), so that the truth, the arc length c a, is a global isometry.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::TAU;

const RADIUS: Setting = Setting::number("radius", 1.0, (0.001, 1000.0), "from the axis to the curve");
const PITCH: Setting = Setting::number("pitch", 1.0, (0.001, 1000.0), "how far one turn climbs");
const TURNS: Setting = Setting::number("turns", 4.0, (0.01, 1000.0), "how many times the curve goes around");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "helix",
        summary: "a curve that climbs around an axis, with two ends",
        input_dim: 3,
        intrinsic_dim: 1,
        truth: &["arc_length"],
        truth_summary: "length along the curve from its lower end",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 1000,
        settings: &[RADIUS, PITCH, TURNS],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, pitch) = (chosen.number(&RADIUS), chosen.number(&PITCH));
    let end = TAU * chosen.number(&TURNS);
    let rise = pitch / TAU;
    let speed = radius.hypot(rise);
    Drawing::of(points, || {
        let angle = random.between(0.0, end);
        let (sin, cos) = angle.sin_cos();
        ([radius * cos, radius * sin, rise * angle], [speed * angle])
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;

    #[test]
    fn every_point_is_on_the_curve() {
        let sample = sample(&DATASET, 1000, &[("radius", "2"), ("pitch", "0.5")]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            let angle = TAU * x[2] / 0.5;
            assert!((z[0] - x[2].hypot(2.0 * angle)).abs() < 1e-9, "{x:?} {z:?}");
            assert!((x[0] - 2.0 * angle.cos()).abs() < 1e-9 && (x[1] - 2.0 * angle.sin()).abs() < 1e-9, "{x:?}");
            assert!((0.0..2.0).contains(&x[2]), "{x:?}");
        }
    }

    #[test]
    fn the_curve_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        let length = 4.0 * TAU.hypot(1.0);
        assert_distributed(column(&sample.truth, 0), |s| s / length);
    }
}
