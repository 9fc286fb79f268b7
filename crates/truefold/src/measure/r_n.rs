//! The normalized Procrustes measure, R_N = (1/n) sum_i G(X_i, Y_i) / |H X_i|^2.
//!
//! Each neighborhood counts the same whatever its size: 0 is a perfect copy, 1 explains nothing, and more than 1 is
//! worse than a single point. Goldberg and Ritov, eq. 4. Neighborhoods of X without extent are left out and counted.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;

pub(super) struct RN;

impl Measure for RN {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "r_n",
            symbol: "R_N",
            summary: "share of each neighborhood that the best rigid motion leaves unexplained",
            range: "0 and up; 1 = nothing explained",
            better: Better::Lower,
            invariant: "rigid motions of X and of Y; scaling both alike",
            cost: Cost::Linear,
            side: Side::Forward,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.forward()?.normalized(|fit| fit.rigid, |chance| chance.rigid))
    }
}
