//! How badly each membership fits a map: |(predicted displacement) - (mapped displacement)| / radius.
//!
//! Along a tree, frames A_j are carried from the root and positions follow, y_j = y_i + (A_i + A_j)'(x_j - x_i) / 2 from
//! i to j; the membership (i, j) then predicts A_i'(x_j - x_i), and the tree gives y_j - y_i. In a map Y, neighborhood i
//! is placed by the Procrustes rotation onto its own members, and a member is off by its distance from where that puts
//! it, measured in the d dimensions of the map alone: how far the surface curves away from its tangent does not count.
//! The radius is the root mean square distance to the neighbors. Cost: O(n k q d), and O(n k log n) for the tree.

use super::surface::Surface;
use crate::data::Input;
use crate::frames::{Tangents, local_coordinates};
use crate::graph::{LengthGraph, PathTree, ShortestPaths};
use crate::linalg::{distance, dot, square};
use crate::local::Rotation;
use crate::{Points, Result, Run};
use std::cell::OnceCell;

/// The weight of the aligned frame beside the members in the rotation of a neighborhood: it matters only where there are
/// too few members.
const FRAME_WEIGHT: f64 = 0.02;

/// The least product of cosines by which an edge of the tree is lengthened.
const LEAST_COSINE: f64 = 1e-3;

/// How far each membership is off, in the order of the neighborhoods' lists, centers included.
pub(super) struct Mismatch {
    /// In units of the radius of the neighborhood.
    pub(super) off: Vec<f64>,
    /// The mean over the neighborhoods of the share of their extent that does not fit, over the members that are kept.
    pub(super) misfit: f64,
}

/// The graph of the neighborhoods, in which shortcuts between sheets are long: they leave the tangents at their ends.
pub(super) struct EdgeGraph {
    graph: LengthGraph,
    /// Looked for when it is asked for, which takes several searches.
    center: OnceCell<usize>,
}

impl EdgeGraph {
    /// The edges as long as they are along the tangents of their ends, whichever way these are turned.
    pub(super) fn new(surface: &Surface<'_>, tangents: &Tangents, run: &Run) -> Result<Self> {
        let lengths = EdgeLengths { points: surface.points, tangents };
        let graph = LengthGraph::in_parallel(surface.neighborhoods, run, |a, b| lengths.of(a, b))?;
        Ok(Self { center: OnceCell::new(), graph })
    }

    fn center(&self) -> usize {
        *self.center.get_or_init(|| self.graph.center())
    }

    /// The edges with their lengths.
    pub(super) fn lengths(&self) -> &LengthGraph {
        &self.graph
    }

    /// The distance of the farthest point from the center, along the graph.
    pub(super) fn reach(&self, points: &Points) -> f64 {
        let tree = ShortestPaths::default().tree(&self.graph, self.center());
        let mut lengths = vec![0.0_f64; points.len()];
        for (point, before) in tree.steps() {
            let (point, before) = (point as usize, before as usize);
            lengths[point] = lengths[before] + Input::Points(points).distance(before, point);
        }
        lengths.into_iter().fold(0.0, f64::max)
    }

    /// The center, then so many points in all that each is as far as can be from those before.
    pub(super) fn roots(&self, count: usize) -> impl Iterator<Item = usize> {
        let (mut next, mut paths) = (self.center(), ShortestPaths::default());
        let mut nearest = vec![f64::INFINITY; self.graph.len()];
        (0..count).map(move |place| {
            if place > 0 {
                let distances = paths.from(&self.graph, next);
                nearest.iter_mut().zip(distances).for_each(|(nearest, distance)| *nearest = nearest.min(*distance));
                next = (0..nearest.len()).fold(0, |far, row| if nearest[row] > nearest[far] { row } else { far });
            }
            next
        })
    }

    /// How far each membership is off, in radii, where frames and positions are carried from `root`; the frames come back
    /// turned along the tree.
    pub(super) fn tree(
        &self,
        surface: &Surface<'_>,
        root: usize,
        tangents: &mut Tangents,
        run: &Run,
    ) -> Result<Vec<f64>> {
        let (points, whole) = (surface.points, surface.neighborhoods);
        let tree = ShortestPaths::default().tree(&self.graph, root);
        tangents.carry(tree.steps(), run);
        let y = carry_positions(&tree, points, tangents);
        let dim = tangents.dim();
        let parts = run.chunks("tree", points.len(), 512, |range| {
            let (mut rows, mut off) = (Vec::new(), Vec::new());
            for index in range {
                let members = whole.members(index);
                rows.clear();
                rows.resize(members.len() * dim, 0.0);
                local_coordinates(points, members, tangents, index, &mut rows);
                for (&member, row) in members.iter().zip(rows.chunks_exact(dim)) {
                    let (to, from) = (&y[member as usize * dim..][..dim], &y[index * dim..][..dim]);
                    let square: f64 =
                        row.iter().zip(to).zip(from).map(|((row, to), from)| (row - (to - from)).powi(2)).sum();
                    off.push(surface.in_radii(square.sqrt(), index));
                }
            }
            Ok(off)
        })?;
        Ok(parts.concat())
    }
}

