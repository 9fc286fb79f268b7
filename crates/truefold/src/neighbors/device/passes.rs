//! The k nearest of all rows through a device: passes over the columns until every list is proven.
//!
//! The first pass has one half for each number and lists a little longer than k. Rows whose lists prove nothing (neighbors as
//! near to each other as the errors are wide, or ties) stay open, and a second pass looks at them with two halves and
//! long lists, only below the value of the k-th that the first has found. Where the first batch of the first pass leaves
//! most rows open, the pass is given up for one with two halves; where that of the long lists does, the rest is left to the
//! processor at once. What is open after all passes goes to its search.
//!
//! Operands are made on the processor while the device works: two pieces are on their way at a time. Of rows that lie on the
//! device they are made there. If not all columns fit on the device, they pass through two places for each batch, which is
//! large then.
//!
//! Cost: n^2 q products on the device, n q conversions, and n (k + a few) values of q in double precision.

use super::operands::{Halves, Operands};
use super::proof::{Outcome, Row, settle, threshold_for};
use super::scanner::{Batch, Chunk, Lists, Plan, Scanner, TILE, Taken, Target};
use super::too_little;
use crate::neighbors::shortlist::Emit;
use crate::{Result, Run};

/// Bytes that are sent together, about.
const PIECE: usize = 64 << 20;
/// Bytes of lists that are handed over together, at the most.
const HANDED: usize = 256 << 20;
/// Entries of the lists of rows that were open.
const LONG: usize = 1024;
/// Rows that are settled by one task.
const TASK: usize = 64;

/// A search on a device.
pub(super) struct Passes<'a, S> {
    operands: Operands<'a>,
    scanner: S,
    k: usize,
    /// l of each row.
    lowered: Vec<f32>,
    /// Rows without a proof, in order, and what the values of their neighbors are at the most.
    open: Vec<(u32, f64)>,
}

/// What all batches of a pass share.
struct Pass {
    plan: Plan,
    /// All columns, cut.
    chunks: Vec<(usize, usize)>,
}

impl<'a, S: Scanner> Passes<'a, S> {
    pub(super) fn new(operands: Operands<'a>, scanner: S, k: usize) -> Self {
        let count = operands.space().len();
        let open = (0..count as u32).map(|row| (row, f64::INFINITY)).collect();
        Self { operands, scanner, k, lowered: vec![0.0; count], open }
    }

    /// Gives `emit` the lists that a device can prove; the rows of the others, in order.
    pub(super) fn each_nearest(mut self, emit: Emit, run: &Run) -> Result<Vec<u32>> {
        let few = self.k + (self.k / 2).max(16);
        let stage = run.stage("neighbors", self.open.len());
        let (quiet, done) = (run.quiet(), |rows: usize| stage.advance(rows));
        if !self.pass(Halves::One, few.next_multiple_of(TILE / 4), emit, (&quiet, &done))? {
            self.pass(Halves::Two, few.next_multiple_of(TILE / 4), emit, (&quiet, &done))?;
        }
        if !self.open.is_empty() {
            self.pass(Halves::Two, (4 * self.k).max(LONG), emit, (&quiet, &done))?;
        }
        Ok(self.open.into_iter().map(|row| row.0).collect())
    }

    /// One pass over the rows that are open; false if it was given up.
    fn pass(&mut self, halves: Halves, keep: usize, emit: Emit, (run, done): (&Run, &dyn Fn(usize))) -> Result<bool> {
        self.operands.set_halves(halves);
        let pass = self.plan(keep)?;
        self.scanner.open(&pass.plan)?;
        if let Some(raw) = self.operands.raw() {
            self.scanner.hold(&raw)?;
        }
        let resident = pass.plan.places == 1;
        if resident {
            self.send_columns(&pass, 0, (0, self.operands.space().len()), run)?;
        }
        let open = std::mem::take(&mut self.open);
        let batches: Vec<&[(u32, f64)]> = open.chunks(pass.plan.batch).collect();
        // Two halves, and long lists after them, are the last that a device can do for its rows.
        let can_give_up = pass.plan.lists == 2 && (halves == Halves::One || pass.plan.keep >= LONG);
        let mut left = Vec::new();
        for (number, batch) in batches.iter().enumerate() {
            run.check()?;
            let lists = number % pass.plan.lists;
            self.start(&pass, lists, batch, run)?;
            // The batch before is settled while the device works on this one.
            if pass.plan.lists == 2 && number > 0 {
                self.take(1 - lists, batches[number - 1], &mut left, emit, (run, done))?;
            }
            if pass.plan.lists == 1 {
                self.take(0, batch, &mut left, emit, (run, done))?;
            }
            if can_give_up && number == 1 && left.len() > batches[0].len() / 2 {
                left.extend_from_slice(&open[batches[0].len()..]);
                self.scanner.lists(lists)?;
                self.open = left;
                return Ok(false);
            }
        }
        if pass.plan.lists == 2
            && let Some(last) = batches.len().checked_sub(1)
        {
            self.take(last % 2, batches[last], &mut left, emit, (run, done))?;
        }
        self.open = left;
        Ok(true)
    }

