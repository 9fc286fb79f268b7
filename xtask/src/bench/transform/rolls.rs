//! New points of a swiss roll are placed in a map of a small part of it.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, Section, count, head, megabytes, number, seconds};
use crate::bench::timed::{Bench, Timed, greatest};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// All runs on one roll.
struct Measured {
    fitted: usize,
    new: usize,
    runs: Vec<Timed>,
    /// The errors on fitted and on new points.
    errors: [f64; 2],
    confidence: Value,
}

impl Measured {
    /// The fastest run's seconds of a stage.
    fn seconds(&self, stage: &str) -> Result<f64> {
        let of = |run: &Timed| run.output["seconds"][stage].as_f64();
        let times: Option<Vec<f64>> = self.runs.iter().map(of).collect();
        times.and_then(|times| times.into_iter().min_by(f64::total_cmp)).context("the tool printed no seconds")
    }

    /// New points placed in a second.
    fn throughput(&self) -> Result<f64> {
        Ok(self.new as f64 / self.seconds("transform")?)
    }
}

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut rolls = Vec::new();
    for &(fitted, new) in sizes.rolls {
        println!("  {fitted} points, then {new}");
        rolls.push(measured(bench, fitted, new, sizes.repeats)?);
    }
    let mut section = Section {
        title: "Rolls by size".to_owned(),
        note: "Errors are root mean squares against the true coordinates, relative to the spread of those, after the \
               rigid motion that is best for the fitted points. Points per second are of the transform alone; the \
               seconds of the whole also include reading the model, building its local maps and its tree, and reading \
               and writing the points."
            .to_owned(),
        head: head(&["fitted", "new", "points per second", "whole", "peak memory", "error, fitted", "error, new"]),
        ..Section::default()
    };
    for roll in &rolls {
        section.rows.push(vec![
            count(roll.fitted),
            count(roll.new),
            count(roll.throughput()? as usize),
            seconds(roll.seconds("total")?),
            megabytes(greatest(roll.runs.iter().map(|run| run.peak))),
            format!("{} %", number(100.0 * roll.errors[0])),
            format!("{} %", number(100.0 * roll.errors[1])),
        ]);
    }
    let largest = rolls.last().context("no roll was measured")?;
    let numbers = rolls.iter().map(json_of).collect::<Vec<_>>();
    Ok(Findings { rows: claims(largest)?, sections: vec![section], numbers: json!(numbers) })
}

fn claims(roll: &Measured) -> Result<Vec<Row>> {
    let what = format!("{} points into a map of {}", count(roll.new), count(roll.fitted));
    let (throughput, ratio) = (roll.throughput()?, roll.errors[1] / roll.errors[0]);
    Ok(vec![
        Row {
            what: format!("{what}: points per second on two processors"),
            tool: seconds(roll.seconds("transform")?),
            figure: count(throughput as usize),
            target: ">= 200,000".to_owned(),
            holds: Some(throughput >= 2e5),
            ..Row::default()
        },
        Row {
            what: format!("{what}: error over the error of the fitted points"),
            tool: format!("{} %", number(100.0 * roll.errors[1])),
            beside: format!("fitted: {} %", number(100.0 * roll.errors[0])),
            figure: format!("{ratio:.3}"),
            target: "<= 1.5".to_owned(),
            holds: Some(ratio <= 1.5),
        },
    ])
}

fn measured(bench: &Bench, fitted: usize, new: usize, repeats: usize) -> Result<Measured> {
    let (x, truth) = bench.swiss_roll(fitted)?;
    let [fresh, fresh_truth, y, model, placed] =
        ["fresh.npy", "fresh-truth.npy", "map.npy", "map.truefold", "placed.npy"].map(|name| bench.file(name));
    let points = new.to_string();
    let mut words: Vec<&OsStr> = ["generate", "swiss-roll", "--seed", "2", "--points", &points].map(OsStr::new).into();
    words.extend([OsStr::new("--output"), &fresh, OsStr::new("--truth"), &fresh_truth]);
    bench.tool(&words)?;
    let mut words: Vec<&OsStr> = vec!["embed".as_ref(), &x];
    words.extend(["--method", "psa", "--k", "12", "--format", "json"].map(OsStr::new));
    words.extend([OsStr::new("--output"), &y, OsStr::new("--save-model"), &model]);
    bench.tool(&words)?;
    let words: [&OsStr; 7] =
        ["transform".as_ref(), &model, &fresh, "--output".as_ref(), &placed, "--format".as_ref(), "json".as_ref()];
    let runs: Vec<Timed> = (0..repeats).map(|_| bench.tool(&words)).collect::<Result<_>>()?;
    let files: [&OsString; 4] = [&y, &truth, &placed, &fresh_truth];
    let report = bench.script("new_point_error.py", None, &files)?.output;
    let error =
        |name: &str| report[name].as_f64().with_context(|| format!("new_point_error.py printed no error {name}"));
    let confidence = runs[0].output["confidence"].clone();
    Ok(Measured { fitted, new, errors: [error("fitted")?, error("new")?], confidence, runs })
}

fn json_of(roll: &Measured) -> Value {
    json!({
        "fitted": roll.fitted,
        "new": roll.new,
        "error_fitted": roll.errors[0],
        "error_new": roll.errors[1],
        "seconds": roll.runs.iter().map(|run| &run.output["seconds"]).collect::<Vec<_>>(),
        "wall_seconds": roll.runs.iter().map(|run| run.wall).collect::<Vec<_>>(),
        "peak_bytes": greatest(roll.runs.iter().map(|run| run.peak)),
        "confidence": roll.confidence,
    })
}
