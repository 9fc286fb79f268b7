//! The Swiss roll with a window: a rectangle cut from the middle of the sheet.
//!
//! The [Swiss roll](super::swiss_roll) without the points with |s / L - 1/2| < c / 2 and |h / H - 1/2| < c / 2, for a
//! sheet of length L and height H and a window of share c of each side. The truth (s, h) keeps the length of every
//! path on the sheet, but the straight line between two points may cross the window: methods that replace straight lines
//! by shortest paths fail here.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::spiral::{HEIGHT, Spiral, TURNS};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;

const HOLE: Setting = Setting::number("hole", 0.5, (0.0, 0.9), "side of the window as a share of the sheet's side");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "swiss-roll-hole",
        summary: "the Swiss roll with a rectangle cut from the middle of its sheet",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["arc_length", "height"],
        truth_summary: "the sheet laid flat: length along the spiral from its inner end, and height",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[HOLE, HEIGHT, TURNS],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let spiral = Spiral::new(chosen.number(&TURNS));
    let (length, height) = (spiral.length(), chosen.number(&HEIGHT));
    let half = chosen.number(&HOLE) / 2.0;
    Drawing::of(points, || {
        let (s, h) = random.by_area(
            1.0,
            |random| (random.between(0.0, length), random.between(0.0, height)),
            |(s, h)| if in_window(s / length, half) && in_window(h / height, half) { 0.0 } else { 1.0 },
        );
        (spiral.point(s, h), [s, h])
    })
}

fn in_window(share: f64, half: f64) -> bool {
    (share - 0.5).abs() < half
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;

    #[test]
    fn the_window_is_empty_and_the_rest_is_not() {
        let sample = sample(&DATASET, 20_000, &[]);
        let length = Spiral::new(1.5).length();
        let mut beside = 0;
        for z in sample.truth.rows() {
            let (s, h) = (z[0] / length, z[1] / 21.0);
            assert!((s - 0.5).abs() >= 0.25 || (h - 0.5).abs() >= 0.25, "({s}, {h}) is in the window");
            beside += usize::from((h - 0.5).abs() < 0.25);
        }
        // Beside the window lies a quarter of the sheet out of the three that are left.
        assert!((beside as f64 / 20_000.0 - 1.0 / 3.0).abs() < 0.015, "{beside}");
    }

    #[test]
    fn without_a_window_it_is_the_whole_sheet() {
        let sample = sample(&DATASET, 20_000, &[("hole", "0")]);
        let length = Spiral::new(1.5).length();
        assert_distributed(column(&sample.truth, 0), |s| s / length);
    }

    #[test]
    fn points_lie_where_their_truth_says() {
        let spiral = Spiral::new(1.5);
        let sample = sample(&DATASET, 500, &[]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            assert_eq!(x, spiral.point(z[0], z[1]));
        }
    }
}
