//! A preconditioner by approximate elimination: L ~ U' D U with U sparse and triangular, in parallel.
//!
//! Vertices are eliminated in rounds of independent sets of small degree; the clique that a vertex leaves is replaced
//! by a sampled tree (`sample.rs`), so the number of edges never grows. Row v of U then holds -w_vj / W_v for the
//! neighbors j left at its turn, and D its total weight W_v. Applying U^-1 D^-1 U'^-1 goes round by round; within a
//! round all rows are independent, so both sweeps are gathers that run in parallel with the same bits on any number of
//! threads. Gao, Kyng and Spielman (2023); eliminating hubs first and the rounds are this project's own. Cost: about
//! 16 bytes and two gathers for each of 14 entries a point at k = 12; conjugate gradients with it take 25 to 40 steps
//! to 1e-8.

mod forest;
mod graph;
mod sample;

use super::conjugate_gradient::Preconditioner;
use super::memberships::Memberships;
use crate::linalg::block::{CHUNK, add_rows, by_width, permute};
use crate::{Result, Run};
use graph::EliminationGraph;
use rayon::prelude::*;
use sample::Edge;

/// The ratio of weights beyond which a neighborhood may dominate those it overlaps. Overlapping neighborhoods of similar
/// weight make up for what one tree misses of a clique; a dominant one has only its own tree, so it gets more of them:
/// with weights over twelve decades 44 steps instead of 149, with equal weights 26 instead of 32 for twice the setup.
const UNEQUAL: f64 = 100.0;
const MORE_TREES: usize = 3;

/// A sparse triangular matrix by rows.
#[derive(Debug)]
struct Triangle {
    offsets: Vec<usize>,
    entries: Vec<Edge>,
}

/// The approximate factors of a Laplacian, in the order of elimination.
#[derive(Debug)]
pub(super) struct Elimination {
    /// For each place in the order of elimination, the vertex.
    order: Vec<u32>,
    /// For each vertex, its place.
    place: Vec<u32>,
    /// Where each parallel round ends; what follows the last is done row by row.
    rounds: Vec<usize>,
    /// One over W_v at each place.
    inverse: Vec<f64>,
    /// For each place the later places it was joined to.
    later: Triangle,
    /// The same entries at the other end.
    earlier: Triangle,
}

impl Elimination {
    /// Eliminates all vertices; before each round it is checked whether the run was cancelled.
    pub(super) fn new(memberships: &Memberships, weights: &[f64], seed: u64, run: &Run) -> Result<Self> {
        let count = memberships.len();
        let scale = weights.iter().copied().fold(0.0, f64::max);
        let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
        let trees = if scale > UNEQUAL * least { MORE_TREES } else { 1 };
        let mut graph = EliminationGraph::sampled(memberships, weights, scale, trees, seed);
        let mut names: Vec<u32> = (0..count as u32).collect();
        let mut order = Vec::with_capacity(count);
        let mut inverse = Vec::with_capacity(count);
        let mut offsets = vec![0];
        let mut entries: Vec<Edge> = Vec::new();
        let mut rounds = Vec::new();
        let mut number = 0;
        while graph.len() > 0 {
            run.check()?;
            number += 1;
            let (gone, left) = graph.round(&names, seed.wrapping_add(number));
            let mut start = 0;
            for (&vertex, &end) in gone.vertices.iter().zip(&gone.ends) {
                let edges = &gone.edges[start..end];
                start = end;
                let total: f64 = edges.iter().map(|edge| f64::from(edge.weight)).sum();
                order.push(names[vertex as usize]);
                // The last vertex of a component receives the sum of the column there, zero but for rounding: a large
                // pivot keeps that small, and keeps the factor definite if the sampled graph is not connected.
                inverse.push(1.0 / if total > 0.0 { total * scale } else { scale });
                let share = |weight: f32| (f64::from(weight) / total) as f32;
                entries.extend(edges.iter().map(|e| Edge { to: names[e.to as usize], weight: share(e.weight) }));
                offsets.push(entries.len());
            }
            // Rows may only run in parallel within one round, so after the first small round all go one by one.
            let before = order.len() - gone.vertices.len();
            if gone.vertices.len() >= CHUNK && rounds.last().is_none_or(|&end| end == before) {
                rounds.push(order.len());
            }
            names = gone.stay.iter().map(|&vertex| names[vertex as usize]).collect();
            graph = left;
        }
        let mut place = vec![0; count];
        for (at, &vertex) in order.iter().enumerate() {
            place[vertex as usize] = at as u32;
        }
        entries.par_iter_mut().with_min_len(CHUNK).for_each(|entry| entry.to = place[entry.to as usize]);
        let later = Triangle { offsets, entries };
        let earlier = later.transposed();
        Ok(Self { order, place, rounds, inverse, earlier, later })
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        2 * (size_of_val(&self.later.entries[..]) + size_of_val(&self.later.offsets[..])) + 16 * self.order.len()
    }

