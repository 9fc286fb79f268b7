//! The orthonormal polar factor of a small matrix: A = U V' where Z = U L V', completed where Z has too low a rank.
//!
//! One-sided Jacobi rotations make the columns of Z orthogonal, Z V = U L, which finds small singular values to full
//! relative accuracy and never forms Z'Z. Directions that Z does not determine are filled from the coordinate axes in
//! a fixed order, so the same Z always gives the same A. Cost: O(r d^2) a sweep, a handful of sweeps.

use super::{add_scaled, dot, jacobi_angle, power_of_two_near, rotate, square, two_columns};

/// Work space and result of a polar decomposition of r x d matrices, all column by column.
#[derive(Debug, Default)]
pub(crate) struct Polar {
    left: Vec<f64>,
    right: Vec<f64>,
    factor: Vec<f64>,
    turned: Vec<f64>,
    rank: usize,
    trace: f64,
}

impl Polar {
    /// Decomposes the r x d matrix `z` (column by column), r < d: the factor has orthonormal rows.
    #[inline(always)]
    pub(crate) fn decompose_wide(&mut self, z: &[f64], rows: usize, columns: usize) {
        self.turned.clear();
        self.turned.extend((0..rows * columns).map(|at| z[at % columns * rows + at / columns]));
        let turned = std::mem::take(&mut self.turned);
        self.decompose(&turned, columns, rows);
        self.turned = turned;
        self.turned.copy_from_slice(&self.factor);
        for (at, value) in self.turned.iter().enumerate() {
            self.factor[at % columns * rows + at / columns] = *value;
        }
    }

    /// Decomposes the r x d matrix `z` (column by column), r >= d >= 1.
    #[inline(always)]
    pub(crate) fn decompose(&mut self, z: &[f64], rows: usize, columns: usize) {
        debug_assert!(rows >= columns && z.len() == rows * columns);
        // In units of the largest entry, so that no product leaves the range of numbers.
        let unit = power_of_two_near(z);
        self.left.clear();
        // The reciprocal of a power of two is exact.
        let inverse = 1.0 / unit;
        self.left.extend(z.iter().map(|value| value * inverse));
        self.right.clear();
        self.right.resize(columns * columns, 0.0);
        for column in 0..columns {
            self.right[column * columns + column] = 1.0;
        }
        self.orthogonalize(rows, columns);
        self.normalize(rows, columns);
        self.trace *= unit;
        self.factor.clear();
        self.factor.resize(rows * columns, 0.0);
        for column in 0..columns {
            let target = &mut self.factor[column * rows..(column + 1) * rows];
            for inner in 0..columns {
                add_scaled(target, self.right[inner * columns + column], &self.left[inner * rows..(inner + 1) * rows]);
            }
        }
    }

    /// The factor A, r x d with A'A = I or, for r < d, A A' = I, column by column.
    #[inline(always)]
    pub(crate) fn factor(&self) -> &[f64] {
        &self.factor
    }

    /// The number of directions that the matrix itself determined.
    #[inline(always)]
    pub(crate) fn rank(&self) -> usize {
        self.rank
    }

    /// The sum of the singular values, tr L.
    #[inline(always)]
    pub(crate) fn trace(&self) -> f64 {
        self.trace
    }

    #[inline(always)]
    fn orthogonalize(&mut self, rows: usize, columns: usize) {
        for _sweep in 0..60 {
            let mut turned = false;
            // Columns this short are rounding: they count as zero below, and rotating them would never converge.
            let longest = self.left.chunks_exact(rows).map(square).fold(0.0, f64::max);
            let nothing = longest * (f64::EPSILON * rows as f64).powi(2);
            for first in 0..columns {
                for second in first + 1..columns {
                    let (a, b) = two_columns(&mut self.left, rows, first, second);
                    let (p, q, r) = (square(a), square(b), dot(a, b));
                    if r.abs() <= f64::EPSILON * (p * q).sqrt() || p.min(q) <= nothing {
                        continue;
                    }
                    turned = true;
                    let (c, s) = jacobi_angle(p, q, r);
                    rotate(a, b, c, s);
                    let (a, b) = two_columns(&mut self.right, columns, first, second);
                    rotate(a, b, c, s);
                }
            }
            if !turned {
                return;
            }
        }
    }

    /// Divides the orthogonal columns by their lengths and replaces those of no length.
    #[inline(always)]
    fn normalize(&mut self, rows: usize, columns: usize) {
        let mut largest = 0.0_f64;
        self.trace = 0.0;
        for column in self.left.chunks_exact(rows) {
            let length = square(column).sqrt();
            largest = largest.max(length);
            self.trace += length;
        }
        let least = largest * f64::EPSILON * rows as f64;
        self.rank = 0;
        for column in self.left.chunks_exact_mut(rows) {
            let length = square(column).sqrt();
            if length > least {
                self.rank += 1;
                column.iter_mut().for_each(|value| *value /= length);
            } else {
                column.fill(0.0);
            }
        }
        if self.rank < columns {
            complete(&mut self.left, rows);
        }
    }
}

