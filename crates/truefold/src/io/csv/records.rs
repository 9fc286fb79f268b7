//! Splitting a text into records of cells.

use csv::ByteRecord;

/// What separates cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Byte(u8),
    /// Runs of blanks and tabs.
    Blanks,
}

impl Separator {
    /// From an option: a blank stands for runs of blanks.
    pub(super) fn from_byte(byte: u8) -> Self {
        if byte == b' ' { Self::Blanks } else { Self::Byte(byte) }
    }

    /// Whether `1,5` is a number between these separators.
    pub(super) fn decimal_comma(self) -> bool {
        self == Self::Byte(b';')
    }

    /// Its name in messages.
    pub(super) fn name(self) -> String {
        match self {
            Self::Blanks => "blanks".into(),
            Self::Byte(b'\t') => "a tab".into(),
            Self::Byte(byte) => format!("'{}'", char::from(byte).escape_default()),
        }
    }
}

/// How the rest of the text is split.
enum Splitter<'a> {
    Separated(Box<csv::Reader<&'a [u8]>>),
    Blanks(&'a [u8]),
}

/// The records of a text in order, blank lines left out.
pub(super) struct Records<'a> {
    splitter: Splitter<'a>,
    record: ByteRecord,
    body: &'a [u8],
    offset: usize,
}

impl<'a> Records<'a> {
    pub(super) fn new(body: &'a [u8], separator: Separator) -> Self {
        let splitter = match separator {
            Separator::Blanks => Splitter::Blanks(body),
            Separator::Byte(byte) => {
                let mut builder = csv::ReaderBuilder::new();
                builder.delimiter(byte).has_headers(false).flexible(true).buffer_capacity(1 << 16);
                Splitter::Separated(Box::new(builder.from_reader(body)))
            }
        };
        Self { splitter, record: ByteRecord::new(), body, offset: 0 }
    }

    /// The next record, or `None` at the end.
    pub(super) fn advance(&mut self) -> Option<&ByteRecord> {
        loop {
            match &mut self.splitter {
                Splitter::Separated(reader) => {
                    // Reading from memory cannot fail, and records of any length are allowed.
                    if !reader.read_byte_record(&mut self.record).unwrap_or(false) {
                        return None;
                    }
                    self.offset = self.record.position().map_or(0, |position| position.byte() as usize);
                }
                Splitter::Blanks(rest) => {
                    if rest.is_empty() {
                        return None;
                    }
                    self.offset = self.body.len() - rest.len();
                    let line = super::layout::line(rest);
                    *rest = &rest[(line.len() + 1).min(rest.len())..];
                    split(line, &mut self.record);
                }
            }
            let blank = self.record.len() <= 1 && self.record.iter().all(|cell| cell.trim_ascii().is_empty());
            if !blank {
                return Some(&self.record);
            }
        }
    }

    /// The current record.
    pub(super) fn record(&self) -> &ByteRecord {
        &self.record
    }

    /// The offset of the current record in the text.
    pub(super) fn offset(&self) -> usize {
        // The reader's position is where the record before this one ended; blank lines may follow.
        let rest = self.body.get(self.offset..).unwrap_or_default();
        self.offset + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }
}

/// Splits a line at runs of blanks; a quoted cell may contain blanks.
fn split(line: &[u8], record: &mut ByteRecord) {
    record.clear();
    let mut rest = line.trim_ascii();
    while !rest.is_empty() {
        let quoted = rest.strip_prefix(b"\"").and_then(|inner| {
            let end = inner.iter().position(|&byte| byte == b'"')?;
            let after = &inner[end + 1..];
            after.first().is_none_or(u8::is_ascii_whitespace).then_some((&inner[..end], after))
        });
        let (cell, after) = quoted.unwrap_or_else(|| {
            let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            rest.split_at(end)
        });
        record.push_field(cell);
        rest = after.trim_ascii_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str, separator: Separator) -> Vec<Vec<String>> {
        let mut records = Records::new(text.as_bytes(), separator);
        let mut all = Vec::new();
        while let Some(record) = records.advance() {
            all.push(record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect());
        }
        all
    }

    #[test]
    fn blanks_separate_and_quotes_hold_together() {
        let found = cells("  1  \"a b\"\t3 \r\n\r\n\"x\"y 5\r", Separator::Blanks);
        assert_eq!(found, vec![vec!["1", "a b", "3"], vec!["\"x\"y", "5"]]);
    }

    #[test]
    fn quoted_separators_and_line_ends_belong_to_the_cell() {
        let found = cells("\"a,\"\"b\"\"\",\"c\nd\"\n \n1,2\n", Separator::Byte(b','));
        assert_eq!(found, vec![vec!["a,\"b\"", "c\nd"], vec!["1", "2"]]);
    }
}