    fn sweeps<const W: usize>(&self, input: &[f64], columns: usize, values: &mut [f64]) {
        permute(values, input, &self.order, columns);
        let mut start = 0;
        for &end in &self.rounds {
            let (done, rest) = values.split_at_mut(start * columns);
            let round = &mut rest[..(end - start) * columns];
            round.par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, rows)| {
                for (at, row) in (start + chunk * CHUNK..).zip(rows.chunks_exact_mut(columns)) {
                    add_rows::<W>(row, done, self.earlier.row(at));
                }
            });
            start = end;
        }
        for at in start..self.order.len() {
            let (done, rest) = values.split_at_mut(at * columns);
            add_rows::<W>(&mut rest[..columns], done, self.earlier.row(at));
        }
        for at in (start..self.order.len()).rev() {
            let (before, done) = values.split_at_mut((at + 1) * columns);
            self.finish::<W>(at, &mut before[at * columns..], done, at + 1);
        }
        for (number, &end) in self.rounds.iter().enumerate().rev() {
            let start = if number == 0 { 0 } else { self.rounds[number - 1] };
            let (before, done) = values.split_at_mut(end * columns);
            let done = &*done;
            before[start * columns..].par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, rows)| {
                for (at, row) in (start + chunk * CHUNK..).zip(rows.chunks_exact_mut(columns)) {
                    self.finish::<W>(at, row, done, end);
                }
            });
        }
    }

    /// The backward step of one row; `done` begins at place `first`.
    #[inline(always)]
    fn finish<const W: usize>(&self, at: usize, row: &mut [f64], done: &[f64], first: usize) {
        row.iter_mut().for_each(|value| *value *= self.inverse[at]);
        add_rows::<W>(row, done, self.later.row(at).map(|(to, share)| (to - first as u32, share)));
    }
}

impl Preconditioner for Elimination {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        scratch.resize(input.len(), 0.0);
        by_width!(columns, W => self.sweeps::<W>(input, columns, scratch));
        permute(output, scratch, &self.place, columns);
    }
}

impl Triangle {
    #[inline(always)]
    fn row(&self, at: usize) -> impl Iterator<Item = (u32, f64)> {
        self.entries[self.offsets[at]..self.offsets[at + 1]].iter().map(|entry| (entry.to, f64::from(entry.weight)))
    }

    fn transposed(&self) -> Self {
        let mut offsets = vec![0; self.offsets.len()];
        for entry in &self.entries {
            offsets[entry.to as usize + 1] += 1;
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut entries = vec![Edge { to: 0, weight: 0.0 }; self.entries.len()];
        for at in 0..self.offsets.len() - 1 {
            for entry in &self.entries[self.offsets[at]..self.offsets[at + 1]] {
                entries[next[entry.to as usize]] = Edge { to: at as u32, weight: entry.weight };
                next[entry.to as usize] += 1;
            }
        }
        Self { offsets, entries }
    }
}
