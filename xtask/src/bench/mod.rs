//! `cargo xtask bench measure`: the neighbor search and the measures timed beside scipy and scikit-learn, in one run.
//!
//! Everything runs on the same two processors, the rivals in turn with the tool, so that a busy machine is busy for all.
//! Timings are reported against their targets and never fail the chore; a command that fails does.

mod brute;
mod ranks;
mod scaling;
mod table;
mod timed;
mod tree;

use crate::environment;
use crate::project::{cargo, command, root, succeed, target};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use table::Row;
use timed::Bench;

/// How large the data are.
pub struct Sizes {
    quick: bool,
    tree: usize,
    brute: usize,
    scaling: [(usize, usize); 3],
    ranks: usize,
    ranks_beside: usize,
    repeats: usize,
    long_repeats: usize,
}

impl Sizes {
    /// Those of the published table.
    pub fn full() -> Self {
        Self {
            quick: false,
            tree: 1_000_000,
            brute: 60_000,
            scaling: [(10_000, 41), (100_000, 11), (1_000_000, 5)],
            ranks: 50_000,
            ranks_beside: 10_000,
            repeats: 3,
            long_repeats: 2,
        }
    }

    /// Small ones, to see in a minute that everything runs; the targets are not meant for them.
    pub fn quick() -> Self {
        Self {
            quick: true,
            tree: 100_000,
            brute: 6_000,
            scaling: [(1_000, 21), (10_000, 11), (100_000, 5)],
            ranks: 5_000,
            ranks_beside: 2_000,
            repeats: 2,
            long_repeats: 1,
        }
    }
}

/// One part of the benchmark: rows for the table, and every number behind them.
type Part = fn(&Bench, &Sizes) -> Result<(Vec<Row>, Value)>;

const PARTS: [(&str, Part); 4] =
    [("tree", tree::run), ("brute", brute::run), ("scaling", scaling::run), ("ranks", ranks::run)];

/// Runs the benchmark, prints the table, and writes it beside all numbers.
pub fn measure(sizes: Sizes) -> Result<()> {
    println!("cargo build --release");
    succeed(cargo(&["build", "--quiet", "--release"])?)?;
    let python = match environment::prepare()? {
        Ok(python) => python,
        Err(reason) => bail!("no Python environment: {reason}"),
    };
    let bench = Bench::new(python)?;
    let (mut rows, mut numbers, mut failed) = (Vec::new(), serde_json::Map::new(), Vec::new());
    numbers.insert("machine".to_owned(), machine(&bench)?);
    for (name, part) in PARTS {
        println!("measuring: {name}");
        match part(&bench, &sizes) {
            Ok((more, value)) => {
                rows.extend(more);
                numbers.insert(name.to_owned(), value);
            }
            Err(error) => {
                println!("failed: {name}: {error:#}");
                failed.push(name);
            }
        }
    }
    let page = format!("# Benchmark: measure\n\n{}\n{}", describe(&numbers["machine"]), table::markdown(&rows));
    println!("\n{page}");
    for row in &rows {
        if let Some(verdict) = row.verdict() {
            println!("{verdict}");
        }
    }
    if !failed.is_empty() {
        bail!("nothing was written, as these parts failed: {}", failed.join(", "));
    }
    let (folder, shown) = destination(&sizes)?;
    fs::create_dir_all(&folder).context("cannot make the folder for the results")?;
    fs::write(folder.join("measure.md"), &page).context("cannot write measure.md")?;
    fs::write(folder.join("measure.json"), format!("{:#}\n", Value::Object(numbers)))
        .context("cannot write measure.json")?;
    println!("\nwritten: {shown}/measure.md and {shown}/measure.json");
    Ok(())
}

/// Quick results are kept out of the published ones.
fn destination(sizes: &Sizes) -> Result<(PathBuf, &'static str)> {
    Ok(if sizes.quick {
        (target()?.join("bench").join("quick"), "target/bench/quick")
    } else {
        (root()?.join("docs").join("benchmarks"), "docs/benchmarks")
    })
}

/// What a reader needs to place the numbers.
fn machine(bench: &Bench) -> Result<Value> {
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let versions = "import platform, numpy, scipy, sklearn\n\
        print(platform.python_version(), numpy.__version__, scipy.__version__, sklearn.__version__)";
    let output = command(bench.python(), &["-c", versions])?.output().context("Python did not start")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut words = text.split_whitespace();
    let mut next = || words.next().unwrap_or("unknown");
    Ok(json!({
        "processor": processor.unwrap_or_else(|| "unknown".to_owned()),
        "processors_used": std::thread::available_parallelism().map_or(1, |count| count.get().min(2)),
        "python": next(), "numpy": next(), "scipy": next(), "scikit-learn": next(),
    }))
}

fn describe(machine: &Value) -> String {
    let text = |key: &str| machine[key].as_str().unwrap_or("unknown").to_owned();
    format!(
        "Made by `cargo xtask bench measure` on {} ({} processors used), Python {}, numpy {}, scipy {}, scikit-learn {}.\n",
        text("processor"),
        machine["processors_used"],
        text("python"),
        text("numpy"),
        text("scipy"),
        text("scikit-learn"),
    )
}
