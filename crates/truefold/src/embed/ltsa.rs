//! Local tangent space alignment (LTSA): coordinates that are as nearly affine in every tangent space as possible.
//!
//! Minimizes sum_i |Y_i - G_i G_i' Y_i|^2 subject to Y'Y = n I, 1'Y = 0: G_i = [1/sqrt(k), u_1, ..., u_d] with u_a the
//! left singular vectors of the centered neighborhood, Y_i its rows of Y. Y are the smallest eigenvectors of M = sum_i
//! S_i (I - G_i G_i') S_i'. Zhang and Zha, "Principal manifolds and nonlinear dimension reduction via tangent space
//! alignment" (2004). Cost: O(n k^2 d) and an eigenproblem, see `solve/eigen`. When it fails: Y is known up to a
//! linear map only, so lengths mean nothing (read R_A or R_C); short axes are stretched to the variance of long ones;
//! where neighborhoods are noise or span fewer than d directions, folds.
//!
//! Differs from the paper: the neighborhoods leave out their centers, as in scikit-learn, unless `center` is set.

use super::aligned::{Lists, Ranks, aligned, check_k};
use super::{Embedder, EmbedderInfo, ParameterInfo};
use crate::embedding::Outcome;
use crate::local::AffineBasis;
use crate::spectral::alignment::{Alignment, Form, Share};
use crate::{Problem, Result, Run};
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "ltsa",
    title: "Local tangent space alignment",
    summary: "coordinates that are as nearly affine in every tangent space as possible, scaled to variance one",
    metric_scale: false,
    default: true,
    cost: "time n k^2 and a sparse factor of n points; memory n k and the factor",
    parameters: &[ParameterInfo {
        name: "center",
        summary: "whether a neighborhood holds its own center: true as in the paper, false as in scikit-learn",
    }],
};

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
    /// Whether a neighborhood holds its own center. One whose center is nobody's neighbor always does.
    pub center: bool,
}

impl Embedder for Ltsa {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        // With d + 1 members every function is affine and nothing is asked of Y.
        let needed = problem.dim() + if self.center { 1 } else { 2 };
        check_k(problem.neighborhoods(), needed, INFO.name, problem.dim())
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        aligned(problem, "tangents", run, |problem, outcome, _| {
            let lists = Lists::new(problem.neighborhoods(), self.center);
            let matrix = tangent_alignment(problem, &lists, outcome, run)?;
            lists.warn(self.center, outcome);
            Ok(matrix)
        })
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// M = sum_i S_i (I - G_i G_i') S_i'.
pub(super) fn tangent_alignment(
    problem: &Problem<'_>,
    lists: &Lists<'_>,
    outcome: &mut Outcome,
    run: &Run,
) -> Result<Alignment> {
    let (input, dim) = (problem.input(), problem.dim());
    let ranks = Ranks::default();
    let matrix =
        Alignment::new(problem.len(), Form::Complements, run, |index, basis: &mut AffineBasis, share: &mut Share| {
            share.members.extend_from_slice(lists.members(index));
            ranks.count(basis.fill(&input, &share.members, dim)?, dim);
            for place in 0..share.members.len() {
                share.factor.extend((0..basis.len()).map(|at| basis.column(at)[place]));
            }
            Ok(())
        })?;
    ranks.judge(problem.len(), dim, outcome)?;
    Ok(matrix)
}
