//! Neighbor overlap: the mean share of neighbors kept, (1/n) sum_i |N_X(i) and N_Y(i)| / k_i.
//!
//! N_X(i) are the k_i input neighbors of point i and N_Y(i) its k_i nearest embedded points. Unlike trustworthiness and
//! continuity it does not depend on how far away a lost neighbor is. Cost: one neighbor search in the embedding.

use super::{Better, Chance, Cost, Evaluation, Measure, MeasureInfo, Score, Side, embedded};
use crate::Result;

pub(super) struct Overlap;

impl Measure for Overlap {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "overlap",
            symbol: "overlap",
            summary: "share of the input neighbors that are among as many nearest embedded points",
            range: "0 to 1",
            better: Better::Higher,
            invariant: "whatever keeps the order of distances, in X and in Y",
            cost: Cost::Linear,
            side: Side::Both,
            default: false,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        let (neighborhoods, shown) = (evaluation.neighborhoods(), evaluation.embedded_neighbors()?);
        let (mut sorted, mut lost) = (Vec::new(), Vec::new());
        let shares = (0..neighborhoods.len()).map(|point| {
            let neighbors = neighborhoods.neighbors(point);
            embedded::strangers(neighbors, shown.neighbors(point), &mut sorted, &mut lost);
            // NaN, and so left out, for a point without neighbors.
            (neighbors.len() - lost.len()) as f64 / neighbors.len() as f64
        });
        let score = Score::mean(shares.collect(), None);
        // k_i of n - 1 others are neighbors in X, and as many in Y: a neighbor is kept by chance with k_i / (n - 1).
        let others = (neighborhoods.len() - 1) as f64;
        let by_chance = (0..neighborhoods.len()).map(|point| match neighborhoods.neighbors(point).len() {
            0 => f64::NAN,
            k => k as f64 / others,
        });
        let by_chance: Vec<f64> = by_chance.collect();
        let chance = Chance::exact(super::mean_of_finite(&by_chance).0);
        Ok(Score { per_point_chance: Some(by_chance), ..score.with_chance(chance) })
    }
}
