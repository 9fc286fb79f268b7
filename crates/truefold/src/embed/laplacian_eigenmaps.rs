//! Laplacian eigenmaps: the smoothest functions on the neighborhood graph as coordinates.
//!
//! Minimizes sum_ij w_ij |y_i - y_j|^2 subject to Y'D Y = tr(D) I, 1'D Y = 0: Y = sqrt(tr D) D^(-1/2) V with V the
//! smallest eigenvectors of I - D^(-1/2) W D^(-1/2) after the trivial one, W the weights, D their row sums. Belkin and
//! Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation" (2003). Cost: O(n k) and an
//! eigenproblem (`spectral/smallest.rs`). When it fails: on a long surface the second coordinate is a function of the
//! first, a horseshoe; lengths mean nothing.

use super::graph_kernel::GraphKernel;
use super::recipe::check_unused;
use super::renumbered::renumbered;
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::memory::Need;
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

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
    /// 1 between mutual neighbors and 1/2 where only one lists the other.
    #[default]
    Connectivity,
    /// exp(-distance^2 / width).
    Heat,
}

impl Recipe for LaplacianEigenmaps {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "laplacian-eigenmaps",
        title: "Laplacian eigenmaps",
        summary: "the smoothest functions on the neighborhood graph, scaled to variance one",
        metric_scale: false,
        graph: GraphUse::Components,
        default: true,
        cost: "time n k and a sparse factor of n points; memory n k and the factor",
        parameters: &[
            ParameterInfo::new(
                "weights",
                &[Values::Names(&["connectivity", "heat"])],
                "connectivity: 1 between mutual neighbors, 1/2 where only one lists the other; heat: exp(-distance^2 / width)",
            ),
            ParameterInfo::new(
                "width",
                &[Values::Above(0.0), Values::Null],
                "width of heat, in squared units of the data; null is the mean squared distance of neighbors",
            ),
        ],
    };

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        match self.weights {
            EdgeWeights::Connectivity => check_unused(self, "{set weights=heat}", &["width"]),
            EdgeWeights::Heat => Ok(()),
        }
    }

    fn memory(&self, problem: &Problem<'_>) -> Need {
        // The entries of the kernel.
        Need::of(16.0 * problem.dim() as f64, 12.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        renumbered(problem, fit, |problem, fit| {
            let kernel = match self.weights {
                EdgeWeights::Connectivity => GraphKernel::connectivity(problem, fit)?,
                EdgeWeights::Heat => GraphKernel::heat(problem, self.width, fit)?,
            };
            let (degrees, loops) = (kernel.degrees(), vec![0.0; problem.len()]);
            let (mut spectrum, null) = kernel.eigenvectors(&degrees, &loops, problem, "graph", fit)?;
            for (row, null) in spectrum.vectors.chunks_exact_mut(problem.dim()).zip(&null) {
                row.iter_mut().for_each(|value| *value /= null);
            }
            Ok(spectrum.vectors)
        })
    }
}
