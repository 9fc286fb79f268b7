//! Greedy Procrustes: embeds one neighborhood at a time, each carried onto those before it.
//!
//! Y_i = X_i P_i for the first neighborhood; then, again and again, the unembedded point with the most embedded
//! neighbors is taken and its neighborhood carried by the Procrustes motion (A_j, b_j) between its embedded members and
//! their images: y = A_j'(x - b_j). Goldberg and Ritov, section 4.1; refined as in section 4.4, as in the paper's
//! experiments. P_i is the local PCA of neighborhood X_i. Cost: O(n k) and a small Procrustes problem per neighborhood.
//!
//! When it fails: where overlaps are small (small k) or the data are noisy, every error affects all that follows. Two
//! fronts that meet again, as around a hole or on a closed surface, do not fit; another start is then [grown](mend) and
//! refined. The paper's own rule (`choice = paper`) may flip everything that follows an overlap of fewer than d
//! directions: on a Swiss roll of 1,600 points its R_N is 0.003 at k = 12 but 2 at k = 6, where the robust rule has
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
use super::recipe::check_unused;
use super::refinement::{Refinement, Refining, SecondStart};
use super::renumbered::renumbered;
use super::straighten::straightened;
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values, pca};
use crate::graph::Adjacency;
use crate::laplacian::Strategy;
use crate::local::Charts;
use crate::memory::Need;
use crate::refine::Refine;
use crate::warning::Warning;
use crate::{Fit, Points, Problem, Result};
use growth::Growth;
use serde::{Deserialize, Serialize};

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
    pub start: GrowthStart,
    /// The rule by which the next neighborhood is chosen.
    pub choice: GrowthRule,
    /// What the refinement that follows lowers.
    pub refine: Refinement,
    /// How refinement factors the Laplacian.
    pub solver: Strategy,
    /// The largest number of refinement steps.
    pub iterations: usize,
    /// Refinement ends when two steps in a row lower its measure by less than this share of it.
    pub tolerance: f64,
}

impl Default for Gp {
    fn default() -> Self {
        let Refine { iterations, tolerance, .. } = Refine::default();
        Self {
            start: GrowthStart::default(),
            choice: GrowthRule::default(),
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
pub enum GrowthStart {
    /// In the middle of the neighborhood graph, where the longest chain along which errors add up is shortest.
    #[default]
    Center,
    /// At a point drawn by the seed, as in the paper.
    Random,
}

/// How greedy Procrustes chooses the next neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthRule {
    /// The most embedded neighbors; overlaps that do not determine the rotation wait, and are then enlarged.
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

impl Recipe for Gp {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "gp",
        title: "Greedy Procrustes",
        summary: "embeds one neighborhood at a time onto those before it, then refines the whole",
        metric_scale: true,
        graph: GraphUse::Components,
        default: true,
        cost: "time and memory n k",
        parameters: &[
            ParameterInfo::new(
                "start",
                &[Values::Names(&["center", "random"])],
                "the first neighborhood: at the center of the graph, or random by the seed",
            ),
            ParameterInfo::new(
                "choice",
                &[Values::Names(&["robust", "paper"])],
                "how the next neighborhood is chosen: robust, or paper for the paper's own rule",
            ),
            ParameterInfo::new("refine", &[Values::Names(Refinement::NAMES)], "the measure that refinement lowers"),
            ParameterInfo::new(
                "solver",
                &[Values::Names(&["auto", "cholesky", "iterative"])],
                "how refinement factors the Laplacian: cholesky is exact and needs much memory",
            ),
            ParameterInfo::new("iterations", &[Values::Whole(0, usize::MAX)], "the largest number of refinement steps"),
            ParameterInfo::new(
                "tolerance",
                &[Values::FromBelow(0.0, 1.0)],
                "refinement ends when two steps in a row lower its measure by less than this share",
            ),
        ],
    };

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        match self.refinement() {
            Some(_) => Ok(()),
            None => check_unused(self, "refinement", &["solver", "iterations", "tolerance"]),
        }
    }

    fn memory(&self, problem: &Problem<'_>) -> Need {
        // Frames or places, and the links with their weights.
        Need::of(16.0 * problem.dim() as f64, 12.0)
    }

    /// Grows an embedding and refines it.
    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        renumbered(problem, fit, |problem, fit| {
            let (dim, run) = (problem.dim(), fit.run());
            let charts = Charts::new(problem.input(), problem.neighborhoods(), run)?;
            let holders = Adjacency::holders(problem.neighborhoods());
            fit.lap("charts");
            let first = match self.start {
                GrowthStart::Center => start::center(problem.neighborhoods(), &holders, run)?,
                GrowthStart::Random => start::random(problem.len(), run.seed()),
            };
            fit.lap("start");
            let mut growth = Growth::new(&charts, &holders, dim, self.choice, first);
            let grown = growth.run(first, run)?;
            fit.lap("greedy Procrustes");
            let mut values = match self.refinement() {
                None => grown,
                Some(refine) => {
                    let wider = || mend::mend(problem, first, run);
                    let flat = || pca::projected(&problem.input(), dim, run);
                    let second: [SecondStart<'_>; 2] = [("wider growth", &wider), ("projection", &flat)];
                    // The paper's rule is shown as it is.
                    let second = if self.choice == GrowthRule::Robust { &second[..] } else { &[] };
                    let grown = Points::new(problem.len(), dim, grown)?;
                    // What the refinement would end with, sooner.
                    let straight = match self.choice {
                        GrowthRule::Robust => straightened(problem, &grown, refine.solver, run)?,
                        GrowthRule::Paper => None,
                    };
                    fit.lap("straightening");
                    let (refining, refined) = Refining::begin_with_lower(&refine, &charts, grown, straight, fit)?;
                    let refined = refining.again(refined, second, fit)?;
                    refining.look_back(&refined, fit)?;
                    refined
                }
            };
            set_upright(&mut values, dim);
            fit.fact("neighborhoods_used", growth.carried);
            fit.fact("loose_overlaps", growth.loose);
            if growth.open > 0 {
                fit.warn(Warning::LooseOverlaps { open: growth.open, placed: growth.carried });
            }
            Ok(values)
        })
    }
}
