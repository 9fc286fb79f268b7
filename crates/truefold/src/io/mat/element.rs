//! The elements of a MATLAB file: a tag with a type and a size, then that many bytes.

use super::super::kind::Kind;

pub(super) const INT8: u32 = 1;
pub(super) const INT32: u32 = 5;
pub(super) const UINT32: u32 = 6;
pub(super) const DOUBLE: u32 = 9;
pub(super) const INT64: u32 = 12;
pub(super) const MATRIX: u32 = 14;
pub(super) const COMPRESSED: u32 = 15;
pub(super) const UTF8: u32 = 16;

/// One element: its type and its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) kind: u32,
    pub(super) data: &'a [u8],
    pub(super) big: bool,
}

impl<'a> Element<'a> {
    /// Splits the first element off `bytes`; or the problem, as the end of a sentence.
    pub(super) fn take(bytes: &mut &'a [u8], big: bool) -> Result<Self, String> {
        let &[a, b, c, d, ref rest @ ..] = *bytes else { return Err("ends inside the tag of an element".into()) };
        let first = word([a, b, c, d], big);
        let (kind, size, after, padded) = if first >> 16 != 0 {
            // A small element: up to four bytes share the tag's eight.
            let size = (first >> 16) as usize;
            if size > 4 {
                return Err(format!("has a small element of {size} bytes, but 4 are the most"));
            }
            (first & 0xffff, size, rest, 4)
        } else {
            let &[a, b, c, d, ref after @ ..] = rest else { return Err("ends inside the tag of an element".into()) };
            let size = word([a, b, c, d], big) as usize;
            // Only compressed elements are not padded to a multiple of eight.
            (first, size, after, if first == COMPRESSED { size } else { size.next_multiple_of(8) })
        };
        let Some(data) = after.get(..size) else {
            return Err(format!("is cut short: an element needs {size} bytes, but {} are left", after.len()));
        };
        *bytes = after.get(padded..).unwrap_or_default();
        Ok(Self { kind, data, big })
    }

    /// The type of its numbers, if it holds numbers.
    pub(super) fn numbers(&self) -> Option<Kind> {
        let (letter, size) = match self.kind {
            1 => (b'i', 1),
            2 => (b'u', 1),
            3 => (b'i', 2),
            4 => (b'u', 2),
            5 => (b'i', 4),
            6 => (b'u', 4),
            7 => (b'f', 4),
            9 => (b'f', 8),
            12 => (b'i', 8),
            13 => (b'u', 8),
            _ => return None,
        };
        Some(Kind { letter, size, big: self.big })
    }

    /// Its characters, if it holds text.
    pub(super) fn characters(&self) -> Option<Vec<char>> {
        match self.kind {
            1 | 2 => Some(self.data.iter().map(|&byte| char::from(byte)).collect()),
            UTF8 => Some(String::from_utf8_lossy(self.data).chars().collect()),
            4 | 17 => {
                let (cells, _) = self.data.as_chunks::<2>();
                let units = cells
                    .iter()
                    .map(|cell| if self.big { u16::from_be_bytes(*cell) } else { u16::from_le_bytes(*cell) });
                Some(char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
            }
            18 => {
                let (cells, _) = self.data.as_chunks::<4>();
                Some(cells.iter().map(|&cell| char::from_u32(word(cell, self.big)).unwrap_or_default()).collect())
            }
            _ => None,
        }
    }

    /// Its bytes as 32-bit words.
    pub(super) fn words(&self) -> Vec<u32> {
        let (cells, _) = self.data.as_chunks::<4>();
        cells.iter().map(|&cell| word(cell, self.big)).collect()
    }
}

/// Appends an element, padded to a multiple of eight bytes.
pub(super) fn append(out: &mut Vec<u8>, kind: u32, data: &[u8]) -> std::io::Result<()> {
    let size = u32::try_from(data.len()).map_err(|_| {
        let problem = "a variable of a MATLAB file holds at most 4 GiB";
        std::io::Error::new(std::io::ErrorKind::InvalidInput, problem)
    })?;
    out.extend(kind.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(data);
    out.resize(out.len().next_multiple_of(8), 0);
    Ok(())
}

fn word(bytes: [u8; 4], big: bool) -> u32 {
    if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_elements_in_both_byte_orders() {
        let mut small: &[u8] = &[1, 0, 2, 0, b'a', b'b', 0, 0, 9];
        let element = Element::take(&mut small, false).unwrap();
        assert_eq!((element.kind, element.data, small), (INT8, &b"ab"[..], &[9][..]));
        let mut small: &[u8] = &[0, 2, 0, 1, b'a', b'b', 0, 0];
        assert_eq!(Element::take(&mut small, true).unwrap().data, b"ab");

        let mut out = Vec::new();
        append(&mut out, DOUBLE, &1.5f64.to_le_bytes()).unwrap();
        append(&mut out, INT8, b"abc").unwrap();
        let mut bytes = out.as_slice();
        assert_eq!(Element::take(&mut bytes, false).unwrap().data, 1.5f64.to_le_bytes());
        assert_eq!(Element::take(&mut bytes, false).unwrap().data, b"abc");
        assert!(bytes.is_empty());
        assert_eq!(
            Element::take(&mut &out[..12], false).unwrap_err(),
            "is cut short: an element needs 8 bytes, but 4 are left"
        );
    }
}
