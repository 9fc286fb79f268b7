//! A variable of a MATLAB file: its class, its size, its name, and then its values.

use super::super::array::Array;
use super::super::dense::Dense;
use super::element::{COMPRESSED, Element, MATRIX};
use std::borrow::Cow;
use std::io::Read;

const CELL: u32 = 1;
const CHAR: u32 = 4;
const SPARSE: u32 = 5;
const COMPLEX: u32 = 0x800;

/// A variable whose values are not yet decoded.
pub(super) struct Variable<'a> {
    pub(super) name: String,
    flags: u32,
    dims: Vec<usize>,
    body: Cow<'a, [u8]>,
    /// Where the values begin in the body.
    values: usize,
    big: bool,
}

/// The bytes of a tag.
const TAG: u64 = 8;

/// The size that a compressed element says that it has, unpacked, if it is one.
pub(super) fn inflated_size(element: &Element<'_>) -> Option<u32> {
    let mut tag = [0; TAG as usize];
    if element.kind != COMPRESSED || flate2::read::ZlibDecoder::new(element.data).read_exact(&mut tag).is_err() {
        return None;
    }
    let size = Element { kind: 0, data: &tag[4..], big: element.big };
    size.words().first().copied()
}

impl<'a> Variable<'a> {
    /// From a top-level element; `None` if it is not a variable.
    pub(super) fn new(element: Element<'a>) -> Result<Option<Self>, String> {
        match element.kind {
            MATRIX => Self::parse(Cow::Borrowed(element.data), element.big).map(Some),
            COMPRESSED => {
                let mut inflated = Vec::new();
                // No more than the tag inside says, which its reader has seen before.
                let most = TAG + u64::from(inflated_size(&element).unwrap_or(0)).next_multiple_of(8);
                flate2::read::ZlibDecoder::new(element.data)
                    .take(most)
                    .read_to_end(&mut inflated)
                    .map_err(|cause| format!("has a damaged compressed element ({cause})"))?;
                let inner = Element::take(&mut inflated.as_slice(), element.big)?;
                if inner.kind != MATRIX {
                    return Ok(None);
                }
                let body = inner.data.to_vec();
                Self::parse(Cow::Owned(body), element.big).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn parse(body: Cow<'a, [u8]>, big: bool) -> Result<Self, String> {
        let mut rest: &[u8] = &body;
        // An empty cell is written as a matrix without any content.
        if rest.is_empty() {
            return Ok(Self { name: String::new(), flags: 0, dims: vec![0, 0], body, values: 0, big });
        }
        let flags = Element::take(&mut rest, big)?.words().first().copied().unwrap_or_default();
        let dims = Element::take(&mut rest, big)?.words().into_iter().map(|side| side as usize).collect();
        let name = Element::take(&mut rest, big)?.characters().unwrap_or_default().into_iter().collect();
        let values = body.len() - rest.len();
        Ok(Self { name, flags, dims, body, values, big })
    }

    fn class(&self) -> u32 {
        self.flags & 0xff
    }

    /// Whether it is a matrix of real numbers.
    pub(super) fn is_matrix(&self) -> bool {
        (6..=15).contains(&self.class()) && self.flags & COMPLEX == 0 && self.dims.len() == 2
    }

    /// Whether both of its sides are longer than one.
    pub(super) fn is_wide(&self) -> bool {
        self.dims.iter().all(|&side| side > 1)
    }

    /// The name and the size, for messages.
    pub(super) fn shown(&self) -> String {
        let sides: Vec<String> = self.dims.iter().map(usize::to_string).collect();
        format!("'{}' ({})", self.name, sides.join(" x "))
    }

    /// Why it is not a matrix of real numbers, as the end of a sentence.
    pub(super) fn unfit(&self) -> String {
        match self.class() {
            CELL => "is a cell array".into(),
            2 => "is a struct".into(),
            CHAR => "is text".into(),
            SPARSE => "is a sparse matrix".into(),
            6..=15 if self.flags & COMPLEX != 0 => "holds complex numbers".into(),
            6..=15 => format!("has {} dimensions", self.dims.len()),
            _ => "is an object".into(),
        }
    }

    /// The numbers of a matrix, which MATLAB stores column by column.
    pub(super) fn dense(&self) -> Result<Dense, String> {
        let (rows, columns) = (self.dims[0], self.dims[1]);
        let mut rest = &self.body[self.values..];
        let element = Element::take(&mut rest, self.big)?;
        let kind = element.numbers().ok_or(format!("has values of the unknown type {}", element.kind))?;
        let needed = rows.checked_mul(columns).and_then(|count| count.checked_mul(kind.size));
        if needed != Some(element.data.len()) {
            let needed = needed.map_or("more".into(), |needed| needed.to_string());
            return Err(format!("needs {needed} bytes for its size, but has {}", element.data.len()));
        }
        let mut values = Vec::with_capacity(element.data.len() / kind.size);
        kind.decode(element.data, &mut values);
        Ok(Dense::from_columns(rows, columns, &Array::Double(values)))
    }

    /// The texts of a cell array of texts, or the rows of a character matrix.
    pub(super) fn texts(&self) -> Option<Vec<String>> {
        let mut rest = &self.body[self.values..];
        match self.class() {
            CHAR => {
                let characters = Element::take(&mut rest, self.big).ok()?.characters()?;
                let &[rows, width] = self.dims.as_slice() else { return None };
                if rows.checked_mul(width)? != characters.len() || width == 0 {
                    return None;
                }
                let row = |row: usize| (0..width).map(|at| characters[at * rows + row]).collect::<String>();
                Some((0..rows).map(|at| row(at).trim_end().to_owned()).collect())
            }
            CELL => {
                let mut texts = Vec::new();
                while !rest.is_empty() {
                    let element = Element::take(&mut rest, self.big).ok()?;
                    let cell = Variable::new(element).ok()??;
                    if cell.dims.contains(&0) {
                        texts.push(String::new());
                        continue;
                    }
                    let mut values = &cell.body[cell.values..];
                    let characters = Element::take(&mut values, self.big).ok()?.characters()?;
                    texts.push(characters.into_iter().collect());
                }
                Some(texts)
            }
            _ => None,
        }
    }
}
