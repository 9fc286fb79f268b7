//! Random trees in place of cliques: in expectation, what eliminating a vertex leaves behind.
//!
//! Eliminating a vertex with edges of weights w_1 <= ... <= w_m, W their sum, leaves the clique of weights
//! w_a w_b / W. In its place edge a goes to one later b, drawn with probability w_b / S_a, and weighs w_a S_a / W,
//! where S_a = w_(a+1) + ... + w_m: m - 1 edges that form a tree and whose expectation is the clique.
//! Gao, Kyng and Spielman, "Robust and practical solution of Laplacian equations by approximate elimination" (2023).

use crate::random::Stream;

/// The edges kept of a large neighborhood's tree.
const KEPT: f64 = 32.0;

/// An edge to another vertex. Single precision is enough for a preconditioner and halves its memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::laplacian) struct Edge {
    pub(in crate::laplacian) to: u32,
    pub(in crate::laplacian) weight: f32,
}

/// An edge of a sampled tree.
#[derive(Debug, Clone, Copy)]
pub(in crate::laplacian) struct TreeEdge {
    pub(in crate::laplacian) ends: [u32; 2],
    pub(in crate::laplacian) weight: f32,
}

/// The next number of a stream below `limit`.
pub(super) fn below(draw: &mut Stream, limit: usize) -> usize {
    (draw.bits() % limit as u64) as usize
}

/// Appends to `tree` a sample of the clique that eliminating a vertex with these `edges` leaves; sorts the edges.
pub(in crate::laplacian) fn sample(edges: &mut [Edge], draw: &mut Stream, tree: &mut Vec<TreeEdge>) {
    // Heaviest first, so that the edges after a in the file's formula are a prefix here.
    edges.sort_unstable_by(|a, b| b.weight.total_cmp(&a.weight).then(a.to.cmp(&b.to)));
    let mut total = 0.0;
    let sums: Vec<f64> = edges
        .iter()
        .map(|edge| {
            total += f64::from(edge.weight);
            total
        })
        .collect();
    for at in 1..edges.len() {
        let rest = sums[at - 1];
        let target = draw.unit() * rest;
        let other = sums[..at - 1].partition_point(|&sum| sum <= target);
        let weight = (f64::from(edges[at].weight) * rest / total) as f32;
        tree.push(TreeEdge { ends: [edges[at].to, edges[other].to], weight: weight.max(f32::MIN_POSITIVE) });
    }
}

/// The same for equal weights, in the order given, of a neighborhood with this `center`.
///
/// Of a large neighborhood's tree only about [`KEPT`] edges are kept, with weights that make up for the others, and
/// the edges of the center, which may be in no other neighborhood: points with large neighborhoods are in many.
pub(super) fn sample_equal(edges: &[Edge], center: u32, draw: &mut Stream, tree: &mut Vec<TreeEdge>) {
    let keep = (KEPT / edges.len() as f64).min(1.0);
    for at in 1..edges.len() {
        let ends = [edges[at].to, edges[below(draw, at)].to];
        let weight = edges[at].weight * at as f32 / edges.len() as f32;
        if keep == 1.0 || ends.contains(&center) {
            tree.push(TreeEdge { ends, weight });
        } else if draw.unit() < keep {
            tree.push(TreeEdge { ends, weight: weight / keep as f32 });
        }
    }
}
