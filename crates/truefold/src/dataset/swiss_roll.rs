//! The Swiss roll: a flat sheet rolled up, uniform on its surface.
//!
//! x = (t cos t, h, t sin t), with t the angle on the [spiral](super::spiral) at arc length s. The truth (s, h) is a
//! global isometry: the sheet before it was rolled.
//!
//! Differs from the usual recipe, which draws t uniformly and so crowds the inside of the roll: here s is uniform.

use super::drawing::{Drawing, Random};
use super::setting::Chosen;
use super::spiral::{HEIGHT, Spiral, TURNS};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "swiss-roll",
        summary: "a flat sheet rolled up in space",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["arc_length", "height"],
        truth_summary: "the sheet laid flat: length along the spiral from its inner end, and height",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[HEIGHT, TURNS],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let spiral = Spiral::new(chosen.number(&TURNS));
    let (length, height) = (spiral.length(), chosen.number(&HEIGHT));
    Drawing::of(points, || {
        let (s, h) = (random.between(0.0, length), random.between(0.0, height));
        (spiral.point(s, h), [s, h])
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn every_point_is_on_the_roll() {
        for x in sample(&DATASET, 1000, &[]).points.rows() {
            let t = x[0].hypot(x[2]);
            assert!((1.5 * PI - 1e-9..=4.5 * PI + 1e-9).contains(&t), "{t}");
            assert!((x[0] - t * t.cos()).abs() < 1e-9 && (x[2] - t * t.sin()).abs() < 1e-9, "{x:?}");
            assert!((0.0..21.0).contains(&x[1]));
        }
    }

    #[test]
    fn the_sheet_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        let length = Spiral::new(1.5).length();
        assert_distributed(column(&sample.truth, 0), |s| s / length);
        assert_distributed(column(&sample.truth, 1), |h| h / 21.0);
    }

    #[test]
    fn settings_shape_the_roll() {
        let sample = sample(&DATASET, 5000, &[("height", "3"), ("turns", "2.5")]);
        let widest = column(&sample.points, 1).fold(0.0, f64::max);
        let farthest = sample.points.rows().map(|x| x[0].hypot(x[2])).fold(0.0, f64::max);
        assert!((2.99..3.0).contains(&widest), "{widest}");
        assert!((6.49 * PI..=6.5 * PI).contains(&farthest), "{farthest}");
    }
}
