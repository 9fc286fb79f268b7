//! t-SNE: neighbors attract each other, all points repel each other, and neighbors stay together.
//!
//! Minimizes the Kullback-Leibler divergence sum_ij p_ij ln(p_ij / q_ij) of weights q_ij = w_ij / sum w, w_ij = 1 /
//! (1 + |y_i - y_j|^2), in the map from weights p_ij of neighbors in the data (`forces/affinities.rs`). Van der Maaten and
//! Hinton (2008); the repulsion by a grid or a tree (`forces/`); the start, the rates and the two phases as Kobak and Berens
//! (2019) and Belkina and others (2019) advise. With `exaggeration` r the attraction counts r times: about 4 looks like UMAP,
//! much more like Laplacian eigenmaps (Boehm, Berens and Kobak 2022). Cost: for every step O(n perplexity) and a convolution
//! of a grid of three nodes a unit of the map, or O(n log n) in space. When it fails: distances between clusters, their
//! sizes and densities mean little, and a surface is torn.

mod start;
#[cfg(test)]
mod tests;

use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::error::{Advice, Bound, Limit};
use crate::forces::{Affinities, Limits, PERPLEXITY, Phase, Plan};
use crate::memory::Need;
use crate::{Error, Fit, Problem, Result};
use serde::{Deserialize, Serialize};
pub(super) use start::start;

/// The largest dimension of a map.
const MOST_DIM: usize = 3;
/// The standard deviation of the first coordinate at the start: so near that no point is in the way of another.
pub(super) const START: f64 = 1e-4;

/// t-SNE.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Tsne, fit};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(300))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 10, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&Tsne { perplexity: 10.0, ..Tsne::default() }, &problem, Pieces::Error, &run)?;
/// assert!(embedding.info.facts["kl_divergence"].as_f64().is_some_and(|divergence| divergence < 1.0));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tsne {
    /// The number of neighbors that effectively count.
    pub perplexity: f64,
    /// How many times the attraction counts.
    pub exaggeration: f64,
    /// How many times it counts in the first phase, at least.
    pub early_exaggeration: f64,
    /// Steps of the first phase.
    pub early_iterations: usize,
    /// Steps of the second phase, at the most.
    pub iterations: usize,
    /// The step for a gradient of one.
    pub learning_rate: Option<f64>,
    /// The second phase ends when the gradient is below this share of the attraction.
    pub tolerance: f64,
}

impl Default for Tsne {
    fn default() -> Self {
        Self {
            perplexity: PERPLEXITY,
            exaggeration: 1.0,
            early_exaggeration: 12.0,
            early_iterations: 250,
            iterations: 500,
            learning_rate: None,
            tolerance: 1e-3,
        }
    }
}

impl Recipe for Tsne {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "tsne",
        title: "t-SNE",
        summary: "keeps neighbors together: they attract each other, and all points repel each other",
        metric_scale: false,
        graph: GraphUse::Links,
        default: false,
        cost: "time n perplexity and a convolution a step; memory 150 n perplexity bytes and the grid",
        parameters: &[
            ParameterInfo::new(
                "perplexity",
                &[Values::Above(0.0)],
                "the number of neighbors that effectively count, at least 1; three times as many are searched",
            ),
            ParameterInfo::new(
                "exaggeration",
                &[Values::Above(0.0)],
                "how many times the attraction counts: 1 is t-SNE, about 4 looks like UMAP",
            ),
            ParameterInfo::new(
                "early_exaggeration",
                &[Values::Above(0.0)],
                "how many times it counts in the first phase; at least exaggeration is taken",
            ),
            ParameterInfo::new("early_iterations", &[Values::Whole(0, usize::MAX)], "steps of the first phase"),
            ParameterInfo::new("iterations", &[Values::Whole(0, usize::MAX)], "steps of the second phase, at the most"),
            ParameterInfo::new(
                "learning_rate",
                &[Values::Above(0.0), Values::Null],
                "the step for a gradient of one; null is the number of points over the exaggeration of the phase",
            ),
            ParameterInfo::new(
                "tolerance",
                &[Values::AtLeast(0.0)],
                "the second phase ends when the gradient is below this share of the attraction",
            ),
        ],
    };

    fn check_parameters(&self, dim: usize) -> Result<()> {
        if dim > MOST_DIM {
            let limit = Limit::because(Bound::AtMost(MOST_DIM as f64), "tsne makes maps to look at");
            return Err(Error::parameter("dim", dim, limit, Advice::change("dim", "choose a smaller {dim}")));
        }
        Ok(())
    }

    fn memory(&self, problem: &Problem<'_>) -> Need {
        // Three times the perplexity of neighbors, with their affinities.
        Need::of(36.0 * self.perplexity.min(problem.len() as f64 / 3.0), 0.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let affinities = Affinities::of_problem(problem, self.perplexity, fit)?;
        let start = start(problem, START, fit)?;
        let phases = self.phases(problem.len());
        let plan = Plan { affinities, phases: &phases, dim: problem.dim(), shapes: None, limits: Limits::default() };
        plan.run(&start, fit)
    }
}

impl Tsne {
    /// The two phases of `count` points.
    pub(super) fn phases(&self, count: usize) -> [Phase; 2] {
        let early = self.early_exaggeration.max(self.exaggeration);
        let phase = |exaggeration: f64, iterations: usize, tolerance: f64| Phase {
            exaggeration,
            iterations,
            tolerance,
            rate: self.learning_rate.unwrap_or(count as f64 / exaggeration),
            shape: 0.0,
        };
        [phase(early, self.early_iterations, 0.0), phase(self.exaggeration, self.iterations, self.tolerance)]
    }
}
