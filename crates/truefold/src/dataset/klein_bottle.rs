//! The Klein bottle: a tube whose ends meet turned over, in four dimensions, where it does not cross itself.
//!
//! x = ((R + r cos b) cos a, (R + r cos b) sin a, r sin b cos(a/2), r sin b sin(a/2)), with a along the ring and b
//! around the tube, both from 0 to 2 pi. The two directions are orthogonal, so the area element is
//! r sqrt((R + r cos b)^2 + (r sin b)^2 / 4). The truth is (R a, r b); across the seam (2 pi R, r b) meets (0, -r b).

use super::drawing::{Drawing, Random};
use super::setting::Chosen;
use super::torus::{RADIUS, TUBE, radii};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::TAU;

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "klein-bottle",
        summary: "a tube whose ends meet turned over: closed, with one side, in four dimensions",
        input_dim: 4,
        intrinsic_dim: 2,
        truth: &["along", "around"],
        truth_summary: "length along the core of the ring, and around the tube, which turns over across the seam",
        isometric: Isometric::No,
        closed: true,
        default_points: 2000,
        settings: &[RADIUS, TUBE],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, tube) = radii(chosen)?;
    Drawing::of(points, || {
        let (a, b) = random.by_area(
            // A bound: (R + r cos b)^2 + (r sin b)^2 / 4 <= (R + r cos b)^2 + (r sin b)^2 <= (R + r)^2.
            radius + tube,
            |random| (random.between(0.0, TAU), random.between(0.0, TAU)),
            |(_, b)| (radius + tube * b.cos()).hypot(tube * b.sin() / 2.0),
        );
        (surface(radius, tube, a, b), [radius * a, tube * b])
    })
}

fn surface(radius: f64, tube: f64, a: f64, b: f64) -> [f64; 4] {
    let (out, up) = (radius + tube * b.cos(), tube * b.sin());
    [out * a.cos(), out * a.sin(), up * (a / 2.0).cos(), up * (a / 2.0).sin()]
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_by_area, assert_charted, sample};
    use super::*;

    #[test]
    fn every_point_is_on_the_bottle() {
        for x in sample(&DATASET, 2000, &[("radius", "3")]).points.rows() {
            let (a, off) = (x[1].atan2(x[0]), x[0].hypot(x[1]) - 3.0);
            let square = x[2] * x[2] + x[3] * x[3];
            assert!((off * off + square - 1.0).abs() < 1e-12, "{x:?}");
            // The last two coordinates turn half as fast as the first two; doubling their angle frees it of the seam.
            assert!((x[2] * x[2] - x[3] * x[3] - square * a.cos()).abs() < 1e-12, "{x:?}");
            assert!((2.0 * x[2] * x[3] - square * a.sin()).abs() < 1e-12, "{x:?}");
        }
    }

    #[test]
    fn the_bottle_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[("tube", "1.8")]);
        let chart = |u: f64, v: f64| surface(2.0, 1.8, u / 2.0, v / 1.8);
        assert_charted(&sample, chart);
        assert_by_area(&sample, (0.0, 2.0 * TAU), (0.0, 1.8 * TAU), chart);
    }

    #[test]
    fn the_ends_meet_turned_over() {
        let (end, start) = (surface(2.0, 1.0, TAU, 0.7), surface(2.0, 1.0, 0.0, -0.7));
        assert!(end.iter().zip(start).all(|(a, b)| (a - b).abs() < 1e-12), "{end:?} {start:?}");
    }
}
