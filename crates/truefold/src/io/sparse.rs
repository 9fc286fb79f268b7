//! Sparse matrices of distances: scipy's `.npz` and triplets as text.
//!
//! scipy's `save_npz` writes the arrays `format`, `shape` and `data`, with `indices` and `indptr` for csr and csc or
//! `row` and `col` for coo. Triplets are rows of text `row, column, distance`, counted from 0; the matrix they make is
//! square, and its side is one more than the largest number in them.

#[cfg(feature = "npz")]
use super::npz::ArrayArchive;
use super::{Format, ReadOptions, npy};
use crate::error::{Advice, Place};
use crate::{Error, Points, Result};
use std::path::Path;

/// A matrix in compressed rows: the entries of row `i` are at `offsets[i]..offsets[i + 1]`, their columns rising.
///
/// A stored entry counts even if its value is zero.
///
/// ```
/// use truefold::io::{ReadOptions, sparse};
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("distances.csv");
/// std::fs::write(&path, "row,column,distance\n1,0,0.5\n0,1,0.5\n1,2,2\n").unwrap();
/// let matrix = sparse::read(&path, &ReadOptions::default())?;
/// assert_eq!((matrix.rows, matrix.columns), (3, 3));
/// assert_eq!(matrix.row(1).collect::<Vec<_>>(), [(0, 0.5), (2, 2.0)]);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// Where each row begins, and where the last one ends.
    pub offsets: Vec<usize>,
    /// The column of each entry.
    pub indices: Vec<u32>,
    /// The value of each entry, finite.
    pub values: Vec<f64>,
}

