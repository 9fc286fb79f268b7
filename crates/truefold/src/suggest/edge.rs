//! Whether the surface has an edge, where the neighbors of a point lie to one side.
//!
//! Of m neighbors drawn evenly around a point, m |mean|^2 over their variance along a tangent axis follows the
//! chi-squared distribution with d degrees of freedom; at an edge it grows with m. The share of points whose value is
//! beyond what one in ten thousand would have is compared with what chance and an uneven density would give.

use super::sample::NeighborSample;
use crate::data::Input;
use crate::local::Chart;
use crate::{Result, Run};
use serde::Serialize;

/// The deviation of a normal variable that one in ten thousand exceeds.
const RARE: f64 = 3.719;
/// The share of one-sided points up to which the surface counts as closed.
const FEW: f64 = 0.002;

/// The edge of the surface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Edge {
    /// Whether no edge was found.
    pub closed: bool,
    /// The share of points whose neighbors lie to one side.
    pub share: f64,
    /// The share up to which the surface counts as closed.
    pub limit: f64,
}

/// Looks for the edge of a surface of `dim` dimensions.
pub(super) fn edge(sample: &NeighborSample<'_>, dim: usize, run: &Run) -> Result<Edge> {
    let sided = sidedness(sample, dim, run)?;
    let share = sided.iter().filter(|&&value| value > 1.0).count() as f64 / sided.len().max(1) as f64;
    Ok(Edge { closed: share <= FEW, share, limit: FEW })
}

/// The neighbors that are needed to tell sides in `dim` dimensions.
pub(super) fn size(dim: usize) -> usize {
    20 + 10 * dim
}

/// For each sampled point how one-sided its neighborhood is; above 1, more than by chance.
pub(super) fn sidedness(sample: &NeighborSample<'_>, dim: usize, run: &Run) -> Result<Vec<f64>> {
    let size = size(dim).min(sample.near.first().map_or(0, Vec::len));
    let limit = chi_squared(dim);
    let input = Input::Points(sample.points);
    let parts = run.chunks("edge", sample.rows.len(), 64, |range| {
        let mut chart = Chart::default();
        let mut values = Vec::with_capacity(range.len());
        for at in range {
            let mut members = vec![sample.rows[at]];
            members.extend(sample.near[at][..size].iter().map(|one| one.1));
            chart.fill(&input, &members)?;
            // About the mean of all; the center is the first member.
            let (mut offset, mut spread) = (0.0, 0.0);
            for axis in chart.columns().chunks_exact(chart.stride()).take(dim) {
                offset += axis[0] * axis[0];
                spread += axis.iter().map(|value| value * value).sum::<f64>();
            }
            let variance = spread / (size * dim) as f64;
            values.push(if variance > 0.0 { size as f64 * offset / variance / limit } else { 0.0 });
        }
        Ok(values)
    })?;
    Ok(parts.concat())
}

/// What a chi-squared variable exceeds once in ten thousand (Wilson and Hilferty 1931).
fn chi_squared(degrees: usize) -> f64 {
    let degrees = degrees as f64;
    let part = 2.0 / (9.0 * degrees);
    degrees * (1.0 - part + RARE * part.sqrt()).powi(3)
}
