//! Automatic alignment of local models (LLC, locally linear coordination): local coordinates, laid together by LLE's
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

use super::{Embedder, EmbedderInfo, ParameterInfo, check_positive};
use crate::embedding::Outcome;
use crate::history::Stopwatch;
use crate::warning::{Deficient, Warning};
use crate::{Error, Problem, Result, Run};
use models::Models;
use serde::{Deserialize, Serialize};

/// Points per model, unless the number of models is given.
const POINTS: usize = 16;
/// The most models unless their number is given, and the most unknowns of the dense problem.
const MODELS: usize = 200;
const UNKNOWNS: usize = 3000;
/// Eigenvalues that agree to this share cannot be told apart.
const EQUAL: f64 = 1e-6;

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "llc",
    title: "Locally linear coordination",
    summary: "local linear models about landmarks, laid together by LLE's weights; scaled to variance one",
    metric_scale: false,
    default: false,
    cost: "a shortest-path search per model, time n k^3, and a dense problem of models (dim + 1) unknowns",
    parameters: &[
        ParameterInfo { name: "models", summary: "the number of local models; null is one for 16 points, at most 200" },
        ParameterInfo {
            name: "reg",
            summary: "regularization of LLE's weights, times the trace of each local Gram matrix; above 0",
        },
    ],
};

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

impl Embedder for Llc {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        check_positive("reg", self.reg, "1e-3 suits most data")
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let (dim, models) = (problem.dim(), self.count(problem.len()));
        let most = (UNKNOWNS / (dim + 1)).min(problem.len());
        if models == 0 || models > most {
            let limit = format!("is not between 1 and {most}, what {} points in {dim} dimensions allow", problem.len());
            return Err(Error::parameter("models", models, limit, "leave it out for one model per 16 points"));
        }
        if problem.len() < dim + 2 {
            return Err(Error::TooFewPoints {
                task: format!("{} in {dim} dimensions", INFO.name).into(),
                needed: dim + 2,
                given: problem.len(),
                advice: "choose fewer dimensions or give more points".into(),
            });
        }
        Ok(())
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        let mut watch = Stopwatch::start();
        let models = Models::new(problem, self.count(problem.len()), run)?;
        watch.lap("models");
        let found = coordinate::coordinate(problem, &models, self.reg, run)?;
        watch.lap("coordination");
        let dim = problem.dim();
        let mut outcome = Outcome::direct(found.values);
        outcome.facts.insert("models".into(), models.len().into());
        outcome.facts.insert("unknowns".into(), found.unknowns.into());
        outcome.facts.insert("eigenvalues".into(), found.eigenvalues.clone().into());
        outcome.facts.insert("eigenvalue_next".into(), found.next.into());
        outcome.facts.insert("rank_deficient".into(), models.deficient.into());
        if models.deficient > 0 {
            outcome.warnings.push(Warning::RankDeficient {
                of: Deficient::Models,
                deficient: models.deficient,
                all: models.len(),
                wanted: dim,
            });
        }
        if let (Some(next), Some(&last)) = (found.next, found.eigenvalues.last())
            && next - last <= EQUAL * next
        {
            outcome.warnings.push(Warning::EqualEigenvalues { dim });
        }
        outcome.stages = watch.stages();
        Ok(outcome)
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
