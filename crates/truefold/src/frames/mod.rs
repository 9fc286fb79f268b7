//! Frames: an orthonormal basis of the tangent at every point, transports between those of neighbors, and rotations
//! that make them agree.

mod align;
mod angles;
mod annealing;
mod carry;
mod coordinates;
mod landmarks;
mod objective;
mod sites;
mod synchronize;
mod tangents;
mod transports;
mod unrolling;

pub(crate) use align::Aligner;
pub use align::{Alignment, AnnealingStart};
pub(crate) use angles::{Angles, mend};
pub(crate) use annealing::{Annealing, anneal, random_rotations};
pub(crate) use coordinates::local_coordinates;
pub(crate) use landmarks::align_by_landmarks;
pub(crate) use objective::objective;
pub(crate) use sites::Sites;
pub(crate) use synchronize::{ByDegree, Synchronized, synchronize};
pub(crate) use tangents::Tangents;
pub(crate) use transports::{Transports, compose, identities};
pub(crate) use unrolling::Unrolling;
