//! Tearing: which pairs of neighbors to cut so that a closed surface has a flat map, and which pairs are shortcuts that
//! noise made between sheets.
//!
//! A surface that closes on itself, such as a cylinder or a sphere, has no flat map; once it is cut open, it has one.

mod folds;
mod mismatch;
mod rounds;
mod sample;
mod seams;
pub(crate) mod shortcuts;
mod straighten;
mod surface;
mod tearing;
mod units;

pub(crate) use surface::radii;
pub use tearing::Tearing;
pub(crate) use tearing::{Layout, WRINKLED, may_be_torn, may_have_folds, torn_apart, torn_at_sight};
pub(crate) use units::OwnUnits;
