//! Distances along the neighborhood graph and their classical scaling, which Isomap, its variants and MDS share.
//!
//! Paths are kept in single precision in units of the longest path from the first point, so that neither their squares
//! nor the lengths themselves leave the range of numbers. Cost: a shortest-path search per source, O(n k log n), in
//! parallel; 4 n bytes per source.

use super::pose::set_upright;
use crate::error::{Advice, Bound, Limit, Name};
use crate::graph::LengthGraph;
use crate::spectral::{ClassicalScaling, classical_scaling};
use crate::warning::{Spanning, Warning};
use crate::{Error, Fit, Problem, Result};

/// The neighborhood graph with a length for every edge.
pub(super) struct Geodesics {
    pub(super) graph: LengthGraph,
    /// The longest of the shortest paths from the first point: no other is longer than twice that. One where all are
    /// zero.
    pub(super) unit: f64,
}

impl Geodesics {
    /// The graph of `problem`, whose edge between a and b is `length(a, b)` long.
    pub(super) fn new(problem: &Problem<'_>, length: impl Fn(usize, usize) -> f64, fit: &Fit<'_>) -> Result<Self> {
        let graph = LengthGraph::new(problem.neighborhoods(), length);
        let farthest = |_, paths: &[f64]| paths.iter().copied().fold(0.0, f64::max);
        let longest = graph.each_source(&[0], "shortest paths", &fit.run().quiet(), farthest)?[0];
        Ok(Self { graph, unit: if longest > 0.0 { longest } else { 1.0 } })
    }

    /// For each of `sources` the lengths of the shortest paths to all points, in units of `unit`.
    pub(super) fn paths(&self, sources: &[u32], fit: &mut Fit<'_>) -> Result<Vec<Vec<f32>>> {
        let in_units = |_, paths: &[f64]| paths.iter().map(|&path| (path / self.unit) as f32).collect();
        let paths = self.graph.each_source(sources, "shortest paths", fit.run(), in_units)?;
        fit.lap("shortest paths");
        Ok(paths)
    }

    /// Classical scaling of the shortest paths among all points.
    pub(super) fn scaled(&self, dim: usize, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let sources: Vec<u32> = (0..self.graph.len() as u32).collect();
        let paths = self.paths(&sources, fit)?;
        Ok(scaled(&paths, self.unit, dim, fit)?.values)
    }
}

/// The distances among landmarks, from a row of distances to all points for each of them.
pub(super) fn among<T: Copy + Into<f64>>(landmarks: &[u32], rows: &[Vec<T>]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| landmarks.iter().map(|&at| row[at as usize].into()).collect()).collect()
}

/// All points by their distances to landmarks, of which `among` holds those among these: classical scaling of the
/// landmarks, the others where their distances put them, and all turned onto the principal axes.
pub(super) fn placed(
    among: &[Vec<f64>],
    rows: &[Vec<f32>],
    unit: f64,
    dim: usize,
    fit: &mut Fit<'_>,
) -> Result<Vec<f64>> {
    let scaling = scaled(among, unit, dim, fit)?;
    let mut values = scaling.place_others(among, rows, fit.run());
    set_upright(&mut values, dim);
    fit.lap("other points");
    fit.fact("landmarks", among.len());
    Ok(values)
}

/// More landmarks than dimensions are needed.
pub(super) fn check_landmarks(landmarks: usize, dim: usize) -> Result<()> {
    if landmarks > dim {
        return Ok(());
    }
    let limit = Limit::because(Bound::Above(dim as f64), format!("{dim} dimensions need more landmarks"));
    let name = Name::setting("landmarks");
    Err(Error::parameter(name.clone(), landmarks, limit, Advice::change(name, "use some hundreds")))
}

/// Classical scaling of distances in units of `unit`, one row of them per point.
pub(super) fn scaled<T: Copy + Into<f64> + Sync, R: AsRef<[T]> + Sync>(
    rows: &[R],
    unit: f64,
    dim: usize,
    fit: &mut Fit<'_>,
) -> Result<ClassicalScaling> {
    let scaling = classical_scaling(rows, unit, dim, fit.run())?;
    scaling.report(fit.facts());
    if scaling.rank < dim {
        fit.warn(Warning::FewDirections { of: Spanning::Distances, found: scaling.rank, wanted: dim });
    }
    fit.lap("eigenvectors");
    Ok(scaling)
}

/// An error if the distances among all points need more than `memory` gigabytes.
pub(super) fn check_memory(problem: &Problem<'_>, memory: f64) -> Result<()> {
    let count = problem.len();
    let needed = size_of::<f32>() as f64 * (count as f64).powi(2) / f64::from(1 << 30);
    if needed <= memory {
        return Ok(());
    }
    let reason = format!("the distances among {count} points need that many gigabytes");
    let limit = Limit::because(Bound::AtLeast((10.0 * needed).ceil() / 10.0), reason);
    Err(Error::parameter(Name::setting("memory"), memory, limit, "use landmark-isomap, or a larger {set memory}"))
}
