//! Opening a file for reading, with a clear sentence for each way in which that fails.

use super::Format;
use crate::{Error, Result};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Opens a file that must be seekable and have a size.
pub(super) fn regular(path: &Path) -> Result<(File, u64)> {
    let file = open(path)?;
    let metadata = file.metadata().map_err(|cause| unreadable(path, &cause))?;
    if !metadata.is_file() {
        return Err(Error::file(
            path,
            "is not a regular file",
            "save the data to a file first; only CSV can be read from a pipe",
        ));
    }
    Ok((file, metadata.len()))
}

/// All bytes of a file or a pipe.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|cause| unreadable(path, &cause))?;
    Ok(bytes)
}

/// What went wrong while reading, as a sentence.
pub(super) fn unreadable(path: &Path, cause: &std::io::Error) -> Error {
    match cause.kind() {
        ErrorKind::NotFound => Error::file(path, "there is no such file", "check the name and the directory"),
        ErrorKind::PermissionDenied => {
            Error::file(path, "permission to read it is denied", "change its permissions or ask its owner")
        }
        ErrorKind::IsADirectory => directory(path),
        _ => Error::file(path, format!("cannot be read ({cause})"), "check the file and the disk"),
    }
}

/// The bytes are not of the format they were taken for; says what they look like where that is plain.
pub(super) fn wrong_format(path: &Path, expected: &str, first: &[u8]) -> Error {
    let problem = format!("is not {expected}");
    match Format::from_first_bytes(first) {
        Some(format) => {
            Error::file(path, format!("{problem}: it begins like .{format}"), format!("use --input-format {format}"))
        }
        None => Error::file(path, problem, "check the file, or name its format with --input-format"),
    }
}

fn open(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|cause| unreadable(path, &cause))?;
    // Unix opens directories without complaint and fails only when they are read.
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) { Err(directory(path)) } else { Ok(file) }
}

/// A directory where a file is needed.
pub(super) fn directory(path: &Path) -> Error {
    Error::file(path, "is a directory, not a file", "name a file in it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_files_and_directories_have_their_sentences() {
        let error = bytes(Path::new("/no/such/file.csv")).unwrap_err().to_string();
        assert_eq!(error, "/no/such/file.csv: there is no such file; check the name and the directory");
        let directory = tempfile::tempdir().unwrap();
        let error = bytes(directory.path()).unwrap_err().to_string();
        assert!(error.ends_with(": is a directory, not a file; name a file in it"), "{error}");
        assert!(regular(directory.path()).is_err());
    }
}
