//! Reading points from the columns of a Parquet file.

use super::super::ReadOptions;
use super::super::array::Array;
use super::super::open::{regular, wrong_format};
use super::super::select::{PANDAS_INDEX, Role, Selection};
use super::column::{ChunkError, Meaning, Shape, Values, append};
use super::ending::Ending;
use crate::error::Advice;
use crate::{Error, Points, Result, memory};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::cell::Cell;
use std::io::{Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

/// Reads the points of a `.parquet` file.
pub(in super::super) fn read(path: &Path, options: &ReadOptions) -> Result<Points> {
    let (mut file, size) = regular(path)?;
    let mut first = [0; 8];
    let known = file.read(&mut first).and_then(|known| file.rewind().map(|()| known)).unwrap_or(0);
    if size < 12 || !first.starts_with(b"PAR1") {
        return Err(wrong_format(path, "a Parquet file", &first[..known]));
    }
    // The decoder panics on some damaged files, which must not end the caller.
    quietly(|| read_open(Ending::new(file, size), path, options))
        .unwrap_or_else(|| Err(damaged(path, "is a damaged Parquet file: its pages do not decode")))
}

thread_local! {
    /// Whether this thread is inside of [`quietly`].
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What `work` gives, or nothing if it panics, of which nobody is told.
fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                told(panic);
            }
        }));
    });
    QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done.ok()
}

fn read_open(file: Ending, path: &Path, options: &ReadOptions) -> Result<Points> {
    let failed = |cause: ParquetError| undecodable(path, cause);
    let reader = SerializedFileReader::new(file).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let fields = schema.root_schema().get_fields();
    if fields.is_empty() {
        return Err(Error::file(path, "has no columns", Advice::mend_file("give at least one column of numbers")));
    }
    // The leaf of each field that is a plain value; nested fields have none.
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

    let taken = selection.roles().iter().zip(&leaves).filter(|(role, _)| **role != Role::Left);
    check_memory(path, &reader, taken.map(|(_, leaf)| leaf.map_or(Meaning::Other, |(_, meaning, _)| meaning)))?;
    let (mut coordinates, mut ids, mut labels) = (Vec::new(), None, None);
    let mut rows = None;
    for (field, &role) in selection.roles().iter().enumerate().filter(|(_, role)| **role != Role::Left) {
        let values = values(path, &reader, &selection, field, leaves[field])?;
        if *rows.get_or_insert(values.len()) != values.len() {
            return Err(damaged(path, "is a damaged Parquet file: its columns differ in length"));
        }
        match (role, values) {
            (Role::Coordinate, Values::Numbers(numbers)) => coordinates.push(Array::Double(numbers)),
            (Role::Coordinate, Values::Singles(numbers)) => coordinates.push(Array::Single(numbers)),
            (Role::Coordinate, Values::Texts(texts)) => {
                let value = texts.first().map(String::as_str).unwrap_or_default();
                return Err(selection.text(selection.cell(0, field), value));
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
            Advice::mend_file("give at least one point with one coordinate"),
        ));
    }
    let dim = coordinates.len();
    selection.points(Array::of_columns(coordinates, rows).points(rows, dim), ids, labels)
}

/// An error if as many columns need more memory than there is: by columns, and then by rows.
fn check_memory(
    path: &Path,
    reader: &SerializedFileReader<Ending>,
    columns: impl Iterator<Item = Meaning>,
) -> Result<()> {
    let rows = reader.metadata().file_metadata().num_rows().max(0);
    let widths: Vec<usize> = columns.map(Meaning::bytes).collect();
    let task = format!("reading {}, {rows} rows of {} columns,", path.display(), widths.len());
    let bytes = 2.0 * rows as f64 * widths.iter().sum::<usize>() as f64;
    memory::check(
        task,
        bytes,
        Advice::leave_out("drop_columns", "give fewer rows, or leave columns out with {drop_columns}"),
    )
}

/// All values of one field, over all row groups.
fn values(
    path: &Path,
    reader: &SerializedFileReader<Ending>,
    selection: &Selection,
    field: usize,
    leaf: Option<(usize, Meaning, bool)>,
) -> Result<Values> {
    let unfit = |what: &'static str| {
        let advice = Advice::leave_out("drop_columns", "leave it out with {drop_columns}");
        Error::file(path, what, advice).at(selection.column(field))
    };
    let Some((leaf, meaning, optional)) = leaf else {
        return Err(unfit("holds nested values, not one number in each row"));
    };
    let mut values = match meaning {
        Meaning::Other => return Err(unfit("holds times or bytes, not numbers")),
        Meaning::Text => Values::Texts(Vec::new()),
        Meaning::Single => Values::Singles(Vec::new()),
        _ => Values::Numbers(Vec::new()),
    };
    for group in 0..reader.num_row_groups() {
        if let Some(codec) = unread(reader.metadata().row_group(group).column(leaf).compression()) {
            let advice = Advice::mend_file("write the file again with zstd or snappy");
            let error = Error::file(path, format!("is compressed with {codec}, which is not read"), advice);
            return Err(error.at(selection.column(field)));
        }
        let rows = usize::try_from(reader.metadata().row_group(group).num_rows()).unwrap_or(0);
        let chunk = reader.get_row_group(group).and_then(|group| group.get_column_reader(leaf));
        let chunk = chunk.map_err(|cause| undecodable(path, cause))?;
        append(&mut values, chunk, meaning, Shape { optional, rows }).map_err(|problem| match problem {
            ChunkError::Null(row) => selection.missing(selection.cell(row, field), "no value (null)"),
            ChunkError::Unreadable(cause) => undecodable(path, cause),
        })?;
    }
    Ok(values)
}

/// The name of a codec that is not compiled in: these are rarely used and slow to compile.
fn unread(compression: Compression) -> Option<&'static str> {
    match compression {
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZO => Some("lzo"),
        _ => None,
    }
}

fn undecodable(path: &Path, cause: ParquetError) -> Error {
    damaged(path, "is a damaged Parquet file").caused_by(cause)
}

fn damaged(path: &Path, problem: &'static str) -> Error {
    Error::file(path, problem, Advice::mend_file("copy or save it again"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::basic::{BrotliLevel, ZstdLevel};

    #[test]
    fn values_need_the_memory_of_their_width() {
        let bytes = [Meaning::Single, Meaning::Number, Meaning::Half, Meaning::Other].map(Meaning::bytes);
        assert_eq!(bytes, [4, 8, 8, 0]);
    }

    #[test]
    fn codecs_that_were_left_out_have_a_name() {
        assert_eq!(unread(Compression::BROTLI(BrotliLevel::default())), Some("brotli"));
        assert_eq!(unread(Compression::LZO), Some("lzo"));
        for read in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default())] {
            assert_eq!(unread(read), None);
        }
    }
}
