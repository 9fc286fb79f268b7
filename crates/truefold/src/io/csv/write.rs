//! Writing points as separated text: numbers in the shortest form that reads back as the same bits.
//!
//! Ids become a first column `point_id`, labels a last column `point_label`. There is a header if there are names that
//! cannot be mistaken for a row of numbers.

use super::super::number::{CellContent, shortest, trim};
use super::super::sheet::{Numbers, Sheet};
use crate::points::{Element, with_rows};
use std::io::Write;

/// Writes the table with `separator` between cells.
pub(in super::super) fn write(out: &mut impl Write, sheet: &Sheet, separator: u8) -> std::io::Result<()> {
    let texts = sheet.text_columns();
    let [ids, labels] = texts;
    let has_texts = texts.iter().any(Option::is_some);
    let has_names = sheet.names.is_some_and(|names| {
        names.iter().any(|name| CellContent::parse(trim(name.as_bytes()), false) == CellContent::Text)
    });
    if has_texts || has_names {
        let mut header: Vec<String> = (0..sheet.columns).map(|column| sheet.column_name(column)).collect();
        if let Some((name, _)) = ids {
            header.insert(0, name.into());
        }
        if let Some((name, _)) = labels {
            header.push(name.into());
        }
        // Without quotes, a first name that begins with '#' would read back as a comment.
        let quotes =
            if header[0].trim_start().starts_with('#') { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary };
        let mut writer = csv::WriterBuilder::new().delimiter(separator).quote_style(quotes).from_writer(&mut *out);
        writer.write_record(&header)?;
        writer.flush()?;
    }
    let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
    for row in 0..sheet.rows {
        if let Some((_, ids)) = ids {
            writer.write_field(&ids[row])?;
        }
        match sheet.numbers {
            Numbers::Real(table) => with_rows!(table, rows => {
                for value in rows.row(row) {
                    writer.write_field(shortest(value.wide()))?;
                }
            }),
            Numbers::Whole(values) => {
                for &value in &values[row * sheet.columns..][..sheet.columns] {
                    writer.write_field(value.to_string())?;
                }
            }
        }
        if let Some((_, labels)) = labels {
            writer.write_field(&labels[row])?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;

    fn text(points: &Points) -> String {
        let mut out = Vec::new();
        write(&mut out, &Sheet::of_points(points), b',').unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_header_is_written_only_if_it_says_something() {
        let points = || Points::new(2, 2, vec![0.1, -1.0, 1e300, 2.5e-7]).unwrap();
        let names = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        assert_eq!(text(&points()), "0.1,-1\n1e300,2.5e-7\n");
        assert_eq!(text(&points().with_columns(names("1", "2")).unwrap()), "0.1,-1\n1e300,2.5e-7\n");
        assert_eq!(text(&points().with_columns(names("#a", "b")).unwrap()), "\"#a\",\"b\"\n0.1,-1\n1e300,2.5e-7\n");
        let points = points().with_ids(names("p, q", "r")).unwrap().with_labels(names("0", "1")).unwrap();
        assert_eq!(text(&points), "point_id,x1,x2,point_label\n\"p, q\",0.1,-1,0\nr,1e300,2.5e-7,1\n");
    }
}
