//! All pairs in many dimensions: single-precision tiles leave few candidates, and double precision decides among them.
//!
//! Each tile serves its rows and its columns. Blocks are paired as teams in a round robin, so that within a round no
//! two tasks touch the same lists. A candidate is dropped only if its tile entry is beyond the k-th smallest by more
//! than twice the slack, so the lists are exactly those of all pairs summed directly, whatever the order of the work.
//! If the slack is wide compared with the distances (tight clusters far apart), more pairs are summed in double
//! precision, never fewer. Cost: n^2 q / 2 single-precision multiplications; memory for n q / 2 numbers and a few dozen
//! candidates per point.

use super::shortlist::{Candidate, Emit, Shortlist, order};
use super::{Space, Tiles};
use crate::{Result, Run};
use rayon::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The widest tile: a megabyte, which stays in the second-level cache.
const BLOCK: usize = 512;

/// What is searched.
#[derive(Debug, Clone, Copy)]
enum Goal {
    Nearest(usize),
    Within(f64),
}

/// All-pairs search in a space of squares.
pub(super) struct Brute<'a> {
    space: &'a Space<'a>,
    tiles: Tiles,
}

impl<'a> Brute<'a> {
    pub(super) fn new(space: &'a Space<'a>, tiles: Tiles) -> Self {
        Self { space, tiles }
    }

    pub(super) fn each_nearest(&self, k: usize, emit: Emit, run: &Run) -> Result<()> {
        self.search(Goal::Nearest(k), emit, run)
    }

    pub(super) fn each_within(&self, limit: f64, emit: Emit, run: &Run) -> Result<()> {
        self.search(Goal::Within(limit), emit, run)
    }

    /// The `k` nearest others of some rows, a chunk at a time.
    pub(super) fn nearest_of(&self, rows: &[u32], k: usize, run: &Run) -> Result<Vec<Vec<Vec<Candidate>>>> {
        let count = self.space.len();
        run.chunks("checking", rows.len(), 64, |range| {
            let rows = &rows[range];
            let mut lists = vec![Hopefuls::default(); rows.len()];
            let mut reach = vec![f32::INFINITY; rows.len()];
            let mut tile = vec![0.0; rows.len() * BLOCK];
            for first in (0..count).step_by(BLOCK) {
                let columns = first..(first + BLOCK).min(count);
                let tile = &mut tile[..rows.len() * columns.len()];
                self.tiles.fill_rows(rows, columns.clone(), tile);
                for (place, line) in tile.chunks_exact(columns.len()).enumerate() {
                    for (column, &entry) in columns.clone().zip(line) {
                        if entry <= reach[place] {
                            let candidate = (entry, column as u32);
                            let row = rows[place] as usize;
                            reach[place] = lists[place].push(self, row, Goal::Nearest(k), candidate, reach[place]);
                        }
                    }
                }
            }
            for (list, &row) in lists.iter_mut().zip(rows) {
                list.settle(self, row as usize, Goal::Nearest(k));
                list.exact.sort_unstable_by(order);
            }
            Ok(lists.into_iter().map(|list| list.exact).collect())
        })
    }

