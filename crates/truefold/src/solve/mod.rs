//! The machinery that embedders and measures share.

pub(crate) mod alignment;
mod ball_count;
mod block;
mod cholesky;
mod classical_scaling;
mod collapsed;
pub(crate) mod conjugate_gradient;
pub(crate) mod eigen;
mod elimination;
pub(crate) mod isotonic;
mod landmark_scaling;
mod landmarks;
mod laplacian;
mod links;
mod memberships;
mod memory;
mod right_hand_side;
pub(crate) mod semidefinite;
mod shortest_paths;
mod solver;
mod spatial_order;
mod symmetric_rows;
mod synchronize;
mod transports;
mod weights;

#[cfg(test)]
mod tests;

pub(crate) use ball_count::BallCount;
pub(crate) use classical_scaling::classical_scaling;
pub(crate) use collapsed::{LocalRadius, Radius, Walk};
pub(crate) use landmark_scaling::landmark_scaling;
pub(crate) use landmarks::spread_landmarks;
pub(crate) use links::Links;
pub(crate) use memory::Memory;
pub use semidefinite::Constraint;
pub(crate) use shortest_paths::{Graph, ShortestPaths};
pub use solver::{LaplacianSolver, Solution, Strategy};
pub(crate) use spatial_order::spatial_order;
pub(crate) use symmetric_rows::SymmetricRows;
pub(crate) use synchronize::{ByDegree, Synchronized, synchronize};
pub(crate) use transports::{Transports, compose, identities};
pub use weights::Weights;
