//! Writing points as columns of floats or 64-bit integers, compressed with Snappy as pandas does.

use super::super::sheet::{Numbers, Sheet};
use crate::points::{Element, Table, with_rows};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// How many rows are written as one group.
const GROUP: usize = 1 << 20;

/// Writes the table with its texts as columns.
pub(in super::super) fn write(out: &mut (impl Write + Send), sheet: &Sheet) -> std::io::Result<()> {
    write_columns(out, sheet).map_err(std::io::Error::other)
}

fn write_columns(out: &mut (impl Write + Send), sheet: &Sheet) -> Result<()> {
    let physical = match sheet.numbers {
        Numbers::Real(Table::Single(_)) => Physical::FLOAT,
        Numbers::Real(_) => Physical::DOUBLE,
        Numbers::Whole(_) => Physical::INT64,
    };
    let [ids, labels] = sheet.text_columns();
    let mut fields = Vec::new();
    if let Some((name, _)) = ids {
        fields.push(field(name, Physical::BYTE_ARRAY)?);
    }
    for column in 0..sheet.columns {
        fields.push(field(&sheet.column_name(column), physical)?);
    }
    if let Some((name, _)) = labels {
        fields.push(field(name, Physical::BYTE_ARRAY)?);
    }
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).set_dictionary_enabled(false);
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?;
    for start in (0..sheet.rows).step_by(GROUP) {
        let rows = start..sheet.rows.min(start + GROUP);
        let mut group = file.next_row_group()?;
        if let Some((_, texts)) = ids {
            write_texts(&mut group, &texts[rows.clone()])?;
        }
        for column in 0..sheet.columns {
            match sheet.numbers {
                Numbers::Real(Table::Single(table)) => {
                    write_numbers::<FloatType, _>(&mut group, rows.clone(), |row| table.row(row)[column])?
                }
                Numbers::Real(table) => with_rows!(table, table => {
                    write_numbers::<DoubleType, _>(&mut group, rows.clone(), |row| table.row(row)[column].wide())?
                }),
                Numbers::Whole(values) => {
                    let cell = |row| values[row * sheet.columns + column];
                    write_numbers::<Int64Type, _>(&mut group, rows.clone(), cell)?
                }
            }
        }
        if let Some((_, texts)) = labels {
            write_texts(&mut group, &texts[rows])?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn field(name: &str, physical: Physical) -> Result<TypePtr> {
    let text = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
    let builder = Type::primitive_type_builder(name, physical);
    Ok(Arc::new(builder.with_repetition(Repetition::REQUIRED).with_logical_type(text).build()?))
}

fn write_numbers<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<W>,
    rows: Range<usize>,
    cell: impl Fn(usize) -> T::T,
) -> Result<()> {
    let cells: Vec<T::T> = rows.map(cell).collect();
    write_cells::<T, W>(group, &cells)
}

fn write_texts<W: Write + Send>(group: &mut SerializedRowGroupWriter<W>, texts: &[String]) -> Result<()> {
    let cells: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(text.as_bytes().to_vec())).collect();
    write_cells::<ByteArrayType, W>(group, &cells)
}

fn write_cells<T: DataType, W: Write + Send>(group: &mut SerializedRowGroupWriter<W>, cells: &[T::T]) -> Result<()> {
    // The schema has a column for every call, so there is a next one.
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(cells, None, None)?;
        column.close()?;
    }
    Ok(())
}
