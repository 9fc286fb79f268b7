//! Unrolling: where the points lie in the tangent of one of them, by the paths that lead to them.
//!
//! The step from i to j is s_ij = (P_i'e + O_ij P_j'e) / 2 for e = x_j - x_i, made as long as e, in the frame P_i, and
//! O_ij = polar(P_i'P_j) carries vectors from the frame of j into that of i. A path s = i_0, ..., i_m = t ends at
//! y_t = sum over r of O_(i_0 i_1) ... O_(i_(r-1) i_r) s_(i_r i_(r+1)), and |y_t| is how far t is from s on the surface
//! laid flat, whatever way the path took. Steps see both ends, so that the way back is as long. Budninskiy, Yin, Feng,
//! Tong and Desbrun, "Parallel transport unfolding: a connection-based manifold learning approach" (2019).
//! Cost: O(q d^2) an edge and d (d + 1) numbers at each of its ends; O(n d^2) a tree. When it fails: an edge across both
//! tangents has no direction along the surface, and counts as no step.

use super::Tangents;
use super::carry::carry;
use super::transports::CHUNK;
use crate::graph::{LengthGraph, PathTree};
use crate::linalg::{Nearest, add_scaled, dot, square, transposed_multiply};
use crate::{Points, Result, Run};

/// The least length of a step along the tangents, as a share of its edge, from which it has a direction.
const LEAST: f64 = 1e-9;

/// The transports and steps of all edges of a graph.
#[derive(Debug)]
pub(crate) struct Unrolling<'a> {
    graph: &'a LengthGraph,
    dim: usize,
    /// At both ends of each edge the transport, column by column, then the step.
    edges: Vec<f64>,
}

impl<'a> Unrolling<'a> {
    /// The edges of `graph` between points with these tangents, in units of `unit`.
    pub(crate) fn new(
        points: &Points,
        tangents: &Tangents,
        graph: &'a LengthGraph,
        unit: f64,
        run: &Run,
    ) -> Result<Self> {
        let (dim, cells) = (tangents.dim(), tangents.cells());
        let parts = run.chunks("transports", graph.len(), CHUNK, |range| {
            let mut edge = Edge::new(points.dim(), dim);
            let (mut own, mut other) = (vec![0.0; cells], vec![0.0; cells]);
            let mut part = Vec::new();
            for point in range {
                tangents.copy(point, &mut own);
                for &end in graph.ends(point) {
                    tangents.copy(end as usize, &mut other);
                    points.difference(end as usize, point, &mut edge.offset);
                    edge.offset.iter_mut().for_each(|value| *value /= unit);
                    tangents.product(&own, &other, &mut edge.product);
                    edge.find(&own, &other);
                    part.extend_from_slice(&edge.transport);
                    part.extend_from_slice(&edge.step);
                }
            }
            Ok(part)
        })?;
        Ok(Self { graph, dim, edges: parts.concat() })
    }

    /// The distances of all points from the source of a tree of paths, unrolled.
    pub(crate) fn distances(&self, tree: &PathTree) -> Vec<f64> {
        let (dim, cells) = (self.dim, self.dim * self.dim);
        let size = cells + dim;
        // For each point what carries vectors of the source's frame into its own, and where it lies.
        let mut values = vec![0.0; self.graph.len() * size];
        values[tree.order[0] as usize * size..][..cells].iter_mut().step_by(dim + 1).for_each(|value| *value = 1.0);
        let steps = tree.steps().map(|(point, before)| (point, before, self.graph.place(before as usize, point)));
        carry(&mut values, size, steps, |place, from, to| {
            let (transport, step) = self.edges[place * size..][..size].split_at(cells);
            let (carried, place) = from.split_at(cells);
            transposed_multiply(transport, carried, dim, &mut to[..cells]);
            for (axis, (to, from)) in to[cells..].iter_mut().zip(place).enumerate() {
                *to = from + dot(&carried[axis * dim..][..dim], step);
            }
        });
        values.chunks_exact(size).map(|value| square(&value[cells..]).sqrt()).collect()
    }
}

/// One edge, and the work space for the next.
struct Edge {
    offset: Vec<f64>,
    product: Vec<f64>,
    transport: Vec<f64>,
    step: Vec<f64>,
    turned: Vec<f64>,
    nearest: Nearest,
}

impl Edge {
    fn new(rows: usize, dim: usize) -> Self {
        let cells = || vec![0.0; dim * dim];
        Self {
            offset: vec![0.0; rows],
            product: cells(),
            transport: cells(),
            step: vec![0.0; dim],
            turned: vec![0.0; dim],
            nearest: Nearest::default(),
        }
    }

