//! Two pieces: a Swiss roll sawn in two across its axis, the halves drawn apart.
//!
//! The [Swiss roll](super::swiss_roll) of height H, with y = h for h < H/2 and y = h + g beyond, so that the two pieces
//! are exactly the gap g apart. The truth (s, y) keeps the lengths on each piece; an embedding cannot know where the
//! pieces are relative to each other. The labels name the piece of each point.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::spiral::{HEIGHT, Spiral, TURNS};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;

const GAP: Setting = Setting::number("gap", 20.0, (0.0, 1000.0), "distance between the two pieces");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "two-pieces",
        summary: "a Swiss roll sawn into two pieces that lie apart, labeled lower and upper",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["arc_length", "height"],
        truth_summary: "both sheets laid flat, the gap apart: length along the spiral, and height",
        isometric: Isometric::Globally,
        closed: false,
        default_points: 2000,
        settings: &[GAP, HEIGHT, TURNS],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let spiral = Spiral::new(chosen.number(&TURNS));
    let (length, height, gap) = (spiral.length(), chosen.number(&HEIGHT), chosen.number(&GAP));
    let mut labels = Vec::new();
    let mut drawing = Drawing::of(points, || {
        let (s, h) = (random.between(0.0, length), random.between(0.0, height));
        let upper = h >= height / 2.0;
        labels.push(if upper { "upper" } else { "lower" }.to_owned());
        let y = if upper { h + gap } else { h };
        (spiral.point(s, y), [s, y])
    })?;
    drawing.labels = Some(labels);
    Ok(drawing)
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;

    #[test]
    fn labels_tell_the_pieces_apart() {
        let sample = sample(&DATASET, 4000, &[("gap", "5")]);
        let labels = sample.points.labels().unwrap();
        assert_eq!(sample.truth.labels(), Some(labels));
        for (x, label) in sample.points.rows().zip(labels) {
            match label.as_str() {
                "lower" => assert!((0.0..10.5).contains(&x[1]), "{x:?}"),
                "upper" => assert!((15.5..26.0).contains(&x[1]), "{x:?}"),
                other => panic!("{other}"),
            }
        }
        let lower = labels.iter().filter(|label| *label == "lower").count();
        assert!(lower.abs_diff(2000) < 100, "{lower}");
    }

    #[test]
    fn both_sheets_are_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        let length = Spiral::new(1.5).length();
        assert_distributed(column(&sample.truth, 0), |s| s / length);
        assert_distributed(column(&sample.truth, 1), |y| if y < 10.5 { y / 21.0 } else { (y - 20.0) / 21.0 });
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