/// Positions that follow the frames down the tree.
fn carry_positions(tree: &PathTree, points: &Points, tangents: &Tangents) -> Vec<f64> {
    let dim = tangents.dim();
    let mut y = vec![0.0; points.len() * dim];
    let mut step = vec![0.0; 2 * dim];
    for (point, before) in tree.steps() {
        let (to, from) = (point as usize, before as usize);
        // From both ends, so that bends average out.
        let (there, back) = step.split_at_mut(dim);
        local_coordinates(points, &[point], tangents, from, there);
        local_coordinates(points, &[before], tangents, to, back);
        for axis in 0..dim {
            y[to * dim + axis] = y[from * dim + axis] + 0.5 * (there[axis] - back[axis]);
        }
    }
    y
}

/// Lengths of edges for the tree: a shortcut between sheets leaves the tangents at its ends, and is made long.
struct EdgeLengths<'a> {
    points: &'a Points,
    tangents: &'a Tangents,
}

impl EdgeLengths<'_> {
    /// |x_b - x_a| / (cos cos), the cosines of the angles with the two tangents.
    fn of(&self, a: usize, b: usize) -> f64 {
        let mut offset = vec![0.0; self.points.dim()];
        self.points.difference(b, a, &mut offset);
        let square = square(&offset);
        if square == 0.0 {
            return 0.0;
        }
        let mut frame = vec![0.0; self.tangents.cells()];
        let mut along = |index: usize| {
            self.tangents.copy(index, &mut frame);
            frame.chunks_exact(offset.len()).map(|axis| dot(axis, &offset).powi(2)).sum::<f64>() / square
        };
        // Shares first: the product of two squares leaves the range of numbers long before one does.
        square.sqrt() / (along(a) * along(b)).sqrt().max(LEAST_COSINE)
    }
}

/// The mismatch of the map `y`; each neighborhood is placed by those of its members that are `kept`.
pub(super) fn of_map(
    surface: &Surface<'_>,
    tangents: &Tangents,
    kept: &[bool],
    y: &[f64],
    run: &Run,
) -> Result<Mismatch> {
    let (points, whole, dim) = (surface.points, surface.neighborhoods, tangents.dim());
    let parts = run.chunks("mismatch", whole.len(), 512, |range| {
        let mut placement = Placement::new(points.dim(), dim, tangents.cells());
        let mut part = (Vec::new(), 0.0, 0_usize);
        for index in range {
            let kept = &kept[whole.places(index)];
            placement.measure(points, whole.members(index), kept, y, |frame| tangents.copy(index, frame));
            let extent = placement.extent;
            if extent > 0.0 {
                let off =
                    placement.off.iter().zip(kept).filter(|(_, kept)| **kept).map(|(off, _)| off * off).sum::<f64>();
                part.1 += off / extent;
                part.2 += 1;
            }
            part.0.extend(placement.off.iter().map(|&off| surface.in_radii(off, index)));
        }
        Ok(part)
    })?;
    let counted = parts.iter().map(|part| part.2).sum::<usize>().max(1) as f64;
    let misfit = parts.iter().map(|part| part.1).sum::<f64>() / counted;
    Ok(Mismatch { off: parts.into_iter().flat_map(|part| part.0).collect(), misfit })
}

/// Where the map puts one neighborhood, by its kept members, and the work space for the next.
pub(super) struct Placement {
    rows: usize,
    dim: usize,
    mean: Vec<f64>,
    mapped_mean: Vec<f64>,
    frame: Vec<f64>,
    rotation: Rotation,
    offset: Vec<f64>,
    /// |H X|^2 of the kept members.
    extent: f64,
    /// How far each member is from where the neighborhood puts it, where that was measured.
    off: Vec<f64>,
}

impl Placement {
    pub(super) fn new(rows: usize, dim: usize, cells: usize) -> Self {
        Self {
            rows,
            dim,
            mean: vec![0.0; rows],
            mapped_mean: vec![0.0; dim],
            frame: vec![0.0; cells],
            rotation: Rotation::default(),
            offset: vec![0.0; rows],
            extent: 0.0,
            off: Vec::new(),
        }
    }

