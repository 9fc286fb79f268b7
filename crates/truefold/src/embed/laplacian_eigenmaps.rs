//! Laplacian eigenmaps: the smoothest functions on the neighborhood graph as coordinates.
//!
//! Minimizes sum_ij w_ij |y_i - y_j|^2 subject to Y'D Y = tr(D) I, 1'D Y = 0: Y = sqrt(tr D) D^(-1/2) V with V the
//! smallest eigenvectors of I - D^(-1/2) W D^(-1/2) after the trivial one, W the weights, D their row sums. Belkin and
//! Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation" (2003). Cost: O(n k) and an
//! eigenproblem, see `solve/eigen`. When it fails: a long surface gets a second coordinate that is a function of the
//! first, a horseshoe; lengths mean nothing.

use super::aligned::eigenvectors;
use super::graph_kernel::{GraphKernel, check_width, stationary};
use super::renumbered::renumbered;
use super::{Embedder, EmbedderInfo, ParameterInfo};
use crate::embedding::Outcome;
use crate::history::Stopwatch;
use crate::{Error, Problem, Result, Run};
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "laplacian-eigenmaps",
    title: "Laplacian eigenmaps",
    summary: "the smoothest functions on the neighborhood graph, scaled to variance one",
    metric_scale: false,
    default: true,
    cost: "time n k and a sparse factor of n points; memory n k and the factor",
    parameters: &[
        ParameterInfo {
            name: "weights",
            summary: "connectivity: 1 between mutual neighbors, 1/2 where one names the other; heat: exp(-distance^2 / \
                      width)",
        },
        ParameterInfo {
            name: "width",
            summary: "of heat, in squared units of the data; null takes the mean squared distance of neighbors",
        },
    ],
};

/// Laplacian eigenmaps.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::LaplacianEigenmaps, fit};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(500))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 10, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&LaplacianEigenmaps::default(), &problem, Pieces::Error, &run)?;
/// assert!(embedding.info.facts["eigen_residual"].as_f64().is_some_and(|residual| residual < 1e-8));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LaplacianEigenmaps {
    /// The weights of the edges.
    pub weights: EdgeWeights,
    /// The width of the heat kernel, in squared units of the data.
    pub width: Option<f64>,
}

/// How much an edge of the neighborhood graph counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeWeights {
    /// 1 between mutual neighbors and 1/2 where only one names the other.
    #[default]
    Connectivity,
    /// exp(-distance^2 / width).
    Heat,
}

impl Embedder for LaplacianEigenmaps {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        match (self.weights, self.width) {
            (EdgeWeights::Connectivity, Some(width)) => {
                Err(Error::parameter("width", width, "has no meaning for weights = connectivity", "set weights = heat"))
            }
            (EdgeWeights::Heat, width) => check_width(width),
            (EdgeWeights::Connectivity, None) => Ok(()),
        }
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        renumbered(problem, |problem| {
            let mut watch = Stopwatch::start();
            let mut outcome = Outcome::direct(Vec::new());
            let kernel = match self.weights {
                EdgeWeights::Connectivity => GraphKernel::connectivity(problem, run)?,
                EdgeWeights::Heat => {
                    let (kernel, width) = GraphKernel::heat(problem, self.width, run)?;
                    outcome.facts.insert("width".into(), width.into());
                    kernel
                }
            };
            let degrees = kernel.degrees();
            let matrix = kernel.normalized_laplacian(&degrees, &vec![0.0; problem.len()]);
            drop(kernel);
            watch.lap("graph");
            let null = stationary(&degrees);
            let spectrum = eigenvectors(&matrix, &null, problem, &mut outcome, run)?;
            watch.lap("eigenvectors");
            outcome.values = spectrum.vectors;
            for (row, null) in outcome.values.chunks_exact_mut(problem.dim()).zip(&null) {
                row.iter_mut().for_each(|value| *value /= null);
            }
            outcome.stages = watch.stages();
            Ok(outcome)
        })
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
