//! Semidefinite embedding (SDE, maximum variance unfolding): pulls all points apart as far as local distances allow.
//!
//! Maximize sum_ij |y_i - y_j|^2 subject to |y_i - y_j| = |x_i - x_j| for neighbors i and j, which is the
//! semidefinite program max tr K, K >= 0, sum K = 0, K_ii - 2 K_ij + K_jj = |x_i - x_j|^2; then the first d principal
//! coordinates. Weinberger and Saul (2004, 2006). K = Y Y' is kept in low rank
//! ([`semidefinite`](crate::semidefinite)), from a start by distances along the graph to landmarks. Only local
//! distances enter, so distances are enough. Cost: some thousand passes over the pairs, each with a Laplacian
//! factor applied; memory n (r + k).
//!
//! When it fails: surfaces that have no flat map (a hemisphere, a cylinder) keep their third dimension, and the projection
//! folds them; a warning says how much of the variance d dimensions hold. Shortcuts in the graph keep the surface
//! from unfolding. The distances on a curved surface are not those of a flat one: the
//! difference goes into the other dimensions, and is lost with them.
//!
//! Differs from the paper: low rank instead of an interior-point method; `pairs = neighbors` keeps the distances to
//! neighbors (the 2006 form), `pairs = common-neighbors` also those between neighbors of one point (the 2004 form).

#[cfg(test)]
mod tests;

use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::error::{Advice, Bound, Limit, Name};
use crate::graph::LengthGraph;
use crate::history::Stop;
use crate::laplacian::conjugate_gradient::Preconditioner;
use crate::laplacian::{LaplacianSolver, Strategy, Weights};
use crate::linalg::principal_coordinates;
use crate::memory;
use crate::semidefinite::{Constraint, Limits, PairFactor, Pairs, Unfolded, Unfolding, unfold};
use crate::spectral::landmark_scaling;
use crate::warning::{KeptByMore, Warning};
use crate::{Error, Fit, Neighborhoods, Problem, Result, Run};
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

/// Landmarks of the start.
const LANDMARKS: usize = 60;
/// Columns of Y beyond the dimension, unless the rank is given.
const MORE: usize = 3;
/// Copies of the solution that the descent holds: its moves, their slopes, and the present ones.
const COPIES: usize = 48;
/// Noise of the start in units of the mean distance of a pair; without it the other dimensions would stay zero.
const NOISE: f64 = 0.01;
/// A smaller share of the variance in d dimensions is worth a warning.
const MOST: f64 = 0.95;

/// Semidefinite embedding.
///
/// ```
/// use truefold::{Neighborhoods, Pieces, Points, Problem, Run, embed::Sde, fit};
///
/// // A quarter of a circle is pulled straight.
/// let run = Run::new();
/// let arc: Vec<[f64; 2]> = (0..12).map(|at| f64::from(at) / 7.0).map(|t| [t.cos(), t.sin()]).collect();
/// let arc = Points::from_rows(&arc)?;
/// let next: Vec<Vec<i64>> = (0..12).map(|at| vec![if at < 11 { at + 1 } else { 10 }]).collect();
/// let neighborhoods = Neighborhoods::from_lists(&next)?;
/// let embedding = fit(&Sde::default(), &Problem::new(&arc, &neighborhoods, 1)?, Pieces::Error, &run)?;
/// let length = (embedding.points.row(11)[0] - embedding.points.row(0)[0]).abs();
/// let chord = 2.0 * (0.5_f64 / 7.0).sin();
/// assert!((length - 11.0 * chord).abs() < 1e-2 * length);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sde {
    /// The pairs whose distances are kept.
    pub pairs: KeptPairs,
    /// What is asked of their distances.
    pub distances: Constraint,
    /// The columns that the solution may have; at least the dimension. None is the dimension and three more.
    pub rank: Option<usize>,
    /// It ends when no squared distance is violated by more than this share of it.
    pub tolerance: f64,
    /// The most updates of the multipliers.
    pub rounds: usize,
}

impl Default for Sde {
    fn default() -> Self {
        Self { pairs: KeptPairs::default(), distances: Constraint::default(), rank: None, tolerance: 1e-3, rounds: 60 }
    }
}

/// Which distances semidefinite embedding keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptPairs {
    /// Those between a point and its neighbors.
    #[default]
    Neighbors,
    /// Also those between two neighbors of one point, so that angles are kept too.
    CommonNeighbors,
}

