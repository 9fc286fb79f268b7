//! The Python package beside the tool: the cost of calling from Python, and how soon Ctrl-C brings the prompt back.

use super::table::{Row, count, seconds};
use super::timed::{Bench, least, median};
use super::{Benchmark, Findings};
use crate::package::{self, Profile};
use anyhow::{Context, Result};
use serde_json::json;
use std::ffi::OsStr;

/// How large the data are.
pub struct Sizes {
    points: usize,
    repeats: usize,
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "python",
    note: "The tool and the package run in turn on one swiss roll, k = 12, without reading files; the least of the \
           runs counts.",
    packages: &["numpy"],
    examples: &[],
    full: Sizes { points: 100_000, repeats: 15 },
    quick: Sizes { points: 10_000, repeats: 5 },
    parts: &[("overhead", overhead), ("interrupt", interrupt)],
};

/// Builds the wheel as it is published and puts it in the environment.
pub(super) fn install(bench: &Bench) -> Result<()> {
    package::install(bench.python(), &package::build(bench.python(), Profile::Release)?)
}

/// `truefold.measure` beside the stages of `truefold measure` after the reading.
fn overhead(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    install(bench)?;
    let (x, z) = bench.swiss_roll(sizes.points)?;
    let (mut tool, mut python) = (Vec::new(), Vec::new());
    for _ in 0..sizes.repeats {
        let words: [&OsStr; 7] =
            ["measure".as_ref(), &x, &z, "--k".as_ref(), "12".as_ref(), "--format".as_ref(), "json".as_ref()];
        let report = bench.tool(&words)?.output;
        let stage =
            |name: &str| report["seconds"][name].as_f64().with_context(|| format!("the tool printed no {name}"));
        tool.push(stage("neighbors")? + stage("measures")?);
        python.push(bench.script("python_measure.py", None, &[&x, &z])?.seconds()?);
    }
    let (own, package) = (least(tool.iter().copied()), least(python.iter().copied()));
    let share = package / own;
    let row = Row {
        what: format!("truefold.measure on {} points, beside the tool's time without reading", count(sizes.points)),
        tool: seconds(package),
        beside: format!("the tool {}", seconds(own)),
        figure: format!("{share:.3} times"),
        target: "<= 1.05".to_owned(),
        holds: Some(share <= 1.05),
    };
    let numbers = json!({"points": sizes.points, "tool": tool, "python": python, "times": share});
    Ok(Findings { rows: vec![row], numbers, ..Findings::default() })
}

/// The time from SIGINT during long fits to the exception.
fn interrupt(bench: &Bench, _: &Sizes) -> Result<Findings> {
    install(bench)?;
    let report = bench.script::<&OsStr>("python_interrupt.py", None, &[])?.output;
    let methods = report["seconds"].as_object().context("the script printed no seconds")?;
    let times: Vec<f64> = methods.values().filter_map(serde_json::Value::as_f64).collect();
    let (slowest, longest) = methods
        .iter()
        .filter_map(|(name, time)| Some((name, time.as_f64()?)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .context("no method was stopped")?;
    let row = Row {
        what: format!("from Ctrl-C during a long fit to the prompt, {} methods", methods.len()),
        tool: format!("{} in the median", seconds(median(times))),
        figure: format!("{} at most ({slowest})", seconds(longest)),
        target: "<= 1 s".to_owned(),
        holds: Some(longest <= 1.0),
        ..Row::default()
    };
    Ok(Findings { rows: vec![row], numbers: report, ..Findings::default() })
}
