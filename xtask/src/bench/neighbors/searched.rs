//! One search by one program: what it cost, and how many of the neighbors it found.

use super::points::Known;
use super::programs::Program;
use super::{K, RECALLS};
use crate::bench::table::{megabytes, seconds};
use crate::bench::timed::{Bench, Timed, greatest};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// The name of the tool.
pub const OURS: &str = "truefold";

/// The result of a search.
#[derive(Debug, Clone, Default)]
pub struct Searched {
    pub program: String,
    pub settings: String,
    /// Processor seconds.
    pub cpu: f64,
    wall: f64,
    /// The largest resident memory, in bytes, and that before the search.
    pub peak: f64,
    before: f64,
    pub recall: f64,
    error: f64,
    /// What the tool said of itself.
    pub told: Value,
}

impl Searched {
    /// By the tool, with these options.
    pub fn ours(bench: &Bench, known: &Known, options: &[&str]) -> Result<Self> {
        let found = bench.file("neighbors-found.npy");
        let Timed { wall, cpu, peak, output } = bench.tool(&words(known, &found, options))?;
        let measured: [&OsStr; 5] =
            ["found".as_ref(), &known.points.x, known.points.kind.metric.as_ref(), &known.truth, &found];
        let report = bench.script("neighbors_recall.py", None, &measured)?.output;
        let settings = options.join(" ");
        println!("  truefold {settings}: {}, recall {}", seconds(cpu), report["recall"]);
        Ok(Self {
            program: OURS.to_owned(),
            settings: if options.is_empty() { "exact".to_owned() } else { settings },
            cpu,
            wall,
            peak,
            before: 0.0,
            recall: number(&report, "recall")?,
            error: number(&report, "standard_error")?,
            told: output,
        })
    }

    /// By another program, at each of its settings until one reaches the largest recall.
    pub fn others(bench: &Bench, known: &Known, program: &Program, most: f64) -> Result<Vec<Self>> {
        let (enough, settings) = (greatest(RECALLS).to_string(), json!(program.settings).to_string());
        let most = most.to_string();
        let points = &known.points;
        let words: [&OsStr; 7] = [
            program.name.as_ref(),
            &points.x,
            points.kind.metric.as_ref(),
            &known.truth,
            enough.as_ref(),
            most.as_ref(),
            settings.as_ref(),
        ];
        parse(program.name, &bench.script("neighbors_peer.py", None, &words)?.output)
    }

    /// Seconds, recall and memory, for a table.
    pub fn text(&self) -> String {
        format!("{}, recall {:.4}, {}", seconds(self.cpu), self.recall, megabytes(self.peak))
    }

    /// The cells of a table of all searches.
    pub fn cells(&self) -> Vec<String> {
        let before = if self.before > 0.0 { megabytes(self.before) } else { String::new() };
        vec![
            self.program.clone(),
            self.settings.clone(),
            seconds(self.cpu),
            seconds(self.wall),
            format!("{:.4} +- {:.4}", self.recall, self.error),
            megabytes(self.peak),
            before,
            self.stages(),
        ]
    }

    /// The seconds of the tool's stages, by the wall clock.
    pub fn stages(&self) -> String {
        stages(&self.told)
    }

    /// Every number.
    pub fn json(&self) -> Value {
        json!({
            "program": self.program, "settings": self.settings, "cpu_seconds": self.cpu, "wall_seconds": self.wall,
            "peak_bytes": self.peak, "before_bytes": self.before, "recall": self.recall, "recall_error": self.error,
            "told": self.told,
        })
    }
}

/// The heads of [`Searched::cells`].
pub const HEADS: [&str; 8] = [
    "program",
    "settings",
    "processor time",
    "wall time",
    "recall",
    "peak memory",
    "of it before the search",
    "stages by the wall clock",
];

/// The stages that a command of the tool reports, with their seconds.
pub fn stages(output: &Value) -> String {
    let Some(all) = output["seconds"].as_object() else { return String::new() };
    let told = |(name, time): (&String, &Value)| Some(format!("{name} {}", seconds(time.as_f64()?)));
    all.iter().filter(|(name, _)| *name != "total").filter_map(told).collect::<Vec<_>>().join(", ")
}

/// The least time of each program and setting among several rounds.
pub fn least_of(rounds: Vec<Vec<Searched>>) -> Vec<Searched> {
    let mut kept: Vec<Searched> = Vec::new();
    for search in rounds.into_iter().flatten() {
        match kept.iter_mut().find(|other| other.program == search.program && other.settings == search.settings) {
            Some(other) if search.cpu < other.cpu => *other = search,
            Some(_) => {}
            None => kept.push(search),
        }
    }
    kept
}

