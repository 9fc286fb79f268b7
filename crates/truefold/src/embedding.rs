//! An embedding: the coordinates, and what happened on the way to them.

use crate::history::{StageTime, Stop, Trace};
use crate::{Points, Tear, Warning};
use serde::Serialize;

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
    pub warnings: Vec<Warning>,
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
    pub warnings: Vec<Warning>,
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
