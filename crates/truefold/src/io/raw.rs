//! Raw vectors as benchmarks of nearest neighbors exchange them: `.fbin`, `.u8bin`, `.fvecs` and `.bvecs`.
//!
//! | ending | header | rows |
//! |---|---|---|
//! | `.fbin` | number of rows, number of columns | 32-bit floats |
//! | `.u8bin` | the same | bytes |
//! | `.fvecs` | none | number of columns, then 32-bit floats |
//! | `.bvecs` | none | number of columns, then bytes |
//!
//! Numbers of rows and columns are integers of 32 bits, low byte first, like the floats. Nothing in such a file tells
//! its format, so that its size must be exactly what its numbers of rows and columns need.

use super::open::regular;
use super::select::Selection;
use super::{Format, ReadOptions, held};
use crate::error::{Advice, Place};
use crate::points::{Layout, Precision};
use crate::{Error, Points, Result};
use std::path::Path;

/// The bytes of a number of rows or columns.
const COUNT: usize = 4;

/// Reads the points of a file in one of the raw formats.
pub(super) fn read(path: &Path, format: Format, options: &ReadOptions) -> Result<Points> {
    let (mut file, size) = regular(path)?;
    let owner = held::bytes(path, &mut file, size)?;
    let bytes = owner.bytes();
    let precision = match format {
        Format::U8bin | Format::Bvecs => Precision::Byte,
        _ => Precision::Single,
    };
    let layout = match format {
        Format::Fbin | Format::U8bin => table(path, bytes, precision)?,
        _ => vectors(path, bytes, precision)?,
    };
    let selection = Selection::new(path, None, layout.dim, options)?;
    if selection.dim() == layout.dim {
        let points = held::points(owner, &layout, false);
        return selection.points(points, None, None);
    }
    Err(Error::file(
        path,
        format!("every number of a .{format} file is a coordinate"),
        Advice::change("drop_columns", "leave out {id_column}, {label_column} and {drop_columns}"),
    ))
}

/// The layout of a table with its sizes at the beginning.
fn table(path: &Path, bytes: &[u8], precision: Precision) -> Result<Layout> {
    let (Some(len), Some(dim)) = (count(bytes, 0), count(bytes, COUNT)) else {
        let problem =
            format!("is cut short: it begins with two numbers of 4 bytes each, but has {} bytes", bytes.len());
        return Err(Error::file(path, problem, again()));
    };
    if len == 0 || dim == 0 {
        return Err(empty(path, len, dim));
    }
    let layout = Layout { precision, len, dim, offset: 2 * COUNT, stride: dim };
    let needed = layout.end();
    if needed == Some(bytes.len()) {
        return Ok(layout);
    }
    let what = if needed.is_some_and(|needed| needed < bytes.len()) { "is too long" } else { "is cut short" };
    let needed = needed.map_or("more".into(), |needed| needed.to_string());
    let problem =
        format!("{what}: {len} rows of {dim} {precision} numbers need {needed} bytes, but it has {}", bytes.len());
    Err(Error::file(path, problem, again()))
}

/// The layout of rows that each begin with their size.
fn vectors(path: &Path, bytes: &[u8], precision: Precision) -> Result<Layout> {
    let Some(dim) = count(bytes, 0) else {
        if bytes.is_empty() {
            return Err(empty(path, 0, 0));
        }
        let problem = format!("is cut short: a row begins with a number of 4 bytes, but it has {}", bytes.len());
        return Err(Error::file(path, problem, again()));
    };
    if dim == 0 {
        return Err(empty(path, 1, 0));
    }
    let width = dim.saturating_mul(precision.bytes()).saturating_add(COUNT);
    for (number, row) in bytes.chunks(width).enumerate() {
        match count(row, 0) {
            Some(other) if other != dim => {
                let advice = "give every row the same number of cells, or name the format with {input_format}";
                let advice = Advice::change("input_format", advice);
                let problem = format!("begins with the number {other}, but row 1 with {dim}");
                return Err(Error::file(path, problem, advice).at(Place::row(number)));
            }
            _ if row.len() < width => {
                let problem =
                    format!("is cut short: {dim} {precision} numbers need {width} bytes, but it has {}", row.len());
                return Err(Error::file(path, problem, again()).at(Place::row(number)));
            }
            _ => {}
        }
    }
    let stride = dim + COUNT / precision.bytes();
    Ok(Layout { precision, len: bytes.len() / width, dim, offset: COUNT, stride })
}

/// The number of rows or columns at a place.
fn count(bytes: &[u8], at: usize) -> Option<usize> {
    let cell = bytes.get(at..)?.first_chunk::<COUNT>()?;
    usize::try_from(u32::from_le_bytes(*cell)).ok()
}

