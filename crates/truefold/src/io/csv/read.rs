//! Reading points from separated text.

use super::super::number::{CellContent, decode, trim};
use super::super::select::{Role, Selection, in_file};
use super::super::{Format, ReadOptions};
use super::records::{Records, Separator};
use super::{header, layout};
use crate::error::{Advice, Place};
use crate::{Error, Points, Result, memory};
use csv::ByteRecord;
use std::path::Path;

/// Reads the points that `bytes` hold; messages call the file `path`.
pub(in super::super) fn read(bytes: &[u8], path: &Path, format: Format, options: &ReadOptions) -> Result<Points> {
    let start = layout::start(bytes, path)?;
    let body = &bytes[start..];
    let separator = separator(body, path, format, options)?;
    let mut records = Records::new(body, separator);
    let (names, width, counts_up) = head(&mut records, path, separator, options)?;
    let selection = Selection::new(path, names, width, options)?;
    let mut table = Table { decimal_comma: separator.decimal_comma(), ..Table::default() };
    // A row takes a line at the least; there may be more lines, so that this much is not always needed, nor always there.
    let most = (line_ends(body) + 1).saturating_mul(selection.dim());
    let _ = memory::fallibly(|| table.values.try_reserve_exact(most));
    // A first row that counts up in plain digits, as a data frame without names has it, is a header only if no number
    // after it is a plain whole number.
    let all_coordinates = selection.roles().iter().all(|&role| role == Role::Coordinate);
    table.counting = options.header.is_none() && all_coordinates && counts_up;
    loop {
        let line = |records: &Records| line_ends(&bytes[..(start + records.offset()).min(bytes.len())]);
        let cells = records.record().len();
        if cells != width {
            let problem = format!("has {cells} {}, but {width} are needed", if cells == 1 { "cell" } else { "cells" });
            let advice = format!("give every row {width} cells; the separator was taken to be {}", separator.name());
            return Err(Error::file(path, problem, Advice::mend_file(advice))
                .at(Place::row(table.rows).on_line(line(&records))));
        }
        memory::extend(&mut table.values, selection.dim(), || {
            let task = format!("reading {} rows of {} columns of {}", table.rows, selection.dim(), path.display());
            (
                task.into(),
                Advice::leave_out("drop_columns", "give fewer rows, or leave columns out with {drop_columns}"),
            )
        })?;
        if let Err((column, content)) = table.push(records.record(), selection.roles()) {
            let place = selection.cell(table.rows, column).on_line(line(&records));
            let value = decode(trim(records.record().get(column).unwrap_or_default()));
            return Err(match content {
                CellContent::Text => selection.text(place, &value),
                _ => selection.missing(place, &value),
            });
        }
        if records.advance().is_none() {
            break;
        }
    }
    table.points(width, path, selection)
}

/// The names of the columns, if the first record holds them; the number of columns; and whether the first record counts
/// up. The records are then at the first row of data.
fn head(
    records: &mut Records,
    path: &Path,
    separator: Separator,
    options: &ReadOptions,
) -> Result<(Option<Vec<String>>, usize, bool)> {
    let empty =
        |problem: &'static str| Error::file(path, problem, Advice::mend_file("give at least one row of numbers"));
    let Some(first) = records.advance().cloned() else { return Err(empty("is empty")) };
    let cells: Vec<&[u8]> = first.iter().map(trim).collect();
    let counts_up = header::counts_up(&cells);
    if !options.header.unwrap_or_else(|| header::is_header(&cells, options, separator.decimal_comma())) {
        return Ok((None, first.len(), counts_up));
    }
    let mut names: Vec<String> = cells.iter().map(|cell| decode(cell)).collect();
    match records.advance() {
        None => return Err(empty("holds a header and no data")),
        // R leaves out the heading of the row names.
        Some(row) if row.len() == first.len() + 1 => names.insert(0, String::new()),
        Some(_) => {}
    }
    let width = names.len();
    Ok((Some(names), width, counts_up))
}

/// The rows read so far.
#[derive(Default)]
struct Table {
    decimal_comma: bool,
    rows: usize,
    values: Vec<f64>,
    ids: Vec<String>,
    labels: Vec<String>,
    /// Whether the first row may still be a header that counts the columns.
    counting: bool,
}

impl Table {
    /// Adds a row; the column and the content of a coordinate that is no finite number.
    fn push(&mut self, record: &ByteRecord, roles: &[Role]) -> std::result::Result<(), (usize, CellContent)> {
        for (column, (cell, role)) in record.iter().zip(roles).enumerate() {
            let cell = trim(cell);
            match role {
                Role::Coordinate => match CellContent::parse(cell, self.decimal_comma) {
                    CellContent::Number(value) => {
                        self.values.push(value);
                        self.counting = self.counting && (self.rows == 0 || !header::is_whole(cell));
                    }
                    other => return Err((column, other)),
                },
                Role::Id => self.ids.push(decode(cell)),
                Role::Label => self.labels.push(decode(cell)),
                Role::Left => {}
            }
        }
        self.rows += 1;
        Ok(())
    }

    fn points(mut self, width: usize, path: &Path, selection: Selection) -> Result<Points> {
        if self.counting && self.rows > 1 {
            self.values.drain(..width);
            self.rows -= 1;
        }
        let has = |role| selection.roles().contains(&role);
        let (ids, labels) = (has(Role::Id).then_some(self.ids), has(Role::Label).then_some(self.labels));
        // Each cell was found to be a finite number when it was read.
        let points = Points::from_finite(self.rows, selection.dim(), self.values);
        selection.with_texts(points.map_err(|error| in_file(path, error))?, ids, labels)
    }
}

fn separator(body: &[u8], path: &Path, format: Format, options: &ReadOptions) -> Result<Separator> {
    match options.separator {
        Some(byte @ (b'"' | b'\n' | b'\r' | b'.' | b'-' | b'+' | b'0'..=b'9')) => Err(Error::file(
            path,
            format!("the separator '{}' cannot separate numbers", char::from(byte).escape_default()),
            Advice::leave_out("separator", "leave {separator} out, or set it to , ; | a tab or a blank"),
        )),
        Some(byte) => Ok(Separator::from_byte(byte)),
        None if format == Format::Tsv && layout::line(body).contains(&b'\t') => Ok(Separator::Byte(b'\t')),
        None => Ok(layout::sniff(body)),
    }
}

/// The number of line ends; a line feed, a carriage return, or both together end a line.
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
    fn the_same_table_in_many_layouts() {
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
    fn messages_name_the_place_and_what_to_do() {
        assert_eq!(
            message("x,kind\n1,2\n\n3,cat\n"),
            "t.csv: row 2 (line 4), column 2 ('kind') holds the text 'cat', but a number is needed; \
             declare the column with id_column or label_column, or leave it out with drop_columns"
        );
        assert_eq!(
            message("1,2\n3,\n"),
            "t.csv: row 2, column 2 is empty, but a finite number is needed; \
             fill it, remove the row, or leave the column out with drop_columns"
        );
        assert!(message("1,2\nNA,3\n").contains("row 2, column 1 holds NA, but a finite number"));
        assert_eq!(
            message("x,y\n1,2\n1,2,3\n"),
            "t.csv: row 2 (line 3) has 3 cells, but 2 are needed; \
             give every row 2 cells; the separator was taken to be ','"
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
        assert!(error("9").ends_with("the columns are 'x', 'species'; a number from 1 to 2 also names one"));
    }
}
