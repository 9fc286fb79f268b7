//! Data that may lie beside the project.

use std::path::{Path, PathBuf};

/// A file or folder of `../shared`, or a message that the test was skipped.
pub fn shared(part: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("TRUEFOLD_SHARED").map_or(beside, PathBuf::from).join(part);
    if !path.exists() {
        eprintln!("skipped: {part} is neither in ../shared nor where TRUEFOLD_SHARED points");
        return None;
    }
    Some(path)
}
