//! The graph that is left during an elimination, and one round of it.
//!
//! A round takes an independent set of vertices of small degree, replaces the edges of each by a sampled tree over its
//! neighbors, and writes the graph of the others anew with parallel edges merged. No two vertices of the set touch, so
//! all are eliminated at once, and every vertex that stays collects its own new edges: any number of threads gives the
//! same graph. Cost: one pass over the edges a round; a round takes about a tenth of the vertices.

use super::forest::Forest;
use super::sample::{Edge, below, sample, sample_equal};
use crate::laplacian::memberships::Memberships;
use crate::linalg::block::CHUNK;
use crate::random::Stream;
use rayon::prelude::*;

/// An undirected graph with positive weights, every edge listed at both ends, by increasing neighbor.
#[derive(Debug)]
pub(super) struct EliminationGraph {
    offsets: Vec<usize>,
    edges: Vec<Edge>,
}

/// What a round took out of a graph.
#[derive(Debug)]
pub(super) struct Eliminated {
    /// The vertices that stay, in increasing order: their places are their numbers in the graph that is left.
    pub(super) stay: Vec<u32>,
    /// The vertices taken, in increasing order.
    pub(super) vertices: Vec<u32>,
    /// For each vertex taken, its edges, one after the other.
    pub(super) edges: Vec<Edge>,
    /// Where the edges of each vertex taken end.
    pub(super) ends: Vec<usize>,
}

/// The sweeps in which an independent set is chosen; more find next to nothing more.
const SWEEPS: usize = 3;

/// Stands for no number.
const NONE: u32 = u32::MAX;

impl EliminationGraph {
    /// A sparse sample of the Laplacian of neighborhoods with the given weights.
    ///
    /// w_i H_i is what eliminating the hub of a star leaves, joined to each member by an edge of weight w_i; the hubs
    /// are eliminated here, each leaving the mean of `trees` sampled trees instead of its clique. The weights are
    /// divided by `scale`.
    pub(super) fn sampled(memberships: &Memberships, weights: &[f64], scale: f64, trees: usize, seed: u64) -> Self {
        let count = memberships.len();
        let scale = scale * trees as f64;
        let chosen = Forest::collect(count, |hub, tree, edges| {
            let members = memberships.members.of(hub);
            let weight = ((weights[hub] / scale) as f32).max(f32::MIN_POSITIVE);
            edges.extend(members.iter().map(|&to| Edge { to, weight }));
            let mut draw = Stream::of(seed, hub as u64);
            for _ in 0..trees {
                for last in (1..edges.len()).rev() {
                    edges.swap(last, below(&mut draw, last + 1));
                }
                sample_equal(edges, hub as u32, &mut draw, tree);
            }
        });
        Self::collect(count, |point, edges| {
            for &hub in memberships.holders.of(point) {
                chosen.add_edges_of(hub as usize, point as u32, edges);
            }
        })
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline(always)]
    fn of(&self, vertex: usize) -> &[Edge] {
        &self.edges[self.offsets[vertex]..self.offsets[vertex + 1]]
    }

