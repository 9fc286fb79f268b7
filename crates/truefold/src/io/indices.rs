//! Tables of integers, such as neighbor lists.

use super::sheet::Sheet;
use super::{ReadOptions, read, write_sheet};
use crate::error::{Advice, Place};
use crate::{Error, Result};
use std::path::Path;

/// Up to here every integer is exactly one 64-bit float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a table of integers from any format: the rows, the columns, and the cells row by row.
///
/// A cell that is not an integer is an error with its row and column.
///
/// ```
/// use truefold::io::{ReadOptions, read_indices, write_indices};
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("neighbors.npy");
/// write_indices(&path, 2, 3, &[0, 1, -1, 1, 0, -1])?;
/// assert_eq!(read_indices(&path, &ReadOptions::default())?, (2, 3, vec![0, 1, -1, 1, 0, -1]));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn read_indices(path: impl AsRef<Path>, options: &ReadOptions) -> Result<(usize, usize, Vec<i64>)> {
    let path = path.as_ref();
    let points = read(path, options)?;
    let mut indices = Vec::with_capacity(points.values().len());
    for (at, &value) in points.values().iter().enumerate() {
        if value.fract() != 0.0 || value.abs() > EXACT {
            let problem = format!("holds {value}, but an index must be a whole number");
            let advice = Advice::mend_file("give a table of row numbers, counted from 0");
            return Err(Error::file(path, problem, advice).at(Place::cell(at / points.dim(), at % points.dim())));
        }
        indices.push(value as i64);
    }
    Ok((points.len(), points.dim(), indices))
}

/// Writes a table of integers in the format that the ending of `path` names, whole or not at all.
pub fn write_indices(path: impl AsRef<Path>, rows: usize, columns: usize, indices: &[i64]) -> Result<()> {
    let path = path.as_ref();
    if rows == 0 || columns == 0 || rows.checked_mul(columns) != Some(indices.len()) {
        return Err(Error::file(
            path,
            format!("{} indices do not make {rows} rows of {columns}", indices.len()),
            Advice::mend_data("give every row the same number of them, and at least one"),
        ));
    }
    write_sheet(path, &Sheet::of_indices(rows, columns, indices))
}

#[cfg(all(test, feature = "formats"))]
mod tests {
    use super::super::Format;
    use super::*;

    #[test]
    fn every_format_keeps_integers() {
        let directory = tempfile::tempdir().unwrap();
        for format in Format::WRITTEN {
            let path = directory.path().join(format!("i.{format}"));
            let indices = vec![0, -1, 4_294_967_296, 3, 9_007_199_254_740_991, 5];
            write_indices(&path, 3, 2, &indices).unwrap();
            assert_eq!(read_indices(&path, &ReadOptions::default()).unwrap(), (3, 2, indices), "{format}");
        }
    }

    #[test]
    fn fractions_are_refused_by_place() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("i.csv");
        std::fs::write(&path, "0,1\n1,0.5\n").unwrap();
        let error = read_indices(&path, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.place(), Some(&Place::cell(1, 1)));
        assert!(
            error.to_string().contains("row 2, column 2 holds 0.5, but an index must be a whole number"),
            "{error}"
        );
        assert!(write_indices(&path, 2, 2, &[1]).is_err());
    }
}
