//! Points turned about their mean onto their principal axes: Y - 1 m' times the eigenvectors of their scatter matrix.
//!
//! A rigid motion where all axes are kept, the best projection where only the first are. Cost: O(n r^2 + r^3).

use super::{SymmetricEigen, add_scaled, dot, sum_of_products};

/// The first `kept` principal coordinates of rows of `width` numbers, and the variance along every axis, largest first.
pub(crate) fn principal_coordinates(values: &[f64], width: usize, kept: usize) -> (Vec<f64>, Vec<f64>) {
    let count = (values.len() / width) as f64;
    let mut means = vec![0.0; width];
    for row in values.chunks_exact(width) {
        add_scaled(&mut means, 1.0 / count, row);
    }
    let mut centered = values.to_vec();
    centered.chunks_exact_mut(width).for_each(|row| add_scaled(row, -1.0, &means));
    let mut scatter = Vec::new();
    sum_of_products(&mut scatter, &centered, width, width);
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&scatter, width);
    let turned = centered
        .chunks_exact(width)
        .flat_map(|row| (0..kept).map(|axis| dot(eigen.vector(axis), row)).collect::<Vec<_>>())
        .collect();
    (turned, eigen.values().iter().map(|value| value.max(0.0) / count).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_axes_are_a_rigid_motion_and_the_first_one_the_longest() {
        let values: Vec<f64> = (0..20).flat_map(|at| [f64::from(at), f64::from(at) + f64::from(at % 3)]).collect();
        let (turned, variances) = principal_coordinates(&values, 2, 2);
        let distance = |values: &[f64], a: usize, b: usize| {
            (values[2 * a] - values[2 * b]).hypot(values[2 * a + 1] - values[2 * b + 1])
        };
        for a in 0..20 {
            assert!((distance(&values, a, 0) - distance(&turned, a, 0)).abs() < 1e-12);
        }
        let product: f64 = turned.chunks_exact(2).map(|row| row[0] * row[1]).sum();
        assert!(product.abs() < 1e-9);
        let (first, _) = principal_coordinates(&values, 2, 1);
        assert!(first.iter().zip(turned.chunks_exact(2)).all(|(first, row)| *first == row[0]));
        let variance = first.iter().map(|value| value * value).sum::<f64>() / 20.0;
        assert!((variance - variances[0]).abs() < 1e-12 * variance && variances[0] > variances[1]);
    }
}
