//! The Laplacian of the neighborhoods, L = sum_i w_i H_i, and the solver of L Y = B that alignment, refinement and
//! synchronization share.

mod aggregation;
mod cholesky;
pub(crate) mod conjugate_gradient;
mod elimination;
mod factor;
mod held;
mod matrix;
mod memberships;
mod right_hand_side;
mod solver;
mod weights;

#[cfg(test)]
mod tests;

pub(crate) use conjugate_gradient::Limits;
pub(crate) use held::HeldLaplacian;
pub(crate) use solver::Effort;
pub use solver::{LaplacianSolver, Solution, Strategy};
pub use weights::Weights;
