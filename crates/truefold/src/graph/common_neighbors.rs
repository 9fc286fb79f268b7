//! Which points are near one point in a neighbor graph: those that have a neighbor in common with it, themselves included.
//!
//! This is wider than the lists and has no number to choose: the 13th neighbor of 12 is no stranger. Cost: O(k log k) for
//! each point asked about.

use crate::{Neighborhoods, Result, Run};

/// Points that share work space.
const BLOCK: usize = 1024;

/// The point from which others are looked at.
#[derive(Debug, Default)]
pub(crate) struct CommonNeighbors {
    sorted: Vec<u32>,
}

impl CommonNeighbors {
    /// Looks from the point of this row.
    pub(crate) fn look_from(&mut self, graph: &Neighborhoods, row: usize) {
        self.sorted.clear();
        self.sorted.extend_from_slice(graph.members(row));
        self.sorted.sort_unstable();
    }

    /// Whether `other` is near that point in the same graph.
    pub(crate) fn has(&self, graph: &Neighborhoods, other: u32) -> bool {
        graph.members(other as usize).iter().any(|member| self.sorted.binary_search(member).is_ok())
    }
}

/// The share of the neighbors in `shown`, on average over the points that have some, that are not near them in `real`.
pub(crate) fn false_share(real: &Neighborhoods, shown: &Neighborhoods, run: &Run) -> Result<f64> {
    let parts = run.chunks("false neighbors", real.len(), BLOCK, |range| {
        let (mut near, mut sum, mut counted) = (CommonNeighbors::default(), 0.0, 0_usize);
        for row in range {
            let neighbors = shown.neighbors(row);
            if neighbors.is_empty() {
                continue;
            }
            near.look_from(real, row);
            let strangers = neighbors.iter().filter(|&&other| !near.has(real, other)).count();
            sum += strangers as f64 / neighbors.len() as f64;
            counted += 1;
        }
        Ok((sum, counted))
    })?;
    let (sum, counted) = parts.into_iter().fold((0.0, 0), |all, part| (all.0 + part.0, all.1 + part.1));
    Ok(sum / counted.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_are_neighbors_of_either_and_points_that_share_one() {
        // A path of six points: each has the next as its neighbor, the last the one before it.
        let path = Neighborhoods::from_lists(&[vec![1], vec![2], vec![3], vec![4], vec![5], vec![4]]).unwrap();
        let mut near = CommonNeighbors::default();
        near.look_from(&path, 2);
        let found: Vec<bool> = (0..6).map(|other| near.has(&path, other)).collect();
        assert_eq!(found, [false, true, true, true, false, false]);
        let jumping = Neighborhoods::from_lists(&[vec![5], vec![0], vec![5], vec![2], vec![0], vec![3]]).unwrap();
        let share = false_share(&path, &jumping, &Run::new()).unwrap();
        // Strangers: 0 and 5, 2 and 5, 4 and 0; near: 1 and 0, 3 and 2, 5 and 3 by their neighbor 4.
        assert_eq!(share, 0.5);
    }
}
