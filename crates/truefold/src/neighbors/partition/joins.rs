//! Pairs that are tried: all within a leaf, then neighbors of neighbors.
//!
//! A join is a few points, of which all pairs, or all with one new member, meet in the kernel; what is within reach is
//! measured and offered to both lists. Leaves are disjoint, so a leaf works on copies of its own lists. In a round the
//! neighbors of each point and the points that have it as a neighbor meet each other; a pair is tried only if one of its
//! two links is new, so that a point whose neighborhood stays the same costs nothing (NN-descent: Dong, Charikar and Li
//! 2011). Every round reads the lists of the round before.

use super::super::halving::Halving;
use super::super::kernel::{Meeting, Pairs, Panels, Reaches, Rows};
use super::lists::{Link, Lists, insert};
use crate::random::hash;
use crate::{Result, Run};

/// Points of one task.
const TASK: usize = 256;

/// What a join needs: rows for the kernel, lists to fill, and the value of a pair.
pub(super) struct Ground<'a> {
    pub(super) rows: Rows<'a>,
    pub(super) lists: &'a Lists,
    /// The value of a pair of which the kernel has computed a bound, the same bits whichever comes first.
    pub(super) measure: &'a (dyn Fn(u32, u32, f32) -> f32 + Sync),
    /// Whether measuring costs more than a look at two lists.
    pub(super) costly: bool,
    /// The share of a value that the kernel is expected to see in a leaf.
    pub(super) seen: f32,
}

impl Ground<'_> {
    /// How far the kernel looks from a row.
    #[inline(always)]
    fn reach(&self, row: u32) -> f32 {
        self.lists.reach(row) * self.seen
    }

    /// Tries all pairs of each leaf.
    pub(super) fn leaves(&self, halving: &Halving, run: &Run) -> Result<()> {
        run.chunks("first neighbors", halving.leaves(), 1, |range| {
            let mut leaf = Leaf::default();
            range.for_each(|number| leaf.join(self, halving.leaf(number)));
            Ok(())
        })?;
        Ok(())
    }
}

/// The room of one leaf.
#[derive(Default)]
struct Leaf {
    panels: Panels,
    reaches: Reaches,
    lists: Vec<Link>,
}

impl Leaf {
    fn join(&mut self, ground: &Ground, ids: &[u32]) {
        let Ground { rows, lists, measure, seen, .. } = *ground;
        let width = lists.width();
        self.panels.fill(rows, ids.iter().copied());
        self.lists.resize(ids.len() * width, Link::NONE);
        ids.iter().zip(self.lists.chunks_exact_mut(width)).for_each(|(&row, list)| lists.read(row, list));
        self.reaches.set(ids.iter().map(|&row| ground.reach(row)));
        let own = &mut self.lists;
        let take = |reaches: &mut Reaches, a: usize, b: usize, bound: f32| {
            let value = measure(ids[a], ids[b], bound);
            for (place, other) in [(a, ids[b]), (b, ids[a])] {
                let list = &mut own[place * width..][..width];
                if insert(list, Link::new(value, other)) {
                    let reach = list[width - 1].value() * seen;
                    (reaches.rows[place], reaches.columns[place]) = (reach, reach);
                }
            }
        };
        Meeting { rows, ids, panels: &self.panels, pairs: Pairs::Before, reaches: &mut self.reaches, take }.run();
        ids.iter().zip(self.lists.chunks_exact(width)).for_each(|(&row, list)| lists.write(row, list));
    }
}

/// The links of all points as they were when a round began, and in both directions.
struct Snapshot {
    width: usize,
    rows: Vec<u32>,
    new: Vec<bool>,
    starts: Vec<usize>,
    from: Vec<u32>,
    from_new: Vec<bool>,
}

/// Rounds of neighbors of neighbors.
pub(super) struct Rounds {
    before: Vec<u32>,
    joined: usize,
    cap: usize,
    number: u64,
}

impl Rounds {
    /// The first `joined` neighbors of a point meet each other, and at most `cap` of the points that have it as one of
    /// these, new ones and old ones each.
    pub(super) fn new(joined: usize, cap: usize) -> Self {
        Self { before: Vec::new(), joined, cap, number: 0 }
    }

    /// One round; how many links are new after it, and how many pairs it looked at.
    pub(super) fn round(&mut self, ground: &Ground, run: &Run) -> Result<(usize, usize)> {
        let count = ground.rows.squares.len();
        let shot = self.snapshot(count, ground.lists);
        let seed = hash(run.seed(), self.number);
        let pairs = run.chunks("neighbors of neighbors", count, TASK, |range| {
            let mut join = Join::new(ground.lists.width());
            for row in range {
                join.gather(&shot, row as u32, self.cap, seed);
                join.meet(ground);
            }
            Ok(join.pairs)
        })?;
        // Counted afterwards: how many links come and go within a round depends on the threads.
        let changes = run.chunks("neighbors of neighbors", count, TASK, |range| {
            let new = |row: usize| {
                let before = &shot.rows[row * shot.width..][..shot.width];
                ground.lists.links(row as u32).take(shot.width).filter(|link| !before.contains(&link.row())).count()
            };
            Ok(range.map(new).sum::<usize>())
        })?;
        self.before = shot.rows;
        self.number += 1;
        Ok((changes.into_iter().sum(), pairs.into_iter().sum()))
    }

