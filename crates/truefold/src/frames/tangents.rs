//! Tangent frames: for each point the q x d matrix P_i of the first d principal axes of its neighborhood, P_i'P_i = I.
//!
//! P_i holds the eigenvectors of the q x q scatter matrix X_i'H X_i where q is small; where q is large, X_i'H V L^(-1/2) from the
//! m x m Gram matrix V L V' of the m members. Goldberg and Ritov, sections 3 and 4.2. Cost: O(m q min(m, q)) a point; n q d
//! numbers are kept, in single precision where q is above 32.
//!
//! A neighborhood may span fewer than d directions, because of duplicates, points on a line, or too few points. It then keeps
//! those it has and takes the rest from the neighborhoods of its members, up to three rings of them; what is still missing is
//! filled from the coordinate axes in a fixed order. Such points are counted. It is an error if no neighborhood spans d.

use super::{carry::carry, identities};
use crate::linalg::{Nearest, add_scaled, complete, dot, multiply, square};
use crate::local::{Patch, PrincipalAxes, gather_centered};
use crate::{Error, Neighborhoods, Points, Result, Run};
use rayon::prelude::*;

const DOUBLE_UP_TO: usize = 32;
const RINGS: usize = 3;
const MOST_BORROWED: usize = 2000;

/// One frame per point.
#[derive(Debug, Clone)]
pub(crate) struct Tangents {
    input_dim: usize,
    dim: usize,
    numbers: Numbers,
    deficient: usize,
}

/// Frames one after the other, each column by column.
#[derive(Debug, Clone)]
enum Numbers {
    Double(Vec<f64>),
    Single(Vec<f32>),
}

impl Tangents {
    /// The frames of all neighborhoods, centers included.
    pub(crate) fn new(points: &Points, neighborhoods: &Neighborhoods, dim: usize, run: &Run) -> Result<Self> {
        let (numbers, ranks) = if points.dim() <= DOUBLE_UP_TO {
            let (values, ranks) = estimate(points, neighborhoods, dim, run, |value| value)?;
            (Numbers::Double(values), ranks)
        } else {
            let (values, ranks) = estimate(points, neighborhoods, dim, run, |value| value as f32)?;
            (Numbers::Single(values), ranks)
        };
        // No more than d points cannot span d directions, so for these it is no error.
        if points.len() > dim && ranks.iter().all(|rank| rank.1 < dim) {
            return Err(Error::RankDeficient {
                what: format!("the neighborhoods of all {} points span", points.len()).into(),
                given: ranks.iter().map(|rank| rank.1).max().unwrap_or(0),
                needed: dim,
                advice: "choose fewer dimensions or a larger {k}, or remove duplicates".into(),
            });
        }
        let deficient = ranks.iter().filter(|rank| rank.0 < dim).count();
        Ok(Self { input_dim: points.dim(), dim, numbers, deficient })
    }

    /// Frames one after the other, each column by column.
    pub(crate) fn of_values(input_dim: usize, dim: usize, values: Vec<f64>) -> Self {
        Self { input_dim, dim, numbers: Numbers::Double(values), deficient: 0 }
    }

    /// The number of points whose own neighborhood spans fewer than d directions.
    pub(crate) fn deficient(&self) -> usize {
        self.deficient
    }

    /// The number of frames.
    pub(crate) fn len(&self) -> usize {
        let cells = match &self.numbers {
            Numbers::Double(values) => values.len(),
            Numbers::Single(values) => values.len(),
        };
        cells / (self.input_dim * self.dim)
    }

    /// The number of columns of a frame, d.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The number of cells of a frame, q d.
    pub(crate) fn cells(&self) -> usize {
        self.input_dim * self.dim
    }

    /// Copies frame `index`, column by column.
    #[inline(always)]
    pub(crate) fn copy(&self, index: usize, frame: &mut [f64]) {
        let cells = index * self.cells()..(index + 1) * self.cells();
        match &self.numbers {
            Numbers::Double(values) => frame.copy_from_slice(&values[cells]),
            Numbers::Single(values) => {
                for (to, from) in frame.iter_mut().zip(&values[cells]) {
                    *to = f64::from(*from);
                }
            }
        }
    }

