//! All pairs of the leaves of a tree on a device: for each point the nearest of its leaf, with the values of the processor.
//!
//! The rows of a sketch are sent once; each tree sends who is in which leaf and how far every point reaches, and gets back the
//! few links within reach. The kernel (`leaves.cu`) computes the values that the processor computes, bit for bit, so a tree
//! may be looked at on either side: where the device fails and need not serve, the processor does the same once more. Two
//! batches of leaves are under way at a time. Cost: n m r products on the device for leaves of m points with r coordinates;
//! memory there: 4 n r bytes, and some kilobytes for each point of a batch.

use super::super::Norm;
use super::super::halving::Halving;
use super::super::kernel::Rows;
use super::gpu_leaves::GpuLeaves;
use super::{Turn, too_little};
use crate::{Device, Result, Run};

/// Points of a leaf, at the most.
pub(super) const WIDEST: usize = 512;
/// Rows are filled up with zeros to a multiple of this.
pub(super) const STEP: usize = 16;
/// Bytes of links that are handed over together, about.
const HANDED: usize = 64 << 20;
/// Points whose links are taken by one task.
const TASK: usize = 256;

/// What the device is to hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held<'a> {
    pub(super) rows: Rows<'a>,
    /// Values at or below this share of the squares of two rows are summed once more.
    pub(super) doubtful: f32,
    /// Links that a point gets at the most.
    pub(super) room: usize,
    /// Points of a batch at the most.
    pub(super) batch: usize,
}

impl Held<'_> {
    /// Numbers of a row, filled up.
    pub(super) fn stride(&self) -> usize {
        self.rows.dim.next_multiple_of(STEP)
    }

    /// Bytes of all, on the device.
    pub(super) fn bytes(&self) -> usize {
        self.rows.squares.len() * 4 * (self.stride() + 1) + 2 * self.batch * (20 + 8 * self.room)
    }
}

/// Leaves that are looked at together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch<'a> {
    /// Their points, leaf by leaf.
    pub(super) ids: &'a [u32],
    /// How large a value may be, for each.
    pub(super) reaches: &'a [f32],
    /// Where each leaf begins, and the end.
    pub(super) starts: &'a [u32],
}

/// Links of a batch: the value's bits above the row, `room` places for each point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) counts: &'a [u32],
    pub(super) links: &'a [u64],
    pub(super) room: usize,
}

impl<'a> Found<'a> {
    fn of(&self, place: usize) -> &'a [u64] {
        &self.links[place * self.room..][..self.counts[place] as usize]
    }
}

/// A device that holds rows.
pub(super) trait Pairing {
    /// Begins the leaves of a batch, one of two.
    fn start(&mut self, side: usize, batch: &Batch) -> Result<()>;
    /// What was found, once it is there.
    fn found(&mut self, side: usize) -> Result<Found<'_>>;
}

/// The leaves of trees over the same rows on a device.
pub(in super::super) struct RemoteLeaves {
    pairing: Box<dyn Pairing>,
    batch: usize,
}

/// Whom a point has found in its leaf: its row, and its links.
pub(in super::super) type TakeLinks<'a> = &'a (dyn Fn(u32, &[u64]) + Sync);

impl RemoteLeaves {
    /// On the device of the run, for points that want `room` links from leaves of at most `leaf` points; nothing where it is
    /// not asked for, as the whole search is hardly faster with it (docs/neighbors.md), or does not know such leaves.
    pub(in super::super) fn new(
        (rows, doubtful): (Rows, f32),
        (room, leaf): (usize, usize),
        run: &Run,
    ) -> Result<Option<Self>> {
        if run.device() != Device::Gpu || rows.norm != Norm::Squares || leaf > WIDEST {
            return Ok(None);
        }
        let _turn = Turn::wait(false, run)?;
        Self::on_gpu((rows, doubtful), room).map(Some)
    }

    fn on_gpu((rows, doubtful): (Rows, f32), room: usize) -> Result<Self> {
        let held = held(rows, doubtful, room);
        Ok(Self { pairing: Box::new(GpuLeaves::new(&held)?), batch: held.batch })
    }

