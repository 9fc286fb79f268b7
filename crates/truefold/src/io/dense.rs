//! A table of numbers as array formats hold it, before it becomes points.

use super::ReadOptions;
use super::array::Array;
use super::number::shortest;
use super::select::{Role, Selection, in_file};
use crate::{Points, Result};
use std::path::Path;

/// An array of numbers, row by row, with the texts beside it in the file.
#[derive(Default)]
pub(super) struct Dense {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) values: Array,
    pub(super) ids: Option<Vec<String>>,
    pub(super) labels: Option<Vec<String>>,
    pub(super) names: Option<Vec<String>>,
}

impl Dense {
    /// From numbers column by column, as Fortran and MATLAB store them.
    pub(super) fn from_columns(rows: usize, columns: usize, values: &Array) -> Self {
        Self { rows, columns, values: values.turned(rows, columns), ..Self::default() }
    }

    /// Attaches texts of the file by the name under which they are written, if their number fits.
    pub(super) fn attach(&mut self, name: &str, texts: Vec<String>) {
        match name {
            "ids" if texts.len() == self.rows => self.ids = Some(texts),
            "labels" if texts.len() == self.rows => self.labels = Some(texts),
            "columns" if texts.len() == self.columns => self.names = Some(texts),
            _ => {}
        }
    }

    /// Picks the coordinates.
    pub(super) fn points(self, path: &Path, options: &ReadOptions) -> Result<Points> {
        let Self { rows, columns, values, mut ids, mut labels, names } = self;
        if rows == 0 || columns == 0 {
            return values.points(rows, columns).map_err(|error| in_file(path, error));
        }
        let selection = Selection::new(path, names, columns, options)?;
        if selection.dim() == columns {
            return selection.points(values.points(rows, columns), ids, labels);
        }
        let column_of = |wanted: Role| selection.roles().iter().position(|&role| role == wanted);
        let texts = |column: usize| (0..rows).map(|row| shortest(values.wide(row * columns + column))).collect();
        if let Some(column) = column_of(Role::Id) {
            ids = Some(texts(column));
        }
        if let Some(column) = column_of(Role::Label) {
            labels = Some(texts(column));
        }
        let kept: Vec<usize> = (0..columns).filter(|&column| selection.roles()[column] == Role::Coordinate).collect();
        let points = values.picked(columns, &kept).points(rows, kept.len());
        selection.points(points, ids, labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_turned_into_rows_and_picked_by_number() {
        let dense = Dense::from_columns(2, 3, &Array::Double(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        assert_eq!(dense.values, Array::Double(vec![1.0, 3.0, 5.0, 2.0, 4.0, 6.0]));
        let options = ReadOptions { id_column: Some("2".into()), ..ReadOptions::default() };
        let points = dense.points(Path::new("a.npy"), &options).unwrap();
        assert_eq!(points.values(), [1.0, 5.0, 2.0, 6.0]);
        assert_eq!(points.ids().unwrap(), ["3", "4"]);
    }
}
