//! Numbers as text: reading a cell as people write numbers, and writing the shortest text that reads back exactly.

/// What a cell of text holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CellContent {
    Number(f64),
    /// Empty, NA, NaN, infinite, or too large for a 64-bit number.
    Missing,
    Text,
}

/// Words for a missing number, in lower case.
const MISSING: [&str; 12] = ["", "na", "n/a", "nan", "#n/a", "#na", "<na>", "null", "none", "nil", "missing", "#num!"];

impl CellContent {
    /// Reads a cell from which blanks and quotes have been trimmed.
    pub(super) fn parse(cell: &[u8], decimal_comma: bool) -> Self {
        let Ok(text) = str::from_utf8(cell) else { return Self::Text };
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => return Self::Number(value),
            Ok(_) => return Self::Missing,
            Err(_) => {}
        }
        if decimal_comma && cell.contains(&b',') && !cell.contains(&b'.') {
            return match text.replacen(',', ".", 1).parse::<f64>() {
                Ok(value) if value.is_finite() => Self::Number(value),
                Ok(_) => Self::Missing,
                Err(_) => Self::Text,
            };
        }
        let missing = text.len() <= 8 && MISSING.iter().any(|word| word.eq_ignore_ascii_case(text));
        if missing { Self::Missing } else { Self::Text }
    }
}

/// Trims blanks, and then one pair of quotes: blanks around quotes hide them from the splitting.
pub(super) fn trim(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    match cell {
        [b'"', inner @ .., b'"'] => inner.trim_ascii(),
        _ => cell,
    }
}

/// Text as a string: from UTF-8, or from Latin-1 if it is not UTF-8.
pub(super) fn decode(cell: &[u8]) -> String {
    match str::from_utf8(cell) {
        Ok(text) => text.to_owned(),
        Err(_) => cell.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The shortest text that reads back as the same number.
pub(super) fn shortest(value: f64) -> String {
    let mut text = format!("{value:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cells_are_numbers_gaps_or_text() {
        for (text, value) in [("1", 1.0), ("-2.5e-3", -2.5e-3), ("+.5", 0.5), ("1,5", 1.5), ("-0", 0.0)] {
            assert_eq!(CellContent::parse(text.as_bytes(), true), CellContent::Number(value), "{text}");
        }
        for text in ["", "NA", "nan", "N/A", "-inf", "Infinity", "null", "1e999"] {
            assert_eq!(CellContent::parse(text.as_bytes(), false), CellContent::Missing, "{text}");
        }
        for text in ["1,5", "a", "1 2", "12:30", "0x10", "\u{663}"] {
            assert_eq!(CellContent::parse(text.as_bytes(), false), CellContent::Text, "{text}");
        }
        assert_eq!(CellContent::parse(b"1.234,5", true), CellContent::Text);
    }

    proptest! {
        #[test]
        fn the_shortest_text_reads_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(shortest(value).parse::<f64>().unwrap().to_bits(), bits);
        }
    }
}
