//! One method of one program on one roll, and the tool's measures of its map.

use crate::bench::timed::{Attempt, Bench, Bounds, Timed};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::OsStr;

/// The result of a run.
pub struct Trial {
    pub program: &'static str,
    pub method: &'static str,
    pub points: usize,
    /// Why there is no map, if there is none.
    pub failure: Option<&'static str>,
    /// Of the call alone.
    pub seconds: f64,
    /// Of the whole process.
    wall: f64,
    pub peak: f64,
    judgment: Value,
}

/// The name of the tool.
pub const OURS: &str = "truefold";

/// A call shorter than this, in seconds, is repeated [`REPEATS`] times, and the median counts.
const SHORT: f64 = 0.1;
const REPEATS: usize = 5;

/// What a program is asked to do.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub bench: &'a Bench,
    pub method: &'static str,
    pub points: usize,
    /// The file of the points.
    pub x: &'a OsStr,
}

impl Task<'_> {
    /// By the tool; `searches` says whether the calls of other programs include the neighbor search.
    pub fn ours(self, searches: bool) -> Result<Trial> {
        repeated(|| self.ours_once(searches))
    }

    /// By another program.
    pub fn rival(self, program: &'static str, bounds: Bounds) -> Result<Trial> {
        repeated(|| self.rival_once(program, bounds))
    }

    fn ours_once(self, searches: bool) -> Result<Trial> {
        let Self { bench, method, points, x } = self;
        let map = bench.file("peer.npy");
        let words: [&OsStr; 10] = [
            "embed".as_ref(),
            x,
            "--method".as_ref(),
            method.as_ref(),
            "--k".as_ref(),
            "12".as_ref(),
            "--output".as_ref(),
            &map,
            "--format".as_ref(),
            "json".as_ref(),
        ];
        let Timed { wall, peak, output, .. } = bench.tool(&words)?;
        // What a rival's call does: the search and the embedding, not the files and the measures.
        let stage = |name: &str| output["seconds"][name].as_f64().with_context(|| format!("the tool gave no {name}"));
        let seconds = stage("embed")? + if searches { stage("neighbors")? } else { 0.0 };
        Ok(Trial { program: OURS, method, points, failure: None, seconds, wall, peak, judgment: output })
    }

    fn rival_once(self, program: &'static str, bounds: Bounds) -> Result<Trial> {
        let Self { bench, method, points, x } = self;
        let map = bench.file("peer.npy");
        let words: [&OsStr; 5] = [program.as_ref(), method.as_ref(), x, "12".as_ref(), &map];
        let (seconds, wall, peak) = (f64::NAN, f64::NAN, f64::NAN);
        let mut trial = Trial { program, method, points, failure: None, seconds, wall, peak, judgment: Value::Null };
        match bench.attempt("peer.py", bounds, &words)? {
            Attempt::TooSlow => trial.failure = Some("stopped, too slow"),
            Attempt::Failed => trial.failure = Some("ended with an error"),
            Attempt::Done(timed) => {
                (trial.seconds, trial.wall, trial.peak) = (timed.seconds()?, timed.wall, timed.peak);
                let words: [&OsStr; 7] =
                    ["measure".as_ref(), x, &map, "--k".as_ref(), "12".as_ref(), "--format".as_ref(), "json".as_ref()];
                trial.judgment = bench.tool(&words)?.output;
            }
        }
        Ok(trial)
    }
}

/// The median of several runs, if a single one is too short to time.
fn repeated(run: impl Fn() -> Result<Trial>) -> Result<Trial> {
    let mut trials = vec![run()?];
    // A failed one has no time, and is not repeated.
    while trials[0].seconds < SHORT && trials.len() < REPEATS {
        trials.push(run()?);
    }
    trials.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(trials.swap_remove(trials.len() / 2))
}

impl Trial {
    /// A measure of the map.
    pub fn measure(&self, name: &str) -> Result<f64> {
        self.judgment["measures"][name].as_f64().with_context(|| format!("{} gave no {name}", self.program))
    }

    /// Every number.
    pub fn json(&self) -> Value {
        json!({
            "program": self.program, "method": self.method, "points": self.points, "failure": self.failure,
            "seconds": self.seconds, "whole_seconds": self.wall, "peak_bytes": self.peak, "measures": self.judgment["measures"],
        })
    }
}