    /// The transport and the step between two frames, from their product and the offset.
    fn find(&mut self, own: &[f64], other: &[f64]) {
        let (rows, dim) = (self.offset.len(), self.step.len());
        self.nearest.find(&self.product, dim, &mut self.transport);
        self.turned.fill(0.0);
        for (axis, column) in other.chunks_exact(rows).zip(self.transport.chunks_exact(dim)) {
            add_scaled(&mut self.turned, dot(axis, &self.offset), column);
        }
        for ((step, axis), turned) in self.step.iter_mut().zip(own.chunks_exact(rows)).zip(&self.turned) {
            *step = 0.5 * (dot(axis, &self.offset) + turned);
        }
        let (along, length) = (square(&self.step).sqrt(), square(&self.offset).sqrt());
        let stretch = if along > LEAST * length { length / along } else { 0.0 };
        self.step.iter_mut().for_each(|value| *value *= stretch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;
    use crate::dataset::{self, Request};
    use crate::graph::ShortestPaths;
    use crate::linalg::{Polar, distance};

    /// The length of one unrolled path, product by product from its definition.
    fn naive(points: &Points, tangents: &Tangents, path: &[usize]) -> f64 {
        let (dim, rows) = (tangents.dim(), points.dim());
        let frame = |index: usize| {
            let mut frame = vec![0.0; tangents.cells()];
            tangents.copy(index, &mut frame);
            frame
        };
        // A frame of q x d numbers that moves along the path: the source's, carried.
        let mut carried = frame(path[0]);
        let mut place = vec![0.0; dim];
        let mut polar = Polar::default();
        for pair in path.windows(2) {
            let (from, to) = (frame(pair[0]), frame(pair[1]));
            let edge: Vec<f64> = points.row(pair[1]).iter().zip(points.row(pair[0])).map(|(b, a)| b - a).collect();
            // P_to O' with O = polar(P_from'P_to): the frame of the next point turned onto that of this one.
            let mut product = vec![0.0; dim * dim];
            tangents.product(&to, &from, &mut product);
            polar.decompose(&product, dim, dim);
            let turned = |frame: &[f64], by: &[f64]| -> Vec<f64> {
                (0..dim * rows)
                    .map(|at| (0..dim).map(|l| frame[l * rows + at % rows] * by[at / rows * dim + l]).sum())
                    .collect()
            };
            let next = turned(&to, polar.factor());
            let mut step: Vec<f64> = (0..dim)
                .map(|axis| {
                    let along = |frame: &[f64]| dot(&frame[axis * rows..][..rows], &edge);
                    0.5 * (along(&from) + along(&next))
                })
                .collect();
            let stretch = square(&edge).sqrt() / square(&step).sqrt();
            step.iter_mut().for_each(|value| *value *= stretch);
            // The coordinates of the step in the carried frame, which spans what the frame of this point spans.
            let mut turn = vec![0.0; dim * dim];
            tangents.product(&from, &carried, &mut turn);
            for axis in 0..dim {
                place[axis] += dot(&turn[axis * dim..][..dim], &step);
            }
            carried = turned(&next, &turn);
        }
        square(&place).sqrt()
    }

    #[test]
    fn every_path_is_unrolled_as_its_definition_says() {
        for (name, dim) in [("sphere", 1), ("sphere", 2), ("moebius", 2), ("klein-bottle", 2), ("klein-bottle", 3)] {
            let request = Request::new().with_points(120).with_seed(2);
            let points = dataset::find(name).unwrap().sample(&request).unwrap().points;
            let run = Run::new();
            let neighborhoods = Neighborhoods::nearest(&points, 8, &run).unwrap();
            let tangents = Tangents::new(&points, &neighborhoods, dim, &run).unwrap();
            let graph = LengthGraph::new(&neighborhoods, |a, b| distance(points.row(a), points.row(b)));
            let unrolling = Unrolling::new(&points, &tangents, &graph, 2.0, &run).unwrap();
            let (mut paths, mut back) = (ShortestPaths::default(), vec![Vec::new(); 120]);
            for (source, back) in back.iter_mut().enumerate() {
                let tree = paths.tree(&graph, source);
                *back = unrolling.distances(&tree);
                for (end, &found) in back.iter().enumerate() {
                    let mut path = vec![end];
                    while path[path.len() - 1] != source {
                        path.push(tree.before[path[path.len() - 1]] as usize);
                    }
                    path.reverse();
                    let expected = naive(&points, &tangents, &path) / 2.0;
                    assert!((found - expected).abs() < 1e-12, "{name} {dim}: {source} {end}: {found} {expected}");
                }
            }
            // Where no two paths are equally long, the way back is the same one.
            for (a, row) in back.iter().enumerate() {
                assert!(row.iter().enumerate().all(|(b, &there)| (there - back[b][a]).abs() < 1e-12), "{name} {dim}");
            }
        }
    }

    #[test]
    fn an_edge_across_both_tangents_is_no_step() {
        let rows: Vec<[f64; 3]> =
            (0..18).map(|at| [f64::from(at % 3), f64::from(at / 3 % 3), f64::from(at / 9)]).collect();
        let points = Points::from_rows(&rows).unwrap();
        // Two floors of nine points each, joined at their middle.
        let lists: Vec<Vec<i64>> =
            (0..18).map(|row: i64| (row / 9 * 9..row / 9 * 9 + 9).filter(|&other| other != row).collect()).collect();
        let flat = Neighborhoods::from_lists(&lists).unwrap();
        let tangents = Tangents::new(&points, &flat, 2, &Run::new()).unwrap();
        let joined = lists.iter().enumerate().map(|(row, list)| {
            let mut list = list.clone();
            list.extend((row == 4).then_some(13));
            list
        });
        let joined = Neighborhoods::from_lists(&joined.collect::<Vec<_>>()).unwrap();
        let graph = LengthGraph::new(&joined, |a, b| distance(points.row(a), points.row(b)));
        let unrolling = Unrolling::new(&points, &tangents, &graph, 1.0, &Run::new()).unwrap();
        let found = unrolling.distances(&ShortestPaths::default().tree(&graph, 4));
        assert!(found[13] == 0.0 && (found[12] - 1.0).abs() < 1e-12, "{found:?}");
    }
}
