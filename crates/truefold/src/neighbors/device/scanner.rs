//! What a device does for the search: it holds operands, brings rows together with columns, and keeps lists.
//!
//! The graphics processor does this with a kernel (`gpu.rs`, `scan.cu`); the tests do it on the processor (`emulated.rs`), and
//! everything around it is the same.

use super::operands::{Halves, Raw, Slab};
use crate::Result;

/// Rows and columns come in multiples of this.
pub(super) const TILE: usize = 128;

/// How the work is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Numbers of a row, filled up.
    pub(super) stride: usize,
    pub(super) halves: Halves,
    /// About as many entries a list holds at the least once it was cut.
    pub(super) keep: usize,
    /// Rows whose lists are made together.
    pub(super) batch: usize,
    /// Columns that are on the device at a time, in each of its places for columns.
    pub(super) columns: usize,
    /// Places for columns: one holds all of them, two take turns.
    pub(super) places: usize,
    /// Whether rows need a place of their own; else they are found among the columns.
    pub(super) own_rows: bool,
    /// Lists that are made at the same time.
    pub(super) lists: usize,
    /// Rows that are sent together.
    pub(super) piece: usize,
}

impl Plan {
    /// Entries that a list hands over at the most.
    pub(super) fn handed(&self) -> usize {
        self.keep + self.keep / 4
    }

    /// Entries of a list that is growing: a tile more than it is cut at.
    pub(super) fn capacity(&self) -> usize {
        (self.handed() + TILE + TILE / 2).next_power_of_two()
    }

    /// Bytes of the operands of a row.
    pub(super) fn row_bytes(&self) -> usize {
        2 * self.stride * self.halves.count() + 8
    }

    /// Bytes of a row of a batch: its lists and, where it needs a place of its own, its operands.
    pub(super) fn list_bytes(&self) -> usize {
        8 * (self.capacity() + self.handed()) + 20 + if self.own_rows { self.row_bytes() } else { 0 }
    }

    /// Bytes of all.
    pub(super) fn bytes(&self) -> usize {
        self.places * self.columns * self.row_bytes() + self.lists * self.batch * self.list_bytes()
    }
}

/// Where operands are sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A place for columns.
    Columns(usize),
    /// The rows of lists.
    Rows(usize),
}

/// Rows that lie on the device, of which operands are made there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken<'a> {
    /// Their numbers.
    pub(super) ids: &'a [u32],
    /// The room that tells their terms, one of two.
    pub(super) side: usize,
    /// The queue of work.
    pub(super) queue: usize,
    /// Where they go, and the first row there.
    pub(super) target: (Target, usize),
}

/// The rows of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch<'a> {
    /// Their numbers among all columns.
    pub(super) ids: &'a [u32],
    /// What t must be below for an entry, each.
    pub(super) thresholds: &'a [f32],
    /// Where they begin among the columns, if they are found there.
    pub(super) among_columns: Option<usize>,
}

/// One chunk of columns for the rows of some lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk {
    /// The lists.
    pub(super) lists: usize,
    /// The queue of work: work in one queue is done in order.
    pub(super) queue: usize,
    /// The place of the columns.
    pub(super) place: usize,
    /// The number of the first column.
    pub(super) first: usize,
    /// How many there are.
    pub(super) count: usize,
    /// Whether the lists are complete then.
    pub(super) last: bool,
}

/// Lists of a batch, as the device hands them over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists<'a> {
    /// Every column that is in no list of its row has t of at least this.
    pub(super) thresholds: &'a [f32],
    pub(super) counts: &'a [u32],
    /// The bits of t and the column, `width` for each row.
    pub(super) entries: &'a [[u32; 2]],
    pub(super) width: usize,
}

impl<'a> Lists<'a> {
    /// The entries of one row.
    pub(super) fn of(&self, row: usize) -> &'a [[u32; 2]] {
        &self.entries[row * self.width..][..self.counts[row] as usize]
    }
}

/// A device.
pub(super) trait Scanner {
    /// Bytes that can be used.
    fn free(&self) -> Result<usize>;
    /// Rows that keep all of it busy.
    fn wave(&self) -> usize;
    /// Makes room, in place of what was there.
    fn open(&mut self, plan: &Plan) -> Result<()>;
    /// Room on this side for a piece, one of two, once it is free again.
    fn stage(&mut self, side: usize) -> Result<Slab<'_>>;
    /// Sends the first `count` rows of that room; they become row `first` and following of the target.
    fn send(&mut self, side: usize, queue: usize, target: (Target, usize), count: usize) -> Result<()>;
    /// Makes ready for operands of rows that lie on the device, once after each plan.
    fn hold(&mut self, raw: &Raw) -> Result<()>;
    /// Makes operands of these rows there, by way of the room `side`: they become row `first` and following of the target, up to
    /// the end of their last tile. The c and l of each.
    fn convert(&mut self, raw: &Raw, rows: &Taken) -> Result<&[[f32; 2]]>;
    /// Begins lists for the rows of a batch.
    fn begin(&mut self, lists: usize, queue: usize, batch: &Batch) -> Result<()>;
    /// Brings a chunk of columns to lists.
    fn scan(&mut self, chunk: &Chunk) -> Result<()>;
    /// Complete lists, once they are there.
    fn lists(&mut self, lists: usize) -> Result<Lists<'_>>;
}
