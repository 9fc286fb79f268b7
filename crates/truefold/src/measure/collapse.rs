//! Collapse: the share of distant pairs that the embedding puts among the neighbors,
//! #{(i, j): steps(i, j) >= s, |y_i - y_j| < r_i} / #{(i, j): steps(i, j) >= s}.
//!
//! steps is the number of edges between two points on the undirected neighborhood graph, infinite between components; s
//! is `Options::steps`; r_i is the median embedded distance from y_i to its own neighbors, which a neighborhood that
//! was torn in two does not widen. Distant points in the same place count at any r_i. This is what no measure of single
//! neighborhoods sees, and what the discussion of Goldberg and Ritov names as the limit of theirs: a sheet folded onto
//! itself keeps R small. No distant pairs: 0.
//!
//! Cost: nearly linear in low dimension. All points within r_i are counted by a tree, and those fewer than s steps
//! away, found by a breadth-first search, are taken off.

use super::ball_count::{BallCount, squared};
use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score};
use crate::{Points, Result};

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
            let mut met = vec![u32::MAX; count];
            let (mut near, mut lengths) = (Vec::new(), Vec::new());
            let mut pairs = Vec::with_capacity(range.len());
            for point in range {
                // All points fewer than `steps` steps away, the point itself first.
                near.clear();
                near.push(point as u32);
                met[point] = point as u32;
                let mut begin = 0;
                for _ in 1..steps {
                    let end = near.len();
                    for place in begin..end {
                        for &other in graph.ends(near[place] as usize) {
                            if met[other as usize] != point as u32 {
                                met[other as usize] = point as u32;
                                near.push(other);
                            }
                        }
                    }
                    if near.len() == end {
                        break;
                    }
                    begin = end;
                }
                let center = embedding.row(point);
                let neighbors = evaluation.neighborhoods().neighbors(point);
                let inside = match median(embedding, center, neighbors, &mut lengths) {
                    Some(radius) => {
                        // Compared as lengths: a square of the radius would not be that of an equal distance.
                        let inside = |square: f64| square.sqrt() < radius || square == 0.0;
                        let own = near.iter().filter(|&&row| inside(squared(center, embedding.row(row as usize))));
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

/// The median distance from `center` to `neighbors`, where there are any.
fn median(points: &Points, center: &[f64], neighbors: &[u32], lengths: &mut Vec<f64>) -> Option<f64> {
    lengths.clear();
    lengths.extend(neighbors.iter().map(|&row| squared(center, points.row(row as usize)).sqrt()));
    lengths.sort_unstable_by(f64::total_cmp);
    let upper = lengths.get(lengths.len() / 2)?;
    Some(if lengths.len() % 2 == 1 { *upper } else { (lengths[lengths.len() / 2 - 1] + upper) / 2.0 })
}
