//! All pairs in many dimensions: products in single precision leave few candidates, and double precision decides.
//!
//! A few trees tell how far the k-th neighbor of each point is at the most. Then every pair meets once in a sketch, which
//! never makes a distance longer (few coordinates, where sampled pairs tell that these cost less than all): what is beyond the
//! reach of both points there is left out. The rest is measured roughly, and what is still within reach in double precision. So
//! the lists are exactly those of all pairs summed directly, whatever the order of the work. Blocks are paired as teams
//! in a round robin, so that within a round no two tasks touch the same lists. Where the errors of single precision are
//! wide compared with the distances (tight clusters far apart), more pairs are measured, never fewer. Cost: n^2 r / 2
//! single-precision multiplications, r the width of the sketch; memory: the sketch and a few dozen candidates a point.

use super::kernel::{Meeting, Pairs, Panels, Reaches};
use super::probe::probe;
use super::shortlist::{Candidate, Emit, Shortlist, order};
use super::sketch::Sketch;
use super::{Space, partition};
use crate::random::hash;
use crate::{Result, Run};
use rayon::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Points of a block, at most.
const BLOCK: usize = 512;
/// Fewer points are not worth a first look.
const FEW: usize = 4096;
/// Sampled points that meet each other to tell how many pairs a sketch leaves.
const MET: u64 = 512;
/// What a coordinate of a pair that is measured costs, in those of pairs that meet in a product.
const COST: f64 = 4.0;
/// More numbers than these are not copied: a gigabyte in single precision.
const MANY: usize = 1 << 28;

/// What is searched.
#[derive(Debug, Clone, Copy)]
enum Goal {
    Nearest(usize),
    Within(f64),
}

/// All-pairs search in a space of squares.
pub(super) struct Brute<'a> {
    space: &'a Space<'a>,
    sketch: Sketch,
}

impl<'a> Brute<'a> {
    pub(super) fn new(space: &'a Space<'a>, run: &Run) -> Result<Self> {
        Ok(Self { space, sketch: Sketch::new(space, Sketch::ENOUGH, run)? })
    }

    pub(super) fn each_nearest(&self, k: usize, emit: Emit, run: &Run) -> Result<()> {
        let reach = if self.space.len() > FEW && k + 1 < self.space.len() / 8 {
            partition::reaches(self.space, &self.sketch, k, run)?
        } else {
            vec![f32::INFINITY; self.space.len()]
        };
        self.search_within(Goal::Nearest(k), reach, emit, run)
    }

    pub(super) fn each_within(&self, limit: f64, emit: Emit, run: &Run) -> Result<()> {
        self.search_within(Goal::Within(limit), vec![self.sketch.scaled(limit); self.space.len()], emit, run)
    }

    /// Searches with the sketch, or with all coordinates where the sketch would leave too many pairs to measure.
    fn search_within(&self, goal: Goal, reach: Vec<f32>, emit: Emit, run: &Run) -> Result<()> {
        if self.sketch.is_whole() || self.space.len() * self.space.dim() > MANY || self.is_worth_it(&reach, run) {
            return self.search(goal, &reach, emit, run);
        }
        let place_of = self.sketch.place_of();
        let brute = Self { space: self.space, sketch: Sketch::whole(self.space, run)? };
        // Both sketches have the same units, and other orders.
        let reach: Vec<f32> = brute.order().iter().map(|&row| reach[place_of[row as usize] as usize]).collect();
        brute.search(goal, &reach, emit, run)
    }

    /// Whether pairs cost less in the sketch than in all coordinates, by sampled points: those that are within reach there
    /// are measured, in either case.
    fn is_worth_it(&self, reach: &[f32], run: &Run) -> bool {
        let count = self.space.len() as u64;
        let places: Vec<u32> = (0..MET).map(|draw| (hash(run.seed() ^ 0x1EF7, draw) % count) as u32).collect();
        let (mut pairs, mut near, mut left) = (0.0, 0.0, 0.0);
        for (at, &a) in places.iter().enumerate() {
            for &b in places[..at].iter().filter(|&&b| a != b) {
                let reach = reach[a as usize].max(reach[b as usize]);
                pairs += 1.0;
                left += f64::from(u8::from(self.sketch.value(a, b) <= reach));
                near += f64::from(u8::from(self.sketch.full_value(self.space, a, b) <= reach));
            }
        }
        let share = self.sketch.width() as f64 / self.space.dim() as f64;
        share + COST * (left - near) / f64::max(pairs, 1.0) < 1.0
    }

    /// The `k` nearest others of some rows.
    pub(super) fn nearest_of(&self, rows: &[u32], k: usize, run: &Run) -> Result<Vec<Vec<Candidate>>> {
        let place_of = self.sketch.place_of();
        let places: Vec<u32> = rows.iter().map(|&row| place_of[row as usize]).collect();
        probe(self.space, &self.sketch, &places, k, &|_| f32::INFINITY, run)
    }

