//! The program; [`truefold_cli`] is all of it.

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    truefold_cli::main()
}
