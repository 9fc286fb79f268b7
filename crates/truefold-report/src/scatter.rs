//! A scatter plot as SVG: points colored by a value, all axes to one scale.

use super::color::ramp;
use std::fmt::Write;
use truefold::Points;

/// Width and height of a plot in its own units.
const SIDE: f64 = 400.0;
const MARGIN: f64 = 12.0;
/// Colors are rounded to this many steps, so that equal ones share a group.
const STEPS: usize = 32;

/// Draws `points` with the color that `share` (0 to 1) gives each.
///
/// Two coordinates are drawn as they are, one along the middle line, and three or more as seen from a raised corner.
pub(super) fn scatter(points: &Points, title: &str, share: impl Fn(usize) -> f64) -> String {
    let flat: Vec<(f64, f64, f64)> = points.rows().map(project).collect();
    let mut order: Vec<usize> = (0..flat.len()).collect();
    order.sort_by(|&a, &b| flat[b].2.total_cmp(&flat[a].2).then(a.cmp(&b)));
    let bounds = |pick: fn(&(f64, f64, f64)) -> f64| {
        flat.iter()
            .map(pick)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((left, right), (bottom, top)) = (bounds(|at| at.0), bounds(|at| at.1));
    let extent = (right - left).max(top - bottom);
    let scale = if extent > 0.0 { (SIDE - 2.0 * MARGIN) / extent } else { 0.0 };
    let radius = (90.0 / (flat.len() as f64).sqrt()).clamp(0.8, 4.0);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {SIDE} {SIDE}\" role=\"img\" aria-label=\"{}\" xmlns=\"http://www.w3.org/2000/svg\">",
        super::page::escape(title)
    );
    let mut current = usize::MAX;
    for index in order {
        let step = (share(index) * (STEPS - 1) as f64).round() as usize;
        if step != current {
            if current != usize::MAX {
                svg.push_str("</g>");
            }
            let _ = write!(svg, "<g fill=\"{}\">", ramp(step as f64 / (STEPS - 1) as f64));
            current = step;
        }
        let x = SIDE / 2.0 + (flat[index].0 - (left + right) / 2.0) * scale;
        let y = SIDE / 2.0 - (flat[index].1 - (bottom + top) / 2.0) * scale;
        let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>");
    }
    if current != usize::MAX {
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
    svg
}

/// The place of a point on the page and its depth behind it.
fn project(row: &[f64]) -> (f64, f64, f64) {
    match *row {
        [x] => (x, 0.0, 0.0),
        [x, y] => (x, y, 0.0),
        [x, y, z, ..] => {
            let (turn, raise) = (0.35_f64, 0.3_f64);
            let (across, away) = (x * turn.cos() - y * turn.sin(), x * turn.sin() + y * turn.cos());
            (across, z * raise.cos() + away * raise.sin(), away * raise.cos() - z * raise.sin())
        }
        [] => (0.0, 0.0, 0.0),
    }
}
