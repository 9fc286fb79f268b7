//! A sparse symmetric matrix by full rows, for graphs whose matrix is written down: every entry at both of its places.
//!
//! Cost: 12 bytes an entry; one gather a row to apply it.

use super::{Sparse, counted};
use crate::laplacian::conjugate_gradient::Operator;
use crate::linalg::Triangle;
use crate::linalg::block::{CHUNK, add_rows, by_width};
use crate::{Result, Run};
use rayon::prelude::*;

/// A symmetric matrix, rows in order, columns increasing in each; the diagonal is stored separately.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SymmetricRows {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    diagonal: Vec<f64>,
}

impl SymmetricRows {
    /// From rows that are known to be symmetric and to leave out the diagonal.
    pub(crate) fn new(offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64>, diagonal: Vec<f64>) -> Self {
        debug_assert!(offsets.len() == diagonal.len() + 1 && offsets.last() == Some(&columns.len()));
        Self { offsets, columns, values, diagonal }
    }

    #[inline(always)]
    fn row(&self, row: usize) -> impl Iterator<Item = (u32, f64)> {
        let range = self.offsets[row]..self.offsets[row + 1];
        self.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    fn pass<const W: usize>(&self, input: &[f64], output: &mut [f64], columns: usize) {
        output.par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, output)| {
            for (point, out) in (chunk * CHUNK..).zip(output.chunks_exact_mut(columns)) {
                for (out, value) in out.iter_mut().zip(&input[point * columns..][..columns]) {
                    *out = self.diagonal[point] * value;
                }
                add_rows::<W>(out, input, self.row(point));
            }
        });
    }
}

impl Operator for SymmetricRows {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, _scratch: &mut Vec<f64>) {
        by_width!(columns, W => self.pass::<W>(input, output, columns));
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}

impl Sparse for SymmetricRows {
    fn triangle(&self, _run: &Run) -> Result<Triangle> {
        let mut triangle = Triangle { offsets: vec![0], ..Triangle::default() };
        for column in 0..self.diagonal.len() {
            triangle.rows.push(column as u32);
            triangle.values.push(self.diagonal[column]);
            for (row, value) in self.row(column).filter(|(row, _)| *row as usize > column) {
                triangle.rows.push(row);
                triangle.values.push(value);
            }
            triangle.offsets.push(counted(triangle.rows.len())?);
        }
        Ok(triangle)
    }
}
