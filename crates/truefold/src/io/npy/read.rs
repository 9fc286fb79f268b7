//! Reading the elements of an array after its header.

use super::super::array::Array;
use super::super::dense::Dense;
use super::super::open::{regular, unreadable, wrong_format};
use super::super::select::Selection;
use super::super::{ReadOptions, held};
use super::Header;
use crate::error::Advice;
use crate::points::Layout;
use crate::{Error, Points, Result, memory};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// What to do about an array that memory does not hold.
const SMALLER: &str = "give fewer rows, or save it uncompressed with numpy.save, which is used where it lies";

/// How many bytes are read at a time, a multiple of every element size.
const BLOCK: usize = 1 << 18;

/// Reads the points of a `.npy` file.
pub(in super::super) fn read(path: &Path, options: &ReadOptions) -> Result<Points> {
    let (file, size) = regular(path)?;
    let mut reader = BufReader::with_capacity(BLOCK, file);
    let header = match Header::read(&mut reader) {
        Ok(header) => header,
        Err(problem) => return Err(not_an_array(path, problem)),
    };
    let (rows, columns) = sides(path, None, &header)?;
    let needed = bytes_needed(&header).and_then(|bytes| bytes.checked_add(header.length));
    if needed.is_none_or(|needed| needed > size) {
        let needed = needed.map_or("more".into(), |needed| needed.to_string());
        return Err(Error::file(
            path,
            format!("is cut short: its shape {} needs {needed} bytes, but it has {size}", header.shape_text()),
            Advice::mend_file("copy or save it again"),
        ));
    }
    let in_rows = !header.fortran || rows == 1 || columns == 1;
    let in_place = in_rows && header.count() > Some(0) && size >= held::LARGE;
    if let Some(precision) = header.kind.precision().filter(|_| in_place) {
        let selection = Selection::new(path, None, columns, options)?;
        if selection.dim() == columns {
            let owner = held::bytes(path, reader.get_mut(), size)?;
            let offset = usize::try_from(header.length).unwrap_or(usize::MAX);
            let layout = Layout { precision, len: rows, dim: columns, offset, stride: columns };
            return selection.points(held::points(owner, &layout, header.kind.big), None, None);
        }
    }
    dense(path, None, &header, &mut reader)?.points(path, options)
}

/// Reads an array of one or two dimensions as a table; `name` is the name of the array in an archive.
pub(in super::super) fn dense(
    path: &Path,
    name: Option<&str>,
    header: &Header,
    reader: &mut impl Read,
) -> Result<Dense> {
    let (rows, columns) = sides(path, name, header)?;
    check_numbers(path, name, header)?;
    let mut values = Array::for_kind(header.kind);
    blocks(path, name, header, reader, |block| values.append(header.kind, block))?;
    Ok(if header.fortran && columns > 1 {
        Dense::from_columns(rows, columns, &values)
    } else {
        Dense { rows, columns, values, ..Dense::default() }
    })
}

/// Reads all elements as numbers, in their order in the file.
pub(in super::super) fn numbers(
    path: &Path,
    name: Option<&str>,
    header: &Header,
    reader: &mut impl Read,
) -> Result<Vec<f64>> {
    check_numbers(path, name, header)?;
    let mut values = Vec::new();
    blocks(path, name, header, reader, |block| header.kind.decode(block, &mut values))?;
    Ok(values)
}

fn check_numbers(path: &Path, name: Option<&str>, header: &Header) -> Result<()> {
    if header.kind.is_number() {
        return Ok(());
    }
    let problem = format!("{} {}, but real numbers of at most 64 bits are needed", holds(name), header.kind.name());
    Err(Error::file(path, problem, Advice::mend_file("save it as an array of floats or integers")))
}

/// Reads all elements as integers, exactly.
pub(in super::super) fn integers(path: &Path, name: &str, header: &Header, reader: &mut impl Read) -> Result<Vec<i64>> {
    let again = || Advice::mend_file("save the file again");
    let refuse = || Error::file(path, format!("the array '{name}' must hold integers"), again());
    if !header.kind.is_integer() {
        return Err(refuse());
    }
    let mut values = Vec::new();
    blocks(path, Some(name), header, reader, |block| {
        values.extend(block.chunks_exact(header.kind.size).map(|cell| header.kind.integer(cell)));
    })?;
    values.into_iter().collect::<Option<Vec<i64>>>().ok_or_else(refuse)
}

