//! An embedding: the coordinates, and what happened on the way to them.

use crate::{Points, Tear};
use serde::Serialize;

/// Why an iteration ended. Not converging is information, not an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The method computes its result directly.
    Direct,
    /// The change fell below the tolerance.
    Converged,
    /// The limit of iterations was reached.
    MaxIterations,
    /// No step improved the objective any more.
    Stalled,
    /// The time limit was reached.
    Deadline,
}

impl Stop {
    /// In words, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Direct => "computed directly",
            Self::Converged => "converged",
            Self::MaxIterations => "the most steps allowed",
            Self::Stalled => "no step helped any more",
            Self::Deadline => "the time limit",
        }
    }
}

/// One stage of a fit and the seconds it took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageTime {
    /// The stage.
    pub stage: String,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// The objective after each step of an iteration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// What was lowered: `f`, `r_n`.
    pub objective: String,
    /// Its values, the start first.
    pub values: Vec<f64>,
}

/// What happened in a fit, for people who want to repeat or judge it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FitInfo {
    /// The method.
    pub method: String,
    /// All its parameters, the defaults included.
    pub parameters: serde_json::Value,
    /// The seed.
    pub seed: u64,
    /// Why it ended.
    pub stop: Stop,
    /// Its stages in order.
    pub stages: Vec<StageTime>,
    /// What was iterated.
    pub traces: Vec<Trace>,
    /// Facts that belong to the method alone, such as the residual of a linear system.
    pub facts: serde_json::Map<String, serde_json::Value>,
    /// What a reader should know before trusting the result.
    pub warnings: Vec<String>,
}

/// An embedding of n points in d dimensions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Embedding {
    /// The coordinates Y: row i belongs to row i of X, or to row `rows[i]` where some points were left out.
    pub points: Points,
    /// The rows of X that were embedded, where not all were.
    pub rows: Option<Vec<u32>>,
    /// The pairs of rows of `points` that a closed surface was torn along, where it was, or that are shortcuts.
    pub tear: Option<Tear>,
    /// What happened.
    pub info: FitInfo,
}

/// What a method gives back: coordinates row by row, and its part of the [`FitInfo`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// The coordinates, n rows of d.
    pub values: Vec<f64>,
    /// The pairs that were torn, where some were.
    pub tear: Option<Tear>,
    /// Why it ended.
    pub stop: Stop,
    /// Its stages.
    pub stages: Vec<StageTime>,
    /// What was iterated.
    pub traces: Vec<Trace>,
    /// Facts of the method's own.
    pub facts: serde_json::Map<String, serde_json::Value>,
    /// Warnings.
    pub warnings: Vec<String>,
}

impl Outcome {
    /// Coordinates that were computed directly.
    pub fn direct(values: Vec<f64>) -> Self {
        Self {
            values,
            tear: None,
            stop: Stop::Direct,
            stages: Vec::new(),
            traces: Vec::new(),
            facts: serde_json::Map::new(),
            warnings: Vec::new(),
        }
    }
}

impl Outcome {
    /// Takes the coordinates of what followed, and adds what happened there.
    pub(crate) fn continue_with(&mut self, next: Self) {
        self.values = next.values;
        self.tear = next.tear;
        // Time that ran out before counts for the whole.
        if self.stop != Stop::Deadline {
            self.stop = next.stop;
        }
        self.traces.extend(next.traces);
        self.facts.extend(next.facts);
        self.warnings.extend(next.warnings);
    }
}

/// Times the stages of a fit.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    last: std::time::Instant,
    stages: Vec<StageTime>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { last: std::time::Instant::now(), stages: Vec::new() }
    }

    /// Ends a stage; stages of one name add up.
    pub(crate) fn lap(&mut self, stage: &str) {
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = std::time::Instant::now();
        match self.stages.iter_mut().find(|known| known.stage == stage) {
            Some(known) => known.seconds += seconds,
            None => self.stages.push(StageTime { stage: stage.to_owned(), seconds }),
        }
    }

    pub(crate) fn stages(self) -> Vec<StageTime> {
        self.stages
    }
}
