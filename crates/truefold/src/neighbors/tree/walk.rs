//! The walk through the tree, for a group of up to a leaf of queries at once.

use super::{LEAF, Tree};
use crate::neighbors::shortlist::{Candidate, Shortlist, before};

/// Collects the points that a walk finds.
pub(super) trait Collect {
    /// Points that do not come before this one are ignored; it may only come nearer.
    fn last(&self) -> Candidate;
    /// A point that comes before the last.
    fn offer(&mut self, value: f64, row: u32);
}

impl Collect for Shortlist {
    #[inline(always)]
    fn last(&self) -> Candidate {
        self.last()
    }

    #[inline(always)]
    fn offer(&mut self, value: f64, row: u32) {
        self.offer(value, row);
    }
}

/// All points up to a limit, the limit included.
#[derive(Debug, Clone, Default)]
pub(super) struct Ball {
    pub(super) limit: f64,
    pub(super) found: Vec<Candidate>,
}

impl Collect for Ball {
    #[inline(always)]
    fn last(&self) -> Candidate {
        (self.limit, u32::MAX)
    }

    #[inline(always)]
    fn offer(&mut self, value: f64, row: u32) {
        self.found.push((value, row));
    }
}

/// The number of points up to a limit, the limit included.
#[derive(Debug, Clone, Default)]
pub(super) struct Count {
    pub(super) limit: f64,
    pub(super) count: u32,
}

impl Collect for Count {
    #[inline(always)]
    fn last(&self) -> Candidate {
        (self.limit, u32::MAX)
    }

    #[inline(always)]
    fn offer(&mut self, _: f64, _: u32) {
        self.count += 1;
    }
}

/// What a difference of coordinates adds to the value of a pair.
pub(super) trait Term {
    fn of(difference: f64) -> f64;
}

pub(super) struct Square;

impl Term for Square {
    #[inline(always)]
    fn of(difference: f64) -> f64 {
        difference * difference
    }
}

pub(super) struct Absolute;

impl Term for Absolute {
    #[inline(always)]
    fn of(difference: f64) -> f64 {
        difference.abs()
    }
}

/// Queries that walk the tree together.
pub(super) struct Group<'a> {
    /// Their coordinates, axis by axis, `LEAF` places each.
    pub(super) block: &'a [f64],
    /// The row of each query, which it skips.
    pub(super) own: &'a [u32],
    /// The box that holds them.
    pub(super) low: &'a [f64],
    pub(super) high: &'a [f64],
    /// Their leaf, if they are one: it is visited first.
    pub(super) leaf: Option<usize>,
}

