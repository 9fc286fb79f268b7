//! Sparse Cholesky factors of symmetric positive definite matrices, by the matrix crate, in an order of small fill.
//!
//! A = P'L L'P, P by approximate minimum degree, L in dense column blocks (supernodes). The solves are this project's:
//! every block of L is read from memory once for all right-hand sides. Cost: for a two-dimensional graph of n points
//! about n^1.5 operations and entries in proportion to n log n; for a graph of high dimension both approach those of
//! the dense matrix, so both can be limited before any of it is done.

use super::{add_scaled, dot};
use faer::Side;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
    supernodal::SymbolicSupernodalCholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Par, Spec};

/// The factor of a sparse symmetric positive definite matrix.
#[derive(Debug)]
pub(crate) struct SparseCholesky {
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
}

/// Why there is no factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NoFactor {
    /// The matrix is not positive definite to working precision.
    Indefinite,
    /// The factor would take more entries or operations than allowed.
    TooLarge,
}

/// The most that a factor may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FactorLimits {
    /// The entries of L, its blocks filled up.
    pub(crate) entries: f64,
    /// The multiplications that make it.
    pub(crate) operations: f64,
}

impl FactorLimits {
    /// No limits.
    pub(crate) const NONE: Self = Self { entries: f64::INFINITY, operations: f64::INFINITY };
}

/// The lower triangle of a sparse symmetric matrix by columns: those of column c are at `offsets[c]..offsets[c + 1]`,
/// the diagonal first, rows increasing.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Triangle {
    pub(crate) offsets: Vec<u32>,
    pub(crate) rows: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl SparseCholesky {
    /// Factors a matrix with at least one row, unless that takes more than the limits.
    pub(crate) fn new(matrix: &Triangle, limits: FactorLimits) -> Result<Self, NoFactor> {
        let size = matrix.offsets.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &matrix.offsets, None, &matrix.rows);
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..CholeskySymbolicParams::default()
        };
        // An error here is one of size: more entries than 32 bits count, or than memory holds.
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, parameters)
            .map_err(|_| NoFactor::TooLarge)?;
        let entries = symbolic.len_val();
        if entries as f64 > limits.entries || operations(&symbolic) > limits.operations {
            return Err(NoFactor::TooLarge);
        }
        let mut values = Vec::new();
        values.try_reserve_exact(entries).map_err(|_| NoFactor::TooLarge)?;
        values.resize(entries, 0.0);
        let request = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default());
        let mut memory = MemBuffer::try_new(request).map_err(|_| NoFactor::TooLarge)?;
        let factored = symbolic.factorize_numeric_llt(
            &mut values,
            SparseColMatRef::new(pattern, &matrix.values),
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut memory),
            Spec::default(),
        );
        if factored.is_err() || values.iter().any(|value| !value.is_finite()) {
            return Err(NoFactor::Indefinite);
        }
        Ok(Self { symbolic, values })
    }

    /// The entries of the factor, its blocks filled up.
    pub(crate) fn entries(&self) -> usize {
        self.values.len()
    }

    /// Replaces each column of `block`, stored row by row, by the solution with it as right-hand side.
    pub(crate) fn solve(&self, block: &mut [f64], columns: usize) {
        let SymbolicCholeskyRaw::Supernodal(blocks) = self.symbolic.raw() else { return };
        let order = self.symbolic.perm().map(|order| order.arrays().0);
        let from = |at: usize| order.map_or(at, |order| order[at] as usize);
        let size = block.len() / columns;
        // Column by column, so that every step is one long vector operation.
        let mut x = vec![0.0; block.len()];
        for at in 0..size {
            for (column, &value) in block[from(at) * columns..][..columns].iter().enumerate() {
                x[column * size + at] = value;
            }
        }
        let mut below = Vec::new();
        for at in 0..blocks.n_supernodes() {
            Supernode::new(blocks, &self.values, at).forward(&mut x, size, &mut below);
        }
        for at in (0..blocks.n_supernodes()).rev() {
            Supernode::new(blocks, &self.values, at).backward(&mut x, size, &mut below);
        }
        for at in 0..size {
            for (column, value) in block[from(at) * columns..][..columns].iter_mut().enumerate() {
                *value = x[column * size + at];
            }
        }
    }
}

/// A dense block of columns of the factor.
struct Supernode<'a> {
    /// Its first column.
    start: usize,
    width: usize,
    /// The rows below the block on the diagonal.
    pattern: &'a [u32],
    /// Column by column.
    values: &'a [f64],
}

impl<'a> Supernode<'a> {
    #[inline(always)]
    fn new(blocks: &'a SymbolicSupernodalCholesky<u32>, values: &'a [f64], at: usize) -> Self {
        let start = blocks.supernode_begin()[at] as usize;
        let width = blocks.supernode_end()[at] as usize - start;
        let offsets = blocks.col_ptr_for_val();
        let values = &values[offsets[at] as usize..offsets[at + 1] as usize];
        Self { start, width, pattern: blocks.supernode(at).pattern(), values }
    }

