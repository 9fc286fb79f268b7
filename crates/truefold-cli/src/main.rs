//! The program; [`truefold_cli`] is all of it.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    allocator::keep_free_memory();
    truefold_cli::main()
}
