//! A preconditioner by approximate elimination: L ~ U' D U with U sparse and triangular, in parallel.
//!
//! Vertices are eliminated in rounds of independent sets of small degree; the clique that a vertex leaves is replaced
//! by a sampled tree (`sample.rs`), so the number of edges never grows. Row v of U then holds -w_vj / W_v for the
//! neighbors j left at its turn, and D its total weight W_v. Applying U^-1 D^-1 U'^-1 goes round by round; within a
//! round all rows are independent, so both sweeps are gathers that run in parallel with the same bits on any number of
//! threads. Gao, Kyng and Spielman (2023); eliminating hubs first and the rounds are this project's own. Cost: about
//! 12 bytes and two gathers for each of 14 entries a point at k = 12; conjugate gradients with it take 25 to 40 steps
//! to 1e-8.

mod graph;
mod rows;
mod sample;

use super::conjugate_gradient::Preconditioner;
use super::memberships::Memberships;
use crate::linalg::block::{CHUNK, add_rows, by_width, permute};
use crate::memory::release;
use crate::{Result, Run};
use graph::EliminationGraph;
use rayon::prelude::*;
use rows::Rows;
pub(super) use sample::{Edge, sample};

/// The ratio of weights beyond which a neighborhood may dominate those it overlaps. Overlapping neighborhoods of similar
/// weight make up for what one tree misses of a clique, and more trees would only take longer to set up; a dominant one has
/// its own tree alone, so it gets more of them.
const UNEQUAL: f64 = 100.0;
const MORE_TREES: usize = 3;

/// A sparse triangular matrix by rows, whose entries are shares of one, in 65535ths: those of a row of some hundred
/// entries or fewer add up to one exactly, so that constants stay what U maps to zero.
#[derive(Debug)]
struct Triangle {
    offsets: Vec<usize>,
    places: Vec<u32>,
    shares: Vec<u16>,
}

