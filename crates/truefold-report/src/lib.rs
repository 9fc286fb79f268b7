//! Reports of truefold: scatter plots and pages that open in any browser without a network.
//!
//! It is a crate of its own so that the library stays free of what only pictures need.

mod color;
mod page;
mod scatter;

pub use page::{Page, Panel};
