//! Locally linear embedding (LLE): every point keeps the weights by which its neighbors reconstruct it.
//!
//! w_i minimizes |x_i - sum_j w_ij x_j|^2 + reg tr(C_i) |w_i|^2 with sum_j w_ij = 1, so (C_i + reg tr(C_i) I) w_i ~ 1
//! with C_i the Gram matrix of the neighbors about x_i; then Y minimizes sum_i |y_i - sum_j w_ij y_j|^2 subject to Y'Y
//! = n I, 1'Y = 0: the smallest eigenvectors of M = (I - W)'(I - W). Roweis and Saul, "Nonlinear dimensionality
//! reduction by locally linear embedding" (2000). Cost: O(n k^3) and an eigenproblem (`spectral/smallest.rs`). When it
//! fails: for k > q the regularization decides the weights, which bends the map; Y is determined up to a linear map.

use super::aligned::{aligned, weight_alignment};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::memory::Need;
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

/// Locally linear embedding.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Lle, fit};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(600))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run)?;
/// let embedding = fit(&Lle::default(), &Problem::new(&curve.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let variance: f64 = embedding.points.rows().map(|row| row[0] * row[0]).sum::<f64>() / 600.0;
/// assert!((variance - 1.0).abs() < 1e-9);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lle {
    /// Regularization of the weights, times the trace of each local Gram matrix.
    pub reg: f64,
}

impl Default for Lle {
    fn default() -> Self {
        Self { reg: 1e-3 }
    }
}

impl Recipe for Lle {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "lle",
        title: "Locally linear embedding",
        summary: "every point keeps the weights by which its neighbors reconstruct it; scaled to variance one",
        metric_scale: false,
        graph: GraphUse::Components,
        default: true,
        cost: "time n k^3 and a sparse factor of n points; memory n k and the factor",
        parameters: &[ParameterInfo::new(
            "reg",
            &[Values::Above(0.0)],
            "regularization of the weights, times the trace of each local Gram matrix",
        )],
    };

    fn memory(&self, _problem: &Problem<'_>) -> Need {
        // The entries of the alignment matrix, and of its factor.
        Need::of(0.0, 32.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        aligned(problem, "weights", fit, |problem, fit| weight_alignment(problem, self.reg, fit.run()))
    }
}
