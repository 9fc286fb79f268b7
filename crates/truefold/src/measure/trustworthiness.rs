//! Trustworthiness: are the neighbors that the embedding shows neighbors in the input? (1/n) sum_i T_i with
//! T_i = 1 - (sum over j of max(0, rank_X(i, j) - k_i)) / worst_i, j the k_i nearest embedded points of point i.
//!
//! k_i is the number of its input neighbors, rank_X the place of j among the points by input distance, and worst_i the
//! largest that the sum can be (`ranks.rs`). Venna and Kaski, ICANN 2001. Cost: quadratic, though points that keep
//! their neighbors cost nothing; `sample` makes it proportional to the sample.

use super::distances::Distances;
use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side, embedded, ranks};
use crate::{Origin, Result};

pub(super) struct Trustworthiness;

impl Measure for Trustworthiness {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "trustworthiness",
            symbol: "trustworthiness",
            summary: "whether points shown as neighbors are neighbors in the input, by rank",
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
        let distances = Distances::new(evaluation.input(), evaluation.metric())?;
        // Only an exact search by the same distance says that the neighbors have the first k_i ranks.
        let ranked = matches!(neighborhoods.origin(), Origin::Exact { .. } | Origin::Distances { .. });
        ranks::kept_order(evaluation, "trustworthiness", &distances, |point, targets, sorted| {
            let first = if ranked { neighborhoods.neighbors(point) } else { &[] };
            embedded::strangers(shown.neighbors(point), first, sorted, targets);
        })
    }
}
