//! Reading points from separated text.

use super::super::number::{Cell, decode, trim};
use super::super::select::{Role, Selection};
use super::super::{Format, ReadOptions};
use super::records::{Records, Separator};
use super::{header, layout};
use crate::{Error, Points, Result};
use std::path::Path;

/// Reads the points that `bytes` hold; `path` is what messages call the file.
pub(in super::super) fn read(bytes: &[u8], path: &Path, format: Format, options: &ReadOptions) -> Result<Points> {
    let start = layout::start(bytes, path)?;
    let body = &bytes[start..];
    let separator = separator(body, path, format, options)?;
    let comma = separator.decimal_comma();
    let mut records = Records::new(body, separator);
    let Some(first) = records.advance().cloned() else {
        return Err(Error::file(path, "is empty", "give at least one row of numbers"));
    };
    let mut width = first.len();
    let cells: Vec<&[u8]> = first.iter().map(trim).collect();
    let mut names = None;
    if options.header.unwrap_or_else(|| header::is_header(&cells, options, comma)) {
        let mut found: Vec<String> = cells.iter().map(|cell| decode(cell)).collect();
        match records.advance() {
            None => return Err(Error::file(path, "holds a header and no data", "give at least one row of numbers")),
            // R leaves out the heading of the row names.
            Some(row) if row.len() == width + 1 => found.insert(0, String::new()),
            Some(_) => {}
        }
        width = found.len();
        names = Some(found);
    }
    let selection = Selection::new(path, names, width, options)?;
    let line = |records: &Records| 1 + line_ends(&bytes[..(start + records.offset()).min(bytes.len())]);
    let (mut values, mut ids, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    let mut rows = 0;
    // A first row that counts up in plain digits, as data frames without names have it, is a header only where nothing
    // after it is a plain whole number.
    let mut counting = options.header.is_none()
        && selection.roles().iter().all(|&role| role == Role::Coordinate)
        && header::counts_up(&cells);
    loop {
        let record = records.record();
        if record.len() != width {
            let problem = format!(
                "line {} has {} {} where {width} are needed",
                line(&records),
                record.len(),
                if record.len() == 1 { "cell" } else { "cells" },
            );
            let advice = format!("give every row {width} cells; the separator was taken to be {}", separator.name());
            return Err(Error::file(path, problem, advice));
        }
        for (column, (cell, role)) in record.iter().zip(selection.roles()).enumerate() {
            let cell = trim(cell);
            match role {
                Role::Coordinate => match Cell::parse(cell, comma) {
                    Cell::Number(value) => {
                        values.push(value);
                        counting = counting && (rows == 0 || !header::is_whole(cell));
                    }
                    Cell::Missing => {
                        return Err(selection.missing(rows, Some(line(&records)), column, &decode(cell)));
                    }
                    Cell::Text => return Err(selection.text(rows, Some(line(&records)), column, &decode(cell))),
                },
                Role::Id => ids.push(decode(cell)),
                Role::Label => labels.push(decode(cell)),
                Role::Left => {}
            }
        }
        rows += 1;
        if records.advance().is_none() {
            break;
        }
    }
    if counting && rows > 1 {
        values.drain(..width);
        rows -= 1;
    }
    let has = |role| selection.roles().contains(&role);
    let (ids, labels) = (has(Role::Id).then_some(ids), has(Role::Label).then_some(labels));
    selection.points(rows, values, ids, labels)
}

fn separator(body: &[u8], path: &Path, format: Format, options: &ReadOptions) -> Result<Separator> {
    match options.separator {
        Some(byte @ (b'"' | b'\n' | b'\r' | b'.' | b'-' | b'+' | b'0'..=b'9')) => Err(Error::file(
            path,
            format!("the separator '{}' cannot separate numbers", char::from(byte).escape_default()),
            "leave --separator out, or give , ; | a tab or a blank",
        )),
        Some(byte) => Ok(Separator::from_byte(byte)),
        None if format == Format::Tsv && layout::line(body).contains(&b'\t') => Ok(Separator::Byte(b'\t')),
        None => Ok(layout::sniff(body)),
    }
}

/// The number of line ends, each of the three kinds there are counting as one.
fn line_ends(bytes: &[u8]) -> usize {
    let feeds = bytes.iter().filter(|&&byte| byte == b'\n').count();
    if feeds > 0 { feeds } else { bytes.iter().filter(|&&byte| byte == b'\r').count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Points> {
        read(text.as_bytes(), Path::new("t.csv"), Format::Csv, &ReadOptions::default())
    }

    fn message(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_frame_without_names_counts_its_columns() {
        assert_eq!(parse("0,1\n0.5,1.0\n2.0,3.5\n").unwrap().values(), &[0.5, 1.0, 2.0, 3.5]);
        // Whole numbers elsewhere, a single row, or another first row: all data.
        assert_eq!(parse("0,1\n0.5,1\n").unwrap().len(), 2);
        assert_eq!(parse("0,1\n").unwrap().len(), 1);
        assert_eq!(parse("0.0,1.0\n0.5,1.5\n").unwrap().len(), 2);
    }

    #[test]
    fn the_same_table_in_many_dresses() {
        for text in [
            "1.5,-2\n3,4e0\n",
            "x,y\n1.5,-2\n3,4\n",
            "\u{feff}x,y\r\n1.5,-2\r\n\r\n3,4\r\n",
            "# by numpy\n#\n1.5 -2\n3 4",
            "x;y\n1,5;-2\n3;4,0\n",
            "x\ty\n1.5\t-2\n3\t4\n",
            "x | y\n1.5 | -2\n3 | 4\n",
            "\"x\",\"y\"\n\"1.5\", \"-2\"\n3 ,4\n",
            "   1.50000e+00  -2.0\n\t3.0   4.0   \n  \n",
            "x,y\r1.5,-2\r3,4\r",
            "\"\",\"x\",\"y\"\n\"r1\",1.5,-2\n\"r2\",3,4\n",
            "x y\nr1 1.5 -2\nr2 3 4\n",
            ",0,1\n0,1.5,-2\n1,3,4\n",
        ] {
            let points = parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!((points.dim(), points.values()), (2, &[1.5, -2.0, 3.0, 4.0][..]), "{text:?}");
        }
        assert_eq!(parse("x y\nr1 1.5 -2\nr2 3 4\n").unwrap().ids().unwrap(), ["r1", "r2"]);
        assert_eq!(parse("x\n1\n2\n").unwrap().columns().unwrap(), ["x"]);
    }

    #[test]
    fn messages_name_the_place_and_the_way_out() {
        assert_eq!(
            message("x,kind\n1,2\n\n3,cat\n"),
            "t.csv: row 2 (line 4), column 2 ('kind') holds the text 'cat' where a number is needed; \
             declare the column with --id-column or --label-column, or leave it out with --drop-columns"
        );
        assert_eq!(
            message("1,2\n3,\n"),
            "t.csv: row 2 (line 2), column 2 is empty where a finite number is needed; \
             fill it, remove the row, or leave the column out with --drop-columns"
        );
        assert!(message("1,2\nNA,3\n").contains("row 2 (line 2), column 1 holds NA where a finite number"));
        assert_eq!(
            message("x,y\n1,2\n1,2,3\n"),
            "t.csv: line 3 has 3 cells where 2 are needed; give every row 2 cells; the separator was taken to be ','"
        );
        assert_eq!(message(" \n"), "t.csv: is empty; give at least one row of numbers");
        assert_eq!(message("x,y\n"), "t.csv: holds a header and no data; give at least one row of numbers");
    }

    #[test]
    fn unknown_columns_are_answered_with_near_ones() {
        let error = |name: &str| {
            let options = ReadOptions { label_column: Some(name.into()), ..ReadOptions::default() };
            read(b"x,species\n1,a\n", Path::new("t.csv"), Format::Csv, &options).unwrap_err().to_string()
        };
        assert_eq!(error("specis"), "t.csv: there is no column 'specis'; did you mean 'species'?");
        assert!(error("9").ends_with("the columns are 'x', 'species'; a number from 1 to 2 names one too"));
    }
}
