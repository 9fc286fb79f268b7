//! The tool, run in a folder as a user runs it.

use assert_cmd::Command;
use std::path::Path;

/// What came of it.
pub fn truefold(folder: &Path, arguments: &[&str]) -> std::process::Output {
    Command::cargo_bin("truefold").unwrap().current_dir(folder).args(arguments).output().unwrap()
}

/// Standard output of a command that must succeed.
pub fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = truefold(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
