//! One column of a Parquet file: the meaning of its values, and the values.

use super::super::number::{decode, shortest};
use crate::points::{Element, Half};
use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescriptor;

/// How many values are decoded at a time.
const BATCH: usize = 1 << 14;

/// What the values of a column mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    Number,
    /// A float of 32 bits.
    Single,
    Unsigned,
    /// An integer, to be divided by this power of ten.
    Decimal(f64),
    Half,
    Text,
    /// Times, intervals and anything else that is not a number.
    Other,
}

impl Meaning {
    /// The bytes of a value once it is read; of a text, without its letters.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Single => size_of::<f32>(),
            Self::Text => size_of::<String>(),
            Self::Other => 0,
            Self::Number | Self::Unsigned | Self::Decimal(_) | Self::Half => size_of::<f64>(),
        }
    }

    pub(super) fn of(column: &ColumnDescriptor) -> Self {
        let physical = column.physical_type();
        match column.logical_type_ref() {
            Some(LogicalType::Decimal(decimal)) => return Self::Decimal(10f64.powi(decimal.scale)),
            Some(LogicalType::Float16) => return Self::Half,
            Some(LogicalType::Integer(integer)) if !integer.is_signed => return Self::Unsigned,
            Some(LogicalType::Integer(_)) => return Self::Number,
            Some(LogicalType::String | LogicalType::Enum | LogicalType::Json) => return Self::Text,
            Some(LogicalType::Unknown) | None => {}
            Some(_) => return Self::Other,
        }
        match (column.converted_type(), physical) {
            (ConvertedType::DECIMAL, _) => Self::Decimal(10f64.powi(column.type_scale())),
            (ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64, _) => {
                Self::Unsigned
            }
            (ConvertedType::NONE, Type::FLOAT) => Self::Single,
            (
                ConvertedType::NONE
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64,
                Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::DOUBLE,
            ) => Self::Number,
            (ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::ENUM, Type::BYTE_ARRAY) => Self::Text,
            _ => Self::Other,
        }
    }
}

/// The values of a column so far.
#[derive(Debug)]
pub(super) enum Values {
    Numbers(Vec<f64>),
    Singles(Vec<f32>),
    Texts(Vec<String>),
}

impl Values {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Singles(numbers) => numbers.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// The values as text.
    pub(super) fn into_texts(self) -> Vec<String> {
        match self {
            Self::Numbers(numbers) => numbers.into_iter().map(shortest).collect(),
            Self::Singles(numbers) => numbers.into_iter().map(|value| shortest(value.into())).collect(),
            Self::Texts(texts) => texts,
        }
    }
}

/// Why a chunk of a column could not be read.
pub(super) enum ChunkError {
    /// No value in this row, counted from zero.
    Null(usize),
    Unreadable(ParquetError),
}

impl From<ParquetError> for ChunkError {
    fn from(cause: ParquetError) -> Self {
        Self::Unreadable(cause)
    }
}

/// What the file says of a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Whether values may be missing.
    pub(super) optional: bool,
    /// The number of rows, of which the pages may not have more.
    pub(super) rows: usize,
}

/// Appends the values of a chunk.
pub(super) fn append(
    values: &mut Values,
    chunk: ColumnReader,
    meaning: Meaning,
    shape: Shape,
) -> Result<(), ChunkError> {
    let before = values.len();
    let whole = |bytes: &ByteArray| decimal(bytes.data());
    match (values, chunk) {
        (Values::Texts(texts), ColumnReader::ByteArrayColumnReader(reader)) => {
            each(reader, shape, before, |value| texts.push(decode(value.data())))
        }
        (Values::Singles(numbers), ColumnReader::FloatColumnReader(reader)) => {
            each(reader, shape, before, |&value| numbers.push(value))
        }
        (Values::Numbers(numbers), chunk) => {
            let scale = if let Meaning::Decimal(scale) = meaning { scale } else { 1.0 };
            let unsigned = meaning == Meaning::Unsigned;
            match chunk {
                ColumnReader::BoolColumnReader(reader) => {
                    each(reader, shape, before, |&value| numbers.push(f64::from(u8::from(value))))
                }
                ColumnReader::Int32ColumnReader(reader) => each(reader, shape, before, |&value| {
                    let value = if unsigned { f64::from(value as u32) } else { f64::from(value) };
                    numbers.push(value / scale);
                }),
                ColumnReader::Int64ColumnReader(reader) => each(reader, shape, before, |&value| {
                    let value = if unsigned { value as u64 as f64 } else { value as f64 };
                    numbers.push(value / scale);
                }),
                ColumnReader::FloatColumnReader(reader) => {
                    each(reader, shape, before, |&value| numbers.push(f64::from(value)))
                }
                ColumnReader::DoubleColumnReader(reader) => each(reader, shape, before, |&value| numbers.push(value)),
                ColumnReader::ByteArrayColumnReader(reader) => {
                    each(reader, shape, before, |value| numbers.push(whole(value) / scale))
                }
                ColumnReader::FixedLenByteArrayColumnReader(reader) => each(reader, shape, before, |value| {
                    numbers.push(match (meaning, value.data()) {
                        (Meaning::Half, &[low, high]) => Half::from_bits(u16::from_le_bytes([low, high])).wide(),
                        (_, bytes) => decimal(bytes) / scale,
                    });
                }),
                ColumnReader::Int96ColumnReader(_) => Err(ParquetError::General("96-bit times".into()).into()),
            }
        }
        _ => Err(ParquetError::General("a column changes its type".into()).into()),
    }
}

/// Hands every value of a chunk to `take`; `before` is the number of rows that came before it.
fn each<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    shape: Shape,
    before: usize,
    mut take: impl FnMut(&T::T),
) -> Result<(), ChunkError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut row = before;
    loop {
        values.clear();
        levels.clear();
        let (records, _, _) =
            reader.read_records(BATCH, if shape.optional { Some(&mut levels) } else { None }, None, &mut values)?;
        if records == 0 {
            return Ok(());
        }
        if let Some(at) = levels.iter().position(|&level| level == 0) {
            return Err(ChunkError::Null(row + at));
        }
        row += records;
        if row - before > shape.rows {
            return Err(ParquetError::General("a column has more values than rows".into()).into());
        }
        values.iter().for_each(&mut take);
    }
}

/// A whole number of any length in two's complement, high byte first.
fn decimal(bytes: &[u8]) -> f64 {
    let negative = bytes.first().is_some_and(|&first| first >= 128);
    let magnitude =
        bytes.iter().fold(0.0, |value, &byte| value * 256.0 + f64::from(if negative { !byte } else { byte }));
    if negative { -magnitude - 1.0 } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_of_any_length() {
        assert_eq!(decimal(&[0x04, 0xd2]), 1234.0);
        assert_eq!(decimal(&[0xff, 0xfb, 0x2e]), -1234.0);
        assert_eq!(decimal(&[0xff; 16]), -1.0);
        assert_eq!(decimal(&[]), 0.0);
    }
}
