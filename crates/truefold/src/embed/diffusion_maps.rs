//! Diffusion maps: coordinates whose distances are those of random walks on the neighborhood graph.
//!
//! Weights k_ij = exp(-|x_i - x_j|^2 / t), 1 from each point to itself, divided by (q_i q_j)^alpha with q their row
//! sums; P = D^-1 K is the walk that follows. y_i = (l_1^s psi_1(i), ..., l_d^s psi_d(i)) with the d largest
//! eigenvalues of P after 1 and its right eigenvectors, of length one under the stationary weights; |y_i - y_j| is
//! then, as d grows, the distance of the walks from i and j after s steps. Coifman and Lafon, "Diffusion maps" (2006).
//! alpha = 1 removes the influence of the density of the points, alpha = 0 keeps it. Cost: O(n k) and an eigenproblem
//! (`spectral/smallest.rs`). When it fails: as with Laplacian eigenmaps, a long surface becomes a horseshoe.
//!
//! Differs from the paper: weights beyond the neighbors are zero.

use super::graph_kernel::GraphKernel;
use super::renumbered::renumbered;
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::memory::Need;
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

/// Diffusion maps.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::DiffusionMaps, fit};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(500))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 10, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&DiffusionMaps::default(), &problem, Pieces::Error, &run)?;
/// assert_eq!(embedding.points.len(), 500);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiffusionMaps {
    /// How much of the influence of the density of the points is removed.
    pub alpha: f64,
    /// The number of steps of the walk.
    pub steps: f64,
    /// The width of the kernel, in squared units of the data.
    pub width: Option<f64>,
}

impl Default for DiffusionMaps {
    fn default() -> Self {
        Self { alpha: 1.0, steps: 1.0, width: None }
    }
}

impl Recipe for DiffusionMaps {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "diffusion-maps",
        title: "Diffusion maps",
        summary: "coordinates whose distances are those of random walks on the neighborhood graph",
        metric_scale: false,
        graph: GraphUse::Components,
        default: false,
        cost: "time n k and a sparse factor of n points; memory n k and the factor",
        parameters: &[
            ParameterInfo::new(
                "alpha",
                &[Values::Within(0.0, 1.0)],
                "how much of the influence of the density of the points is removed: 0 is none, 1 is all",
            ),
            ParameterInfo::new("steps", &[Values::AtLeast(0.0)], "the number of steps of the walk"),
            ParameterInfo::new(
                "width",
                &[Values::Above(0.0), Values::Null],
                "width of the kernel, in squared units of the data; null is the mean squared distance of neighbors",
            ),
        ],
    };

    fn memory(&self, problem: &Problem<'_>) -> Need {
        // The entries of the kernel.
        Need::of(16.0 * problem.dim() as f64, 12.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        renumbered(problem, fit, |problem, fit| {
            let mut kernel = GraphKernel::heat(problem, self.width, fit)?;
            let density: Vec<f64> = kernel.degrees().iter().map(|degree| (degree + 1.0).powf(self.alpha)).collect();
            for point in 0..problem.len() {
                for place in kernel.links.of(point) {
                    kernel.weights[place] /= density[point] * density[kernel.links.end(place)];
                }
            }
            let loops: Vec<f64> = density.iter().map(|density| 1.0 / (density * density)).collect();
            let degrees: Vec<f64> = kernel.degrees().iter().zip(&loops).map(|(degree, own)| degree + own).collect();
            let (mut spectrum, null) = kernel.eigenvectors(&degrees, &loops, problem, "walk", fit)?;
            let eigenvalues: Vec<f64> = spectrum.values.iter().map(|value| (1.0 - value).max(0.0)).collect();
            let factors: Vec<f64> = eigenvalues.iter().map(|value| value.powf(self.steps)).collect();
            fit.fact("walk_eigenvalues", eigenvalues);
            for (row, null) in spectrum.vectors.chunks_exact_mut(problem.dim()).zip(&null) {
                row.iter_mut().zip(&factors).for_each(|(value, factor)| *value *= factor / null);
            }
            Ok(spectrum.vectors)
        })
    }
}
