//! Approximate neighbors by partition and product: leaves of trees, all pairs of each, then neighbors of neighbors.
//!
//! Points are halved into leaves of a few hundred, a few times along different directions, and all pairs of a leaf
//! meet in one blocked product (PiPNN, cuVS); rounds of neighbors of neighbors then improve what is left. The recall is
//! measured on sampled points as the search goes on: trees are added while they find many of the missing neighbors, come
//! again between rounds when these find less, and a round ends in the middle, when the recall that was asked for is there. If
//! the work would exceed that of all pairs, the search says so and leaves it to them. Where few directions hold most of the
//! variance, all this happens in a sketch, and full distances are taken only of pairs that the sketch finds near. The
//! lists depend on the seed alone. Leaves may be looked at on a graphics processor, with the same bits (`device/leaves.rs`). Cost: a few thousand pairs a point; memory: the sketch, 8 bytes a link, and 8 more for each of
//! the first links of a list.

mod joins;
mod lists;
mod recall;
mod settle;
mod snapshot;
#[cfg(test)]
mod tests;

use super::Space;
use super::device::RemoteLeaves;
use super::halving::Halving;
use super::shortlist::{Candidate, Emit};
use super::sketch::Sketch;
use crate::random::hash;
use crate::{Result, Run};
use joins::{Ground, Rounds};
use lists::{Link, Lists};
pub(super) use recall::Recall;
use recall::Sample;

/// Points of a leaf.
const LEAF: usize = 512;
/// Trees before the recall is measured for the first time.
const TREES: usize = 5;
/// The recall up to which trees are added before the first round, and the share of the missing neighbors that a tree must
/// find to be followed by another one.
const FIRST: f64 = 0.8;
const WORTH: f64 = 0.05;
/// A round may end before all its parts are done if before it at most so many times as many neighbors were missing as may be.
const NEAR: f64 = 8.0;
/// The share of the missing neighbors that a round must find to be followed by another one, and not by trees; and how many
/// trees bring enough links for the next round.
const WORTH_A_ROUND: f64 = 2.0 / 3.0;
const BETWEEN: usize = 4;
/// So many steps in a row that find less than [`WORTH`] are as good as none.
const IDLE: usize = 4;
/// Of the neighbors of a point so many meet each other in a round, at the most: the work grows with the square. Of a point
/// with more copies than that no others meet, and its neighbors are left to the trees.
const JOINED: usize = 32;
/// Of the points that have a point as one of these neighbors so many are tried in a round, new and old ones each.
const CAP: usize = 16;
/// The share of the variance that a sketch holds where all but very few neighbors are wanted.
const ENOUGH_FOR_ALL: f64 = 0.92;
/// Coordinates that a sketch has at the least, where the points have as many.
const LEAST_SKETCH: usize = 16;
/// Points of one task.
const TASK: usize = 256;
/// What a pair of a leaf costs, with all that is around it, in pairs of the exact search; and one of a round. Measured on
/// 70,000 points of 50 dimensions.
const COST_IN_LEAF: usize = 2;
const COST_IN_ROUND: usize = 10;

/// The bytes that a search of `k` neighbors in `dim` dimensions holds for each point, at the least: a row of the sketch, which
/// may have all dimensions, two lists with their links both ways, and the neighborhood itself.
pub(super) fn bytes_a_point(k: usize, dim: usize) -> usize {
    size_of::<f32>() * dim.min(LEAST_SKETCH)
        + size_of::<Link>() * 2 * k
        + size_of::<u32>() * (2 * k.min(JOINED) + CAP + k)
}

/// What was found: the lists, and how many of the true neighbors they hold.
pub(super) struct Found<'a> {
    search: Partition<'a>,
    pub(super) recall: Recall,
}

