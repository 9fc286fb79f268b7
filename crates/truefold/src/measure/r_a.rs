//! The affine Procrustes measure, R_A = (1/n) sum_i min over B, b of |X_i - Y_i B' - 1 b'|^2 / |H X_i|^2.
//!
//! B is any linear map, one per neighborhood: the relaxation that the discussion of Goldberg and Ritov considers. It
//! measures only whether Y_i determines X_i linearly, so stretched and sheared outputs score well: R_A <= R_C. The bound is
//! that of R_N.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;
use crate::local::Drawn;

pub(super) struct RA;

impl Measure for RA {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "r_a",
            symbol: "R_A",
            summary: "like R_C, with any linear map for each neighborhood",
            range: "0 to 1",
            better: Better::Lower,
            invariant: "linear maps of Y; rigid motions and scaling of X",
            cost: Cost::Linear,
            side: Side::Forward,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.forward()?.normalized(|fit| fit.linear, |chance| Drawn { mean: chance.linear, variance: 0.0 }))
    }
}