/// Fills the zero columns of an otherwise orthonormal matrix so that all of its columns are orthonormal.
///
/// Each takes the coordinate axis with the largest part outside the span of the other columns, the first among equals.
#[inline(never)]
pub(crate) fn complete(matrix: &mut [f64], rows: usize) {
    let columns = matrix.len() / rows;
    for missing in 0..columns {
        if matrix[missing * rows..(missing + 1) * rows].iter().any(|&value| value != 0.0) {
            continue;
        }
        // The squared length of axis e inside the span is the sum of the squares of row e.
        let inside = |axis: usize| -> f64 { (0..columns).map(|column| matrix[column * rows + axis].powi(2)).sum() };
        let axis = (0..rows).min_by(|&a, &b| inside(a).total_cmp(&inside(b))).unwrap_or(0);
        let mut fresh = vec![0.0; rows];
        fresh[axis] = 1.0;
        for _twice in 0..2 {
            for column in matrix.chunks_exact(rows) {
                let share = dot(&fresh, column);
                add_scaled(&mut fresh, -share, column);
            }
            let length = square(&fresh).sqrt();
            fresh.iter_mut().for_each(|value| *value /= length);
        }
        matrix[missing * rows..(missing + 1) * rows].copy_from_slice(&fresh);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gram_error(factor: &[f64], rows: usize, columns: usize) -> f64 {
        let mut worst = 0.0_f64;
        for a in 0..columns {
            for b in 0..columns {
                let product = dot(&factor[a * rows..(a + 1) * rows], &factor[b * rows..(b + 1) * rows]);
                worst = worst.max((product - f64::from(u8::from(a == b))).abs());
            }
        }
        worst
    }

    #[test]
    fn a_rotation_is_its_own_factor() {
        let mut polar = Polar::default();
        let rotation = [0.6, 0.8, -0.8, 0.6];
        polar.decompose(&rotation, 2, 2);
        for (a, b) in polar.factor().iter().zip(rotation) {
            assert!((a - b).abs() < 1e-15);
        }
        assert_eq!(polar.rank(), 2);
    }

    #[test]
    fn a_zero_matrix_gives_the_first_axes() {
        let mut polar = Polar::default();
        polar.decompose(&[0.0; 6], 3, 2);
        assert_eq!(polar.factor(), &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!((polar.rank(), polar.trace()), (0, 0.0));
    }

    #[test]
    fn a_wide_matrix_has_the_factor_of_its_transpose() {
        let (rows, columns) = (2, 5);
        let z: Vec<f64> = (0..10).map(|at| f64::from(at * at % 7) - 2.5).collect();
        let transposed: Vec<f64> = (0..10).map(|at| z[at % columns * rows + at / columns]).collect();
        let (mut wide, mut tall) = (Polar::default(), Polar::default());
        wide.decompose_wide(&z, rows, columns);
        tall.decompose(&transposed, columns, rows);
        for row in 0..rows {
            for column in 0..columns {
                assert_eq!(wide.factor()[column * rows + row], tall.factor()[row * columns + column]);
            }
        }
        assert_eq!(wide.trace(), tall.trace());
        assert!((dot(wide.factor(), &z) - wide.trace()).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn the_factor_is_orthonormal_and_no_other_aligns_better(
            (rows, columns, rank, values, rivals) in (1_usize..7, 1_usize..7, 0_usize..7).prop_flat_map(|(a, b, rank)| {
                let (rows, columns) = (a.max(b), a.min(b));
                let cell = -1.0..1.0_f64;
                (Just(rows), Just(columns), Just(rank.min(columns)),
                 prop::collection::vec(cell.clone(), rows * columns),
                 prop::collection::vec(cell, rows * columns))
            })
        ) {
            // Columns past `rank` repeat the first one, or vanish, so that every rank occurs.
            let mut z = values.clone();
            for column in rank..columns {
                for row in 0..rows {
                    z[column * rows + row] = if rank == 0 { 0.0 } else { 2.0 * values[row] };
                }
            }
            let mut polar = Polar::default();
            polar.decompose(&z, rows, columns);
            prop_assert!(polar.rank() <= rank);
            prop_assert!(gram_error(polar.factor(), rows, columns) < 1e-12);
            let aligned = dot(polar.factor(), &z);
            prop_assert!((aligned - polar.trace()).abs() < 1e-12);
            let mut rival = Polar::default();
            rival.decompose(&rivals, rows, columns);
            prop_assert!(dot(rival.factor(), &z) <= aligned + 1e-12);
        }
    }
}
