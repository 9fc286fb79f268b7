//! What a user gets from one build of the tool: every run with its exit status, its files and its words.

use super::times::{page_without_times, parsed, text_without_times, without_times};
use super::{runs, wrong};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one run gave, without times.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The words after `truefold`.
    pub command: String,
    /// The exit status.
    pub status: i32,
    /// A print of every file of numbers, by name.
    pub files: BTreeMap<String, String>,
    /// A print of every page and figure, by name.
    pub pictures: BTreeMap<String, String>,
    /// What was told to programs, on standard output or in a file.
    pub json: BTreeMap<String, Value>,
    /// What was told to people.
    pub text: BTreeMap<String, String>,
}

/// Runs every command with this build of the tool in a fresh folder.
pub fn record(tool: &Path, folder: &Path) -> Result<Vec<Outcome>> {
    let tool = tool.canonicalize().with_context(|| format!("there is no tool at {}", tool.display()))?;
    if folder.exists() {
        fs::remove_dir_all(folder).context("cannot clear the folder of an earlier record")?;
    }
    fs::create_dir_all(folder).context("cannot make a folder for the runs")?;
    wrong::write_files(folder)?;
    let mut known = BTreeMap::new();
    listed(folder, folder, &mut known)?;
    let meant = runs::all().map(|command| (command, true)).chain(wrong::all().map(|command| (command, false)));
    let mut outcomes = Vec::new();
    for (command, succeeds) in meant {
        let outcome = run(&tool, command, folder, &mut known)?;
        if succeeds != (outcome.status == 0) {
            let told = outcome.text.get("stderr").map_or("", String::as_str);
            println!("not as meant: exit status {}: truefold {command}\n  {told}", outcome.status);
        }
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// Runs one command; `known` are the files of runs before, and then also those of this one.
fn run(tool: &Path, command: &str, folder: &Path, known: &mut BTreeMap<String, PathBuf>) -> Result<Outcome> {
    let mut words: Vec<&str> = command.split_whitespace().collect();
    let mut stdin = Stdio::null();
    if let Some(at) = words.iter().position(|word| *word == "<") {
        let name = words.get(at + 1).context("no file to read from")?;
        stdin = File::open(folder.join(name)).with_context(|| format!("no {name} to read from"))?.into();
        words.truncate(at);
    }
    let done = Command::new(tool)
        .args(&words)
        .current_dir(folder)
        .stdin(stdin)
        .env("NO_COLOR", "1")
        .output()
        .context("the tool did not start")?;
    // A run that a signal ended has no status of its own.
    let status = done.status.code().unwrap_or(-1);
    let mut outcome = Outcome { command: command.to_owned(), status, ..Outcome::default() };
    outcome.keep_stdout(&String::from_utf8_lossy(&done.stdout), words.contains(&"csv"))?;
    outcome.keep_text("stderr", &String::from_utf8_lossy(&done.stderr));
    let mut files = BTreeMap::new();
    listed(folder, folder, &mut files)?;
    for (name, path) in &files {
        if !known.contains_key(name) {
            outcome.keep_file(name, &fs::read(path).with_context(|| format!("cannot read {name}"))?)?;
        }
    }
    *known = files;
    Ok(outcome)
}

impl Outcome {
    fn keep_stdout(&mut self, told: &str, is_csv: bool) -> Result<()> {
        if told.starts_with(['{', '[']) {
            self.json.insert("stdout".to_owned(), parsed(told).context("what was told to programs is not JSON")?);
        } else if told.starts_with("<!doctype html>") {
            self.pictures.insert("stdout".to_owned(), print(page_without_times(told).as_bytes()));
        } else if is_csv && self.status == 0 {
            self.json.insert("stdout".to_owned(), table(told)?);
        } else {
            self.keep_text("stdout", told);
        }
        Ok(())
    }

    fn keep_text(&mut self, name: &str, told: &str) {
        if !told.is_empty() {
            self.text.insert(name.to_owned(), text_without_times(told));
        }
    }

    fn keep_file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let text = String::from_utf8_lossy(bytes);
        match Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("") {
            "html" => _ = self.pictures.insert(name.to_owned(), print(page_without_times(&text).as_bytes())),
            "svg" | "png" => _ = self.pictures.insert(name.to_owned(), print(bytes)),
            "json" => {
                _ = self.json.insert(name.to_owned(), parsed(&text).with_context(|| format!("{name} is not JSON"))?)
            }
            "md" => self.keep_text(name, &text),
            _ => _ = self.files.insert(name.to_owned(), print(bytes)),
        }
        Ok(())
    }
}

/// A table of values separated by commas, as JSON: an object of words for each line.
fn table(text: &str) -> Result<Value> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers()?.clone();
    let mut rows = Vec::new();
    for line in reader.records() {
        let line = line?;
        let fields = names.iter().zip(line.iter()).map(|(name, cell)| (name.to_owned(), cell.into()));
        rows.push(Value::Object(fields.collect::<Map<_, _>>()));
    }
    Ok(without_times(Value::Array(rows)))
}

/// The length and a 64-bit FNV-1a hash.
fn print(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{} bytes, {:016x}", bytes.len(), bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// Adds every file in `folder`, by its path from `root`.
fn listed(root: &Path, folder: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).context("cannot list the folder of the runs")? {
        let path = entry?.path();
        if path.is_dir() {
            listed(root, &path, files)?;
        } else {
            files.insert(path.strip_prefix(root)?.to_string_lossy().replace('\\', "/"), path);
        }
    }
    Ok(())
}

/// Writes a record to a file.
pub fn write(outcomes: &[Outcome], path: &Path) -> Result<()> {
    let text = serde_json::to_string_pretty(outcomes)? + "\n";
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a record from a file.
pub fn read(path: &Path) -> Result<Vec<Outcome>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    match serde_json::from_str(&text) {
        Ok(outcomes) => Ok(outcomes),
        Err(cause) => bail!("{} is no record ({cause}); write one with --write", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_for_spreadsheets_is_compared_field_by_field() {
        let told = table("method,k,seconds,peak_bytes,error\npsa,9,0.1,7,\nlle,4,,,\"k = 4, too few\"\n").unwrap();
        let rows = [
            json!({"method": "psa", "k": "9", "error": ""}),
            json!({"method": "lle", "k": "4", "error": "k = 4, too few"}),
        ];
        assert_eq!(told, json!(rows));
    }

    #[test]
    fn prints_are_those_of_the_definition() {
        assert_eq!(print(b""), "0 bytes, cbf29ce484222325");
        assert_eq!(print(b"a"), "1 bytes, af63dc4c8601ec8c");
    }
}
