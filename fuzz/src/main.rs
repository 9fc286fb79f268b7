//! Broken input for every reader and for the command line, in processes of their own with limits of memory and time; and
//! comparisons of what must be equal. `cargo xtask fuzz` starts it.
#![expect(clippy::print_stdout, reason = "a chore prints to the terminal")]

mod differ;
mod draw;
mod edit;
mod guide;
mod limit;
mod structure;
mod target;
mod through_tool;
mod watch;
mod words;
mod worker;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use target::{TARGETS, Target};
use watch::{Plan, Tally};
use worker::Order;

const HELP: &str = "\
truefold-fuzz --seconds N --folder DIR --tool TOOL [--seed N] [--inputs N] [--only READER] [--tool-runs N]

Two thirds of the time go to the readers, the rest to the tool and to comparisons; what readers leave, because they had all their
inputs, goes to the tool. Findings lie in DIR/findings, and make the exit
status 1.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing was found.
fn run(words: &[&str]) -> Result<bool> {
    match words {
        ["worker", name, seed, milliseconds, inputs, inputs_at, findings_at] => {
            let order = Order {
                seed: seed.parse()?,
                time: Duration::from_millis(milliseconds.parse()?),
                inputs: inputs.parse()?,
                inputs_at: PathBuf::from(inputs_at),
                findings_at: PathBuf::from(findings_at),
            };
            worker::work(target(name)?, &order).map(|()| true)
        }
        ["feed", name, path] => {
            println!("{:?}", (target(name)?.feed)(Path::new(path)));
            Ok(true)
        }
        _ => all(&Settings::of(words)?),
    }
}

fn target(name: &str) -> Result<&'static Target> {
    TARGETS.iter().find(|target| target.name == name).with_context(|| format!("there is no reader `{name}`"))
}

/// What was asked for.
struct Settings {
    seconds: f64,
    folder: PathBuf,
    tool: PathBuf,
    seed: u64,
    inputs: u64,
    only: Option<String>,
    tool_runs: u64,
}

impl Settings {
    fn of(words: &[&str]) -> Result<Self> {
        let value = |name: &str| words.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1]);
        let known = ["--seconds", "--folder", "--tool", "--seed", "--inputs", "--only", "--tool-runs"];
        if !words.len().is_multiple_of(2) || words.iter().step_by(2).any(|word| !known.contains(word)) {
            bail!("{HELP}");
        }
        let number = |name: &str, otherwise: u64| value(name).map_or(Ok(otherwise), str::parse);
        Ok(Self {
            seconds: value("--seconds").context(HELP)?.parse()?,
            folder: value("--folder").context(HELP)?.into(),
            tool: value("--tool").context(HELP)?.into(),
            seed: number("--seed", 1)?,
            inputs: number("--inputs", u64::MAX)?,
            only: value("--only").map(str::to_owned),
            tool_runs: number("--tool-runs", u64::MAX)?,
        })
    }
}

/// Readers, the tool and comparisons, one after the other; whether nothing was found.
fn all(settings: &Settings) -> Result<bool> {
    let share = |part: f64| Duration::from_secs_f64(settings.seconds * part);
    let start = Instant::now();
    let plan = Plan {
        seed: settings.seed,
        time: share(2.0 / 3.0),
        inputs: settings.inputs,
        findings: settings.folder.join("findings"),
        only: settings.only.clone(),
    };
    let tallies = watch::feed_all(&plan)?;
    print(&tallies);
    let runs = through_tool::Plan {
        tool: &settings.tool,
        findings: &plan.findings,
        seed: settings.seed,
        runs: settings.tool_runs,
        time: share(5.0 / 6.0).saturating_sub(start.elapsed()),
    };
    print_runs(&runs.run()?);
    let compared = differ::compare(&settings.tool, &settings.folder, settings.seed, share(1.0 / 6.0))?;
    println!(
        "compared: {} searches with naive search, {} maps on 1 and 8 threads, {} maps with the tool's; {} differ",
        compared.searches,
        compared.maps,
        compared.tool_maps,
        compared.differences.len()
    );
    compared.differences.iter().take(20).for_each(|difference| println!("  {difference}"));
    let findings = findings(&settings.folder)?;
    findings.iter().take(20).for_each(|finding| println!("  {finding}"));
    Ok(findings.is_empty() && compared.differences.is_empty())
}

/// The counts of each reader.
fn print(tallies: &[Tally]) {
    println!(
        "{:<15} {:>10} {:>10} {:>10} {:>7} {:>6} {:>6} {:>8}",
        "reader", "inputs", "accepted", "refused", "kept", "ended", "MB", "a second"
    );
    for tally in tallies {
        let refused = tally.inputs.saturating_sub(tally.accepted);
        let rate = tally.inputs as f64 / tally.seconds.max(1e-3);
        println!(
            "{:<15} {:>10} {:>10} {refused:>10} {:>7} {:>6} {:>6} {rate:>8.0}",
            tally.name, tally.inputs, tally.accepted, tally.kept, tally.ended, tally.megabytes
        );
    }
    println!("{:<15} {:>10}", "together", tallies.iter().map(|tally| tally.inputs).sum::<u64>());
}

/// The runs of the tool on files of each reader.
fn print_runs(tallies: &[through_tool::Tally]) {
    println!("{:<16} {:>10} {:>10} {:>10} {:>10}", "through the tool", "runs", "results", "refused", "findings");
    let line = |name: &str, [runs, results, findings]: [u64; 3]| {
        println!("{name:<16} {runs:>10} {results:>10} {:>10} {findings:>10}", runs - results - findings);
    };
    let mut together = [0; 3];
    for tally in tallies {
        let counts = [tally.runs, tally.results, tally.findings];
        line(tally.name, counts);
        together = std::array::from_fn(|at| together[at] + counts[at]);
    }
    line("together", together);
}

/// What was stored, with its first line.
fn findings(folder: &Path) -> Result<Vec<String>> {
    let folder = folder.join("findings");
    let mut found = Vec::new();
    if folder.exists() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension() == Some("txt".as_ref()) {
                let what = std::fs::read_to_string(&path)?;
                found.push(format!(
                    "{}: {}",
                    path.with_extension("").display(),
                    what.lines().next().unwrap_or_default()
                ));
            }
        }
    }
    found.sort();
    Ok(found)
}
