//! Collapsed pairs: j is at least s steps from i on the neighborhood graph, and |y_i - y_j| < r_i.
//!
//! r_i is the median embedded distance from y_i to its own neighbors, so that a neighborhood that was torn in two does
//! not enlarge it. Points in the same place are within any r_i. The measure collapse counts these pairs and the penalty of
//! refinement pushes them apart. Cost: a walk visits all points fewer than s steps away.

use super::{LengthGraph, breadth_first};
use crate::Points;
use crate::linalg::distance;

/// The points fewer than some steps from one; all others are distant from it.
#[derive(Debug, Default)]
pub(crate) struct StepBall {
    /// For each point the last center whose walk met it.
    met: Vec<u32>,
    near: Vec<u32>,
}

impl StepBall {
    /// The points fewer than `steps` steps from `point`, itself first.
    pub(crate) fn around(&mut self, graph: &LengthGraph, point: usize, steps: usize) -> &[u32] {
        let (center, met) = (point as u32, &mut self.met);
        met.resize(graph.len(), u32::MAX);
        met[point] = center;
        self.near.clear();
        self.near.push(center);
        breadth_first(&mut self.near, 0, steps.saturating_sub(1), |from, near| {
            for &other in graph.ends(from as usize) {
                if met[other as usize] != center {
                    met[other as usize] = center;
                    near.push(other);
                }
            }
        });
        &self.near
    }

    /// Whether the walk around `point`, the last one, met `other`.
    pub(crate) fn met(&self, point: usize, other: u32) -> bool {
        self.met[other as usize] == point as u32
    }
}

/// The median distance from an embedded point to its own neighbors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Radius {
    pub(crate) length: f64,
    /// The two neighbors in the middle, of whose distances it is the mean; the same one twice where one is in the
    /// middle.
    pub(crate) middle: [u32; 2],
}

impl Radius {
    /// Whether a point at this squared distance is closer.
    pub(crate) fn holds(&self, square: f64) -> bool {
        // Compared as lengths: the square of the radius may differ by rounding from that of an equal distance.
        square.sqrt() < self.length || square == 0.0
    }
}

/// Finds radii, and keeps the work space for it.
#[derive(Debug, Default)]
pub(crate) struct LocalRadius(Vec<(f64, u32)>);

impl LocalRadius {
    /// The radius of `point`; none without neighbors.
    pub(crate) fn find(&mut self, embedding: &Points, point: usize, neighbors: &[u32]) -> Option<Radius> {
        let center = embedding.row(point);
        self.0.clear();
        self.0.extend(neighbors.iter().map(|&row| (distance(center, embedding.row(row as usize)), row)));
        self.0.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let upper = *self.0.get(self.0.len() / 2)?;
        let lower = if self.0.len() % 2 == 1 { upper } else { self.0[self.0.len() / 2 - 1] };
        let length = if self.0.len() % 2 == 1 { upper.0 } else { (lower.0 + upper.0) / 2.0 };
        Some(Radius { length, middle: [lower.1, upper.1] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;

    #[test]
    fn a_walk_along_a_path_meets_those_within_its_steps() {
        let lists: Vec<Vec<i64>> = (0..9).map(|row: i64| vec![if row == 8 { 7 } else { row + 1 }]).collect();
        let graph = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), |_, _| 1.0);
        let mut ball = StepBall::default();
        assert_eq!(ball.around(&graph, 4, 3), &[4, 3, 5, 2, 6]);
        assert!(ball.met(4, 6) && !ball.met(4, 7));
        assert_eq!(ball.around(&graph, 0, 100).len(), 9);
        assert_eq!(ball.around(&graph, 8, 1), &[8]);
        assert!(!ball.met(8, 7));
    }

    #[test]
    fn the_radius_is_the_median_and_knows_its_neighbors() {
        let line = Points::new(5, 1, vec![0.0, 4.0, 1.0, 2.0, -8.0]).unwrap();
        let mut local = LocalRadius::default();
        let even = local.find(&line, 0, &[1, 2, 3, 4]).unwrap();
        assert_eq!(even, Radius { length: 3.0, middle: [3, 1] });
        assert!(even.holds(8.9) && !even.holds(9.0) && even.holds(0.0));
        assert_eq!(local.find(&line, 0, &[2, 4, 1]).unwrap(), Radius { length: 4.0, middle: [1, 1] });
        assert_eq!(local.find(&line, 0, &[]), None);
    }
}
