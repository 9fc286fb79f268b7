//! Where the table in a text begins, and what separates its cells.

use super::super::number::{CellContent, trim};
use super::super::open::wrong_format;
use super::records::{Records, Separator};
use crate::error::Advice;
use crate::{Error, Result};
use std::path::Path;

/// How many lines are used to find the separator.
const SAMPLE: usize = 30;

/// The offset of the first line that is neither blank nor a comment; an error if the bytes are not text.
pub(super) fn start(bytes: &[u8], path: &Path) -> Result<usize> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Error::file(path, "is UTF-16 text", Advice::mend_file("save it as UTF-8")));
    }
    if bytes[..bytes.len().min(8192)].contains(&0) {
        return Err(wrong_format(path, "text", bytes));
    }
    let mut at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    while at < bytes.len() {
        let line = line(&bytes[at..]);
        let content = line.trim_ascii_start();
        if !content.is_empty() && content[0] != b'#' {
            break;
        }
        at = (at + line.len() + 1).min(bytes.len());
    }
    Ok(at)
}

/// The separator that splits the first lines into equally many cells, of which the most are numbers.
pub(super) fn sniff(body: &[u8]) -> Separator {
    let candidates = [b'\t', b';', b'|', b','].map(Separator::Byte).into_iter().chain([Separator::Blanks]);
    let mut best = None;
    for separator in candidates {
        if let Some(share) = share_of_numbers(body, separator)
            && best.is_none_or(|(most, _)| share > most)
        {
            best = Some((share, separator));
        }
    }
    if let Some((_, separator)) = best {
        return separator;
    }
    // No separator fits every line. The most frequent of the first line makes the message about rows of different
    // lengths count the right cells.
    let first = line(body);
    let count = |byte: u8| first.iter().filter(|&&other| other == byte).count();
    let most = [b',', b';', b'\t', b'|'].into_iter().rev().max_by_key(|&byte| count(byte)).unwrap_or(b',');
    Separator::Byte(if count(most) == 0 { b',' } else { most })
}

/// The share of numbers among the cells of the sample; `None` if the lines have different numbers of cells.
fn share_of_numbers(body: &[u8], separator: Separator) -> Option<f64> {
    let mut records = Records::new(body, separator);
    let (mut first, mut cells, mut numbers, mut width) = (None, 0usize, 0usize, None);
    for _ in 0..SAMPLE {
        let Some(record) = records.advance() else { break };
        let Some(header) = first else {
            first = Some(record.len());
            continue;
        };
        // R leaves out the heading of the row names, so a first line may have one cell less.
        if *width.get_or_insert(record.len()) != record.len() || header + usize::from(header > 1) < record.len() {
            return None;
        }
        cells += record.len();
        numbers += record.iter().filter(|cell| is_number(cell, separator)).count();
    }
    let first = first?;
    match width {
        Some(width) if width > 1 && width >= first => Some(numbers as f64 / cells as f64),
        None if first > 1 => {
            let record = Records::new(body, separator).advance().cloned()?;
            Some(record.iter().filter(|cell| is_number(cell, separator)).count() as f64 / first as f64)
        }
        _ => None,
    }
}

fn is_number(cell: &[u8], separator: Separator) -> bool {
    matches!(CellContent::parse(trim(cell), separator.decimal_comma()), CellContent::Number(_))
}

/// The first line, without its end.
pub(super) fn line(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len());
    &bytes[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_of_real_files_are_found() {
        for (text, separator) in [
            ("1,2\n3,4\n", Separator::Byte(b',')),
            ("a;b\n1,5;2,5\n", Separator::Byte(b';')),
            ("a\tb\n1\t2\n", Separator::Byte(b'\t')),
            ("1|2\n3|4", Separator::Byte(b'|')),
            ("  1.0   2.0\n 3.0 4.0\n", Separator::Blanks),
            ("1, 2\n3, 4\n", Separator::Byte(b',')),
            ("name,x,y\na;b,1,2\nc;d,3,4\n", Separator::Byte(b',')),
            ("\"x\" \"y\"\n\"1\" 0.5 0.25\n\"2\" 1 2\n", Separator::Blanks),
            ("my column\n1\n2\n", Separator::Byte(b',')),
            ("1\n2\n", Separator::Byte(b',')),
        ] {
            assert_eq!(sniff(text.as_bytes()), separator, "{text}");
        }
    }

    #[test]
    fn marks_comments_and_blank_lines_are_passed_over() {
        let text = b"\xef\xbb\xbf# made by numpy\r\n\r\n  \r\n1,2\r\n";
        assert_eq!(line(&text[start(text, Path::new("a")).unwrap()..]), b"1,2");
        assert!(start(b"\xff\xfe1\0", Path::new("a")).unwrap_err().to_string().contains("UTF-16"));
        let error = start(b"\x93NUMPY\x01\0", Path::new("a.csv")).unwrap_err().to_string();
        assert_eq!(error, "a.csv: is not text: it begins like .npy; set input_format to npy");
    }
}
