//! Isomap: classical scaling of the distances along the neighborhood graph.
//!
//! Y = V sqrt(L) from the d largest eigenpairs of B = -H D^2 H / 2, D_ij the shortest path from i to j along edges
//! between neighbors, H the centering matrix. Tenenbaum, de Silva and Langford, "A global geometric framework for
//! nonlinear dimensionality reduction" (2000). Cost: n shortest-path searches, O(n^2 k log n), in parallel; 4 n^2
//! bytes: distances are kept in single precision, whose rounding the eigenvectors average out. When it fails: an edge
//! that jumps between sheets shortens many paths; holes bend the paths around them; beyond `memory` it is refused, and
//! landmark-isomap is the way.

use super::scaled::scaled;
use super::{Embedder, EmbedderInfo, ParameterInfo, check_positive};
use crate::embedding::Outcome;
use crate::graph::LengthGraph;
use crate::history::Stopwatch;
use crate::spectral::classical_scaling;
use crate::{Error, Problem, Result, Run};
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "isomap",
    title: "Isomap",
    summary: "classical scaling of the distances along the neighborhood graph",
    metric_scale: true,
    default: true,
    cost: "time n^2 k log n; memory 4 n^2 bytes, refused beyond a limit",
    parameters: &[ParameterInfo {
        name: "memory",
        summary: "the most gigabytes for the distances: 4 allow 32,767 points; landmark-isomap needs none of it",
    }],
};

/// Isomap.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Isomap, fit, measure};
///
/// let run = Run::new();
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &run)?;
/// let embedding = fit(&Isomap::default(), &Problem::new(&roll.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_c = &measure::evaluate(&roll.points, &embedding.points, &neighborhoods, &["r_c"])?[0];
/// assert!(r_c.value < 0.1);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Isomap {
    /// The most gigabytes (2^30 bytes) for the distances.
    pub memory: f64,
}

impl Default for Isomap {
    fn default() -> Self {
        Self { memory: 4.0 }
    }
}

impl Embedder for Isomap {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        check_positive("memory", self.memory, "4 gigabytes suit most machines")
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        check_memory(problem.len(), self.memory)
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        let input = problem.input();
        scaled_paths(problem, |a, b| input.distance(a, b), run)
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// An error if the distances among all points do not fit.
pub(super) fn check_memory(count: usize, memory: f64) -> Result<()> {
    let needed = size_of::<f32>() as f64 * (count as f64).powi(2) / f64::from(1 << 30);
    if needed <= memory {
        return Ok(());
    }
    Err(Error::parameter(
        "memory",
        memory,
        format!("gigabytes are too few: the distances among {count} points take {needed:.1}"),
        "use landmark-isomap, or set memory higher",
    ))
}

/// Classical scaling of the shortest paths along edges of the given lengths.
pub(super) fn scaled_paths(problem: &Problem<'_>, length: impl Fn(usize, usize) -> f64, run: &Run) -> Result<Outcome> {
    let mut watch = Stopwatch::start();
    let graph = LengthGraph::new(problem.neighborhoods(), length);
    let sources: Vec<u32> = (0..problem.len() as u32).collect();
    let unit = reach(&graph, run)?;
    let distances: Vec<Vec<f32>> = graph.each_source(&sources, "shortest paths", run, |_, paths| {
        paths.iter().map(|&path| (path / unit) as f32).collect()
    })?;
    watch.lap("shortest paths");
    let mut outcome = scaled(&classical_scaling(&distances, unit, problem.dim(), run)?, problem.dim());
    watch.lap("eigenvectors");
    outcome.stages = watch.stages();
    Ok(outcome)
}

/// The longest of the shortest paths from the first point: no other is longer than twice that. One where all are zero.
pub(super) fn reach(graph: &LengthGraph, run: &Run) -> Result<f64> {
    let longest = graph
        .each_source(&[0], "shortest paths", &run.quiet(), |_, paths| paths.iter().copied().fold(0.0, f64::max))?[0];
    Ok(if longest > 0.0 { longest } else { 1.0 })
}
