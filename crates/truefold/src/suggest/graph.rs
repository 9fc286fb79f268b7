//! How many neighbors a point should have, and into how many pieces the graph falls with them.
//!
//! Frames are carried along edges by overlapping neighborhoods, which wants 3 d + 6 neighbors; a graph that would hang
//! together with a few more gets them. More than that buys nothing: neighborhoods only grow more bent.

use crate::graph::DisjointSets;
use crate::{Algorithm, Metric, Neighborhoods, Points, Result, Run, Search};
use serde::Serialize;

/// More multiplications than this are searched approximately.
const MOST_WORK: f64 = 1e12;

/// The pieces of the neighborhood graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graph {
    /// Connected components with the suggested number of neighbors.
    pub components: usize,
    /// The least number of neighbors with which there is one component, where any that was tried does.
    pub connected_from: Option<usize>,
    /// The largest number that was tried.
    pub tried_to: usize,
    /// Whether neighbors were searched approximately, so that components may be too many.
    pub approximate: bool,
}

/// The number of neighbors for `dim` dimensions, with the reason, and what becomes of the graph.
pub(super) fn choose(points: &Points, metric: Metric, dim: usize, run: &Run) -> Result<(usize, String, Graph)> {
    let most = points.len() - 1;
    let usual = (3 * dim + 6).min(most);
    let tried = (2 * usual).min(most);
    let work = points.len() as f64 * points.len() as f64 * points.dim() as f64;
    let approximate = points.dim() > 32 && work > MOST_WORK;
    let algorithm = if approximate { Algorithm::Approximate } else { Algorithm::Auto };
    let found = Search::nearest(tried).with_metric(metric).with_algorithm(algorithm).run(points, run)?;
    let counts = counts(&found, tried);
    let last = counts[tried - 1];
    // As few pieces as any number gives; with fewer neighbors there are more.
    let least = (1..=tried).find(|&k| counts[k - 1] == last).unwrap_or(tried);
    let (k, reason) = if least > usual {
        let pieces = if last == 1 { "hangs together".to_owned() } else { format!("has no more than {last} pieces") };
        (least, format!("with fewer than {least} neighbors the graph falls into more pieces; with these it {pieces}"))
    } else {
        (usual, format!("3 d + 6 for d = {dim}: overlaps that fix a frame, and neighborhoods that stay small"))
    };
    let graph = Graph {
        components: counts[k - 1],
        connected_from: (1..=tried).find(|&k| counts[k - 1] == 1),
        tried_to: tried,
        approximate,
    };
    Ok((k, reason, graph))
}

/// The number of components with 1, 2, ... neighbors.
fn counts(neighborhoods: &Neighborhoods, most: usize) -> Vec<usize> {
    let count = neighborhoods.len();
    let mut pieces = DisjointSets::new(count);
    let mut counts = Vec::with_capacity(most);
    for place in 0..most {
        for center in 0..count {
            pieces.join(center as u32, neighborhoods.neighbors(center)[place]);
        }
        counts.push(pieces.count());
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_those_of_a_graph_of_each_size() {
        let points = Points::new(60, 2, (0..120).map(|at| f64::from(at * at % 37)).collect()).unwrap();
        let run = Run::new();
        let counts = counts(&Neighborhoods::nearest(&points, 9, &run).unwrap(), 9);
        for k in 1..=9 {
            assert_eq!(
                counts[k - 1],
                Neighborhoods::nearest(&points, k, &run).unwrap().components().count(),
                "k = {k}"
            );
        }
    }
}
