//! The Python package: its wheel is built, checked and installed.

use crate::project::{command, root, succeed, target};
use crate::{dist, environment};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// How the wheel is built.
#[derive(Debug, Clone, Copy)]
pub enum Profile {
    /// From what the tests have already compiled.
    Dev,
    /// With the settings of the tool's release build, for benchmarks.
    Release,
    /// As it is published: without names of functions, and on Linux for all systems of the last ten years.
    Dist,
}

/// Builds the wheel and returns its path.
pub fn build(python: &Path, profile: Profile) -> Result<PathBuf> {
    let (name, folder) = match profile {
        Profile::Dev => ("dev", "wheels-dev"),
        Profile::Release => ("release", "wheels"),
        Profile::Dist => ("dist", "wheels-dist"),
    };
    let folder = target()?.join(folder);
    if folder.exists() {
        fs::remove_dir_all(&folder).context("cannot remove the wheels made before")?;
    }
    let words = ["-m", "maturin", "build", "--quiet", "--manifest-path", "python/Cargo.toml", "--profile", name];
    let mut maturin = command(python, &words)?;
    match profile {
        // Zig links against the symbols of an old glibc, which a compiler of this machine cannot.
        Profile::Dist if cfg!(target_os = "linux") => maturin.args(["--zig", "--compatibility", "manylinux2014"]),
        Profile::Dist => &mut maturin,
        // A wheel for this machine only.
        Profile::Dev | Profile::Release => maturin.args(["--compatibility", "linux"]),
    };
    if matches!(profile, Profile::Dist) {
        // Zig is a package of this Python, which is looked for by its name.
        let own = python.parent().map(Path::to_owned);
        let others = std::env::var_os("PATH").unwrap_or_default();
        let folders = own.into_iter().chain(std::env::split_paths(&others));
        maturin.env("PATH", std::env::join_paths(folders)?).env("RUSTFLAGS", dist::flags()?);
    }
    maturin.arg("--out").arg(&folder);
    succeed(maturin)?;
    let is_wheel = |path: &PathBuf| path.extension() == Some(OsStr::new("whl"));
    let made: Vec<PathBuf> =
        fs::read_dir(&folder).context("maturin made nothing")?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    match made.into_iter().find(is_wheel) {
        Some(wheel) => Ok(wheel),
        None => bail!("maturin made no wheel"),
    }
}

/// Checks the metadata of the wheel.
pub fn check(python: &Path, wheel: &Path) -> Result<()> {
    let mut twine = command(python, &["-m", "twine", "--no-color", "check", "--strict"])?;
    twine.arg(wheel);
    succeed(twine)
}

/// Installs the wheel in place of any other.
pub fn install(python: &Path, wheel: &Path) -> Result<()> {
    let words = ["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", "--disable-pip-version-check"];
    let mut pip = command(python, &words)?;
    pip.arg(wheel);
    succeed(pip)
}

/// Installs the wheel and its only requirement, numpy, in a separate environment, and tries it there.
pub fn try_alone(wheel: &Path) -> Result<Result<(), String>> {
    let folder = target()?.join("venv-alone");
    if let Err(reason) = environment::create(&folder)? {
        return Ok(Err(reason));
    }
    let python = environment::python_of(&folder);
    let words = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "--disable-pip-version-check"];
    let mut pip = command(&python, &words)?;
    pip.arg(wheel).args(["-c", "tests/python/requirements.txt"]);
    succeed(pip)?;
    succeed(command(&python, &[&root()?.join("xtask/python/package_alone.py").to_string_lossy()])?).map(Ok)
}
