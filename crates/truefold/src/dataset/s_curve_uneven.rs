//! The S curve drawn unevenly: patches of many points beside patches of few.
//!
//! The [S curve](super::s_curve) with density proportional to c^(-(1 - cos(4 pi u) cos(pi v)) / 2), u = s / L and v = h / H
//! from -1/2 to 1/2 and from 0 to 1: c times as many points in the densest places as in the sparsest. The truth (s, h) is a global
//! isometry. Methods that take density for distance, or paths along few points for straight lines, fail here.

use super::drawing::{Drawing, Random};
use super::s_curve::{HEIGHT, RADIUS, end, point};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::PI;

const CONTRAST: Setting = Setting::number("contrast", 10.0, (1.0, 1000.0), "the greatest density over the least");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "s-curve-uneven",
        summary: "the S curve with patches of many and of few points",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["arc_length", "height"],
        truth_summary: "the sheet laid flat: length along the S from its middle, and height",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[CONTRAST, RADIUS, HEIGHT],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, height) = (chosen.number(&RADIUS), chosen.number(&HEIGHT));
    let (end, contrast) = (end(radius), chosen.number(&CONTRAST));
    Drawing::of(points, || {
        let (s, h) = random.by_area(
            1.0,
            |random| (random.between(-end, end), random.between(0.0, height)),
            |(s, h)| density(contrast, 0.5 * s / end, h / height),
        );
        (point(radius, s, h), [s, h])
    })
}

/// At shares of the length and of the height; the greatest is one.
fn density(contrast: f64, along: f64, across: f64) -> f64 {
    contrast.powf(-0.5 * (1.0 - (4.0 * PI * along).cos() * (PI * across).cos()))
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_charted, assert_distributed, column, sample};
    use super::*;

    #[test]
    fn points_are_as_dense_as_said() {
        let sample = sample(&DATASET, 40_000, &[]);
        let share = |z: &[f64]| (z[0] / (3.0 * PI), z[1] / 2.0);
        let near = |along: f64, across: f64| {
            sample
                .truth
                .rows()
                .filter(|z| (share(z).0 - along).abs() < 0.03 && (share(z).1 - across).abs() < 0.06)
                .count()
        };
        // The bottom of the middle is dense and the top is sparse; a quarter further along it is the other way round.
        for (dense, sparse) in [((0.0, 0.06), (0.0, 0.94)), ((0.25, 0.94), (0.25, 0.06))] {
            let ratio = near(dense.0, dense.1) as f64 / near(sparse.0, sparse.1) as f64;
            // The densities of the middles of these cells, whose counts are good to an eighth.
            let expected = density(10.0, dense.0, dense.1) / density(10.0, sparse.0, sparse.1);
            assert!((ratio / expected - 1.0).abs() < 0.4, "{ratio} {expected}");
        }
    }

    #[test]
    fn points_lie_where_their_truth_says_and_without_contrast_evenly() {
        let even = sample(&DATASET, 20_000, &[("contrast", "1")]);
        assert_charted(&even, |s, h| point(1.0, s, h));
        assert_distributed(column(&even.truth, 0), |s| s / (3.0 * PI) + 0.5);
        assert_distributed(column(&even.truth, 1), |h| h / 2.0);
    }
}
