//! Several files of one task appear together when all are written; where something fails before, none does.

use super::atomic::Written;
use crate::error::Advice;
use crate::{Error, Result};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

thread_local! {
    /// What this thread holds back.
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

/// Files that wait for their names, and folders that were made for them.
#[derive(Debug, Default)]
struct Held {
    files: Vec<Written>,
    folders: Vec<PathBuf>,
}

/// Does `work`, and lets the files that it writes with [`atomic`](super::atomic()) on this thread take their names when it is
/// done, or when it calls [`settle`]; after an error there are none, and no folder that was made by [`make_folder`]. Inside of
/// another call all wait for the end of the outer one.
///
/// ```
/// use std::io::Write;
/// use truefold::{Error, io};
///
/// let folder = tempfile::tempdir().unwrap();
/// let failed: Result<(), Error> = io::together(|| {
///     io::atomic(folder.path().join("a.txt"), |out| writeln!(out, "first"))?;
///     io::atomic(folder.path().join("missing/b.txt"), |out| writeln!(out, "second"))
/// });
/// assert!(failed.is_err() && !folder.path().join("a.txt").exists());
/// ```
pub fn together<T, E: From<Error>>(work: impl FnOnce() -> std::result::Result<T, E>) -> std::result::Result<T, E> {
    if HELD.with_borrow(Option::is_some) {
        return work();
    }
    HELD.set(Some(Held::default()));
    // Dropped whatever happens, and with it what waits.
    let _end = End;
    let done = work()?;
    settle()?;
    Ok(done)
}

/// Lets the files that were written inside of [`together`] take their names now, one after the other; nothing elsewhere. A name
/// that the system refuses ends it: files before it have appeared, and those after it do not.
pub fn settle() -> Result<()> {
    let files =
        HELD.with_borrow_mut(|held| held.as_mut().map_or_else(Vec::new, |held| std::mem::take(&mut held.files)));
    files.into_iter().try_for_each(Written::appear)?;
    HELD.with_borrow_mut(|held| held.iter_mut().for_each(|held| held.folders.clear()));
    Ok(())
}

/// Makes a folder and those above it, where they are not there.
pub fn make_folder(path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    let missing: Vec<&Path> =
        path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists()).collect();
    std::fs::create_dir_all(path).map_err(|cause| {
        let advice = Advice::mend_file("choose another folder");
        Error::file(path, "the folder cannot be made", advice).caused_by(cause)
    })?;
    HELD.with_borrow_mut(|held| {
        if let Some(held) = held {
            held.folders.extend(missing.into_iter().rev().map(Path::to_owned));
        }
    });
    Ok(())
}

/// Holds a file back, if this thread does so; else gives it back.
pub(super) fn hold(file: Written) -> Option<Written> {
    HELD.with_borrow_mut(|held| match held {
        Some(held) => {
            // Of two files for one place the later one counts.
            held.files.retain(|other| !file.replaces(other));
            held.files.push(file);
            None
        }
        None => Some(file),
    })
}

/// Forgets what is held.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        if let Some(Held { files, folders }) = HELD.take() {
            drop(files);
            for folder in folders.iter().rev() {
                // Only what is empty can be removed.
                let _ = std::fs::remove_dir(folder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::atomic;
    use std::io::Write;

    #[test]
    fn files_appear_at_the_end_or_when_settled_and_never_after_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| atomic(path(name), |out| out.write_all(text.as_bytes()));
        let names = || folder.path().read_dir().unwrap().count();
        together(|| {
            make_folder(path("new/deep"))?;
            write("new/deep/a", "1")?;
            write("b", "1")?;
            write("b", "2")?;
            assert!(!path("b").exists() && !path("new/deep/a").exists());
            settle()?;
            assert_eq!(std::fs::read_to_string(path("b")).unwrap(), "2");
            write("c", "3")
        })
        .unwrap();
        assert_eq!(std::fs::read_to_string(path("c")).unwrap(), "3");
        assert_eq!(names(), 3);
        let failed = together(|| {
            make_folder(path("other/deep"))?;
            write("other/deep/a", "1")?;
            write("b", "4")?;
            Err::<(), _>(Error::Cancelled)
        });
        assert_eq!(failed, Err(Error::Cancelled));
        assert_eq!((names(), std::fs::read_to_string(path("b")).unwrap().as_str()), (3, "2"));
        // An inner task ends with the outer one.
        let failed = together(|| {
            together(|| write("b", "6"))?;
            write("d", "7")?;
            Err::<(), _>(Error::Cancelled)
        });
        assert!(failed.is_err() && names() == 3);
        together(|| {
            write("d", "8")?;
            together(|| write("b", "9"))
        })
        .unwrap();
        assert_eq!((names(), std::fs::read_to_string(path("b")).unwrap().as_str()), (4, "9"));
        write("b", "5").unwrap();
        assert_eq!(std::fs::read_to_string(path("b")).unwrap(), "5");
    }
}
