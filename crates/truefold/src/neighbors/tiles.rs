//! Tiles of approximate squared distances by matrix products in single precision, with a bound on the error.
//!
//! With the rows centered, scaled by a power of two and rounded to single precision (a_i), |a_i - a_j|^2 = |a_i|^2 +
//! |a_j|^2 - 2 a_i'a_j. A product of q terms in any order, fused or not, errs by at most g |a_i||a_j|, g = q u / (1 - q
//! u), u = 2^-24; rounding the rows moves a distance by at most u (|a_i| + |a_j|); the sums and the double-precision
//! value it stands for add a few u of the square of that. So for every pair of a row: |tile - scale^2 value| <=
//! slack(row). Cost: q multiplications a pair, at the speed of a matrix product.

use super::Space;
use super::rough::UNIT;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use std::ops::Range;

/// Rows prepared for products in single precision.
#[derive(Debug, Clone)]
pub(crate) struct Tiles {
    dim: usize,
    rows: Vec<f32>,
    squares: Vec<f32>,
    slack: Vec<f32>,
    #[cfg(test)]
    scale: f64,
}

impl Tiles {
    /// The most coordinates for which the bound means anything.
    pub(super) const MOST_DIM: usize = 1 << 22;

    /// The rows of a space of squares; `None` if there are too many coordinates for single precision.
    pub(crate) fn new(space: &Space) -> Option<Self> {
        let (len, dim) = (space.len(), space.dim());
        if dim > Self::MOST_DIM {
            return None;
        }
        let mut mean = vec![0.0; dim];
        space.each_row(|row| mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / len as f64));
        let mut largest = 0.0_f64;
        space.each_row(|row| {
            largest = row.iter().zip(&mean).fold(largest, |largest, (value, mean)| largest.max((value - mean).abs()));
        });
        // The largest entry between a half and one; the exponent stays where the square of the scale is a number.
        let exponent = if largest > 0.0 { -(largest.log2().ceil() as i32) } else { 0 };
        let scale = 2.0_f64.powi(exponent.clamp(-500, 500));
        let mut rows: Vec<f32> = Vec::with_capacity(len * dim);
        space.each_row(|row| rows.extend(row.iter().zip(&mean).map(|(value, mean)| ((value - mean) * scale) as f32)));
        let exact: Vec<f64> = rows
            .chunks_exact(dim)
            .map(|row| row.iter().map(|value| f64::from(*value) * f64::from(*value)).sum())
            .collect();
        let largest = exact.iter().fold(0.0_f64, |largest, square| largest.max(*square)).sqrt();
        let terms = dim as f64 * UNIT;
        let gamma = terms / (1.0 - terms);
        let slack = exact
            .iter()
            .map(|square| {
                let both = (square.sqrt() + largest).powi(2);
                let rest = (8.0 * UNIT + (dim + 8) as f64 * f64::EPSILON) * both;
                // Entries below the smallest single-precision numbers are lost: the last term covers them.
                (1.01 * (2.0 * gamma * square.sqrt() * largest + rest) + 1e-30) as f32
            })
            .collect();
        Some(Self {
            dim,
            rows,
            squares: exact.iter().map(|square| *square as f32).collect(),
            slack,
            #[cfg(test)]
            scale,
        })
    }

    /// A value of the space in the units of the tiles.
    #[cfg(test)]
    fn scaled(&self, value: f64) -> f64 {
        value * self.scale * self.scale
    }

    /// The largest error of an entry in row `row` of a tile, in the units of the tiles.
    #[inline(always)]
    pub(crate) fn slack(&self, row: usize) -> f32 {
        self.slack[row]
    }

    /// The approximate squared distances of `rows` to `columns`, row by row.
    pub(crate) fn fill(&self, rows: Range<usize>, columns: Range<usize>, tile: &mut [f32]) {
        let values = &self.rows[rows.start * self.dim..rows.end * self.dim];
        self.product(values, &self.squares[rows], columns, tile);
    }

    fn product(&self, values: &[f32], squares: &[f32], columns: Range<usize>, tile: &mut [f32]) {
        let left = &self.rows[columns.start * self.dim..columns.end * self.dim];
        let left = MatRef::from_column_major_slice(left, self.dim, columns.len());
        let right = MatRef::from_column_major_slice(values, self.dim, squares.len());
        // Column by column of the transposed product is row by row of the tile.
        let product = MatMut::from_column_major_slice_mut(&mut *tile, columns.len(), squares.len());
        matmul(product, Accum::Replace, left.transpose(), right, -2.0_f32, Par::Seq);
        pulp::Arch::new().dispatch(Add { tile, rows: squares, columns: &self.squares[columns] });
    }
}

/// Adds the squares of the rows to the products.
struct Add<'a> {
    tile: &'a mut [f32],
    rows: &'a [f32],
    columns: &'a [f32],
}

impl pulp::WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        for (line, row) in self.tile.chunks_exact_mut(self.columns.len()).zip(self.rows) {
            for (entry, column) in line.iter_mut().zip(self.columns) {
                *entry += row + column;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Points};

    #[test]
    fn the_slack_holds_near_and_far_from_the_origin() {
        for (shift, spread) in [(0.0, 1.0), (1e6, 1.0), (-3e5, 1e-4), (1e-200, 1e-90), (0.0, 1e120)] {
            let (len, dim) = (70, 33);
            let noise = |at: usize| ((at * 7919 % 1013) as f64 / 1013.0 - 0.3) * spread + shift;
            let points = Points::new(len, dim, (0..len * dim).map(noise).collect()).unwrap();
            let space = Space::new(&points, Metric::Euclidean).unwrap();
            let tiles = Tiles::new(&space).unwrap();
            let mut tile = vec![0.0; 30 * 50];
            tiles.fill(5..35, 10..60, &mut tile);
            for (at, &entry) in tile.iter().enumerate() {
                let (row, column) = (5 + at / 50, 10 + at % 50);
                let value = tiles.scaled(space.value(row, column));
                assert!(
                    (f64::from(entry) - value).abs() <= f64::from(tiles.slack(row)),
                    "{row} {column} {entry} {value}"
                );
            }
        }
    }
}