impl Recipe for Sde {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "sde",
        title: "Semidefinite embedding (maximum variance unfolding)",
        summary: "pulls all points apart as far as the distances between neighbors allow",
        metric_scale: true,
        graph: GraphUse::Components,
        default: false,
        cost: "thousands of passes over the pairs, memory n (rank + k)",
        parameters: &[
            ParameterInfo::new(
                "pairs",
                &[Values::Names(&["neighbors", "common-neighbors"])],
                "which distances are kept: those between neighbors, or also those between two neighbors of a point",
            ),
            ParameterInfo::new(
                "distances",
                &[Values::Names(&["equal", "at-most"])],
                "whether these distances stay equal, or may shrink",
            ),
            ParameterInfo::new(
                "rank",
                &[Values::Whole(1, usize::MAX), Values::Null],
                "the number of columns of the solution, at least the dimensions and at most the points; null is the dimensions and 3 more",
            ),
            ParameterInfo::new(
                "tolerance",
                &[Values::Between(0.0, 1.0)],
                "it ends when no squared distance is off by more than this share",
            ),
            ParameterInfo::new(
                "rounds",
                &[Values::Whole(1, usize::MAX)],
                "the largest number of updates of the multipliers",
            ),
        ],
    };

    fn check_parameters(&self, dim: usize) -> Result<()> {
        let Some(rank) = self.rank.filter(|&rank| rank < dim) else { return Ok(()) };
        let limit = Limit::because(Bound::AtLeast(dim as f64), "the embedding has that many dimensions");
        let name = Name::setting("rank");
        Err(Error::parameter(name.clone(), rank, limit, Advice::leave_out(name, "leave it out for three more")))
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (neighborhoods, input, dim, run) = (problem.neighborhoods(), problem.input(), problem.dim(), fit.run());
        let pairs = Pairs::new(problem.len(), self.pairs.of(neighborhoods), |a, b| input.distance(a, b))?;
        fit.lap("pairs");
        // More columns than points add nothing; a component has fewer points than all together.
        let width = self.rank.unwrap_or(dim + MORE).min(problem.len().max(dim));
        let bytes = (size_of::<f64>() * COPIES) as f64 * problem.len() as f64 * width as f64;
        let task = format!("a solution of {width} columns for {} points", problem.len());
        memory::check(task, bytes, Advice::change(Name::setting("rank"), "choose a smaller {set rank}"))?;
        let graph = LengthGraph::new(neighborhoods, |a, b| input.distance(a, b) / pairs.unit());
        let mut start = landmark_scaling(&graph, LANDMARKS, width, run)?;
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(run.seed());
        start.iter_mut().for_each(|value| *value += rng.random_range(-NOISE..NOISE));
        fit.lap("start");
        let preconditioner = preconditioner(problem, &pairs, run)?;
        fit.lap("factor");
        let limits = Limits { tolerance: self.tolerance, rounds: self.rounds };
        let unfolding =
            Unfolding { pairs: &pairs, constraint: self.distances, width, preconditioner: &*preconditioner };
        let unfolded = unfold(&unfolding, start, limits, run)?;
        fit.lap("unfold");
        let (values, variances) = principal_coordinates(&unfolded.values, width, dim);
        fit.fact("pairs", pairs.len());
        fit.fact("rank", width);
        self.report(unfolded, &variances, dim, fit);
        Ok(values)
    }
}

impl Sde {
    /// Records how far the constraints are met and how much of the variance the embedding holds.
    fn report(&self, unfolded: Unfolded, variances: &[f64], dim: usize, fit: &mut Fit<'_>) {
        let (kept, all) = (variances[..dim].iter().sum::<f64>(), variances.iter().sum::<f64>());
        let largest = unfolded.violations[unfolded.violations.len() - 1];
        fit.fact("steps", unfolded.steps);
        fit.fact("largest_violation", largest);
        fit.fact("mean_violation", unfolded.mean_violation);
        fit.fact("variance", all);
        fit.fact("variance_bound", unfolded.bound);
        fit.fact("gap", unfolded.bound.map(|bound| bound / all - 1.0));
        fit.fact("variance_in_dim", kept / all);
        fit.ended(unfolded.stop);
        if unfolded.stop != Stop::Converged {
            fit.warn(Warning::Violated { rounds: self.rounds, largest, wanted: self.tolerance });
        }
        if kept < MOST * all {
            fit.warn(Warning::VarianceOutside { dim, share: kept / all, keeps: KeptByMore::Distances });
        }
        fit.trace("variance", unfolded.variances);
        fit.trace("largest_violation", unfolded.violations);
    }
}

impl KeptPairs {
    /// All pairs, each once, in order.
    fn of(self, neighborhoods: &Neighborhoods) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for index in 0..neighborhoods.len() {
            let members = neighborhoods.members(index);
            let firsts = match self {
                Self::Neighbors => &members[..1],
                Self::CommonNeighbors => members,
            };
            for (place, &a) in firsts.iter().enumerate() {
                pairs.extend(members[place + 1..].iter().map(|&b| [a.min(b), a.max(b)]));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// The factor of the Laplacian of the pairs, or where that is too large one of the neighborhoods that needs less
/// memory.
fn preconditioner<'a>(problem: &Problem<'a>, pairs: &Pairs, run: &Run) -> Result<Box<dyn Preconditioner + 'a>> {
    if let Some(factor) = PairFactor::new(pairs) {
        return Ok(Box::new(factor));
    }
    let weights = weights(problem, pairs.unit());
    Ok(Box::new(LaplacianSolver::new(problem.neighborhoods(), weights, Strategy::Iterative, run.seed(), run)?))
}

/// One over the mean squared distance of each center to its neighbors, in `unit`s, for the preconditioner.
fn weights(problem: &Problem<'_>, unit: f64) -> Weights {
    let neighborhoods = problem.neighborhoods();
    let weight = |index: usize| {
        let neighbors = neighborhoods.neighbors(index);
        let sum: f64 = neighbors.iter().map(|&to| (problem.input().distance(index, to as usize) / unit).powi(2)).sum();
        // As in the violations, but for one neighborhood of duplicates all weights must stay comparable.
        1.0 / (sum / neighbors.len() as f64).max(1e-3)
    };
    Weights::Each((0..neighborhoods.len()).map(weight).collect())
}
