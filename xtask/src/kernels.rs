//! `cargo xtask kernels`: makes `scan.ptx`, `leaves.ptx` and `convert.ptx`, which graphics processors run, from the `.cu` files beside
//! them.
//!
//! Builds never do this: the results lie in the repository. NVIDIA's run-time compiler comes as a Python package, of one pinned
//! version, whose language every driver from 525 on reads. The first line of a result holds a check sum of the source
//! and one of the rest, and a test compares both, so that neither is changed alone.

use crate::environment;
use crate::project::{command, root, succeed, target};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::PathBuf;

/// The compiler, pinned.
const COMPILER: &str = "nvidia-cuda-nvrtc-cu12==12.0.140";
/// Where source and result lie.
const FOLDER: &str = "crates/truefold/src/neighbors/device";

/// The kernels, each with its source beside it.
const NAMES: [&str; 3] = ["scan", "leaves", "convert"];

/// Makes the kernels.
pub fn run() -> Result<()> {
    let (python, folder) = (compiler()?, root()?.join(FOLDER));
    let read = |path: PathBuf| fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()));
    for name in NAMES {
        let (source, result) = (folder.join(format!("{name}.cu")), folder.join(format!("{name}.ptx")));
        let made = target()?.join(format!("{name}.ptx"));
        let mut script = command(&python, &["xtask/python/kernels.py"])?;
        script.arg(&source).arg(&made);
        succeed(script)?;
        let text = with_sums(name, &read(source)?, &read(made)?);
        fs::write(&result, text).with_context(|| format!("cannot write {}", result.display()))?;
        println!("{FOLDER}/{name}.ptx is made");
    }
    Ok(())
}

/// The interpreter of an environment that has the compiler.
fn compiler() -> Result<PathBuf> {
    let folder = target()?.join("kernels");
    let python = environment::python_of(&folder);
    if !python.exists()
        && let Err(reason) = environment::create(&folder)?
    {
        bail!("kernels need Python for NVIDIA's compiler, and {reason}");
    }
    succeed(command(&python, &["-m", "pip", "install", "--quiet", "--only-binary=:all:", COMPILER])?)
        .with_context(|| format!("kernels need NVIDIA's compiler, the Python package {COMPILER}"))?;
    Ok(python)
}

/// The result under a line with both check sums.
fn with_sums(name: &str, source: &str, made: &str) -> String {
    format!("{}{made}", first_line(name, source, made))
}

fn first_line(name: &str, source: &str, made: &str) -> String {
    format!("// Made by `cargo xtask kernels` from {name}.cu: {:016x} made {:016x}\n", sum(source), sum(made))
}

/// The check sum of Fowler, Noll and Vo (FNV-1a, 64 bits).
fn sum(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_and_their_source_belong_together() {
        let folder = root().unwrap().join(FOLDER);
        let read = |name: &str, kind: &str| fs::read_to_string(folder.join(format!("{name}.{kind}"))).unwrap();
        for name in NAMES {
            let kernel = read(name, "ptx");
            let (first, made) = kernel.split_once('\n').unwrap();
            assert_eq!(
                format!("{first}\n"),
                first_line(name, &read(name, "cu"), made),
                "run `cargo xtask kernels` after a change of {name}.cu"
            );
            let entry = format!(".entry {name}(");
            assert!(made.contains(".version 8.0") && made.contains(".target sm_80") && made.contains(&entry));
        }
    }

    #[test]
    fn a_change_of_either_changes_the_line() {
        assert_eq!(sum("a"), 0xAF63_DC4C_8601_EC8C);
        assert_ne!(first_line("x", "a", "b"), first_line("x", "a ", "b"));
        assert_ne!(first_line("x", "a", "b"), first_line("x", "a", "b "));
    }
}
