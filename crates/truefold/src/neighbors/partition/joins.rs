//! Pairs that are tried: all within a leaf, then neighbors of neighbors.
//!
//! A join is a few points, of which all pairs, or all with one new member, meet in the kernel; what is within reach is
//! measured and offered to both lists. Leaves are disjoint, so a leaf works on copies of its own lists. In a round the
//! first neighbors of each point and the points that have it as a neighbor meet each other; a pair is tried only if one of its
//! two links is new, so that a point whose neighborhood stays the same costs nothing (NN-descent: Dong, Charikar and Li
//! 2011). Every round reads the lists as they are when it begins.

use super::super::halving::Halving;
use super::super::kernel::{AHEAD, Meeting, Pairs, Panels, Reaches, Rows};
use super::lists::{Link, Lists, insert};
use super::snapshot::Snapshot;
use crate::random::hash;
use crate::{Result, Run};

/// Points of one task.
const TASK: usize = 256;
/// Leaves of one task at the most, which use the same room one after the other; and tasks that there are at least, before one has
/// several leaves.
const LEAVES: usize = 16;
const LEAST_TASKS: usize = 64;
/// Parts of a round, after each of which it may end.
const PARTS: usize = 8;

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
        let together = (halving.leaves() / LEAST_TASKS).clamp(1, LEAVES);
        run.chunks("first neighbors", halving.leaves(), together, |range| {
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
        for (at, (&row, list)) in ids.iter().zip(self.lists.chunks_exact_mut(width)).enumerate() {
            if let Some(&ahead) = ids.get(at + AHEAD) {
                lists.fetch(ahead);
            }
            lists.read(row, list);
        }
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

/// Whether a round may end, where somebody knows.
pub(super) type Enough<'a> = Option<&'a dyn Fn() -> bool>;

/// Rounds of neighbors of neighbors.
pub(super) struct Rounds {
    shot: Snapshot,
    cap: usize,
    number: u64,
}

impl Rounds {
    /// The first `joined` neighbors of a point meet each other, and at most `cap` of the points that have it as one of
    /// these, new ones and old ones each.
    pub(super) fn new(count: usize, joined: usize, cap: usize) -> Self {
        Self { shot: Snapshot::new(count, joined), cap, number: 0 }
    }

    /// How many neighbors of a point meet each other.
    pub(super) fn joined(&self) -> usize {
        self.shot.width()
    }

    /// One round; how many links are new after it, and how many pairs it looked at. Given a question, it asks after each
    /// of a few parts whether that is enough.
    pub(super) fn round(&mut self, ground: &Ground, enough: Enough, run: &Run) -> Result<(usize, usize)> {
        self.shot.renew(ground.lists, run)?;
        let (mut pairs, parts) = (0, if enough.is_some() { PARTS } else { 1 });
        for part in 0..parts {
            pairs += self.part(ground, [part, parts], run)?;
            if enough.is_some_and(|enough| enough()) {
                break;
            }
        }
        self.number += 1;
        Ok((self.shot.changes(ground.lists, run)?, pairs))
    }

    /// One part of so many: stretches of points that lie between those of the others; how many pairs meet.
    fn part(&self, ground: &Ground, [part, parts]: [usize; 2], run: &Run) -> Result<usize> {
        let (count, seed) = (ground.rows.squares.len(), hash(run.seed(), self.number));
        let stretches = (count.div_ceil(TASK) + parts - 1 - part) / parts;
        let pairs = run.chunks("neighbors of neighbors", stretches, 1, |stretch| {
            let start = (stretch.start * parts + part) * TASK;
            let end = (start + TASK).min(count);
            let (mut join, mut next) = (Join::new(ground.lists.width()), Join::new(ground.lists.width()));
            next.gather(&self.shot, start as u32, self.cap, seed);
            for row in start..end {
                std::mem::swap(&mut join, &mut next);
                if row + 1 < end {
                    next.gather(&self.shot, row as u32 + 1, self.cap, seed);
                    next.fetch(ground);
                }
                join.meet(ground);
            }
            Ok(join.pairs + next.pairs)
        })?;
        Ok(pairs.into_iter().sum())
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
            self.ids.extend_from_slice(shot.to(row, new));
            self.chosen.clear();
            self.chosen.extend(shot.from(row, new));
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

    /// Asks for what the meeting needs.
    fn fetch(&self, ground: &Ground) {
        if self.fresh > 0 {
            self.ids.iter().for_each(|&row| {
                ground.rows.fetch(row);
                ground.lists.fetch(row);
            });
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
