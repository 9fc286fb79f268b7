//! Collapse: the share of distant pairs that the embedding puts among the neighbors,
//! #{(i, j): steps(i, j) >= s, |y_i - y_j| < r_i} / #{(i, j): steps(i, j) >= s}.
//!
//! steps is the number of edges between two points on the undirected neighborhood graph, infinite between components; s
//! is `Options::steps`; r_i is the median embedded distance from y_i to its own neighbors, so that a neighborhood that
//! was torn in two does not enlarge it. Distant points in the same place count at any r_i. Measures of single neighborhoods
//! cannot detect this, which the discussion of Goldberg and Ritov names as their limit: a sheet folded onto itself keeps R
//! small. Without distant pairs it is 0.
//!
//! Cost: nearly linear in low dimension. All points within r_i are counted by a tree, and those fewer than s steps
//! away, found by a breadth-first search, are subtracted.

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;
use crate::graph::{BallCount, LocalRadius, StepBall};
use crate::linalg::squared_distance;

pub(super) struct Collapse;

impl Measure for Collapse {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "collapse",
            symbol: "collapse",
            summary: "share of the pairs distant on the neighborhood graph that are embedded as near as neighbors",
            range: "0 to 1",
            better: Better::Lower,
            invariant: "rigid motions and scaling of X and of Y",
            cost: Cost::Linear,
            side: Side::Both,
            default: false,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        let (embedding, graph) = (evaluation.embedding(), evaluation.graph());
        let (count, steps) = (embedding.len(), evaluation.options().steps);
        let tree = BallCount::new(embedding);
        // At most 256 parts: each marks the points it has met in a list of all.
        let size = count.div_ceil(256).max(256);
        let parts = evaluation.run().chunks("collapse", count, size, |range| {
            let (mut ball, mut local) = (StepBall::default(), LocalRadius::default());
            let mut pairs = Vec::with_capacity(range.len());
            for point in range {
                let near = ball.around(graph, point, steps);
                let center = embedding.row(point);
                let inside = match local.find(embedding, point, evaluation.neighborhoods().neighbors(point)) {
                    Some(radius) => {
                        let inside = |square: f64| radius.holds(square);
                        let own =
                            near.iter().filter(|&&row| inside(squared_distance(center, embedding.row(row as usize))));
                        tree.count(center, inside) - own.count()
                    }
                    None => 0,
                };
                pairs.push((inside, count - near.len()));
            }
            Ok(pairs)
        })?;
        let pairs = parts.concat();
        let (inside, distant) = pairs.iter().fold((0, 0), |all, pair| (all.0 + pair.0, all.1 + pair.1));
        let per_point: Vec<f64> = pairs.iter().map(|&(inside, distant)| inside as f64 / distant as f64).collect();
        Ok(Score {
            value: if distant > 0 { inside as f64 / distant as f64 } else { 0.0 },
            left_out: 0,
            ..Score::mean(per_point, None)
        })
    }
}
