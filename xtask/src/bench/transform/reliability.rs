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
/// The columns of the table.
const HEAD: [&str; 7] =
    ["map", "confidence above", "up to", "places", "mean confidence", "share right", "share right of all above"];
/// Points of the rolls, fitted and new.
const ROLL: [&str; 2] = ["3000", "2000"];

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let digits = Digits::make(bench, sizes.digits)?;
    let mut rows = Vec::new();
    let mut numbers = Vec::new();
    let mut add = |name: &str, told: &Value| -> Result<()> {
        println!("  {name}");
        for bin in bins(told).with_context(|| format!("{EXAMPLE} printed no confidences"))? {
            rows.push(bin.cells(name));
            numbers.push(bin.json(name));
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
               true coordinates are the map; points off the roll have noise of standard deviation 1. The last column \
               is of all places with more confidence than the second column says."
            .to_owned(),
        head: head(&HEAD),
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

/// Places whose confidence lies in a bin, and all that have more confidence than its lower end.
#[derive(Debug, PartialEq)]
struct Bin {
    /// Its ends.
    above: f64,
    up_to: f64,
    places: usize,
    confidence: f64,
    right: f64,
    /// The share of right ones among all places above its lower end.
    right_above: f64,
}

impl Bin {
    fn cells(&self, name: &str) -> Vec<String> {
        let mut cells = vec![name.to_owned(), self.above.to_string(), self.up_to.to_string(), count(self.places)];
        cells.extend([self.confidence, self.right, self.right_above].map(|value| format!("{value:.3}")));
        cells
    }

    fn json(&self, name: &str) -> Value {
        json!({
            "map": name, "above": self.above, "up_to": self.up_to, "places": self.places,
            "confidence": self.confidence, "right": self.right, "right_above": self.right_above,
        })
    }
}

/// The bins that hold places.
fn bins(told: &Value) -> Option<Vec<Bin>> {
    let confidences: Vec<f64> = told["confidence"].as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let right: Vec<bool> = told["right"].as_array()?.iter().map(Value::as_bool).collect::<Option<_>>()?;
    // A confidence of 0 belongs to the first bin.
    let within = |at: usize, above: f64, up_to: f64| {
        (confidences[at] > above || above == 0.0 && confidences[at] == 0.0) && confidences[at] <= up_to
    };
    let mut found = Vec::new();
    let mut above = 0.0;
    for up_to in ENDS {
        let some: Vec<usize> = (0..confidences.len()).filter(|&at| within(at, above, up_to)).collect();
        let more: Vec<usize> = (0..confidences.len()).filter(|&at| within(at, above, 1.0)).collect();
        let share = |of: &[usize]| of.iter().filter(|&&at| right[at]).count() as f64 / of.len() as f64;
        if !some.is_empty() {
            let confidence = some.iter().map(|&at| confidences[at]).sum::<f64>() / some.len() as f64;
            let (places, right_above) = (some.len(), share(&more));
            found.push(Bin { above, up_to, places, confidence, right: share(&some), right_above });
        }
        above = up_to;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_count_their_own_places_and_all_above() {
        let told = json!({"confidence": [0.0, 0.1, 0.6, 0.8, 1.0], "right": [false, true, false, true, true]});
        let bin = |above, up_to, places, confidence, right, right_above| Bin {
            above,
            up_to,
            places,
            confidence,
            right,
            right_above,
        };
        let expected = vec![
            bin(0.0, 0.2, 2, 0.05, 0.5, 0.6),
            bin(0.5, 0.8, 2, 0.7, 0.5, 2.0 / 3.0),
            bin(0.97, 1.0, 1, 1.0, 1.0, 1.0),
        ];
        assert_eq!(bins(&told), Some(expected));
    }
}