    fn search(&self, goal: Goal, emit: Emit, run: &Run) -> Result<()> {
        let count = self.space.len();
        let size = (count / 16).clamp(64, BLOCK);
        let blocks: Vec<Mutex<Block>> = (0..count.div_ceil(size))
            .map(|block| Mutex::new(self.block(block * size, ((block + 1) * size).min(count), goal)))
            .collect();
        let stage = run.stage("neighbors", blocks.len() * (blocks.len() + 1) / 2);
        for round in rounds(blocks.len()) {
            run.install(|| {
                round.into_par_iter().try_for_each_init(
                    || vec![0.0_f32; size * size],
                    |tile, (a, b)| {
                        run.check()?;
                        if a == b {
                            self.meet(&mut lock(&blocks[a]), None, goal, tile);
                        } else {
                            self.meet(&mut lock(&blocks[a]), Some(&mut lock(&blocks[b])), goal, tile);
                        }
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
                let first = block.first;
                for (place, list) in block.lists.iter_mut().enumerate() {
                    list.settle(self, first + place, goal);
                    list.exact.sort_unstable_by(order);
                    emit((first + place) as u32, &list.exact)?;
                }
                Ok(())
            })
        })
    }

    fn block(&self, first: usize, end: usize, goal: Goal) -> Block {
        let reach = (first..end).map(|row| match goal {
            Goal::Nearest(_) => f32::INFINITY,
            Goal::Within(limit) => self.up(limit, row),
        });
        Block { first, reach: reach.collect(), lists: vec![Hopefuls::default(); end - first] }
    }

    /// The largest tile entry that a value may have in this row.
    fn up(&self, value: f64, row: usize) -> f32 {
        ((self.tiles.scaled(value) + f64::from(self.tiles.slack(row))) as f32).next_up()
    }

    /// Adds every entry of the tile of two blocks that is within reach to the lists it concerns.
    fn meet(&self, a: &mut Block, b: Option<&mut Block>, goal: Goal, tile: &mut [f32]) {
        let rows = a.first..a.first + a.lists.len();
        let columns = b.as_ref().map_or(rows.clone(), |b| b.first..b.first + b.lists.len());
        let tile = &mut tile[..rows.len() * columns.len()];
        self.tiles.fill(rows, columns, tile);
        pulp::Arch::new().dispatch(Scan { brute: self, a, b, goal, tile });
    }

    /// The values of a row with others, each summed in the order of the coordinates.
    fn values(&self, center: usize, others: &[(f32, u32)], mut take: impl FnMut(Candidate)) {
        let rows: Vec<u32> = others.iter().map(|other| other.1).collect();
        let mut values = Vec::with_capacity(rows.len());
        self.space.values_to(center, &rows, &mut values);
        values.into_iter().zip(rows).for_each(&mut take);
    }
}

/// Consecutive rows, the reach of each, and what each has found.
struct Block {
    first: usize,
    reach: Vec<f32>,
    lists: Vec<Hopefuls>,
}

/// Candidates of one row: those known by their tile entry, and those known exactly.
#[derive(Debug, Clone, Default)]
struct Hopefuls {
    pending: Vec<(f32, u32)>,
    exact: Vec<Candidate>,
}

impl Hopefuls {
    /// Adds a candidate; the reach of the row afterwards.
    #[inline(never)]
    fn push(&mut self, brute: &Brute, center: usize, goal: Goal, entry: (f32, u32), reach: f32) -> f32 {
        if entry.1 as usize == center {
            return reach;
        }
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
            let cut = (kth.0 + 2.0 * brute.tiles.slack(center)).next_up().min(reach);
            self.pending.retain(|entry| entry.0 <= cut);
            if self.pending.len() <= room * 3 / 4 {
                return cut;
            }
            self.settle(brute, center, goal);
            let last = self.exact.iter().map(|candidate| candidate.0).fold(0.0, f64::max);
            return brute.up(last, center).min(cut);
        }
        self.settle(brute, center, goal);
        reach
    }

    /// Computes the exact values of all pending candidates and keeps what the goal asks for.
    fn settle(&mut self, brute: &Brute, center: usize, goal: Goal) {
        match goal {
            Goal::Nearest(k) => {
                let mut list = Shortlist::default();
                list.restart(k);
                self.exact.iter().for_each(|candidate| list.offer(candidate.0, candidate.1));
                brute.values(center, &self.pending, |candidate| list.offer(candidate.0, candidate.1));
                self.exact.clear();
                self.exact.extend_from_slice(list.finish());
            }
            Goal::Within(limit) => {
                let exact = &mut self.exact;
                brute.values(center, &self.pending, |candidate| {
                    if candidate.0 <= limit {
                        exact.push(candidate);
                    }
                });
            }
        }
        self.pending.clear();
    }
}

/// Searches a tile for entries within the reach of their row or of their column.
struct Scan<'a> {
    brute: &'a Brute<'a>,
    a: &'a mut Block,
    b: Option<&'a mut Block>,
    goal: Goal,
    tile: &'a [f32],
}

impl pulp::WithSimd for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) {
        const WIDTH: usize = 32;
        let width = self.b.as_ref().map_or(self.a.lists.len(), |b| b.lists.len());
        let no_reach = vec![f32::NEG_INFINITY; if self.b.is_none() { width } else { 0 }];
        let (a, brute, goal) = (self.a, self.brute, self.goal);
        for (place, line) in self.tile.chunks_exact(width).enumerate() {
            let row = a.first + place;
            for (start, entries) in (0..).step_by(WIDTH).zip(line.chunks(WIDTH)) {
                let reach = a.reach[place];
                let others = &self.b.as_ref().map_or(&no_reach, |b| &b.reach)[start..start + entries.len()];
                let mut any = false;
                for (&entry, &other) in entries.iter().zip(others) {
                    any |= (entry <= reach) | (entry <= other);
                }
                if !any {
                    continue;
                }
                let first = self.b.as_ref().map_or(a.first, |b| b.first) + start;
                for (offset, &entry) in entries.iter().enumerate() {
                    if entry <= a.reach[place] {
                        let candidate = (entry, (first + offset) as u32);
                        a.reach[place] = a.lists[place].push(brute, row, goal, candidate, a.reach[place]);
                    }
                    if let Some(b) = &mut self.b {
                        let column = start + offset;
                        if entry <= b.reach[column] {
                            let candidate = (entry, row as u32);
                            b.reach[column] =
                                b.lists[column].push(brute, first + offset, goal, candidate, b.reach[column]);
                        }
                    }
                }
            }
        }
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
