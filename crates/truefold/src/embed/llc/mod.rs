//! Automatic alignment of local models (LLC, locally linear coordination): local coordinates, put together by LLE's
//! weights.
//!
//! K local models give point j the coordinates z_jk, d each, and the responsibility r_jk, sum_k r_jk = 1. The global
//! coordinates are y_j = sum_k r_jk (L_k z_jk + l_k), that is Y = U L with rows u_j = (r_jk z_jk, r_jk)_k; the L_k
//! and l_k make LLE's sum_j |y_j - sum_i w_ji y_i|^2 least with (1/n) Y'Y = I: A v = t B v, A = U'(I - W)'(I - W) U,
//! B = U'U / n, the smallest t but for that of Y = 1. Teh and Roweis, "Automatic alignment of local representations"
//! (2002). Cost: K shortest-path searches, O(n k d^2) and a dense problem of K (d + 1) unknowns.
//!
//! When it fails: models wider than the bends of the surface fold it; models with fewer points than they have unknowns
//! follow noise. Y is scaled to variance one, so lengths mean nothing (read R_A or R_C).
//!
//! Differs from the paper: the models are principal axes about landmarks that cover the graph, their responsibilities
//! fall off with the distance along it ([`models`]), and nothing is drawn; the paper fits mixtures of factor analyzers.

mod coordinate;
mod models;
#[cfg(test)]
mod tests;

use super::aligned::check_count;
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::error::{Advice, Bound, Limit, Name};
use crate::warning::{Deficient, Warning};
use crate::{Error, Fit, Problem, Result};
use models::LocalModels;
use serde::{Deserialize, Serialize};

/// Points per model, unless the number of models is given.
const POINTS: usize = 16;
/// The most models unless their number is given, and the most unknowns of the dense problem.
const MODELS: usize = 200;
const UNKNOWNS: usize = 3000;
/// Eigenvalues that agree to this share cannot be told apart.
const EQUAL: f64 = 1e-6;

/// Automatic alignment of local models.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Llc, fit, measure};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run)?;
/// let embedding = fit(&Llc::default(), &Problem::new(&curve.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_a = &measure::evaluate(&curve.points, &embedding.points, &neighborhoods, &["r_a"])?[0];
/// assert!(r_a.value < 0.1);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Llc {
    /// The number of local models. None is one for 16 points, at most 200.
    pub models: Option<usize>,
    /// Regularization of LLE's weights, times the trace of each local Gram matrix.
    pub reg: f64,
}

impl Default for Llc {
    fn default() -> Self {
        Self { models: None, reg: 1e-3 }
    }
}

impl Llc {
    /// The number of models for `count` points.
    fn count(&self, count: usize) -> usize {
        self.models.unwrap_or((count / POINTS).clamp(1, MODELS))
    }
}

impl Recipe for Llc {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "llc",
        title: "Locally linear coordination",
        summary: "local linear models about landmarks, put together by LLE's weights; scaled to variance one",
        metric_scale: false,
        graph: GraphUse::Components,
        default: false,
        cost: "a shortest-path search per model, time n k^3, and a dense problem of models (dim + 1) unknowns",
        parameters: &[
            ParameterInfo::new(
                "models",
                &[Values::Whole(1, usize::MAX), Values::Null],
                "the number of local models; null is one per 16 points, at most 200",
            ),
            ParameterInfo::new(
                "reg",
                &[Values::Above(0.0)],
                "regularization of LLE's weights, times the trace of each local Gram matrix",
            ),
        ],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let (count, dim, models) = (problem.len(), problem.dim(), self.count(problem.len()));
        let most = (UNKNOWNS / (dim + 1)).min(count);
        if models == 0 || models > most {
            let reason = format!("{count} points in {dim} dimensions allow no more");
            let limit = Limit::because(Bound::Within(1.0, most as f64), reason);
            let name = Name::setting("models");
            let advice = Advice::leave_out(name.clone(), "leave it out for one model per 16 points");
            return Err(Error::parameter(name, models, limit, advice));
        }
        check_count(problem, Self::INFO.name)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (dim, run) = (problem.dim(), fit.run());
        let models = LocalModels::new(problem, self.count(problem.len()), run)?;
        fit.lap("models");
        let found = coordinate::coordinate(problem, &models, self.reg, run)?;
        fit.lap("coordination");
        fit.fact("models", models.len());
        fit.fact("unknowns", found.unknowns);
        fit.fact("eigenvalues", found.eigenvalues.clone());
        fit.fact("eigenvalue_next", found.next);
        fit.fact("rank_deficient", models.deficient);
        if models.deficient > 0 {
            let (of, deficient) = (Deficient::Models, models.deficient);
            fit.warn(Warning::RankDeficient { of, deficient, all: models.len(), wanted: dim });
        }
        if let (Some(next), Some(&last)) = (found.next, found.eigenvalues.last())
            && next - last <= EQUAL * next
        {
            fit.warn(Warning::EqualEigenvalues { dim });
        }
        Ok(found.values)
    }
}
