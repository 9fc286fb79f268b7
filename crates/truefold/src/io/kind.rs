//! The types of numbers and texts in binary files, and their bytes turned into values.

use crate::points::{Element, Half, Precision};

/// A type as its description `<f8` gives it: what it is, its size in bytes, and whether the high byte comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) letter: u8,
    pub(super) size: usize,
    pub(super) big: bool,
}

impl Kind {
    /// From a description such as `<f8`, `|b1`, `>U12`; `None` if it is not one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (order, rest) = match text.as_bytes() {
            [order @ (b'<' | b'>' | b'=' | b'|'), rest @ ..] => (*order, rest),
            rest => (b'=', rest),
        };
        let (&letter, digits) = rest.split_first()?;
        // Times end in their unit: M8[ns].
        let digits = digits.split(|&byte| byte == b'[').next().unwrap_or_default();
        let number: usize = if digits.is_empty() { 0 } else { str::from_utf8(digits).ok()?.parse().ok()? };
        // Strings count characters of four bytes.
        let size = if letter == b'U' { number.checked_mul(4)? } else { number };
        let big = order == b'>' || (order == b'=' && cfg!(target_endian = "big"));
        Some(Self { letter, size, big })
    }

    /// Whether elements of this type are read as numbers.
    pub(super) fn is_number(self) -> bool {
        matches!((self.letter, self.size), (b'b', 1) | (b'i' | b'u', 1 | 2 | 4 | 8) | (b'f', 2 | 4 | 8))
    }

    /// Whether elements of this type are whole numbers.
    pub(super) fn is_integer(self) -> bool {
        self.is_number() && self.letter != b'f'
    }

    /// Whether elements of this type are text.
    pub(super) fn is_text(self) -> bool {
        matches!(self.letter, b'U' | b'S')
    }

    /// What the elements are, in words.
    pub(super) fn name(self) -> String {
        match self.letter {
            b'c' => "complex numbers".into(),
            b'U' | b'S' | b'a' => "strings".into(),
            b'O' => "Python objects".into(),
            b'M' | b'm' => "times".into(),
            b'V' => "records".into(),
            b'f' => format!("{}-bit floats", self.size.saturating_mul(8)),
            letter => format!("elements of the type '{}{}'", char::from(letter).escape_default(), self.size),
        }
    }

    /// The precision in which points hold elements of this type as they are.
    pub(super) fn precision(self) -> Option<Precision> {
        match (self.letter, self.size) {
            (b'f', 8) => Some(Precision::Double),
            (b'f', 4) => Some(Precision::Single),
            (b'f', 2) => Some(Precision::Half),
            (b'u', 1) => Some(Precision::Byte),
            _ => None,
        }
    }

    /// The bytes of each element, low byte first.
    pub(super) fn cells<const SIZE: usize>(self, bytes: &[u8]) -> impl Iterator<Item = [u8; SIZE]> {
        bytes.as_chunks::<SIZE>().0.iter().map(move |&(mut cell)| {
            if self.big {
                cell.reverse();
            }
            cell
        })
    }

    /// Appends the numbers in `bytes`, which hold whole elements of a number type.
    pub(super) fn decode(self, bytes: &[u8], into: &mut Vec<f64>) {
        macro_rules! each {
            ($type:ty, $turn:expr) => {{
                let (cells, _) = bytes.as_chunks::<{ size_of::<$type>() }>();
                if self.big {
                    into.extend(cells.iter().map(|cell| $turn(<$type>::from_be_bytes(*cell))));
                } else {
                    into.extend(cells.iter().map(|cell| $turn(<$type>::from_le_bytes(*cell))));
                }
            }};
        }
        match (self.letter, self.size) {
            (b'b', _) => into.extend(bytes.iter().map(|&byte| f64::from(byte != 0))),
            (b'u', 1) => into.extend(bytes.iter().map(|&byte| f64::from(byte))),
            (b'i', 1) => each!(i8, f64::from),
            (b'i', 2) => each!(i16, f64::from),
            (b'u', 2) => each!(u16, f64::from),
            (b'i', 4) => each!(i32, f64::from),
            (b'u', 4) => each!(u32, f64::from),
            (b'i', _) => each!(i64, |value| value as f64),
            (b'u', _) => each!(u64, |value| value as f64),
            (b'f', 2) => each!(u16, |bits| Half::from_bits(bits).wide()),
            (b'f', 4) => each!(f32, f64::from),
            _ => each!(f64, |value: f64| value),
        }
    }

    /// The integer in the bytes of one element; `None` for an unsigned one beyond the largest signed.
    pub(super) fn integer(self, bytes: &[u8]) -> Option<i64> {
        let mut wide = [0; 8];
        for (at, slot) in wide.iter_mut().enumerate().take(bytes.len()) {
            *slot = bytes[if self.big { bytes.len() - 1 - at } else { at }];
        }
        let raw = u64::from_le_bytes(wide);
        if self.letter == b'i' {
            let unused = 64 - 8 * bytes.len().clamp(1, 8) as u32;
            Some((raw << unused) as i64 >> unused)
        } else {
            i64::try_from(raw).ok()
        }
    }

    /// The text in the bytes of one element, without the zeros that fill it up.
    pub(super) fn text(self, bytes: &[u8]) -> Option<String> {
        if self.letter == b'S' {
            let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            return Some(super::number::decode(&bytes[..end]));
        }
        let (cells, _) = bytes.as_chunks::<4>();
        let code = |cell: &[u8; 4]| if self.big { u32::from_be_bytes(*cell) } else { u32::from_le_bytes(*cell) };
        let text: Option<String> = cells.iter().map(|cell| char::from_u32(code(cell))).collect();
        text.map(|text| text.trim_end_matches('\0').to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders() {
        let decode = |kind: &str, bytes: &[u8]| {
            let mut values = Vec::new();
            Kind::parse(kind).unwrap().decode(bytes, &mut values);
            values
        };
        assert_eq!(decode(">i2", &[0xff, 0xfe, 1, 0]), [-2.0, 256.0]);
        assert_eq!(decode("<i2", &[0xfe, 0xff, 0, 1]), [-2.0, 256.0]);
        assert_eq!(decode(">f4", &1.5f32.to_be_bytes()), [1.5]);
        assert_eq!(decode("<f2", &[0, 0x3c]), [1.0]);
        assert_eq!(decode("|b1", &[0, 1, 7]), [0.0, 1.0, 1.0]);
        assert_eq!(Kind::parse(">i2").unwrap().integer(&[0xff, 0xfe]), Some(-2));
        assert_eq!(Kind::parse("<u8").unwrap().integer(&[0xff; 8]), None);
        assert_eq!(Kind::parse(">U2").unwrap().text(&[0, 0, 0, 0xe9, 0, 0, 0, 0]).unwrap(), "\u{e9}");
    }

    #[test]
    fn what_is_not_a_number_has_a_name() {
        for (kind, name) in
            [("<c16", "complex numbers"), ("|O", "Python objects"), ("<f16", "128-bit floats"), ("<M8[ns]", "times")]
        {
            let kind = Kind::parse(kind).unwrap();
            assert!(!kind.is_number());
            assert_eq!(kind.name(), name);
        }
        assert_eq!(Kind::parse(""), None);
        assert_eq!(Kind::parse("<f99999999999999999999"), None);
    }
}
