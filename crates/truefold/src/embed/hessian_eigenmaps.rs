//! Hessian eigenmaps: coordinates whose second derivatives along the surface are as small as possible.
//!
//! Minimizes sum_i |E_i' Y_i|^2 subject to Y'Y = n I, 1'Y = 0, Y_i the rows of Y in neighborhood i. With tangent
//! coordinates u_1, ..., u_d of the neighborhood, E_i is an orthonormal basis
//! - `complement`: of everything off the affine functions [1, u_a], as scikit-learn has it;
//! - `hessian`: of what the products u_a u_b add to the affine functions, as in the paper.
//!
//! Donoho and Grimes, "Hessian eigenmaps: locally linear embedding techniques for high-dimensional data" (2003). Cost:
//! O(n k d^4) and an eigenproblem (`spectral/smallest.rs`). When it fails: needs more neighbors than d + d(d + 1)/2; second
//! derivatives of noise are noise; Y is determined up to a linear map.
//!
//! Differs from the paper: the default is `complement`, so that results agree with those of scikit-learn, whose
//! complete QR decomposition keeps every column past the affine ones; its matrix is that of LTSA. `hessian` keeps the
//! d(d + 1)/2 of the paper. On an S-curve of 1,500 points at k = 12 the two differ by 0.2 % after a linear fit.

use super::aligned::{Lists, aligned, basis_alignment, check_k, tangent_alignment};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::memory::Need;
use crate::spectral::alignment::{Alignment, Form};
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

/// A product of coordinates that adds less than this to the functions before it is rounding: u_a u_b has length about
/// 1 / sqrt(k).
const NEGLIGIBLE: f64 = 1e-8;

/// Hessian eigenmaps.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::embed::{HessianEigenmaps, HessianEstimator};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, fit, measure};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run)?;
/// let method = HessianEigenmaps { estimator: HessianEstimator::Hessian };
/// let embedding = fit(&method, &Problem::new(&curve.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_a = &measure::evaluate(&curve.points, &embedding.points, &neighborhoods, &["r_a"])?[0];
/// assert!(r_a.value < 0.01);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HessianEigenmaps {
    /// What is made small.
    pub estimator: HessianEstimator,
}

/// What Hessian eigenmaps make small in every neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HessianEstimator {
    /// Everything that is not affine in the tangent coordinates, as in scikit-learn.
    #[default]
    Complement,
    /// What the products of tangent coordinates explain, as in the paper.
    Hessian,
}

impl Recipe for HessianEigenmaps {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "hessian-eigenmaps",
        title: "Hessian eigenmaps",
        summary: "coordinates with the smallest second derivatives along the surface, scaled to variance one",
        metric_scale: false,
        graph: GraphUse::Components,
        default: false,
        cost: "time n k d^4 and a sparse factor of n points; memory n k d^2 and the factor",
        parameters: &[ParameterInfo::new(
            "estimator",
            &[Values::Names(&["complement", "hessian"])],
            "what is made small: hessian, the second derivatives as in the paper; or complement, everything that is \
             not affine, as in scikit-learn",
        )],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let dim = problem.dim();
        check_k(problem, dim + dim * (dim + 1) / 2 + 1, Self::INFO.name)
    }

    fn memory(&self, _problem: &Problem<'_>) -> Need {
        // The entries of the alignment matrix, and of its factor.
        Need::of(0.0, 32.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        aligned(problem, "second derivatives", fit, |problem, fit| {
            let lists = Lists::new(problem.neighborhoods(), false);
            match self.estimator {
                HessianEstimator::Complement => tangent_alignment(problem, &lists, fit),
                HessianEstimator::Hessian => second_derivatives(problem, &lists, fit),
            }
        })
    }
}

/// M = sum_i S_i E_i E_i' S_i', E_i an orthonormal basis of what the products of coordinates add to the affine
/// functions.
fn second_derivatives(problem: &Problem<'_>, lists: &Lists<'_>, fit: &mut Fit<'_>) -> Result<Alignment> {
    basis_alignment(problem, lists, Form::Squares, fit, |basis, rank| {
        let affine = basis.len();
        let tangents: Vec<Vec<f64>> = (1..=rank).map(|at| basis.column(at).to_vec()).collect();
        for a in 0..rank {
            for b in a..rank {
                basis.push(tangents[a].iter().zip(&tangents[b]).map(|(a, b)| a * b).collect(), NEGLIGIBLE);
            }
        }
        affine..basis.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laplacian::conjugate_gradient::Operator;
    use crate::{Neighborhoods, Points, Run};

    #[test]
    fn affine_functions_cost_nothing_and_squares_do() {
        let rows: Vec<[f64; 2]> =
            (0..120).map(|at| [f64::from(at % 11) + 0.01 * f64::from(at * at % 7), f64::from(at / 11)]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 9, &Run::new()).unwrap();
        let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
        let lists = Lists::new(&neighborhoods, false);
        let run = Run::new();
        let matrix = second_derivatives(&problem, &lists, &mut Fit::new(&run)).unwrap();
        let energy = |function: &dyn Fn(&[f64]) -> f64| {
            let values: Vec<f64> = points.rows().map(function).collect();
            let mut image = vec![0.0; 120];
            matrix.apply(&values, &mut image, 1, &mut Vec::new());
            crate::linalg::dot(&values, &image)
        };
        assert!(energy(&|_| 3.0).abs() < 1e-12);
        assert!(energy(&|p| 2.0 * p[0] - p[1] + 1.0).abs() < 1e-10);
        assert!(energy(&|p| p[0] * p[0]) > 1.0 && energy(&|p| p[0] * p[1]) > 1.0);
    }
}