    /// By the processor in place of a device, which fails when it has begun so many batches; and who counts the pairs that it
    /// summed once more.
    #[cfg(test)]
    pub(in super::super) fn emulated(
        (rows, doubtful): (Rows, f32),
        room: usize,
        (batch, fails_after): (usize, usize),
    ) -> (Self, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
        let pairing = super::emulated_leaves::EmulatedLeaves::new(&held(rows, doubtful, room), fails_after);
        let doubts = std::sync::Arc::clone(&pairing.doubts);
        (Self { pairing: Box::new(pairing), batch }, doubts)
    }

    /// Looks at all pairs of each leaf and hands the nearest within reach to `take`, each point once.
    pub(in super::super) fn pairs(
        &mut self,
        halving: &Halving,
        reach: &(dyn Fn(u32) -> f32 + Sync),
        take: TakeLinks,
        run: &Run,
    ) -> Result<()> {
        let _turn = Turn::wait(false, run)?;
        self.all(halving, reach, take, run)
    }

    fn all(
        &mut self,
        halving: &Halving,
        reach: &(dyn Fn(u32) -> f32 + Sync),
        take: TakeLinks,
        run: &Run,
    ) -> Result<()> {
        let stage = run.stage("first neighbors", halving.leaves());
        let (quiet, batches) = (run.quiet(), self.batches(halving));
        for (number, &(first, end)) in batches.iter().enumerate() {
            run.check()?;
            let base = halving.starts[first];
            let ids = ids_of(halving, (first, end));
            let starts: Vec<u32> = halving.starts[first..=end].iter().map(|start| start - base).collect();
            let reaches: Vec<f32> = ids.iter().map(|&row| reach(row)).collect();
            self.pairing.start(number % 2, &Batch { ids, reaches: &reaches, starts: &starts })?;
            // The batch before is taken while the device works on this one.
            if number > 0 {
                self.hand_over((number - 1) % 2, ids_of(halving, batches[number - 1]), take, &quiet)?;
                stage.advance(batches[number - 1].1 - batches[number - 1].0);
            }
        }
        if let Some((last, &leaves)) = batches.iter().enumerate().next_back() {
            self.hand_over(last % 2, ids_of(halving, leaves), take, &quiet)?;
            stage.advance(leaves.1 - leaves.0);
        }
        Ok(())
    }

    /// The leaves of each batch: as many as have room.
    fn batches(&self, halving: &Halving) -> Vec<(usize, usize)> {
        let (mut batches, mut first) = (Vec::new(), 0);
        for leaf in 1..=halving.leaves() {
            let fits = leaf < halving.leaves()
                && (halving.starts[leaf + 1] - halving.starts[first]) as usize <= self.batch
                && leaf - first < MOST_LEAVES;
            if !fits {
                batches.push((first, leaf));
                first = leaf;
            }
        }
        batches
    }

    fn hand_over(&mut self, side: usize, ids: &[u32], take: TakeLinks, run: &Run) -> Result<()> {
        let found = self.pairing.found(side)?;
        run.chunks("first neighbors", ids.len(), TASK, |range| {
            range.for_each(|place| take(ids[place], found.of(place)));
            Ok(())
        })?;
        Ok(())
    }
}

/// Leaves of a batch at the most: a launch has no more lines of blocks.
const MOST_LEAVES: usize = 65_535;

/// The points of some leaves.
fn ids_of(halving: &Halving, (first, end): (usize, usize)) -> &[u32] {
    &halving.rows[halving.starts[first] as usize..halving.starts[end] as usize]
}

/// What a device is to hold for these rows.
pub(super) fn held(rows: Rows<'_>, doubtful: f32, wanted: usize) -> Held<'_> {
    let room = wanted.min(WIDEST - 1);
    let batch = (HANDED / (8 * room)).min(rows.squares.len()).max(WIDEST);
    Held { rows, doubtful, room, batch }
}

/// An error unless so much is free.
pub(super) fn check_room(held: &Held, free: usize) -> Result<()> {
    if held.bytes() > free / 10 * 9 { Err(too_little(free)) } else { Ok(()) }
}
