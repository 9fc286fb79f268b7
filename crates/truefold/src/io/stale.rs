//! Temporary files of runs that were killed: their names tell whose they are, and the next run that writes beside them removes
//! them.
//!
//! A name holds the machine (its own number, its name and, for containers, the list of processes that it sees), the number of
//! the process, and when it began. A file of this machine and this user whose process is gone, or is another of the same
//! number, is stale. Where the system does not tell these facts, nothing is removed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// How the names of all temporary files begin.
const BEGINNING: &str = ".truefold-";

/// How the names of the temporary files of this process begin.
pub(super) fn prefix() -> String {
    match (machine(), began(std::process::id())) {
        (Some(machine), Some(began)) => format!("{BEGINNING}{machine:08x}-{}-{began:08x}-", std::process::id()),
        _ => BEGINNING.to_owned(),
    }
}

/// Removes stale files from a directory, once in the life of this process.
pub(super) fn clean(directory: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(directory.to_owned()) {
        return;
    }
    remove_stale(directory);
}

fn remove_stale(directory: &Path) {
    let Ok(entries) = directory.read_dir() else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(is_stale) && is_own(&entry.path()) {
            // Another run may have been faster, or it is not ours to remove.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether a file of this name was left by a process of this machine that is no more.
fn is_stale(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(BEGINNING) else { return false };
    let parts: Vec<&str> = rest.split('-').collect();
    let [owner, process, at, _] = parts[..] else { return false };
    let hexadecimal = |text: &str| u32::from_str_radix(text, 16).ok();
    let (Some(owner), Ok(process), Some(at)) = (hexadecimal(owner), process.parse(), hexadecimal(at)) else {
        return false;
    };
    machine() == Some(owner) && is_gone(process, at)
}

/// Whether a file belongs to the user of this process: those of others may not be seen.
#[cfg(target_os = "linux")]
fn is_own(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (file, process) = (path.symlink_metadata(), Path::new("/proc/self").metadata());
    matches!((file, process), (Ok(file), Ok(process)) if file.uid() == process.uid())
}

#[cfg(not(target_os = "linux"))]
fn is_own(_: &Path) -> bool {
    false
}

/// Whether it is sure that no process of this number began then.
fn is_gone(process: u32, at: u32) -> bool {
    match Path::new("/proc").join(process.to_string()).symlink_metadata() {
        Ok(_) => began(process).is_some_and(|began| began != at),
        Err(cause) => cause.kind() == std::io::ErrorKind::NotFound,
    }
}

/// This machine, as its processes see it.
fn machine() -> Option<u32> {
    static MACHINE: OnceLock<Option<u32>> = OnceLock::new();
    *MACHINE.get_or_init(|| {
        // Where it has no number, as in many containers, that of its last start.
        let number = |path: &str| std::fs::read_to_string(path).ok().filter(|text| !text.trim().is_empty());
        let own = number("/etc/machine-id").or_else(|| number("/proc/sys/kernel/random/boot_id"))?;
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
        let processes = std::fs::read_link("/proc/self/ns/pid").ok()?;
        Some(digest(&format!("{own}{name}{}", processes.display())))
    })
}

/// When a process began; nothing if there is none.
fn began(process: u32) -> Option<u32> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the name of the program, which may hold anything, the twentieth number.
    let ticks = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?;
    Some(digest(&format!("{boot}{ticks}")))
}

/// The hash FNV-1a of a text.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn files_of_dead_runs_of_this_machine_go_and_all_others_stay() {
        let (machine, own) = (machine().unwrap(), std::process::id());
        let now = began(own).unwrap();
        // No process has so high a number.
        let dead = 1 << 30;
        let stale = [format!(".truefold-{machine:08x}-{dead}-{now:08x}-abc"), {
            format!(".truefold-{machine:08x}-{own}-{:08x}-abc", now ^ 1)
        }];
        let kept = [
            format!("{}xyz", prefix()),
            format!(".truefold-{:08x}-{dead}-{now:08x}-abc", machine ^ 1),
            ".truefold-abcdef".to_owned(),
            format!("truefold-{machine:08x}-{dead}-{now:08x}-abc"),
        ];
        let folder = tempfile::tempdir().unwrap();
        stale.iter().chain(&kept).for_each(|name| std::fs::write(folder.path().join(name), "").unwrap());
        super::super::atomic(folder.path().join("x"), |_| Ok(())).unwrap();
        let left = |name: &String| folder.path().join(name).exists();
        assert!(!stale.iter().any(left) && kept.iter().all(left));
    }
}