    fn snapshot(&self, count: usize, lists: &Lists) -> Snapshot {
        let width = self.joined;
        let mut rows = Vec::with_capacity(count * width);
        let mut new = Vec::with_capacity(count * width);
        let mut starts = vec![0; count + 1];
        for row in 0..count {
            let begin = rows.len();
            rows.extend(lists.links(row as u32).take(width).map(Link::row));
            let before = self.before.get(begin..begin + width).unwrap_or_default();
            new.extend(rows[begin..].iter().map(|to| !before.contains(to)));
            rows[begin..].iter().filter(|&&to| to != u32::MAX).for_each(|&to| starts[to as usize + 1] += 1);
        }
        for row in 0..count {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut from = vec![0; starts[count]];
        let mut from_new = vec![false; from.len()];
        for (at, &to) in rows.iter().enumerate().filter(|(_, to)| **to != u32::MAX) {
            let place = &mut next[to as usize];
            (from[*place], from_new[*place]) = ((at / width) as u32, new[at]);
            *place += 1;
        }
        Snapshot { width, rows, new, starts, from, from_new }
    }
}

/// The neighbors of one point in both directions, new ones first.
struct Join {
    panels: Panels,
    reaches: Reaches,
    ids: Vec<u32>,
    fresh: usize,
    chosen: Vec<u32>,
    room: Vec<Link>,
    pairs: usize,
}

impl Join {
    fn new(width: usize) -> Self {
        Self {
            panels: Panels::default(),
            reaches: Reaches::default(),
            ids: Vec::new(),
            fresh: 0,
            chosen: Vec::new(),
            room: vec![Link::NONE; width],
            pairs: 0,
        }
    }

    fn gather(&mut self, shot: &Snapshot, row: u32, cap: usize, seed: u64) {
        self.ids.clear();
        self.fresh = 0;
        for new in [true, false] {
            let own = row as usize * shot.width..(row as usize + 1) * shot.width;
            let own = shot.rows[own.clone()].iter().zip(&shot.new[own]);
            self.ids.extend(own.filter(|(to, is)| **is == new && **to != u32::MAX).map(|(to, _)| *to));
            let from = shot.starts[row as usize]..shot.starts[row as usize + 1];
            let from = shot.from[from.clone()].iter().zip(&shot.from_new[from]);
            self.chosen.clear();
            self.chosen.extend(from.filter(|(_, is)| **is == new).map(|(from, _)| *from));
            if self.chosen.len() > cap {
                let key = hash(seed, u64::from(row));
                self.chosen.select_nth_unstable_by_key(cap, |from| (hash(key, u64::from(*from)), *from));
                self.chosen.truncate(cap);
            }
            for &from in &self.chosen {
                if !self.ids.contains(&from) {
                    self.ids.push(from);
                }
            }
            if new {
                self.fresh = self.ids.len();
                if self.fresh == 0 {
                    return;
                }
            }
        }
    }

    fn meet(&mut self, ground: &Ground) {
        let Ground { rows, lists, measure, .. } = *ground;
        let Self { ids, fresh, room, .. } = self;
        let fresh = *fresh;
        if fresh == 0 {
            return;
        }
        self.pairs += fresh * ids.len();
        self.panels.fill(rows, ids[..fresh].iter().copied());
        // The whole reach, not the share that is expected to be seen: what is then left out could not enter a list at the
        // end of the round either, so that it does not matter when a pair is looked at.
        self.reaches.rows.clear();
        self.reaches.rows.extend(ids.iter().map(|&row| lists.reach(row)));
        self.reaches.set_columns(ids[..fresh].iter().map(|&row| lists.reach(row)));
        let take = |reaches: &mut Reaches, a: usize, b: usize, bound: f32| {
            let (one, other) = (ids[a], ids[b]);
            // New ones meet each other as rows and as columns: once is enough.
            if (a < fresh && a <= b) || one == other || (ground.costly && lists.know_each_other(one, other)) {
                return;
            }
            let value = measure(one, other, bound);
            if value <= reaches.rows[a] && lists.offer(one, Link::new(value, other), room) {
                reaches.rows[a] = lists.reach(one);
            }
            if value <= reaches.columns[b] && lists.offer(other, Link::new(value, one), room) {
                reaches.columns[b] = lists.reach(other);
            }
        };
        Meeting { rows, ids, panels: &self.panels, pairs: Pairs::All, reaches: &mut self.reaches, take }.run();
    }
}
