//! Workflows only call cargo: chores that exist, with options that they take.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The source of a chore.
fn source(name: &str) -> String {
    let source = root().join("xtask/src");
    let files = [source.join(format!("{name}.rs")), source.join(name).join("mod.rs")];
    let file = files.iter().find(|file| file.is_file()).unwrap_or_else(|| panic!("no source of the chore {name}"));
    fs::read_to_string(file).unwrap()
}

#[test]
fn workflows_call_chores_that_exist() {
    let chores = fs::read_to_string(root().join("xtask/src/main.rs")).unwrap();
    let mut called = Vec::new();
    for entry in fs::read_dir(root().join(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("run:")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(words[0], "cargo", "{}: `{line}` is more than a call", path.display());
            if words[1] != "xtask" {
                continue;
            }
            let name = words[2];
            assert!(chores.contains(&format!("\ncargo xtask {name} ")), "{}: no chore {name}", path.display());
            let source = source(name);
            for option in words.iter().filter(|word| word.starts_with("--")) {
                assert!(source.contains(&format!("\"{option}\"")), "{}: {name} takes no {option}", path.display());
            }
            called.push(name.to_owned());
        }
    }
    called.sort();
    assert_eq!(called, ["dist", "fuzz", "site", "test"]);
}
