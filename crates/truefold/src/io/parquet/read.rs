//! Reading points from the columns of a Parquet file.

use super::super::ReadOptions;
use super::super::open::{regular, wrong_format};
use super::super::select::{PANDAS_INDEX, Role, Selection};
use super::column::{Meaning, Problem, Values, append};
use crate::{Error, Points, Result};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::io::{Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Reads the points of a `.parquet` file.
pub(in super::super) fn read(path: &Path, options: &ReadOptions) -> Result<Points> {
    let (mut file, size) = regular(path)?;
    let mut first = [0; 8];
    let known = file.read(&mut first).and_then(|known| file.rewind().map(|()| known)).unwrap_or(0);
    if size < 12 || !first.starts_with(b"PAR1") {
        return Err(wrong_format(path, "a Parquet file", &first[..known]));
    }
    // The decoder panics on some damaged files; that is the file's fault and must not end the caller.
    catch_unwind(AssertUnwindSafe(|| read_open(file, path, options)))
        .unwrap_or_else(|_| Err(damaged(path, "its pages do not decode")))
}

fn read_open(file: File, path: &Path, options: &ReadOptions) -> Result<Points> {
    let failed = |cause: ParquetError| damaged(path, &cause.to_string());
    let reader = SerializedFileReader::new(file).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let fields = schema.root_schema().get_fields();
    if fields.is_empty() {
        return Err(Error::file(path, "has no columns", "give at least one column of numbers"));
    }
    // The leaf of each field, where the field is a plain value; nested fields have none.
    let mut leaves = vec![None; fields.len()];
    for leaf in 0..schema.num_columns() {
        let root = schema.get_column_root_idx(leaf);
        let column = schema.column(leaf);
        if fields[root].is_primitive() && column.max_rep_level() == 0 {
            leaves[root] = Some((leaf, Meaning::of(&column), column.max_def_level() > 0));
        }
    }
    let names: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
    let index = names.iter().position(|name| name == PANDAS_INDEX);
    let mut selection = Selection::new(path, Some(names), fields.len(), options)?;
    if let Some(index) = index {
        let text = matches!(leaves[index], Some((_, Meaning::Text, _)));
        selection.recognize(PANDAS_INDEX, if text { Role::Id } else { Role::Left });
    }

    let (mut coordinates, mut ids, mut labels) = (Vec::new(), None, None);
    let mut rows = None;
    for (field, &role) in selection.roles().iter().enumerate().filter(|(_, role)| **role != Role::Left) {
        let values = values(path, &reader, &selection, field, leaves[field])?;
        if *rows.get_or_insert(values.len()) != values.len() {
            return Err(damaged(path, "its columns differ in length"));
        }
        match (role, values) {
            (Role::Coordinate, Values::Numbers(numbers)) => coordinates.push(numbers),
            (Role::Coordinate, Values::Texts(texts)) => {
                let value = texts.first().map(String::as_str).unwrap_or_default();
                return Err(selection.text(0, None, field, value));
            }
            (Role::Id, values) => ids = Some(values.into_texts()),
            (_, values) => labels = Some(values.into_texts()),
        }
    }
    let rows = rows.unwrap_or(0);
    if rows == 0 || coordinates.is_empty() {
        return Err(Error::file(
            path,
            format!("is empty: it has {rows} rows and {} columns of numbers", coordinates.len()),
            "give at least one point with one coordinate",
        ));
    }
    let mut turned = Vec::with_capacity(rows * coordinates.len());
    for row in 0..rows {
        turned.extend(coordinates.iter().map(|column| column[row]));
    }
    selection.points(rows, turned, ids, labels)
}

/// All values of one field, over all row groups.
fn values(
    path: &Path,
    reader: &SerializedFileReader<File>,
    selection: &Selection,
    field: usize,
    leaf: Option<(usize, Meaning, bool)>,
) -> Result<Values> {
    let column = selection.column(field);
    let unfit = |what: &str| Error::file(path, format!("{column} {what}"), "leave it out with --drop-columns");
    let Some((leaf, meaning, optional)) = leaf else {
        return Err(unfit("holds nested values, not one number in each row"));
    };
    let mut values = match meaning {
        Meaning::Other => return Err(unfit("holds times or bytes, not numbers")),
        Meaning::Text => Values::Texts(Vec::new()),
        _ => Values::Numbers(Vec::new()),
    };
    for group in 0..reader.num_row_groups() {
        if let Some(codec) = unread(reader.metadata().row_group(group).column(leaf).compression()) {
            let problem = format!("{column} is compressed with {codec}, which is not read");
            return Err(Error::file(path, problem, "write the file again with zstd or snappy"));
        }
        let chunk = reader.get_row_group(group).and_then(|group| group.get_column_reader(leaf));
        let chunk = chunk.map_err(|cause| damaged(path, &cause.to_string()))?;
        append(&mut values, chunk, meaning, optional).map_err(|problem| match problem {
            Problem::Null(row) => selection.missing(row, None, field, "no value (null)"),
            Problem::Unreadable(cause) => damaged(path, &cause),
        })?;
    }
    Ok(values)
}

/// The codec's name, where it is one of those left out: nearly nobody uses them, and they are long to compile.
fn unread(compression: Compression) -> Option<&'static str> {
    match compression {
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZO => Some("lzo"),
        _ => None,
    }
}

fn damaged(path: &Path, problem: &str) -> Error {
    Error::file(path, format!("is a damaged Parquet file ({problem})"), "copy or save it again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::basic::{BrotliLevel, ZstdLevel};

    #[test]
    fn codecs_that_were_left_out_have_a_name() {
        assert_eq!(unread(Compression::BROTLI(BrotliLevel::default())), Some("brotli"));
        assert_eq!(unread(Compression::LZO), Some("lzo"));
        for read in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default())] {
            assert_eq!(unread(read), None);
        }
    }
}
