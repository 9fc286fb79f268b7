//! The queries of a tree: nearest points, points within a limit, and the cost of both.
//!
//! Values are the sums of [`Norm`], not distances; lists are in order of (value, row).

use super::walk::{Absolute, Ball, Collect, Count, Group, Square};
use super::{LEAF, Tree};
use crate::neighbors::Norm;
use crate::neighbors::shortlist::{Candidate, Emit, Shortlist, order};
use crate::{Result, Run};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Leaves whose queries are answered by one task.
const TASK: usize = 64;

impl Tree {
    /// Gives `emit` the `k_of(row)` nearest other points of each row, in parallel and in no particular order.
    pub(crate) fn each_nearest(&self, k_of: &(dyn Fn(u32) -> usize + Sync), emit: Emit, run: &Run) -> Result<()> {
        self.each_leaf(run, &|list: &mut Shortlist, row| list.restart(k_of(row)), &|row, list: &mut Shortlist| {
            emit(row, list.finish())
        })
    }

    /// Gives `emit` the other points of each row whose value is at most `limit`.
    pub(crate) fn each_within(&self, limit: f64, emit: Emit, run: &Run) -> Result<()> {
        self.each_leaf(
            run,
            &|ball: &mut Ball, _| {
                ball.limit = limit;
                ball.found.clear();
            },
            &|row, ball: &mut Ball| {
                ball.found.sort_unstable_by(order);
                emit(row, &ball.found)
            },
        )
    }

    /// The `k` nearest points of any point, without row `skip`.
    pub(crate) fn nearest_to(&self, point: &[f64], k: usize, skip: Option<u32>) -> Vec<Candidate> {
        let mut list = Shortlist::default();
        list.restart(k);
        self.ask(point, skip, &mut list);
        list.finish().to_vec()
    }

    /// Adds the nearest points of any point to `list`, as many as it keeps.
    pub(crate) fn nearest_into(&self, point: &[f64], list: &mut Shortlist) {
        self.ask(point, None, list);
    }

    /// The number of pairs measured per point to find the `k` nearest of the points of a leaf.
    pub(crate) fn effort(&self, leaf: usize, k: usize) -> f64 {
        self.effort_of(leaf, |list: &mut Shortlist| list.restart(k))
    }

    /// The number of pairs measured per point to find what is within `limit` of the points of a leaf.
    pub(crate) fn effort_within(&self, leaf: usize, limit: f64) -> f64 {
        self.effort_of(leaf, |count: &mut Count| count.limit = limit)
    }

    fn effort_of<C: Collect + Default>(&self, leaf: usize, start: impl Fn(&mut C) + Sync) -> f64 {
        let pairs = AtomicU64::new(0);
        let job = Leaves {
            tree: self,
            leaves: leaf..leaf + 1,
            start: &|collector: &mut C, _| start(collector),
            end: &|_, _: &mut C| Ok(()),
            pairs: &pairs,
            collector: PhantomData,
        };
        // Nothing in this job can fail.
        let _ = self.dispatch(job);
        pairs.into_inner() as f64 / (self.len - leaf * LEAF).min(LEAF) as f64
    }

    fn ask<C: Collect>(&self, point: &[f64], skip: Option<u32>, collector: &mut C) -> u64 {
        debug_assert_eq!(point.len(), self.dim);
        let mut block = vec![0.0; self.dim * LEAF];
        for (places, value) in block.chunks_exact_mut(LEAF).zip(point) {
            places[0] = *value;
        }
        let own = [skip.unwrap_or(u32::MAX)];
        let group = Group { block: &block, own: &own, low: point, high: point, leaf: None };
        self.dispatch(GroupWalk { tree: self, group, collectors: std::slice::from_mut(collector) })
    }

    fn each_leaf<C: Collect + Default>(
        &self,
        run: &Run,
        start: &(impl Fn(&mut C, u32) + Sync),
        end: &(impl Fn(u32, &mut C) -> Result<()> + Sync),
    ) -> Result<()> {
        run.chunks("neighbors", self.len, TASK * LEAF, |range| {
            let leaves = range.start / LEAF..range.end.div_ceil(LEAF);
            self.dispatch(Leaves { tree: self, leaves, start, end, pairs: &AtomicU64::new(0), collector: PhantomData })
        })?;
        Ok(())
    }

    /// Runs a job with the best instructions of the machine, and with a fixed dimension if that is faster.
    fn dispatch<J: Job>(&self, job: J) -> J::Output {
        let arch = pulp::Arch::new();
        match (self.norm, self.dim) {
            (Norm::Squares, 1) => arch.dispatch(Fixed::<J, 1>(job)),
            (Norm::Squares, 2) => arch.dispatch(Fixed::<J, 2>(job)),
            (Norm::Squares, 3) => arch.dispatch(Fixed::<J, 3>(job)),
            _ => arch.dispatch(Fixed::<J, 0>(job)),
        }
    }
}

