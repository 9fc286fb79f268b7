//! One method on one swiss roll: every run of `truefold embed`, and the error of the map.

use crate::bench::table::number;
use crate::bench::timed::{Bench, Timed, greatest};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// A method with its settings.
pub struct Method {
    /// Its name in tables.
    pub title: &'static str,
    name: &'static str,
    settings: &'static [&'static str],
}

pub static PSA: Method = Method { title: "psa", name: "psa", settings: &[] };
pub static GP: Method = Method { title: "gp", name: "gp", settings: &[] };
pub static RAW_GP: Method = Method { title: "gp, refine=none", name: "gp", settings: &["refine=none"] };

/// A roll and its true coordinates, in files.
pub struct Files {
    pub points: usize,
    pub x: OsString,
    pub truth: OsString,
}

/// The runs of a method on a roll.
pub struct Embedded {
    pub method: &'static Method,
    runs: Vec<Timed>,
    error: f64,
}

impl Embedded {
    /// No run yet.
    pub fn new(method: &'static Method) -> Self {
        Self { method, runs: Vec::new(), error: f64::NAN }
    }

    /// Runs the tool once more. The map is compared with the truth only the first time, as it always has the same bits.
    pub fn repeat(&mut self, bench: &Bench, files: &Files) -> Result<()> {
        let y = bench.file("map.npy");
        let mut words: Vec<&OsStr> = vec!["embed".as_ref(), &files.x];
        words.extend(["--method", self.method.name, "--k", "12", "--format", "json", "--output"].map(OsStr::new));
        words.push(&y);
        for setting in self.method.settings {
            words.extend(["--set", setting].map(OsStr::new));
        }
        self.runs.push(bench.tool(&words)?);
        if self.runs.len() == 1 {
            self.error = error(bench, &y, &files.truth)?;
        }
        Ok(())
    }

    /// The fastest run.
    fn best(&self) -> &Timed {
        self.runs.iter().min_by(|a, b| a.wall.total_cmp(&b.wall)).expect("a method is run before it is read")
    }

    /// Seconds of the whole process.
    pub fn seconds(&self) -> f64 {
        self.best().wall
    }

    /// Processor seconds of the fastest run.
    pub fn cpu(&self) -> f64 {
        self.best().cpu
    }

    /// The largest resident memory of any run, in bytes.
    pub fn peak(&self) -> f64 {
        greatest(self.runs.iter().map(|run| run.peak))
    }

    /// |H Z - H Y A| / |H Z|: how far the map is from the truth Z after the best rigid motion.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// A measure of the map.
    pub fn measure(&self, name: &str) -> Result<f64> {
        measure(&self.best().output, name)
    }

    /// R_N over the least value that any map could have.
    pub fn times_bound(&self) -> Result<f64> {
        times_bound(&self.best().output)
    }

    /// The stages of the fastest run that take at least a hundredth of it; the stages of the method replace their sum.
    pub fn stages(&self) -> String {
        let Some(seconds) = self.best().output["seconds"].as_object() else { return String::new() };
        let own = |stage: &str| stage.strip_prefix("embed: ").map(str::to_owned);
        let mut stages = Vec::new();
        for (stage, time) in seconds.iter().filter(|(stage, _)| own(stage).is_none() && *stage != "total") {
            if stage == "embed" {
                stages.extend(seconds.iter().filter_map(|(stage, time)| Some((own(stage)?, time))));
            } else {
                stages.push((stage.clone(), time));
            }
        }
        let times = stages.iter().filter_map(|(stage, time)| Some((stage, time.as_f64()?)));
        let shown = times
            .filter(|(_, time)| *time >= 0.01 * self.seconds())
            .map(|(stage, time)| format!("{stage} {}", number(time)));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// Every number.
    pub fn json(&self) -> Value {
        let output = &self.best().output;
        json!({
            "method": self.method.name, "parameters": output["parameters"], "error": self.error,
            "wall_seconds": self.runs.iter().map(|run| run.wall).collect::<Vec<_>>(),
            "cpu_seconds": self.runs.iter().map(|run| run.cpu).collect::<Vec<_>>(),
            "peak_bytes": self.peak(), "stages": self.runs.iter().map(|run| &run.output["seconds"]).collect::<Vec<_>>(),
            "measures": output["measures"], "lower_bounds": output["lower_bounds"], "stop": output["stop"],
            "facts": output["facts"], "warnings": output["warnings"],
        })
    }
}

/// A measure in the output of the tool.
pub fn measure(output: &Value, name: &str) -> Result<f64> {
    output["measures"][name].as_f64().with_context(|| format!("the tool printed no {name}"))
}

/// R_N over its bound in the output of the tool.
pub fn times_bound(output: &Value) -> Result<f64> {
    let bound = output["lower_bounds"]["r_n"].as_f64().context("the tool printed no lower bound of R_N")?;
    Ok(measure(output, "r_n")? / bound)
}

fn error(bench: &Bench, y: &OsStr, truth: &OsStr) -> Result<f64> {
    let report = bench.script("map_error.py", None, &[y, truth])?.output;
    report["error"].as_f64().context("map_error.py printed no error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_stages_are_listed_in_their_order() {
        let seconds =
            json!({"read": 1.0, "embed": 5.0, "write": 0.01, "total": 6.01, "embed: factor": 2.0, "embed: solve": 3.0});
        let run = Timed { wall: 7.0, cpu: 7.0, peak: 1.0, output: json!({"seconds": seconds}) };
        let embedded = Embedded { method: &PSA, runs: vec![run], error: 0.0 };
        assert_eq!(embedded.stages(), "read 1.00, factor 2.00, solve 3.00");
    }
}
