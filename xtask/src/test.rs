//! `cargo xtask test`: everything that must hold before a change is merged, in order of what fails fastest.
//!
//! Cargo runs quietly; the test runners print their own summaries.

use crate::package::{self, Profile};
use crate::project::{self, cargo, command, succeed, test_tool};
use crate::steps::{Outcome, Steps};
use crate::{browser, environment, fuzz, toolchain};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the steps and prints how long each took.
pub fn run() -> Result<()> {
    let mut steps = Steps::new();
    rust(&mut steps)?;
    python(&mut steps)?;
    steps.summarize();
    println!("{}", skipped(&notes_of_skipped()?)?);
    println!("device: {}", device(&project::target()?.join("tmp").join("device")));
    Ok(())
}

/// The folder in which tests that are skipped for want of data leave a note.
fn notes_of_skipped() -> Result<PathBuf> {
    Ok(project::target()?.join("tmp").join("skipped"))
}

/// The format, the lints, the tests and the documentation of the Rust code, and the build of the tool.
fn rust(steps: &mut Steps) -> Result<()> {
    steps.run("cargo fmt --all --check", || {
        toolchain::require("fmt", "rustfmt")?;
        done(succeed(cargo(&["fmt", "--all", "--check"])?))
    })?;
    steps.run("cargo clippy --workspace --all-targets", || {
        toolchain::require("clippy", "clippy")?;
        done(succeed(cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])?))
    })?;
    steps.run("cargo clippy -p truefold --no-default-features", || {
        let words = ["clippy", "--quiet", "-p", "truefold", "--no-default-features", "--lib", "--tests"];
        done(succeed(cargo(&[&words[..], &["--", "-D", "warnings"]].concat())?))
    })?;
    let notes = notes_of_skipped()?;
    if notes.exists() {
        std::fs::remove_dir_all(&notes).context("the notes of skipped tests cannot be removed")?;
    }
    steps.run("cargo test --workspace", || done(succeed(cargo(&["test", "--quiet", "--workspace"])?)))?;
    steps.run("cargo doc --workspace --no-deps", || {
        let mut doc = cargo(&["doc", "--quiet", "--workspace", "--no-deps"])?;
        doc.env("RUSTDOCFLAGS", "-D warnings");
        done(succeed(doc))
    })?;
    // The tool as the tests above built it: the release build differs only in speed, and takes minutes. All members are
    // built, because leaving one out would change the features of shared dependencies and recompile them.
    steps.run("cargo build --workspace", || done(succeed(cargo(&["build", "--quiet", "--workspace"])?)))?;
    steps.run("broken input", || done(fuzz::short()))
}

/// The tests from Python: of the tool, of its pages, and of the Python package.
fn python(steps: &mut Steps) -> Result<()> {
    let mut python = None;
    steps.run("Python environment", || obtain(environment::prepare()?, &mut python))?;
    let mut chromium = None;
    steps.run("browser", || obtain(browser::find_or_install()?, &mut chromium))?;
    steps.run("pytest tests/python", || {
        let Some(python) = &python else { return no_python() };
        let mut pytest = pytest(python, &["tests/python"])?;
        pytest.env_remove("CHROMIUM");
        if let Some(path) = &chromium {
            pytest.env("CHROMIUM", path);
        }
        done(succeed(pytest))
    })?;
    let mut wheel = None;
    steps.run("wheel", || {
        let Some(python) = &python else { return no_python() };
        let made = package::build(python, Profile::Dev)?;
        package::check(python, &made)?;
        wheel = Some(made);
        Ok(Outcome::Done)
    })?;
    steps.run("wheel with numpy alone", || match &wheel {
        Some(wheel) => obtain(package::try_alone(wheel)?, &mut None),
        None => no_python(),
    })?;
    steps.run("pytest python", || {
        let (Some(python), Some(wheel)) = (&python, &wheel) else { return no_python() };
        package::install(python, wheel)?;
        // The examples of the documentation run with the tests.
        let words = ["python/tests", "--pyargs", "truefold", "--doctest-modules"];
        let pages = ["docs/python.md", "docs/scale.md", "docs/tutorials", "python/README.md"];
        let pages = [&pages[..], &["--doctest-glob=*.md", "--import-mode=importlib"]].concat();
        let mut pytest = pytest(python, &[&words[..], &pages].concat())?;
        pytest.env("TRUEFOLD_WHEEL", wheel);
        done(succeed(pytest))
    })?;
    steps.run("maps of random data from Python", || match &python {
        Some(python) => done(fuzz::compare_python(python)),
        None => no_python(),
    })
}

/// The graphics processor that the tests have used, by the note that they left.
fn device(note: &Path) -> String {
    std::fs::read_to_string(note).unwrap_or_else(|_| "none, so that its tests ran on the processor alone".to_owned())
}

/// The tests that were skipped for want of data, by the notes they left, and how many.
fn skipped(notes: &Path) -> Result<String> {
    let mut names = Vec::new();
    if notes.exists() {
        for note in std::fs::read_dir(notes).context("the notes of skipped tests cannot be read")? {
            let path = note?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            names.push(format!("{name} ({})", std::fs::read_to_string(&path)?));
        }
    }
    names.sort();
    Ok(if names.is_empty() {
        "skipped: 0".to_owned()
    } else {
        format!("skipped: {}: {}", names.len(), names.join("; "))
    })
}

/// Pytest with the tool to test, in two processes, without a header, and without a cache in the project folder.
fn pytest(python: &Path, words: &[&str]) -> Result<Command> {
    let mut pytest = command(python, &["-m", "pytest", "--no-header", "-ra", "-p", "no:cacheprovider"])?;
    pytest.args(["-n", "2", "--dist", "worksteal"]);
    pytest.args(words).env("TRUEFOLD", test_tool()?).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(pytest)
}

fn no_python() -> Result<Outcome> {
    Ok(Outcome::Skipped("there is no Python environment".to_owned()))
}

fn done(result: Result<()>) -> Result<Outcome> {
    result.map(|()| Outcome::Done)
}

/// Stores what was found or installed, or skips with the reason.
fn obtain<T>(found: Result<T, String>, place: &mut Option<T>) -> Result<Outcome> {
    Ok(match found {
        Ok(value) => {
            *place = Some(value);
            Outcome::Done
        }
        Err(reason) => Outcome::Skipped(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_counted_by_their_notes() {
        let notes = std::env::temp_dir().join(format!("truefold-skipped-{}", std::process::id()));
        assert_eq!(skipped(&notes).unwrap(), "skipped: 0");
        std::fs::create_dir(&notes).unwrap();
        std::fs::write(notes.join("b"), "no data").unwrap();
        std::fs::write(notes.join("a"), "no faces").unwrap();
        assert_eq!(skipped(&notes).unwrap(), "skipped: 2: a (no faces); b (no data)");
        std::fs::remove_dir_all(notes).unwrap();
    }
}
