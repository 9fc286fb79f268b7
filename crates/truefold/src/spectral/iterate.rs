//! The smallest eigenpairs of a semidefinite matrix by preconditioned block iteration, where no factor fits.
//!
//! X holds the vectors, R = M X - X L what they leave, W = T R with a preconditioner T ~ M^+, and P the last step; the
//! next X are the smallest Ritz vectors of the span of [X, W, P], whose bases are orthonormalized in every step.
//! Knyazev, "Toward the optimal preconditioned eigensolver" (LOBPCG, 2001). Cost: two M and one T a step; steps grow
//! with the root of the condition of T M. When it fails: matrices with far smaller eigenvalues than those of T^+, such
//! as LTSA's on a large surface; the residual reached is reported.

use super::column_block::{ColumnBlock, add_product, center, deflate, gram, orthogonalize, orthonormal};
use super::smallest::Found;
use crate::laplacian::conjugate_gradient::{Operator, Preconditioner};
use crate::linalg::SymmetricEigen;
use crate::{Neighborhoods, Result, Run};
use rand::{RngExt, SeedableRng};

/// The residual wanted, relative to the eigenvalue that comes next.
const TOLERANCE: f64 = 1e-7;
/// The most steps.
const STEPS: usize = 500;
/// Vectors beyond those wanted; they speed up the convergence of the others.
const GUARD: usize = 2;

/// A preconditioner L^+ of a Laplacian as one of a matrix with the null vector u: U L^+ U, or U L^+ D^2 L^+ U where
/// the matrix is near L D^-2 L, with U = sqrt(n) diag(u) and D the neighborhoods that hold each point.
pub(super) struct Scaled<'a, T> {
    laplacian: &'a T,
    scale: Vec<f64>,
    /// D^2, where L^+ is applied twice.
    middle: Option<Vec<f64>>,
}

impl<'a, T> Scaled<'a, T> {
    pub(super) fn new(laplacian: &'a T, null: &[f64], twice: bool, neighborhoods: &Neighborhoods) -> Self {
        let length = (null.len() as f64).sqrt();
        let middle = twice.then(|| {
            let mut holders = vec![0.0; null.len()];
            for index in 0..neighborhoods.len() {
                neighborhoods.members(index).iter().for_each(|&member| holders[member as usize] += 1.0);
            }
            holders.iter().map(|count| count * count).collect()
        });
        Self { laplacian, scale: null.iter().map(|value| length * value).collect(), middle }
    }
}

fn scale_rows(block: &mut [f64], columns: usize, scale: &[f64]) {
    for (row, scale) in block.chunks_exact_mut(columns).zip(scale) {
        row.iter_mut().for_each(|value| *value *= scale);
    }
}

impl<T: Preconditioner> Preconditioner for Scaled<'_, T> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        let mut scaled = input.to_vec();
        scale_rows(&mut scaled, columns, &self.scale);
        self.laplacian.apply(&scaled, output, columns, scratch);
        if let Some(middle) = &self.middle {
            // Input and output are centered, so that the product is symmetric on centered vectors.
            scaled.copy_from_slice(output);
            center(&mut scaled, columns);
            scale_rows(&mut scaled, columns, middle);
            center(&mut scaled, columns);
            self.laplacian.apply(&scaled, output, columns, scratch);
        }
        scale_rows(output, columns, &self.scale);
    }
}

