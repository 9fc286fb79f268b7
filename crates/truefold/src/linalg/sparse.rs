//! Sparse Cholesky factors of symmetric positive definite matrices, by the matrix crate, in an order of small fill.
//!
//! A = L L' after approximate minimum degree. Cost: for a two-dimensional graph of n points about n^1.5 operations
//! and 31 n log2 n entries; for a graph of high dimension both approach those of the dense matrix.

use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::Llt;
use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use faer::{Conj, MatMut, Side};

/// The factor of a sparse symmetric positive definite matrix.
#[derive(Debug)]
pub(crate) struct SparseCholesky {
    factor: Llt<usize, f64>,
    size: usize,
}

impl SparseCholesky {
    /// Factors the matrix whose lower triangle has, in column c, the entries `offsets[c]..offsets[c + 1]`, rows
    /// increasing; none if it is not positive definite to working precision or memory does not suffice.
    pub(crate) fn new(offsets: Vec<usize>, rows: Vec<usize>, values: Vec<f64>) -> Option<Self> {
        let size = offsets.len() - 1;
        let pattern = SymbolicSparseColMat::new_checked(size, size, offsets, None, rows);
        let factor = SparseColMat::new(pattern, values).sp_cholesky(Side::Lower).ok()?;
        Some(Self { factor, size })
    }

    /// Replaces each column of `block`, stored row by row, by the solution with it as right-hand side.
    pub(crate) fn solve(&self, block: &mut [f64], columns: usize) {
        self.factor.solve_in_place_with_conj(Conj::No, MatMut::from_row_major_slice_mut(block, self.size, columns));
    }
}
