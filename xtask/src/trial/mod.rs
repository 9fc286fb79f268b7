//! `cargo xtask trial`: what the surroundings may do to a run, tried at scale. A trial prints counts and fails at a finding.

mod kills;
mod limits;

use crate::project::{self, cargo, succeed};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a trial.
pub fn run(name: &str, options: &[&str]) -> Result<()> {
    match name {
        "limits" => limits::run(options),
        "kills" => kills::run(options),
        _ => bail!("there is no trial `{name}`: there are limits and kills"),
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
