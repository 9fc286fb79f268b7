//! The algebraically largest eigenpairs of a symmetric operator by block Lanczos.
//!
//! Orthonormal panels Q_0, Q_1, ... span Q_0, A Q_0, A^2 Q_0, ...; the eigenpairs (t, s) of T = Q'AQ give A Q s ~ t Q
//! s with the residual |A Q s - t Q s| = |W s_last|, W what A leaves of the last panel off the span. Every panel is
//! held orthogonal to all others, twice, so no eigenvector is found twice; when the basis is full it is replaced by
//! the best vectors found (thick restart, Wu and Simon, 2000). Golub and Underwood (1977). Cost: one A a step and a
//! pass over the basis; memory n times the basis. When it fails: where the last
//! wanted eigenvalue and the next agree to many digits; the residual reached is reported.

use super::column_block::{ColumnBlock, add_product, gram, orthogonalize, orthonormal};
use crate::linalg::SymmetricEigen;
use crate::{Result, Run};
use rand::{RngExt, SeedableRng};

/// Writes a symmetric matrix times a panel, the second argument, of the given number of columns.
pub(crate) type Apply<'a> = dyn Fn(&[f64], &mut [f64], usize) -> Result<()> + Sync + 'a;

/// Which eigenpairs are wanted, and how accurately.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Largest {
    /// The size of the matrix, n.
    pub(crate) size: usize,
    /// The number of eigenpairs.
    pub(crate) wanted: usize,
    /// The columns of a panel.
    pub(crate) block: usize,
    /// The residual wanted, relative to each eigenvalue.
    pub(crate) tolerance: f64,
    /// The most applications of the operator to a panel.
    pub(crate) steps: usize,
}

impl Largest {
    /// For `wanted` eigenpairs of an n x n matrix: one more column than wanted, up to eight.
    pub(crate) fn of(size: usize, wanted: usize) -> Self {
        Self { size, wanted, block: (wanted + 1).clamp(2, 8), tolerance: 1e-10, steps: 300 }
    }
}

/// Approximate eigenpairs from a subspace.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ritz {
    /// The eigenvalues, largest first; one more than wanted where the subspace has it.
    pub(crate) values: Vec<f64>,
    /// The vectors wanted, n rows.
    pub(crate) vectors: Vec<f64>,
    /// The number of vectors.
    pub(crate) columns: usize,
    /// Panels to which the operator was applied.
    pub(crate) steps: usize,
}

/// The largest eigenpairs of the operator `apply`, which writes A times a panel of the given columns.
///
/// `apply` must keep what it returns free of known null vectors; `project` does so for the start.
pub(crate) fn largest(
    wanted: Largest,
    seed: u64,
    project: &(dyn Fn(&mut [f64], usize) + Sync),
    apply: &Apply<'_>,
    run: &Run,
) -> Result<Ritz> {
    let Largest { size, block, .. } = wanted;
    let most = (8 * block).max(3 * wanted.wanted + 2 * block).max(24);
    let kept = wanted.wanted + block;
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut start =
        ColumnBlock { values: (0..size * block).map(|_| random.random_range(-1.0..1.0)).collect(), columns: block };
    project(&mut start.values, block);
    let mut basis = vec![orthonormal(&start)];
    let mut small = Small::default();
    let mut eigen = SymmetricEigen::default();
    let mut step = 0;
    loop {
        step += 1;
        run.check()?;
        let last = &basis[basis.len() - 1];
        let mut rest = ColumnBlock { values: vec![0.0; last.values.len()], columns: last.columns };
        apply(&last.values, &mut rest.values, rest.columns)?;
        let coefficients = orthogonalize(&mut rest, &basis);
        small.extend(&coefficients, rest.columns);
        eigen.decompose(&small.matrix, small.size);
        let left = gram(&rest.values, rest.columns, &rest.values, rest.columns);
        let found = wanted.wanted.min(small.size);
        let is_good = |rank: usize| {
            let tail = &eigen.vector(rank)[small.size - rest.columns..];
            let square: f64 = left.chunks_exact(rest.columns).zip(tail).map(|(row, a)| a * inner(row, tail)).sum();
            square.max(0.0).sqrt() <= wanted.tolerance * eigen.values()[rank].abs()
        };
        let enough = found == wanted.wanted && (0..found).all(is_good);
        let mut next = orthonormal(&rest);
        if next.columns > 0 {
            orthogonalize(&mut next, &basis);
            next = orthonormal(&next);
        }
        if enough || step >= wanted.steps || next.columns == 0 {
            let vectors = combine(&basis, &eigen, found, size);
            let values = eigen.values().iter().take(wanted.wanted + 1).copied().collect();
            return Ok(Ritz { values, vectors: vectors.values, columns: found, steps: step });
        }
        if small.size + next.columns > most {
            let kept = kept.min(small.size - 1);
            basis = vec![combine(&basis, &eigen, kept, size)];
            small = Small::diagonal(&eigen.values()[..kept]);
        }
        basis.push(next);
    }
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Q times the first `count` eigenvectors of T.
fn combine(basis: &[ColumnBlock], eigen: &SymmetricEigen, count: usize, size: usize) -> ColumnBlock {
    let mut combined = ColumnBlock { values: vec![0.0; size * count], columns: count };
    let mut start = 0;
    for block in basis {
        let by: Vec<f64> = (start..start + block.columns)
            .flat_map(|row| (0..count).map(move |column| (row, column)))
            .map(|(row, column)| eigen.vector(column)[row])
            .collect();
        add_product(&mut combined.values, count, &block.values, block.columns, &by);
        start += block.columns;
    }
    combined
}

/// The matrix T, grown by one panel at a time.
#[derive(Debug, Default)]
struct Small {
    matrix: Vec<f64>,
    size: usize,
}

impl Small {
    fn diagonal(values: &[f64]) -> Self {
        let size = values.len();
        let mut matrix = vec![0.0; size * size];
        values.iter().enumerate().for_each(|(at, value)| matrix[at * size + at] = *value);
        Self { matrix, size }
    }

    /// Adds the products of all panels with the image of the last one.
    fn extend(&mut self, coefficients: &[Vec<f64>], columns: usize) {
        let size = self.size + columns;
        let mut matrix = vec![0.0; size * size];
        for row in 0..self.size {
            matrix[row * size..][..self.size].copy_from_slice(&self.matrix[row * self.size..][..self.size]);
        }
        let rows = coefficients.iter().flat_map(|block| block.chunks_exact(columns));
        for (row, values) in rows.enumerate() {
            for (column, &value) in (self.size..).zip(values) {
                if row < self.size {
                    matrix[row * size + column] = value;
                    matrix[column * size + row] = value;
                } else {
                    // The last block is symmetric but for rounding.
                    matrix[row * size + column] += 0.5 * value;
                    matrix[column * size + row] += 0.5 * value;
                }
            }
        }
        *self = Self { matrix, size };
    }
}