    /// Writes a graph vertex by vertex; what `fill` appends is sorted and merged.
    fn collect(count: usize, fill: impl Fn(usize, &mut Vec<Edge>) + Sync) -> Self {
        let parts: Vec<(Vec<usize>, Vec<Edge>)> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut lengths = Vec::with_capacity(CHUNK);
                let mut all: Vec<Edge> = Vec::new();
                let mut edges = Vec::new();
                for vertex in chunk * CHUNK..((chunk + 1) * CHUNK).min(count) {
                    edges.clear();
                    fill(vertex, &mut edges);
                    edges.sort_unstable_by_key(|edge| edge.to);
                    let start = all.len();
                    for &edge in &edges {
                        match all[start..].last_mut() {
                            Some(Edge { to, weight }) if *to == edge.to => *weight += edge.weight,
                            _ => all.push(edge),
                        }
                    }
                    lengths.push(all.len() - start);
                }
                (lengths, all)
            })
            .collect();
        let mut offsets = Vec::with_capacity(count + 1);
        offsets.push(0);
        let mut edges = Vec::with_capacity(parts.iter().map(|part| part.1.len()).sum());
        for (lengths, part) in parts {
            for length in lengths {
                offsets.push(offsets[offsets.len() - 1] + length);
            }
            edges.extend_from_slice(&part);
        }
        Self { offsets, edges }
    }

    /// Eliminates an independent set; `names` are the vertices' lasting numbers, which the random draws depend on.
    pub(super) fn round(&self, names: &[u32], seed: u64) -> (Eliminated, Self) {
        let chosen = self.independent(names, seed);
        let mut renumbered = vec![NONE; self.len()];
        let mut vertices = Vec::new();
        let mut stay = Vec::new();
        for vertex in 0..self.len() {
            if chosen[vertex] {
                vertices.push(vertex as u32);
            } else {
                renumbered[vertex] = stay.len() as u32;
                stay.push(vertex as u32);
            }
        }
        let mut row = vec![NONE; self.len()];
        for (at, &vertex) in vertices.iter().enumerate() {
            row[vertex as usize] = at as u32;
        }
        let forest = Forest::collect(vertices.len(), |at, tree, edges| {
            let vertex = vertices[at] as usize;
            edges.extend_from_slice(self.of(vertex));
            sample(edges, &mut Stream::of(seed, u64::from(names[vertex])), tree);
        });
        let left = Self::collect(stay.len(), |at, edges| {
            let vertex = stay[at];
            for edge in self.of(vertex as usize) {
                match row[edge.to as usize] {
                    NONE => edges.push(*edge),
                    gone => forest.add_edges_of(gone as usize, vertex, edges),
                }
            }
            edges.iter_mut().for_each(|edge| edge.to = renumbered[edge.to as usize]);
        });
        let mut ends = Vec::with_capacity(vertices.len());
        let mut edges = Vec::with_capacity(vertices.iter().map(|&v| self.of(v as usize).len()).sum());
        for &vertex in &vertices {
            edges.extend_from_slice(self.of(vertex as usize));
            ends.push(edges.len());
        }
        (Eliminated { stay, vertices, edges, ends }, left)
    }

    /// A large set of vertices of small degree no two of which touch: local minima of (degree, random number), in a
    /// few sweeps.
    fn independent(&self, names: &[u32], seed: u64) -> Vec<bool> {
        const OPEN: u8 = 0;
        const TAKEN: u8 = 1;
        const CLOSED: u8 = 2;
        let keys: Vec<u64> = (0..self.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|vertex| {
                let degree = self.of(vertex).len();
                (degree as u64) << 40 | Stream::of(!seed, u64::from(names[vertex])).bits() >> 24
            })
            .collect();
        let mut state = vec![OPEN; self.len()];
        for _ in 0..SWEEPS {
            let least = |vertex: usize| {
                self.of(vertex).iter().all(|edge| {
                    let to = edge.to as usize;
                    state[to] == CLOSED || (keys[vertex], vertex) < (keys[to], to)
                })
            };
            let taken: Vec<u8> = (0..self.len())
                .into_par_iter()
                .with_min_len(CHUNK)
                .map(|vertex| if state[vertex] == OPEN && least(vertex) { TAKEN } else { state[vertex] })
                .collect();
            state = (0..self.len())
                .into_par_iter()
                .with_min_len(CHUNK)
                .map(|vertex| match taken[vertex] {
                    OPEN if self.of(vertex).iter().any(|edge| taken[edge.to as usize] == TAKEN) => CLOSED,
                    same => same,
                })
                .collect();
        }
        state.into_iter().map(|state| state == TAKEN).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;

    /// Eliminating the hub of a star of weight w on m members leaves w H, the clique of weights w / m: over many draws the
    /// sampled trees must have it as their mean.
    #[test]
    fn sampled_trees_have_the_laplacian_as_their_mean() {
        let lists = [vec![1, 2, 3], vec![0, 2], vec![1, 4], vec![0, 4, 1], vec![3]];
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        let memberships = Memberships::new(&neighborhoods, neighborhoods.components());
        let weights = [1.0, 0.25, 0.5, 0.125, 1.0];
        let mut exact = [[0.0; 5]; 5];
        for (hub, weight) in weights.iter().enumerate() {
            let members = memberships.members.of(hub);
            for &a in members {
                for &b in members.iter().filter(|&&b| b != a) {
                    exact[a as usize][b as usize] += weight / members.len() as f64;
                }
            }
        }
        for trees in [1, 3] {
            let draws = 4000;
            let mut mean = [[0.0; 5]; 5];
            for seed in 0..draws {
                let graph = EliminationGraph::sampled(&memberships, &weights, 2.0, trees, seed);
                for (vertex, row) in mean.iter_mut().enumerate() {
                    for edge in graph.of(vertex) {
                        row[edge.to as usize] += 2.0 * f64::from(edge.weight) / draws as f64;
                    }
                }
            }
            for (found, exact) in mean.as_flattened().iter().zip(exact.as_flattened()) {
                assert!((found - exact).abs() < 0.02, "{trees}: {mean:?} {exact:?}");
            }
        }
    }
}
