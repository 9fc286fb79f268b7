//! Petals: a flat flower, bent in many dimensions without being stretched.
//!
//! The flower is r <= 3 (0.25 + 0.75 |cos(p b / 2)|) around its middle, r and b the polar coordinates of (u, v). Each of u and v
//! runs along a curve of its own, x = (c(u), c(v)), c(u) = (cos(w_j u), sin(w_j u)) / (w_j sqrt(m)), j = 1 ... m, w_j = 1.5 (j -
//! 1/2) / m: m circles at once, with speed one, and curvature below one. So the truth (u, v) is a global isometry, and the
//! straight lines between petals leave the flower.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;

const PETALS: Setting = Setting::whole("petals", 5, (1, 12), "the number of petals");
const CIRCLES: Setting = Setting::whole(
    "circles",
    25,
    (1, 250),
    "circles that each of the two coordinates runs along: 4 dimensions for each",
);

/// From the middle to the tip of a petal.
const RADIUS: f64 = 3.0;
/// The radius between two petals, as a share of that.
const CORE: f64 = 0.25;
/// The greatest frequency.
const FASTEST: f64 = 1.5;

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "petals",
        summary: "a flat flower bent in 100 dimensions",
        input_dim: 100,
        intrinsic_dim: 2,
        truth: &["right", "up"],
        truth_summary: "the flower laid flat, from its middle",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[PETALS, CIRCLES],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (petals, circles) = (chosen.whole(&PETALS) as f64, chosen.whole(&CIRCLES));
    Drawing::rows(points, 4 * circles, 2, |place, truth| {
        let (u, v) = random.by_area(
            1.0,
            |random| (random.between(-RADIUS, RADIUS), random.between(-RADIUS, RADIUS)),
            |&(u, v)| if u.hypot(v) <= rim(petals, v.atan2(u)) { 1.0 } else { 0.0 },
        );
        truth.copy_from_slice(&[u, v]);
        let (left, right) = place.split_at_mut(2 * circles);
        curve(u, left);
        curve(v, right);
    })
}

/// How far the flower reaches in a direction.
fn rim(petals: f64, direction: f64) -> f64 {
    RADIUS * (CORE + (1.0 - CORE) * (0.5 * petals * direction).cos().abs())
}

/// The place at arc length `along`, two coordinates a circle.
fn curve(along: f64, place: &mut [f64]) {
    let circles = (place.len() / 2) as f64;
    for (index, pair) in place.chunks_exact_mut(2).enumerate() {
        let frequency = FASTEST * (index as f64 + 0.5) / circles;
        let (sin, cos) = (frequency * along).sin_cos();
        let radius = 1.0 / (frequency * circles.sqrt());
        pair.copy_from_slice(&[radius * cos, radius * sin]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::sample;
    use super::*;
    use crate::linalg::distance;
    use std::f64::consts::PI;

    #[test]
    fn the_curve_has_speed_one_and_bends() {
        for circles in [1, 25] {
            let at = |along: f64| {
                let mut place = vec![0.0; 2 * circles];
                curve(along, &mut place);
                place
            };
            for along in [-3.0, 0.4, 2.9] {
                let step = distance(&at(along), &at(along + 1e-4));
                assert!((step - 1e-4).abs() < 1e-10, "{step}");
            }
            assert!(distance(&at(-3.0), &at(3.0)) < 5.0);
        }
    }

    #[test]
    fn the_flower_is_filled_evenly() {
        let sample = sample(&DATASET, 20_000, &[("petals", "3")]);
        let (mut core, mut tips) = (0.0, 0.0);
        for z in sample.truth.rows() {
            let (r, b) = (z[0].hypot(z[1]), z[1].atan2(z[0]));
            assert!(r <= rim(3.0, b), "{z:?}");
            core += f64::from(u8::from(r < RADIUS * CORE));
            tips += f64::from(u8::from(r > rim(3.0, b) / 2.0));
        }
        // Three quarters of the area lie beyond half of the way to the rim, and the core has its area's share: with c = cos^2
        // on average 1/2 and |cos| 2 / pi, the mean of (rim / 3)^2 is 1/16 + (3/8) (2 / pi) + (9/16) (1/2).
        let square = 0.0625 + 0.375 * 2.0 / PI + 0.28125;
        assert!((tips / 20_000.0 - 0.75).abs() < 0.013, "{tips}");
        assert!((core / 20_000.0 - 0.0625 / square).abs() < 0.01, "{core}");
    }

    #[test]
    fn the_number_of_circles_gives_the_dimensions() {
        assert_eq!(sample(&DATASET, 10, &[("circles", "3")]).points.dim(), 12);
    }
}
