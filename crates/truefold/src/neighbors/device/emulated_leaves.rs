//! The work of the kernel for leaves on the processor, for tests: the same sums, the same choice, one after the other.

use super::leaves::{Batch, Found, Held, Pairing, STEP};
use super::missing;
use crate::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bits of infinity: no link.
const NEVER: u32 = 0x7F80_0000;

/// A device that holds rows.
pub(super) struct EmulatedLeaves {
    rows: Vec<f32>,
    squares: Vec<f32>,
    stride: usize,
    doubtful: f32,
    room: usize,
    sides: [(Vec<u32>, Vec<u64>); 2],
    /// Pairs whose values were summed once more.
    pub(super) doubts: Arc<AtomicUsize>,
    /// Batches that can still be begun.
    left: usize,
}

impl EmulatedLeaves {
    pub(super) fn new(held: &Held, left: usize) -> Self {
        let (dim, stride) = (held.rows.dim, held.stride());
        let mut rows = vec![0.0; held.rows.squares.len() * stride];
        let pairs = rows.chunks_exact_mut(stride).zip(held.rows.values.chunks_exact(dim));
        pairs.for_each(|(to, from)| to[..dim].copy_from_slice(from));
        Self {
            rows,
            squares: held.rows.squares.to_vec(),
            stride,
            doubtful: held.doubtful,
            room: held.room,
            sides: Default::default(),
            doubts: Default::default(),
            left,
        }
    }

    fn row(&self, row: u32) -> &[f32] {
        &self.rows[row as usize * self.stride..][..self.stride]
    }

    fn value(&self, one: u32, other: u32) -> f32 {
        let (a, b) = (self.row(one), self.row(other));
        let sum = a.iter().zip(b).fold(0.0_f32, |sum, (a, b)| a.mul_add(*b, sum));
        let both = self.squares[one as usize] + self.squares[other as usize];
        let value = both + -2.0 * sum;
        if value > 0.0 && value > self.doubtful * both {
            return value;
        }
        self.doubts.fetch_add(1, Ordering::Relaxed);
        let mut lanes = [0.0_f32; STEP];
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            lanes[at % STEP] += (a - b) * (a - b);
        }
        for width in [8, 4, 2, 1] {
            (0..width).for_each(|lane| lanes[lane] += lanes[lane + width]);
        }
        lanes[0]
    }
}

/// The smallest links, by halving intervals of bits as the kernel does.
pub(super) fn choose(values: &[u32], ids: &[u32], room: usize) -> Vec<u64> {
    let below = |limit: u32| values.iter().filter(|bits| **bits < limit).count();
    let (mut from, mut to, mut last, mut under) = (0, NEVER, 0, below(NEVER));
    while under > room && to - from > 1 {
        let pivot = from + (to - from) / 2;
        let found = below(pivot);
        if found < room {
            from = pivot;
        } else {
            (to, under) = (pivot, found);
        }
    }
    let mut limit = to;
    if under > room {
        limit = from;
        let wanted = room - below(from);
        let mut least = 0;
        last = u32::MAX;
        while last - least > 1 {
            let pivot = least + (last - least) / 2;
            let tied = values.iter().zip(ids).filter(|(bits, id)| **bits == from && **id < pivot).count();
            if tied < wanted {
                least = pivot;
            } else {
                last = pivot;
            }
        }
    }
    let stays = |bits: u32, id: u32| bits < limit || (bits == limit && id < last);
    let links = values.iter().zip(ids).filter(|(bits, id)| stays(**bits, **id));
    links.map(|(bits, id)| (u64::from(*bits) << 32) | u64::from(*id)).collect()
}

impl Pairing for EmulatedLeaves {
    fn start(&mut self, side: usize, batch: &Batch) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| missing("it is tired"))?;
        let (mut counts, mut links) = (Vec::new(), Vec::new());
        for leaf in batch.starts.windows(2) {
            let range = leaf[0] as usize..leaf[1] as usize;
            let (ids, reaches) = (&batch.ids[range.clone()], &batch.reaches[range]);
            for (row, &reach) in ids.iter().zip(reaches) {
                let bits = |other: &u32| {
                    let value = if other == row { f32::INFINITY } else { self.value(*row, *other) };
                    if value <= reach && other != row { value.to_bits() } else { NEVER }
                };
                let values: Vec<u32> = ids.iter().map(bits).collect();
                let chosen = choose(&values, ids, self.room);
                assert!(chosen.len() <= self.room, "links have room");
                counts.push(chosen.len() as u32);
                links.extend(&chosen);
                links.resize(counts.len() * self.room, u64::MAX);
            }
        }
        self.sides[side] = (counts, links);
        Ok(())
    }

    fn found(&mut self, side: usize) -> Result<Found<'_>> {
        let (counts, links) = &self.sides[side];
        Ok(Found { counts, links, room: self.room })
    }
}
