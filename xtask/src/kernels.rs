//! `cargo xtask kernels`: makes `scan.ptx`, which graphics processors run, from `scan.cu`.
//!
//! Builds never do this: the result lies in the repository. NVIDIA's run-time compiler comes as a Python package, of one pinned
//! version, whose language every driver from 525 on reads. The first line of the result holds a check sum of the source
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

/// Makes the kernels.
pub fn run() -> Result<()> {
    let made = target()?.join("scan.ptx");
    let folder = root()?.join(FOLDER);
    let mut script = command(compiler()?, &["xtask/python/kernels.py"])?;
    script.arg(folder.join("scan.cu")).arg(&made);
    succeed(script)?;
    let read = |path: PathBuf| fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()));
    let text = with_sums(&read(folder.join("scan.cu"))?, &read(made)?);
    fs::write(folder.join("scan.ptx"), text).context("cannot write scan.ptx")?;
    println!("{FOLDER}/scan.ptx is made");
    Ok(())
}

/// The interpreter of an environment that has the compiler.
fn compiler() -> Result<PathBuf> {
    let folder = target()?.join("kernels");
    let python = folder.join("bin").join("python");
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
fn with_sums(source: &str, made: &str) -> String {
    format!("{}{made}", first_line(source, made))
}

fn first_line(source: &str, made: &str) -> String {
    format!("// Made by `cargo xtask kernels` from scan.cu: {:016x} made {:016x}\n", sum(source), sum(made))
}

/// The check sum of Fowler, Noll and Vo (FNV-1a, 64 bits).
fn sum(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = include_str!("../../crates/truefold/src/neighbors/device/scan.cu");
    const KERNELS: &str = include_str!("../../crates/truefold/src/neighbors/device/scan.ptx");

    #[test]
    fn kernels_and_their_source_belong_together() {
        let (first, made) = KERNELS.split_once('\n').unwrap();
        assert_eq!(
            format!("{first}\n"),
            first_line(SOURCE, made),
            "run `cargo xtask kernels` after a change of scan.cu"
        );
        assert!(made.contains(".version 8.0") && made.contains(".target sm_80") && made.contains(".entry scan("));
    }

    #[test]
    fn a_change_of_either_changes_the_line() {
        assert_eq!(sum("a"), 0xAF63_DC4C_8601_EC8C);
        assert_ne!(first_line("a", "b"), first_line("a ", "b"));
        assert_ne!(first_line("a", "b"), first_line("a", "b "));
    }
}