impl Found<'_> {
    /// How many neighbors a list has.
    pub(super) fn k(&self) -> usize {
        self.search.k
    }

    /// Gives `emit` the list of each row; values only where they were needed to order it.
    pub(super) fn each(&self, emit: Emit, run: &Run) -> Result<()> {
        self.search.each(emit, run)
    }

    /// The same, with all values.
    pub(super) fn each_with_values(&self, emit: Emit, run: &Run) -> Result<()> {
        let space = self.search.space;
        if self.search.sketch.is_whole() {
            return self.each(emit, run);
        }
        self.each(
            &|row, list| {
                let rows: Vec<u32> = list.iter().map(|one| one.1).collect();
                let mut values = Vec::with_capacity(rows.len());
                space.values_to(row as usize, &rows, &mut values);
                let list: Vec<Candidate> = values.into_iter().zip(rows).collect();
                emit(row, &list)
            },
            run,
        )
    }
}

/// Searches for the `k` nearest of every row, with at least the share `wanted` of the true ones, and gives what was found to `keep`;
/// or says which share was reached before the work exceeded `budget`, in pairs of the exact search.
pub(super) fn search<T>(
    space: &Space,
    k: usize,
    wanted: f64,
    budget: usize,
    keep: impl FnOnce(&Found) -> Result<T>,
    run: &Run,
) -> Result<std::result::Result<T, f64>> {
    let enough = if digits(wanted) < 2.5 { Sketch::ENOUGH } else { ENOUGH_FOR_ALL };
    let sketch = Sketch::new(space, enough, run)?;
    let mut search = Partition::new(space, &sketch, k, wanted);
    let mut device = search.device(run)?;
    for _ in 0..TREES {
        search.tree_on(&mut device, run)?;
    }
    let sample = Sample::new(&search, run)?;
    search.learn(&sample);
    let mut recall = search.recall(&sample);
    // A round tries the more pairs, the more links are new: while trees find many of those that are missing, they cost less.
    while recall.share < wanted.min(FIRST) && search.spent <= budget {
        search.tree_on(&mut device, run)?;
        let before = std::mem::replace(&mut recall, search.recall(&sample));
        if recall.share - before.share < WORTH * (1.0 - before.share) {
            break;
        }
    }
    let mut rounds = Rounds::new(space.len(), search.width.min(JOINED), CAP);
    let (mut next, mut changing, mut idle) = (Step::Round, true, 0);
    while !recall.is_enough(wanted) {
        if search.spent > budget {
            return Ok(Err(recall.share));
        }
        let before = recall.share;
        if (!changing || idle >= IDLE) && !search.full && sample.ceiling(&search.lists) < likely(wanted) {
            // The sketch takes others for nearer: on with the distances themselves.
            search.refer_to_space(run)?;
            (next, changing, idle) = (Step::Round, true, 0);
            recall = search.recall(&sample);
            continue;
        }
        if next == Step::Round {
            // Where much is missing, a part of a round is not enough, and nobody looks.
            let near = 1.0 - before < NEAR * (1.0 - wanted);
            let is_there = |search: &Partition| search.recall(&sample).is_enough(wanted);
            changing = search.round(&mut rounds, near.then_some(&is_there), run)?;
        } else {
            search.tree_on(&mut device, run)?;
        }
        recall = search.recall(&sample);
        let found = (recall.share - before) / (1.0 - before);
        idle = if found < WORTH { idle + 1 } else { 0 };
        next = next.after(found);
    }
    // From here on only the lists are needed, and the rows of the space.
    drop((rounds, sample, device));
    let Partition { lists, full, seen, .. } = search;
    let sketch = sketch.without_rows();
    let search = Partition { full, seen, ..Partition::of(space, &sketch, k, wanted, lists) };
    let kept = keep(&Found { search, recall })?;
    space.set_aside();
    Ok(Ok(kept))
}