/// Reads all elements as text.
pub(in super::super) fn strings(
    path: &Path,
    name: &str,
    header: &Header,
    reader: &mut impl Read,
) -> Result<Vec<String>> {
    let again = || Advice::mend_file("save the file again");
    let refuse = || Error::file(path, format!("the array '{name}' must hold text"), again());
    // NumPy gives even empty texts one character; a width of zero would let a short file claim any number of them.
    if !header.kind.is_text() || header.kind.size == 0 {
        return Err(refuse());
    }
    let mut texts = Vec::new();
    blocks(path, Some(name), header, reader, |block| {
        texts.extend(block.chunks_exact(header.kind.size).map(|cell| header.kind.text(cell)));
    })?;
    texts.into_iter().collect::<Option<Vec<String>>>().ok_or_else(refuse)
}

/// The rows and columns of an array of one or two dimensions.
fn sides(path: &Path, name: Option<&str>, header: &Header) -> Result<(usize, usize)> {
    let side = |side: u64| usize::try_from(side).unwrap_or(usize::MAX);
    match header.shape[..] {
        [rows] => Ok((side(rows), 1)),
        [rows, columns] => Ok((side(rows), side(columns))),
        _ => Err(Error::file(
            path,
            format!("{} an array of shape {}, but a table has two dimensions", holds(name), header.shape_text()),
            Advice::mend_file("save it with one row for each point"),
        )),
    }
}

fn holds(name: Option<&str>) -> String {
    name.map_or("holds".into(), |name| format!("the entry '{name}' holds"))
}

fn bytes_needed(header: &Header) -> Option<u64> {
    header.count()?.checked_mul(header.kind.size as u64)
}

/// An error if the values of the array need more memory than there is.
fn check_memory(path: &Path, header: &Header) -> Result<()> {
    let count = header.count().map_or(f64::INFINITY, |count| count as f64);
    let each = match header.kind.precision() {
        Some(precision) => precision.bytes(),
        None if header.kind.is_text() => size_of::<String>().saturating_add(header.kind.size),
        None => size_of::<f64>(),
    };
    // Arrays by columns are turned.
    let copies = if header.fortran && header.shape.len() > 1 { 2.0 } else { 1.0 };
    let task = format!("reading {}, an array of shape {},", path.display(), header.shape_text());
    memory::check(task, copies * count * each as f64, Advice::mend_file(SMALLER))
}

/// Hands the bytes of the array to `take`, whole elements at a time; never allocates more than the file holds.
fn blocks(
    path: &Path,
    name: Option<&str>,
    header: &Header,
    reader: &mut impl Read,
    mut take: impl FnMut(&[u8]),
) -> Result<()> {
    let needed = bytes_needed(header).unwrap_or(u64::MAX);
    let size = header.kind.size.max(1);
    check_memory(path, header)?;
    let length = (BLOCK / size).max(1).saturating_mul(size).min(usize::try_from(needed).unwrap_or(usize::MAX));
    let mut block = Vec::new();
    let mut left = needed;
    while left > 0 {
        block.clear();
        let wanted = left.min(length as u64);
        reader.take(wanted).read_to_end(&mut block).map_err(|cause| unreadable(path, cause))?;
        if (block.len() as u64) < wanted {
            let found = needed - left + block.len() as u64;
            let what = name.map_or("its array".into(), |name| format!("the array '{name}'"));
            let shape = header.shape_text();
            return Err(Error::file(
                path,
                format!("is cut short: {what} of shape {shape} needs {needed} bytes, but has {found}"),
                Advice::mend_file("copy or save it again"),
            ));
        }
        take(&block);
        left -= wanted;
    }
    Ok(())
}

fn not_an_array(path: &Path, problem: String) -> Error {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut first));
    if read.is_ok() && !first.starts_with(b"\x93NUMPY") {
        return wrong_format(path, "a .npy file", &first);
    }
    Error::file(path, problem, Advice::mend_file("save it again with numpy.save"))
}
