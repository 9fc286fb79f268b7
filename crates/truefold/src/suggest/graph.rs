//! How many neighbors a point should have, and how many components the graph then has.
//!
//! Frames are carried along edges by overlapping neighborhoods, which takes about 3 d + 6 neighbors; where a few more
//! connect the graph, that many are suggested. Still more do not help: neighborhoods only become more curved.

use super::reason::Reason;
use crate::neighbors::DisjointSets;
use crate::{Algorithm, Metric, Neighborhoods, Points, Result, Run, Search};
use serde::Serialize;

/// Searches of more multiplications than this are approximate.
const MOST_WORK: f64 = 1e12;

/// How connected the neighborhood graph is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Connectivity {
    /// Connected components with the suggested number of neighbors.
    pub components: usize,
    /// The smallest number of neighbors with which there is one component, if any that was tried gives one.
    pub connected_from: Option<usize>,
    /// The largest number that was tried.
    pub tried_to: usize,
    /// Whether neighbors were searched approximately, so that there may be fewer components in truth.
    pub approximate: bool,
}

/// The number of neighbors for `dim` dimensions, with the reason, and how connected the graph then is.
pub(super) fn choose(points: &Points, metric: Metric, dim: usize, run: &Run) -> Result<(usize, Reason, Connectivity)> {
    let most = points.len() - 1;
    let usual = (3 * dim + 6).min(most);
    let tried = (2 * usual).min(most);
    let work = points.len() as f64 * points.len() as f64 * points.dim() as f64;
    let approximate = points.dim() > 32 && work > MOST_WORK;
    let algorithm = if approximate { Algorithm::Approximate } else { Algorithm::Auto };
    let found = Search::nearest(tried).with_metric(metric).with_algorithm(algorithm).run(points, run)?;
    let counts = counts(&found, tried);
    let last = counts[tried - 1];
    // As few components as any number gives; fewer neighbors give more.
    let least = (1..=tried).find(|&k| counts[k - 1] == last).unwrap_or(tried);
    let (k, reason) = if least > usual {
        (least, Reason::FewestComponents { k: least, components: last })
    } else {
        (usual, Reason::Usual { dim })
    };
    let graph = Connectivity {
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