/// For each place of a sketch how far its k-th neighbor is at the most, in the units of the sketch.
pub(super) fn reaches(space: &Space, sketch: &Sketch, k: usize, run: &Run) -> Result<Vec<f32>> {
    let mut search = Partition::new(space, sketch, k, 0.9);
    for _ in 0..TREES {
        search.tree(run)?;
    }
    let doubt = sketch.doubt();
    let parts = run.chunks("first neighbors", space.len(), TASK, |range| {
        let mut values = Vec::new();
        let reach = |place: u32| {
            let links = search.lists.known(place);
            values.clear();
            values.extend(links.map(|link| sketch.full_value(space, place, link.row())));
            values.sort_unstable_by(f32::total_cmp);
            values.get(k - 1).map_or(f32::INFINITY, |last| doubt.most(*last))
        };
        Ok((range.start as u32..range.end as u32).map(reach).collect::<Vec<_>>())
    })?;
    Ok(parts.into_iter().flatten().collect())
}

/// What the sketch must be able to show so that a recall is there in the end: its last look leaves out a tenth of what may
/// be missing (see [`Partition::learn`]).
fn likely(wanted: f64) -> f64 {
    wanted + 0.1 * (1.0 - wanted)
}

/// How many nines a recall has: 2 for 0.99.
fn digits(recall: f64) -> f64 {
    -(1.0 - recall).max(1e-4).log10()
}

/// What improves the lists next: a round, or a tree with its number among those between two rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Round,
    Tree(usize),
}

impl Step {
    /// What follows when this step has found so much of what was missing. The first rounds find most of it. Then a tree finds
    /// more for its cost than a round, and its links are what the next round begins with.
    fn after(self, found: f64) -> Self {
        match self {
            Self::Round if found >= WORTH_A_ROUND => Self::Round,
            Self::Round => Self::Tree(1),
            Self::Tree(number) if found >= WORTH && number < BETWEEN => Self::Tree(number + 1),
            Self::Tree(_) => Self::Round,
        }
    }
}

/// The lists as they are being improved, and what it has cost.
struct Partition<'a> {
    space: &'a Space<'a>,
    sketch: &'a Sketch,
    k: usize,
    wanted: f64,
    width: usize,
    lists: Lists,
    /// Whether values of the lists are those of the space; else those of the sketch.
    full: bool,
    /// The share of its value that the sketch sees of nearly all neighbors; and of that of the last one, of all but few.
    seen: [f32; 2],
    trees: u64,
    /// The work so far, in pairs of the exact search.
    spent: usize,
}

impl<'a> Partition<'a> {
    fn new(space: &'a Space<'a>, sketch: &'a Sketch, k: usize, wanted: f64) -> Self {
        // The more is asked for, and the more points there are, the wider the lists through which neighbors of neighbors
        // are found.
        let digits = digits(wanted);
        let many = ((space.len() as f64).log10() - 4.0).max(1.0);
        let width = k + (0.08 * many * digits * digits * k as f64).ceil() as usize;
        let first = if sketch.is_whole() { width } else { width + k.max(8) };
        let lists = Lists::new(space.len(), first.min(space.len() - 1));
        Self { width: width.min(space.len() - 1), ..Self::of(space, sketch, k, wanted, lists) }
    }

    /// Over lists that are there.
    fn of(space: &'a Space<'a>, sketch: &'a Sketch, k: usize, wanted: f64, lists: Lists) -> Self {
        let (width, full) = (lists.width(), sketch.is_whole());
        Self { space, sketch, k, wanted, width, lists, full, seen: [1.0; 2], trees: 0, spent: 0 }
    }

    fn on_ground<T>(&self, work: impl FnOnce(&Ground) -> T) -> T {
        let (space, sketch) = (self.space, self.sketch);
        let (rows, lists, seen) = (sketch.rows(), &self.lists, if self.full { self.seen[0] } else { 1.0 });
        if self.full && !sketch.is_whole() {
            work(&Ground { rows, lists, seen, costly: true, measure: &|a, b, _| sketch.full_value(space, a, b) })
        } else {
            work(&Ground { rows, lists, seen, costly: false, measure: &|a, b, bound| sketch.near_value(a, b, bound) })
        }
    }

