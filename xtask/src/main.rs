//! Project chores: `cargo xtask help` lists them.
#![expect(clippy::print_stdout, reason = "chores print to the terminal")]

mod bench;
mod browser;
mod debian;
mod dist;
mod environment;
mod fuzz;
mod kernels;
mod pace;
mod package;
mod project;
mod same;
mod site;
mod steps;
mod test;
mod toolchain;
mod trial;

use anyhow::{Result, bail};
use std::process::ExitCode;

const HELP: &str = "\
Chores of the project.

cargo xtask test                             check format, lints, tests, docs, the tool from Python, the Python package
cargo xtask bench measure [--quick] [PART..] time the neighbor search and the measures beside scipy and scikit-learn
cargo xtask bench embed [--quick] [PART..]   time gp and psa beside scipy and tapkee, and the Laplacian solver
cargo xtask bench peers [--quick] [PART..]   time every method beside scikit-learn, tapkee and umap-learn
cargo xtask bench report [--quick]           measure the size of a report of many points, and time it in a browser
cargo xtask bench python [--quick] [PART..]  time the Python package beside the tool
cargo xtask bench transform --data DIR [--quick] [PART..] place new points in fitted maps, beside the truth and other programs
cargo xtask bench noise [--quick]            compare maps of noisy rolls with the truth, beside scikit-learn
cargo xtask bench verdict --data DIR [--quick] [PART..]   judge maps of digits, planted faults, true and unrelated maps
cargo xtask bench neighbors --data DIR [--quick] [PART..] time neighbor searches at equal recall beside other programs
cargo xtask bench maps --data DIR [--quick] [PART..]      map digits beside openTSNE, umap-learn and others; time and quality
cargo xtask bench large-maps [--quick]                    map 100,000 and a million points; time, growth and memory
cargo xtask bench dask [--quick] [PART..]                 truefold.dask on workers of this machine, beside one process
cargo xtask bench closed [--quick] [PART..]               which surfaces psa tears, how much, and what is left
cargo xtask bench rivals [--quick] [PART..]               psa beside other methods on the surfaces of published figures
cargo xtask bench gpu [--quick] [--build|--built]         exact neighbors on a graphics processor, beside its ceilings
cargo xtask same --before TOOL --after TOOL  run many commands with two builds of the tool; report what differs for a user
cargo xtask same --before TOOL --write FILE  store the results of one build, for `--against FILE` instead of `--before TOOL`
cargo xtask pace --before TOOL --after TOOL  time many commands with two builds of the tool in turn
cargo xtask kernels                          make the kernels of graphics processors from their source; builds never do
cargo xtask fuzz [--minutes N] [OPTION..]    feed every reader and the command line with broken input; compare what must be equal
cargo xtask trial limits [--python PYTHON] [OPTION..]  every command with little memory: a result or a sentence, never an abort
cargo xtask trial kills [--count N]          kill commands that write, and look for torn and left-over files
cargo xtask site                             build the site from docs/, with live report pages and both references
cargo xtask dist [--root DIR]..              make what a user installs without Rust, with checksums, and try it

A benchmark writes docs/benchmarks; with --quick (small sizes) or single parts it writes target/bench/quick. With --resume
it takes parts of full size that ended before, with the same program, from there. With --publish single parts make the page.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    match words {
        [] | ["help"] => println!("{HELP}"),
        _ if words.iter().any(|word| matches!(*word, "-h" | "--help")) => println!("{HELP}"),
        ["test"] => test::run()?,
        ["kernels"] => kernels::run()?,
        ["site"] => site::run()?,
        ["dist", options @ ..] => dist::run(options)?,
        ["fuzz", options @ ..] => fuzz::run(options)?,
        ["same", options @ ..] => same::run(options)?,
        ["pace", options @ ..] => pace::run(options)?,
        ["trial", name, options @ ..] => trial::run(name, options)?,
        ["bench", name, options @ ..] => bench::run(name, options)?,
        _ => bail!("there is no chore `{}`\n\n{HELP}", words.join(" ")),
    }
    Ok(())
}
