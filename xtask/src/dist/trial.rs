//! The tool where nothing else is: no library, no shell, no variable of the environment.

use crate::project::{command, succeed, target, works};
use crate::steps::Outcome;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// What is run there, one after the other.
const RUNS: [&[&str]; 4] = [
    &["--version"],
    &["generate", "swiss-roll", "--points", "400", "--output", "x.parquet"],
    &["embed", "x.parquet", "--method", "psa", "--output", "y.npz"],
    &["measure", "x.parquet", "y.npz", "--report", "y.html", "--figure", "y.png"],
];

/// Runs the tool with an empty environment: on Linux in a root file system that holds nothing but the tool, and in those given.
pub fn tool(tool: &Path, roots: &[PathBuf]) -> Result<Outcome> {
    let folder = target()?.join("release-trial");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("the trial made before cannot be removed")?;
    }
    fs::create_dir_all(&folder)?;
    if !cfg!(target_os = "linux") {
        for words in RUNS {
            let mut run = command(tool, words)?;
            run.current_dir(&folder).env_clear();
            succeed(run)?;
        }
        return Ok(Outcome::Done);
    }
    let Some(prefix) = prefix()? else {
        return Ok(Outcome::Skipped("this user may not change the root folder".to_owned()));
    };
    for root in [&[folder], roots].concat() {
        println!("in {}", root.display());
        let place = root.join("truefold-trial");
        fs::create_dir_all(&place)?;
        fs::copy(tool, place.join("truefold"))?;
        let result = inside(&root, &prefix);
        fs::remove_dir_all(&place).context("the trial cannot be removed")?;
        result?;
    }
    Ok(Outcome::Done)
}

/// How the root folder is changed here, if it may be: programs by their paths, as there is no variable to find them by.
fn prefix() -> Result<Option<Vec<PathBuf>>> {
    for names in [&["chroot"][..], &["unshare", "-r", "chroot"]] {
        let words: Option<Vec<PathBuf>> = names.iter().map(|name| found(name)).collect();
        let Some(words) = words else { continue };
        let mut change = command(&words[0], &[])?;
        change.args(&words[1..]).args(["/", "/bin/true"]);
        if works(change) {
            return Ok(Some(words));
        }
    }
    Ok(None)
}

/// A program by its path; an option is itself.
fn found(name: &str) -> Option<PathBuf> {
    if name.starts_with('-') {
        return Some(name.into());
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The runs in one root file system.
fn inside(root: &Path, prefix: &[PathBuf]) -> Result<()> {
    for words in RUNS {
        let mut run = command("env", &["-i"])?;
        run.args(prefix).arg(root).arg("/truefold-trial/truefold");
        // The program starts at the top of the root, so files are named from there.
        let is_file = |word: &str| word.starts_with(['x', 'y']);
        let place = |word: &&str| if is_file(word) { format!("/truefold-trial/{word}") } else { (*word).to_owned() };
        run.args(words.iter().map(place)).stdout(std::process::Stdio::null());
        succeed(run).with_context(|| format!("truefold {} failed in {}", words.join(" "), root.display()))?;
    }
    Ok(())
}
