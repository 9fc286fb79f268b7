//! The S curve with a round window in the middle of its sheet.
//!
//! The [S curve](super::s_curve) without the points with (s^2 + (h - H / 2)^2) < (c H / 2)^2, for a sheet of height H and a
//! window whose diameter is the share c of it. The truth (s, h) keeps the length of every path on the sheet, but the straight
//! line between two points may cross the window: methods that replace straight lines by shortest paths fail here.

use super::drawing::{Drawing, Random};
use super::s_curve::{HEIGHT, RADIUS, end, point};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;

const HOLE: Setting = Setting::number("hole", 0.7, (0.0, 0.9), "diameter of the window as a share of the height");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "s-curve-hole",
        summary: "the S curve with a disc cut from the middle of its sheet",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["arc_length", "height"],
        truth_summary: "the sheet laid flat: length along the S from its middle, and height",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[HOLE, RADIUS, HEIGHT],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, height) = (chosen.number(&RADIUS), chosen.number(&HEIGHT));
    let (end, hole) = (end(radius), 0.5 * chosen.number(&HOLE) * height);
    Drawing::of(points, || {
        let (s, h) = random.by_area(
            1.0,
            |random| (random.between(-end, end), random.between(0.0, height)),
            |(s, h)| if s.hypot(h - 0.5 * height) < hole { 0.0 } else { 1.0 },
        );
        (point(radius, s, h), [s, h])
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_charted, assert_distributed, column, sample};
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn the_window_is_empty_and_the_rest_is_even() {
        let sample = sample(&DATASET, 20_000, &[]);
        let inside = |radius: f64| sample.truth.rows().filter(|z| z[0].hypot(z[1] - 1.0) < radius).count() as f64;
        assert_eq!(inside(0.7), 0.0);
        // The ring about the window has its share of the points: one in 8.6, give or take four standard errors.
        let share = (PI - PI * 0.49) / (6.0 * PI - PI * 0.49);
        assert!((inside(1.0) / 20_000.0 - share).abs() < 4.0 * (share / 20_000.0).sqrt(), "{}", inside(1.0));
    }

    #[test]
    fn points_lie_where_their_truth_says() {
        assert_charted(&sample(&DATASET, 500, &[("radius", "2")]), |s, h| point(2.0, s, h));
    }

    #[test]
    fn without_a_window_it_is_the_whole_sheet() {
        let sample = sample(&DATASET, 20_000, &[("hole", "0")]);
        assert_distributed(column(&sample.truth, 0), |s| s / (3.0 * PI) + 0.5);
    }
}
