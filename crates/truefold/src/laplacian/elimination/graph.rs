//! The graph that is left during an elimination, and one round of it.
//!
//! A round takes an independent set of vertices of small degree, replaces the edges of each by a sampled tree over its
//! neighbors, and writes the graph of the others anew with parallel edges merged. No two vertices of the set touch, so
//! all are eliminated at once, and every vertex that stays collects its own new edges: any number of threads gives the
//! same graph. Cost: one pass over the edges a round; a round takes about a tenth of the vertices.

use super::rows::Rows;
use super::sample::{Edge, TreeEdge, below, sample, sample_equal};
use crate::laplacian::memberships::Memberships;
use crate::linalg::block::CHUNK;
use crate::random::Stream;
use rayon::prelude::*;

/// An undirected graph with positive weights, every edge listed at both ends, by increasing neighbor.
#[derive(Debug)]
pub(super) struct EliminationGraph {
    edges: Rows<Edge>,
}

/// Which vertices a round takes out of a graph.
#[derive(Debug)]
pub(super) struct Eliminated {
    /// The vertices that stay, in increasing order: their places are their numbers in the graph that is left.
    pub(super) stay: Vec<u32>,
    /// The vertices taken, in increasing order.
    pub(super) vertices: Vec<u32>,
}

/// Edges of one vertex on their way into a graph.
#[derive(Debug, Default)]
struct Gathered {
    /// Those that it had, by increasing neighbor.
    old: Vec<Edge>,
    /// New ones, in any order.
    new: Vec<Edge>,
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
    pub(super) fn sampled(memberships: &Memberships<'_>, weights: &[f64], scale: f64, trees: usize, seed: u64) -> Self {
        let count = memberships.len();
        let scale = scale * trees as f64;
        let chosen: Rows<TreeEdge> = Rows::collect(count, |hub, edges: &mut Vec<Edge>, tree| {
            let weight = ((weights[hub] / scale) as f32).max(f32::MIN_POSITIVE);
            edges.clear();
            edges.extend(memberships.members(hub).iter().map(|&to| Edge { to, weight }));
            let mut draw = Stream::of(seed, hub as u64);
            for _ in 0..trees {
                for last in (1..edges.len()).rev() {
                    edges.swap(last, below(&mut draw, last + 1));
                }
                sample_equal(edges, hub as u32, &mut draw, tree);
            }
        });
        Self::collect(count, |point, gathered| {
            for &hub in memberships.holders.of(point) {
                add_edges_of(chosen.of(hub as usize), point as u32, &mut gathered.new);
            }
        })
    }

    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    /// The edges of one vertex.
    #[inline(always)]
    pub(super) fn of(&self, vertex: usize) -> &[Edge] {
        self.edges.of(vertex)
    }

    /// Writes a graph vertex by vertex; what `fill` gathers is merged.
    fn collect(count: usize, fill: impl Fn(usize, &mut Gathered) + Sync) -> Self {
        let edges = Rows::collect(count, |vertex, gathered: &mut Gathered, edges: &mut Vec<Edge>| {
            gathered.old.clear();
            gathered.new.clear();
            fill(vertex, gathered);
            gathered.new.sort_unstable_by_key(|edge| edge.to);
            merge(&gathered.old, &gathered.new, edges);
        });
        Self { edges }
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
        let forest: Rows<TreeEdge> = Rows::collect(vertices.len(), |at, edges: &mut Vec<Edge>, tree| {
            let vertex = vertices[at] as usize;
            edges.clear();
            edges.extend_from_slice(self.of(vertex));
            sample(edges, &mut Stream::of(seed, u64::from(names[vertex])), tree);
        });
        let left = Self::collect(stay.len(), |at, gathered| {
            let vertex = stay[at];
            for edge in self.of(vertex as usize) {
                match row[edge.to as usize] {
                    NONE => gathered.old.push(Edge { to: renumbered[edge.to as usize], ..*edge }),
                    gone => add_edges_of(forest.of(gone as usize), vertex, &mut gathered.new),
                }
            }
            gathered.new.iter_mut().for_each(|edge| edge.to = renumbered[edge.to as usize]);
        });
        (Eliminated { stay, vertices }, left)
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

/// Appends the edges of a tree that end at `vertex`.
#[inline(always)]
fn add_edges_of(tree: &[TreeEdge], vertex: u32, to: &mut Vec<Edge>) {
    for edge in tree {
        if edge.ends[0] == vertex {
            to.push(Edge { to: edge.ends[1], weight: edge.weight });
        } else if edge.ends[1] == vertex {
            to.push(Edge { to: edge.ends[0], weight: edge.weight });
        }
    }
}

/// Appends two lists by increasing neighbor as one, parallel edges added up; only the second has such.
fn merge(old: &[Edge], new: &[Edge], to: &mut Vec<Edge>) {
    let (start, mut rest) = (to.len(), old);
    for edge in new {
        let before = rest.iter().take_while(|other| other.to <= edge.to).count();
        to.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        match to[start..].last_mut() {
            Some(Edge { to, weight }) if *to == edge.to => *weight += edge.weight,
            _ => to.push(*edge),
        }
    }
    to.extend_from_slice(rest);
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
            let members = memberships.members(hub);
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

    #[test]
    fn merged_lists_are_sorted_and_add_up_parallel_edges() {
        let list = |ends: &[u32]| ends.iter().map(|&to| Edge { to, weight: 1.0 }).collect::<Vec<_>>();
        let mut merged = vec![Edge { to: 5, weight: 7.0 }];
        merge(&list(&[1, 4, 9]), &list(&[0, 4, 4, 5, 12, 12]), &mut merged);
        let found: Vec<(u32, f32)> = merged.iter().map(|edge| (edge.to, edge.weight)).collect();
        assert_eq!(found, [(5, 7.0), (0, 1.0), (1, 1.0), (4, 3.0), (5, 1.0), (9, 1.0), (12, 2.0)]);
    }
}
