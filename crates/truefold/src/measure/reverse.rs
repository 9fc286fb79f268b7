//! R_N, R_C and R_A the other way round: on the neighborhoods of the map.
//!
//! R on the neighborhoods of the data asks whether the map keeps the shape of what is near in the data, and cannot tell
//! whether what lies together in the map belongs together. Here i's neighborhood is the k nearest points of the map, and
//! the statistic compares their shape in the data with that in the map: mean over i of G(X_i, Y_i) / |H X_i|^2 with the
//! index set of Y. Strangers that the map put together are far apart in X, in directions that the map does not have.
//! Cost: one neighbor search in d dimensions and as many fits as there are points.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;
use crate::local::Drawn;

pub(super) struct ReverseRN;
pub(super) struct ReverseRC;
pub(super) struct ReverseRA;

impl Measure for ReverseRN {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "reverse_r_n",
            symbol: "reverse R_N",
            summary: "R_N on the map's own neighborhoods: are they real?",
            range: "0 and up; 1 = nothing explained",
            better: Better::Lower,
            invariant: "rigid motions of X and of Y; scaling both alike",
            cost: Cost::Linear,
            side: Side::Reverse,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.reverse()?.normalized(|fit| fit.rigid, |chance| chance.rigid))
    }
}

impl Measure for ReverseRC {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "reverse_r_c",
            symbol: "reverse R_C",
            summary: "R_C on the map's own neighborhoods: are they real?",
            range: "0 to 1",
            better: Better::Lower,
            invariant: "rigid motions and scaling of X and of Y",
            cost: Cost::Linear,
            side: Side::Reverse,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.reverse()?.normalized(|fit| fit.conformal, |chance| chance.conformal))
    }
}

impl Measure for ReverseRA {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "reverse_r_a",
            symbol: "reverse R_A",
            summary: "R_A on the map's own neighborhoods: are they real?",
            range: "0 to 1",
            better: Better::Lower,
            invariant: "rigid motions and scaling of X; linear maps of Y",
            cost: Cost::Linear,
            side: Side::Reverse,
            default: true,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        Ok(evaluation.reverse()?.normalized(|fit| fit.linear, |chance| Drawn { mean: chance.linear, variance: 0.0 }))
    }
}
