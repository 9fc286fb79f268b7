//! Forces between the points of a map: linked points attract each other, all points repel each other.
//!
//! Weights of the links, the sum of attractions, the pull of neighborhoods towards their shape in the data, the sum of repulsions by a grid (line and plane) or a tree (space), and
//! the descent along their difference. All give the same bits on any number of threads.

mod affinities;
mod attraction;
mod descent;
mod field;
mod fourier;
mod fuzzy;
mod octree;
mod plane;
mod power;
mod roots;
mod shape;

pub(crate) use affinities::Affinities;
pub(crate) use attraction::{attraction, tension};
pub(crate) use descent::{Descent, Pace};
pub(crate) use field::Field;
pub(crate) use octree::Octree;
pub(crate) use power::power;
pub(crate) use shape::{Pulls, Shapes};
