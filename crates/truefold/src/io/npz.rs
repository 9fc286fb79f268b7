//! NumPy's `.npz`: a zip archive in which every entry `name.npy` is an array.
//!
//! The points are the array that is asked for by name, or the only one with two dimensions, or the only array of
//! numbers. Arrays of text named `ids`, `labels` and `columns` are read with them if their lengths fit; they are
//! written the same way, beside the array `points`.

use super::ReadOptions;
use super::npy::{self, Header};
use super::open::{regular, wrong_format};
use super::sheet::Sheet;
use crate::error::Advice;
use crate::{Error, Points, Result};
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// An open archive with the headers of its arrays.
pub(super) struct ArrayArchive<'a> {
    path: &'a Path,
    zip: ZipArchive<BufReader<File>>,
    arrays: Vec<(String, usize, Header)>,
}

impl<'a> ArrayArchive<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self> {
        let (file, _) = regular(path)?;
        let mut reader = BufReader::new(file);
        let mut first = [0; 8];
        let known = reader.read(&mut first).unwrap_or(0);
        let zip = match ZipArchive::new(reader) {
            Ok(zip) => zip,
            Err(_) if !first.starts_with(b"PK") => {
                return Err(wrong_format(path, "a .npz archive", &first[..known]));
            }
            Err(cause) => return Err(broken(path).caused_by(cause)),
        };
        let mut archive = Self { path, zip, arrays: Vec::new() };
        for entry in 0..archive.zip.len() {
            let mut file = archive.zip.by_index(entry).map_err(|cause| broken(path).caused_by(cause))?;
            let name = file.name().ok().and_then(|name| name.strip_suffix(".npy").map(str::to_owned));
            let Some(name) = name else { continue };
            let header = Header::read(&mut file).map_err(|problem| {
                Error::file(path, format!("the array '{name}' {problem}"), Advice::mend_file("save it again"))
            })?;
            drop(file);
            archive.arrays.push((name, entry, header));
        }
        Ok(archive)
    }

    /// The header of an array, if the archive holds it.
    pub(super) fn header(&self, name: &str) -> Option<&Header> {
        self.arrays.iter().find(|(known, _, _)| known == name).map(|(_, _, header)| header)
    }

    /// Reads an array by name through `read`.
    pub(super) fn array<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Path, &str, &Header, &mut dyn Read) -> Result<T>,
    ) -> Result<T> {
        let Some((_, entry, header)) = self.arrays.iter().find(|(known, _, _)| known == name) else {
            let problem = format!("holds no array named '{name}'");
            let advice = Advice::change("variable", format!("it holds {}", self.list()));
            return Err(Error::file(self.path, problem, advice));
        };
        let mut file = self.zip.by_index(*entry).map_err(|cause| broken(self.path).caused_by(cause))?;
        // The header was read when the archive was opened; this passes over it.
        Header::read(&mut file).map_err(|problem| {
            Error::file(self.path, format!("the array '{name}' {problem}"), Advice::mend_file("copy or save it again"))
        })?;
        read(self.path, name, header, &mut file)
    }

    fn list(&self) -> String {
        let shown: Vec<String> =
            self.arrays.iter().take(20).map(|(name, _, header)| format!("'{name}' {}", header.shape_text())).collect();
        if shown.is_empty() { "no arrays".into() } else { shown.join(", ") }
    }

    /// The name of the array that holds the points.
    fn choose(&self) -> Result<String> {
        let numbers = || self.arrays.iter().filter(|(_, _, header)| header.kind.is_number());
        let tables: Vec<&String> =
            numbers().filter(|(_, _, header)| header.shape.len() == 2).map(|(name, _, _)| name).collect();
        let all: Vec<&String> = numbers().map(|(name, _, _)| name).collect();
        match (tables[..].as_ref(), all[..].as_ref()) {
            ([only], _) | ([], [only]) => Ok((*only).clone()),
            ([], _) => Err(Error::file(
                self.path,
                format!("holds no two-dimensional array of numbers, but {}", self.list()),
                Advice::change("variable", "save one with one row for each point, or name one with {variable}"),
            )),
            (several, _) => Err(Error::file(
                self.path,
                format!("holds {} two-dimensional arrays: {}", several.len(), self.list()),
                Advice::change("variable", "name one with {variable}"),
            )),
        }
    }
}

/// Reads the points of a `.npz` file.
pub(super) fn read(path: &Path, options: &ReadOptions) -> Result<Points> {
    let mut archive = ArrayArchive::open(path)?;
    let name = match &options.variable {
        Some(name) => name.clone(),
        None if super::sparse::is_layout(&archive) => {
            return Err(Error::file(
                path,
                "is a sparse matrix of scipy, but a table of points is needed",
                Advice::mend_file("save matrix.toarray() with numpy.save, or give it where distances are asked for"),
            ));
        }
        None => archive.choose()?,
    };
    let mut dense = archive.array(&name, |path, name, header, reader| {
        let mut reader = reader;
        npy::dense(path, Some(name), header, &mut reader)
    })?;
    for beside in ["ids", "labels", "columns"] {
        if beside != name
            && archive.header(beside).is_some_and(|header| header.kind.is_text() && header.shape.len() == 1)
        {
            let texts = archive
                .array(beside, |path, name, header, mut reader| npy::strings(path, name, header, &mut reader))?;
            dense.attach(beside, texts);
        }
    }
    dense.points(path, options)
}

/// Writes the table and its texts, compressed.
pub(super) fn write(out: &mut (impl Write + Seek), sheet: &Sheet) -> std::io::Result<()> {
    // The date is always the first that the format knows, so that the same points give the same bytes.
    let large = sheet.rows.saturating_mul(sheet.columns) >= 1 << 28;
    let options = SimpleFileOptions::DEFAULT
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1))
        .last_modified_time(zip::DateTime::DEFAULT)
        .large_file(large);
    let mut zip = ZipWriter::new(out);
    zip.start_file(format!("{}.npy", sheet.name), options)?;
    npy::write_numbers(&mut zip, sheet.rows, sheet.columns, sheet.numbers)?;
    for (name, texts) in sheet.texts() {
        zip.start_file(format!("{name}.npy"), options)?;
        npy::write_strings(&mut zip, texts)?;
    }
    zip.finish()?;
    Ok(())
}

fn broken(path: &Path) -> Error {
    Error::file(path, "is a damaged .npz archive", Advice::mend_file("copy or save it again"))
}