    /// An order of the rows in which consecutive rows are near each other.
    pub(super) fn order(&self) -> &[u32] {
        self.sketch.order()
    }

    fn search(&self, goal: Goal, reach: &[f32], emit: Emit, run: &Run) -> Result<()> {
        let count = self.space.len();
        let size = (count / 16).clamp(64, BLOCK);
        let block = |first: usize| {
            let places = first as u32..(first + size).min(count) as u32;
            let lists = vec![Hopefuls::default(); places.len()];
            Mutex::new(Block { reach: reach[first..first + places.len()].to_vec(), places: places.collect(), lists })
        };
        let blocks: Vec<Mutex<Block>> = (0..count).step_by(size).map(block).collect();
        let stage = run.stage("neighbors", blocks.len() * (blocks.len() + 1) / 2);
        for round in rounds(blocks.len()) {
            run.install(|| {
                round.into_par_iter().try_for_each_init(
                    || (Panels::default(), Reaches::default()),
                    |(panels, reaches), (a, b)| {
                        run.check()?;
                        let other = (a != b).then(|| lock(&blocks[b]));
                        self.meet(&mut lock(&blocks[a]), other, goal, (panels, reaches));
                        stage.advance(1);
                        Ok(())
                    },
                )
            })?;
        }
        run.install(|| {
            blocks.into_par_iter().try_for_each(|block| {
                run.check()?;
                let mut block = lock(&block);
                let Block { places, lists, .. } = &mut *block;
                for (list, &place) in lists.iter_mut().zip(&*places) {
                    let row = self.sketch.order()[place as usize];
                    list.settle(self, row, goal);
                    list.exact.sort_unstable_by(order);
                    emit(row, &list.exact)?;
                }
                Ok(())
            })
        })
    }

    /// Brings every pair of two blocks, or of one, that is within reach to the lists that it concerns.
    fn meet(
        &self,
        a: &mut Block,
        b: Option<MutexGuard<Block>>,
        goal: Goal,
        (panels, reaches): (&mut Panels, &mut Reaches),
    ) {
        let Some(mut b) = b else {
            let Block { places, reach, lists } = a;
            panels.fill(self.sketch.rows(), places.iter().copied());
            reaches.set(reach.iter().copied());
            let take = |reaches: &mut Reaches, one: usize, other: usize, _: f32| {
                let value = self.sketch.full_value(self.space, places[one], places[other]);
                for (own, to) in [(one, other), (other, one)] {
                    let reach = self.bring(&mut lists[own], [places[own], places[to]], value, goal, reaches.rows[own]);
                    (reaches.rows[own], reaches.columns[own]) = (reach, reach);
                }
            };
            Meeting { rows: self.sketch.rows(), ids: places, panels, pairs: Pairs::Before, reaches, take }.run();
            reach.copy_from_slice(&reaches.rows);
            return;
        };
        let (one, other) = (a, &mut *b);
        panels.fill(self.sketch.rows(), other.places.iter().copied());
        reaches.set(one.reach.iter().copied());
        reaches.set_columns(other.reach.iter().copied());
        let take = |reaches: &mut Reaches, row: usize, column: usize, _: f32| {
            let places = [one.places[row], other.places[column]];
            let value = self.sketch.full_value(self.space, places[0], places[1]);
            reaches.rows[row] = self.bring(&mut one.lists[row], places, value, goal, reaches.rows[row]);
            let (places, list) = ([places[1], places[0]], &mut other.lists[column]);
            reaches.columns[column] = self.bring(list, places, value, goal, reaches.columns[column]);
        };
        Meeting { rows: self.sketch.rows(), ids: &one.places, panels, pairs: Pairs::All, reaches, take }.run();
        one.reach.copy_from_slice(&reaches.rows);
        other.reach.copy_from_slice(&reaches.columns[..other.places.len()]);
    }

    /// Adds a pair with its rough value to the list of its first point if it is within reach; the reach afterwards.
    #[inline(always)]
    fn bring(&self, list: &mut Hopefuls, [own, other]: [u32; 2], value: f32, goal: Goal, reach: f32) -> f32 {
        if self.sketch.doubt().least(value) > reach {
            return reach;
        }
        let [own, other] = [own, other].map(|place| self.sketch.order()[place as usize]);
        list.push(self, own, goal, (value, other), reach)
    }
}

/// Consecutive places of the sketch, the reach of each, and what each has found.
struct Block {
    places: Vec<u32>,
    reach: Vec<f32>,
    lists: Vec<Hopefuls>,
}

/// Candidates of one row: those known roughly, and those known exactly.
#[derive(Debug, Clone, Default)]
struct Hopefuls {
    pending: Vec<(f32, u32)>,
    exact: Vec<Candidate>,
}

