//! What happened in a computation: why it ended, the values of its objective, and how long its stages took.

use serde::Serialize;

/// Why an iteration ended. Not converging is information, not an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The method computes its result directly.
    #[default]
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

    /// Ends a stage; the times of stages of the same name are added.
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
