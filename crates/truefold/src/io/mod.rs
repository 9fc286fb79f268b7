//! Reading and writing points, one file per format.
//!
//! [`read()`] takes the format from the ending of the path and detects the rest; [`ReadOptions`] overrides what it
//! detects. [`write()`] keeps ids, labels and column names where the format can, and what it wrote reads back as
//! the same bits. Every file appears whole or not at all ([`atomic()`]).
//!
//! | ending | what is read | ids, labels and names |
//! |---|---|---|
//! | `.csv` `.tsv` | numbers between commas, semicolons, tabs, bars or blanks | columns `point_id`, `point_label`; header |
//! | `.npy` | an array of one or two dimensions | none |
//! | `.npz` | the array asked for, or the only one with two dimensions | arrays `ids`, `labels`, `columns` |
//! | `.parquet` | columns of numbers | columns `point_id`, `point_label`; column names |
//! | `.mat` | the matrix asked for, or the only one (versions 5 to 7) | cell arrays `ids`, `labels`, `columns` |
//! | `.fbin` `.u8bin` | the numbers of rows and columns, then 32-bit floats or bytes; not written | none |
//! | `.fvecs` `.bvecs` | rows of 32-bit floats or bytes, each after its length; not written | none |
//!
//! Floats of 32 and 16 bits and bytes stay what they are, except in `.csv` and `.mat`. Raw files and `.npy` files in row
//! order of 32 MB and more are mapped into memory instead of read: what is not looked at need not fit there. Such a file
//! must not be written to while its points are in use; replacing it by another of its name, as [`write()`] does, is safe.
//!
//! Each format but `.npy` and the raw ones is a feature of the crate: `csv`, `npz` (also for saved models), `parquet` and `mat`. All are
//! on by default; with `default-features = false` only those asked for are compiled, with the crates they need. A path
//! with the ending of a format that was left out is an error that names the feature.
//!
//! A column of text that was not declared is an error, never left out silently; so are empty cells, NaN and infinity.
//! Three columns need no declaration: `point_id` and a first column of a text file with an empty heading are ids,
//! `point_label` is labels.
//!
//! ```
//! use truefold::{Points, io};
//!
//! let directory = tempfile::tempdir().unwrap();
//! let path = directory.path().join("points.parquet");
//! let points = Points::new(2, 2, vec![0.1, 0.2, 0.3, 0.4])?.with_ids(vec!["a".into(), "b".into()])?;
//! io::write(&path, &points)?;
//! let again = io::read(&path, &io::ReadOptions::default())?;
//! assert_eq!((again.values(), again.ids()), (points.values(), points.ids()));
//! # Ok::<(), truefold::Error>(())
//! ```

// What only some formats need is not used where they are left out.
#![cfg_attr(not(feature = "formats"), allow(dead_code, unused_imports))]

#[cfg(feature = "npz")]
mod archive;
#[cfg(not(feature = "npz"))]
#[path = "no_archive.rs"]
mod archive;
mod array;
mod atomic;
#[cfg(feature = "csv")]
mod csv;
mod dense;
mod format;
mod held;
mod indices;
mod kind;
#[cfg(feature = "mat")]
mod mat;
mod npy;
#[cfg(feature = "npz")]
mod npz;
mod number;
mod open;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod raw;
mod select;
mod sheet;
pub mod sparse;
mod stale;
#[cfg(all(test, feature = "formats"))]
mod tests;
mod together;

pub(crate) use archive::{Archive, Archived, write_archive};
pub use atomic::{Sink, atomic, check_writable};
pub use format::Format;
pub use indices::{read_indices, write_indices};
pub(crate) use open::bytes;
pub use options::ReadOptions;
pub use sparse::{SparseMatrix, is_sparse};
pub use together::{make_folder, settle, together};

use crate::error::Advice;
use crate::{Error, Points, Result};
use sheet::Sheet;
use std::io::Read;
use std::path::Path;

/// Reads the points of a file in the format that its ending names, or that the options name.
///
/// ```
/// use truefold::io::{ReadOptions, read};
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("points.csv");
/// std::fs::write(&path, "x;y\n0,5;1\n2;3\n").unwrap();
/// assert_eq!(read(&path, &ReadOptions::default())?.row(0), &[0.5, 1.0]);
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Points> {
    let path = path.as_ref();
    match format_of(path, options)? {
        #[cfg(feature = "csv")]
        format @ (Format::Csv | Format::Tsv) => csv::read(&bytes(path)?, path, format, options),
        Format::Npy => npy::read(path, options),
        #[cfg(feature = "npz")]
        Format::Npz => npz::read(path, options),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(path, options),
        #[cfg(feature = "mat")]
        Format::Mat => mat::read(path, options),
        format @ (Format::Fbin | Format::U8bin | Format::Fvecs | Format::Bvecs) => raw::read(path, format, options),
        #[allow(unreachable_patterns, reason = "all of them may be there")]
        format => Err(format.left_out(path)),
    }
}

fn format_of(path: &Path, options: &ReadOptions) -> Result<Format> {
    match options.format {
        Some(format) => format.available(path),
        None if path.is_dir() => Err(open::directory(path)),
        None => Format::from_path(path),
    }
}

/// Reads points as separated text from a stream such as standard input; messages call it `name`.
///
/// ```
/// use truefold::io::{ReadOptions, read_from};
///
/// let points = read_from("1 2\n3 4\n".as_bytes(), "standard input", &ReadOptions::default())?;
/// assert_eq!(points.row(1), &[3.0, 4.0]);
/// let error = read_from("1 2\n3 x\n".as_bytes(), "standard input", &ReadOptions::default()).unwrap_err();
/// assert!(error.to_string().starts_with("standard input: row 2, column 2 holds the text 'x'"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn read_from(mut reader: impl Read, name: &str, options: &ReadOptions) -> Result<Points> {
    let path = Path::new(name);
    let format = options.format.unwrap_or(Format::Csv);
    if !matches!(format, Format::Csv | Format::Tsv) {
        let problem = format!(".{format} cannot be read from a stream");
        return Err(Error::file(path, problem, Advice::mend_file("save it to a file first, or send CSV")));
    }
    let format = format.available(path)?;
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|cause| open::unreadable(path, cause))?;
    #[cfg(feature = "csv")]
    return csv::read(&bytes, path, format, options);
    #[cfg(not(feature = "csv"))]
    Err(format.left_out(path))
}

/// Writes points in the format that the ending of `path` names, whole or not at all.
pub fn write(path: impl AsRef<Path>, points: &Points) -> Result<()> {
    write_sheet(path.as_ref(), &Sheet::of_points(points))
}

fn write_sheet(path: &Path, sheet: &Sheet) -> Result<()> {
    let format = Format::for_writing(path)?;
    atomic(path, |out| match format {
        #[cfg(feature = "csv")]
        Format::Csv => csv::write(out, sheet, b','),
        #[cfg(feature = "csv")]
        Format::Tsv => csv::write(out, sheet, b'\t'),
        Format::Npy => npy::write_numbers(out, sheet.rows, sheet.columns, sheet.numbers),
        #[cfg(feature = "npz")]
        Format::Npz => npz::write(out, sheet),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::write(out, sheet),
        #[cfg(feature = "mat")]
        Format::Mat => mat::write(out, sheet),
        #[allow(unreachable_patterns, reason = "all of them may be there")]
        format => Err(std::io::Error::other(format.left_out(path))),
    })
}