impl Hopefuls {
    /// Adds a candidate; the reach of the row afterwards.
    fn push(&mut self, brute: &Brute, center: u32, goal: Goal, entry: (f32, u32), reach: f32) -> f32 {
        self.pending.push(entry);
        let room = match goal {
            Goal::Nearest(k) => 2 * k + 32,
            Goal::Within(_) => 256,
        };
        if self.pending.len() < room {
            return reach;
        }
        if let Goal::Nearest(k) = goal {
            let (_, kth, _) = self.pending.select_nth_unstable_by(k - 1, |a, b| a.0.total_cmp(&b.0));
            let cut = brute.sketch.doubt().most(kth.0).min(reach);
            self.pending.retain(|entry| brute.sketch.doubt().least(entry.0) <= cut);
            if self.pending.len() <= room * 3 / 4 {
                return cut;
            }
            self.settle(brute, center, goal);
            let last = self.exact.iter().map(|candidate| candidate.0).fold(0.0, f64::max);
            return brute.sketch.scaled(last).min(cut);
        }
        self.settle(brute, center, goal);
        reach
    }

    /// Computes the exact values of all pending candidates and keeps what the goal asks for.
    fn settle(&mut self, brute: &Brute, center: u32, goal: Goal) {
        let rows: Vec<u32> = self.pending.iter().map(|entry| entry.1).collect();
        let mut values = Vec::with_capacity(rows.len());
        brute.space.values_to(center as usize, &rows, &mut values);
        let settled = values.into_iter().zip(rows);
        match goal {
            Goal::Nearest(k) => {
                let mut list = Shortlist::default();
                list.restart(k);
                self.exact.iter().for_each(|candidate| list.offer(candidate.0, candidate.1));
                settled.for_each(|(value, row)| list.offer(value, row));
                self.exact.clear();
                self.exact.extend_from_slice(list.finish());
            }
            Goal::Within(limit) => self.exact.extend(settled.filter(|candidate| candidate.0 <= limit)),
        }
        self.pending.clear();
    }
}

/// Every pair of teams once, first each with itself; in a round no team plays twice.
fn rounds(teams: usize) -> Vec<Vec<(usize, usize)>> {
    let even = teams + teams % 2;
    let mut rounds = vec![(0..teams).map(|team| (team, team)).collect::<Vec<_>>()];
    for round in 0..even - 1 {
        let circle = |seat: usize| (round + seat) % (even - 1);
        let pairs = std::iter::once((even - 1, round))
            .chain((1..even / 2).map(|seat| (circle(seat), circle(even - 1 - seat))))
            .filter(|(a, b)| *a < teams && *b < teams);
        rounds.push(pairs.collect());
    }
    rounds
}

/// A task that failed has already ended the search, so the block it left is never read.
fn lock<'a>(block: &'a Mutex<Block>) -> MutexGuard<'a, Block> {
    block.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Brute, Goal, Space};
    use crate::random::hash;
    use crate::{Algorithm, Metric, Points, Run, Search};

    /// Rows whose first numbers are random; the others repeat these.
    fn random(count: usize, dim: usize, free: usize) -> Points {
        let cell = |at: usize| (hash(9, (at / dim * dim + at % dim % free) as u64) >> 40) as f64;
        Points::new(count, dim, (0..count * dim).map(cell).collect()).unwrap()
    }

    #[test]
    fn a_sketch_serves_where_it_leaves_few_pairs_and_not_by_the_number_of_dimensions() {
        let (run, k) = (Run::new(), 6);
        for (free, wanted) in [(600, false), (40, true)] {
            let points = random(700, 600, free);
            let space = Space::new(&points, Metric::Euclidean).unwrap();
            let brute = Brute::new(&space, &run).unwrap();
            let lists = Search::nearest(k).with_algorithm(Algorithm::Tree).run(&points, &run).unwrap();
            let reach = |&row: &u32| {
                let last = *lists.neighbors(row as usize).last().unwrap() as usize;
                brute.sketch.scaled(space.value(row as usize, last))
            };
            let reach: Vec<f32> = brute.order().iter().map(reach).collect();
            assert!(!brute.sketch.is_whole());
            assert_eq!(brute.is_worth_it(&reach, &run), wanted, "{free} free numbers");
            let found = std::sync::Mutex::new(0);
            let check = |row: u32, list: &[(f64, u32)]| {
                let rows: Vec<u32> = list.iter().map(|one| one.1).collect();
                assert_eq!(rows, lists.neighbors(row as usize));
                *found.lock().unwrap() += 1;
                Ok(())
            };
            brute.search_within(Goal::Nearest(k), reach, &check, &run).unwrap();
            assert_eq!(*found.lock().unwrap(), 700);
        }
    }

    #[test]
    fn every_pair_of_teams_meets_once_and_no_team_plays_twice_in_a_round() {
        for teams in 1..12 {
            let rounds = super::rounds(teams);
            let mut seen = std::collections::HashSet::new();
            for round in &rounds {
                let mut playing = std::collections::HashSet::new();
                for &(a, b) in round {
                    assert!(seen.insert((a.min(b), a.max(b))));
                    assert!(playing.insert(a) && (a == b || playing.insert(b)));
                }
            }
            assert_eq!(seen.len(), teams * (teams + 1) / 2);
        }
    }
}