    /// P_i'P_j, column by column.
    #[inline(always)]
    pub(crate) fn product(&self, one: &[f64], other: &[f64], product: &mut [f64]) {
        let rows = self.input_dim;
        for (column, right) in other.chunks_exact(rows).enumerate() {
            for (row, left) in one.chunks_exact(rows).enumerate() {
                product[column * self.dim + row] = dot(left, right);
            }
        }
    }

    /// Turns each frame by its orthogonal d x d matrix: P_i becomes P_i O_i.
    pub(crate) fn turn(&mut self, rotations: &[f64], run: &Run) {
        let (rows, dim) = (self.input_dim, self.dim);
        run.install(|| match &mut self.numbers {
            Numbers::Double(values) => turn(values, rotations, rows, dim, |value| value, |value| value),
            Numbers::Single(values) => turn(values, rotations, rows, dim, f64::from, |value| value as f32),
        });
    }

    /// Carries the frame at the root of a tree down its steps, each a point and the one before it: each frame is turned
    /// onto the one before it.
    ///
    /// All links of the tree then agree as well as they can; errors add up along its branches.
    pub(crate) fn carry(&mut self, steps: impl Iterator<Item = (u32, u32)>, run: &Run) {
        let (dim, cells) = (self.dim, self.dim * self.dim);
        let mut rotations = identities(self.len(), dim);
        let (mut own, mut other) = (vec![0.0; self.cells()], vec![0.0; self.cells()]);
        let (mut product, mut turned) = (vec![0.0; cells], vec![0.0; cells]);
        let mut nearest = Nearest::default();
        let steps = steps.map(|(point, before)| (point, before, (point, before)));
        carry(&mut rotations, cells, steps, |(point, before), from, to| {
            self.copy(point as usize, &mut own);
            self.copy(before as usize, &mut other);
            self.product(&own, &other, &mut product);
            multiply(&product, from, dim, &mut turned);
            nearest.find(&turned, dim, to);
        });
        self.turn(&rotations, run);
    }

    /// Turns one frame; `old` is work space for d numbers.
    pub(crate) fn turn_at(&mut self, index: usize, rotation: &[f64], old: &mut [f64]) {
        let own = index * self.cells()..(index + 1) * self.cells();
        match &mut self.numbers {
            Numbers::Double(values) => turn_one(&mut values[own], rotation, old, |value| value, |value| value),
            Numbers::Single(values) => turn_one(&mut values[own], rotation, old, f64::from, |value| value as f32),
        }
    }
}

fn turn<T: Copy + Send>(
    values: &mut [T],
    rotations: &[f64],
    rows: usize,
    dim: usize,
    read: impl Fn(T) -> f64 + Sync,
    write: impl Fn(f64) -> T + Sync,
) {
    let frames = values.par_chunks_exact_mut(rows * dim).zip(rotations.par_chunks_exact(dim * dim));
    frames
        .with_min_len(256)
        .for_each_init(|| vec![0.0; dim], |old, (frame, rotation)| turn_one(frame, rotation, old, &read, &write));
}

/// Turns one frame; `old` is work space for one of its rows, d numbers.
#[inline(always)]
fn turn_one<T: Copy>(
    frame: &mut [T],
    rotation: &[f64],
    old: &mut [f64],
    read: impl Fn(T) -> f64,
    write: impl Fn(f64) -> T,
) {
    let (dim, rows) = (old.len(), frame.len() / old.len());
    for row in 0..rows {
        for (column, value) in old.iter_mut().enumerate() {
            *value = read(frame[column * rows + row]);
        }
        for (column, weights) in rotation.chunks_exact(dim).enumerate() {
            frame[column * rows + row] = write(dot(old, weights));
        }
    }
}

/// How many directions a neighborhood spans on its own, and with those around it.
type OwnAndTotalRank = (usize, usize);

