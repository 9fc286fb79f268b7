//! `cargo xtask trial`: what the surroundings may do to a run, tried at scale. A trial prints counts and fails at a finding.

mod kills;
mod limits;

use crate::project::{self, cargo, succeed};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

/// Runs a trial.
pub fn run(name: &str, options: &[&str]) -> Result<()> {
    match name {
        "limits" => limits::run(options),
        "kills" => kills::run(options),
        _ => bail!("there is no trial `{name}`: there are limits and kills"),
    }
}

/// The options of a trial: each a name with its value, the last where one is given twice.
#[derive(Debug)]
struct Options<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Options<'a> {
    /// Reads `words`; `known` are the names, and `usage` tells what may be said.
    fn read(words: &[&'a str], known: &[&str], usage: &str) -> Result<Self> {
        let pairs = words.chunks(2).map(|pair| match *pair {
            [name, value] if known.contains(&name) => Ok((name, value)),
            _ => bail!("say {usage}"),
        });
        pairs.collect::<Result<_>>().map(Self)
    }

    /// The value of an option, if it was given.
    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The whole number of an option, or the usual one.
    fn number<T: FromStr>(&self, name: &str, usual: T) -> Result<T> {
        let number =
            self.get(name).map(|value| value.parse().ok().with_context(|| format!("{name} needs a whole number")));
        number.unwrap_or(Ok(usual))
    }
}

/// The release build of the tool: the one that is given, or the one of the project, which is built.
fn tool(given: Option<&str>) -> Result<PathBuf> {
    if let Some(given) = given {
        return std::path::absolute(given).context("the tool has no place");
    }
    succeed(cargo(&["build", "--release", "--package", "truefold-cli"])?)?;
    project::tool()
}

/// An empty folder for a trial.
fn folder(name: &str) -> Result<PathBuf> {
    let folder = project::target()?.join("trial").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("cannot remove what an earlier trial left")?;
    }
    std::fs::create_dir_all(&folder).context("cannot make a folder for the trial")?;
    Ok(folder)
}

/// A command that must succeed, without limits.
fn made(tool: &Path, folder: &Path, line: &str) -> Result<()> {
    let output = Command::new(tool)
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} did not start", tool.display()))?;
    if !output.status.success() {
        bail!("truefold {line} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_pairs_of_known_names() {
        let read = |words: &[&'static str]| Options::read(words, &["--count", "--tool"], "this");
        let options = read(&["--count", "7", "--tool", "a", "--tool", "b"]).unwrap();
        assert_eq!((options.get("--tool"), options.get("--seed")), (Some("b"), None));
        assert_eq!((options.number("--count", 5).unwrap(), options.number("--seed", 5).unwrap()), (7, 5));
        assert_eq!(options.number("--tool", 5).unwrap_err().to_string(), "--tool needs a whole number");
        for wrong in [&["--count"][..], &["--other", "1"], &["7", "--count"]] {
            assert_eq!(read(wrong).unwrap_err().to_string(), "say this");
        }
    }
}
