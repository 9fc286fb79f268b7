//! A zip archive of one text and some arrays, in memory: the format of a saved model.
//!
//! Every entry has the checksum of the zip format, which is verified when the entry is read.

use super::npy::{self, Header};
use super::sheet::Numbers;
use crate::error::Advice;
use crate::{Error, Points, Result, memory};
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// An array to be written.
pub(crate) struct Archived<'a> {
    rows: usize,
    columns: usize,
    numbers: Numbers<'a>,
}

impl<'a> Archived<'a> {
    /// The coordinates of points, in their own precision.
    pub(crate) fn points(points: &'a Points) -> Self {
        Self { rows: points.len(), columns: points.dim(), numbers: Numbers::Real(points.table()) }
    }

    /// A list of integers.
    pub(crate) fn whole(values: &'a [i64]) -> Self {
        Self { rows: values.len(), columns: 1, numbers: Numbers::Whole(values) }
    }
}

/// The bytes of an archive that holds `manifest.json` and the arrays by name.
pub(crate) fn write_archive(manifest: &str, arrays: &[(&str, Archived<'_>)]) -> std::io::Result<Vec<u8>> {
    // The date is always the first that the format knows, so that the same model gives the same bytes.
    let options = SimpleFileOptions::DEFAULT
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1))
        .last_modified_time(zip::DateTime::DEFAULT);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("manifest.json", options)?;
    zip.write_all(manifest.as_bytes())?;
    for (name, array) in arrays {
        zip.start_file(format!("{name}.npy"), options.large_file(array.rows * array.columns >= 1 << 28))?;
        npy::write_numbers(&mut zip, array.rows, array.columns, array.numbers)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// An archive being read.
pub(crate) struct Archive<'a> {
    path: PathBuf,
    what: &'a str,
    zip: ZipArchive<Cursor<&'a [u8]>>,
}

impl<'a> Archive<'a> {
    /// The archive in `bytes`; messages call it a `what` in the file `path`.
    pub(crate) fn open(bytes: &'a [u8], path: &Path, what: &'a str) -> Result<Self> {
        if !bytes.starts_with(b"PK") {
            let advice = Advice::mend_file(format!("give a saved {what}"));
            return Err(Error::file(path, format!("is not a {what}"), advice));
        }
        match ZipArchive::new(Cursor::new(bytes)) {
            Ok(zip) => Ok(Self { path: path.to_owned(), what, zip }),
            Err(cause) => {
                Err(Error::file(path, "is cut short or damaged: it is no readable archive", again()).caused_by(cause))
            }
        }
    }

    /// All of an entry, checked against its checksum.
    fn entry(&mut self, name: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let damaged = || Error::file(&self.path, format!("is damaged: '{name}' cannot be read"), again());
        match self.zip.by_name(name) {
            Ok(mut file) => {
                let size = file.size();
                let task = format!("reading '{name}' of {}", self.path.display());
                memory::check(task, size as f64, Advice::mend_file("use a model of fewer points"))?;
                // What the archive says is long, and a byte more, so that the end is seen and with it the checksum.
                match file.by_ref().take(size + 1).read_to_end(&mut bytes) {
                    Ok(read) if read as u64 == size => Ok(bytes),
                    Ok(_) => Err(damaged()),
                    Err(cause) => Err(damaged().caused_by(cause)),
                }
            }
            Err(zip::result::ZipError::FileNotFound) => {
                let advice = Advice::mend_file(format!("give a saved {}", self.what));
                Err(Error::file(&self.path, format!("is not a {}: it holds no '{name}'", self.what), advice))
            }
            Err(cause) => Err(damaged().caused_by(cause)),
        }
    }

    /// An entry of text.
    pub(crate) fn text(&mut self, name: &str) -> Result<String> {
        let bytes = self.entry(name)?;
        let path = &self.path;
        String::from_utf8(bytes)
            .map_err(|cause| Error::file(path, format!("is damaged: '{name}' is not text"), again()).caused_by(cause))
    }

    /// An array of real numbers, row by row.
    pub(crate) fn real(&mut self, name: &str) -> Result<Vec<f64>> {
        self.array(name, |path, header, reader| npy::numbers(path, Some(name), header, reader))
    }

    /// An array of integers.
    pub(crate) fn whole(&mut self, name: &str) -> Result<Vec<i64>> {
        self.array(name, |path, header, reader| npy::integers(path, name, header, reader))
    }

    fn array<T>(&mut self, name: &str, read: impl FnOnce(&Path, &Header, &mut &[u8]) -> Result<T>) -> Result<T> {
        let bytes = self.entry(&format!("{name}.npy"))?;
        let mut reader = bytes.as_slice();
        let header = Header::read(&mut reader)
            .map_err(|problem| Error::file(&self.path, format!("is damaged: the array '{name}' {problem}"), again()))?;
        read(&self.path, &header, &mut reader)
    }
}

fn again() -> Advice {
    Advice::mend_file("copy or save it again")
}
