//! Small symmetric positive definite systems by Cholesky's method, A = L L'.

use super::dot;

/// Solves A x = b in place of `rhs`; A is overwritten by its factor. False if a pivot is not positive.
pub(crate) fn solve_definite(matrix: &mut [f64], rhs: &mut [f64]) -> bool {
    let size = rhs.len();
    for row in 0..size {
        for column in 0..row {
            let (above, current) = matrix.split_at_mut(row * size);
            let known = dot(&above[column * size..][..column], &current[..column]);
            current[column] = (current[column] - known) / above[column * size + column];
        }
        let current = &mut matrix[row * size..][..size];
        let pivot = current[row] - dot(&current[..row], &current[..row]);
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        current[row] = pivot.sqrt();
        rhs[row] = (rhs[row] - dot(&current[..row], &rhs[..row])) / current[row];
    }
    for row in (0..size).rev() {
        rhs[row] /= matrix[row * size + row];
        let value = rhs[row];
        for (column, rhs) in rhs[..row].iter_mut().enumerate() {
            *rhs -= value * matrix[row * size + column];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves_and_indefinite_matrices_are_refused() {
        let matrix = [4.0, 1.0, -1.0, 1.0, 3.0, 0.5, -1.0, 0.5, 2.0];
        let mut rhs = [1.0, 2.0, 3.0];
        assert!(solve_definite(&mut matrix.clone(), &mut rhs));
        for (row, wanted) in matrix.chunks_exact(3).zip([1.0, 2.0, 3.0]) {
            assert!((dot(row, &rhs) - wanted).abs() < 1e-14);
        }
        assert!(!solve_definite(&mut [1.0, 2.0, 2.0, 1.0], &mut [1.0, 1.0]));
    }
}
