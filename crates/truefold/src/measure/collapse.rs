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
//! away, found by a breadth-first search, are subtracted. By chance it is about one half, as r_i is then the median of
//! distances to any points; it is drawn at a few hundred points of maps with their rows in random order.

use super::sample::{Sample, Sampling};
use super::{Better, Chance, Cost, Evaluation, Measure, MeasureInfo, Score, Side, shuffled};
use crate::graph::{BallCount, LocalRadius, StepBall};
use crate::linalg::squared_distance;
use crate::{Points, Result};

/// Points of each draw: large balls take longer to count than those of the measure.
const DRAWN: usize = 256;

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
        let embedding = evaluation.embedding();
        let tree = BallCount::new(embedding);
        let all: Vec<u32> = (0..embedding.len() as u32).collect();
        let pairs = pairs(evaluation, embedding, &tree, &all, "collapse")?;
        let per_point: Vec<f64> = pairs.iter().map(|pair| pair.inside as f64 / pair.distant as f64).collect();
        let value = share(&pairs).unwrap_or(0.0);
        let score = Score { value, left_out: 0, ..Score::mean(per_point, None) };
        Ok(score.with_chance(chance(evaluation, &tree)?))
    }
}

/// The pairs of one point with distant ones.
#[derive(Clone, Copy)]
struct Pairs {
    /// Those embedded as near as neighbors.
    inside: usize,
    distant: usize,
}

/// The share of all distant pairs that is inside; nothing where none are distant.
fn share(pairs: &[Pairs]) -> Option<f64> {
    let (inside, distant) = pairs.iter().fold((0, 0), |all, pair| (all.0 + pair.inside, all.1 + pair.distant));
    (distant > 0).then(|| inside as f64 / distant as f64)
}

/// The pairs of each of `rows`; `tree` holds the places of `embedding`, in any order.
fn pairs(
    evaluation: &Evaluation<'_>,
    embedding: &Points,
    tree: &BallCount,
    rows: &[u32],
    stage: &str,
) -> Result<Vec<Pairs>> {
    let (graph, steps) = (evaluation.graph(), evaluation.options().steps);
    // At most 256 parts: each marks the points it has met in a list of all.
    let size = rows.len().div_ceil(256).max(256);
    let parts = evaluation.run().chunks(stage, rows.len(), size, |range| {
        let (mut ball, mut local) = (StepBall::default(), LocalRadius::default());
        let mut pairs = Vec::with_capacity(range.len());
        for point in rows[range].iter().map(|&row| row as usize) {
            let near = ball.around(graph, point, steps);
            let center = embedding.row(point);
            let inside = match local.find(embedding, point, evaluation.neighborhoods().neighbors(point)) {
                Some(radius) => {
                    let inside = |square: f64| radius.holds(square);
                    let own = near.iter().filter(|&&row| inside(squared_distance(center, embedding.row(row as usize))));
                    tree.count(center, inside) - own.count()
                }
                None => 0,
            };
            pairs.push(Pairs { inside, distant: embedding.len() - near.len() });
        }
        Ok(pairs)
    })?;
    Ok(parts.concat())
}

/// What maps with their rows in random order give, at a few points of each; nothing where these have no distant pairs.
///
/// The points of a draw spread more than the draws, so the standard error is that over all points of all draws.
fn chance(evaluation: &Evaluation<'_>, tree: &BallCount) -> Result<Option<Chance>> {
    let mut drawn = Vec::new();
    for (draw, embedding) in (0..).zip(&shuffled::embeddings(evaluation)) {
        let seed = evaluation.run().seed().wrapping_add(draw);
        let sample = Sample::new(embedding.len(), Sampling::Points(DRAWN), seed);
        drawn.extend(pairs(evaluation, embedding, tree, sample.rows(), "collapse by chance")?);
    }
    let distant: usize = drawn.iter().map(|pair| pair.distant).sum();
    Ok(share(&drawn).map(|value| {
        let squares: f64 = drawn.iter().map(|pair| (pair.inside as f64 - value * pair.distant as f64).powi(2)).sum();
        let count = drawn.len() as f64;
        Chance { value, error: Some((squares * count / (count - 1.0)).sqrt() / distant as f64) }
    }))
}
