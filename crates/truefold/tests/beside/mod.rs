//! Data that may lie beside the project.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A file or folder of `../shared`; where it is missing the test is skipped, which is said aloud and written down.
///
/// The message goes to standard error itself, which the test runner does not capture; `cargo xtask test` lists the files
/// in `target/tmp/skipped` at its end.
pub fn shared(part: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("TRUEFOLD_SHARED").map_or(beside, PathBuf::from).join(part);
    let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
    let note = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped").join(&test);
    if path.exists() {
        // A note of an earlier run, from before the data came.
        let _ = std::fs::remove_file(note);
        return Some(path);
    }
    let reason = format!("{part} is neither in ../shared nor where TRUEFOLD_SHARED points");
    let written = std::fs::create_dir_all(note.parent()?).and_then(|()| std::fs::write(&note, &reason));
    let said = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
    written.and(said).unwrap();
    None
}
