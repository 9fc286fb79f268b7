//! Bases of tangents, linear in the features of a place: H(x) = sum over features of f(x) Theta.

use crate::linalg::add_scaled;

/// Theta: for each feature a basis, column by column.
#[derive(Debug, Clone)]
pub(super) struct Bases {
    pub(super) dim: usize,
    /// q d.
    pub(super) cells: usize,
    pub(super) theta: Vec<f64>,
}

impl Bases {
    /// The basis at a place with these features.
    pub(super) fn at(&self, features: &[(u32, f64)], basis: &mut [f64]) {
        basis.fill(0.0);
        for &(center, weight) in features {
            add_scaled(basis, weight, &self.theta[center as usize * self.cells..][..self.cells]);
        }
    }
}