    /// How a pass over the open rows is cut, by the memory of the device.
    fn plan(&self, keep: usize) -> Result<Pass> {
        let (count, wave) = (self.operands.space().len(), self.scanner.wave());
        let own_rows = self.open.len() < count;
        let (stride, halves) = (self.operands.stride(), self.operands.halves());
        let mut plan = Plan { stride, halves, keep, batch: 0, columns: 0, places: 1, own_rows, lists: 2, piece: TILE };
        plan.piece = (PIECE / plan.row_bytes()).clamp(1, count).next_multiple_of(TILE);
        let rows = self.open.len().next_multiple_of(TILE);
        let most = (HANDED / (8 * plan.handed()) / TILE * TILE).max(TILE);
        plan.batch = (2 * wave).min(most).min(rows);
        plan.columns = count.next_multiple_of(TILE);
        let held = self.operands.raw().map_or(0, |raw| raw.bytes(plan.piece));
        let free = (self.scanner.free()? / 10 * 9).saturating_sub(held);
        if plan.bytes() > free {
            // Half of the memory for rows and their lists, a quarter for each place of columns.
            (plan.places, plan.lists, plan.own_rows) = (2, 1, true);
            let fit = |share: usize, bytes: usize| free / share / bytes / TILE * TILE;
            plan.batch = fit(2, plan.list_bytes()).min(most).min(rows);
            plan.columns = fit(4, plan.row_bytes()).min(plan.columns);
        }
        if plan.batch == 0 || plan.columns == 0 {
            return Err(too_little(self.scanner.free()?));
        }
        let chunks = (0..count).step_by(plan.columns).map(|first| (first, plan.columns.min(count - first))).collect();
        Ok(Pass { plan, chunks })
    }

    /// Sends columns `first` and following to a place.
    fn send_columns(&mut self, pass: &Pass, place: usize, (first, count): (usize, usize), run: &Run) -> Result<()> {
        self.send(pass, (place, Target::Columns(place)), &|at| (first + at) as u32, count, run)
    }

    /// Sends rows piece by piece; what fills up the last tile of them goes with it.
    fn send(
        &mut self,
        pass: &Pass,
        (queue, target): (usize, Target),
        rows: &(dyn Fn(usize) -> u32 + Sync),
        count: usize,
        run: &Run,
    ) -> Result<()> {
        let piece = pass.plan.piece;
        for (side, first) in (0..count).step_by(piece).enumerate() {
            run.check()?;
            let own = piece.min(count - first);
            if let Some(raw) = self.operands.raw() {
                let ids: Vec<u32> = (first..first + own).map(rows).collect();
                let taken = Taken { ids: &ids, side: side % 2, queue, target: (target, first) };
                let terms = self.scanner.convert(&raw, &taken)?;
                ids.iter().zip(terms).for_each(|(&id, term)| self.lowered[id as usize] = term[1]);
                continue;
            }
            let padded = own.next_multiple_of(TILE);
            let mut slab = self.scanner.stage(side % 2)?.first(padded, pass.plan.stride);
            self.operands.fill(&|at| rows(first + at), own, &mut slab, run)?;
            for (at, term) in slab.terms[..own].iter().enumerate() {
                self.lowered[rows(first + at) as usize] = term[1];
            }
            self.scanner.send(side % 2, queue, (target, first), padded)?;
        }
        Ok(())
    }

    /// Sends the device to work on a batch.
    fn start(&mut self, pass: &Pass, lists: usize, batch: &[(u32, f64)], run: &Run) -> Result<()> {
        let ids: Vec<u32> = batch.iter().map(|row| row.0).collect();
        let resident = pass.plan.places == 1;
        let among_columns = (!pass.plan.own_rows).then_some(ids[0] as usize);
        let queue = if resident { lists } else { 0 };
        if pass.plan.own_rows {
            self.send(pass, (queue, Target::Rows(lists)), &|at| ids[at], ids.len(), run)?;
        }
        // Only now l of all these rows is known, which depends on the number of halves.
        let limit = |&(id, value): &(u32, f64)| threshold_for(&self.operands, self.lowered[id as usize], value);
        let thresholds: Vec<f32> = batch.iter().map(limit).collect();
        self.scanner.begin(lists, queue, &Batch { ids: &ids, thresholds: &thresholds, among_columns })?;
        for (number, &(first, count)) in pass.chunks.iter().enumerate() {
            run.check()?;
            let place = if resident { 0 } else { number % 2 };
            if !resident {
                self.send_columns(pass, place, (first, count), run)?;
            }
            let last = number + 1 == pass.chunks.len();
            let queue = if resident { lists } else { place };
            self.scanner.scan(&Chunk { lists, queue, place, first, count, last })?;
        }
        Ok(())
    }

    /// Settles the lists of a batch: those that are proven go to `emit`, the others to `left`.
    fn take(
        &mut self,
        lists: usize,
        batch: &[(u32, f64)],
        left: &mut Vec<(u32, f64)>,
        emit: Emit,
        (run, done): (&Run, &dyn Fn(usize)),
    ) -> Result<()> {
        let found: Lists = self.scanner.lists(lists)?;
        let (operands, lowered, k) = (&self.operands, &self.lowered, self.k);
        let open = run.chunks("settling", batch.len(), TASK, |range| {
            let mut open = Vec::new();
            for place in range {
                let (id, most) = batch[place];
                let (lowered, threshold) = (lowered[id as usize], found.thresholds[place]);
                match settle(operands, &Row { id, lowered, threshold, entries: found.of(place) }, k) {
                    Outcome::Proven(list) => emit(id, &list)?,
                    Outcome::Open(value) => open.push((id, value.min(most))),
                }
            }
            Ok(open)
        })?;
        let before = left.len();
        left.extend(open.into_iter().flatten());
        done(batch.len() - (left.len() - before));
        Ok(())
    }
}
