//! Tables and numbers that read well in 80 columns.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// A table without lines, its first column to the left and the others as `right` says, wrapped at 80 columns.
pub(crate) fn table(header: &[&str], right: &[bool], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(80);
    table.set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for (index, &right) in right.iter().enumerate() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(if right { CellAlignment::Right } else { CellAlignment::Left });
        }
    }
    table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Four significant digits, in scientific form where the plain one would hide them.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.3e}")
    }
}

/// A count with thousands set apart.
pub(crate) fn count(value: usize) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `count(value)` and the noun, in the singular where there is one.
pub(crate) fn counted(value: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", count(value), if value == 1 { singular } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        let shown: Vec<String> = [0.0, 1.0, 0.012345, 123.456, 1e-9, -2.5e7].map(number).into();
        assert_eq!(shown, ["0", "1.000", "0.01235", "123.5", "1.000e-9", "-2.500e7"]);
        assert_eq!((count(999), count(1_234_567)), ("999".into(), "1,234,567".into()));
    }
}
