//! No source file of the project is too long to read in one go.

use std::path::Path;

const MOST_LINES: usize = 400;
const KINDS: [&str; 4] = ["rs", "py", "js", "css"];
/// Written by programs.
const GENERATED: [&str; 2] = ["python/truefold/estimators.py", "python/truefold/datasets.py"];
/// Not part of the project: what builds, tools and tests leave behind.
const SKIPPED: [&str; 3] = ["target", "__pycache__", "node_modules"];

/// Each source file below `folder` with the number of its lines.
fn sizes(folder: &Path, found: &mut Vec<(String, usize)>, root: &Path) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&&*name) {
            sizes(&path, found, root);
        } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
            let lines = std::fs::read_to_string(&path).unwrap().lines().count();
            found.push((path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"), lines));
        }
    }
}

#[test]
fn no_source_file_is_too_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    sizes(root, &mut found, root);
    assert!(found.len() > 300 && found.iter().any(|(path, _)| path == "xtask/tests/sizes.rs"), "{}", found.len());
    found.retain(|(path, lines)| *lines > MOST_LINES && !GENERATED.contains(&path.as_str()));
    assert!(found.is_empty(), "longer than {MOST_LINES} lines: {found:?}");
}
