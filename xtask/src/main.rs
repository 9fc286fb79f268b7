//! Project chores: `cargo xtask test`, `cargo xtask bench`.
fn main() {}
