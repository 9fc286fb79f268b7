//! The parts of the Rust toolchain that a minimal installation leaves out.

use crate::project::{cargo, command, succeed, works};
use anyhow::{Context, Result};

/// Adds the component that provides `cargo <subcommand>`, unless it is installed.
pub fn require(subcommand: &str, component: &str) -> Result<()> {
    if works(cargo(&[subcommand, "--version"])?) {
        return Ok(());
    }
    succeed(command("rustup", &["--quiet", "component", "add", component])?)
        .with_context(|| format!("cargo {subcommand} is missing and could not be added"))
}
