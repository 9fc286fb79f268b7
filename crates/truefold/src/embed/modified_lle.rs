//! Modified locally linear embedding (MLLE): several weight vectors per point instead of one, so that none is
//! arbitrary.
//!
//! With C_i the Gram matrix of the k neighbors about x_i, V_i the eigenvectors of its s_i smallest eigenvalues, w_i
//! the regularized weights of LLE, a_i = |V_i'1| / sqrt(s_i) and H_i the Householder matrix with H_i V_i'1 = a_i 1,
//! the weights are the columns of W_i = V_i H_i + (1 - a_i) w_i 1'. Y minimizes sum_i |sum over columns of (y_i 1' -
//! Y_i'W_i)|^2 subject to Y'Y = n I, 1'Y = 0. s_i is the largest number of smallest eigenvalues whose sum stays below
//! eta times that of the others, eta the median over all points of the same ratio at k - d. Zhang and Wang, "MLLE:
//! modified locally linear embedding using multiple weights" (2007). Cost: O(n k^3) and an eigenproblem
//! (`spectral/smallest.rs`); memory n k^2. When it fails: Y is determined up to a linear map; with noise the small eigenvalues
//! are noise.

use super::aligned::{aligned, check_k};
use super::{EmbedderInfo, GraphUse, Recipe};
use crate::local::WeightVectors;
use crate::memory::Need;
use crate::spectral::alignment::{Alignment, Form, Share};
use crate::{Error, Fit, Problem, Result, Run};
use serde::{Deserialize, Serialize};

/// Modified locally linear embedding.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::ModifiedLle, fit, measure};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&ModifiedLle::default(), &problem, Pieces::Error, &run)?;
/// let r_a = &measure::evaluate(&curve.points, &embedding.points, &neighborhoods, &["r_a"])?[0];
/// assert!(r_a.value < 0.01);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModifiedLle {}

impl Recipe for ModifiedLle {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "modified-lle",
        title: "Modified locally linear embedding",
        summary: "LLE with several weight vectors per point, so that none is arbitrary; scaled to variance one",
        metric_scale: false,
        graph: GraphUse::Components,
        default: false,
        cost: "time n k^3 and a sparse factor of n points; memory n k^2 and the factor",
        parameters: &[],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        check_k(problem, problem.dim() + 1, Self::INFO.name)
    }

    fn memory(&self, _problem: &Problem<'_>) -> Need {
        // The entries of the alignment matrix, and of its factor.
        Need::of(0.0, 32.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        aligned(problem, "weights", fit, |problem, fit| {
            let eta = flatness(problem, fit.run())?;
            fit.fact("eta", eta);
            fit.lap("spectra");
            let (input, neighborhoods) = (problem.input(), problem.neighborhoods());
            let make = |index: usize, local: &mut WeightVectors, share: &mut Share| {
                share.members.extend_from_slice(neighborhoods.members(index));
                let count = local.decompose(&input, &share.members, true)?;
                local.weigh(count, input.dim().unwrap_or(count), eta, &mut share.factor);
                Ok(())
            };
            Alignment::new(problem.len(), Form::Squares, fit.run(), make)
        })
    }
}

/// eta, the median over all points of the sum of the eigenvalues past the d-th over the sum of the first d.
fn flatness(problem: &Problem<'_>, run: &Run) -> Result<f64> {
    let (input, neighborhoods, dim) = (problem.input(), problem.neighborhoods(), problem.dim());
    let parts = run.chunks("spectra", problem.len(), 512, |range| {
        let mut local = WeightVectors::default();
        let mut ratios = Vec::with_capacity(range.len());
        for index in range {
            let count = local.decompose(&input, neighborhoods.members(index), false)?;
            let values = &local.values[..count.min(input.dim().unwrap_or(count))];
            let (first, rest) = values.split_at(dim.min(values.len()));
            let (first, rest) = (first.iter().sum::<f64>(), rest.iter().sum::<f64>());
            if first > 0.0 {
                ratios.push(rest / first);
            }
        }
        Ok(ratios)
    })?;
    let mut ratios = parts.concat();
    if ratios.is_empty() {
        return Err(Error::RankDeficient {
            what: format!("the neighborhoods of all {} points span", problem.len()).into(),
            given: 0,
            needed: dim,
            advice: "remove points that are equal, or choose a larger {k}".into(),
        });
    }
    ratios.sort_unstable_by(f64::total_cmp);
    let middle = ratios.len() / 2;
    Ok(if ratios.len() % 2 == 1 { ratios[middle] } else { 0.5 * (ratios[middle - 1] + ratios[middle]) })
}
