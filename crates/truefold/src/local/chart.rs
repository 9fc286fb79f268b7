//! A chart: the centered coordinates of one neighborhood along its principal axes, H X_i V.
//!
//! Everything that is measured about a neighborhood depends on X_i only through its Gram matrix, so the q input
//! dimensions are replaced by at most min(q, m - 1) coordinates for m members. They are ordered by their size: the
//! first d of them are the local PCA, and the squares of the rest are what no embedding in d dimensions can explain.
//!
//! The axes are those of `principal.rs`. Where they come from the Gram matrix, or from distances alone, eigenvalues below
//! the rounding of the largest count as zero. Cost: O(m q min(m, q)) and an eigendecomposition of the smaller size.

use super::patch::{Patch, gather_centered};
use super::principal::PrincipalAxes;
use crate::Result;
use crate::data::Input;
use crate::linalg::{LANES, add_scaled, gram_of_squares, square};

/// The chart of one neighborhood and the work space to make the next.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    size: usize,
    stride: usize,
    width: usize,
    columns: Vec<f64>,
    gathered: Vec<f64>,
    axes: PrincipalAxes,
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

    /// |H X|^2, and what of it a map of `dim` dimensions cannot show.
    #[inline(always)]
    pub(crate) fn extent_and_bound(&self, dim: usize) -> (f64, f64) {
        let principal = (dim * self.stride).min(self.columns.len());
        let (extent, bound) = (square(&self.columns), square(&self.columns[principal..]));
        // What rounding alone leaves is no bound.
        (extent, if bound > 1e-26 * extent { bound } else { 0.0 })
    }

    /// Makes the chart of `members`.
    #[inline(always)]
    pub(crate) fn fill(&mut self, input: &Input<'_>, members: &[u32]) -> Result<()> {
        self.size = members.len();
        self.stride = self.size.next_multiple_of(LANES);
        match input {
            Input::Points(points) => {
                gather_centered(&mut self.gathered, points, members, self.stride);
                self.axes.find(Patch::by_coordinate(&self.gathered, self.size, self.stride));
                if self.axes.by_scatter() { self.turn() } else { self.factor() }
            }
            Input::Distances(distances) => {
                self.axes.decompose_gram(self.size, |matrix| {
                    distances.block(members, matrix)?;
                    matrix.iter_mut().for_each(|value| *value *= *value);
                    gram_of_squares(matrix, members.len());
                    Ok(())
                })?;
                self.factor();
            }
        }
        Ok(())
    }

    /// Turns the gathered coordinates onto their principal axes.
    #[inline(always)]
    fn turn(&mut self) {
        let stride = self.stride;
        self.width = self.gathered.len() / stride;
        self.columns.clear();
        self.columns.resize(self.width * stride, 0.0);
        for axis in 0..self.width {
            let column = &mut self.columns[axis * stride..(axis + 1) * stride];
            for (coordinate, &weight) in self.axes.vector(axis).iter().enumerate() {
                add_scaled(column, weight, &self.gathered[coordinate * stride..(coordinate + 1) * stride]);
            }
        }
    }

    /// The factor V sqrt(L) of the centered Gram matrix V L V'; what is not positive in L is left out.
    #[inline(always)]
    fn factor(&mut self) {
        let values = self.axes.values();
        let least = values[0].max(0.0) * f64::EPSILON * self.size as f64;
        self.width = values.iter().take(self.size - 1).take_while(|&&value| value > least).count();
        self.columns.clear();
        for (axis, value) in values.iter().enumerate().take(self.width) {
            let length = value.sqrt();
            self.columns.extend(self.axes.vector(axis).iter().map(|value| value * length));
            self.columns.resize((axis + 1) * self.stride, 0.0);
        }
    }
}