/// The cheapest search by a program that found at least this share.
pub fn cheapest<'a>(searches: &'a [Searched], program: &str, recall: f64) -> Option<&'a Searched> {
    let fits = |search: &&Searched| search.program == program && search.recall >= recall;
    searches.iter().filter(fits).min_by(|a, b| a.cpu.total_cmp(&b.cpu))
}

/// The search by a program that found most.
pub fn best<'a>(searches: &'a [Searched], program: &str) -> Option<&'a Searched> {
    searches.iter().filter(|search| search.program == program).max_by(|a, b| a.recall.total_cmp(&b.recall))
}

fn words(known: &Known, found: &OsStr, options: &[&str]) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["neighbors".into(), known.points.x.clone(), "--output".into(), found.into()];
    let always = ["--k", K, "--metric", known.points.kind.metric, "--threads", "2", "--format", "json"];
    words.extend(always.iter().chain(options).map(OsString::from));
    words
}

/// The runs that `neighbors_peer.py` printed.
fn parse(program: &str, output: &Value) -> Result<Vec<Searched>> {
    let runs = output["runs"].as_array().with_context(|| format!("{program} gave no runs"))?;
    let one = |run: &Value| -> Result<Searched> {
        Ok(Searched {
            program: program.to_owned(),
            settings: told(&run["settings"]),
            cpu: number(run, "cpu_seconds")?,
            wall: number(run, "wall_seconds")?,
            peak: number(run, "peak_bytes")?,
            before: number(run, "baseline_bytes")?,
            recall: number(run, "recall")?,
            error: number(run, "standard_error")?,
            told: Value::Null,
        })
    };
    runs.iter().map(one).collect()
}

/// Settings as words.
fn told(settings: &Value) -> String {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let each = settings.as_object().map_or(Vec::new(), |all| {
        all.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect::<Vec<_>>()
    });
    if each.is_empty() { "defaults".to_owned() } else { each.join(", ") }
}

fn number(report: &Value, key: &str) -> Result<f64> {
    report[key].as_f64().with_context(|| format!("a search gave no {key}"))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A search with these figures.
    pub fn search(program: &str, settings: &str, cpu: f64, recall: f64) -> Searched {
        Searched { program: program.into(), settings: settings.into(), cpu, recall, ..Searched::default() }
    }

    #[test]
    fn the_runs_of_a_program_are_read_with_their_settings() {
        let run = json!({"settings": {"M": 12, "ef": 32}, "cpu_seconds": 1.5, "wall_seconds": 0.8, "peak_bytes": 2e6,
            "baseline_bytes": 1e6, "recall": 0.99, "standard_error": 0.001});
        let read = parse("hnswlib", &json!({"runs": [run]})).unwrap();
        assert_eq!(
            read[0].cells(),
            ["hnswlib", "M 12, ef 32", "1.50 s", "0.80 s", "0.9900 +- 0.0010", "2 MB", "1 MB", ""]
        );
        assert_eq!(told(&json!({"precision": "float32"})), "precision float32");
        assert_eq!(told(&json!({})), "defaults");
        let incomplete = parse("hnswlib", &json!({"runs": [{"settings": {}, "cpu_seconds": 1.0}]})).unwrap_err();
        assert_eq!(incomplete.to_string(), "a search gave no wall_seconds");
        assert_eq!(parse("hnswlib", &json!({})).unwrap_err().to_string(), "hnswlib gave no runs");
    }

    #[test]
    fn the_stages_are_read_without_their_total() {
        let output = json!({"seconds": {"read": 0.05, "neighbors": 1.25, "total": 1.3}});
        assert_eq!(stages(&output), "read 50.0 ms, neighbors 1.25 s");
        assert_eq!(stages(&Value::Null), "");
    }

    #[test]
    fn the_cheapest_that_finds_enough_is_taken_not_the_first_or_the_best() {
        let all = [
            search("a", "1", 1.0, 0.90),
            search("a", "2", 4.0, 0.99),
            search("a", "3", 3.0, 0.995),
            search("a", "4", 9.0, 1.0),
            search("b", "1", 0.1, 1.0),
        ];
        assert_eq!(cheapest(&all, "a", 0.99).unwrap().settings, "3");
        assert_eq!(best(&all, "a").unwrap().settings, "4");
        assert!(cheapest(&all[..2], "a", 0.999).is_none());
    }

    #[test]
    fn the_least_time_of_each_setting_stays() {
        let first = vec![search("a", "1", 2.0, 0.9), search("a", "2", 5.0, 1.0)];
        let second = vec![search("a", "1", 3.0, 0.9), search("a", "2", 4.0, 1.0), search("b", "1", 1.0, 1.0)];
        let kept: Vec<f64> = least_of(vec![first, second]).iter().map(|search| search.cpu).collect();
        assert_eq!(kept, [2.0, 4.0, 1.0]);
    }
}
