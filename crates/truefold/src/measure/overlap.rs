//! Neighbor overlap: the mean share of neighbors kept, (1/n) sum_i |N_X(i) and N_Y(i)| / k_i.
//!
//! N_X(i) are the k_i input neighbors of point i and N_Y(i) its k_i nearest embedded points. Unlike trustworthiness and
//! continuity it does not depend on how far away a lost neighbor is. Cost: one neighbor search in the embedding.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, embedded};
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
        Ok(Score::mean(shares.collect(), None))
    }
}
