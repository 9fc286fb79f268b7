//! The coordinates of neighborhoods in their frames: what goes into (sum_i H_i) Y = sum_i H_i X A_i.
//!
//! X are the points, A_i the q x d frames, H_i the centering matrix of neighborhood i; Y is the least of R(X, Y | A_1,
//! ..., A_n) = (1/n) sum_i |H_i (X - Y A_i')|^2. Goldberg and Ritov, section 4.2, eq. 7. sum_i H_i is a graph
//! Laplacian, so [`LaplacianSolver`](crate::laplacian::LaplacianSolver) does the rest; no inverse is formed. Cost: O(m q d)
//! a neighborhood of m members.

use super::Tangents;
use crate::Points;
use crate::linalg::dot;

/// The coordinates of the members of a neighborhood in its frame, A_i'(x_j - x_i), a row each; the solver centers them.
pub(crate) fn local_coordinates(points: &Points, members: &[u32], tangents: &Tangents, index: usize, rows: &mut [f64]) {
    let mut frame = vec![0.0; tangents.cells()];
    tangents.copy(index, &mut frame);
    let mut offset = vec![0.0; points.dim()];
    for (&member, row) in members.iter().zip(rows.chunks_exact_mut(tangents.dim())) {
        points.difference(member as usize, index, &mut offset);
        for (axis, value) in frame.chunks_exact(points.dim()).zip(row) {
            *value = dot(axis, &offset);
        }
    }
}
