//! The conformal Procrustes measure, R_C = (1/n) sum_i G_C(X_i, Y_i) / |H X_i|^2.
//!
//! G_C lets every neighborhood of Y have a scale of its own, so R_C <= R_N: the measure to read for methods that
//! normalize their output. The bound is that of R_N. Goldberg and Ritov, eq. 6.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;

pub(super) struct RC;

impl Measure for RC {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "r_c",
            symbol: "R_C",
            summary: "like R_N, with a scale of its own for each neighborhood",
            range: "0 to 1",
            better: Better::Lower,
            invariant: "rigid motions and scaling of X and of Y",
            cost: Cost::Linear,
            side: Side::Forward,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.forward()?.normalized(|fit| fit.conformal, |chance| chance.conformal))
    }
}