    /// Finds the rotation of the neighborhood, and how far each member is off.
    fn measure(&mut self, points: &Points, members: &[u32], kept: &[bool], y: &[f64], frame: impl Fn(&mut [f64])) {
        self.place(points, members, kept, y, frame);
        let dim = self.dim;
        let (mut room, mut put) = (Vec::new(), vec![0.0; dim]);
        self.off.clear();
        for &member in members {
            self.image(points.row_in(member as usize, &mut room), &mut put);
            self.off.push(distance(&y[member as usize * dim..][..dim], &put));
        }
    }

    /// Finds the rotation of the neighborhood.
    pub(super) fn place(
        &mut self,
        points: &Points,
        members: &[u32],
        kept: &[bool],
        y: &[f64],
        frame: impl Fn(&mut [f64]),
    ) {
        let (rows, dim) = (self.rows, self.dim);
        let place = |member: u32| &y[member as usize * dim..][..dim];
        let count = kept.iter().filter(|kept| **kept).count() as f64;
        let mut room = Vec::new();
        self.mean.fill(0.0);
        self.mapped_mean.fill(0.0);
        for (&member, _) in members.iter().zip(kept).filter(|(_, kept)| **kept) {
            let row = points.row_in(member as usize, &mut room);
            self.mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / count);
            self.mapped_mean.iter_mut().zip(place(member)).for_each(|(mean, value)| *mean += value / count);
        }
        self.rotation.begin(rows, dim);
        self.extent = 0.0;
        for (&member, _) in members.iter().zip(kept).filter(|(_, kept)| **kept) {
            self.difference(points.row_in(member as usize, &mut room));
            self.extent += self.offset.iter().map(|value| value * value).sum::<f64>();
            let mapped = place(member).iter().zip(&self.mapped_mean).map(|(value, mean)| value - mean);
            self.rotation.add_member(&self.offset, mapped);
        }
        frame(&mut self.frame);
        self.rotation.add_matrix(FRAME_WEIGHT * self.extent, &self.frame);
        self.rotation.decompose();
    }

    /// The frame of the neighborhood placed last, in the map: its rotation, column by column.
    pub(super) fn axes(&self) -> Vec<f64> {
        (0..self.dim).flat_map(|axis| self.rotation.column(axis).iter().copied()).collect()
    }

    /// Where the neighborhood placed last puts a point.
    pub(super) fn image(&mut self, row: &[f64], place: &mut [f64]) {
        self.difference(row);
        for (axis, (place, mean)) in place.iter_mut().zip(&self.mapped_mean).enumerate() {
            let column = self.rotation.column(axis);
            *place = mean + column.iter().zip(&self.offset).map(|(cell, offset)| cell * offset).sum::<f64>();
        }
    }

    fn difference(&mut self, row: &[f64]) {
        for ((offset, value), mean) in self.offset.iter_mut().zip(row).zip(&self.mean) {
            *offset = value - mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;

    #[test]
    fn edges_that_leave_the_tangents_are_long() {
        // A floor and a wall, whose frames are exact away from the corner.
        let rows: Vec<[f64; 3]> = (0..400)
            .map(|at| {
                let (along, across) = (f64::from(at % 40) - 20.0, f64::from(at / 40) + 0.01 * f64::from(at * at % 7));
                if along < 0.0 { [along, across, 0.0] } else { [0.0, across, along] }
            })
            .collect();
        let (points, run) = (Points::from_rows(&rows).unwrap(), Run::new());
        let neighborhoods = Neighborhoods::nearest(&points, 8, &run).unwrap();
        let tangents = Tangents::new(&points, &neighborhoods, 2, &run).unwrap();
        let lengths = EdgeLengths { points: &points, tangents: &tangents };
        let (floor, wall) = ([45_usize, 90, 210], [75_usize, 150, 270]);
        for (a, b) in [(floor[0], floor[1]), (floor[1], floor[2]), (wall[0], wall[1])] {
            let length = Input::Points(&points).distance(a, b);
            assert!((lengths.of(a, b) - length).abs() < 1e-9 * length);
        }
        // From the floor x = (l, m, 0) and to the wall (0, m, n) the cosines are the lengths of these over that of (l, m, n).
        for (a, b) in floor.iter().flat_map(|&a| wall.iter().map(move |&b| (a, b))) {
            let x: Vec<f64> = (0..3).map(|axis| rows[b][axis] - rows[a][axis]).collect();
            let (length, on) = (square(&x), [x[0].hypot(x[1]), x[1].hypot(x[2])]);
            let wanted = length.sqrt() * length / (on[0] * on[1]);
            assert!((lengths.of(a, b) - wanted).abs() < 1e-9 * wanted, "{} {wanted}", lengths.of(a, b));
            assert!((lengths.of(a, b) - lengths.of(b, a)).abs() < 1e-12 * wanted);
        }
        assert_eq!(lengths.of(7, 7), 0.0);
    }
}
