//! The machinery that embedders share.

mod block;
mod cholesky;
pub(crate) mod conjugate_gradient;
mod elimination;
mod laplacian;
mod links;
mod memberships;
mod right_hand_side;
mod solver;
mod spatial_order;
mod synchronize;
mod transports;
mod weights;

#[cfg(test)]
mod tests;

pub(crate) use links::Links;
pub use solver::{LaplacianSolver, Solution, Strategy};
pub(crate) use spatial_order::spatial_order;
pub(crate) use synchronize::{ByDegree, Synchronized, synchronize};
pub(crate) use transports::{Transports, compose, identities};
pub use weights::Weights;
