//! Eigenvalues and eigenvectors of small symmetric matrices, largest first.
//!
//! Cyclic Jacobi up to 8 x 8, where it is exact to the last digits and has no set-up; a tridiagonal method of few
//! instructions up to 32 x 32; beyond that the matrix crate's. Cost: O(m^3).

use super::tridiagonal::Tridiagonal;
use super::{jacobi_angle, power_of_two_near, rotate, two_columns};
use faer::{MatRef, Side};

const JACOBI_UP_TO: usize = 8;
const SMALL_UP_TO: usize = 32;
/// More than Jacobi's method ever needs; it converges quadratically.
const SWEEPS: usize = 60;

/// Work space and result of a symmetric eigendecomposition.
#[derive(Debug, Default)]
pub(crate) struct SymmetricEigen {
    scaled: Vec<f64>,
    matrix: Vec<f64>,
    vectors: Vec<f64>,
    unsorted: Vec<f64>,
    order: Vec<usize>,
    values: Vec<f64>,
    small: Tridiagonal,
}

impl SymmetricEigen {
    /// Decomposes the symmetric m x m `matrix`; only finite entries are allowed.
    #[inline(always)]
    pub(crate) fn decompose(&mut self, matrix: &[f64], size: usize) {
        debug_assert_eq!(matrix.len(), size * size);
        // In units of the largest entry, so that no product leaves the range of numbers.
        let unit = power_of_two_near(matrix);
        self.scaled.clear();
        // The reciprocal of a power of two is exact.
        let inverse = 1.0 / unit;
        self.scaled.extend(matrix.iter().map(|value| value * inverse));
        let scaled = std::mem::take(&mut self.scaled);
        let matrix = scaled.as_slice();
        match size {
            2 => self.fixed::<2>(matrix),
            3 => self.fixed::<3>(matrix),
            4..=JACOBI_UP_TO | 0 | 1 => self.jacobi(matrix, size),
            ..=SMALL_UP_TO => {
                // Jacobi always converges on finite matrices, only slower.
                if !self.small.decompose(matrix, &mut self.unsorted, &mut self.vectors) {
                    self.jacobi(matrix, size);
                }
            }
            _ => self.large(matrix, size),
        }
        self.order.clear();
        self.order.extend(0..size);
        let unsorted = &self.unsorted;
        self.order.sort_by(|&a, &b| unsorted[b].total_cmp(&unsorted[a]));
        self.values.clear();
        self.values.extend(self.order.iter().map(|&at| unsorted[at] * unit));
        self.scaled = scaled;
    }

    /// The eigenvalues, largest first.
    #[inline(always)]
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The unit eigenvector of the eigenvalue at `rank`.
    #[inline(always)]
    pub(crate) fn vector(&self, rank: usize) -> &[f64] {
        let size = self.values.len();
        let at = self.order[rank];
        &self.vectors[at * size..(at + 1) * size]
    }

    /// The same rotations in the same order as [`jacobi`](Self::jacobi), for a size that the compiler knows.
    #[inline(always)]
    fn fixed<const N: usize>(&mut self, matrix: &[f64]) {
        let mut a = [[0.0; N]; N];
        let mut vectors = [[0.0; N]; N];
        for row in 0..N {
            a[row].copy_from_slice(&matrix[row * N..(row + 1) * N]);
            vectors[row][row] = 1.0;
        }
        for _sweep in 0..SWEEPS {
            let mut turned = false;
            for p in 0..N {
                for q in p + 1..N {
                    if negligible(a[p][p], a[q][q], a[p][q]) {
                        continue;
                    }
                    turned = true;
                    let (c, s) = jacobi_angle(a[p][p], a[q][q], a[p][q]);
                    turn(&mut a, p, q, c, s);
                    for row in &mut a {
                        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                    }
                    (a[p][q], a[q][p]) = (0.0, 0.0);
                    turn(&mut vectors, p, q, c, s);
                }
            }
            if !turned {
                break;
            }
        }
        self.unsorted.clear();
        self.unsorted.extend((0..N).map(|at| a[at][at]));
        self.vectors.clear();
        self.vectors.extend_from_slice(vectors.as_flattened());
    }

