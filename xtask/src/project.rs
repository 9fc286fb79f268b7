//! Where the project is, and how its commands are run from there.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the workspace: the parent of this crate, which cargo passes when it runs the chore.
pub fn root() -> Result<PathBuf> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").context("start the chores with `cargo xtask`")?;
    Ok(Path::new(&manifest).parent().context("the crate of the chores has no parent folder")?.to_path_buf())
}

/// Where cargo builds.
pub fn target() -> Result<PathBuf> {
    let root = root()?;
    Ok(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |target| root.join(target)))
}

/// The release build of the tool.
pub fn tool() -> Result<PathBuf> {
    Ok(target()?.join("release").join(format!("truefold{}", std::env::consts::EXE_SUFFIX)))
}

/// The build of the tool that the tests run.
pub fn test_tool() -> Result<PathBuf> {
    Ok(target()?.join("debug").join(format!("truefold{}", std::env::consts::EXE_SUFFIX)))
}

/// The release build of an example.
pub fn example(name: &str) -> Result<PathBuf> {
    Ok(target()?.join("release").join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// A command in the project's folder.
pub fn command(program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Result<Command> {
    let mut command = Command::new(program);
    command.args(words).current_dir(root()?).stdin(Stdio::null());
    if std::env::var_os("CI").is_some() {
        // Incremental compilation only helps a next change, and in CI there is none.
        command.env("CARGO_INCREMENTAL", "0");
    }
    Ok(command)
}

/// A cargo command in the project's folder, by the cargo that started the chore.
pub fn cargo(words: &[&str]) -> Result<Command> {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), words)
}

/// Runs `command` with its output on the terminal; an error unless it succeeds.
pub fn succeed(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{} did not start", name(&command)))?;
    if !status.success() {
        bail!("{} ended with {status}", name(&command));
    }
    Ok(())
}

/// Whether `command` starts and succeeds; its output is dropped.
pub fn works(mut command: Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The program's file name: its full path says nothing about the failure.
fn name(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}