/// The frames, and the ranks of each.
fn estimate<T: Copy + Default + Send>(
    points: &Points,
    neighborhoods: &Neighborhoods,
    dim: usize,
    run: &Run,
    store: impl Fn(f64) -> T + Sync,
) -> Result<(Vec<T>, Vec<OwnAndTotalRank>)> {
    let cells = points.dim() * dim;
    let mut values = vec![T::default(); points.len() * cells];
    let ranks = run.chunks_into("tangents", (&mut values, cells), 512, |range, frames| {
        let mut axes = Axes::default();
        let one = |(index, frame): (usize, &mut [T])| {
            let ranks = axes.estimate(points, neighborhoods, index, dim);
            frame.iter_mut().zip(&axes.frame).for_each(|(to, &value)| *to = store(value));
            ranks
        };
        Ok(range.zip(frames.chunks_exact_mut(cells)).map(one).collect::<Vec<_>>())
    })?;
    Ok((values, ranks.concat()))
}

/// Principal axes of one neighborhood, and the work space to find them.
#[derive(Default)]
struct Axes {
    frame: Vec<f64>,
    gathered: Vec<f64>,
    principal: PrincipalAxes,
    ring: Vec<u32>,
}

impl Axes {
    fn estimate(
        &mut self,
        points: &Points,
        neighborhoods: &Neighborhoods,
        index: usize,
        dim: usize,
    ) -> OwnAndTotalRank {
        let members = neighborhoods.members(index);
        let rows = points.dim();
        self.frame.clear();
        gather_centered(&mut self.gathered, points, members, members.len());
        self.add_principal(rows, members.len(), dim);
        let own = self.frame.len() / rows;
        if own < dim {
            self.borrow(points, neighborhoods, members, dim);
        }
        let rank = self.frame.len() / rows;
        if rank < dim {
            self.frame.resize(rows * dim, 0.0);
            complete(&mut self.frame, rows);
        }
        (own, rank)
    }

    /// Completes the frame from the neighborhoods of the members, and of their members.
    #[inline(never)]
    fn borrow(&mut self, points: &Points, neighborhoods: &Neighborhoods, members: &[u32], dim: usize) {
        let rows = points.dim();
        self.ring.clear();
        self.ring.extend_from_slice(members);
        for _ in 0..RINGS {
            let before = self.ring.len();
            if before > MOST_BORROWED || self.frame.len() == rows * dim {
                return;
            }
            for at in 0..before {
                self.ring.extend_from_slice(neighborhoods.members(self.ring[at] as usize));
            }
            self.ring.sort_unstable();
            self.ring.dedup();
            if self.ring.len() == before {
                return;
            }
            gather_centered(&mut self.gathered, points, &self.ring, self.ring.len());
            self.add_principal(rows, self.ring.len(), dim);
        }
    }

    /// Adds the first principal axes of the gathered coordinates that are orthogonal to those found, up to `dim` in all.
    #[inline(always)]
    fn add_principal(&mut self, rows: usize, size: usize, dim: usize) {
        let floor = square(&self.gathered) * f64::EPSILON * 4.0 * size as f64;
        let mut along = Vec::new();
        for axis in self.frame.chunks_exact(rows) {
            along.clear();
            along.resize(size, 0.0);
            for (&weight, coordinate) in axis.iter().zip(self.gathered.chunks_exact(size)) {
                add_scaled(&mut along, weight, coordinate);
            }
            for (&weight, coordinate) in axis.iter().zip(self.gathered.chunks_exact_mut(size)) {
                add_scaled(coordinate, -weight, &along);
            }
        }
        let wanted = dim - self.frame.len() / rows;
        let patch = Patch::by_coordinate(&self.gathered, size, size);
        self.principal.find(patch);
        let found = self.principal.values().iter().take(wanted).take_while(|&&value| value > floor).count();
        for rank in 0..found {
            let start = self.frame.len();
            self.principal.append_axis(patch, rank, &mut self.frame);
            upright(&mut self.frame[start..]);
        }
    }
}

