//! Positions from aligned frames: what goes into (sum_i H_i) Y = sum_i H_i X A_i, and how Y is set upright.
//!
//! X are the points, A_i the q x d frames, H_i the centering matrix of neighborhood i; Y is the least of R(X, Y | A_1,
//! ..., A_n) = (1/n) sum_i |H_i (X - Y A_i')|^2. Goldberg and Ritov, section 4.2, eq. 7. sum_i H_i is a graph
//! Laplacian, so [`LaplacianSolver`](crate::solve::LaplacianSolver) does the rest; no inverse is formed. Cost: O(m q d)
//! a neighborhood of m members.

use crate::Points;
use crate::linalg::{dot, principal_coordinates};
use crate::local::Tangents;

/// The coordinates of the members of a neighborhood in its frame, A_i'(x_j - x_i), a row each; the solver centers them.
pub(super) fn local_coordinates(points: &Points, members: &[u32], tangents: &Tangents, index: usize, rows: &mut [f64]) {
    let mut frame = vec![0.0; tangents.cells()];
    tangents.copy(index, &mut frame);
    let center = points.row(index);
    let mut offset = vec![0.0; points.dim()];
    for (&member, row) in members.iter().zip(rows.chunks_exact_mut(tangents.dim())) {
        for ((offset, value), origin) in offset.iter_mut().zip(points.row(member as usize)).zip(center) {
            *offset = value - origin;
        }
        for (axis, value) in frame.chunks_exact(points.dim()).zip(row) {
            *value = dot(axis, &offset);
        }
    }
}

/// Turns the rows of `values` about their mean onto their principal axes, the longest first: a rigid motion.
pub(in crate::embed) fn set_upright(values: &mut [f64], dim: usize) {
    let (turned, _) = principal_coordinates(values, dim, dim);
    values.copy_from_slice(&turned);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_is_a_rigid_motion_onto_the_principal_axes() {
        let mut values: Vec<f64> = (0..20).flat_map(|at| [f64::from(at), f64::from(at) + f64::from(at % 3)]).collect();
        let before = values.clone();
        set_upright(&mut values, 2);
        let distance = |values: &[f64], a: usize, b: usize| {
            (values[2 * a] - values[2 * b]).hypot(values[2 * a + 1] - values[2 * b + 1])
        };
        for a in 0..20 {
            assert!((distance(&before, a, 0) - distance(&values, a, 0)).abs() < 1e-12);
        }
        let product: f64 = values.chunks_exact(2).map(|row| row[0] * row[1]).sum();
        assert!(product.abs() < 1e-9);
    }
}
