//! Writing variables without compression, low byte first: the matrix column by column, texts as cell arrays.

use super::super::sheet::{Numbers, Sheet};
use super::element::{DOUBLE, INT8, INT32, INT64, MATRIX, UINT32, UTF8, append};
use crate::points::{Element, with_rows};
use std::io::Write;

const CELL: u32 = 1;
const CHAR: u32 = 4;
const CLASS_DOUBLE: u32 = 6;
const CLASS_INT64: u32 = 14;

/// Writes the table as a variable of its name, and its texts beside it.
pub(in super::super) fn write(out: &mut impl Write, sheet: &Sheet) -> std::io::Result<()> {
    let mut header = [b' '; 128];
    let title = b"MATLAB 5.0 MAT-file, written by truefold";
    header[..title.len()].copy_from_slice(title);
    header[116..124].fill(0);
    header[124..].copy_from_slice(b"\x00\x01IM");
    out.write_all(&header)?;

    let order = || (0..sheet.columns).flat_map(|column| (0..sheet.rows).map(move |row| (row, column)));
    let (class, kind, data): (_, _, Vec<u8>) = match sheet.numbers {
        Numbers::Real(table) => with_rows!(table, rows => {
            let cells = order().flat_map(|(row, column)| rows.row(row)[column].wide().to_le_bytes());
            (CLASS_DOUBLE, DOUBLE, cells.collect())
        }),
        Numbers::Whole(values) => {
            let cells = order().flat_map(|(row, column)| values[row * sheet.columns + column].to_le_bytes());
            (CLASS_INT64, INT64, cells.collect())
        }
    };
    let mut values = Vec::with_capacity(data.len() + 8);
    append(&mut values, kind, &data)?;
    out.write_all(&variable(class, [sheet.rows, sheet.columns], sheet.name, &values)?)?;
    for (name, texts) in sheet.texts() {
        let mut cells = Vec::new();
        for text in texts {
            // UTF-8 because scipy misreads 16-bit characters past ASCII.
            let mut values = Vec::new();
            append(&mut values, UTF8, text.as_bytes())?;
            cells.extend(variable(CHAR, [usize::from(!text.is_empty()), text.chars().count()], "", &values)?);
        }
        let sides = if name == "columns" { [1, texts.len()] } else { [texts.len(), 1] };
        out.write_all(&variable(CELL, sides, name, &cells)?)?;
    }
    Ok(())
}

/// A variable whose values are already elements.
fn variable(class: u32, sides: [usize; 2], name: &str, values: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::with_capacity(values.len() + 64);
    append(&mut body, UINT32, &[class.to_le_bytes(), [0; 4]].concat())?;
    // A side past 2^31 would need more than the 4 GiB that an element may have.
    append(&mut body, INT32, &sides.map(|side| (side as u32).to_le_bytes()).concat())?;
    append(&mut body, INT8, name.as_bytes())?;
    body.extend(values);
    let mut whole = Vec::with_capacity(body.len() + 8);
    append(&mut whole, MATRIX, &body)?;
    Ok(whole)
}
