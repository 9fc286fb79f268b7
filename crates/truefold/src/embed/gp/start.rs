//! Where to begin: any point at random, or the middle of the neighborhood graph.
//!
//! The middle is the point whose farthest landmark is nearest, in steps on the graph that joins each point with its
//! neighbors in either direction. Landmarks are chosen one after the other, each farthest from those before. Errors
//! grow with the number of steps from the start, so a start in the middle halves the largest. Cost: a breadth-first
//! search per landmark, O(n k).

use crate::graph::{Adjacency, breadth_first};
use crate::{Neighborhoods, Result, Run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const LANDMARKS: usize = 5;

/// A random point.
pub(super) fn random(points: usize, seed: u64) -> usize {
    ChaCha8Rng::seed_from_u64(seed).random_range(0..points)
}

/// A point in the middle of a connected neighborhood graph, the first row among equals.
pub(super) fn center(neighborhoods: &Neighborhoods, holders: &Adjacency, run: &Run) -> Result<usize> {
    let count = neighborhoods.len();
    let mut landmark = farthest(&steps_from(neighborhoods, holders, 0));
    let (mut nearest, mut most, mut total) = (vec![u32::MAX; count], vec![0; count], vec![0_u64; count]);
    for _ in 0..LANDMARKS {
        run.check()?;
        for (at, step) in steps_from(neighborhoods, holders, landmark).into_iter().enumerate() {
            nearest[at] = nearest[at].min(step);
            most[at] = most[at].max(step);
            total[at] += u64::from(step).pow(2);
        }
        landmark = farthest(&nearest);
    }
    Ok((0..count).min_by_key(|&at| (most[at], total[at])).unwrap_or(0))
}

/// The first row with the largest number of steps.
fn farthest(steps: &[u32]) -> usize {
    (0..steps.len()).max_by_key(|&at| (steps[at], std::cmp::Reverse(at))).unwrap_or(0)
}

/// The number of steps from `start` to every point.
pub(super) fn steps_from(neighborhoods: &Neighborhoods, holders: &Adjacency, start: usize) -> Vec<u32> {
    let mut steps = vec![u32::MAX; neighborhoods.len()];
    steps[start] = 0;
    let mut reached = Vec::with_capacity(neighborhoods.len());
    reached.push(start as u32);
    breadth_first(&mut reached, 0, usize::MAX, |point, reached| {
        let point = point as usize;
        for &other in neighborhoods.neighbors(point).iter().chain(holders.of(point)) {
            if steps[other as usize] == u32::MAX {
                steps[other as usize] = steps[point] + 1;
                reached.push(other);
            }
        }
    });
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;

    #[test]
    fn the_middle_of_a_line_is_in_its_middle() {
        let run = Run::new();
        let line = Points::new(101, 1, (0..101).map(f64::from).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&line, 2, &run).unwrap();
        let middle = center(&neighborhoods, &Adjacency::holders(&neighborhoods), &run).unwrap();
        assert!((49..=51).contains(&middle), "{middle}");
    }
}
