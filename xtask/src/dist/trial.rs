//! The tool where nothing else is: no library, no shell, no variable of the environment; tool and wheel in other systems.

use crate::project::{command, succeed, target, works};
use crate::steps::Outcome;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is run there, one after the other.
const RUNS: [&[&str]; 4] = [
    &["--version"],
    &["generate", "swiss-roll", "--points", "400", "--output", "x.parquet"],
    &["embed", "x.parquet", "--method", "psa", "--output", "y.npz"],
    &["measure", "x.parquet", "y.npz", "--report", "y.html", "--figure", "y.png"],
];

/// The systems for which wheels of numpy are made, oldest first; a root file system may be any of them or newer.
const PLATFORMS: [&str; 3] = ["manylinux2014", "manylinux_2_27", "manylinux_2_28"];

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
        within(&root, |place| {
            fs::copy(tool, place.join("truefold"))?;
            inside(&root, &prefix)
        })?;
    }
    Ok(Outcome::Done)
}

/// Runs every method of the wheel in the given root file systems that have Python, with numpy alone beside it.
///
/// Both are unpacked there from here by `python`, so that no network, pip or compiler is needed inside.
pub fn wheel(python: &Path, wheel: &Path, roots: &[PathBuf]) -> Result<Outcome> {
    let Some(prefix) = prefix()? else {
        return Ok(Outcome::Skipped("this user may not change the root folder".to_owned()));
    };
    let mut tried = 0;
    for root in roots {
        let version = ["-c", "import sys; print('%d.%d' % sys.version_info[:2])"];
        let asked = changed(root, &prefix, "/usr/bin/python3")?.args(version).stderr(Stdio::null()).output()?;
        if !asked.status.success() {
            println!("not in {}, which has no Python", root.display());
            continue;
        }
        let version = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
        println!("in {}, with Python {version}", root.display());
        within(root, |place| {
            let words = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "--disable-pip-version-check"];
            let mut pip = command(python, &words)?;
            pip.args(["--python-version", &version, "-c", "tests/python/requirements.txt", "--target"]);
            pip.arg(place.join("packages")).arg(wheel);
            for platform in PLATFORMS {
                pip.args(["--platform", &format!("{platform}_{}", std::env::consts::ARCH)]);
            }
            succeed(pip)?;
            fs::copy(crate::project::root()?.join("xtask/python/package_alone.py"), place.join("alone.py"))?;
            let mut run = changed(root, &prefix, "/usr/bin/env")?;
            run.args(["PYTHONPATH=/truefold-trial/packages", "/usr/bin/python3"]);
            // Without folders of compiled files, which another user would own.
            run.args(["-B", "/truefold-trial/alone.py"]);
            succeed(run).with_context(|| format!("the wheel failed in {}", root.display()))
        })?;
        tried += 1;
    }
    Ok(if tried > 0 { Outcome::Done } else { Outcome::Skipped("no root file system given has Python".to_owned()) })
}

/// Does something with a folder of its own in a root file system, which is removed again.
fn within(root: &Path, step: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let place = root.join("truefold-trial");
    if place.exists() {
        bail!("{} is there from a trial that was cut short: remove it", place.display());
    }
    fs::create_dir_all(&place)?;
    let result = step(&place);
    fs::remove_dir_all(&place).context("the trial cannot be removed")?;
    result
}

/// A program in another root file system, without variables of the environment.
fn changed(root: &Path, prefix: &[PathBuf], program: &str) -> Result<Command> {
    let mut run = command(&prefix[0], &[])?;
    run.args(&prefix[1..]).arg(root).arg(program);
    Ok(run)
}

/// How a program is started with another root folder and no variable of the environment, if that is allowed here.
fn prefix() -> Result<Option<Vec<PathBuf>>> {
    const WAYS: [&[&str]; 3] = [
        &["env", "-i", "chroot"],
        &["env", "-i", "unshare", "-r", "chroot"],
        // Some systems keep user namespaces from programs, and have a sudo that asks nothing.
        &["sudo", "-n", "env", "-i", "chroot"],
    ];
    for names in WAYS {
        // By their paths, as there is no variable to find them by.
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
        let mut run = changed(root, prefix, "/truefold-trial/truefold")?;
        // The program starts at the top of the root, so files are named from there.
        let is_file = |word: &str| word.starts_with(['x', 'y']);
        let place = |word: &&str| if is_file(word) { format!("/truefold-trial/{word}") } else { (*word).to_owned() };
        run.args(words.iter().map(place)).stdout(Stdio::null());
        succeed(run).with_context(|| format!("truefold {} failed in {}", words.join(" "), root.display()))?;
    }
    Ok(())
}
