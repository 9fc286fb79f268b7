//! The smallest nontrivial eigenpairs of a sparse symmetric positive semidefinite matrix M with a known null vector.
//!
//! Up to [`DENSE_UP_TO`] points the dense matrix is decomposed. Beyond, block Lanczos finds the largest eigenpairs of
//! P (M + s I)^-1 P: P = I - u u' removes the known null vector u before and after every solve, and the shift s, at
//! first 1e-13 of the largest diagonal entry, lets the factor exist where M has more null vectors than u (a flat
//! surface has d more). The shift changes no eigenvector. Ericsson and Ruhe (1980). Eigenvalues are Rayleigh quotients
//! of M itself, and the residual |M v - l v| is computed from M, relative to its largest diagonal entry. Where the
//! factor would be too large, as for data of many intrinsic dimensions, block iteration with the Laplacian of the
//! neighborhoods as preconditioner is used (`iterate.rs`). Cost: a sparse factor (see `linalg/sparse.rs`) and about ten solves with it, or some
//! hundred steps.

use super::column_block::{deflate, gram};
use super::iterate::{Scaled, iterate};
use super::{Largest, Residual, Spectrum, largest};
use crate::error::Advice;
use crate::laplacian::conjugate_gradient::Operator;
use crate::laplacian::{LaplacianSolver, Strategy, Weights};
use crate::linalg::{FactorLimits, NoFactor, SparseCholesky, SymmetricEigen, Triangle};
use crate::{Error, Neighborhoods, Result, Run};

/// Points up to which the dense matrix is decomposed.
const DENSE_UP_TO: usize = 256;
/// The first shift, relative to the largest diagonal entry, and those tried where the factor then does not exist.
const SHIFTS: [f64; 4] = [1e-13, 1e-11, 1e-9, 1e-7];
/// The most entries of a factor: six gigabytes.
const ENTRIES: f64 = 6.0 * (1 << 27) as f64;
/// The most multiplications of a factor, per point; a surface of a million points takes about 3e5.
const OPERATIONS_PER_POINT: f64 = 2e6;
/// The number of multiplications that is never too many.
const OPERATIONS: f64 = 1e11;

/// A sparse symmetric positive semidefinite matrix that can be applied and written down.
pub(crate) trait Sparse: Operator {
    /// The entries of the lower triangle; every diagonal entry is present.
    fn triangle(&self, run: &Run) -> Result<Triangle>;
    /// Whether the matrix is closer to the square of a Laplacian than to a Laplacian.
    fn is_squared(&self) -> bool {
        false
    }
}

/// A number of entries, if 32 bits hold it.
pub(crate) fn counted(entries: usize) -> Result<u32> {
    u32::try_from(entries).map_err(|_| {
        let advice = Advice::change("k", "choose a smaller {k}, or take a sample");
        Error::data(format!("a sparse matrix of {entries} entries is too large"), advice)
    })
}

/// The `wanted` smallest eigenpairs of `matrix` but for the unit null vector `null`, smallest first.
///
/// `neighborhoods` are those the matrix was made from: where its factor would be too large, that of their Laplacian is
/// the preconditioner.
pub(crate) fn smallest(
    matrix: &impl Sparse,
    null: &[f64],
    wanted: usize,
    neighborhoods: &Neighborhoods,
    run: &Run,
) -> Result<Spectrum> {
    let size = null.len();
    if wanted >= size {
        return Err(Error::TooFewPoints {
            task: format!("finding {wanted} coordinates").into(),
            needed: wanted + 1,
            given: size,
            advice: Box::new(Advice::change("dim", "choose a smaller {dim}, or give more points")),
        });
    }
    let _stage = run.stage("eigenvectors", 1);
    run.install(|| {
        let scale = matrix.diagonal().iter().copied().fold(0.0, f64::max);
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(Error::data(
                "the neighborhoods do not constrain the coordinates",
                Advice::mend_data("give more points that differ"),
            ));
        }
        if size <= DENSE_UP_TO {
            return Ok(judged(matrix, dense(matrix, null, wanted, scale), wanted, scale));
        }
        let limits = FactorLimits { entries: ENTRIES, operations: OPERATIONS.max(OPERATIONS_PER_POINT * size as f64) };
        let found = match shift_invert(matrix, null, wanted, scale, limits, run)? {
            Some(found) => found,
            None => {
                let (uniform, quiet) = (Weights::Uniform, run.quiet());
                let solver = LaplacianSolver::new(neighborhoods, uniform, Strategy::Iterative, run.seed(), &quiet)?;
                let laplacian = Scaled::new(&solver, null, matrix.is_squared(), neighborhoods);
                iterate(matrix, &laplacian, null, wanted, run)?
            }
        };
        Ok(judged(matrix, found, wanted, scale))
    })
}

