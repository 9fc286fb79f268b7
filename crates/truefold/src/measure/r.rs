//! The Procrustes measure R: the mean squared residual of the best rigid motions, R = (1/n) sum_i G(X_i, Y_i).
//!
//! G(X_i, Y_i) is the residual of carrying Y_i onto X_i by rotation and translation; the bound puts the local PCA in
//! the place of Y_i. Goldberg and Ritov, eq. 3. Scales with the square of X. Cost: one pass over the neighborhoods.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;

pub(super) struct R;

impl Measure for R {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "r",
            symbol: "R",
            summary: "mean squared residual of the best rigid motion of each neighborhood",
            range: "0 and up",
            better: Better::Lower,
            invariant: "rigid motions of X and of Y",
            cost: Cost::Linear,
            side: Side::Forward,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.forward()?.score(|fit| fit.rigid, |fit| fit.bound, |_, chance| chance.rigid))
    }
}