fn empty(path: &Path, len: usize, dim: usize) -> Error {
    let problem = format!("is empty: it has {len} rows and {dim} columns of numbers");
    Error::file(path, problem, Advice::mend_file("give at least one point with one coordinate"))
}

fn again() -> Advice {
    Advice::change("input_format", "copy or save it again, or name its format with {input_format}")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file of each format that holds the rows 1 2 3 and 4 5 6.
    pub(in super::super) const FILES: [(Format, &[u8]); 4] = [
        (Format::Fbin, b"\x02\0\0\0\x03\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xa0\x40\0\0\xc0\x40"),
        (Format::U8bin, b"\x02\0\0\0\x03\0\0\0\x01\x02\x03\x04\x05\x06"),
        (Format::Fvecs, b"\x03\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\x03\0\0\0\0\0\x80\x40\0\0\xa0\x40\0\0\xc0\x40"),
        (Format::Bvecs, b"\x03\0\0\0\x01\x02\x03\x03\0\0\0\x04\x05\x06"),
    ];

    fn read_bytes(format: Format, bytes: &[u8]) -> Result<Points> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(format!("a.{format}"));
        std::fs::write(&path, bytes).unwrap();
        super::super::read(&path, &ReadOptions::default())
    }

    fn message(format: Format, bytes: &[u8]) -> String {
        let message = read_bytes(format, bytes).unwrap_err().to_string();
        message.split_once(": ").unwrap().1.to_owned()
    }

    #[test]
    fn every_raw_format_is_read() {
        for (format, bytes) in FILES {
            let points = read_bytes(format, bytes).unwrap();
            let precision =
                if matches!(format, Format::U8bin | Format::Bvecs) { Precision::Byte } else { Precision::Single };
            assert_eq!((points.len(), points.dim(), points.precision()), (2, 3, precision), "{format}");
            assert_eq!(points.select(&[1]).values(), [4.0, 5.0, 6.0], "{format}");
            assert_eq!(points.values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "{format}");
        }
    }

    #[test]
    fn files_of_other_sizes_are_refused() {
        let again = "; copy or save it again, or name its format with input_format";
        let fbin = FILES[0].1;
        for (bytes, expected) in [
            (&fbin[..7], "is cut short: it begins with two numbers of 4 bytes each, but has 7 bytes"),
            (&fbin[..31], "is cut short: 2 rows of 3 float32 numbers need 32 bytes, but it has 31"),
            (&[fbin, b"\0"].concat(), "is too long: 2 rows of 3 float32 numbers need 32 bytes, but it has 33"),
        ] {
            assert_eq!(message(Format::Fbin, bytes), format!("{expected}{again}"));
        }
        let fvecs = FILES[2].1;
        for (bytes, expected) in [
            (&fvecs[..3], "is cut short: a row begins with a number of 4 bytes, but it has 3"),
            (&fvecs[..31], "row 2 is cut short: 3 float32 numbers need 16 bytes, but it has 15"),
            (&fvecs[..18], "row 2 is cut short: 3 float32 numbers need 16 bytes, but it has 2"),
        ] {
            assert_eq!(message(Format::Fvecs, bytes), format!("{expected}{again}"));
        }
        let mut other = FILES[3].1.to_vec();
        other[7] = 9;
        let error = message(Format::Bvecs, &other);
        assert!(error.starts_with("row 2 begins with the number 9, but row 1 with 3; give every row"), "{error}");
        let empty = "is empty: it has 0 rows and 0 columns of numbers; give at least one point with one coordinate";
        assert_eq!(message(Format::Bvecs, b""), empty);
        assert_eq!(message(Format::U8bin, &[0; 8]), empty);
    }

    #[test]
    fn cells_that_are_not_finite_are_named() {
        for (format, at) in [(Format::Fbin, 24), (Format::Fvecs, 24)] {
            let mut bytes = FILES.iter().find(|file| file.0 == format).unwrap().1.to_vec();
            bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
            let error = message(format, &bytes);
            assert!(error.starts_with("row 2, column 2 holds NaN, but a finite number is needed"), "{error}");
        }
    }

    #[test]
    fn columns_cannot_be_left_out() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.u8bin");
        std::fs::write(&path, FILES[1].1).unwrap();
        let options = ReadOptions { drop_columns: vec!["1".into()], ..ReadOptions::default() };
        let error = super::super::read(&path, &options).unwrap_err().to_string();
        assert!(error.contains("every number of a .u8bin file is a coordinate"), "{error}");
    }
}
