//! The solid torus: a ring in space with its inside, three dimensions in three.
//!
//! x = ((R + p cos b) cos a, (R + p cos b) sin a, p sin b), p up to r; the volume element is p (R + p cos b). The points are
//! their own true coordinates: the best map moves and mirrors the ring. Methods that replace straight lines by shortest paths
//! bend it open, because its hole is in the way.

use super::drawing::{Drawing, Random};
use super::setting::Chosen;
use super::torus::{RADIUS, TUBE, radii, surface};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::TAU;

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "solid-torus",
        summary: "a ring in space with its inside",
        input_dim: 3,
        intrinsic_dim: 3,
        truth: &["x", "y", "z"],
        truth_summary: "the points themselves",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[RADIUS, TUBE],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, tube) = radii(chosen)?;
    Drawing::of(points, || {
        let (a, b, depth) = random.by_area(
            radius + tube,
            // The root makes a disc even: p dp is half of d(p^2).
            |random| (random.between(0.0, TAU), random.between(0.0, TAU), tube * random.between(0.0, 1.0).sqrt()),
            |(_, b, depth)| radius + depth * b.cos(),
        );
        let place = surface(radius, depth, a, b);
        (place, place)
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, sample};
    use super::*;

    #[test]
    fn every_point_is_inside_and_its_own_truth() {
        let sample = sample(&DATASET, 2000, &[("radius", "3"), ("tube", "2")]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            assert!((x[0].hypot(x[1]) - 3.0).hypot(x[2]) <= 2.0 + 1e-12, "{x:?}");
            assert_eq!(x, z);
        }
    }

    #[test]
    fn the_ring_is_filled_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        let around = sample.points.rows().map(|x| x[1].atan2(x[0]).rem_euclid(TAU));
        assert_distributed(around, |a| a / TAU);
        // What cos b adds outside it takes inside: the distance from the core is that of an even disc.
        let depth = sample.points.rows().map(|x| (x[0].hypot(x[1]) - 2.0).hypot(x[2]));
        assert_distributed(depth, |depth| depth * depth);
        // The heights, too; the outer half has more room: its share is 1/2 + 2 r / (3 pi R).
        let outer = sample.points.rows().filter(|x| x[0].hypot(x[1]) > 2.0).count() as f64 / 20_000.0;
        let expected = 0.5 + 2.0 / (3.0 * std::f64::consts::PI * 2.0);
        assert!((outer - expected).abs() < 4.0 * 0.5 / 20_000.0_f64.sqrt(), "{outer} {expected}");
    }
}
