//! The machinery that embedders share.

mod block;
mod cholesky;
pub(crate) mod conjugate_gradient;
mod elimination;
mod laplacian;
mod memberships;
mod right_hand_side;
mod solver;
mod weights;

#[cfg(test)]
mod tests;

pub use solver::{LaplacianSolver, Solution, Strategy};
pub use weights::Weights;
