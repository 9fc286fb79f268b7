//! The Python environment of the tests and benchmarks: `target/venv`, made from `tests/python/requirements.txt`.

use crate::debian;
use crate::project::{command, root, target, works};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

const REQUIREMENTS: &str = "tests/python/requirements.txt";

/// The environment's interpreter; the reason when the environment cannot be made.
///
/// A stamp holds the requirements that the environment was made from; when they change, it is made anew. The stamp is
/// written last, so an interrupted installation is not taken for a finished one.
pub fn prepare() -> Result<Result<PathBuf, String>> {
    let folder = target()?.join("venv");
    let python = folder.join("bin").join("python");
    let stamp = folder.join("requirements.stamp");
    let wanted =
        fs::read_to_string(root()?.join(REQUIREMENTS)).with_context(|| format!("cannot read {REQUIREMENTS}"))?;
    if fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == wanted) && works(command(&python, &["--version"])?)
    {
        return Ok(Ok(python));
    }
    println!("making target/venv from {REQUIREMENTS}");
    if let Err(reason) = create(&folder)? {
        return Ok(Err(reason));
    }
    // Wheels only: a build from source would take an hour or fail for want of a compiler.
    let install = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "-r", REQUIREMENTS];
    let mut pip = command(&python, &install)?;
    pip.env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    if !works(pip) {
        return Ok(Err(format!(
            "pip could not install the pinned packages; `target/venv/bin/python {}` tells why",
            install.join(" ").replace("--quiet ", "")
        )));
    }
    fs::write(&stamp, wanted).context("cannot write the environment's stamp")?;
    Ok(Ok(python))
}

/// An empty environment, after installing what Debian leaves out of its python3 package.
fn create(folder: &Path) -> Result<Result<(), String>> {
    if !works(command("python3", &["--version"])?) {
        return Ok(Err("there is no python3".to_owned()));
    }
    let made = || -> Result<bool> {
        let mut venv = command("python3", &["-m", "venv", "--clear"])?;
        venv.arg(folder);
        Ok(works(venv))
    };
    if made()? {
        return Ok(Ok(()));
    }
    println!("installing python3-venv");
    if let Err(reason) = debian::install("python3-venv")? {
        return Ok(Err(format!("python3 -m venv does not work, and {reason}")));
    }
    Ok(if made()? { Ok(()) } else { Err("python3 -m venv does not work".to_owned()) })
}
