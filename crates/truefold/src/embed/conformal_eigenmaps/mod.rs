//! Conformal eigenmaps: bottom eigenvectors of LLE, mixed so that every neighborhood keeps its shape, if not its size.
//!
//! Y holds the m bottom eigenvectors of LLE's matrix, a row y_j per point; z_j = L y_j with the L of tr L'L = 1 that
//! makes least the sum of (|z_j - z_j'|^2 - s_i |x_j - x_j'|^2)^2 over the pairs j, j' of members of all neighborhoods
//! i, each with its own scale s_i. In P = L'L this is a semidefinite program of m x m matrices: with every s_i at its
//! best value the sum is a quadratic form in P ([`similarity`]). Then the first d principal coordinates of Z. Sha and
//! Saul, "Analysis and extension of spectral methods for nonlinear dimensionality reduction" (2005). Cost: LLE's, n k^2
//! m^4 / 16 for the form, and m^6 for the program.
//!
//! When it fails: the map can only be as good as what the m eigenvectors span; where LLE's are noise (k much above the
//! dimensions of the data, so that regularization makes the weights) more of them help, or `base = ltsa`. The whole is
//! scaled so that the s_i average one; lengths in different places are not comparable beyond that.

mod similarity;
#[cfg(test)]
mod tests;

use super::aligned::Lists;
use super::{Embedder, EmbedderInfo, ParameterInfo, aligned, check_positive, lle, ltsa};
use crate::embedding::Outcome;
use crate::history::Stopwatch;
use crate::linalg::{SymmetricEigen, add_scaled, principal_coordinates};
use crate::semidefinite::least_quadratic;
use crate::spectral::smallest;
use crate::warning::{KeptByMore, Warning};
use crate::{Error, Problem, Result, Run};
use serde::{Deserialize, Serialize};
use similarity::Similarity;

/// The most eigenvectors: the program grows with the sixth power of their number.
const MOST: usize = 30;
/// A smaller share of the variance in d dimensions is worth a warning.
const FLAT: f64 = 0.95;
/// How far below the value found the least one may lie, relative to that of the plain eigenvectors.
const TOLERANCE: f64 = 1e-9;

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "conformal-eigenmaps",
    title: "Conformal eigenmaps",
    summary: "mixes bottom eigenvectors so that neighborhoods keep their angles; sizes may change from place to place",
    metric_scale: false,
    default: false,
    cost: "that of lle, n k^2 m^4 for m eigenvectors, and a program of m x m matrices",
    parameters: &[
        ParameterInfo { name: "eigenvectors", summary: "how many bottom eigenvectors are mixed, from dim to 30" },
        ParameterInfo { name: "base", summary: "whose eigenvectors: lle as in the paper, or ltsa" },
        ParameterInfo {
            name: "reg",
            summary: "regularization of LLE's weights, times the trace of each local Gram matrix; above 0",
        },
    ],
};

/// Conformal eigenmaps.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::ConformalEigenmaps, fit, measure};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(600))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 10, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&ConformalEigenmaps::default(), &problem, Pieces::Error, &run)?;
/// let r_c = &measure::evaluate(&curve.points, &embedding.points, &neighborhoods, &["r_c"])?[0];
/// assert!(r_c.value < 0.05);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConformalEigenmaps {
    /// How many bottom eigenvectors are mixed. Fewer where there are fewer points.
    pub eigenvectors: usize,
    /// Whose eigenvectors.
    pub base: Base,
    /// Regularization of LLE's weights, times the trace of each local Gram matrix.
    pub reg: f64,
}

/// Whose bottom eigenvectors conformal eigenmaps mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Those of locally linear embedding.
    #[default]
    Lle,
    /// Those of local tangent space alignment.
    Ltsa,
}

impl Default for ConformalEigenmaps {
    fn default() -> Self {
        Self { eigenvectors: 10, base: Base::default(), reg: 1e-3 }
    }
}

