//! Whether confidences are the shares of places that are right.

use super::digits::Digits;
use super::{METHODS, Sizes};
use crate::bench::Findings;
use crate::bench::table::{Section, count, head};
use crate::bench::timed::Bench;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

pub const EXAMPLE: &str = "reliability";
/// Where the bins of confidence end.
const ENDS: [f64; 6] = [0.2, 0.5, 0.8, 0.9, 0.97, 1.0];
/// Points of the rolls, fitted and new.
const ROLL: [&str; 2] = ["3000", "2000"];

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let digits = Digits::make(bench, sizes.digits)?;
    let mut rows = Vec::new();
    let mut numbers = Vec::new();
    let mut add = |name: &str, told: &Value| -> Result<()> {
        println!("  {name}");
        for bin in bins(told).with_context(|| format!("{EXAMPLE} printed no confidences"))? {
            numbers.push(json!({"map": name, "places": bin.0, "confidence": bin.1, "right": bin.2}));
            rows.push(vec![name.to_owned(), count(bin.0), format!("{:.3}", bin.1), format!("{:.3}", bin.2)]);
        }
        Ok(())
    };
    let y = bench.file("place-y.npy");
    for method in METHODS {
        let mut words: Vec<&OsStr> = vec!["embed".as_ref(), &digits.all, "--output".as_ref(), &y];
        words.extend(["--method", method, "--approximate", "--format", "json"].map(OsStr::new));
        bench.tool(&words)?;
        let placed = sizes.digits.1.to_string();
        let words: [&OsStr; 3] = [&digits.all, &y, placed.as_ref()];
        add(&format!("digits, {method}"), &bench.example(EXAMPLE, &words)?.output)?;
    }
    for (name, noise) in [("roll with a hole, points of the whole roll", "0"), ("the same, points off the roll", "1")] {
        let [x, truth] = roll(bench, noise)?;
        let words: [&OsStr; 3] = [&x, &truth, ROLL[1].as_ref()];
        add(name, &bench.example(EXAMPLE, &words)?.output)?;
    }
    let section = Section {
        title: "Confidence beside the share of places that are right".to_owned(),
        note: "Maps of all digits, of which a model gets all but the new ones; those it places, and a place is right if it \
               is no farther from the one in the map of all than half of the point's 12 neighbors are. For the rolls the \
               true coordinates are the map; points off the roll have noise of standard deviation 1."
            .to_owned(),
        head: head(&["map", "places", "mean confidence", "share right"]),
        rows,
        ..Section::default()
    };
    Ok(Findings { rows: Vec::new(), sections: vec![section], numbers: Value::Array(numbers) })
}

/// A roll with a hole, followed by points of the whole roll with this noise, and the true coordinates of all.
fn roll(bench: &Bench, noise: &str) -> Result<[OsString; 2]> {
    let files = ["hole", "hole-truth", "whole", "whole-truth", "both", "both-truth"];
    let files = files.map(|name| bench.file(&format!("place-{name}.npy")));
    for (name, points, noise, at) in [("swiss-roll-hole", ROLL[0], "0", 0), ("swiss-roll", ROLL[1], noise, 2)] {
        let seed = at.to_string();
        let words = ["generate", name, "--points", points, "--noise", noise, "--seed", &seed, "--output"];
        let mut words: Vec<&OsStr> = words.iter().map(AsRef::as_ref).collect();
        words.extend([&files[at], OsStr::new("--truth"), &files[at + 1]]);
        bench.tool(&words)?;
    }
    for at in [0, 1] {
        bench.script("stack_rows.py", None, &[&files[at], &files[at + 2], &files[at + 4]])?;
    }
    let [.., x, truth] = files;
    Ok([x, truth])
}

/// For each bin with places their number, their mean confidence and the share that is right.
fn bins(told: &Value) -> Option<Vec<(usize, f64, f64)>> {
    let confidences: Vec<f64> = told["confidence"].as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let right: Vec<bool> = told["right"].as_array()?.iter().map(Value::as_bool).collect::<Option<_>>()?;
    let mut found = Vec::new();
    let mut from = -1.0;
    for to in ENDS {
        let some: Vec<usize> =
            (0..confidences.len()).filter(|&at| confidences[at] > from && confidences[at] <= to).collect();
        if !some.is_empty() {
            let number = some.len() as f64;
            let mean = some.iter().map(|&at| confidences[at]).sum::<f64>() / number;
            found.push((some.len(), mean, some.iter().filter(|&&at| right[at]).count() as f64 / number));
        }
        from = to;
    }
    Some(found)
}
