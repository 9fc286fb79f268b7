//! The nearest found so far of every point: sorted lists of fixed length that threads fill together.
//!
//! A link is one 64-bit number, the bits of its value above those of its row. Values are not negative, so links are
//! ordered like (value, row). A list is the smallest different links of all that were offered, whoever offered them and
//! in whichever order: so the lists do not depend on the threads. Memory: 8 bytes a link.

use super::super::kernel::fetch;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many locks the rows share.
const LOCKS: usize = 4096;

/// A neighbor: how far, and which row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link(u64);

impl Link {
    /// After every neighbor.
    pub(super) const NONE: Self = Self(((f32::INFINITY.to_bits() as u64) << 32) | u32::MAX as u64);

    /// `value` is not negative.
    #[inline(always)]
    pub(super) fn new(value: f32, row: u32) -> Self {
        Self((u64::from(value.to_bits()) << 32) | u64::from(row))
    }

    /// How far.
    #[inline(always)]
    pub(super) fn value(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    /// Which row.
    #[inline(always)]
    pub(super) fn row(self) -> u32 {
        self.0 as u32
    }
}

/// Puts a link into a sorted list, unless it is there or comes after all; whether the list changed.
#[inline(always)]
pub(super) fn insert(list: &mut [Link], link: Link) -> bool {
    let last = list.len() - 1;
    if link >= list[last] {
        return false;
    }
    let place = list.partition_point(|other| *other < link);
    if list[place] == link {
        return false;
    }
    list.copy_within(place..last, place + 1);
    list[place] = link;
    true
}

/// One sorted list of `width` links for each row; what is missing is [`Link::NONE`].
pub(super) struct Lists {
    width: usize,
    links: Vec<AtomicU64>,
    locks: Vec<Mutex<()>>,
}

impl Lists {
    pub(super) fn new(count: usize, width: usize) -> Self {
        Self {
            width,
            links: std::iter::repeat_with(|| AtomicU64::new(Link::NONE.0)).take(count * width).collect(),
            locks: std::iter::repeat_with(|| Mutex::new(())).take(LOCKS.min(count)).collect(),
        }
    }

    /// The links of a list.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The links of a row.
    #[inline(always)]
    pub(super) fn links(&self, row: u32) -> impl Iterator<Item = Link> {
        self.cells(row).iter().map(|link| Link(link.load(Ordering::Relaxed)))
    }

    /// The links of a row that are there.
    #[inline(always)]
    pub(super) fn known(&self, row: u32) -> impl Iterator<Item = Link> {
        self.links(row).filter(|link| *link != Link::NONE)
    }

    /// The value of the last link of a row: how far a new one may be.
    #[inline(always)]
    pub(super) fn reach(&self, row: u32) -> f32 {
        Link(self.cells(row)[self.width - 1].load(Ordering::Relaxed)).value()
    }

    /// Asks for the list of a row before it is needed.
    #[inline(always)]
    pub(super) fn fetch(&self, row: u32) {
        fetch(self.cells(row));
    }

    /// Whether the list of a row would not change by this link: it is there, or it comes after all.
    #[inline(always)]
    fn is_settled(&self, row: u32, link: Link) -> bool {
        let cells = self.cells(row);
        let place = cells.partition_point(|cell| cell.load(Ordering::Relaxed) < link.0);
        cells.get(place).is_none_or(|cell| cell.load(Ordering::Relaxed) == link.0)
    }

    /// Whether each of two rows is in the list of the other.
    #[inline(always)]
    pub(super) fn know_each_other(&self, one: u32, other: u32) -> bool {
        self.links(one).any(|link| link.row() == other) && self.links(other).any(|link| link.row() == one)
    }

    /// Copies the list of a row.
    #[inline(always)]
    pub(super) fn read(&self, row: u32, list: &mut [Link]) {
        list.iter_mut().zip(self.links(row)).for_each(|(to, link)| *to = link);
    }

    /// Replaces the list of a row that nobody else writes to.
    #[inline(always)]
    pub(super) fn write(&self, row: u32, list: &[Link]) {
        self.cells(row).iter().zip(list).for_each(|(to, link)| to.store(link.0, Ordering::Relaxed));
    }

    /// Puts links, given as bits, into the list of a row that nobody else writes to.
    pub(super) fn take(&self, row: u32, links: &[u64]) {
        let mut list = vec![Link::NONE; self.width];
        self.read(row, &mut list);
        let mut changed = false;
        for &link in links {
            changed |= insert(&mut list, Link(link));
        }
        if changed {
            self.write(row, &list);
        }
    }

    /// Puts a link into the list of a row while others may do the same; whether it changed.
    pub(super) fn offer(&self, row: u32, link: Link, room: &mut [Link]) -> bool {
        // A list only ever gets nearer links, so what would not change it now never will.
        if self.is_settled(row, link) {
            return false;
        }
        // A lock that a panic has left is as good as any: the search has ended.
        let _alone = self.locks[row as usize % self.locks.len()].lock().unwrap_or_else(PoisonError::into_inner);
        self.read(row, room);
        let changed = insert(room, link);
        if changed {
            self.write(row, room);
        }
        changed
    }

    #[inline(always)]
    fn cells(&self, row: u32) -> &[AtomicU64] {
        &self.links[row as usize * self.width..][..self.width]
    }
}
