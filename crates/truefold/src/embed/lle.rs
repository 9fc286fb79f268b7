//! Locally linear embedding (LLE): every point keeps the weights by which its neighbors make it.
//!
//! w_i minimizes |x_i - sum_j w_ij x_j|^2 + reg tr(C_i) |w_i|^2 with sum_j w_ij = 1, so (C_i + reg tr(C_i) I) w_i ~ 1
//! with C_i the Gram matrix of the neighbors about x_i; then Y minimizes sum_i |y_i - sum_j w_ij y_j|^2 subject to Y'Y
//! = n I, 1'Y = 0: the smallest eigenvectors of M = (I - W)'(I - W). Roweis and Saul, "Nonlinear dimensionality
//! reduction by locally linear embedding" (2000). Cost: O(n k^3) and an eigenproblem, see `solve/eigen`. When it
//! fails: for k > q the weights are made by the regularization, which bends the map; Y is known up to a linear map
//! only.

use super::aligned::aligned;
use super::{Embedder, EmbedderInfo, ParameterInfo, check_positive};
use crate::embedding::Outcome;
use crate::linalg::solve_definite;
use crate::local::AroundCenter;
use crate::spectral::alignment::{Alignment, Form, Share};
use crate::{Error, Problem, Result, Run};
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "lle",
    title: "Locally linear embedding",
    summary: "every point keeps the weights by which its neighbors make it; scaled to variance one",
    metric_scale: false,
    default: true,
    cost: "time n k^3 and a sparse factor of n points; memory n k and the factor",
    parameters: &[ParameterInfo {
        name: "reg",
        summary: "regularization of the weights, times the trace of each local Gram matrix; above 0",
    }],
};

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

impl Embedder for Lle {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        check_positive("reg", self.reg, "1e-3 suits most data")
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        aligned(problem, "weights", run, |problem, _, _| weight_alignment(problem, self.reg, run))
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// M = (I - W)'(I - W).
pub(super) fn weight_alignment(problem: &Problem<'_>, reg: f64, run: &Run) -> Result<Alignment> {
    let input = problem.input();
    Alignment::new(problem.len(), Form::Squares, run, |index, around: &mut AroundCenter, share: &mut Share| {
        share.members.extend_from_slice(problem.neighborhoods().members(index));
        let gram = around.fill(&input, &share.members)?;
        share.factor.push(1.0);
        share.factor.resize(share.members.len(), 0.0);
        weights(gram, reg, &mut share.factor[1..])?;
        share.factor[1..].iter_mut().for_each(|weight| *weight = -*weight);
        Ok(())
    })
}

/// The weights of one neighborhood from the Gram matrix about its center, which is overwritten.
pub(super) fn weights(gram: &mut [f64], reg: f64, weights: &mut [f64]) -> Result<()> {
    let count = weights.len();
    let trace: f64 = (0..count).map(|at| gram[at * count + at]).sum();
    // Where all neighbors equal the point any weights will do; these are then equal.
    let ridge = if trace > 0.0 { reg * trace } else { reg };
    (0..count).for_each(|at| gram[at * count + at] += ridge);
    weights.fill(1.0);
    let solved = solve_definite(gram, weights);
    let sum: f64 = weights.iter().sum();
    if !(solved && sum.is_finite() && sum > 0.0) {
        return Err(Error::data(
            "the weights of a neighborhood have no solution in double precision",
            "choose a larger reg, or rescale the data",
        ));
    }
    weights.iter_mut().for_each(|weight| *weight /= sum);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_make_a_point_from_its_neighbors() {
        // The point 0 between -1 and 3 on a line: three quarters and one quarter as the regularization goes to zero.
        let mut found = [0.0; 2];
        weights(&mut [1.0, -3.0, -3.0, 9.0], 1e-12, &mut found).unwrap();
        assert!((found[0] - 0.75).abs() < 1e-9 && (found[1] - 0.25).abs() < 1e-9, "{found:?}");
        weights(&mut [0.0; 9], 1e-3, &mut [0.0; 3]).unwrap();
    }

    #[test]
    fn the_regularized_weights_are_those_of_the_formula() {
        // C = diag(1, 2), reg 0.1: (C + 0.3 I) w ~ 1.
        let mut found = [0.0; 2];
        weights(&mut [1.0, 0.0, 0.0, 2.0], 0.1, &mut found).unwrap();
        let exact = (1.0 / 1.3) / (1.0 / 1.3 + 1.0 / 2.3);
        assert!((found[0] - exact).abs() < 1e-14);
    }
}
