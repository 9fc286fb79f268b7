//! Local linear models that agree on global coordinates: what global coordination and coordinated PCA share.
//!
//! An analyzer s has the share p_s of the points, a Gaussian of the global coordinates, p(g | s) = N(kappa_s, V_s), and a
//! linear model of the data, p(x | g, s) = N(mu_s + M_s (g - kappa_s), Psi_s). Points are asked for one place each,
//! q(g, s | x_n) = q_ns N(g; g_n, Sigma_n), and the sum over the points of
//! log p(x_n) - KL(q(g, s | x_n), p(g, s | x_n)), a bound of the logarithm of the likelihood, is made large: analyzers that
//! explain the same points must put them in the same place. `sweep.rs` has the updates, `analyzer.rs` the analyzers.
//!
//! The bound has many maxima, and analyzers follow coordinates that are wrong as willingly as right ones. So the
//! coordinates begin at those of a spectral map, stretched so that maps from g to x keep lengths on average; analyzers begin
//! at landmarks that cover the neighborhood graph, and a point may be explained by those around it only. First the q_ns are
//! held as the cover gives them, wide enough that neighboring analyzers correct each other; then they are free, which
//! sharpens them. Every third sweep begins at extrapolated coordinates (Varadhan and Roland 2008) and is dropped if the
//! bound falls: it never does. Last the coordinates are stretched once more. Cost: the start, two shortest-path
//! searches an analyzer, and O(a n q d) a sweep for a analyzers around a point; memory O(a n d + n q).

mod analyzer;
mod ascent;
mod memberships;
mod sweep;
#[cfg(test)]
mod tests;

pub(super) use analyzer::{Analysis, Bounds, Moments, Parameters, rebuilt};

use super::cover::cover;
use super::pca::principal_coordinates;
use super::pose::set_upright;
use super::{Lle, Ltsa, Recipe};
use crate::error::{Advice, Bound, Limit, Name};
use crate::history::Stop;
use crate::linalg::{SymmetricEigen, dot};
use crate::spectral::centered;
use crate::{Error, Fit, Points, Problem, Result, Run};
use ascent::{Limits, ascend};
use memberships::Memberships;
use serde::{Deserialize, Serialize};
use sweep::{Coordination, metric_of};

/// The most analyzers unless their number is given.
const MOST: usize = 200;
/// The least noise of a variable, as a share of its variance.
const LEAST_NOISE: f64 = 1e-6;
/// The least variance of the coordinates of an analyzer, as a share of that of all.
const LEAST_SPREAD: f64 = 1e-9;
/// Directions in which the maps from g to x are shorter than this, relative to the longest, are none.
const NEGLIGIBLE: f64 = 1e-9;

/// The map in which the coordination of analyzers begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinationStart {
    /// Local tangent space alignment.
    #[default]
    Ltsa,
    /// Locally linear embedding.
    Lle,
    /// The principal coordinates.
    Pca,
}

impl CoordinationStart {
    pub(super) const NAMES: &'static [&'static str] = &["ltsa", "lle", "pca"];

    fn check(self, problem: &Problem<'_>) -> Result<()> {
        match self {
            Self::Ltsa => Recipe::check(&Ltsa::default(), problem),
            Self::Lle => Recipe::check(&Lle::default(), problem),
            Self::Pca => Ok(()),
        }
    }

    fn embed(self, problem: &Problem<'_>, points: &Points, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        match self {
            Self::Ltsa => Recipe::embed(&Ltsa::default(), problem, fit),
            Self::Lle => Recipe::embed(&Lle::default(), problem, fit),
            Self::Pca => principal_coordinates(points, problem.dim(), fit),
        }
    }
}

/// How analyzers are coordinated.
pub(super) struct Settings {
    pub(super) analyzers: Option<usize>,
    pub(super) start: CoordinationStart,
    pub(super) iterations: usize,
    pub(super) tolerance: f64,
}

/// Coordinates on the way.
#[derive(Debug, Clone)]
struct State {
    /// g_n, d numbers a point.
    coordinates: Vec<f64>,
    /// Sigma_n, d x d numbers a point.
    uncertainty: Vec<f64>,
    /// q_ns, in the order of the points.
    shares: Vec<f64>,
    dim: usize,
}

impl Settings {
    /// The number of analyzers of a problem: one for 8 (d + 1) points.
    fn count(&self, problem: &Problem<'_>) -> usize {
        self.analyzers.unwrap_or((problem.len() / (8 * (problem.dim() + 1))).clamp(1, MOST))
    }