/// Vectors before their accuracy is known.
pub(super) struct Found {
    /// The vectors wanted, n rows.
    pub(super) vectors: Vec<f64>,
    /// The eigenvalue after them.
    pub(super) next: Option<f64>,
    pub(super) steps: usize,
    pub(super) factor_entries: Option<usize>,
    pub(super) way: &'static str,
}

/// All eigenvectors of the dense matrix, with the eigenvalue of the null vector lifted above all others.
fn dense(matrix: &impl Operator, null: &[f64], wanted: usize, scale: f64) -> Found {
    let size = null.len();
    let mut identity = vec![0.0; size * size];
    (0..size).for_each(|at| identity[at * size + at] = 1.0);
    let mut full = vec![0.0; size * size];
    matrix.apply(&identity, &mut full, size, &mut Vec::new());
    // No eigenvalue of a semidefinite matrix exceeds its trace.
    let lift = 2.0 * scale * size as f64;
    for row in 0..size {
        for column in 0..=row {
            let value = 0.5 * (full[row * size + column] + full[column * size + row]) + lift * null[row] * null[column];
            (full[row * size + column], full[column * size + row]) = (value, value);
        }
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&full, size);
    let mut vectors = vec![0.0; size * wanted];
    for at in 0..wanted {
        for (row, &value) in eigen.vector(size - 1 - at).iter().enumerate() {
            vectors[row * wanted + at] = value;
        }
    }
    deflate(&mut vectors, wanted, null);
    let next = (wanted + 1 < size).then(|| eigen.values()[size - 1 - wanted]);
    Found { vectors, next, steps: 1, factor_entries: None, way: "dense" }
}

/// Block Lanczos on the inverse; none if the factor would be too large.
fn shift_invert(
    matrix: &impl Sparse,
    null: &[f64],
    wanted: usize,
    scale: f64,
    limits: FactorLimits,
    run: &Run,
) -> Result<Option<Found>> {
    let mut triangle = matrix.triangle(run)?;
    let mut shift = 0.0;
    for share in SHIFTS {
        run.check()?;
        // The diagonal is the first entry of each column.
        let more = share * scale - shift;
        triangle.offsets[..null.len()].iter().for_each(|&diagonal| triangle.values[diagonal as usize] += more);
        shift = share * scale;
        let factor = match SparseCholesky::new(&triangle, limits) {
            Ok(factor) => factor,
            Err(NoFactor::Indefinite) => continue,
            Err(NoFactor::TooLarge) => return Ok(None),
        };
        drop(triangle);
        let found = largest(
            Largest::of(null.len(), wanted),
            run.seed(),
            &|panel, columns| deflate(panel, columns, null),
            &|input, output, columns| {
                output.copy_from_slice(input);
                deflate(output, columns, null);
                factor.solve(output, columns);
                deflate(output, columns, null);
                Ok(())
            },
            run,
        )?;
        let next = found.values.get(wanted).map(|inverse| (1.0 / inverse - shift).max(0.0));
        let (vectors, steps) = (found.vectors, found.steps);
        return Ok(Some(Found { vectors, next, steps, factor_entries: Some(factor.entries()), way: "shift-invert" }));
    }
    Err(Error::data(
        "the alignment matrix has no Cholesky factor in double precision",
        Advice::mend_data("rescale the data, drop points that are far from all others, or choose another {k}"),
    ))
}

/// Rayleigh quotients and residuals of vectors that are orthogonal but for rounding, smallest first.
fn judged(matrix: &impl Operator, found: Found, wanted: usize, scale: f64) -> Spectrum {
    let Found { vectors, next, steps, factor_entries, way } = found;
    let mut images = vec![0.0; vectors.len()];
    matrix.apply(&vectors, &mut images, wanted, &mut Vec::new());
    let (squares, products) = (gram(&vectors, wanted, &vectors, wanted), gram(&vectors, wanted, &images, wanted));
    let quotients: Vec<f64> =
        (0..wanted).map(|at| (products[at * wanted + at] / squares[at * wanted + at]).max(0.0)).collect();
    let mut order: Vec<usize> = (0..wanted).collect();
    order.sort_by(|&a, &b| quotients[a].total_cmp(&quotients[b]).then(a.cmp(&b)));
    let lengths: Vec<f64> = (0..wanted).map(|at| squares[at * wanted + at].sqrt()).collect();
    let ordered = |panel: &[f64]| -> Vec<f64> {
        panel.chunks_exact(wanted).flat_map(|row| order.iter().map(|&at| row[at] / lengths[at])).collect()
    };
    let (vectors, images) = (ordered(&vectors), ordered(&images));
    let values: Vec<f64> = order.iter().map(|&at| quotients[at]).collect();
    let residual = Residual { vectors: &vectors, images: &images, values: &values }.largest(scale);
    Spectrum { values, next, vectors, residual, scale, steps, factor_entries, way }
}