/// The `wanted` smallest eigenpairs of `matrix` but for the unit null vector `null`.
pub(super) fn iterate(
    matrix: &impl Operator,
    preconditioner: &impl Preconditioner,
    null: &[f64],
    wanted: usize,
    run: &Run,
) -> Result<Found> {
    let (size, block) = (null.len(), wanted + GUARD);
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(run.seed());
    let start: Vec<f64> = (0..size * block).map(|_| random.random_range(-1.0..1.0)).collect();
    let mut scratch = Vec::new();
    let mut smooth = vec![0.0; start.len()];
    preconditioner.apply(&start, &mut smooth, block, &mut scratch);
    deflate(&mut smooth, block, null);
    let mut basis = vec![orthonormal(&ColumnBlock { values: smooth, columns: block })];
    let mut step = 0;
    loop {
        run.check()?;
        step += 1;
        let (x, p, values) = ritz(matrix, &basis, block, &mut scratch);
        let mut rest = ColumnBlock { values: vec![0.0; x.values.len()], columns: x.columns };
        matrix.apply(&x.values, &mut rest.values, x.columns, &mut scratch);
        for (rest, x) in rest.values.chunks_exact_mut(x.columns).zip(x.values.chunks_exact(x.columns)) {
            rest.iter_mut().zip(x).zip(&values).for_each(|((rest, x), value)| *rest -= value * x);
        }
        let squares = gram(&rest.values, rest.columns, &rest.values, rest.columns);
        let next = values[wanted.min(values.len() - 1)];
        let is_good = |at: usize| squares[at * rest.columns + at].sqrt() <= TOLERANCE * next.max(f64::MIN_POSITIVE);
        if (0..wanted).all(is_good) || step >= STEPS {
            let vectors = x.values.chunks_exact(x.columns).flat_map(|row| &row[..wanted]).copied().collect();
            let (next, way) = (Some(next), "block iteration");
            return Ok(Found { vectors, next, steps: step, factor_entries: None, way });
        }
        let mut better = ColumnBlock { values: vec![0.0; rest.values.len()], columns: rest.columns };
        preconditioner.apply(&rest.values, &mut better.values, rest.columns, &mut scratch);
        deflate(&mut better.values, better.columns, null);
        basis = vec![x];
        for more in std::iter::once(better).chain(p) {
            let mut more = orthonormal(&more);
            if more.columns > 0 {
                orthogonalize(&mut more, &basis);
                more = orthonormal(&more);
            }
            if more.columns > 0 {
                orthogonalize(&mut more, &basis);
                basis.push(more);
            }
        }
    }
}

/// The smallest Ritz vectors of an orthonormal basis, their part off its first panel, and their values.
fn ritz(
    matrix: &impl Operator,
    basis: &[ColumnBlock],
    block: usize,
    scratch: &mut Vec<f64>,
) -> (ColumnBlock, Option<ColumnBlock>, Vec<f64>) {
    let size: usize = basis.iter().map(|panel| panel.columns).sum();
    let mut small = vec![0.0; size * size];
    let mut column_start = 0;
    for panel in basis {
        let mut image = vec![0.0; panel.values.len()];
        matrix.apply(&panel.values, &mut image, panel.columns, scratch);
        let mut row_start = 0;
        for other in basis {
            let products = gram(&other.values, other.columns, &image, panel.columns);
            for (row, products) in products.chunks_exact(panel.columns).enumerate() {
                for (column, product) in products.iter().enumerate() {
                    // Both halves of the symmetric matrix are computed and averaged.
                    small[(row_start + row) * size + column_start + column] += 0.5 * product;
                    small[(column_start + column) * size + row_start + row] += 0.5 * product;
                }
            }
            row_start += other.columns;
        }
        column_start += panel.columns;
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&small, size);
    let kept = block.min(size);
    let rows = basis[0].values.len() / basis[0].columns;
    let mut x = ColumnBlock { values: vec![0.0; rows * kept], columns: kept };
    let mut p = ColumnBlock { values: vec![0.0; rows * kept], columns: kept };
    let mut start = 0;
    for (number, panel) in basis.iter().enumerate() {
        let by: Vec<f64> = (start..start + panel.columns)
            .flat_map(|row| (0..kept).map(move |rank| (row, rank)))
            .map(|(row, rank)| eigen.vector(size - 1 - rank)[row])
            .collect();
        add_product(&mut x.values, kept, &panel.values, panel.columns, &by);
        if number > 0 {
            add_product(&mut p.values, kept, &panel.values, panel.columns, &by);
        }
        start += panel.columns;
    }
    let values = (0..kept).map(|rank| eigen.values()[size - 1 - rank].max(0.0)).collect();
    (x, (basis.len() > 1).then_some(p), values)
}
