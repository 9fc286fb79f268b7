//! Diffusion maps: coordinates whose distances are those of random walks on the neighborhood graph.
//!
//! Weights k_ij = exp(-|x_i - x_j|^2 / t), 1 from each point to itself, divided by (q_i q_j)^alpha with q their row
//! sums; P = D^-1 K is the walk that follows. y_i = (l_1^s psi_1(i), ..., l_d^s psi_d(i)) with the d largest
//! eigenvalues of P after 1 and its right eigenvectors, of length one under the stationary weights; |y_i - y_j| is
//! then, as d grows, the distance of the walks from i and j after s steps. Coifman and Lafon, "Diffusion maps" (2006).
//! alpha = 1 takes the density of the points out, 0 leaves it in. Cost: O(n k) and an eigenproblem, see `solve/eigen`.
//! When it fails: as Laplacian eigenmaps, a long surface gets a horseshoe.
//!
//! Differs from the paper: weights beyond the neighbors are zero.

use super::aligned::eigenvectors;
use super::graph_kernel::{GraphKernel, check_width, stationary};
use super::renumbered::renumbered;
use super::{Embedder, EmbedderInfo, ParameterInfo};
use crate::embedding::Outcome;
use crate::history::Stopwatch;
use crate::{Error, Problem, Result, Run};
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "diffusion-maps",
    title: "Diffusion maps",
    summary: "coordinates whose distances are those of random walks on the neighborhood graph",
    metric_scale: false,
    default: false,
    cost: "time n k and a sparse factor of n points; memory n k and the factor",
    parameters: &[
        ParameterInfo {
            name: "alpha",
            summary: "how far the density of the points is taken out: 0 not at all, 1 wholly",
        },
        ParameterInfo { name: "steps", summary: "the steps of the walk, at least 0" },
        ParameterInfo {
            name: "width",
            summary: "of the kernel, in squared units of the data; null takes the mean squared distance of neighbors",
        },
    ],
};

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
    /// How far the density of the points is taken out.
    pub alpha: f64,
    /// The steps of the walk.
    pub steps: f64,
    /// The width of the kernel, in squared units of the data.
    pub width: Option<f64>,
}

impl Default for DiffusionMaps {
    fn default() -> Self {
        Self { alpha: 1.0, steps: 1.0, width: None }
    }
}

impl Embedder for DiffusionMaps {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        if !(0.0..=1.0).contains(&self.alpha) {
            return Err(Error::parameter("alpha", self.alpha, "is not between 0 and 1", "1 takes the density out"));
        }
        if !(self.steps >= 0.0 && self.steps.is_finite()) {
            return Err(Error::parameter("steps", self.steps, "is not a number of at least 0", "1 suits most uses"));
        }
        check_width(self.width)
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        renumbered(problem, |problem| {
            let mut watch = Stopwatch::start();
            let mut outcome = Outcome::direct(Vec::new());
            let (mut kernel, width) = GraphKernel::heat(problem, self.width, run)?;
            outcome.facts.insert("width".into(), width.into());
            let density: Vec<f64> = kernel.degrees().iter().map(|degree| (degree + 1.0).powf(self.alpha)).collect();
            for point in 0..problem.len() {
                for place in kernel.links.of(point) {
                    kernel.weights[place] /= density[point] * density[kernel.links.end(place)];
                }
            }
            let loops: Vec<f64> = density.iter().map(|density| 1.0 / (density * density)).collect();
            let degrees: Vec<f64> = kernel.degrees().iter().zip(&loops).map(|(degree, own)| degree + own).collect();
            let matrix = kernel.normalized_laplacian(&degrees, &loops);
            drop(kernel);
            watch.lap("walk");
            let null = stationary(&degrees);
            let spectrum = eigenvectors(&matrix, &null, problem, &mut outcome, run)?;
            watch.lap("eigenvectors");
            let kept: Vec<f64> = spectrum.values.iter().map(|value| (1.0 - value).max(0.0)).collect();
            let factors: Vec<f64> = kept.iter().map(|value| value.powf(self.steps)).collect();
            outcome.facts.insert("walk_eigenvalues".into(), kept.into());
            outcome.values = spectrum.vectors;
            for (row, null) in outcome.values.chunks_exact_mut(problem.dim()).zip(&null) {
                row.iter_mut().zip(&factors).for_each(|(value, factor)| *value *= factor / null);
            }
            outcome.stages = watch.stages();
            Ok(outcome)
        })
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
