//! How badly each membership fits a map: |(predicted displacement) - (mapped displacement)| / radius.
//!
//! Along a tree, frames A_j are carried from the root and positions follow, y_j = y_i + (A_i + A_j)'(x_j - x_i) / 2 from
//! i to j; the membership (i, j) then predicts A_i'(x_j - x_i) and the tree says y_j - y_i. In a map Y, neighborhood i is
//! laid onto its own members by its Procrustes rotation, and a member is off by how far it lies from where that puts
//! it, in the d dimensions of the map alone: what the surface curves away from its tangent is nobody's fault. The radius
//! is the root mean square distance to the neighbors. Cost: O(n k q d), and O(n k log n) for the tree.

use crate::data::Input;
use crate::frames::Tangents;
use crate::frames::identities;
use crate::frames::local_coordinates;
use crate::graph::{LengthGraph, ShortestPaths};
use crate::linalg::{Nearest, distance, multiply};
use crate::local::Rotation;
use crate::{Neighborhoods, Points, Result, Run};

/// The weight of the aligned frame beside the members in a neighborhood's rotation: it decides only where they are too
/// few.
const FRAME_WEIGHT: f64 = 0.02;

/// The least product of cosines by which an edge of the tree is lengthened.
const LEAST_COSINE: f64 = 1e-3;

/// How far each membership is off, in the order of the neighborhoods' lists, centers included.
pub(crate) struct Mismatch {
    /// In units of the radius of the neighborhood.
    pub(crate) off: Vec<f64>,
    /// The mean over the neighborhoods of the share of their extent that does not fit, over members that are kept.
    pub(crate) misfit: f64,
}

/// The root mean square distance to the neighbors of each point.
pub(crate) fn radii(points: &Points, whole: &Neighborhoods, run: &Run) -> Result<Vec<f64>> {
    let input = Input::Points(points);
    let radius = |index: usize| {
        let neighbors = whole.neighbors(index);
        let sum: f64 = neighbors.iter().map(|&row| input.distance(index, row as usize).powi(2)).sum();
        (sum / neighbors.len().max(1) as f64).sqrt()
    };
    let parts = run.chunks("radii", whole.len(), 512, |range| Ok(range.map(radius).collect::<Vec<_>>()))?;
    Ok(parts.concat())
}

/// The mean over the neighborhoods of the share of their extent that lies off their tangents.
pub(crate) fn off_tangents(points: &Points, whole: &Neighborhoods, tangents: &Tangents, run: &Run) -> Result<f64> {
    let (rows, dim) = (points.dim(), tangents.dim());
    let parts = run.chunks("thickness", whole.len(), 512, |range| {
        let (mut mean, mut frame) = (vec![0.0; rows], vec![0.0; tangents.cells()]);
        let mut part = (0.0, 0_usize);
        for index in range {
            let members = whole.members(index);
            mean.fill(0.0);
            for &member in members {
                mean.iter_mut().zip(points.row(member as usize)).for_each(|(mean, value)| *mean += value);
            }
            mean.iter_mut().for_each(|mean| *mean /= members.len() as f64);
            tangents.copy(index, &mut frame);
            let (mut extent, mut along) = (0.0, 0.0);
            for &member in members {
                let row = points.row(member as usize);
                extent += row.iter().zip(&mean).map(|(value, mean)| (value - mean).powi(2)).sum::<f64>();
                for axis in frame.chunks_exact(rows).take(dim) {
                    let offset = row.iter().zip(&mean).map(|(value, mean)| value - mean);
                    along += axis.iter().zip(offset).map(|(axis, offset)| axis * offset).sum::<f64>().powi(2);
                }
            }
            if extent > 0.0 {
                part.0 += (extent - along).max(0.0) / extent;
                part.1 += 1;
            }
        }
        Ok(part)
    })?;
    let counted = parts.iter().map(|part| part.1).sum::<usize>().max(1) as f64;
    Ok(parts.iter().map(|part| part.0).sum::<f64>() / counted)
}

/// The mismatch of a tree of shortest paths from the center of the graph; the frames come back turned along it.
pub(crate) fn of_tree(
    points: &Points,
    whole: &Neighborhoods,
    tangents: &mut Tangents,
    radii: &[f64],
    run: &Run,
) -> Result<Vec<f64>> {
    let lengths = Lengths { points, tangents };
    let graph = LengthGraph::new(whole, |a, b| lengths.of(a, b));
    let tree = ShortestPaths::default().tree(&graph, graph.center());
    let (dim, cells) = (tangents.dim(), tangents.dim() * tangents.dim());
    let mut rotations = identities(points.len(), dim);
    let (mut own, mut other) = (vec![0.0; tangents.cells()], vec![0.0; tangents.cells()]);
    let (mut product, mut turned) = (vec![0.0; cells], vec![0.0; cells]);
    let mut nearest = Nearest::default();
    for &point in &tree.order[1..] {
        let (point, before) = (point as usize, tree.before[point as usize] as usize);
        tangents.copy(point, &mut own);
        tangents.copy(before, &mut other);
        tangents.product(&own, &other, &mut product);
        multiply(&product, &rotations[before * cells..][..cells], dim, &mut turned);
        nearest.find(&turned, dim, &mut rotations[point * cells..][..cells]);
    }
    tangents.turn(&rotations, run);
    let mut y = vec![0.0; points.len() * dim];
    let mut step = vec![0.0; 2 * dim];
    for &point in &tree.order[1..] {
        let before = tree.before[point as usize];
        let (to, from) = (point as usize, before as usize);
        // From both ends, so that bends average out.
        let (there, back) = step.split_at_mut(dim);
        local_coordinates(points, &[point], tangents, from, there);
        local_coordinates(points, &[before], tangents, to, back);
        for axis in 0..dim {
            y[to * dim + axis] = y[from * dim + axis] + 0.5 * (there[axis] - back[axis]);
        }
    }
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
                off.push(relative(square.sqrt(), radii[index]));
            }
        }
        Ok(off)
    })?;
    Ok(parts.concat())
}

