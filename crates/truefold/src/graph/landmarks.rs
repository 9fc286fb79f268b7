//! Landmarks spread over a graph: each is the point farthest, along the graph, from those before it.
//!
//! No point is then farther from a landmark than the least distance between two landmarks, at most twice what any
//! choice of as many could do. Gonzalez (1985). Cost: a shortest-path search each.

use super::{LengthGraph, ShortestPaths, breadth_first};
use crate::{Result, Run};
use rand::{RngExt, SeedableRng};

/// Up to `wanted` landmarks of a connected graph, and the largest distance of a point from its nearest one.
///
/// `visit` gets the distances of all points from each landmark in turn. Fewer are chosen where all other points coincide
/// with one of them.
pub(crate) fn spread_landmarks(
    graph: &LengthGraph,
    wanted: usize,
    run: &Run,
    mut visit: impl FnMut(&[f64]),
) -> Result<(Vec<u32>, f64)> {
    let stage = run.stage("landmarks", wanted);
    let mut paths = ShortestPaths::default();
    // The first is the end of a longest path from the first row: landmarks on the rim hold a shape best.
    let mut next = farthest(paths.from(graph, 0));
    let mut chosen = Vec::with_capacity(wanted);
    let mut nearest = vec![f64::INFINITY; graph.len()];
    while chosen.len() < wanted.min(graph.len()) {
        run.check()?;
        chosen.push(next as u32);
        let distances = paths.from(graph, next);
        for (nearest, &distance) in nearest.iter_mut().zip(distances) {
            *nearest = nearest.min(distance);
        }
        visit(distances);
        next = farthest(&nearest);
        stage.advance(1);
        if nearest[next] == 0.0 {
            break;
        }
    }
    Ok((chosen, nearest[next]))
}

impl LengthGraph {
    /// Points at even steps of a breadth-first search from a random point, in increasing order.
    pub(crate) fn even_landmarks(&self, wanted: usize, seed: u64) -> Vec<u32> {
        let count = self.len();
        let root = rand_chacha::ChaCha8Rng::seed_from_u64(seed).random_range(0..count);
        let mut seen = vec![false; count];
        let mut reached = Vec::with_capacity(count);
        seen[root] = true;
        reached.push(root as u32);
        breadth_first(&mut reached, 0, usize::MAX, |point, reached| {
            for &end in self.ends(point as usize) {
                if !std::mem::replace(&mut seen[end as usize], true) {
                    reached.push(end);
                }
            }
        });
        let mut chosen: Vec<u32> = (0..wanted).map(|at| reached[at * reached.len() / wanted]).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

/// The row of the largest number, the first among equals.
fn farthest(distances: &[f64]) -> usize {
    let mut best = 0;
    for (row, &distance) in distances.iter().enumerate() {
        if distance > distances[best] {
            best = row;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;

    #[test]
    fn landmarks_of_a_path_halve_it() {
        let lists: Vec<Vec<i64>> = (0..9).map(|row: i64| if row == 8 { vec![7] } else { vec![row + 1] }).collect();
        let graph = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), |_, _| 1.0);
        let mut visits = 0;
        let (chosen, reach) = spread_landmarks(&graph, 3, &Run::new(), |_| visits += 1).unwrap();
        assert_eq!((chosen, reach, visits), (vec![8, 0, 4], 2.0, 3));
        let none = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), |_, _| 0.0);
        assert_eq!(spread_landmarks(&none, 3, &Run::new(), |_| ()).unwrap().0.len(), 1);
    }
}
