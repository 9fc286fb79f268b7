//! Forces between the points of a map: linked points attract each other, all points repel each other.
//!
//! Weights of the links, the sum of attractions, the sum of repulsions by a grid (line and plane) or a tree (space), the pull of
//! neighborhoods towards their shape in the data, and the descent along all of them. All give the same bits on any number of threads.

mod affinities;
mod attraction;
mod descent;
mod field;
mod fourier;
mod fuzzy;
#[cfg(test)]
mod gradient_tests;
pub(crate) mod links;
mod octree;
mod optimize;
mod order;
mod plane;
mod power;
mod roots;
mod shape;
#[cfg(test)]
mod shape_tests;
mod shaping;
mod units;

/// How many neighbors effectively count, unless asked otherwise.
pub(crate) const PERPLEXITY: f64 = 30.0;
/// How much shapes count beside neighbors, unless asked otherwise: from here on R_C falls only at a cost.
pub(crate) const SHAPE: f64 = 0.4;

pub(crate) use affinities::Affinities;
pub(crate) use optimize::{Limits, Phase, Plan};
pub(crate) use power::power;
pub(crate) use shape::mean_r_c;
pub(crate) use units::Units;