/// Work with the dimension known to the compiler.
trait Job {
    type Output;
    fn work<const D: usize>(self) -> Self::Output;
}

struct Fixed<J, const D: usize>(J);

impl<J: Job, const D: usize> pulp::WithSimd for Fixed<J, D> {
    type Output = J::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> J::Output {
        self.0.work::<D>()
    }
}

/// The walk of one group of queries.
struct GroupWalk<'a, C> {
    tree: &'a Tree,
    group: Group<'a>,
    collectors: &'a mut [C],
}

impl<C: Collect> Job for GroupWalk<'_, C> {
    type Output = u64;

    #[inline(always)]
    fn work<const D: usize>(self) -> u64 {
        if D == 0 && self.tree.norm == Norm::Absolutes {
            self.tree.walk::<0, Absolute, C>(&self.group, self.collectors)
        } else {
            self.tree.walk::<D, Square, C>(&self.group, self.collectors)
        }
    }
}

/// The walks of consecutive leaves.
struct Leaves<'a, C, S, E> {
    tree: &'a Tree,
    leaves: Range<usize>,
    start: &'a S,
    end: &'a E,
    pairs: &'a AtomicU64,
    collector: PhantomData<C>,
}

impl<C: Collect + Default, S: Fn(&mut C, u32), E: Fn(u32, &mut C) -> Result<()>> Job for Leaves<'_, C, S, E> {
    type Output = Result<()>;

    #[inline(always)]
    fn work<const D: usize>(self) -> Result<()> {
        let tree = self.tree;
        let dim = tree.dim;
        let mut collectors: [C; LEAF] = std::array::from_fn(|_| C::default());
        let (mut low, mut high) = (vec![0.0; dim], vec![0.0; dim]);
        for leaf in self.leaves {
            let block = &tree.coordinates[leaf * LEAF * dim..][..LEAF * dim];
            let points = (tree.len - leaf * LEAF).min(LEAF);
            for (axis, places) in block.chunks_exact(LEAF).enumerate() {
                low[axis] = places[..points].iter().fold(f64::INFINITY, |low, value| low.min(*value));
                high[axis] = places[..points].iter().fold(f64::NEG_INFINITY, |high, value| high.max(*value));
            }
            let own = &tree.rows[leaf * LEAF..][..points];
            for (collector, &row) in collectors.iter_mut().zip(own) {
                (self.start)(collector, row);
            }
            let group = Group { block, own, low: &low, high: &high, leaf: Some(leaf) };
            let pairs = GroupWalk { tree, group, collectors: &mut collectors[..points] }.work::<D>();
            self.pairs.fetch_add(pairs, Ordering::Relaxed);
            for (collector, &row) in collectors.iter_mut().zip(own) {
                (self.end)(row, collector)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use crate::neighbors::{Metric, Space};

    fn tree(values: &[f64], dim: usize, norm: Norm) -> Tree {
        let points = Points::new(values.len() / dim, dim, values.to_vec()).unwrap();
        let metric = if norm == Norm::Squares { Metric::Euclidean } else { Metric::Manhattan };
        Tree::build(&Space::new(&points, metric).unwrap(), &Run::new()).unwrap()
    }

    #[test]
    fn any_point_can_be_a_query() {
        let values: Vec<f64> = (0..600).map(|at| f64::from(at * 7919 % 1009)).collect();
        for norm in [Norm::Squares, Norm::Absolutes] {
            for dim in [1, 2, 3, 5] {
                let len = 600 / dim;
                let row = |row: usize| &values[row * dim..][..dim];
                let tree = tree(&values, dim, norm);
                let point: Vec<f64> = (0..dim).map(|axis| 333.3 + 100.0 * axis as f64).collect();
                let mut all: Vec<Candidate> =
                    (0..len).map(|other| (norm.value(&point, row(other)), other as u32)).collect();
                all.sort_unstable_by(order);
                assert_eq!(tree.nearest_to(&point, 7, None), all[..7]);
                assert_eq!(tree.nearest_to(&point, 6, Some(all[0].1)), all[1..7]);
            }
        }
    }

    #[test]
    fn every_row_may_want_a_different_number() {
        let values: Vec<f64> = (0..300).map(|at| f64::from(at * 7919 % 1009)).collect();
        let tree = tree(&values, 3, Norm::Squares);
        let emit = |row: u32, list: &[Candidate]| {
            let from = &values[row as usize * 3..][..3];
            assert_eq!(list, tree.nearest_to(from, row as usize % 60, Some(row)));
            Ok(())
        };
        tree.each_nearest(&|row| row as usize % 60, &emit, &Run::new()).unwrap();
    }
}
