//! The machinery that embedders and measures share.

mod block;
mod cholesky;
pub(crate) mod conjugate_gradient;
mod elimination;
pub(crate) mod isotonic;
mod laplacian;
mod memberships;
mod right_hand_side;
mod shortest_paths;
mod solver;
mod weights;

#[cfg(test)]
mod tests;

pub(crate) use shortest_paths::Graph;
pub use solver::{LaplacianSolver, Solution, Strategy};
pub use weights::Weights;
