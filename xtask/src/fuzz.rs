//! `cargo xtask fuzz`: broken input for every reader and for the command line, and comparisons of what must be equal.
//!
//! The programs are those of the tests, with checks for overflow. With `--guided` the compiler counts which code runs, inputs that
//! reach new code are kept, and later ones are made from them; this takes a build of its own.

use crate::project::{cargo, command, root, succeed, target, test_tool};
use crate::{environment, package};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// The seconds of the run that is part of the tests.
pub const SHORT: f64 = 30.0;

/// Runs for `--minutes N`, one if it is not said; other options go to the program.
pub fn run(options: &[&str]) -> Result<()> {
    let (mut minutes, mut guided, mut rest) = (1.0, false, Vec::new());
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "--minutes" => minutes = words.next().context("--minutes needs a number")?.parse::<f64>()?,
            "--guided" => guided = true,
            "--seed" | "--inputs" | "--only" | "--tool-runs" => {
                rest.extend([word, words.next().with_context(|| format!("{word} needs a value"))?]);
            }
            other => bail!(
                "fuzz takes --minutes N, --guided, --seed N, --inputs N, --only READER and --tool-runs N, not `{other}`"
            ),
        }
    }
    succeed(cargo(&["build", "--quiet", "--workspace"])?)?;
    let program = if guided { build_guided()? } else { target()?.join("debug").join("truefold-fuzz") };
    run_program(&program, minutes * 60.0, &rest)?;
    match environment::prepare()? {
        Ok(python) => {
            package::install(&python, &package::build(&python, package::Profile::Dev)?)?;
            compare_python(&python)
        }
        Err(reason) => {
            println!("not compared with Python: {reason}");
            Ok(())
        }
    }
}

/// The short run, of programs that are built.
pub fn short() -> Result<()> {
    run_program(&target()?.join("debug").join("truefold-fuzz"), SHORT, &[])
}

/// The maps of the last run, made again by the Python package that is installed.
pub fn compare_python(python: &Path) -> Result<()> {
    let mut compare = command(python, &["xtask/python/same_maps.py"])?;
    compare.arg(target()?.join("fuzz").join("cases"));
    succeed(compare)
}

/// The program with counts of all places that run.
fn build_guided() -> Result<std::path::PathBuf> {
    let folder = target()?.join("fuzz-guided");
    let mut build = cargo(&["build", "--quiet", "--package", "truefold-fuzz", "--features", "guided", "--target-dir"])?;
    build.arg(&folder).env("RUSTFLAGS", "-C instrument-coverage");
    // Programs that run during the build are counted too, and would write that down.
    build.env("LLVM_PROFILE_FILE", "/dev/null");
    succeed(build)?;
    Ok(folder.join("debug").join("truefold-fuzz"))
}

fn run_program(program: &Path, seconds: f64, rest: &[&str]) -> Result<()> {
    let folder = target()?.join("fuzz");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("the inputs of the last run cannot be removed")?;
    }
    let mut fuzz = command(program, &["--seconds", &seconds.to_string(), "--folder"])?;
    fuzz.arg(&folder).arg("--tool").arg(test_tool()?).args(rest).current_dir(root()?);
    fuzz.env("LLVM_PROFILE_FILE", "/dev/null");
    succeed(fuzz).context("what was found lies in target/fuzz/findings")
}
