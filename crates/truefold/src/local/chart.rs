//! A chart: the centered coordinates of one neighborhood along its principal axes, H X_i V.
//!
//! Everything that is measured about a neighborhood depends on X_i only through its Gram matrix, so the q input
//! dimensions are replaced by at most min(q, m - 1) coordinates for m members. They are ordered by their size: the
//! first d of them are the local PCA, and the squares of the rest are what no embedding in d dimensions can explain.
//!
//! Few input dimensions: the eigenvectors of the q x q scatter matrix, O(m q^2 + q^3). Many: those of the m x m Gram
//! matrix, O(m^2 q + m^3); eigenvalues below the rounding of the largest are taken as zero there.

use crate::data::Input;
use crate::linalg::{LANES, SymmetricEigen, add_scaled, dot};
use crate::{Points, Result};

/// The chart of one neighborhood and the work space to make the next.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    size: usize,
    stride: usize,
    width: usize,
    columns: Vec<f64>,
    gathered: Vec<f64>,
    matrix: Vec<f64>,
    eigen: SymmetricEigen,
}

impl Chart {
    /// The length of a coordinate: the number of members, filled up with zeros to whole vectors.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// The number of coordinates.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The coordinates, one after the other, each for all members and filled up with zeros.
    #[inline(always)]
    pub(crate) fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// The coordinates, one after the other, each for all members and nothing more.
    #[inline(always)]
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.columns.chunks_exact(self.stride).flat_map(|column| column[..self.size].iter().copied())
    }

    /// Makes the chart of `members`.
    #[inline(always)]
    pub(crate) fn fill(&mut self, input: &Input<'_>, members: &[u32]) -> Result<()> {
        self.size = members.len();
        self.stride = self.size.next_multiple_of(LANES);
        match input {
            Input::Points(points) => {
                center(&mut self.gathered, points, members, self.stride);
                if points.dim() <= members.len() {
                    self.turn(points.dim());
                } else {
                    self.multiply(points.dim());
                    self.factor();
                }
            }
            Input::Distances(distances) => {
                self.matrix.clear();
                self.matrix.resize(self.size * self.size, 0.0);
                distances.block(members, &mut self.matrix)?;
                self.center_squares();
                self.factor();
            }
        }
        Ok(())
    }

    /// Turns the gathered coordinates onto their principal axes.
    #[inline(always)]
    fn turn(&mut self, dim: usize) {
        let stride = self.stride;
        self.matrix.clear();
        self.matrix.resize(dim * dim, 0.0);
        for a in 0..dim {
            for b in 0..=a {
                let product =
                    dot(&self.gathered[a * stride..(a + 1) * stride], &self.gathered[b * stride..(b + 1) * stride]);
                self.matrix[a * dim + b] = product;
                self.matrix[b * dim + a] = product;
            }
        }
        self.eigen.decompose(&self.matrix, dim);
        self.width = dim;
        self.columns.clear();
        self.columns.resize(dim * stride, 0.0);
        for axis in 0..dim {
            let column = &mut self.columns[axis * stride..(axis + 1) * stride];
            for (coordinate, &weight) in self.eigen.vector(axis).iter().enumerate() {
                add_scaled(column, weight, &self.gathered[coordinate * stride..(coordinate + 1) * stride]);
            }
        }
    }

    /// The Gram matrix of the gathered coordinates.
    #[inline(always)]
    fn multiply(&mut self, dim: usize) {
        let size = self.size;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for coordinate in self.gathered[..dim * self.stride].chunks_exact(self.stride) {
            for a in 0..size {
                add_scaled(&mut self.matrix[a * size..a * size + a + 1], coordinate[a], &coordinate[..=a]);
            }
        }
        for a in 0..size {
            for b in 0..a {
                self.matrix[b * size + a] = self.matrix[a * size + b];
            }
        }
    }

    /// The Gram matrix that the distances in its place stand for, -H D^2 H / 2.
    fn center_squares(&mut self) {
        let size = self.size;
        self.matrix.iter_mut().for_each(|value| *value *= *value);
        let means: Vec<f64> = self.matrix.chunks_exact(size).map(|row| row.iter().sum::<f64>() / size as f64).collect();
        let mean = means.iter().sum::<f64>() / size as f64;
        for (row, values) in self.matrix.chunks_exact_mut(size).enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value = -0.5 * (*value - means[row] - means[column] + mean);
            }
        }
    }

    /// The factor V sqrt(L) of the centered Gram matrix V L V'; what is not positive in L is left out.
    #[inline(always)]
    fn factor(&mut self) {
        let size = self.size;
        self.eigen.decompose(&self.matrix, size);
        let values = self.eigen.values();
        let least = values[0].max(0.0) * f64::EPSILON * size as f64;
        self.width = values.iter().take(size - 1).take_while(|&&value| value > least).count();
        self.columns.clear();
        for (axis, value) in values.iter().enumerate().take(self.width) {
            let length = value.sqrt();
            self.columns.extend(self.eigen.vector(axis).iter().map(|value| value * length));
            self.columns.resize((axis + 1) * self.stride, 0.0);
        }
    }
}

/// Gathers the coordinates of `members`, one coordinate after the other, centers each, and fills it up with zeros to
/// `stride` numbers.
#[inline(always)]
pub(crate) fn center(gathered: &mut Vec<f64>, points: &Points, members: &[u32], stride: usize) {
    let (dim, size) = (points.dim(), members.len());
    gathered.clear();
    gathered.resize(dim * stride, 0.0);
    for (place, &member) in members.iter().enumerate() {
        for (column, &value) in gathered.chunks_exact_mut(stride).zip(points.row(member as usize)) {
            column[place] = value;
        }
    }
    for column in gathered.chunks_exact_mut(stride) {
        let column = &mut column[..size];
        // Relative to the first member, so that a far origin costs no digits.
        let origin = column[0];
        let mut sum = 0.0;
        for value in column.iter_mut() {
            *value -= origin;
            sum += *value;
        }
        let mean = sum / size as f64;
        for value in column {
            *value -= mean;
        }
    }
}
