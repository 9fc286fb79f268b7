//! The program; [`truefold_cli`] is all of it.

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    allocator::keep_free_memory();
    truefold_cli::main()
}