    /// Points of a leaf, at most: each has at least half of them, enough for a whole list.
    fn leaf(&self) -> usize {
        LEAF.max(2 * (self.k + 1))
    }

    /// The device for the leaves, where it is asked for.
    fn device(&self, run: &Run) -> Result<Option<RemoteLeaves>> {
        let rows = (self.sketch.rows(), self.sketch.doubtful());
        RemoteLeaves::new(rows, (self.lists.width(), self.leaf()), run)
    }

    /// Tries all pairs of the leaves of one more tree.
    fn tree(&mut self, run: &Run) -> Result<()> {
        self.tree_on(&mut None, run)
    }

    /// The same on a device, if there is one.
    fn tree_on(&mut self, device: &mut Option<RemoteLeaves>, run: &Run) -> Result<()> {
        let halving = if self.trees == 0 {
            Halving::in_order(self.space.len(), self.leaf())
        } else {
            Halving::grow(self.sketch.rows(), self.leaf(), hash(run.seed(), self.trees), run)?
        };
        if !self.leaves_on(device, &halving, run)? {
            self.on_ground(|ground| ground.leaves(&halving, run))?;
        }
        self.trees += 1;
        self.spent += COST_IN_LEAF * self.space.len() * self.leaf().min(self.space.len()) / 2;
        Ok(())
    }

    /// Tries all pairs of leaves on a device; false if it is left to this side, whose lists are the same.
    fn leaves_on(&self, device: &mut Option<RemoteLeaves>, halving: &Halving, run: &Run) -> Result<bool> {
        if self.full && !self.sketch.is_whole() {
            // Values are those of the space from now on, which are taken here.
            *device = None;
        }
        let (Some(leaves), lists) = (device, &self.lists) else { return Ok(false) };
        leaves.pairs(halving, &|row| lists.reach(row), &|row, links| lists.take(row, links), run)?;
        Ok(true)
    }

    /// One round of neighbors of neighbors, or less where that is enough; whether another one may help.
    fn round(&mut self, rounds: &mut Rounds, enough: Option<&dyn Fn(&Self) -> bool>, run: &Run) -> Result<bool> {
        let asked = enough.map(|enough| || enough(self));
        let asked = asked.as_ref().map(|asked| asked as &dyn Fn() -> bool);
        let (changes, pairs) = self.on_ground(|ground| rounds.round(ground, asked, run))?;
        self.spent += COST_IN_ROUND * pairs;
        Ok(changes * 200 > self.space.len() * rounds.joined())
    }

    /// Replaces values of the sketch by those of the space, and keeps as many links as rounds need.
    fn refer_to_space(&mut self, run: &Run) -> Result<()> {
        let better = Lists::new(self.space.len(), self.width);
        run.chunks("first neighbors", self.space.len(), TASK, |range| {
            let mut list = Vec::new();
            for place in range.start as u32..range.end as u32 {
                list.clear();
                let links = self.lists.known(place);
                list.extend(
                    links.map(|link| Link::new(self.sketch.full_value(self.space, place, link.row()), link.row())),
                );
                list.sort_unstable();
                list.resize(self.width, Link::NONE);
                better.write(place, &list);
            }
            Ok(())
        })?;
        (self.lists, self.full) = (better, true);
        Ok(())
    }

    /// The share of the true neighbors of the sample that is found.
    fn recall(&self, sample: &Sample) -> Recall {
        let in_use = self.full && !self.sketch.is_whole();
        let recall = sample.recall(&|place, full| self.list_by(place, &|_| (), full), in_use);
        if !in_use {
            // The rows of a few points are anywhere in the table; what is around them is not needed for now.
            self.space.set_aside();
        }
        recall
    }

    /// What the sketch sees of true neighbors.
    fn learn(&mut self, sample: &Sample) {
        if !self.sketch.is_whole() {
            self.seen = [sample.seen(0.95), sample.seen_of_last(1.0 - 0.1 * (1.0 - self.wanted))];
        }
    }
}
