//! The links of all points as they were when a round began, in both directions, new ones first.
//!
//! A link is new if the snapshot before does not hold it. Those that lead to a point are written down by all threads
//! together, so their order is left to chance, and nothing may depend on it. Memory: 8 bytes a link and 24 a point, which
//! every round uses again.

use super::lists::{Link, Lists};
use crate::{Result, Run};
use std::sync::atomic::{AtomicU32, Ordering};

/// Points of one task.
const TASK: usize = 256;
/// What stands after the last neighbor of a row.
const NOBODY: u32 = u32::MAX;

/// For each row its neighbors, and the points that have it as one.
pub(super) struct Snapshot {
    width: usize,
    /// For each row how many of its neighbors are new, then its neighbors, new ones first.
    to: Vec<u32>,
    /// The points that have a row as a neighbor, new ones first.
    from: Vec<AtomicU32>,
    /// Where those of each row begin; the last number is the end.
    starts: Vec<usize>,
    /// How many of them are new.
    fresh: Vec<u32>,
    /// How many of them are not written down yet: new ones, and others.
    left: Vec<[AtomicU32; 2]>,
}

impl Snapshot {
    /// Room for the first `width` neighbors of so many points, of which none is known yet.
    pub(super) fn new(count: usize, width: usize) -> Self {
        let mut to = vec![NOBODY; count * (width + 1)];
        to.iter_mut().step_by(width + 1).for_each(|fresh| *fresh = 0);
        let from = std::iter::repeat_with(AtomicU32::default).take(count * width).collect();
        let left = std::iter::repeat_with(Default::default).take(count).collect();
        Self { width, to, from, starts: vec![0; count + 1], fresh: vec![0; count], left }
    }

    /// How many neighbors of a row it holds, at the most.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The neighbors of a row that are new, or the others.
    #[inline(always)]
    pub(super) fn to(&self, row: u32, new: bool) -> &[u32] {
        let [fresh, links @ ..] = &self.to[row as usize * (self.width + 1)..][..self.width + 1] else { return &[] };
        let (fresh, others) = links.split_at(*fresh as usize);
        if new { fresh } else { &others[..others.iter().position(|to| *to == NOBODY).unwrap_or(others.len())] }
    }

    /// The points that have a row as a new neighbor, or as one of the others.
    #[inline(always)]
    pub(super) fn from(&self, row: u32, new: bool) -> impl Iterator<Item = u32> {
        self.places_from(row, new).iter().map(|from| from.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn places_from(&self, row: u32, new: bool) -> &[AtomicU32] {
        let places = &self.from[self.starts[row as usize]..self.starts[row as usize + 1]];
        let (fresh, others) = places.split_at(self.fresh[row as usize] as usize);
        if new { fresh } else { others }
    }

    /// Takes the lists as they are now.
    pub(super) fn renew(&mut self, lists: &Lists, run: &Run) -> Result<()> {
        let (width, left) = (self.width, &self.left);
        run.chunks_into("neighbors of neighbors", (&mut self.to, width + 1), TASK, |range, part| {
            let mut room = Vec::with_capacity(width);
            for (row, links) in range.zip(part.chunks_exact_mut(width + 1)) {
                renew_row(links, lists.known(row as u32).take(width).map(Link::row), &mut room);
                let fresh = links[0] as usize;
                for (at, &to) in links[1..].iter().enumerate().take_while(|(_, to)| **to != NOBODY) {
                    left[to as usize][usize::from(at >= fresh)].fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(())
        })?;
        for (row, left) in self.left.iter_mut().enumerate() {
            let [new, others] = left.each_mut().map(|left| *left.get_mut());
            self.fresh[row] = new;
            self.starts[row + 1] = self.starts[row] + new as usize + others as usize;
        }
        run.chunks("neighbors of neighbors", self.left.len(), TASK, |range| {
            for row in range.start as u32..range.end as u32 {
                for new in [true, false] {
                    for &to in self.to(row, new) {
                        let left = self.left[to as usize][usize::from(!new)].fetch_sub(1, Ordering::Relaxed);
                        self.places_from(to, new)[left as usize - 1].store(row, Ordering::Relaxed);
                    }
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// How many of the first links of the lists are not in this snapshot.
    ///
    /// Counted after a round: how many links come and go within it depends on the threads.
    pub(super) fn changes(&self, lists: &Lists, run: &Run) -> Result<usize> {
        let counts = run.chunks("neighbors of neighbors", self.left.len(), TASK, |range| {
            let new = |row: usize| {
                let before = &self.to[row * (self.width + 1)..][1..self.width + 1];
                lists.links(row as u32).take(self.width).filter(|link| !before.contains(&link.row())).count()
            };
            Ok(range.map(new).sum::<usize>())
        })?;
        Ok(counts.into_iter().sum())
    }
}

/// Replaces the neighbors of a row, new ones first, and their number before them.
fn renew_row(links: &mut [u32], now: impl Iterator<Item = u32>, room: &mut Vec<(bool, u32)>) {
    room.clear();
    room.extend(now.map(|to| (links[1..].contains(&to), to)));
    links.fill(NOBODY);
    let [fresh, links @ ..] = links else { return };
    *fresh = room.iter().filter(|(known, _)| !known).count() as u32;
    let ordered = [false, true].into_iter().flat_map(|of| room.iter().filter(move |(known, _)| *known == of));
    links.iter_mut().zip(ordered).for_each(|(link, (_, to))| *link = *to);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(from: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut from: Vec<u32> = from.collect();
        from.sort_unstable();
        from
    }

    #[test]
    fn links_are_known_from_both_ends_and_new_once() {
        let run = Run::new();
        let lists = Lists::new(4, 3);
        let link = |value: f32, row: u32| Link::new(value, row);
        lists.write(0, &[link(1.0, 1), link(2.0, 2), Link::NONE]);
        lists.write(1, &[link(1.0, 0), Link::NONE, Link::NONE]);
        lists.write(3, &[link(3.0, 2), link(4.0, 0), link(5.0, 1)]);
        let mut shot = Snapshot::new(4, 2);
        assert_eq!(shot.changes(&lists, &run).unwrap(), 5);
        shot.renew(&lists, &run).unwrap();
        assert_eq!(shot.changes(&lists, &run).unwrap(), 0);
        assert_eq!((shot.to(0, true), shot.to(0, false)), (&[1, 2][..], &[][..]));
        assert_eq!(shot.to(3, true), [2, 0], "the third link is beyond the width");
        assert_eq!(sorted(shot.from(0, true)), [1, 3]);
        assert_eq!(sorted(shot.from(2, true)), [0, 3]);
        assert_eq!(shot.from(3, true).count(), 0);
        // One link comes in front, and one leaves.
        lists.write(3, &[link(1.0, 1), link(3.0, 2), link(4.0, 0)]);
        assert_eq!(shot.changes(&lists, &run).unwrap(), 1);
        shot.renew(&lists, &run).unwrap();
        assert_eq!((shot.to(3, true), shot.to(3, false)), (&[1][..], &[2][..]));
        assert_eq!((shot.to(0, true), shot.to(0, false)), (&[][..], &[1, 2][..]));
        assert_eq!((sorted(shot.from(1, true)), sorted(shot.from(1, false))), (vec![3], vec![0]));
        assert_eq!((sorted(shot.from(2, true)), sorted(shot.from(2, false))), (vec![], vec![0, 3]));
        assert_eq!(sorted(shot.from(0, false)), [1]);
    }
}
