//! `cargo xtask site`: one static site from docs/, with live report pages and both references, in `target/site`.
//!
//! Sphinx makes the pages, the tool the gallery, and cargo the reference in Rust. A site with a broken link, a warning of the
//! generator or a request to a network is a failure. Where there is a browser, pages are looked at in light, dark and at
//! the width of a phone, and the pictures stay in `target/site-pictures`.

mod gallery;

use crate::package::{self, Profile};
use crate::project::{cargo, command, root, succeed, target, test_tool};
use crate::steps::{Outcome, Steps};
use crate::{browser, environment};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the site, and says where it is, its size and the time of each step.
pub fn run() -> Result<()> {
    let python = match environment::prepare_with(environment::SITE)? {
        Ok(python) => python,
        Err(reason) => bail!("the site needs Python: {reason}"),
    };
    let (site, made) = (fresh("site")?, fresh("site-made")?);
    let mut steps = Steps::new();
    // What the tests build serves: the same code, and nothing is compiled twice.
    steps.run("the tool and the Python package", || {
        succeed(cargo(&["build", "--quiet", "--workspace"])?)?;
        package::install(&python, &package::build(&python, Profile::Dev)?)?;
        Ok(Outcome::Done)
    })?;
    steps.run("gallery", || gallery::make(&python, &test_tool()?, &made.join("gallery")).map(|()| Outcome::Done))?;
    steps.run("reference in Rust", || reference(&made.join("rust")).map(|()| Outcome::Done))?;
    steps.run("pages", || pages(&python, &made, &site).map(|()| Outcome::Done))?;
    steps.run("links and requests", || {
        let mut check = command(&python, &["xtask/python/site_check.py"])?;
        check.arg(&site);
        succeed(check).map(|()| Outcome::Done)
    })?;
    steps.run("pages in a browser", || look(&python, &site))?;
    steps.summarize();
    println!("{}: {:.1} MB in {} files", site.display(), size(&site)?.0 as f64 / 1e6, size(&site)?.1);
    Ok(())
}

/// An empty folder in the folder of builds.
fn fresh(name: &str) -> Result<PathBuf> {
    let folder = target()?.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The pages that cargo writes, of what users call.
fn reference(folder: &Path) -> Result<()> {
    // The same command as in the tests, so that nothing is compiled for it alone; pages of before are in its way.
    let pages = target()?.join("doc");
    if pages.exists() {
        fs::remove_dir_all(&pages).context("the reference made before cannot be removed")?;
    }
    let mut doc = cargo(&["doc", "--quiet", "--workspace", "--no-deps"])?;
    doc.env("RUSTDOCFLAGS", "-D warnings");
    succeed(doc)?;
    copy(&pages, folder)
}

/// The pages of docs/, after which what was made beside them is put.
fn pages(python: &Path, made: &Path, site: &Path) -> Result<()> {
    let mut sphinx =
        command(python, &["-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "--builder", "html"])?;
    sphinx.arg("--doctree-dir").arg(target()?.join("site-trees"));
    // From a folder without the package's source, as that lacks the compiled part.
    sphinx.arg(root()?.join("docs")).arg(site).current_dir(made);
    succeed(sphinx)?;
    copy(made, site)
}

/// Pictures of pages, and whether a reader could use them.
fn look(python: &Path, site: &Path) -> Result<Outcome> {
    let chromium = match browser::find_or_install()? {
        Ok(path) => path,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let mut looking = command(python, &["xtask/python/site_look.py"])?;
    looking.arg(chromium).arg(site).arg(fresh("site-pictures")?);
    succeed(looking).map(|()| Outcome::Done)
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let there = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &there)?;
        } else {
            fs::copy(&path, &there).with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    Ok(())
}

/// Bytes and files of a folder.
fn size(folder: &Path) -> Result<(u64, usize)> {
    let mut total = (0, 0);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (bytes, files) = if entry.path().is_dir() { size(&entry.path())? } else { (entry.metadata()?.len(), 1) };
        total = (total.0 + bytes, total.1 + files);
    }
    Ok(total)
}