    #[inline(always)]
    fn jacobi(&mut self, matrix: &[f64], size: usize) {
        self.matrix.clear();
        self.matrix.extend_from_slice(matrix);
        self.vectors.clear();
        self.vectors.resize(size * size, 0.0);
        for at in 0..size {
            self.vectors[at * size + at] = 1.0;
        }
        let a = &mut self.matrix;
        for _sweep in 0..SWEEPS {
            let mut turned = false;
            for p in 0..size {
                for q in p + 1..size {
                    let r = a[q * size + p];
                    if negligible(a[p * size + p], a[q * size + q], r) {
                        continue;
                    }
                    turned = true;
                    let (c, s) = jacobi_angle(a[p * size + p], a[q * size + q], r);
                    let (column_p, column_q) = two_columns(a, size, p, q);
                    rotate(column_p, column_q, c, s);
                    for row in 0..size {
                        let (x, y) = (a[row * size + p], a[row * size + q]);
                        a[row * size + p] = c * x - s * y;
                        a[row * size + q] = s * x + c * y;
                    }
                    a[q * size + p] = 0.0;
                    a[p * size + q] = 0.0;
                    let (vector_p, vector_q) = two_columns(&mut self.vectors, size, p, q);
                    rotate(vector_p, vector_q, c, s);
                }
            }
            if !turned {
                break;
            }
        }
        self.unsorted.clear();
        self.unsorted.extend((0..size).map(|at| a[at * size + at]));
    }

    #[inline(never)]
    fn large(&mut self, matrix: &[f64], size: usize) {
        let view = MatRef::from_column_major_slice(matrix, size, size);
        match view.self_adjoint_eigen(Side::Lower) {
            Ok(eigen) => {
                self.unsorted.clear();
                self.unsorted.extend(eigen.S().column_vector().iter().copied());
                self.vectors.clear();
                for column in eigen.U().col_iter() {
                    self.vectors.extend(column.iter().copied());
                }
            }
            Err(_) => self.jacobi(matrix, size),
        }
    }
}

/// Turns rows p and q by the rotation with cosine `c` and sine `s`.
#[inline(always)]
fn turn<const N: usize>(rows: &mut [[f64; N]; N], p: usize, q: usize, c: f64, s: f64) {
    let (x, y) = (rows[p], rows[q]);
    rows[p] = std::array::from_fn(|at| c * x[at] - s * y[at]);
    rows[q] = std::array::from_fn(|at| s * x[at] + c * y[at]);
}

/// Whether an entry is small against its own diagonal, or lost in the rounding of the larger part of it.
#[inline(always)]
fn negligible(p: f64, q: f64, r: f64) -> bool {
    let (p, q, r) = (p.abs(), q.abs(), r.abs());
    r * r <= f64::EPSILON * f64::EPSILON * (p * q) || r <= f64::EPSILON * 1e-4 * p.max(q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::dot;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn vectors_are_orthonormal_and_rebuild_the_matrix(
            (size, values) in (1_usize..40).prop_flat_map(|size| {
                (Just(size), prop::collection::vec(-1.0..1.0_f64, size * size))
            })
        ) {
            let matrix: Vec<f64> = (0..size * size)
                .map(|at| values[at] + values[(at % size) * size + at / size])
                .collect();
            let mut eigen = SymmetricEigen::default();
            eigen.decompose(&matrix, size);
            prop_assert!(eigen.values().windows(2).all(|pair| pair[0] >= pair[1]));
            for a in 0..size {
                for b in 0..size {
                    let rebuilt: f64 =
                        (0..size).map(|at| eigen.values()[at] * eigen.vector(at)[a] * eigen.vector(at)[b]).sum();
                    prop_assert!((rebuilt - matrix[a * size + b]).abs() < 1e-12 * size as f64);
                    let product = dot(eigen.vector(a), eigen.vector(b));
                    prop_assert!((product - f64::from(u8::from(a == b))).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn blocks_copies_and_zeros_have_orthonormal_vectors() {
        for size in [9, 13, 20] {
            let identity = |a: usize, b: usize| f64::from(u8::from(a == b));
            let ones = |_: usize, _: usize| 1.0;
            let blocks = |a: usize, b: usize| if a / 3 == b / 3 { 1.0 + identity(a, b) } else { 0.0 };
            let steep = |a: usize, b: usize| 10_f64.powi(-(2 * (a + b) as i32)) + identity(a, b) * 1e-9;
            let zero = |_: usize, _: usize| 0.0;
            for entry in [&identity as &dyn Fn(usize, usize) -> f64, &ones, &blocks, &steep, &zero] {
                let matrix: Vec<f64> = (0..size * size).map(|at| entry(at / size, at % size)).collect();
                let mut eigen = SymmetricEigen::default();
                eigen.decompose(&matrix, size);
                for a in 0..size {
                    for b in 0..size {
                        let part = |at: usize| eigen.values()[at] * eigen.vector(at)[a] * eigen.vector(at)[b];
                        assert!(((0..size).map(part).sum::<f64>() - matrix[a * size + b]).abs() < 1e-12 * size as f64);
                        assert!((dot(eigen.vector(a), eigen.vector(b)) - identity(a, b)).abs() < 1e-13);
                    }
                }
            }
        }
    }
}
