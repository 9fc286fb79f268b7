//! Roots of small symmetric matrices.

/// Directions that hold less than this share of M do not count: what belongs to them is not known.
const FLAT: f64 = 1e-9;

/// tr M^(1/2) and M^(-1/2), the latter without directions in which M is flat.
#[inline(always)]
pub(super) fn roots<const D: usize>(mut matrix: [[f64; D]; D]) -> (f64, [[f64; D]; D]) {
    let mut vectors = [[0.0; D]; D];
    (0..D).for_each(|axis| vectors[axis][axis] = 1.0);
    // Jacobi's rotations: one is exact in the plane, and a few rounds are in space.
    for _ in 0..if D > 2 { 6 } else { 1 } {
        for one in 0..D {
            for other in one + 1..D {
                rotate(&mut matrix, &mut vectors, one, other);
            }
        }
    }
    let values: [f64; D] = std::array::from_fn(|axis| matrix[axis][axis].max(0.0));
    let floor = FLAT * values.iter().sum::<f64>();
    let mut inverse = [[0.0; D]; D];
    for (value, vector) in values.iter().zip(&vectors).filter(|(value, _)| **value > floor) {
        for (row, a) in inverse.iter_mut().zip(vector) {
            row.iter_mut().zip(vector).for_each(|(cell, b)| *cell += a * b / value.sqrt());
        }
    }
    (values.iter().map(|value| value.sqrt()).sum(), inverse)
}

/// Turns two axes so that the matrix has no entry between them; `vectors` holds the axes, one a row.
#[inline(always)]
fn rotate<const D: usize>(matrix: &mut [[f64; D]; D], vectors: &mut [[f64; D]; D], one: usize, other: usize) {
    let between = matrix[one][other];
    if between == 0.0 {
        return;
    }
    let half = (matrix[other][other] - matrix[one][one]) / (2.0 * between);
    let tangent = half.signum() / (half.abs() + (1.0 + half * half).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    for row in &mut *matrix {
        (row[one], row[other]) = (cosine * row[one] - sine * row[other], sine * row[one] + cosine * row[other]);
    }
    for at in 0..D {
        let (a, b) = (matrix[one][at], matrix[other][at]);
        (matrix[one][at], matrix[other][at]) = (cosine * a - sine * b, sine * a + cosine * b);
        let (a, b) = (vectors[one][at], vectors[other][at]);
        (vectors[one][at], vectors[other][at]) = (cosine * a - sine * b, sine * a + cosine * b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_root_undoes_the_matrix_and_leaves_out_what_is_flat() {
        let check = |matrix: [[f64; 3]; 3], rank: f64| {
            let (trace, inverse) = roots(matrix);
            // R M R is the identity where M is not flat, so that its trace is the rank; and tr R M = tr M^(1/2).
            let times = |a: [[f64; 3]; 3], b: [[f64; 3]; 3]| -> [[f64; 3]; 3] {
                std::array::from_fn(|row| {
                    std::array::from_fn(|column| (0..3).map(|at| a[row][at] * b[at][column]).sum())
                })
            };
            let sum = |matrix: [[f64; 3]; 3]| (0..3).map(|at| matrix[at][at]).sum::<f64>();
            assert!((sum(times(times(inverse, matrix), inverse)) - rank).abs() < 1e-9);
            assert!((sum(times(inverse, matrix)) - trace).abs() < 1e-9);
        };
        check([[4.0, 1.0, 0.5], [1.0, 3.0, -0.7], [0.5, -0.7, 2.0]], 3.0);
        check([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 9.0]], 2.0);
        check([[0.0; 3]; 3], 0.0);
    }
}
