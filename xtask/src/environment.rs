//! The Python environment of the tests and benchmarks: `target/venv`, made from `tests/python/requirements.txt`; what
//! only benchmarks or the site need is added from further files of requirements. A release, which needs little of that, has
//! an environment of its own, `target/venv-release`, with the same versions.

use crate::debian;
use crate::project::{command, root, target, works};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

const TESTS: &str = "tests/python/requirements.txt";

/// What only one chore needs beside that.
#[derive(Debug, Clone, Copy)]
pub struct Extra {
    requirements: &'static str,
    stamp: &'static str,
}

/// The rivals of the benchmarks.
pub const BENCHMARKS: Extra = Extra { requirements: "xtask/python/requirements.txt", stamp: "benchmarks.stamp" };
/// The generator of the site.
pub const SITE: Extra = Extra { requirements: "docs/requirements.txt", stamp: "site.stamp" };
/// What makes and audits wheels.
const RELEASE: &str = "xtask/python/release.txt";

/// The interpreter of an environment.
pub fn python_of(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// The environment's interpreter; the reason when the environment cannot be made.
///
/// A stamp holds the requirements that the environment was made from; when they change, it is made anew. The stamp is
/// written last, so an interrupted installation is not taken for a finished one.
pub fn prepare() -> Result<Result<PathBuf, String>> {
    make("venv", &[TESTS])
}

/// The environment of a release, with nothing but what it needs, in the versions of the tests.
pub fn prepare_release() -> Result<Result<PathBuf, String>> {
    make("venv-release", &[RELEASE, TESTS])
}

/// An environment of the packages in the first file, in versions that the others pin.
fn make(name: &str, requirements: &[&str]) -> Result<Result<PathBuf, String>> {
    let folder = target()?.join(name);
    let python = python_of(&folder);
    let stamp = folder.join("requirements.stamp");
    if is_made_from(&stamp, requirements)? && works(command(&python, &["--version"])?) {
        return Ok(Ok(python));
    }
    println!("making target/{name} from {}", requirements[0]);
    if let Err(reason) = create(&folder)? {
        return Ok(Err(reason));
    }
    install(&python, requirements, &stamp)
}

/// The same with the packages that only some chore needs.
pub fn prepare_with(extra: Extra) -> Result<Result<PathBuf, String>> {
    let python = match prepare()? {
        Ok(python) => python,
        Err(reason) => return Ok(Err(reason)),
    };
    let stamp = target()?.join("venv").join(extra.stamp);
    if is_made_from(&stamp, &[extra.requirements])? {
        return Ok(Ok(python));
    }
    println!("adding to target/venv from {}", extra.requirements);
    install(&python, &[extra.requirements], &stamp)
}

/// Whether the stamp holds these requirements as they are now.
fn is_made_from(stamp: &Path, requirements: &[&str]) -> Result<bool> {
    let wanted = read(requirements)?;
    Ok(fs::read_to_string(stamp).is_ok_and(|made_from| made_from == wanted))
}

fn read(requirements: &[&str]) -> Result<String> {
    let text = |file: &&str| fs::read_to_string(root()?.join(file)).with_context(|| format!("cannot read {file}"));
    requirements.iter().map(text).collect()
}

/// Installs the packages and writes the stamp; wheels only, because a build from source could take an hour or fail.
fn install(python: &Path, requirements: &[&str], stamp: &Path) -> Result<Result<PathBuf, String>> {
    let mut words = vec!["-m", "pip", "install", "--quiet", "--only-binary=:all:", "-r", requirements[0]];
    words.extend(requirements[1..].iter().flat_map(|pins| ["-c", pins]));
    let mut pip = command(python, &words)?;
    pip.env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    if !works(pip) {
        return Ok(Err(format!(
            "pip could not install the pinned packages; `{} {}` shows why",
            python.strip_prefix(root()?).unwrap_or(python).display(),
            words.join(" ").replace("--quiet ", "")
        )));
    }
    fs::write(stamp, read(requirements)?).context("cannot write the environment's stamp")?;
    Ok(Ok(python.to_path_buf()))
}

/// An empty environment, after installing what Debian leaves out of its python3 package.
pub fn create(folder: &Path) -> Result<Result<(), String>> {
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
