//! Local tangent space alignment (LTSA): coordinates that are as nearly affine in every tangent space as possible.
//!
//! Minimizes sum_i |Y_i - G_i G_i' Y_i|^2 subject to Y'Y = n I, 1'Y = 0: G_i = [1/sqrt(k), u_1, ..., u_d] with u_a the
//! left singular vectors of the centered neighborhood, Y_i its rows of Y. Y are the smallest eigenvectors of M = sum_i
//! S_i (I - G_i G_i') S_i'. Zhang and Zha, "Principal manifolds and nonlinear dimension reduction via tangent space
//! alignment" (2004). Cost: O(n k^2 d) and an eigenproblem (`spectral/smallest.rs`). When it fails: Y is determined up
//! to a linear map, so lengths mean nothing (read R_A or R_C), and short axes are stretched to the variance of long
//! ones; where neighborhoods are noise or span fewer than d directions, the map folds.
//!
//! Differs from the paper: the neighborhoods leave out their centers, as in scikit-learn, unless `center` is set.

use super::aligned::{Lists, aligned, check_k, tangent_alignment};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::memory::Need;
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

/// Local tangent space alignment.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Ltsa, fit, measure};
///
/// let run = Run::new();
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &run)?;
/// let embedding = fit(&Ltsa::default(), &Problem::new(&roll.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_a = &measure::evaluate(&roll.points, &embedding.points, &neighborhoods, &["r_a"])?[0];
/// assert!(r_a.value < 0.01);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ltsa {
    /// Whether a neighborhood includes its own center. One whose center is in no other neighborhood always does.
    pub center: bool,
}

impl Recipe for Ltsa {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "ltsa",
        title: "Local tangent space alignment",
        summary: "coordinates that are as nearly affine in every tangent space as possible, scaled to variance one",
        metric_scale: false,
        graph: GraphUse::Components,
        default: true,
        cost: "time n k^2 and a sparse factor of n points; memory n k and the factor",
        parameters: &[ParameterInfo::new(
            "center",
            &[Values::Flag],
            "whether a neighborhood includes its own center: true as in the paper, false as in scikit-learn",
        )],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        // With d + 1 members every function is affine, and Y is not constrained at all.
        check_k(problem, problem.dim() + if self.center { 1 } else { 2 }, Self::INFO.name)
    }

    fn memory(&self, _problem: &Problem<'_>) -> Need {
        // The entries of the alignment matrix, and of its factor.
        Need::of(0.0, 32.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        aligned(problem, "tangents", fit, |problem, fit| {
            tangent_alignment(problem, &Lists::new(problem.neighborhoods(), self.center), fit)
        })
    }
}
