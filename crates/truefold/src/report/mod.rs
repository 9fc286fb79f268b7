//! Reports: scatter plots and pages that open in any browser without a network.

mod color;
mod page;
mod scatter;

pub use page::{Page, Panel};
