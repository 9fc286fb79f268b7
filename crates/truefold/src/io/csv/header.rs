//! Whether the first row of a text is a header.

use super::super::ReadOptions;
use super::super::number::CellContent;

/// Tells a row of names from a row of numbers.
///
/// A row with a cell that is neither a number nor a word for a missing one is a header. Columns that the options declare
/// by number may hold text in any row, so their cells count only if one is the declared name itself, or if the other
/// cells count up from 0 or 1. A row whose first cell is empty and whose other cells count up is the header of a data
/// frame without names, as pandas writes it.
pub(super) fn is_header(cells: &[&[u8]], options: &ReadOptions, decimal_comma: bool) -> bool {
    let asked = options.id_column.iter().chain(&options.label_column).chain(&options.drop_columns);
    let mut declared = vec![false; cells.len()];
    for name in asked {
        if cells
            .iter()
            .any(|cell| *cell == name.as_bytes() && CellContent::parse(cell, decimal_comma) == CellContent::Text)
        {
            return true;
        }
        if let Some(flag) = name.parse::<usize>().ok().and_then(|number| declared.get_mut(number.checked_sub(1)?)) {
            *flag = true;
        }
    }
    let (mut numbers, mut text) = (Vec::new(), false);
    for (cell, declared) in cells.iter().zip(declared) {
        match CellContent::parse(cell, decimal_comma) {
            CellContent::Text if declared => text = true,
            CellContent::Text => return true,
            CellContent::Number(value) => numbers.push(value),
            CellContent::Missing => {}
        }
    }
    let counts_up = numbers.first().is_some_and(|&first| first == 0.0 || first == 1.0)
        && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
    let unnamed_index = cells[0].is_empty() && numbers.len() + 1 == cells.len();
    counts_up && (text || unnamed_index)
}

/// Whether the cells are 0, 1, 2 and so on in plain digits, at least two of them.
pub(super) fn counts_up(cells: &[&[u8]]) -> bool {
    cells.len() > 1 && cells.iter().enumerate().all(|(place, cell)| *cell == place.to_string().as_bytes())
}

/// Whether a number is written with digits and a sign alone.
pub(super) fn is_whole(cell: &[u8]) -> bool {
    cell.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-' || *byte == b'+')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(row: &str, label: Option<&str>) -> bool {
        let cells: Vec<&[u8]> = row.split(',').map(str::as_bytes).collect();
        is_header(&cells, &ReadOptions { label_column: label.map(Into::into), ..ReadOptions::default() }, false)
    }

    #[test]
    fn names_are_told_from_numbers() {
        assert!(found("x,y", None) && found("x,2", None) && found(",x,y", None));
        assert!(!found("1,2", None) && !found("1,nan", None) && !found("1,NA,", None));
        assert!(found(",0,1,2", None) && !found(",0.5,1.5", None));
    }

    #[test]
    fn declared_text_is_no_sign_of_a_header() {
        assert!(!found("5.1,3.5,setosa", Some("3")));
        assert!(found("length,width,kind", Some("3")));
        assert!(found("0,1,label", Some("3")) && found("5,3,label", Some("label")));
    }
}
