//! The table that a writer is given: borrowed numbers with the names that go with them.

use super::select::{ID, LABEL};
use crate::Points;
use crate::points::Table;

/// The numbers of a table, row by row.
#[derive(Clone, Copy)]
pub(super) enum Numbers<'a> {
    Real(Table<'a>),
    Whole(&'a [i64]),
}

/// A table to be written.
pub(super) struct Sheet<'a> {
    /// The name of the table in formats that name their tables.
    pub(super) name: &'static str,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) numbers: Numbers<'a>,
    pub(super) ids: Option<&'a [String]>,
    pub(super) labels: Option<&'a [String]>,
    pub(super) names: Option<&'a [String]>,
}

impl<'a> Sheet<'a> {
    pub(super) fn of_points(points: &'a Points) -> Self {
        Self {
            name: "points",
            rows: points.len(),
            columns: points.dim(),
            numbers: Numbers::Real(points.table()),
            ids: points.ids(),
            labels: points.labels(),
            names: points.columns(),
        }
    }

    pub(super) fn of_indices(rows: usize, columns: usize, indices: &'a [i64]) -> Self {
        let numbers = Numbers::Whole(indices);
        Self { name: "indices", rows, columns, numbers, ids: None, labels: None, names: None }
    }

    /// The name of a column of numbers: its own, or `x1`, `x2`, and so on.
    pub(super) fn column_name(&self, column: usize) -> String {
        self.names.map_or_else(|| format!("x{}", column + 1), |names| names[column].clone())
    }

    /// The texts of the table with their names as separate arrays.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, &'a [String])> {
        [("ids", self.ids), ("labels", self.labels), ("columns", self.names)]
            .into_iter()
            .filter_map(|(name, texts)| Some((name, texts?)))
    }

    /// The texts of the rows with their names as columns: ids come first, labels last, numbers between.
    pub(super) fn text_columns(&self) -> [Option<(&'static str, &'a [String])>; 2] {
        [self.ids.map(|ids| (ID, ids)), self.labels.map(|labels| (LABEL, labels))]
    }
}