    pub(super) fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let (count, given) = (problem.len(), self.count(problem));
        if given > count {
            let limit = Limit::because(Bound::Within(1.0, count as f64), "there are no more points");
            let name = Name::setting("analyzers");
            let advice = Advice::leave_out(name.clone(), "leave it out for one per 8 (dim + 1) points");
            return Err(Error::parameter(name, given, limit, advice));
        }
        self.start.check(problem)
    }

    /// The global coordinates, in the unit of the points.
    pub(super) fn coordinate(
        &self,
        problem: &Problem<'_>,
        points: &Points,
        analysis: &dyn Analysis,
        fit: &mut Fit<'_>,
    ) -> Result<Vec<f64>> {
        let (dim, run) = (problem.dim(), fit.run());
        let start = self.start.embed(problem, points, fit)?;
        let held = cover(problem, self.count(problem), run)?;
        let (memberships, shares) = Memberships::new(&held, problem.len());
        let (values, unit) = run.install(|| centered(points));
        let uncertainty = vec![0.0; problem.len() * dim * dim];
        let state = State { coordinates: start, uncertainty, shares, dim };
        let mut coordination = Coordination {
            values: &values,
            width: points.dim(),
            memberships: &memberships,
            bounds: bounds(&values, points.dim(), &state),
        };
        let state = begun(&mut coordination, state, run)?;
        fit.lap("analyzers");
        let limits = Limits { sweeps: self.iterations, gain: self.tolerance };
        let found = ascend(&coordination, state, analysis, &limits, run)?;
        fit.lap("coordination");
        // From the unit of the sweeps to that of the points.
        let shift = points.dim() as f64 * unit.ln();
        let in_unit = |bounds: &[f64]| bounds.iter().map(|bound| bound - shift).collect::<Vec<_>>();
        fit.fact("analyzers", memberships.analyzers());
        fit.fact("sweeps_held", found.held.len());
        fit.fact("sweeps_free", found.free.len());
        fit.fact("bound", found.free.last().or(found.held.last()).map(|bound| bound - shift));
        fit.trace("bound_held", in_unit(&found.held));
        fit.trace("bound", in_unit(&found.free));
        fit.ended(if found.converged { Stop::Converged } else { Stop::MaxIterations });
        let mut placed = stretched(&found.swept.state.coordinates, &found.swept.metric, dim)?;
        set_upright(&mut placed, dim);
        placed.iter_mut().for_each(|value| *value *= unit);
        Ok(placed)
    }
}

/// The least variances for these points and this start.
fn bounds(values: &[f64], width: usize, state: &State) -> Bounds {
    let variances = mean_squares(values, width);
    let mean = variances.iter().sum::<f64>() / width as f64;
    let noise = variances.iter().map(|&own| LEAST_NOISE * if own > 0.0 { own } else { mean }.max(f64::MIN_POSITIVE));
    let spread = LEAST_SPREAD * mean_squares(&state.coordinates, state.dim).iter().sum::<f64>() / state.dim as f64;
    Bounds { noise: noise.collect(), spread: spread.max(f64::MIN_POSITIVE) }
}

/// The mean square of each column.
fn mean_squares(values: &[f64], width: usize) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    for row in values.chunks_exact(width) {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value * value);
    }
    let count = (values.len() / width) as f64;
    sums.into_iter().map(|sum| sum / count).collect()
}

/// The start, stretched so that the maps from it to the data keep lengths on average.
fn begun(coordination: &mut Coordination<'_>, state: State, run: &Run) -> Result<State> {
    let analyzers = coordination.analyzers(&state, &super::global_coordination::Free, &run.quiet())?;
    let coordinates = stretched(&state.coordinates, &metric_of(&analyzers, state.dim), state.dim)?;
    let state = State { coordinates, ..state };
    coordination.bounds = bounds(coordination.values, coordination.width, &state);
    Ok(state)
}

/// g G^(1/2), G the metric.
fn stretched(coordinates: &[f64], metric: &[f64], dim: usize) -> Result<Vec<f64>> {
    let mut eigen = SymmetricEigen::default();
    if metric.iter().any(|value| !value.is_finite()) {
        return Err(Error::data("the local models left the range of numbers", "remove points that are equal"));
    }
    eigen.decompose(metric, dim);
    let values = eigen.values();
    let rank = values.iter().filter(|&&value| value > 0.0 && value.sqrt() > NEGLIGIBLE * values[0].sqrt()).count();
    if rank < dim {
        return Err(Error::RankDeficient {
            what: "the local models together span".into(),
            given: rank,
            needed: dim,
            advice: "choose fewer dimensions or a larger {k}, and remove points that are equal".into(),
        });
    }
    let root = rebuilt(&eigen, dim, |at| eigen.values()[at].sqrt());
    Ok(coordinates.chunks_exact(dim).flat_map(|row| root.chunks_exact(dim).map(move |root| dot(root, row))).collect())
}
