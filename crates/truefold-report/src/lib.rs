//! Reports of truefold: one page that opens in any browser without a network.
//!
//! [`Report`] holds what is to be shown; [`Report::write`] makes the page. It is a crate of its own so that the library
//! stays free of what only pictures need.

mod chart;
mod check;
mod color;
mod html;
mod images;
mod report;
mod table;
mod tables;
mod write;

pub use chart::{Axis, Chart, Series};
pub use images::Images;
pub use report::{Coloring, Panel, Report, Written};
pub use table::{Cell, Table};
pub use tables::{comparison, sweep};
