//! The trees sampled for eliminated vertices, stored so that every remaining vertex can collect its new edges.

use super::sample::{Edge, TreeEdge};
use crate::linalg::block::CHUNK;
use rayon::prelude::*;

/// The trees sampled for many eliminated vertices.
pub(super) struct Forest {
    offsets: Vec<usize>,
    edges: Vec<TreeEdge>,
}

impl Forest {
    /// Writes the trees one after the other; `fill` gets an empty list of edges to work with.
    pub(super) fn collect(count: usize, fill: impl Fn(usize, &mut Vec<TreeEdge>, &mut Vec<Edge>) + Sync) -> Self {
        let parts: Vec<(Vec<usize>, Vec<TreeEdge>)> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut ends = Vec::with_capacity(CHUNK);
                let mut tree = Vec::new();
                let mut edges = Vec::new();
                for at in chunk * CHUNK..((chunk + 1) * CHUNK).min(count) {
                    edges.clear();
                    fill(at, &mut tree, &mut edges);
                    ends.push(tree.len());
                }
                (ends, tree)
            })
            .collect();
        let mut offsets = Vec::with_capacity(count + 1);
        offsets.push(0);
        let mut edges = Vec::with_capacity(parts.iter().map(|part| part.1.len()).sum());
        for (ends, tree) in parts {
            offsets.extend(ends.iter().map(|end| end + edges.len()));
            edges.extend_from_slice(&tree);
        }
        Self { offsets, edges }
    }

    /// Appends the edges of one tree that end at `vertex`.
    #[inline(always)]
    pub(super) fn add_edges_of(&self, tree: usize, vertex: u32, to: &mut Vec<Edge>) {
        for edge in &self.edges[self.offsets[tree]..self.offsets[tree + 1]] {
            if edge.ends[0] == vertex {
                to.push(Edge { to: edge.ends[1], weight: edge.weight });
            } else if edge.ends[1] == vertex {
                to.push(Edge { to: edge.ends[0], weight: edge.weight });
            }
        }
    }
}
