//! The questions a tree answers: nearest points, points within a limit, and how many.
//!
//! Values are sums as [`Norm`] makes them, not distances; lists are in order of (value, row).

use super::walk::{Absolute, Ball, Collect, Count, Group, Square};
use super::{LEAF, Tree};
use crate::neighbors::Norm;
use crate::neighbors::shortlist::{Candidate, Emit, Shortlist, order};
use crate::{Result, Run};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Leaves whose queries are answered by one task.
const TASK: usize = 64;

impl Tree {
    /// Brings to `emit` the `k_of(row)` nearest other points of each row, in parallel and in no particular order.
    pub(crate) fn each_nearest(&self, k_of: &(dyn Fn(u32) -> usize + Sync), emit: Emit, run: &Run) -> Result<()> {
        self.each_leaf(run, &|list: &mut Shortlist, row| list.restart(k_of(row)), &|row, list: &mut Shortlist| {
            emit(row, list.finish())
        })
    }

    /// Brings to `emit` the other points of each row whose value is at most `limit`.
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

    /// For each row the number of other points whose value is at most `limit`.
    pub(crate) fn counts_within(&self, limit: f64, run: &Run) -> Result<Vec<u32>> {
        let counts: Vec<AtomicU32> = (0..self.len).map(|_| AtomicU32::new(0)).collect();
        self.each_leaf(run, &|count: &mut Count, _| *count = Count { limit, count: 0 }, &|row, count: &mut Count| {
            counts[row as usize].store(count.count, Ordering::Relaxed);
            Ok(())
        })?;
        Ok(counts.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// The `k` nearest points of any point, without row `skip`.
    pub(crate) fn nearest_to(&self, point: &[f64], k: usize, skip: Option<u32>) -> Vec<Candidate> {
        let mut list = Shortlist::default();
        list.restart(k);
        self.ask(point, skip, &mut list);
        list.finish().to_vec()
    }

    /// The points whose value from any point is at most `limit`.
    pub(crate) fn within_of(&self, point: &[f64], limit: f64, skip: Option<u32>) -> Vec<Candidate> {
        let mut ball = Ball { limit, found: Vec::new() };
        self.ask(point, skip, &mut ball);
        ball.found.sort_unstable_by(order);
        ball.found
    }

    /// The number of points whose value from any point is at most `limit`.
    pub(crate) fn count_of(&self, point: &[f64], limit: f64, skip: Option<u32>) -> usize {
        let mut count = Count { limit, count: 0 };
        self.ask(point, skip, &mut count);
        count.count as usize
    }

    /// The number of pairs measured to find the `k` nearest of the point at `place` in the order of the leaves.
    pub(crate) fn effort(&self, place: usize, k: usize) -> u64 {
        let (leaf, place) = (place / LEAF, place % LEAF);
        let block = &self.coordinates[leaf * LEAF * self.dim..];
        let point: Vec<f64> = (0..self.dim).map(|axis| block[axis * LEAF + place]).collect();
        let mut list = Shortlist::default();
        list.restart(k);
        self.ask(&point, Some(self.rows[leaf * LEAF + place]), &mut list)
    }

    fn ask<C: Collect>(&self, point: &[f64], skip: Option<u32>, collector: &mut C) -> u64 {
        debug_assert_eq!(point.len(), self.dim);
        let mut block = vec![0.0; self.dim * LEAF];
        for (places, value) in block.chunks_exact_mut(LEAF).zip(point) {
            places[0] = *value;
        }
        let own = [skip.unwrap_or(u32::MAX)];
        let group = Group { block: &block, own: &own, low: point, high: point, leaf: None };
        self.dispatch(Walk { tree: self, group, collectors: std::slice::from_mut(collector) })
    }

    fn each_leaf<C: Collect + Default>(
        &self,
        run: &Run,
        start: &(impl Fn(&mut C, u32) + Sync),
        end: &(impl Fn(u32, &mut C) -> Result<()> + Sync),
    ) -> Result<()> {
        run.chunks("neighbors", self.len, TASK * LEAF, |range| {
            let leaves = range.start / LEAF..range.end.div_ceil(LEAF);
            self.dispatch(Leaves { tree: self, leaves, start, end, collector: std::marker::PhantomData })
        })?;
        Ok(())
    }

    /// Runs a job with the best instructions the machine has, the dimension fixed where that pays.
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

/// Walks to be done with the dimension known to the compiler.
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

/// One walk.
struct Walk<'a, C> {
    tree: &'a Tree,
    group: Group<'a>,
    collectors: &'a mut [C],
}

impl<C: Collect> Job for Walk<'_, C> {
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
    collector: std::marker::PhantomData<C>,
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
            Walk { tree, group, collectors: &mut collectors[..points] }.work::<D>();
            for (collector, &row) in collectors.iter_mut().zip(own) {
                (self.end)(row, collector)?;
            }
        }
        Ok(())
    }
}
