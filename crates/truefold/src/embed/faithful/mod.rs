//! A faithful neighbor map: neighbors stay together as in t-SNE, and neighborhoods keep their shape.
//!
//! Every point follows 1 - s times the forces of t-SNE (`tsne/`) and s times the pull of the neighborhoods that it belongs to,
//! towards the shape that these have in the data (`forces/shape.rs`): half of it by the data's neighborhoods, which lowers
//! R_C, half by the map's, which lowers reverse R_C. Each neighborhood has its own scale, so clusters may keep their size. s is
//! `shape`: 0 is t-SNE, 1 asks for shapes alone. It begins with the first phase of t-SNE. Cost: that of t-SNE, and
//! for every step O(n k^2); every 50 steps the neighbors in the map are found again, O(n log n + n k^2 q). When it fails:
//! where neighborhoods have many more dimensions than the map, no map keeps their shape, and little is gained.

#[cfg(test)]
mod tests;

use super::tsne::{START, start};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Tsne, Values};
use crate::forces::{Affinities, Limits, PERPLEXITY, Phase, Plan, SHAPE};
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

/// A map that keeps neighbors and shapes.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Faithful, fit};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(300))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 10, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&Faithful { perplexity: 10.0, ..Faithful::default() }, &problem, Pieces::Error, &run)?;
/// assert_eq!(embedding.points.dim(), 2);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Faithful {
    /// How much shapes count beside neighbors.
    pub shape: f64,
    /// The number of neighbors that effectively count.
    pub perplexity: f64,
    /// Steps of the first phase, for neighbors alone.
    pub early_iterations: usize,
    /// Steps of the second phase, at the most.
    pub iterations: usize,
}

impl Default for Faithful {
    fn default() -> Self {
        Self { shape: SHAPE, perplexity: PERPLEXITY, early_iterations: 250, iterations: 500 }
    }
}

impl Recipe for Faithful {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "faithful",
        title: "Faithful neighbor map",
        summary: "keeps neighbors together as t-SNE does, and the shape of neighborhoods of data and map",
        metric_scale: false,
        graph: GraphUse::Links,
        default: false,
        cost: "time n perplexity + n k^2 and a convolution a step; memory 150 n perplexity + 8 n k^2 bytes and the grid",
        parameters: &[
            ParameterInfo::new(
                "shape",
                &[Values::Within(0.0, 1.0)],
                "how much shapes count: 0 is t-SNE, 1 shapes alone",
            ),
            ParameterInfo::new(
                "perplexity",
                &[Values::Above(0.0)],
                "the number of neighbors that effectively count, at least 1; three times as many are searched",
            ),
            ParameterInfo::new(
                "early_iterations",
                &[Values::Whole(0, usize::MAX)],
                "steps of the first phase, for neighbors alone",
            ),
            ParameterInfo::new("iterations", &[Values::Whole(0, usize::MAX)], "steps of the second phase, at the most"),
        ],
    };

    fn check_parameters(&self, dim: usize) -> Result<()> {
        self.neighbors().check_parameters(dim)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let tsne = self.neighbors();
        let affinities = Affinities::of_problem(problem, self.perplexity, fit)?;
        let start = start(problem, START, fit)?;
        let [early, late] = tsne.phases(problem.len());
        let late = Phase { shape: self.shape, ..late };
        let shapes = Some((problem.input(), problem.neighborhoods()));
        let plan = Plan { affinities, phases: &[early, late], dim: problem.dim(), shapes, limits: Limits::default() };
        plan.run(&start, fit)
    }
}

impl Faithful {
    /// The method for neighbors alone.
    fn neighbors(&self) -> Tsne {
        Tsne {
            perplexity: self.perplexity,
            early_iterations: self.early_iterations,
            iterations: self.iterations,
            ..Tsne::default()
        }
    }
}
