//! Writing arrays: points in their own precision, integers with 64 bits, text as fixed-width Unicode, low byte first, row by row.

use super::super::sheet::Numbers;
use crate::points::Table;
use std::io::Write;

/// Writes a table of numbers.
pub(in super::super) fn write_numbers(
    out: &mut impl Write,
    rows: usize,
    columns: usize,
    numbers: Numbers,
) -> std::io::Result<()> {
    let kind = match numbers {
        Numbers::Real(Table::Double(_)) => "<f8",
        Numbers::Real(Table::Single(_)) => "<f4",
        Numbers::Real(Table::Half(_)) => "<f2",
        Numbers::Real(Table::Byte(_)) => "|u1",
        Numbers::Whole(_) => "<i8",
    };
    write_header(out, kind, &format!("({rows}, {columns})"))?;
    match numbers {
        Numbers::Real(Table::Double(table)) => write_cells(out, table.iter().flatten(), |value| value.to_le_bytes()),
        Numbers::Real(Table::Single(table)) => write_cells(out, table.iter().flatten(), |value| value.to_le_bytes()),
        Numbers::Real(Table::Half(table)) => {
            write_cells(out, table.iter().flatten(), |value| value.bits().to_le_bytes())
        }
        Numbers::Real(Table::Byte(table)) => write_cells(out, table.iter().flatten(), |value| [*value]),
        Numbers::Whole(values) => write_cells(out, values.iter(), |value| value.to_le_bytes()),
    }
}

/// Writes a list of texts.
pub(in super::super) fn write_strings(out: &mut impl Write, texts: &[String]) -> std::io::Result<()> {
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    write_header(out, &format!("<U{width}"), &format!("({},)", texts.len()))?;
    let mut cell = Vec::with_capacity(4 * width);
    for text in texts {
        cell.clear();
        cell.extend(text.chars().flat_map(|char| u32::from(char).to_le_bytes()));
        cell.resize(4 * width, 0);
        out.write_all(&cell)?;
    }
    Ok(())
}

fn write_cells<T, const SIZE: usize>(
    out: &mut impl Write,
    mut values: impl Iterator<Item = T>,
    bytes: impl Fn(T) -> [u8; SIZE],
) -> std::io::Result<()> {
    let mut block = Vec::with_capacity(SIZE * 4096);
    loop {
        block.clear();
        block.extend(values.by_ref().take(4096).flat_map(&bytes));
        if block.is_empty() {
            return Ok(());
        }
        out.write_all(&block)?;
    }
}

/// Version 1.0, padded with blanks so that the array begins at a multiple of 64 bytes.
fn write_header(out: &mut impl Write, kind: &str, shape: &str) -> std::io::Result<()> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let padded = (10 + text.len() + 1).next_multiple_of(64) - 11;
    text.extend(std::iter::repeat_n(' ', padded - text.len()));
    text.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(text.len() as u16).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::Header;
    use super::*;

    #[test]
    fn the_array_begins_at_a_multiple_of_64() {
        for rows in [1, 1000, 123_456_789] {
            let mut out = Vec::new();
            write_header(&mut out, "<f8", &format!("({rows}, 3)")).unwrap();
            assert_eq!(out.len() % 64, 0);
            let header = Header::read(&mut out.as_slice()).unwrap();
            assert_eq!((header.length as usize, header.shape), (out.len(), vec![rows, 3]));
        }
    }
}
