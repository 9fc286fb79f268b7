//! A map with its cost and what it keeps.

use super::data::Data;
use crate::bench::table::{megabytes, number, seconds};
use crate::bench::timed::{Bench, Timed};
use anyhow::Result;
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// The columns of [`Judged::cells`].
pub const HEADS: [&str; 11] = [
    "map",
    "processor time",
    "peak memory",
    "score",
    "R_NX",
    "overlap",
    "trustworthiness",
    "R_C",
    "reverse R_C",
    "label accuracy",
    "stages",
];

/// A map of some data.
pub struct Judged {
    pub name: String,
    pub cpu: f64,
    pub peak: f64,
    /// What the program told of itself.
    pub told: Value,
    facts: Value,
}

impl Judged {
    /// By a method of the tool with these settings.
    pub fn ours(bench: &Bench, data: &Data, method: &str, settings: &[&str]) -> Result<Self> {
        let file = bench.file("maps-own.npy");
        let mut words: Vec<OsString> = vec!["embed".into(), data.x.clone(), "--output".into(), file.clone()];
        words.extend(["--method", method, "--approximate", "--threads", "2", "--format", "json"].map(OsString::from));
        settings.iter().for_each(|setting| words.extend(["--set".into(), OsString::from(setting)]));
        let made = bench.tool(&words)?;
        let name = [&[method], settings].concat().join(" ");
        Self::of(bench, data, (name, &file), &made, made.cpu, made.peak)
    }

    /// By another program, from a start where one is given.
    pub fn others(bench: &Bench, data: &Data, program: &str, start: Option<&OsStr>) -> Result<Self> {
        let file = bench.file("maps-other.npy");
        let mut words: Vec<&OsStr> = vec![program.as_ref(), &data.x, &file];
        words.extend(start);
        let made = bench.script("maps_peer.py", None, &words)?;
        let of = |name: &str| made.output[name].as_f64().unwrap_or(f64::NAN);
        Self::of(bench, data, (program.to_owned(), &file), &made, of("cpu_seconds"), of("peak_bytes"))
    }

    fn of(
        bench: &Bench,
        data: &Data,
        (name, file): (String, &OsStr),
        made: &Timed,
        cpu: f64,
        peak: f64,
    ) -> Result<Self> {
        println!("  {name}: {}", seconds(cpu));
        let mut words: Vec<&OsStr> = vec!["measure".as_ref(), &data.x, file, "--labels".as_ref(), &data.labels];
        words.extend(["--approximate", "--measures", "all", "--sample", "1000", "--format", "json"].map(OsStr::new));
        let facts = bench.tool(&words)?.output;
        Ok(Self { name, cpu, peak, told: made.output.clone(), facts })
    }

    /// The value of a measure.
    pub fn measure(&self, name: &str) -> f64 {
        self.facts["measures"][name].as_f64().unwrap_or(f64::NAN)
    }

    /// The two-sided score.
    pub fn score(&self) -> f64 {
        self.facts["verdict"]["score"].as_f64().unwrap_or(f64::NAN)
    }

    /// The share of points whose neighbors in the map tell their label.
    pub fn accuracy(&self) -> f64 {
        self.facts["labels"]["accuracy"]["map"].as_f64().unwrap_or(f64::NAN)
    }

    /// A line of a table.
    pub fn cells(&self) -> Vec<String> {
        let mut cells =
            vec![self.name.clone(), seconds(self.cpu), megabytes(self.peak), format!("{:.3}", self.score())];
        let measures = ["r_nx", "overlap", "trustworthiness", "r_c", "reverse_r_c"];
        cells.extend(measures.map(|name| number(self.measure(name))));
        cells.push(format!("{:.4}", self.accuracy()));
        cells.push(self.stages());
        cells
    }

    /// The stages that take more than a tenth of a second, by the clock.
    pub fn stages(&self) -> String {
        let Some(stages) = self.told["seconds"].as_object() else { return String::new() };
        let told = stages.iter().filter_map(|(name, value)| {
            let value = value.as_f64().filter(|value| *value >= 0.1 && name != "total" && name != "embed")?;
            Some(format!("{} {value:.1}", name.trim_start_matches("embed: ")))
        });
        told.collect::<Vec<_>>().join(", ")
    }

    /// Every number of it as a whole; those of its points would fill megabytes.
    pub fn json(&self) -> Value {
        json!({
            "map": self.name, "cpu_seconds": self.cpu, "peak_bytes": self.peak, "stages": self.told["seconds"],
            "measures": self.facts["measures"], "score": self.score(), "label_accuracy": self.accuracy(),
        })
    }
}
