//! Opening a file for reading, with a clear sentence for each way this can fail.

use super::Format;
use crate::error::{Advice, Text};
use crate::{Error, Result};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Opens a file that is needed to be seekable; the file and its size.
pub(super) fn regular(path: &Path) -> Result<(File, u64)> {
    let file = open(path)?;
    let metadata = file.metadata().map_err(|cause| unreadable(path, cause))?;
    if !metadata.is_file() {
        return Err(Error::file(
            path,
            "is not a regular file",
            Advice::mend_file("save the data to a file first; only CSV can be read from a pipe"),
        ));
    }
    Ok((file, metadata.len()))
}

/// All bytes of a file or a pipe.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|cause| unreadable(path, cause))?;
    Ok(bytes)
}

/// The error of a file that cannot be read.
pub(super) fn unreadable(path: &Path, cause: std::io::Error) -> Error {
    let refuse = |problem: &'static str, advice: &'static str| Error::file(path, problem, Advice::mend_file(advice));
    match cause.kind() {
        ErrorKind::NotFound => refuse("there is no such file", "check the name and the directory").with_source(cause),
        ErrorKind::PermissionDenied => {
            refuse("permission to read it is denied", "change its permissions or ask its owner").with_source(cause)
        }
        ErrorKind::IsADirectory => directory(path).with_source(cause),
        _ => refuse("cannot be read", "check the file and the disk").caused_by(cause),
    }
}

/// The error of bytes that are not in the expected format; names the format that they begin like, if there is one.
pub(super) fn wrong_format(path: &Path, expected: &str, first: &[u8]) -> Error {
    let problem = format!("is not {expected}");
    match Format::from_first_bytes(first) {
        Some(format) => {
            let advice = Text::of("set {input_format} to ").and(format!("{format}"));
            Error::file(path, format!("{problem}: it begins like .{format}"), Advice::change("input_format", advice))
        }
        None => {
            let advice = Advice::change("input_format", "check the file, or name its format with {input_format}");
            Error::file(path, problem, advice)
        }
    }
}

fn open(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|cause| unreadable(path, cause))?;
    // Unix opens directories without complaint and fails only when they are read.
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) { Err(directory(path)) } else { Ok(file) }
}

/// The error of a directory where a file is needed.
pub(super) fn directory(path: &Path) -> Error {
    Error::file(path, "is a directory, not a file", Advice::mend_file("name a file in it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_files_and_directories_have_their_sentences_and_causes() {
        let error = bytes(Path::new("/no/such/file.csv")).unwrap_err();
        assert_eq!(error.to_string(), "/no/such/file.csv: there is no such file; check the name and the directory");
        assert!(std::error::Error::source(&error).is_some_and(|cause| cause.is::<std::io::Error>()));
        let error = unreadable(Path::new("a.csv"), std::io::Error::other("jam"));
        assert_eq!(error.to_string(), "a.csv: cannot be read (jam); check the file and the disk");
        assert!(std::error::Error::source(&error).is_some());
        let directory = tempfile::tempdir().unwrap();
        let error = bytes(directory.path()).unwrap_err().to_string();
        assert!(error.ends_with(": is a directory, not a file; name a file in it"), "{error}");
        assert!(regular(directory.path()).is_err());
    }
}
