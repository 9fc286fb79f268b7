//! Writing a file whole or not at all: to a temporary file beside it first, which then takes its name.

use super::{stale, together};
use crate::error::Advice;
use crate::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Links that are followed to where a file is to be, at the most, as systems do.
const LINKS: usize = 40;

/// Writes the file at `path` by `write`. An error, a panic or a kill leaves the old file as it was.
///
/// The bytes go to a temporary file in the same directory, reach the disk, and the file is then renamed. An existing
/// file keeps its permissions, a symbolic link still points to its target, which need not be there yet, and what is not a
/// regular file, such as `/dev/null` or a pipe, is written to directly. Temporary files that killed runs of this machine left
/// in the directory are removed. Inside of [`together`](super::together()) files take their names when all are written.
///
/// ```
/// use std::io::Write;
/// use truefold::io::atomic;
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("note.txt");
/// atomic(&path, |writer| writeln!(writer, "whole"))?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\n");
///
/// let failed = atomic(&path, |writer| {
///     writeln!(writer, "half")?;
///     Err(std::io::Error::other("out of ink"))
/// });
/// assert!(failed.unwrap_err().to_string().ends_with("cannot be written (out of ink); check the disk and try again"));
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\n");
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn atomic(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut BufWriter<Sink<'_>>) -> std::io::Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    let failed = |cause: std::io::Error| unwritable(path, cause);
    let Target { place, directory, special } = target(path)?;
    if special {
        let file = OpenOptions::new().write(true).open(&place).map_err(failed)?;
        return fill(&file, write).map_err(failed);
    }
    let temporary = temporary(&directory).map_err(failed)?;
    fill(temporary.as_file(), write).map_err(failed)?;
    if let Ok(existing) = place.metadata() {
        temporary.as_file().set_permissions(existing.permissions()).map_err(failed)?;
    }
    temporary.as_file().sync_all().map_err(failed)?;
    together::hold(Written { temporary: temporary.into_temp_path(), place, path: path.to_owned() })
        .map_or(Ok(()), Written::appear)
}

/// A file that is written and not yet named.
#[derive(Debug)]
pub(super) struct Written {
    /// Closed, as a task may hold more files than may be open.
    temporary: tempfile::TempPath,
    place: PathBuf,
    path: PathBuf,
}

impl Written {
    /// Takes its name.
    pub(super) fn appear(self) -> Result<()> {
        let path = self.path;
        self.temporary.persist(&self.place).map_err(|cause| unwritable(&path, cause.error))
    }

    /// Whether it is to be where `other` is to be.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

/// A file being written, which remembers why the system declined: formats put errors of their own around it.
#[derive(Debug)]
pub struct Sink<'a> {
    file: &'a File,
    declined: Option<i32>,
}

impl Sink<'_> {
    fn noted<T>(&mut self, done: std::io::Result<T>) -> std::io::Result<T> {
        done.inspect_err(|cause| self.declined = self.declined.or(cause.raw_os_error()))
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let done = self.file.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let done = self.file.flush();
        self.noted(done)
    }
}

impl Seek for Sink<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let done = self.file.seek(to);
        self.noted(done)
    }
}

/// Fails now if [`atomic()`] would fail at the end: no such directory, no permission, a directory in the way.
///
/// Call it before a long computation, so that hours of work do not end in a message about a misspelled directory.
///
/// ```
/// use truefold::io::check_writable;
///
/// let directory = tempfile::tempdir().unwrap();
/// check_writable(directory.path().join("new.csv"))?;
/// let error = check_writable(directory.path().join("missing/new.csv")).unwrap_err().to_string();
/// assert!(error.contains("missing' does not exist; create it first"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn check_writable(path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    let target = target(path)?;
    if !target.special {
        temporary(&target.directory).map_err(|cause| unwritable(path, cause))?;
    }
    Ok(())
}

struct Target {
    place: PathBuf,
    directory: PathBuf,
    special: bool,
}

/// Where the bytes of `path` will be after links are followed; an error if nothing can be written there.
fn target(path: &Path) -> Result<Target> {
    // A pipe of this process has a link that names no path, and is there all the same.
    let place =
        path.canonicalize().unwrap_or_else(|_| if path.exists() { path.to_owned() } else { end_of_links(path) });
    let directory = match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let metadata = place.metadata().ok();
    if path.file_name().is_none() || metadata.as_ref().is_some_and(std::fs::Metadata::is_dir) {
        return Err(Error::file(path, "is a directory", Advice::mend_file("name a file in it to write to")));
    }
    if !directory.exists() {
        let problem = format!("its directory '{}' does not exist", directory.display());
        return Err(Error::file(path, problem, Advice::mend_file("create it first")));
    }
    if !directory.is_dir() {
        let problem = format!("'{}' is a file, not a directory", directory.display());
        return Err(Error::file(path, problem, Advice::mend_file("name a file in a directory")));
    }
    if metadata.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        let advice = Advice::mend_file("change its permissions or choose another name");
        return Err(Error::file(path, "is write-protected", advice));
    }
    let special = metadata.is_some_and(|metadata| !metadata.is_file());
    Ok(Target { place, directory, special })
}

