//! `cargo xtask dist [--root DIR]..`: what a user installs without Rust, in one folder with checksums, each part tried in an
//! empty environment.
//!
//! | file | what it is |
//! |---|---|
//! | `truefold-VERSION-TARGET.tar.gz` | the tool, its manual pages, completions for shells, licenses |
//! | `truefold-VERSION-*.whl` | the Python package, for Python 3.10 and newer |
//! | `*.crate` | source packages, in the order in which they are published |
//! | `SHA256SUMS` | checksums of the others |
//!
//! On Linux the tool is linked statically, against musl, and the wheel against the glibc of manylinux2014. The folders of the
//! machine are cut from what is compiled, and looked for in what comes out.

mod binary;
mod trial;

pub use binary::flags;

use crate::environment;
use crate::package::{self, Profile};
use crate::project::{cargo, command, root, succeed, target};
use crate::steps::{Outcome, Steps};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that are published, each after what it needs.
const CRATES: [&str; 3] = ["truefold", "truefold-report", "truefold-cli"];

/// Makes everything, tries it, and prints sizes and times.
pub fn run(options: &[&str]) -> Result<()> {
    let roots = roots(options)?;
    let python = match environment::prepare_release()? {
        Ok(python) => python,
        Err(reason) => bail!("a release needs Python: {reason}"),
    };
    let folder = target()?.join("release-files");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("the files made before cannot be removed")?;
    }
    fs::create_dir_all(&folder)?;
    let mut steps = Steps::new();
    steps.run("source packages", || sources(&folder).map(|()| Outcome::Done))?;
    let mut tool = PathBuf::new();
    steps.run("tool", || {
        tool = binary::build()?;
        Ok(Outcome::Done)
    })?;
    steps.run("manual pages, completions, archive", || binary::pack(&tool, &folder).map(|()| Outcome::Done))?;
    let mut wheel = PathBuf::new();
    steps.run("wheel", || {
        wheel = package::build(&python, Profile::Dist)?;
        package::check(&python, &wheel)?;
        fs::copy(&wheel, folder.join(wheel.file_name().unwrap_or_default()))?;
        Ok(Outcome::Done)
    })?;
    steps.run("checksums, and no folder of this machine inside", || {
        let mut check = command(&python, &["xtask/python/release_check.py"])?;
        check.arg(&folder).args(binary::folders()?);
        succeed(check).map(|()| Outcome::Done)
    })?;
    steps.run("tool in an empty environment", || trial::tool(&tool, &roots))?;
    steps.run("wheel in an empty environment", || {
        Ok(package::try_alone(&wheel)?.map_or_else(Outcome::Skipped, |()| Outcome::Done))
    })?;
    if !roots.is_empty() {
        steps.run("wheel in the given root file systems", || trial::wheel(&python, &wheel, &roots))?;
    }
    steps.summarize();
    list(&folder)
}

/// The root file systems in which tool and wheel are tried besides an empty one.
fn roots(options: &[&str]) -> Result<Vec<PathBuf>> {
    match options {
        [] => Ok(Vec::new()),
        ["--root", folder, rest @ ..] if Path::new(folder).is_dir() => {
            Ok([vec![std::path::absolute(folder)?], roots(rest)?].concat())
        }
        ["--root", folder, ..] => bail!("--root {folder}: there is no such folder; debootstrap, for one, makes it"),
        [other, ..] => {
            bail!("dist takes --root DIR, a root file system in which tool and wheel are tried, not `{other}`")
        }
    }
}

/// The source packages, each compiled from what is in it and in the packages before it.
///
/// `cargo package` would build every crate with all that it needs, and that anew where the next asks for other features of it.
/// Whether they compile is the question, so that they are unpacked beside each other and checked one by one, without code being made.
fn sources(folder: &Path) -> Result<()> {
    let mut package = cargo(&["package", "--quiet", "--locked", "--no-verify"])?;
    for name in CRATES {
        package.args(["--package", name]);
    }
    succeed(package).context("a source package is made from committed files")?;
    let place = target()?.join("release-sources");
    if place.exists() {
        fs::remove_dir_all(&place).context("the sources unpacked before cannot be removed")?;
    }
    fs::create_dir_all(&place)?;
    for name in CRATES {
        let file = format!("{name}-{}.crate", version());
        let made = target()?.join("package").join(&file);
        fs::copy(&made, folder.join(&file)).with_context(|| format!("cargo made no {file}"))?;
        let mut unpack = command("tar", &["-xzf"])?;
        unpack.arg(&made).arg("-C").arg(&place);
        succeed(unpack)?;
    }
    fs::write(place.join("Cargo.toml"), beside_each_other())?;
    fs::copy(root()?.join("Cargo.lock"), place.join("Cargo.lock"))?;
    for name in CRATES {
        let mut check = cargo(&["check", "--quiet", "--package", name, "--target-dir"])?;
        check.arg(target()?).current_dir(&place);
        succeed(check).with_context(|| format!("the source package of {name} does not compile"))?;
    }
    Ok(())
}

/// A manifest by which unpacked packages find each other where they would ask the registry.
fn beside_each_other() -> String {
    let folder = |name: &str| format!("\"{name}-{}\"", version());
    let members = CRATES.map(folder).join(", ");
    // Nothing needs the last.
    let needed = CRATES[..CRATES.len() - 1].iter();
    let patches: String = needed.map(|name| format!("{name} = {{ path = {} }}\n", folder(name))).collect();
    format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}")
}

/// The version of the project, which all crates share.
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Prints the files with their sizes.
fn list(folder: &Path) -> Result<()> {
    let mut files: Vec<(String, u64)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    files.sort();
    println!("\n{}", folder.strip_prefix(root()?).unwrap_or(folder).display());
    for (name, bytes) in files {
        println!("{:>9.2} MB  {name}", bytes as f64 / 1e6);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_folders_that_are_there() {
        assert!(roots(&[]).unwrap().is_empty());
        let two = roots(&["--root", ".", "--root", "src"]).unwrap();
        assert!(two.len() == 2 && two.iter().all(|root| root.is_absolute()), "{two:?}");
        let refused = roots(&["--root", "no-such-folder"]).unwrap_err().to_string();
        assert!(refused.contains("no-such-folder: there is no such folder"), "{refused}");
        for words in [&["--root"][..], &["--rot", "."]] {
            assert!(roots(words).unwrap_err().to_string().starts_with("dist takes --root DIR"));
        }
    }
}
