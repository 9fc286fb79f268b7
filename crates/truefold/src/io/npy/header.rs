//! The header of an array: a Python dictionary of three keys, padded to a round length.

use super::super::kind::Kind;
use std::io::Read;

/// The longest header that is read; NumPy itself stops at 10 000 bytes.
const LONGEST: u64 = 1 << 16;

/// The header before the bytes of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Header {
    pub(in super::super) kind: Kind,
    /// Whether the array is stored column by column.
    pub(in super::super) fortran: bool,
    pub(in super::super) shape: Vec<u64>,
    /// The number of bytes before the array.
    pub(in super::super) length: u64,
}

impl Header {
    /// Reads the header; or the problem, as the end of a sentence.
    pub(in super::super) fn read(reader: &mut impl Read) -> Result<Self, String> {
        let mut fixed = [0; 10];
        let short = |cause: std::io::Error| match cause.kind() {
            std::io::ErrorKind::UnexpectedEof => "ends inside its .npy header".to_owned(),
            _ => format!("cannot be read ({cause})"),
        };
        reader.read_exact(&mut fixed).map_err(short)?;
        if !fixed.starts_with(b"\x93NUMPY") {
            return Err("is not a NumPy array: it does not begin with \\x93NUMPY".into());
        }
        let mut size = u64::from(u16::from_le_bytes([fixed[8], fixed[9]]));
        let mut length = 10;
        match fixed[6] {
            1 => {}
            2 | 3 => {
                let mut high = [0; 2];
                reader.read_exact(&mut high).map_err(short)?;
                size |= u64::from(u16::from_le_bytes(high)) << 16;
                length = 12;
            }
            version => return Err(format!("has .npy version {version}, but only versions 1 to 3 are known")),
        }
        if size > LONGEST {
            return Err(format!("has a .npy header of {size} bytes, but {LONGEST} are the most"));
        }
        let mut text = Vec::new();
        reader.take(size).read_to_end(&mut text).map_err(short)?;
        if text.len() as u64 != size {
            return Err("ends inside its .npy header".into());
        }
        let text = super::super::number::decode(&text);
        Self::parse(&text, length + size)
    }

    /// The number of elements, unless it overflows.
    pub(in super::super) fn count(&self) -> Option<u64> {
        self.shape.iter().try_fold(1u64, |count, &side| count.checked_mul(side))
    }

    /// The shape as Python writes it.
    pub(in super::super) fn shape_text(&self) -> String {
        let sides: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        format!("({}{})", sides.join(", "), if sides.len() == 1 { "," } else { "" })
    }

    fn parse(text: &str, length: u64) -> Result<Self, String> {
        let value = |key: &str| {
            let (_, after) = [format!("'{key}'"), format!("\"{key}\"")]
                .iter()
                .find_map(|quoted| text.split_once(quoted.as_str()))
                .ok_or(format!("has a .npy header without '{key}'"))?;
            let after = after.trim_start().strip_prefix(':').ok_or(format!("has a broken .npy header at '{key}'"))?;
            Ok::<&str, String>(after.trim_start())
        };
        let descr = value("descr")?;
        let kind = match descr.as_bytes().first() {
            Some(quote @ (b'\'' | b'"')) => {
                let inner = descr[1..].split(char::from(*quote)).next().unwrap_or_default();
                Kind::parse(inner).ok_or(format!("has elements of the unknown type '{}'", inner.escape_default()))?
            }
            Some(b'[' | b'(') => Kind { letter: b'V', size: 0, big: false },
            _ => return Err("has a broken .npy header at 'descr'".into()),
        };
        let fortran = value("fortran_order")?.starts_with("True");
        let shape = value("shape")?;
        let inner = shape.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (inner, _) = inner.ok_or("has a broken .npy header at 'shape'")?;
        let sides = inner.split(',').map(|side| side.trim().trim_end_matches('L')).filter(|side| !side.is_empty());
        let shape: Result<Vec<u64>, String> = sides
            .map(|side| side.parse().map_err(|_| format!("has the side '{}' in its shape", side.escape_default())))
            .collect();
        Ok(Self { kind, fortran, shape: shape?, length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_in_every_style_are_read() {
        let parse = |text: &str| Header::parse(text, 128);
        let header = parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }    \n").unwrap();
        assert_eq!((header.shape.as_slice(), header.fortran, header.count()), (&[3, 4][..], false, Some(12)));
        let header = parse("{\"shape\": (7L,), \"fortran_order\": True, \"descr\": \">i4\"}").unwrap();
        assert_eq!((header.shape_text().as_str(), header.fortran, header.kind.big), ("(7,)", true, true));
        assert_eq!(parse("{'descr': '<f8', 'fortran_order': False, 'shape': ()}").unwrap().shape, Vec::<u64>::new());
        assert_eq!(
            parse("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}").unwrap().kind.name(),
            "records"
        );
        assert!(parse("{'descr': '<f8', 'shape': (3,)}").is_err());
        assert!(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}").is_err());
    }
}
