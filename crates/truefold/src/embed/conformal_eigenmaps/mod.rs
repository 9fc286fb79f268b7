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

use super::aligned::{Lists, check_count, check_k, tangent_alignment, weight_alignment};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::error::{Advice, Bound, Limit, Name};
use crate::linalg::{SymmetricEigen, add_scaled, principal_coordinates};
use crate::semidefinite::least_quadratic;
use crate::spectral::smallest;
use crate::warning::{KeptByMore, Warning};
use crate::{Error, Fit, Problem, Result};
use serde::{Deserialize, Serialize};
use similarity::Similarity;

/// The most eigenvectors: the program grows with the sixth power of their number.
const MOST: usize = 30;
/// A smaller share of the variance in d dimensions is worth a warning.
const FLAT: f64 = 0.95;
/// How far below the value found the least one may lie, relative to that of the plain eigenvectors.
const TOLERANCE: f64 = 1e-9;

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
    /// Eigenvectors of locally linear embedding.
    #[default]
    Lle,
    /// Eigenvectors of local tangent space alignment.
    Ltsa,
}

impl Default for ConformalEigenmaps {
    fn default() -> Self {
        Self { eigenvectors: 10, base: Base::default(), reg: 1e-3 }
    }
}

impl Recipe for ConformalEigenmaps {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "conformal-eigenmaps",
        title: "Conformal eigenmaps",
        summary: "mixes bottom eigenvectors so that neighborhoods keep their angles; sizes may change from place to \
                  place",
        metric_scale: false,
        graph: GraphUse::Components,
        default: false,
        cost: "that of lle, n k^2 m^4 for m eigenvectors, and a program of m x m matrices",
        parameters: &[
            ParameterInfo::new(
                "eigenvectors",
                &[Values::Whole(1, MOST)],
                "how many bottom eigenvectors are mixed, at least the dimensions",
            ),
            ParameterInfo::new(
                "base",
                &[Values::Names(&["lle", "ltsa"])],
                "whose eigenvectors are mixed: lle as in the paper, or ltsa",
            ),
            ParameterInfo::new(
                "reg",
                &[Values::Above(0.0)],
                "regularization of LLE's weights, times the trace of each local Gram matrix",
            ),
        ],
    };

    fn check_parameters(&self, dim: usize) -> Result<()> {
        if self.eigenvectors >= dim {
            return Ok(());
        }
        let name = Name::setting("eigenvectors");
        let bound = Bound::Within(dim as f64, MOST as f64);
        let limit = Limit::because(bound, "the embedding needs at least one eigenvector per dimension");
        Err(Error::parameter(name.clone(), self.eigenvectors, limit, Advice::change(name, "10 suits most data")))
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        check_count(problem, Self::INFO.name)?;
        match self.base {
            Base::Lle => Ok(()),
            Base::Ltsa => check_k(problem, problem.dim() + 2, Self::INFO.name),
        }
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (count, dim, run) = (problem.len(), problem.dim(), fit.run());
        let matrix = match self.base {
            Base::Lle => weight_alignment(problem, self.reg, run)?,
            Base::Ltsa => tangent_alignment(problem, &Lists::new(problem.neighborhoods(), true), fit)?,
        };
        fit.lap("weights");
        let wanted = self.eigenvectors.min(count - 2);
        let null = vec![1.0 / (count as f64).sqrt(); count];
        let spectrum = smallest(&matrix, &null, wanted, problem.neighborhoods(), run)?;
        spectrum.report(fit.facts());
        drop(matrix);
        fit.lap("eigenvectors");

        let length = (count as f64).sqrt();
        let y: Vec<f64> = spectrum.vectors.iter().map(|value| value * length).collect();
        let similarity = Similarity::new(problem, &y, wanted, run)?;
        fit.lap("similarity");
        let found = least_quadratic(&similarity.form, wanted, TOLERANCE, run)?;
        fit.lap("program");
        fit.fact("program_steps", found.steps);
        fit.fact("program_gap", found.gap / found.value.max(found.gap));
        fit.fact("mismatch", similarity.mismatch(&found.matrix));

        let (values, variances) = mixed(&y, wanted, &found.matrix, dim);
        let (kept, all) = (variances[..dim].iter().sum::<f64>(), variances.iter().sum::<f64>());
        fit.fact("variance_in_dim", kept / all);
        if kept < FLAT * all {
            fit.warn(Warning::VarianceOutside { dim, share: kept / all, keeps: KeptByMore::Shapes });
        }
        let scale = similarity.scale(&found.matrix);
        let inverse = if scale > 0.0 { 1.0 / scale.sqrt() } else { 1.0 };
        Ok(values.into_iter().map(|value| value * inverse).collect())
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
