//! The Procrustes measure on local PCA projections, R_PCA = (1/n) sum_i G(X_i P_i, Y_i).
//!
//! P_i projects neighborhood i on its first d principal components, so only the tangential part of X_i is compared, and
//! the least value is zero. Goldberg and Ritov, eq. 5. Where the d-th and the next component tie, P_i is not unique.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;

pub(super) struct RPca;

impl Measure for RPca {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "r_pca",
            symbol: "R_PCA",
            summary: "like R, on the first d principal components of each neighborhood",
            range: "0 and up",
            better: Better::Lower,
            invariant: "rigid motions of X and of Y",
            cost: Cost::Linear,
            side: Side::Forward,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.forward()?.score(|fit| fit.principal, |_| 0.0, |_, chance| chance.principal))
    }
}
