//! Reports and figures of truefold: a page that opens in any browser without a network, SVG and PNG without a browser.
//!
//! [`Report`] holds what is to be shown; [`Report::write`] makes the page. A [`Figure`] is a single picture; [`words`] puts facts into
//! sentences and tables. It is a
//! crate of its own so that the library stays free of what only pictures need.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod chart;
mod check;
mod color;
mod contents;
mod ellipses;
pub mod facts;
pub mod figure;
mod gallery;
mod grid;
mod html;
mod images;
mod judged;
mod labels;
mod pack;
mod panel;
mod report;
mod sample;
mod scale;
mod sha256;
mod tables;
mod values;
mod view;
pub mod words;
mod write;

pub use chart::{Axis, Chart, Series};
pub use color::VERDICTS as VERDICT_COLORS;
pub use figure::Figure;
pub use gallery::Gallery;
pub use images::Images;
pub use judged::{fill, judged};
pub use panel::{Channel, Panel, Verdicts};
pub use report::{Coloring, Drawn, Report, Written};
pub use scale::{scale_chart, scale_chart_of_facts};
pub use tables::{comparison, sweep};
pub use words::{Cell, Table};
