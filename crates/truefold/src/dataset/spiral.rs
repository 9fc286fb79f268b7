//! The spiral that a Swiss roll is rolled along, by arc length.
//!
//! The point at angle t is t (cos t, sin t), t >= 3 pi / 2; the arc length from the center to it is
//! s(t) = (t sqrt(1 + t^2) + asinh t) / 2. The angle at arc length s solves s(t) = s by Newton's method: s(t) is convex
//! and increasing, and s(t) >= t^2 / 2 puts the start sqrt(2 s) beyond the root, so the iterates decrease to it.

use super::setting::Setting;
use std::f64::consts::PI;

/// How often the sheet of a roll goes around.
pub(super) const TURNS: Setting = Setting::number("turns", 1.5, (0.1, 100.0), "how many times the sheet goes around");

/// The sheet's width, along the axis of the roll.
pub(super) const HEIGHT: Setting =
    Setting::number("height", 21.0, (0.001, 1000.0), "width of the sheet, along the axis of the roll");

const START: f64 = 1.5 * PI;

/// A spiral of some turns that begins at angle 3 pi / 2.
pub(super) struct Spiral {
    before: f64,
    end: f64,
}

impl Spiral {
    pub(super) fn new(turns: f64) -> Self {
        Self { before: arc_length(START), end: START + 2.0 * PI * turns }
    }

    /// The length from the start to the end.
    pub(super) fn length(&self) -> f64 {
        arc_length(self.end) - self.before
    }

    /// The point at height `y` of the sheet whose arc length from the start is `arc`.
    pub(super) fn point(&self, arc: f64, y: f64) -> [f64; 3] {
        let t = self.angle(arc);
        let (sin, cos) = t.sin_cos();
        [t * cos, y, t * sin]
    }

    fn angle(&self, arc: f64) -> f64 {
        let target = self.before + arc;
        let mut t = (2.0 * target).sqrt();
        // Convergence is quadratic, so a step this small is the last that matters; it is the fourth or an earlier one.
        // The limit on the steps guards against rounding.
        for _ in 0..20 {
            let step = (arc_length(t) - target) / (1.0 + t * t).sqrt();
            t -= step;
            if step.abs() <= 1e-8 * t {
                break;
            }
        }
        t.clamp(START, self.end)
    }
}

fn arc_length(t: f64) -> f64 {
    let speed = (1.0 + t * t).sqrt();
    // The logarithm is asinh t: accurate enough so far from zero, and faster.
    0.5 * (t * speed + (t + speed).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arc_length_is_the_length_of_a_fine_polygon() {
        let spiral = Spiral::new(1.5);
        let corners = 200_000;
        let corner = |i: usize| {
            let t = START + (spiral.end - START) * i as f64 / corners as f64;
            (t * t.cos(), t * t.sin())
        };
        let polygon: f64 = (0..corners)
            .map(|i| {
                let ((ax, az), (bx, bz)) = (corner(i), corner(i + 1));
                (ax - bx).hypot(az - bz)
            })
            .sum();
        assert!((polygon / spiral.length() - 1.0).abs() < 1e-9, "{polygon} {}", spiral.length());
    }

    #[test]
    fn the_angle_undoes_the_arc_length() {
        for turns in [0.1, 1.5, 100.0] {
            let spiral = Spiral::new(turns);
            for i in 0..=1000 {
                let arc = spiral.length() * f64::from(i) / 1000.0;
                let back = arc_length(spiral.angle(arc)) - spiral.before;
                assert!((back - arc).abs() < 1e-12 * (spiral.before + arc), "{arc} {back}");
            }
        }
    }
}
