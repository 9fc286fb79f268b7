//! Second moments of a table of lists b_1, ..., b_c, each of m numbers: all b_i'b_j, or the sum of all b_i b_i'.
//!
//! Lists are either the coordinates of some points, each for all points, or the points, each with all coordinates; the
//! two products are then the scatter matrix and the Gram matrix, or the other way round. They have the same eigenvalues
//! but for zeros. Both add in a fixed order. Cost: O(c^2 m) and O(c m^2).

use super::{add_scaled, dot};

/// The c x c matrix of the products b_i'b_j of lists that begin every `stride` numbers.
///
/// The products run over the whole stride: what is past the numbers of a list must be zero.
#[inline(always)]
pub(crate) fn products_between(matrix: &mut Vec<f64>, lists: &[f64], stride: usize) {
    let count = lists.len() / stride;
    matrix.clear();
    matrix.resize(count * count, 0.0);
    for a in 0..count {
        for b in 0..=a {
            let product = dot(&lists[a * stride..(a + 1) * stride], &lists[b * stride..(b + 1) * stride]);
            matrix[a * count + b] = product;
            matrix[b * count + a] = product;
        }
    }
}

/// The m x m matrix sum_i b_i b_i' of the first `length` = m numbers of lists that begin every `stride` numbers.
#[inline(always)]
pub(crate) fn sum_of_products(matrix: &mut Vec<f64>, lists: &[f64], stride: usize, length: usize) {
    matrix.clear();
    matrix.resize(length * length, 0.0);
    for list in lists.chunks_exact(stride) {
        for a in 0..length {
            add_scaled(&mut matrix[a * length..a * length + a + 1], list[a], &list[..=a]);
        }
    }
    for a in 0..length {
        for b in 0..a {
            matrix[b * length + a] = matrix[a * length + b];
        }
    }
}

/// Replaces a symmetric matrix of squared distances by the Gram matrix it stands for, -H D H / 2; returns its row means.
pub(crate) fn gram_of_squares(matrix: &mut [f64], size: usize) -> Vec<f64> {
    let means: Vec<f64> = matrix.chunks_exact(size).map(|row| row.iter().sum::<f64>() / size as f64).collect();
    let mean = means.iter().sum::<f64>() / size as f64;
    for (row, values) in matrix.chunks_exact_mut(size).enumerate() {
        for (column, value) in values.iter_mut().enumerate() {
            *value = -0.5 * (*value - means[row] - means[column] + mean);
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_and_its_transpose_exchange_the_two_matrices() {
        let (count, length, stride) = (3, 5, 8);
        let value = |list: usize, at: usize| ((list * 7 + at * 3) % 11) as f64 - 4.0;
        let mut lists = vec![0.0; count * stride];
        let mut turned = vec![0.0; length * count];
        for list in 0..count {
            for at in 0..length {
                lists[list * stride + at] = value(list, at);
                turned[at * count + list] = value(list, at);
            }
        }
        let (mut one, mut other) = (Vec::new(), Vec::new());
        products_between(&mut one, &lists, stride);
        sum_of_products(&mut other, &turned, count, count);
        assert_eq!(one, other);
        sum_of_products(&mut one, &lists, stride, length);
        products_between(&mut other, &turned, count);
        assert_eq!(one, other);
        assert_eq!(one[1], (0..count).map(|list| value(list, 0) * value(list, 1)).sum::<f64>());
    }
}
