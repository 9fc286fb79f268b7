//! Greedy Procrustes: embeds one neighborhood at a time, each carried onto those before it.
//!
//! Y_i = X_i P_i for the first neighborhood; then, again and again, the unembedded point with the most embedded
//! neighbors is taken and its neighborhood carried by the Procrustes motion (A_j, b_j) between its embedded members and
//! their images: y = A_j'(x - b_j). Goldberg and Ritov, section 4.1; refined as in section 4.4, as in the paper's
//! experiments. P_i is the local PCA of neighborhood X_i. Cost: O(n k) and a small Procrustes problem per neighborhood.
//!
//! It fails where overlaps are thin (small k) or the data noisy: every error is carried on to all that follows. Two
//! fronts that meet again, as around a hole or on a closed surface, do not fit; such a start is [mended](mend) before
//! it is refined. The paper's own rule (`choice = paper`) turns over whatever hangs on an overlap that spans fewer than
//! d directions: on a Swiss roll of 1,600 points its R_N is 0.003 at k = 12 but 2 at k = 6, where the robust one has
//! 0.0007.
//!
//! Differs from the paper: y = A'(x - b), where the paper prints X A + b; the two agree only for q = d and another b.

mod growth;
mod mend;
mod overlap;
mod queue;
mod smoothing;
mod start;
#[cfg(test)]
mod tests;

use super::pose::set_upright;
use super::refinement::{Refinement, Second, refined};
use super::renumbered::renumbered;
use super::{Embedder, EmbedderInfo, ParameterInfo, check_idle, pca};
use crate::embedding::Outcome;
use crate::graph::Adjacency;
use crate::history::Stopwatch;
use crate::laplacian::Strategy;
use crate::local::Charts;
use crate::refine::Refine;
use crate::warning::Warning;
use crate::{Points, Problem, Result, Run};
use growth::Growth;
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "gp",
    title: "Greedy Procrustes",
    summary: "embeds one neighborhood at a time onto those before it, then refines the whole",
    metric_scale: true,
    default: true,
    cost: "time and memory n k",
    parameters: &[
        ParameterInfo { name: "start", summary: "the first neighborhood: center of the graph, or random by the seed" },
        ParameterInfo {
            name: "choice",
            summary: "which neighborhood is next: robust, or the paper's literal rule: paper",
        },
        ParameterInfo { name: "refine", summary: "the measure that refinement lowers: r-n, r, r-c, r-pca, or none" },
        ParameterInfo {
            name: "solver",
            summary: "how refinement factors the Laplacian: auto, cholesky (exact; much memory) or iterative",
        },
        ParameterInfo { name: "iterations", summary: "the most steps of refinement" },
        ParameterInfo {
            name: "tolerance",
            summary: "refinement ends when two steps in a row lower its measure by less than this share",
        },
    ],
};

/// Greedy Procrustes.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Gp, fit};
///
/// let run = Run::new();
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &run)?;
/// let embedding = fit(&Gp::default(), &Problem::new(&roll.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// assert!(embedding.info.traces[0].values.is_sorted_by(|before, after| after < before));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gp {
    /// The first neighborhood.
    pub start: Start,
    /// The rule by which the next neighborhood is chosen.
    pub choice: Choice,
    /// What the refinement that follows lowers.
    pub refine: Refinement,
    /// How refinement factors the Laplacian.
    pub solver: Strategy,
    /// The most steps of refinement.
    pub iterations: usize,
    /// Refinement ends when two steps in a row lower its measure by less than this share of it.
    pub tolerance: f64,
}

impl Default for Gp {
    fn default() -> Self {
        let Refine { iterations, tolerance, .. } = Refine::default();
        Self {
            start: Start::default(),
            choice: Choice::default(),
            refine: Refinement::default(),
            solver: Strategy::default(),
            iterations,
            tolerance,
        }
    }
}

/// Where greedy Procrustes begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// In the middle of the neighborhood graph: the longest chain of carried errors is then shortest.
    #[default]
    Center,
    /// At a point drawn by the seed, as in the paper.
    Random,
}

/// How greedy Procrustes chooses the next neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// The most embedded neighbors, but overlaps that leave a direction open wait and are then enlarged.
    #[default]
    Robust,
    /// The most embedded neighbors.
    Paper,
}

impl Gp {
    fn refinement(&self) -> Option<Refine> {
        let (solver, iterations, tolerance) = (self.solver, self.iterations, self.tolerance);
        self.refine.target().map(|target| Refine { target, solver, iterations, tolerance, ..Refine::default() })
    }
}

impl Embedder for Gp {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        match self.refinement() {
            Some(refine) => refine.check(),
            None => check_idle(
                "refinement",
                &[
                    ("solver", format!("{:?}", self.solver).to_lowercase(), self.solver != Strategy::default()),
                    ("iterations", self.iterations.to_string(), self.iterations != Refine::default().iterations),
                    ("tolerance", self.tolerance.to_string(), self.tolerance != Refine::default().tolerance),
                ],
            ),
        }
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        renumbered(problem, |problem| self.grow(problem, run))
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Gp {
    /// Grows an embedding and refines it.
    fn grow(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        let mut watch = Stopwatch::start();
        let charts = Charts::new(problem.input(), problem.neighborhoods(), run)?;
        let holders = Adjacency::holders(problem.neighborhoods());
        watch.lap("charts");
        let first = match self.start {
            Start::Center => start::center(problem.neighborhoods(), &holders, run)?,
            Start::Random => start::random(problem.len(), run.seed()),
        };
        watch.lap("start");
        let mut growth = Growth::new(&charts, &holders, problem.dim(), self.choice, first);
        let grown = growth.run(first, run)?;
        watch.lap("greedy Procrustes");
        let mut outcome = match self.refinement() {
            None => Outcome::direct(grown),
            Some(refine) => {
                let grown = Points::new(problem.len(), problem.dim(), grown)?;
                let wider = || mend::mend(problem, first, run);
                let flat = || pca::projected(&problem.input(), problem.dim(), run);
                let seconds: [Second<'_>; 2] = [("wider growth", &wider), ("projection", &flat)];
                // The paper's rule is shown as it is.
                let seconds = if self.choice == Choice::Robust { &seconds[..] } else { &[] };
                refined(&refine, &charts, grown, seconds, &mut watch, run)?
            }
        };
        set_upright(&mut outcome.values, problem.dim());
        outcome.facts.insert("neighborhoods_used".into(), growth.carried.into());
        outcome.facts.insert("loose_overlaps".into(), growth.loose.into());
        if growth.open > 0 {
            outcome.warnings.push(Warning::LooseOverlaps { open: growth.open, placed: growth.carried });
        }
        outcome.stages = watch.stages();
        Ok(outcome)
    }
}
