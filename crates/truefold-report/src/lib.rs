//! Reports and figures of truefold: pages that open in any browser without a network, SVG and PNG without a browser.
//!
//! It is a crate of its own so that the library stays free of what only pictures need.

mod color;
pub mod figure;
mod page;
mod scatter;

pub use figure::Figure;
pub use page::{Page, Panel};
