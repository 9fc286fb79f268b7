//! Continuity: are the input's neighbors still neighbors in the embedding? (1/n) sum_i C_i with
//! C_i = 1 - (sum over j of max(0, rank_Y(i, j) - k_i)) / worst_i, j the k_i input neighbors of point i.
//!
//! Trustworthiness with the two sides exchanged: rank_Y is the place of j among the points by embedded distance, and
//! worst_i the largest that the sum can be (`ranks.rs`). The neighbors are those of the evaluation, however they were
//! found. Venna and Kaski, ICANN 2001. Cost: quadratic at worst, like trustworthiness.

use super::distances::Distances;
use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side, embedded, ranks};
use crate::Result;

pub(super) struct Continuity;

impl Measure for Continuity {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "continuity",
            symbol: "continuity",
            summary: "whether neighbors in the input are still shown as neighbors, by rank",
            range: "0 to 1",
            better: Better::Higher,
            invariant: "whatever keeps the order of distances, in X and in Y",
            cost: Cost::Quadratic,
            side: Side::Both,
            default: false,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        let (neighborhoods, shown) = (evaluation.neighborhoods(), evaluation.embedded_neighbors()?);
        let distances = Distances::euclidean(evaluation.embedding())?;
        ranks::kept_order(evaluation, "continuity", &distances, |point, targets, sorted| {
            embedded::strangers(neighborhoods.neighbors(point), shown.neighbors(point), sorted, targets);
        })
    }
}
