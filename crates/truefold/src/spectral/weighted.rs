//! Eigenvectors in which some points count less: M v = l B v with B diagonal and positive.
//!
//! With w = B^(1/2) v these are the eigenvectors of B^(-1/2) M B^(-1/2), whose null vector is B^(1/2) u where u is that of M.
//! A point of small weight is still placed by its neighborhoods, but adds little to the variance that a coordinate must have.

use super::Sparse;
use crate::laplacian::conjugate_gradient::Operator;
use crate::linalg::Triangle;
use crate::{Result, Run};

/// B^(-1/2) M B^(-1/2).
pub(super) struct Weighted<'a, M> {
    matrix: &'a M,
    /// B^(-1/2).
    inverse: Vec<f64>,
    diagonal: Vec<f64>,
}

impl<'a, M: Operator> Weighted<'a, M> {
    /// The matrix for these weights, all positive.
    pub(super) fn new(matrix: &'a M, weights: &[f64]) -> Self {
        let diagonal = matrix.diagonal().iter().zip(weights).map(|(entry, weight)| entry / weight).collect();
        Self { matrix, inverse: weights.iter().map(|weight| 1.0 / weight.sqrt()).collect(), diagonal }
    }

    /// v of w, in rows of `columns` numbers.
    pub(super) fn unweight(&self, vectors: &mut [f64], columns: usize) {
        for (row, inverse) in vectors.chunks_exact_mut(columns).zip(&self.inverse) {
            row.iter_mut().for_each(|value| *value *= inverse);
        }
    }
}

impl<M: Operator> Operator for Weighted<'_, M> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        let mut scaled = input.to_vec();
        self.unweight(&mut scaled, columns);
        self.matrix.apply(&scaled, output, columns, scratch);
        self.unweight(output, columns);
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}

impl<M: Sparse> Sparse for Weighted<'_, M> {
    fn triangle(&self, run: &Run) -> Result<Triangle> {
        let mut triangle = self.matrix.triangle(run)?;
        for column in 0..self.inverse.len() {
            for at in triangle.offsets[column] as usize..triangle.offsets[column + 1] as usize {
                triangle.values[at] *= self.inverse[column] * self.inverse[triangle.rows[at] as usize];
            }
        }
        Ok(triangle)
    }

    fn is_squared(&self) -> bool {
        self.matrix.is_squared()
    }
}