/// Makes the entry of greatest size positive, the first among equals.
#[inline(always)]
fn upright(axis: &mut [f64]) {
    let greatest = axis.iter().fold(0.0_f64, |far, &value| if value.abs() > far.abs() { value } else { far });
    if greatest < 0.0 {
        axis.iter_mut().for_each(|value| *value = -*value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(tangents: &Tangents, index: usize) -> Vec<f64> {
        let mut frame = vec![0.0; tangents.cells()];
        tangents.copy(index, &mut frame);
        frame
    }

    fn orthonormal(tangents: &Tangents, tolerance: f64) {
        let dim = tangents.dim();
        let mut product = vec![0.0; dim * dim];
        for index in 0..tangents.len() {
            let frame = frame(tangents, index);
            tangents.product(&frame, &frame, &mut product);
            for (at, value) in product.iter().enumerate() {
                assert!((value - f64::from(u8::from(at % dim == at / dim))).abs() < tolerance, "{product:?}");
            }
        }
    }

    fn wavy(count: usize, dim: usize) -> Points {
        Points::new(count, dim, (0..count * dim).map(|at| ((at * at % 7919) as f64 * 0.7).sin()).collect()).unwrap()
    }

    #[test]
    fn a_plane_gives_the_plane() {
        let rows: Vec<[f64; 3]> = (0..60).map(|at| [f64::from(at % 8), f64::from(at / 8), 5.0]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 6, &Run::new()).unwrap();
        let tangents = Tangents::new(&points, &neighborhoods, 2, &Run::new()).unwrap();
        orthonormal(&tangents, 1e-12);
        assert_eq!(tangents.deficient(), 0);
        for index in 0..60 {
            let frame = frame(&tangents, index);
            assert!(frame[2].abs() < 1e-12 && frame[5].abs() < 1e-12);
        }
    }

    #[test]
    fn scatter_and_gram_span_the_same() {
        // The same points with zeros behind them: q = 3 by the scatter matrix, q = 40 by the Gram matrix.
        let points = wavy(50, 3);
        let wide: Vec<Vec<f64>> = points.rows().map(|row| [row, &[0.0; 37]].concat()).collect();
        let wide = Points::from_rows(&wide).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 8, &Run::new()).unwrap();
        let narrow = Tangents::new(&points, &neighborhoods, 2, &Run::new()).unwrap();
        let broad = Tangents::new(&wide, &neighborhoods, 2, &Run::new()).unwrap();
        for index in 0..50 {
            let (a, b) = (frame(&narrow, index), frame(&broad, index));
            for column in 0..2 {
                for row in 0..3 {
                    assert!((a[column * 3 + row] - b[column * 40 + row]).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn too_few_members_borrow_from_their_neighbors() {
        let points = wavy(80, 40);
        let neighborhoods = Neighborhoods::nearest(&points, 3, &Run::new()).unwrap();
        let tangents = Tangents::new(&points, &neighborhoods, 5, &Run::new()).unwrap();
        assert_eq!(tangents.deficient(), 80);
        orthonormal(&tangents, 1e-6);
    }

    #[test]
    fn a_line_has_no_planes() {
        let rows: Vec<[f64; 3]> = (0..30).map(|at| [f64::from(at), 2.0 * f64::from(at), 1.0]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 4, &Run::new()).unwrap();
        let error = Tangents::new(&points, &neighborhoods, 2, &Run::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the neighborhoods of all 30 points span at most 1 directions, but 2 are needed; choose fewer dimensions or \
             a larger k, or remove duplicates"
        );
    }

    #[test]
    fn turning_turns() {
        let points = wavy(40, 3);
        let neighborhoods = Neighborhoods::nearest(&points, 6, &Run::new()).unwrap();
        let mut tangents = Tangents::new(&points, &neighborhoods, 2, &Run::new()).unwrap();
        let before = frame(&tangents, 7);
        tangents.turn(&[0.0, 1.0, -1.0, 0.0].repeat(40), &Run::new());
        let after = frame(&tangents, 7);
        for row in 0..3 {
            assert!((after[row] - before[3 + row]).abs() < 1e-15 && (after[3 + row] + before[row]).abs() < 1e-15);
        }
    }
}
