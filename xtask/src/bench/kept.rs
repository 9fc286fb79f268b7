//! What parts of a full run found, kept for `--resume` as long as the program is the same, byte for byte.

use super::Findings;
use super::timed::Bench;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// The place of what a part finds.
pub struct Kept {
    path: PathBuf,
    /// Of the program that is measured.
    fingerprint: String,
}

impl Kept {
    /// The place of a part of a benchmark of this tool.
    pub fn new(bench: &Bench, benchmark: &str, part: &str) -> Result<Self> {
        let program = fs::read(bench.program()).context("cannot read the program that is measured")?;
        let mut hasher = DefaultHasher::new();
        program.hash(&mut hasher);
        let path = PathBuf::from(bench.file(&format!("kept-{benchmark}-{part}.json")));
        Ok(Self { path, fingerprint: format!("{:016x}", hasher.finish()) })
    }

    /// What was found with the same program, if anything was.
    pub fn read(&self) -> Option<Findings> {
        let mut kept: Value = serde_json::from_slice(&fs::read(&self.path).ok()?).ok()?;
        if kept["program"] != self.fingerprint.as_str() {
            return None;
        }
        serde_json::from_value(kept["findings"].take()).ok()
    }

    /// Keeps what was found.
    pub fn write(&self, findings: &Findings) -> Result<()> {
        let kept = json!({"program": self.fingerprint, "findings": findings});
        fs::write(&self.path, kept.to_string()).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::table::{Row, Section, head};

    #[test]
    fn findings_come_back_only_for_the_same_program() {
        let folder = std::env::temp_dir().join(format!("truefold-kept-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let kept = |fingerprint: &str| Kept { path: folder.join("kept.json"), fingerprint: fingerprint.to_owned() };
        let row = Row { what: "a".into(), holds: Some(false), ..Row::default() };
        let section =
            Section { title: "b".into(), head: head(&["c"]), page: Some("d.md".into()), ..Section::default() };
        let findings = Findings { rows: vec![row], sections: vec![section], numbers: json!([1.5]) };
        assert_eq!(kept("one").read(), None);
        kept("one").write(&findings).unwrap();
        assert_eq!(kept("one").read(), Some(findings));
        assert_eq!(kept("other").read(), None);
        fs::remove_dir_all(&folder).unwrap();
    }
}
