//! Numbers, counts and tables in the words that the tool uses.

use pyo3::prelude::*;
use serde_json::{Value, json};
use truefold_report::{Table, words};

/// Four significant digits.
#[pyfunction]
pub fn number(value: f64) -> String {
    words::number(value)
}

/// A number of points.
#[pyfunction]
pub fn points_in_words(count: usize) -> String {
    words::points(count)
}

/// A number of dimensions.
#[pyfunction]
pub fn dimensions_in_words(count: usize) -> String {
    words::dimensions(count)
}

/// The header and the rows of a table, and which columns hold text.
pub fn cells(table: &Table) -> Value {
    let rows: Vec<Vec<&str>> =
        table.rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect();
    let text: Vec<usize> = std::iter::once(0).chain(table.left.iter().copied()).collect();
    json!({"header": table.header, "rows": rows, "text_columns": text})
}
