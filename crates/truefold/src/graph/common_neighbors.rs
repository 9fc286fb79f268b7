//! Which points are near one point in a neighbor graph: those that have a neighbor in common with it, themselves included.
//!
//! This is wider than the lists and has no number to choose: the 13th neighbor of 12 is no stranger. How wide it is depends on
//! the graph, from a few points to nearly all where k^2 is near n or some points are neighbors of many, so that shares of
//! strangers are held beside the share among random points. Cost: O(k) for each point asked about, and O(log k) more for each mark in common.

use crate::{Neighborhoods, Result, Run};

/// Points that share work space.
const BLOCK: usize = 1024;
/// From this share of what chance gives on, most of what a map shows as near is not.
const MOSTLY: f64 = 0.5;
/// Random points that a point is compared with.
const DRAWS: usize = 8;
/// About as many points are compared with random ones; the mean over more is the same to a thousandth.
const COMPARED: usize = 1 << 16;

/// Words of the marks by which most strangers are told without a search.
const WORDS: usize = 16;

/// The point from which others are looked at.
#[derive(Debug, Default)]
pub(crate) struct CommonNeighbors {
    sorted: Vec<u32>,
    /// One bit for the last digits of each of its members.
    marks: [u64; WORDS],
}

impl CommonNeighbors {
    /// Looks from the point of this row.
    pub(crate) fn look_from(&mut self, graph: &Neighborhoods, row: usize) {
        self.sorted.clear();
        self.sorted.extend_from_slice(graph.members(row));
        self.sorted.sort_unstable();
        self.marks = [0; WORDS];
        for &member in &self.sorted {
            let (word, bit) = mark(member);
            self.marks[word] |= bit;
        }
    }

    /// Whether `other` is near that point in the same graph.
    pub(crate) fn has(&self, graph: &Neighborhoods, other: u32) -> bool {
        graph.members(other as usize).iter().any(|member| {
            let (word, bit) = mark(*member);
            self.marks[word] & bit != 0 && self.sorted.binary_search(member).is_ok()
        })
    }

    /// Whether a point is among those that are compared with random ones.
    pub(crate) fn is_compared(graph: &Neighborhoods, row: usize) -> bool {
        // Spread evenly, and by no step that rows in some order may have too.
        let place = (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        u128::from(place) * (graph.len() as u128) < (COMPARED as u128) << 32
    }

    /// The share of strangers among some random points, for the point in `row` that was looked from; none for a point that
    /// is not among those compared.
    pub(crate) fn strangers_by_chance(&self, graph: &Neighborhoods, row: usize) -> Option<f64> {
        let count = graph.len();
        if count < 2 {
            return Some(1.0);
        }
        if !Self::is_compared(graph, row) {
            return None;
        }
        // Spread evenly over the rows, from a place that depends on the row alone.
        let first = (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        let draws = DRAWS.min(count - 1);
        let step = (count - 1) / draws;
        let other = |draw: usize| (row + 1 + (first as usize + draw * step) % (count - 1)) % count;
        let strangers = (0..draws).filter(|&draw| !self.has(graph, other(draw) as u32)).count();
        Some(strangers as f64 / draws as f64)
    }
}

/// The word and the bit of a row.
#[inline(always)]
fn mark(row: u32) -> (usize, u64) {
    (row as usize / 64 % WORDS, 1 << (row % 64))
}

/// Whether a map lies on itself: its neighbors are strangers at least half as often as random points.
pub(crate) fn is_on_itself(false_share: f64, by_chance: f64) -> bool {
    by_chance > 0.0 && false_share >= MOSTLY * by_chance
}

/// The share of the neighbors in `shown` that are strangers in `real`, on average over the points that have some, and the
/// same for random points.
pub(crate) fn false_share(real: &Neighborhoods, shown: &Neighborhoods, run: &Run) -> Result<(f64, f64)> {
    let parts = run.chunks("false neighbors", real.len(), BLOCK, |range| {
        let (mut near, mut found, mut chance) = (CommonNeighbors::default(), Mean::default(), Mean::default());
        for row in range {
            let neighbors = shown.neighbors(row);
            if neighbors.is_empty() {
                continue;
            }
            near.look_from(real, row);
            let strangers = neighbors.iter().filter(|&&other| !near.has(real, other)).count();
            found.add(strangers as f64 / neighbors.len() as f64);
            near.strangers_by_chance(real, row).into_iter().for_each(|share| chance.add(share));
        }
        Ok((found, chance))
    })?;
    Ok((Mean::of(parts.iter().map(|part| part.0)), Mean::of(parts.iter().map(|part| part.1))))
}

/// A sum and how many are in it.
#[derive(Debug, Default, Clone, Copy)]
struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// The mean of all parts; zero where there is nothing.
    fn of(parts: impl Iterator<Item = Self>) -> f64 {
        let all =
            parts.fold(Self::default(), |all, part| Self { sum: all.sum + part.sum, count: all.count + part.count });
        all.sum / all.count.max(1) as f64
    }
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
        // Of the five others of each point all are drawn.
        assert_eq!(near.strangers_by_chance(&path, 2), Some(0.6));
        let jumping = Neighborhoods::from_lists(&[vec![5], vec![0], vec![5], vec![2], vec![0], vec![3]]).unwrap();
        let (share, chance) = false_share(&path, &jumping, &Run::new()).unwrap();
        // Strangers: 0 and 5, 2 and 5, 4 and 0; near: 1 and 0, 3 and 2, 5 and 3 by their neighbor 4.
        assert_eq!(share, 0.5);
        // Near pairs: 0-1, 1-2, 2-3, 3-4, 4-5 and 3-5 of fifteen.
        assert!((chance - 0.6).abs() < 1e-12, "{chance}");
    }
}