impl Embedder for ConformalEigenmaps {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, dim: usize) -> Result<()> {
        if self.eigenvectors < dim || self.eigenvectors > MOST {
            let limit = format!("is not between {dim}, the dimensions of the embedding, and {MOST}");
            return Err(Error::parameter("eigenvectors", self.eigenvectors, limit, "10 suits most data"));
        }
        check_positive("reg", self.reg, "1e-3 suits most data")
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let dim = problem.dim();
        if problem.len() < dim + 2 {
            return Err(Error::TooFewPoints {
                task: format!("{} in {dim} dimensions", INFO.name).into(),
                needed: dim + 2,
                given: problem.len(),
                advice: "choose fewer dimensions or give more points".into(),
            });
        }
        match self.base {
            Base::Lle => Ok(()),
            Base::Ltsa => aligned::check_k(problem.neighborhoods(), dim + 2, INFO.name, dim),
        }
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        let mut watch = Stopwatch::start();
        let mut outcome = Outcome::direct(Vec::new());
        let (count, dim) = (problem.len(), problem.dim());
        let matrix = match self.base {
            Base::Lle => lle::weight_alignment(problem, self.reg, run)?,
            Base::Ltsa => {
                let lists = Lists::new(problem.neighborhoods(), true);
                ltsa::tangent_alignment(problem, &lists, &mut outcome, run)?
            }
        };
        watch.lap("weights");
        let wanted = self.eigenvectors.min(count - 2);
        let null = vec![1.0 / (count as f64).sqrt(); count];
        let spectrum = smallest(&matrix, &null, wanted, problem.neighborhoods(), run)?;
        spectrum.report(&mut outcome.facts);
        drop(matrix);
        watch.lap("eigenvectors");

        let length = (count as f64).sqrt();
        let y: Vec<f64> = spectrum.vectors.iter().map(|value| value * length).collect();
        let similarity = Similarity::new(problem, &y, wanted, run)?;
        watch.lap("similarity");
        let found = least_quadratic(&similarity.form, wanted, TOLERANCE, run)?;
        watch.lap("program");
        outcome.facts.insert("program_steps".into(), found.steps.into());
        outcome.facts.insert("program_gap".into(), (found.gap / found.value.max(found.gap)).into());
        outcome.facts.insert("mismatch".into(), similarity.mismatch(&found.matrix).into());

        let (values, variances) = mixed(&y, wanted, &found.matrix, dim);
        let (kept, all) = (variances[..dim].iter().sum::<f64>(), variances.iter().sum::<f64>());
        outcome.facts.insert("variance_in_dim".into(), (kept / all).into());
        if kept < FLAT * all {
            outcome.warnings.push(Warning::VarianceOutside { dim, share: kept / all, keeps: KeptByMore::Shapes });
        }
        let scale = similarity.scale(&found.matrix);
        let inverse = if scale > 0.0 { 1.0 / scale.sqrt() } else { 1.0 };
        outcome.values = values.into_iter().map(|value| value * inverse).collect();
        outcome.stages = watch.stages();
        Ok(outcome)
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The first `dim` principal coordinates of Z = Y P^(1/2), and the variance along all axes.
fn mixed(y: &[f64], width: usize, matrix: &[f64], dim: usize) -> (Vec<f64>, Vec<f64>) {
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(matrix, width);
    let mut root = vec![0.0; width * width];
    for (axis, value) in eigen.values().iter().enumerate() {
        let vector = eigen.vector(axis);
        for (row, &share) in root.chunks_exact_mut(width).zip(vector) {
            add_scaled(row, share * value.max(0.0).sqrt(), vector);
        }
    }
    let mut z = vec![0.0; y.len()];
    for (z, y) in z.chunks_exact_mut(width).zip(y.chunks_exact(width)) {
        for (&value, row) in y.iter().zip(root.chunks_exact(width)) {
            add_scaled(z, value, row);
        }
    }
    principal_coordinates(&z, width, dim)
}
