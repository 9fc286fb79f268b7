//! The area under R_NX: how much of the neighborhoods of every size the map keeps, each size counted by its logarithm.
//!
//! sum_K R_NX(K) / K / sum_K 1 / K (`scale.rs`): 1 where all neighborhoods are kept, 0 on average by chance. It asks for
//! no k: small and large neighborhoods count alike. Lee, Peluffo-Ordonez and Verleysen, Neurocomputing 169, 2015. Cost:
//! quadratic; `sample` makes it proportional to the sample.

use super::{Better, Chance, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;

pub(super) struct RNX;

impl Measure for RNX {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "r_nx",
            symbol: "area under R_NX",
            summary: "share of neighborhoods of all sizes that is kept, beyond chance; sizes count by their logarithm",
            range: "at most 1; 0 = chance",
            better: Better::Higher,
            invariant: "whatever keeps the order of distances, in X and in Y",
            cost: Cost::Quadratic,
            side: Side::Both,
            default: false,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        let (curve, areas) = evaluation.curve()?;
        let sample = evaluation.sample();
        let score = sample.score(curve.area, curve.area_error, areas);
        if curve.k.is_empty() {
            return Ok(score);
        }
        let zeros = sample.spread(&vec![0.0; areas.len()]);
        Ok(Score { per_point_chance: Some(zeros), ..score.with_chance(Chance::exact(0.0)) })
    }
}