/// Lengths of edges for the tree: a shortcut between sheets sticks out of the tangents at its ends, and is long.
struct Lengths<'a> {
    points: &'a Points,
    tangents: &'a Tangents,
}

impl Lengths<'_> {
    /// |x_b - x_a| / (cos cos), the cosines of the angles with the two tangents.
    fn of(&self, a: usize, b: usize) -> f64 {
        let length = Input::Points(self.points).distance(a, b);
        if length == 0.0 {
            return 0.0;
        }
        let mut along = vec![0.0; self.tangents.dim()];
        let mut cosine = |from: usize, to: usize| {
            local_coordinates(self.points, &[to as u32], self.tangents, from, &mut along);
            along.iter().map(|value| value * value).sum::<f64>().sqrt() / length
        };
        length / (cosine(a, b) * cosine(b, a)).max(LEAST_COSINE)
    }
}

/// The mismatch of the map `y`, neighborhoods laid onto those of their members that are `kept`.
pub(crate) fn of_map(
    points: &Points,
    whole: &Neighborhoods,
    tangents: &Tangents,
    kept: &[bool],
    y: &[f64],
    radii: &[f64],
    run: &Run,
) -> Result<Mismatch> {
    let dim = tangents.dim();
    let parts = run.chunks("mismatch", whole.len(), 512, |range| {
        let mut layer = Layer::new(points.dim(), dim, tangents.cells());
        let mut part = (Vec::new(), 0.0, 0_usize);
        for index in range {
            let kept = &kept[whole.places(index)];
            layer.lay(points, whole.members(index), kept, y, |frame| tangents.copy(index, frame));
            let extent = layer.extent;
            if extent > 0.0 {
                let off = layer.off.iter().zip(kept).filter(|(_, kept)| **kept).map(|(off, _)| off * off).sum::<f64>();
                part.1 += off / extent;
                part.2 += 1;
            }
            part.0.extend(layer.off.iter().map(|&off| relative(off, radii[index])));
        }
        Ok(part)
    })?;
    let counted = parts.iter().map(|part| part.2).sum::<usize>().max(1) as f64;
    let misfit = parts.iter().map(|part| part.1).sum::<f64>() / counted;
    Ok(Mismatch { off: parts.into_iter().flat_map(|part| part.0).collect(), misfit })
}

/// Where all members are copies of one point there is no radius, and nothing to tear.
fn relative(off: f64, radius: f64) -> f64 {
    if radius > 0.0 { off / radius } else { 0.0 }
}

/// Lays one neighborhood onto its kept members, and the work space for the next.
pub(crate) struct Layer {
    rows: usize,
    dim: usize,
    mean: Vec<f64>,
    mapped_mean: Vec<f64>,
    frame: Vec<f64>,
    rotation: Rotation,
    offset: Vec<f64>,
    /// |H X|^2 of the kept members.
    extent: f64,
    /// How far each member is from where the neighborhood puts it.
    off: Vec<f64>,
}

impl Layer {
    pub(crate) fn new(rows: usize, dim: usize, cells: usize) -> Self {
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
    pub(crate) fn lay(
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
        self.mean.fill(0.0);
        self.mapped_mean.fill(0.0);
        for (&member, _) in members.iter().zip(kept).filter(|(_, kept)| **kept) {
            self.mean.iter_mut().zip(points.row(member as usize)).for_each(|(mean, value)| *mean += value / count);
            self.mapped_mean.iter_mut().zip(place(member)).for_each(|(mean, value)| *mean += value / count);
        }
        self.rotation.begin(rows, dim);
        self.extent = 0.0;
        for (&member, _) in members.iter().zip(kept).filter(|(_, kept)| **kept) {
            self.difference(points.row(member as usize));
            self.extent += self.offset.iter().map(|value| value * value).sum::<f64>();
            let mapped = place(member).iter().zip(&self.mapped_mean).map(|(value, mean)| value - mean);
            self.rotation.add_member(&self.offset, mapped);
        }
        frame(&mut self.frame);
        self.rotation.add_matrix(FRAME_WEIGHT * self.extent, &self.frame);
        self.rotation.decompose();
        self.off.clear();
        let mut put = vec![0.0; dim];
        for &member in members {
            self.put(points.row(member as usize), &mut put);
            self.off.push(distance(place(member), &put));
        }
    }

    /// Where the neighborhood laid last puts a point.
    pub(crate) fn put(&mut self, row: &[f64], place: &mut [f64]) {
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
