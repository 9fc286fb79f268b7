//! Distances along the neighborhood graph and their classical scaling, which Isomap, its variants and MDS share.
//!
//! Paths are kept in units of the longest path from the first point, so that neither their squares nor the lengths themselves
//! leave the range of numbers; in single precision, whose rounding the eigenvectors average out, unless some paths are far
//! longer than most: rounding of their squares would then be as large as all there is to see of the others. Cost: a
//! shortest-path search per source, O(n k log n), in parallel; 4 n bytes per source, 8 n where some points are far.

use super::pose::set_upright;
use crate::error::{Advice, Bound, Limit, Name};
use crate::graph::LengthGraph;
use crate::memory::check as check_available;
use crate::spectral::{ClassicalScaling, classical_scaling};
use crate::warning::{Spanning, Warning};
use crate::{Error, Fit, Problem, Result};

/// Where the longest path is more than so many times the median one, paths are kept in double precision: single precision
/// leaves 6e-8 times its square of the squares of the others.
const FAR: f64 = 16.0;

/// The neighborhood graph with a length for every edge.
pub(super) struct Geodesics {
    pub(super) graph: LengthGraph,
    /// The longest of the shortest paths from the first point: no other is longer than twice that. One where all are
    /// zero.
    pub(super) unit: f64,
    /// Whether some points are so far from the others that paths need double precision.
    pub(super) far: bool,
}

impl Geodesics {
    /// The graph of `problem`, whose edge between a and b is `length(a, b)` long.
    pub(super) fn new(problem: &Problem<'_>, length: impl Fn(usize, usize) -> f64, fit: &Fit<'_>) -> Result<Self> {
        let graph = LengthGraph::new(problem.neighborhoods(), length);
        let search = |source: usize| {
            graph.each_source(&[source as u32], "shortest paths", &fit.run().quiet(), |_, paths| Reach::of(paths))
        };
        let first = search(0)?[0];
        // The first point may be a far one itself; halfway out from it are the most points.
        let middle = search(first.middle)?[0];
        let far = first.longest.max(middle.longest) > FAR * middle.median;
        Ok(Self { unit: if first.longest > 0.0 { first.longest } else { 1.0 }, far, graph })
    }

    /// For each of `sources` the lengths of the shortest paths to all points, in units of `unit`, as `round` rounds them.
    pub(super) fn paths<T: Send>(
        &self,
        sources: &[u32],
        round: impl Fn(f64) -> T + Send + Sync,
        fit: &mut Fit<'_>,
    ) -> Result<Vec<Vec<T>>> {
        let bytes = size_of::<T>() as f64 * sources.len() as f64 * self.graph.len() as f64;
        let task = format!("the table of paths from {} to {} points", sources.len(), self.graph.len());
        check_available(task, bytes, "use landmark-isomap with fewer landmarks")?;
        let in_units = |_, paths: &[f64]| paths.iter().map(|&path| round(path / self.unit)).collect();
        let paths = self.graph.each_source(sources, "shortest paths", fit.run(), in_units)?;
        fit.lap("shortest paths");
        Ok(paths)
    }

    /// Classical scaling of the shortest paths among all points, if they need no more than `memory` gigabytes.
    pub(super) fn scaled(&self, dim: usize, memory: f64, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let sources: Vec<u32> = (0..self.graph.len() as u32).collect();
        if self.far {
            check_bytes(sources.len(), size_of::<f64>(), memory)?;
            let paths = self.paths(&sources, |path| path, fit)?;
            return Ok(scaled(&paths, self.unit, dim, fit)?.values);
        }
        let paths = self.paths(&sources, |path| path as f32, fit)?;
        Ok(scaled(&paths, self.unit, dim, fit)?.values)
    }

    /// All points by their shortest paths to `landmarks`.
    pub(super) fn placed(&self, landmarks: &[u32], dim: usize, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        if self.far {
            let paths = self.paths(landmarks, |path| path, fit)?;
            return placed(&among(landmarks, &paths), &paths, self.unit, dim, fit);
        }
        let paths = self.paths(landmarks, |path| path as f32, fit)?;
        placed(&among(landmarks, &paths), &paths, self.unit, dim, fit)
    }
}

/// How far the paths from one point reach.
#[derive(Clone, Copy)]
struct Reach {
    longest: f64,
    median: f64,
    /// The point at the median.
    middle: usize,
}

impl Reach {
    fn of(paths: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..paths.len()).filter(|&point| paths[point].is_finite()).collect();
        let half = order.len() / 2;
        let (_, &mut middle, _) = order.select_nth_unstable_by(half, |&a, &b| paths[a].total_cmp(&paths[b]));
        let longest = paths.iter().copied().filter(|path| path.is_finite()).fold(0.0, f64::max);
        Self { longest, median: paths[middle], middle }
    }
}

/// The distances among landmarks, from a row of distances to all points for each of them.
pub(super) fn among<T: Copy + Into<f64>>(landmarks: &[u32], rows: &[Vec<T>]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| landmarks.iter().map(|&at| row[at as usize].into()).collect()).collect()
}

/// All points by their distances to landmarks, of which `among` holds those among these: classical scaling of the
/// landmarks, the others where their distances put them, and all turned onto the principal axes.
pub(super) fn placed<T: Copy + Into<f64> + Sync>(
    among: &[Vec<f64>],
    rows: &[Vec<T>],
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

/// An error if the distances among all points need more than `memory` gigabytes, or more than there is.
pub(super) fn check_memory(problem: &Problem<'_>, memory: f64) -> Result<()> {
    check_bytes(problem.len(), size_of::<f32>(), memory)
}

/// The same for distances of `size` bytes each.
fn check_bytes(count: usize, size: usize, memory: f64) -> Result<()> {
    let bytes = size as f64 * (count as f64).powi(2);
    let needed = bytes / f64::from(1 << 30);
    if needed > memory {
        let reason = format!("the distances among {count} points need that many gigabytes");
        let limit = Limit::because(Bound::AtLeast((10.0 * needed).ceil() / 10.0), reason);
        let advice = "use landmark-isomap, or a larger {set memory}";
        return Err(Error::parameter(Name::setting("memory"), memory, limit, advice));
    }
    check_available(format!("the table of distances among {count} points"), bytes, "use landmark-isomap")
}