    /// Solves for the rows of the block and takes their part off the rows below, for every column of `x`.
    #[inline(always)]
    fn forward(&self, x: &mut [f64], size: usize, below: &mut Vec<f64>) {
        let height = self.width + self.pattern.len();
        for x in x.chunks_exact_mut(size) {
            below.clear();
            below.resize(self.pattern.len(), 0.0);
            let own = &mut x[self.start..self.start + self.width];
            for (place, column) in self.values.chunks_exact(height).enumerate() {
                let value = own[place] / column[place];
                own[place] = value;
                add_scaled(&mut own[place + 1..], -value, &column[place + 1..self.width]);
                add_scaled(below, value, &column[self.width..]);
            }
            for (&row, below) in self.pattern.iter().zip(below.iter()) {
                x[row as usize] -= below;
            }
        }
    }

    /// Solves the transposed block for its rows, given those below.
    #[inline(always)]
    fn backward(&self, x: &mut [f64], size: usize, below: &mut Vec<f64>) {
        let height = self.width + self.pattern.len();
        for x in x.chunks_exact_mut(size) {
            below.clear();
            below.extend(self.pattern.iter().map(|&row| x[row as usize]));
            let own = &mut x[self.start..self.start + self.width];
            for (place, column) in self.values.chunks_exact(height).enumerate().rev() {
                let inside = dot(&own[place + 1..], &column[place + 1..self.width]);
                let outside = dot(below, &column[self.width..]);
                own[place] = (own[place] - inside - outside) / column[place];
            }
        }
    }
}

/// The multiplications that a factor takes, about.
fn operations(symbolic: &SymbolicCholesky<u32>) -> f64 {
    let SymbolicCholeskyRaw::Supernodal(blocks) = symbolic.raw() else { return 0.0 };
    (0..blocks.n_supernodes())
        .map(|at| {
            let width = (blocks.supernode_end()[at] - blocks.supernode_begin()[at]) as f64;
            let below = blocks.supernode(at).pattern().len() as f64;
            width * (width * width / 3.0 + width * below + below * below)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Laplacian of a grid plus the identity, of random order: many supernodes of all sizes.
    fn grid(side: usize) -> Triangle {
        let count = side * side;
        let name = |row: usize, column: usize| (row * side + column) * 7919 % count;
        let mut entries = vec![std::collections::BTreeMap::new(); count];
        for row in 0..side {
            for column in 0..side {
                let own = name(row, column);
                entries[own].insert(own as u32, 5.0 + (own % 3) as f64);
                for (next_row, next_column) in [(row + 1, column), (row, column + 1)] {
                    if next_row < side && next_column < side {
                        let (a, b) = (own.min(name(next_row, next_column)), own.max(name(next_row, next_column)));
                        entries[a].insert(b as u32, -1.0);
                    }
                }
            }
        }
        let mut triangle = Triangle { offsets: vec![0], ..Triangle::default() };
        for column in entries {
            for (row, value) in column {
                triangle.rows.push(row);
                triangle.values.push(value);
            }
            triangle.offsets.push(triangle.rows.len() as u32);
        }
        triangle
    }

    #[test]
    fn solutions_solve_for_every_number_of_columns() {
        let matrix = grid(23);
        let size = matrix.offsets.len() - 1;
        let factor = SparseCholesky::new(&matrix, FactorLimits::NONE).unwrap();
        for columns in [1, 2, 3, 4, 7] {
            let rhs: Vec<f64> = (0..size * columns).map(|at| ((at * 31 % 17) as f64) - 8.0).collect();
            let mut x = rhs.clone();
            factor.solve(&mut x, columns);
            let mut rest = rhs;
            for column in 0..size {
                for at in matrix.offsets[column] as usize..matrix.offsets[column + 1] as usize {
                    let (row, value) = (matrix.rows[at] as usize, matrix.values[at]);
                    for c in 0..columns {
                        rest[row * columns + c] -= value * x[column * columns + c];
                        if row != column {
                            rest[column * columns + c] -= value * x[row * columns + c];
                        }
                    }
                }
            }
            assert!(rest.iter().all(|rest| rest.abs() < 1e-12), "{columns}");
        }
    }

    #[test]
    fn limits_and_indefinite_matrices_are_refused() {
        let mut matrix = grid(12);
        let few = FactorLimits { entries: 100.0, ..FactorLimits::NONE };
        assert_eq!(SparseCholesky::new(&matrix, few).unwrap_err(), NoFactor::TooLarge);
        let quick = FactorLimits { operations: 100.0, ..FactorLimits::NONE };
        assert_eq!(SparseCholesky::new(&matrix, quick).unwrap_err(), NoFactor::TooLarge);
        matrix.values[0] = -1.0;
        assert_eq!(SparseCholesky::new(&matrix, FactorLimits::NONE).unwrap_err(), NoFactor::Indefinite);
    }
}
