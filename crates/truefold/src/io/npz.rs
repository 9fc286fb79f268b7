//! NumPy's `.npz`: a zip archive in which every entry `name.npy` is an array.
//!
//! The points are the array that is asked for by name, or the only one with two dimensions, or the only array of
//! numbers. Arrays of text named `ids`, `labels` and `columns` are read with them if their lengths fit; they are
//! written the same way, beside the array `points`. The checksum of every array that is read is verified.

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
        let array = read(self.path, name, header, &mut file)?;
        // The checksum is compared where an entry ends, and an array ends there too.
        match file.read(&mut [0; 1]) {
            Ok(0) => Ok(array),
            Ok(_) => {
                let problem = format!("the array '{name}' has more bytes than its shape {} needs", header.shape_text());
                Err(Error::file(self.path, problem, Advice::mend_file("copy or save it again")))
            }
            Err(cause) => Err(broken(self.path).caused_by(cause)),
        }
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

#[cfg(test)]
mod tests {
    use super::super::{read, write};
    use crate::{Points, Result};
    use std::path::Path;

    fn written(path: &Path) -> Vec<u8> {
        let points = Points::new(40, 2, (0..80).map(|at| f64::from(at * 7919 % 101) / 8.0).collect()).unwrap();
        write(path, &points).unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn no_flipped_bit_of_the_numbers_is_read_as_another_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npz");
        let bytes = written(&path);
        let whole = read(&path, &Default::default()).unwrap();
        let found: Vec<Result<Points>> = (0..8 * bytes.len())
            .step_by(5)
            .map(|bit| {
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                std::fs::write(&path, flipped).unwrap();
                read(&path, &Default::default())
            })
            .collect();
        // Bits of dates and the like change nothing.
        assert!(found.iter().flatten().all(|points| points.values() == whole.values()));
        let refused = found.iter().filter(|read| read.is_err()).count();
        assert!(2 * refused > found.len(), "{refused} of {}", found.len());
    }

    #[test]
    fn an_array_ends_where_its_entry_ends() {
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npz");
        let mut array = Vec::new();
        super::npy::write_numbers(&mut array, 1, 2, super::super::sheet::Numbers::Whole(&[3, 4])).unwrap();
        array.push(0);
        let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        zip.start_file("x.npy", super::SimpleFileOptions::DEFAULT).unwrap();
        zip.write_all(&array).unwrap();
        zip.finish().unwrap();
        let told = read(&path, &Default::default()).unwrap_err().to_string();
        assert!(told.contains("the array 'x' has more bytes than its shape (1, 2) needs"), "{told}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_array_that_no_memory_holds_is_refused_before_it_is_unpacked() {
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npz");
        let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 3), }\n";
        let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        zip.start_file("x.npy", super::SimpleFileOptions::DEFAULT).unwrap();
        zip.write_all(b"\x93NUMPY\x01\x00").unwrap();
        zip.write_all(&(header.len() as u16).to_le_bytes()).unwrap();
        zip.write_all(header.as_bytes()).unwrap();
        zip.write_all(&[0; 80]).unwrap();
        zip.finish().unwrap();
        let told = read(&path, &Default::default()).unwrap_err().to_string();
        assert!(
            told.contains("x.npz, an array of shape (1000000000000, 3), needs about 24,000 GB of memory"),
            "{told}"
        );
    }
}