/// Where a chain of symbolic links leads, whether or not there is something.
fn end_of_links(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = place.read_link() else { break };
        // A relative link starts from where it lies, and an absolute one replaces all before it.
        place = place.parent().unwrap_or(Path::new("")).join(next);
    }
    place
}

fn temporary(directory: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    stale::clean(directory);
    let (mut builder, prefix) = (tempfile::Builder::new(), stale::prefix());
    builder.prefix(&prefix);
    // Temporary files are private by default; a result gets the permissions of any other new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

fn fill(file: &File, write: impl FnOnce(&mut BufWriter<Sink<'_>>) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 17, Sink { file, declined: None });
    let done = write(&mut writer).and_then(|()| writer.flush());
    // What was not written must not be tried again when the writer goes.
    let declined = writer.into_parts().0.declined;
    done.map_err(|cause| declined.map_or(cause, std::io::Error::from_raw_os_error))
}

/// The error of a file that cannot be written.
fn unwritable(path: &Path, cause: std::io::Error) -> Error {
    let refuse = |problem: &'static str, advice: &'static str| Error::file(path, problem, Advice::mend_file(advice));
    match cause.kind() {
        ErrorKind::PermissionDenied => {
            refuse("permission to write there is denied", "choose another directory").with_source(cause)
        }
        ErrorKind::StorageFull => refuse("the disk is full", "make room or choose another disk").with_source(cause),
        ErrorKind::ReadOnlyFilesystem => {
            refuse("the disk is mounted read-only", "choose another directory").with_source(cause)
        }
        ErrorKind::InvalidInput => refuse("cannot be written", "choose another format").caused_by(cause),
        _ => refuse("cannot be written", "check the disk and try again").caused_by(cause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        let error = atomic(&path, |_| Err(std::io::Error::other("no"))).unwrap_err();
        assert!(std::error::Error::source(&error).is_some_and(|cause| cause.to_string() == "no"));
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        check_writable(&path).unwrap();
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_directory_in_the_way_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let error = check_writable(directory.path()).unwrap_err().to_string();
        assert!(error.ends_with("is a directory; name a file in it to write to"), "{error}");
        std::fs::write(directory.path().join("f"), "").unwrap();
        let error = check_writable(directory.path().join("f/g.csv")).unwrap_err().to_string();
        assert!(error.contains("is a file, not a directory"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_whatever_the_format_says() {
        let wrapped = |writer: &mut BufWriter<Sink<'_>>| {
            let many = vec![0; 1 << 20];
            writer.write_all(&many).map_err(|cause| std::io::Error::other(format!("format: {cause}")))
        };
        let error = atomic("/dev/full", wrapped).unwrap_err().to_string();
        assert_eq!(error, "/dev/full: the disk is full; make room or choose another disk");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_devices_are_honored() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let plain = directory.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        let ours = directory.path().join("ours");
        atomic(&ours, |writer| writer.write_all(b"1")).unwrap();
        assert_eq!(mode(&ours), mode(&plain));

        std::fs::set_permissions(&ours, PermissionsExt::from_mode(0o640)).unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(&ours, &link).unwrap();
        atomic(&link, |writer| writer.write_all(b"2")).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!((std::fs::read_to_string(&ours).unwrap().as_str(), mode(&ours)), ("2", 0o640));

        atomic("/dev/null", |writer| writer.write_all(b"gone")).unwrap();
        // A pipe, which a link leads to and no path names.
        #[cfg(target_os = "linux")]
        {
            use std::io::Read;
            use std::os::fd::AsRawFd;
            let (mut reader, pipe) = std::io::pipe().unwrap();
            let name = format!("/proc/self/fd/{}", pipe.as_raw_fd());
            check_writable(&name).unwrap();
            atomic(&name, |writer| writer.write_all(b"told")).unwrap();
            drop(pipe);
            let mut text = String::new();
            reader.read_to_string(&mut text).unwrap();
            assert_eq!(text, "told");
        }
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());

        // A link to nothing: what it names comes to be, and the link stays.
        std::fs::create_dir(directory.path().join("sub")).unwrap();
        let dangling = directory.path().join("sub/dangling");
        std::os::unix::fs::symlink("../new", &dangling).unwrap();
        atomic(&dangling, |writer| writer.write_all(b"3")).unwrap();
        assert!(dangling.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(directory.path().join("new")).unwrap(), "3");

        std::fs::set_permissions(&ours, PermissionsExt::from_mode(0o440)).unwrap();
        assert!(check_writable(&ours).unwrap_err().to_string().contains("write-protected"));
    }
}