/// What one is in a [`Triangle`].
const ONE: f64 = 65535.0;
/// Slices in which a [`Triangle`] is turned round: each reads all of it.
const MOST_SLICES: usize = 8;

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
    pub(super) fn new(memberships: &Memberships<'_>, weights: &[f64], seed: u64, run: &Run) -> Result<Self> {
        let count = memberships.len();
        let scale = weights.iter().copied().fold(0.0, f64::max);
        let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
        let trees = if scale > UNEQUAL * least { MORE_TREES } else { 1 };
        let mut graph = EliminationGraph::sampled(memberships, weights, scale, trees, seed);
        let mut names: Vec<u32> = (0..count as u32).collect();
        let mut order = Vec::with_capacity(count);
        let mut inverse = Vec::with_capacity(count);
        let mut later = Triangle { offsets: vec![0], places: Vec::new(), shares: Vec::new() };
        let mut rounds = Vec::new();
        let mut number = 0;
        while graph.len() > 0 {
            run.check()?;
            number += 1;
            let (gone, left) = graph.round(&names, seed.wrapping_add(number));
            let shares = Rows::collect(gone.vertices.len(), |at, _: &mut (), to: &mut Vec<u16>| {
                append_shares(graph.of(gone.vertices[at] as usize), to);
            });
            for (at, &vertex) in gone.vertices.iter().enumerate() {
                let edges = graph.of(vertex as usize);
                let total = total_of(edges);
                order.push(names[vertex as usize]);
                // The last vertex of a component receives the sum of the column there, zero but for rounding: a large
                // pivot keeps that small, and keeps the factor definite if the sampled graph is not connected.
                inverse.push(1.0 / if total > 0.0 { total * scale } else { scale });
                later.places.extend(edges.iter().map(|edge| names[edge.to as usize]));
                later.shares.extend_from_slice(shares.of(at));
                later.offsets.push(later.places.len());
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
        later.places.par_iter_mut().with_min_len(CHUNK).for_each(|to| *to = place[*to as usize]);
        release(16 * later.places.len());
        let earlier = later.transposed();
        Ok(Self { order, place, rounds, inverse, earlier, later })
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        let Triangle { offsets, places, shares } = &self.later;
        2 * (size_of_val(&offsets[..]) + size_of_val(&places[..]) + size_of_val(&shares[..])) + 16 * self.order.len()
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

/// The sum of the weights of some edges.
fn total_of(edges: &[Edge]) -> f64 {
    edges.iter().map(|edge| f64::from(edge.weight)).sum()
}

/// Appends the weights of some edges as shares of their sum, in 65535ths: each is rounded, and the
/// heaviest gets what that leaves, so that a light edge is never made heavier than it is by more than itself.
fn append_shares(edges: &[Edge], to: &mut Vec<u16>) {
    let (total, start) = (total_of(edges), to.len());
    to.extend(edges.iter().map(|edge| (ONE * f64::from(edge.weight) / total).round() as u16));
    let given: i64 = to[start..].iter().map(|&share| i64::from(share)).sum();
    if let Some(heaviest) = to[start..].iter_mut().max() {
        *heaviest = (i64::from(*heaviest) + ONE as i64 - given).clamp(0, ONE as i64) as u16;
    }
}

impl Triangle {
    #[inline(always)]
    fn row(&self, at: usize) -> impl Iterator<Item = (u32, f64)> {
        let own = self.offsets[at]..self.offsets[at + 1];
        let shares = self.shares[own.clone()].iter().map(|&share| f64::from(share) * (1.0 / ONE));
        self.places[own].iter().copied().zip(shares)
    }

    /// The same entries by the other end, those of one row by increasing place: each thread writes some of the rows.
    fn transposed(&self) -> Self {
        let count = self.offsets.len() - 1;
        let mut offsets = vec![0; count + 1];
        let size = count.div_ceil(rayon::current_num_threads().min(MOST_SLICES)).max(1);
        offsets[1..].par_chunks_mut(size).enumerate().for_each(|(number, counts)| {
            let first = number * size;
            for &to in &self.places {
                if let Some(count) = (to as usize).checked_sub(first).and_then(|at| counts.get_mut(at)) {
                    *count += 1;
                }
            }
        });
        for at in 1..=count {
            offsets[at] += offsets[at - 1];
        }
        let (mut places, mut shares) = (vec![0; self.places.len()], vec![0; self.shares.len()]);
        let mut slices = Vec::new();
        let mut rest = (&mut places[..], &mut shares[..]);
        for first in (0..count).step_by(size) {
            let middle = offsets[(first + size).min(count)] - offsets[first];
            let (places, shares) = (rest.0.split_at_mut(middle), rest.1.split_at_mut(middle));
            slices.push((first, places.0, shares.0));
            rest = (places.1, shares.1);
        }
        slices.into_par_iter().for_each(|(first, places, shares)| {
            let end = (first + size).min(count);
            let mut next: Vec<usize> = offsets[first..end].iter().map(|offset| offset - offsets[first]).collect();
            for at in 0..count {
                let own = self.offsets[at]..self.offsets[at + 1];
                for (&to, &share) in self.places[own.clone()].iter().zip(&self.shares[own]) {
                    if let Some(next) = (to as usize).checked_sub(first).and_then(|row| next.get_mut(row)) {
                        (places[*next], shares[*next]) = (at as u32, share);
                        *next += 1;
                    }
                }
            }
        });
        Self { offsets, places, shares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_row_add_up_to_one_and_are_right_to_half_a_unit_or_two() {
        let weights = [0.3_f32, 1e-9, 2.5, 0.7, 0.1, 1e-3];
        let edges: Vec<Edge> = weights.iter().zip(0..).map(|(&weight, to)| Edge { to, weight }).collect();
        let (total, mut shares) = (total_of(&edges), Vec::new());
        append_shares(&edges, &mut shares);
        assert_eq!(shares.iter().map(|&share| f64::from(share)).sum::<f64>(), ONE);
        for (share, weight) in shares.iter().zip(weights) {
            assert!((f64::from(*share) - ONE * f64::from(weight) / total).abs() <= 2.0);
        }
        // What is far below a unit is nothing, wherever it stands.
        let light = [1.0, 1e-9, 1.0].map(|weight| Edge { to: 0, weight });
        let start = shares.len();
        append_shares(&light, &mut shares);
        assert_eq!(shares[start + 1], 0);
        shares.truncate(start);
        append_shares(&edges[..0], &mut shares);
        assert_eq!(shares.len(), weights.len());
    }

    #[test]
    fn a_triangle_turned_round_twice_is_the_same() {
        let rows: [&[(u32, u16)]; 5] = [&[(1, 5), (4, 9)], &[(3, 2), (2, 8), (4, 1)], &[], &[(4, 7)], &[]];
        let mut triangle = Triangle { offsets: vec![0], places: Vec::new(), shares: Vec::new() };
        for row in rows {
            triangle.places.extend(row.iter().map(|entry| entry.0));
            triangle.shares.extend(row.iter().map(|entry| entry.1));
            triangle.offsets.push(triangle.places.len());
        }
        let turned = triangle.transposed();
        let row = |at: usize| {
            let own = turned.offsets[at]..turned.offsets[at + 1];
            turned.places[own.clone()].iter().copied().zip(turned.shares[own].iter().copied()).collect::<Vec<_>>()
        };
        let expected: [&[(u32, u16)]; 5] = [&[], &[(0, 5)], &[(1, 8)], &[(1, 2)], &[(0, 9), (1, 1), (3, 7)]];
        (0..5).for_each(|at| assert_eq!(row(at), expected[at]));
        let back = turned.transposed();
        assert_eq!((back.places, back.shares), (vec![1, 4, 2, 3, 4, 4], vec![5, 9, 8, 2, 1, 7]));
        assert_eq!(back.offsets, triangle.offsets);
    }
}
