//! The weights by which its neighbors reconstruct a point.
//!
//! w minimizes |x - sum_j w_j x_j|^2 + reg tr(C) |w|^2 with sum_j w_j = 1, so (C + reg tr(C) I) w ~ 1 with C the Gram
//! matrix of the neighbors about x. Roweis and Saul (2000). Cost: O(k^3). When it fails: with reg too small for the
//! precision of the numbers, which is an error.

use crate::linalg::solve_definite;
use crate::{Error, Result};

/// The weights of one neighborhood from the Gram matrix about its center, which is overwritten.
pub(crate) fn reconstruction_weights(gram: &mut [f64], reg: f64, weights: &mut [f64]) -> Result<()> {
    let count = weights.len();
    let trace: f64 = (0..count).map(|at| gram[at * count + at]).sum();
    // Where all neighbors equal the point, any weights are right; these are then equal.
    let ridge = if trace > 0.0 { reg * trace } else { reg };
    (0..count).for_each(|at| gram[at * count + at] += ridge);
    weights.fill(1.0);
    let solved = solve_definite(gram, weights);
    let sum: f64 = weights.iter().sum();
    if !(solved && sum.is_finite() && sum > 0.0) {
        return Err(Error::data(
            "the weights of a neighborhood have no solution in double precision",
            "choose a larger {set reg}, or rescale the data",
        ));
    }
    weights.iter_mut().for_each(|weight| *weight /= sum);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_make_a_point_from_its_neighbors() {
        // The point 0 between -1 and 3 on a line: three quarters and one quarter as the regularization goes to zero.
        let mut found = [0.0; 2];
        reconstruction_weights(&mut [1.0, -3.0, -3.0, 9.0], 1e-12, &mut found).unwrap();
        assert!((found[0] - 0.75).abs() < 1e-9 && (found[1] - 0.25).abs() < 1e-9, "{found:?}");
        reconstruction_weights(&mut [0.0; 9], 1e-3, &mut [0.0; 3]).unwrap();
    }

    #[test]
    fn the_regularized_weights_are_those_of_the_formula() {
        // C = diag(1, 2), reg 0.1: (C + 0.3 I) w ~ 1.
        let mut found = [0.0; 2];
        reconstruction_weights(&mut [1.0, 0.0, 0.0, 2.0], 0.1, &mut found).unwrap();
        let exact = (1.0 / 1.3) / (1.0 / 1.3 + 1.0 / 2.3);
        assert!((found[0] - exact).abs() < 1e-14);
    }
}
