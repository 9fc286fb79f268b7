//! A chart: the centered coordinates of one neighborhood along its principal axes, H X_i V.
//!
//! Everything that is measured about a neighborhood depends on X_i only through its Gram matrix, so the q input
//! dimensions are replaced by at most min(q, m - 1) coordinates for m members. They are ordered by their size: the
//! first d of them are the local PCA, and the squares of the rest are what no embedding in d dimensions can explain.
//!
//! Few input dimensions: the eigenvectors of the q x q scatter matrix, O(m q^2 + q^3). Many: those of the m x m Gram
//! matrix, O(m^2 q + m^3); eigenvalues below the rounding of the largest are taken as zero there.

use super::procrustes::check_pair;
use crate::linalg::{SymmetricEigen, add_scaled, dot};
use crate::{Points, Result};

/// The input side of an evaluation: points, or nothing but the distances between them.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// Coordinates.
    Points(&'a Points),
}

impl Input<'_> {
    /// The number of points.
    #[expect(clippy::len_without_is_empty, reason = "an input is never empty")]
    pub fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
        }
    }

    /// An error unless `embedding` has a row for each point and no more dimensions than the input.
    pub fn check_embedding(&self, embedding: &Points) -> Result<()> {
        check_pair(self.len(), self.dim().unwrap_or(self.len().saturating_sub(1)), embedding)
    }

    /// The number of coordinates, where the input has any.
    pub fn dim(&self) -> Option<usize> {
        match self {
            Self::Points(points) => Some(points.dim()),
        }
    }
}

/// The chart of one neighborhood and the work space to make the next.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    size: usize,
    width: usize,
    columns: Vec<f64>,
    gathered: Vec<f64>,
    matrix: Vec<f64>,
    eigen: SymmetricEigen,
}

impl Chart {
    /// The number of members, m.
    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The number of coordinates.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The coordinates, one after the other, each for all members.
    #[inline(always)]
    pub(crate) fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// Makes the chart of `members`.
    #[inline(always)]
    pub(crate) fn fill(&mut self, input: &Input<'_>, members: &[u32]) -> Result<()> {
        self.size = members.len();
        match input {
            Input::Points(points) => {
                center(&mut self.gathered, points, members);
                if points.dim() <= members.len() {
                    self.from_scatter(points.dim())
                } else {
                    self.from_rows(points.dim())
                }
            }
        }
        Ok(())
    }

    /// Turns the gathered coordinates onto their principal axes.
    #[inline(always)]
    fn from_scatter(&mut self, dim: usize) {
        let size = self.size;
        self.matrix.clear();
        self.matrix.resize(dim * dim, 0.0);
        for a in 0..dim {
            for b in 0..=a {
                let product = dot(&self.gathered[a * size..(a + 1) * size], &self.gathered[b * size..(b + 1) * size]);
                self.matrix[a * dim + b] = product;
                self.matrix[b * dim + a] = product;
            }
        }
        self.eigen.decompose(&self.matrix, dim);
        self.width = dim;
        self.columns.clear();
        self.columns.resize(dim * size, 0.0);
        for axis in 0..dim {
            let column = &mut self.columns[axis * size..(axis + 1) * size];
            for (coordinate, &weight) in self.eigen.vector(axis).iter().enumerate() {
                add_scaled(column, weight, &self.gathered[coordinate * size..(coordinate + 1) * size]);
            }
        }
    }

    /// The Gram matrix of gathered coordinates, then its factor.
    #[inline(always)]
    fn from_rows(&mut self, dim: usize) {
        let size = self.size;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for coordinate in self.gathered[..dim * size].chunks_exact(size) {
            for a in 0..size {
                add_scaled(&mut self.matrix[a * size..a * size + a + 1], coordinate[a], &coordinate[..=a]);
            }
        }
        for a in 0..size {
            for b in 0..a {
                self.matrix[b * size + a] = self.matrix[a * size + b];
            }
        }
        self.from_gram();
    }

    /// The factor V sqrt(L) of the centered Gram matrix V L V'.
    #[inline(always)]
    fn from_gram(&mut self) {
        let size = self.size;
        self.eigen.decompose(&self.matrix, size);
        let values = self.eigen.values();
        let least = values[0].max(0.0) * f64::EPSILON * size as f64;
        self.width = values.iter().take(size - 1).take_while(|&&value| value > least).count();
        self.columns.clear();
        for axis in 0..self.width {
            let length = values[axis].sqrt();
            self.columns.extend(self.eigen.vector(axis).iter().map(|value| value * length));
        }
    }
}

/// Gathers the coordinates of `members`, one coordinate after the other, and centers each.
#[inline(always)]
pub(crate) fn center(gathered: &mut Vec<f64>, points: &Points, members: &[u32]) {
    let (dim, size) = (points.dim(), members.len());
    gathered.clear();
    gathered.resize(dim * size, 0.0);
    for (place, &member) in members.iter().enumerate() {
        for (coordinate, &value) in points.row(member as usize).iter().enumerate() {
            gathered[coordinate * size + place] = value;
        }
    }
    for column in gathered.chunks_exact_mut(size) {
        // Relative to the first member, so that a far origin costs no digits.
        let origin = column[0];
        column.iter_mut().for_each(|value| *value -= origin);
        let mean = column.iter().sum::<f64>() / size as f64;
        column.iter_mut().for_each(|value| *value -= mean);
    }
}
