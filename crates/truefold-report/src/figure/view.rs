//! Where a point lies on the page: coordinates as they are, or three seen from a raised corner.

use std::f64::consts::PI;
use truefold::Points;

/// The golden ratio's share, whose multiples fill an interval evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// The height of a line of points, which has none of its own, as a share of its length.
const BAND: f64 = 0.12;

/// From where three coordinates are looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// How far the eye has gone round, in degrees: 0 looks along the second coordinate.
    pub turn: f64,
    /// How far above the first two coordinates the eye is, in degrees: 90 looks down along the third.
    pub raise: f64,
}

impl Default for View {
    fn default() -> Self {
        Self { turn: 20.0, raise: 17.0 }
    }
}

/// A point on the page, and how far behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) depth: f64,
}

impl View {
    /// Where all points lie; of more than three coordinates the first three count.
    pub(super) fn places(self, points: &Points) -> Vec<Place> {
        let (turn, raise) = ((self.turn * PI / 180.0).sin_cos(), (self.raise * PI / 180.0).sin_cos());
        let band = if points.dim() == 1 { BAND * extent(points.values()) } else { 0.0 };
        let place = |(index, row): (usize, &[f64])| match *row {
            // Spread up and down, or equal numbers would hide each other.
            [x] => Place { x, y: ((index as f64 * GOLDEN).fract() - 0.5) * band, depth: 0.0 },
            [x, y] => Place { x, y, depth: 0.0 },
            [x, y, z, ..] => {
                let (across, away) = (x * turn.1 - y * turn.0, x * turn.0 + y * turn.1);
                Place { x: across, y: z * raise.1 + away * raise.0, depth: away * raise.1 - z * raise.0 }
            }
            [] => Place { x: 0.0, y: 0.0, depth: 0.0 },
        };
        let mut room = Vec::new();
        (0..points.len()).map(|row| place((row, points.row_in(row, &mut room)))).collect()
    }
}

fn extent(values: &[f64]) -> f64 {
    let fold = |(low, high): (f64, f64), &value: &f64| (low.min(value), high.max(value));
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), fold);
    high - low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_turns_without_stretching() {
        let points = Points::from_rows(&[[1.0, 2.0, 3.0], [-2.0, 0.5, 1.0]]).unwrap();
        let view = View { turn: 33.0, raise: 71.0 };
        for place in view.places(&points).iter().zip(points.rows()) {
            let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
            let (seen, row) = place;
            assert!((square(&[seen.x, seen.y, seen.depth]) - square(row)).abs() < 1e-12);
        }
    }

    #[test]
    fn straight_ahead_and_straight_down() {
        let points = Points::from_rows(&[[1.0, 2.0, 3.0]]).unwrap();
        let ahead = View { turn: 0.0, raise: 0.0 }.places(&points)[0];
        assert_eq!((ahead.x, ahead.y, ahead.depth), (1.0, 3.0, 2.0));
        let down = View { turn: 0.0, raise: 90.0 }.places(&points)[0];
        assert!((down.x - 1.0).abs() < 1e-12 && (down.y - 2.0).abs() < 1e-12 && (down.depth + 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_line_becomes_a_narrow_band() {
        let points = Points::new(5, 1, vec![0.0, 0.0, 0.0, 10.0, 5.0]).unwrap();
        let places = View::default().places(&points);
        assert!(places.iter().all(|place| place.y.abs() <= 0.6) && places[0].y != places[1].y);
    }
}
