//! Comparisons and sweeps as tables, in text, Markdown, CSV and JSON, and on a page.

pub mod comparison;
mod comparison_page;
mod comparison_table;
pub mod sweep;
mod sweep_page;

use crate::words::short;
use truefold::measure::Score;

/// The paper's form of a cell, R_N [R_C].
fn pair(r_n: &Score, r_c: &Score) -> String {
    format!("{} [{}]", short(r_n.value), short(r_c.value))
}