impl Tree {
    /// Offers each collector every point that may come before its last; the number of pairs measured.
    ///
    /// `D` is the dimension if the compiler is to know it, else 0.
    #[inline(always)]
    pub(super) fn walk<const D: usize, T: Term, C: Collect>(&self, group: &Group, collectors: &mut [C]) -> u64 {
        let dim = if D == 0 { self.dim } else { D };
        let mut pairs = 0;
        let mut reach = [f64::NEG_INFINITY; LEAF];
        for (reach, collector) in reach.iter_mut().zip(&*collectors) {
            *reach = collector.last().0;
        }
        if let Some(leaf) = group.leaf {
            pairs += self.visit::<D, T, C>(leaf, None, group, &mut reach, collectors);
        }
        let mut last = farthest(collectors);
        // One node waits per level, and there are fewer than 2^32 points.
        let mut waiting = [(0.0_f64, 0_u32); 40];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (gap, mut node) = waiting[height];
            if !self.matters(gap, node, last) {
                continue;
            }
            loop {
                if let Some(leaf) = self.nodes[node as usize].leaf() {
                    if Some(leaf) != group.leaf {
                        pairs += self.visit::<D, T, C>(leaf, Some(node), group, &mut reach, collectors);
                        last = farthest(collectors);
                    }
                    break;
                }
                let (left, right) = (node + 1, self.nodes[node as usize].link);
                let left_gap = self.gap::<D, T>(dim, left, group);
                let right_gap = self.gap::<D, T>(dim, right, group);
                let left_key = (left_gap, self.nodes[left as usize].least_row);
                let right_key = (right_gap, self.nodes[right as usize].least_row);
                let (near, far) = if before(right_key, left_key) {
                    ((right_gap, right), (left_gap, left))
                } else {
                    ((left_gap, left), (right_gap, right))
                };
                if self.matters(far.0, far.1, last) {
                    waiting[height] = far;
                    height += 1;
                }
                if !self.matters(near.0, near.1, last) {
                    break;
                }
                node = near.1;
            }
        }
        pairs
    }

    /// Whether a node at this distance may hold a point that comes before `last`.
    #[inline(always)]
    fn matters(&self, gap: f64, node: u32, last: Candidate) -> bool {
        gap < last.0 || (gap == last.0 && self.nodes[node as usize].least_row < last.1)
    }

    /// The value from the box of the group to the box of a node.
    #[inline(always)]
    fn gap<const D: usize, T: Term>(&self, dim: usize, node: u32, group: &Group) -> f64 {
        let corners = &self.boxes[node as usize * 2 * dim..][..2 * dim];
        let (low, high) = corners.split_at(dim);
        let (group_low, group_high) = (&group.low[..dim], &group.high[..dim]);
        let mut gap = 0.0;
        for axis in 0..dim {
            gap += T::of(above_zero(low[axis] - group_high[axis], group_low[axis] - high[axis]));
        }
        gap
    }

    /// Measures the points of a leaf against each query whose reach comes to its box.
    #[inline(always)]
    fn visit<const D: usize, T: Term, C: Collect>(
        &self,
        leaf: usize,
        node: Option<u32>,
        group: &Group,
        reach: &mut [f64; LEAF],
        collectors: &mut [C],
    ) -> u64 {
        let dim = if D == 0 { self.dim } else { D };
        let block = &group.block.as_chunks::<LEAF>().0[..dim];
        let mut gaps = [0.0; LEAF];
        if let Some(node) = node {
            let corners = &self.boxes[node as usize * 2 * dim..][..2 * dim];
            let (low, high) = corners.split_at(dim);
            for (queries, (low, high)) in block.iter().zip(low.iter().zip(high)) {
                for place in 0..LEAF {
                    gaps[place] += T::of(above_zero(low - queries[place], queries[place] - high));
                }
            }
        }
        let coordinates = &self.coordinates.as_chunks::<LEAF>().0[leaf * dim..][..dim];
        let rows = &self.rows[leaf * LEAF..][..LEAF];
        // Measuring the box counts like measuring a point.
        let mut pairs = LEAF as u64;
        for (query, (collector, &own)) in collectors.iter_mut().zip(group.own).enumerate() {
            if gaps[query] > reach[query] {
                continue;
            }
            pairs += LEAF as u64;
            let mut values = [0.0; LEAF];
            for (points, queries) in coordinates.iter().zip(block) {
                for place in 0..LEAF {
                    values[place] += T::of(points[place] - queries[query % LEAF]);
                }
            }
            let mut bits = 0_u32;
            for (place, value) in values.iter().enumerate() {
                bits |= u32::from(*value <= reach[query]) << place;
            }
            while bits != 0 {
                let place = bits.trailing_zeros() as usize % LEAF;
                bits &= bits - 1;
                if rows[place] != own && before((values[place], rows[place]), collector.last()) {
                    collector.offer(values[place], rows[place]);
                }
            }
            reach[query] = collector.last().0;
        }
        pairs
    }
}

/// The larger of two numbers, and at least zero; compiles to plain vector maxima.
#[inline(always)]
fn above_zero(a: f64, b: f64) -> f64 {
    let larger = if a > b { a } else { b };
    if larger > 0.0 { larger } else { 0.0 }
}

#[inline(always)]
fn farthest<C: Collect>(collectors: &[C]) -> Candidate {
    let mut last = (f64::NEG_INFINITY, 0);
    for collector in collectors {
        if before(last, collector.last()) {
            last = collector.last();
        }
    }
    last
}