impl SparseMatrix {
    /// The entries of a row: column and value.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.offsets[row]..self.offsets[row + 1];
        self.indices[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    fn from_entries(path: &Path, rows: usize, columns: usize, mut entries: Vec<(u32, u32, f64)>) -> Result<Self> {
        entries.sort_unstable_by_key(|&(row, column, _)| (row, column));
        let twice = entries.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
        if let Some(&[(row, column, _), _]) = twice {
            let advice = Advice::mend_file("keep one of the two entries; in scipy, call sum_duplicates()");
            let error = Error::file(path, "of the matrix is given twice", advice);
            return Err(error.at(Place::cell(row as usize, column as usize)));
        }
        if let Some((row, column, value)) = entries.iter().find(|entry| !entry.2.is_finite()) {
            let advice = Advice::mend_file("leave out entries that are not finite");
            let error = Error::file(path, format!("of the matrix holds {value}"), advice);
            return Err(error.at(Place::cell(*row as usize, *column as usize)));
        }
        let mut offsets = vec![0; rows + 1];
        for &(row, _, _) in &entries {
            offsets[row as usize + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let indices = entries.iter().map(|entry| entry.1).collect();
        let values = entries.into_iter().map(|entry| entry.2).collect();
        Ok(Self { rows, columns, offsets, indices, values })
    }
}

/// Whether `path` is a `.npz` file that scipy wrote as a sparse matrix.
pub fn is_sparse(path: impl AsRef<Path>) -> bool {
    is_archive(path.as_ref())
}

#[cfg(feature = "npz")]
fn is_archive(path: &Path) -> bool {
    ArrayArchive::open(path).is_ok_and(|archive| is_layout(&archive))
}

#[cfg(not(feature = "npz"))]
fn is_archive(_path: &Path) -> bool {
    false
}

/// Whether an archive has the arrays of a sparse matrix.
#[cfg(feature = "npz")]
pub(super) fn is_layout(archive: &ArrayArchive) -> bool {
    let text = archive.header("format").is_some_and(|header| header.kind.is_text() && header.shape.is_empty());
    text && archive.header("shape").is_some()
}

/// Reads a sparse matrix from scipy's `.npz`, or from triplets in `.csv` or `.tsv`.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<SparseMatrix> {
    let path = path.as_ref();
    match super::format_of(path, options)? {
        #[cfg(feature = "npz")]
        Format::Npz => read_scipy(path),
        Format::Csv | Format::Tsv => read_triplets(path, options),
        other => Err(Error::file(
            path,
            format!("a sparse matrix is not read from .{other}"),
            Advice::mend_file("use scipy.sparse.save_npz, or rows of row, column, distance in .csv"),
        )),
    }
}

fn read_triplets(path: &Path, options: &ReadOptions) -> Result<SparseMatrix> {
    let table = super::read(path, options)?;
    if table.dim() != 3 {
        return Err(Error::file(
            path,
            format!("has {} columns of numbers, but triplets have 3: row, column, distance", table.dim()),
            Advice::leave_out("drop_columns", "leave other columns out with {drop_columns}"),
        ));
    }
    let mut entries = Vec::with_capacity(table.len());
    let mut size = 0;
    for (number, cells) in table.rows().enumerate() {
        for (at, &value) in cells[..2].iter().enumerate() {
            if value.fract() != 0.0 || value < 0.0 || value >= Points::MOST as f64 {
                let advice = Advice::mend_file("count rows and columns from 0");
                let error = Error::file(path, format!("holds {value}, which is no row number"), advice);
                return Err(error.at(Place::cell(number, at)));
            }
        }
        let (row, column) = (cells[0] as u32, cells[1] as u32);
        size = size.max(row.max(column) as usize + 1);
        entries.push((row, column, cells[2]));
    }
    // A single very large number must not make a matrix of billions of rows.
    if size > 1 << 20 && size / 64 > entries.len() {
        let problem =
            format!("has {} entries, but one is at row or column {}, counted from 0", entries.len(), size - 1);
        return Err(Error::file(path, problem, Advice::mend_file("number the points from 0 without large gaps")));
    }
    SparseMatrix::from_entries(path, size, size, entries)
}

#[cfg(feature = "npz")]
fn read_scipy(path: &Path) -> Result<SparseMatrix> {
    let mut archive = ArrayArchive::open(path)?;
    if !is_layout(&archive) {
        return Err(Error::file(
            path,
            "is not a sparse matrix of scipy",
            Advice::mend_file("save it with scipy.sparse.save_npz, or give it where points are asked for"),
        ));
    }
    let (rows, columns) = scipy_shape(path, &integers(&mut archive, "shape")?)?;
    let format = archive.array("format", |p, n, h, mut r| npy::strings(p, n, h, &mut r))?.concat();
    let values = archive.array("data", |p, n, h, mut r| npy::numbers(p, Some(n), h, &mut r))?;
    let (row, column) = match format.as_str() {
        "csr" | "csc" => {
            let (along, across) = if format == "csr" { (rows, columns) } else { (columns, rows) };
            let inner = indices(path, &mut archive, "indices", across)?;
            let outer = expand(&integers(&mut archive, "indptr")?, along, inner.len())
                .ok_or_else(|| broken(path, "its 'indptr' does not rise from 0 to the number of entries".into()))?;
            if format == "csr" { (outer, inner) } else { (inner, outer) }
        }
        "coo" => (indices(path, &mut archive, "row", rows)?, indices(path, &mut archive, "col", columns)?),
        other => {
            let problem = format!("is a sparse matrix in the format '{}'", super::select::shorten(other));
            return Err(Error::file(path, problem, Advice::mend_file("convert it with .tocsr() before saving")));
        }
    };
    if row.len() != values.len() || column.len() != values.len() {
        let problem = format!("it has {} values for {} places", values.len(), row.len().max(column.len()));
        return Err(broken(path, problem));
    }
    // Offsets take eight bytes a row, so the file cannot have that many rows if it is far smaller.
    if rows > 1 << 24 && rows / 64 > values.len() && format != "csr" {
        return Err(broken(path, format!("it has {rows} rows and only {} entries", values.len())));
    }
    let entries = row.into_iter().zip(column).zip(values).map(|((row, column), value)| (row, column, value)).collect();
    SparseMatrix::from_entries(path, rows, columns, entries)
}

#[cfg(feature = "npz")]
fn broken(path: &Path, problem: String) -> Error {
    Error::file(path, problem, Advice::mend_file("save it again with scipy.sparse.save_npz"))
}

#[cfg(feature = "npz")]
fn integers(archive: &mut ArrayArchive, name: &str) -> Result<Vec<i64>> {
    archive.array(name, |p, n, h, mut r| npy::integers(p, n, h, &mut r))
}

/// The array of this name as row or column numbers below `limit`.
#[cfg(feature = "npz")]
fn indices(path: &Path, archive: &mut ArrayArchive, name: &str, limit: usize) -> Result<Vec<u32>> {
    let index = |value: i64| {
        let fits = u32::try_from(value).ok().filter(|&index| (index as usize) < limit);
        fits.ok_or_else(|| broken(path, format!("its '{name}' holds {value}, outside 0 to {}", limit - 1)))
    };
    integers(archive, name)?.into_iter().map(index).collect()
}

/// The rows and columns of a matrix of scipy.
#[cfg(feature = "npz")]
fn scipy_shape(path: &Path, shape: &[i64]) -> Result<(usize, usize)> {
    let &[rows, columns] = shape else {
        return Err(broken(path, format!("its shape has {} dimensions, but a matrix has two", shape.len())));
    };
    match (u32::try_from(rows), u32::try_from(columns)) {
        (Ok(rows @ 1..), Ok(columns @ 1..)) => Ok((rows as usize, columns as usize)),
        _ => Err(broken(path, format!("its shape is {rows} x {columns}, but each side must be from 1 to 2^32 - 1"))),
    }
}

/// The row (or column) of each entry, from the offsets where the rows (or columns) begin.
fn expand(offsets: &[i64], lines: usize, entries: usize) -> Option<Vec<u32>> {
    let rising = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    if offsets.len() != lines + 1 || offsets[0] != 0 || offsets[lines] != entries as i64 || !rising {
        return None;
    }
    let mut expanded = Vec::with_capacity(entries);
    for (line, pair) in offsets.windows(2).enumerate() {
        expanded.extend(std::iter::repeat_n(line as u32, (pair[1] - pair[0]) as usize));
    }
    Some(expanded)
}

#[cfg(all(test, feature = "npz"))]
mod tests {
    use super::super::sheet::Numbers;
    use super::*;
    use crate::points::Table;
    use std::io::Write;

    /// Writes what `save_npz` writes and reads it back.
    fn scipy(format: &str, arrays: &[(&str, &[i64])], data: &[f64]) -> Result<SparseMatrix> {
        let file = tempfile::Builder::new().suffix(".npz").tempfile().unwrap();
        let mut zip = zip::ZipWriter::new(file.as_file());
        let options = zip::write::SimpleFileOptions::DEFAULT;
        let mut add = |name: &str, write: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = Vec::new();
            write(&mut bytes);
            // The tests' arrays are tables of one row; scipy's have one dimension, and the text none.
            let text = String::from_utf8_lossy(&bytes[10..128]).replace("(1, ", "(").replace("(1,)", "()  ");
            bytes.splice(10..128, format!("{text:<118}").into_bytes());
            zip.start_file(format!("{name}.npy"), options).unwrap();
            zip.write_all(&bytes).unwrap();
        };
        add("format", &|out| npy::write_strings(out, &[format.to_owned()]).unwrap());
        add("data", &|out| {
            npy::write_numbers(out, 1, data.len(), Numbers::Real(Table::of_doubles(data, data.len()))).unwrap()
        });
        for (name, values) in arrays {
            add(name, &|out| npy::write_numbers(out, 1, values.len(), Numbers::Whole(values)).unwrap());
        }
        zip.finish().unwrap();
        assert!(is_sparse(file.path()));
        read(file.path(), &ReadOptions::default())
    }

    #[test]
    fn the_three_layouts_agree() {
        let shape: (&str, &[i64]) = ("shape", &[2, 3]);
        let row = scipy("csr", &[shape, ("indptr", &[0, 2, 3]), ("indices", &[2, 0, 1])], &[5.0, 4.0, 6.0]).unwrap();
        let column =
            scipy("csc", &[shape, ("indptr", &[0, 1, 2, 3]), ("indices", &[0, 1, 0])], &[4.0, 6.0, 5.0]).unwrap();
        let pairs = scipy("coo", &[shape, ("row", &[1, 0, 0]), ("col", &[1, 2, 0])], &[6.0, 5.0, 4.0]).unwrap();
        assert_eq!((row.offsets.as_slice(), row.indices.as_slice()), (&[0, 2, 3][..], &[0, 2, 1][..]));
        assert_eq!(row.values, [4.0, 5.0, 6.0]);
        assert_eq!((&row, &row), (&column, &pairs));
    }

    #[test]
    fn claims_that_do_not_hold_are_refused() {
        let message = |format: &str, arrays: &[(&str, &[i64])]| scipy(format, arrays, &[1.0]).unwrap_err().to_string();
        let shape: (&str, &[i64]) = ("shape", &[2, 2]);
        assert!(message("csr", &[shape, ("indptr", &[0, 2, 1]), ("indices", &[0])]).contains("'indptr' does not rise"));
        assert!(
            message("csr", &[shape, ("indptr", &[0, 1, 1]), ("indices", &[2])]).contains("holds 2, outside 0 to 1")
        );
        assert!(message("coo", &[shape, ("row", &[-1]), ("col", &[0])]).contains("'row' holds -1"));
        assert!(message("dia", &[shape]).contains("format 'dia'; convert it with .tocsr()"));
        assert!(
            message("coo", &[("shape", &[4_000_000_000, 2]), ("row", &[0]), ("col", &[0])]).contains("only 1 entries")
        );
    }
}
