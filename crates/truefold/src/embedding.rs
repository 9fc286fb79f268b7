//! An embedding: the coordinates, and what happened on the way to them.

use crate::history::{StageTime, Stop, Stopwatch, Trace};
use crate::{Points, Run, Tear, Warning};
use serde::Serialize;
use serde_json::{Map, Value};

/// What happened in a fit, for readers who want to repeat or judge it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FitInfo {
    /// The method.
    pub method: String,
    /// All its parameters, the defaults included.
    pub parameters: Value,
    /// The seed.
    pub seed: u64,
    /// Why it ended.
    pub stop: Stop,
    /// Its stages in order.
    pub stages: Vec<StageTime>,
    /// What was iterated.
    pub traces: Vec<Trace>,
    /// Facts that belong to the method alone, such as the residual of a linear system.
    pub facts: Map<String, Value>,
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
    /// The pairs of rows of `points` along which a closed surface was torn, or that are shortcuts, if there are any.
    pub tear: Option<Tear>,
    /// What happened.
    pub info: FitInfo,
}

/// Coordinates, and what happened on the way to them, as a refinement gives them back.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// The coordinates, n rows of d.
    pub values: Vec<f64>,
    /// The pairs that were torn, if any.
    pub tear: Option<Tear>,
    /// Why it ended.
    pub stop: Stop,
    /// Its stages.
    pub stages: Vec<StageTime>,
    /// What was iterated.
    pub traces: Vec<Trace>,
    /// Facts that belong to the method alone.
    pub facts: Map<String, Value>,
    /// Warnings.
    pub warnings: Vec<Warning>,
}

impl Outcome {
    /// Coordinates that were computed directly.
    pub fn direct(values: Vec<f64>) -> Self {
        let (stages, traces, warnings) = (Vec::new(), Vec::new(), Vec::new());
        Self { values, tear: None, stop: Stop::Direct, stages, traces, facts: Map::new(), warnings }
    }
}

/// A fit under way: the run it belongs to, and a record of what happens in it.
///
/// A method gets one from [`fit`](crate::fit()) and writes into it; what was written comes back as [`FitInfo`].
///
/// ```
/// use truefold::{Fit, Run, Stop};
///
/// let run = Run::new();
/// let mut fit = Fit::new(&run);
/// fit.fact("landmarks", 12);
/// fit.lap("landmarks");
/// fit.trace("stress", vec![3.0, 2.0, 1.5]);
/// fit.ended(Stop::Converged);
/// let outcome = fit.into_outcome(vec![0.0, 1.0]);
/// assert_eq!(outcome.facts["landmarks"], 12);
/// assert_eq!((outcome.stages[0].stage.as_str(), outcome.stop), ("landmarks", Stop::Converged));
/// ```
#[derive(Debug)]
pub struct Fit<'r> {
    run: &'r Run,
    watch: Stopwatch,
    record: Record,
}

/// What happened, but for the time it took.
#[derive(Debug, Default)]
struct Record {
    tear: Option<Tear>,
    stop: Stop,
    traces: Vec<Trace>,
    facts: Map<String, Value>,
    warnings: Vec<Warning>,
}

impl Record {
    /// Adds what happened after it.
    fn extend(&mut self, next: Self) {
        self.tear = next.tear;
        // Where time ran out in one part, it ran out for the whole.
        if self.stop != Stop::Deadline {
            self.stop = next.stop;
        }
        self.traces.extend(next.traces);
        self.facts.extend(next.facts);
        self.warnings.extend(next.warnings);
    }
}

impl<'r> Fit<'r> {
    /// A fit that begins now.
    pub fn new(run: &'r Run) -> Self {
        Self { run, watch: Stopwatch::start(), record: Record::default() }
    }

    /// The run: its seed, its threads, its progress, and whether it was asked to stop.
    pub fn run(&self) -> &'r Run {
        self.run
    }

    /// Ends a stage; the times of stages of the same name are added.
    pub fn lap(&mut self, stage: &str) {
        self.watch.lap(stage);
    }

    /// Records a fact that belongs to the method alone, such as the residual of a linear system.
    pub fn fact(&mut self, name: &str, value: impl Into<Value>) {
        self.record.facts.insert(name.to_owned(), value.into());
    }

    /// Records the values of an objective, the start first.
    pub fn trace(&mut self, objective: &str, values: Vec<f64>) {
        self.record.traces.push(Trace { objective: objective.to_owned(), values });
    }

    /// Records what a reader should know before trusting the result.
    pub fn warn(&mut self, warning: Warning) {
        self.record.warnings.push(warning);
    }

    /// Records why it ended; without this it was computed directly.
    pub fn ended(&mut self, stop: Stop) {
        self.record.stop = stop;
    }

    /// The coordinates with everything that was recorded.
    pub fn into_outcome(self, values: Vec<f64>) -> Outcome {
        let Record { tear, stop, traces, facts, warnings } = self.record;
        Outcome { values, tear, stop, stages: self.watch.stages(), traces, facts, warnings }
    }

    /// All facts, for parts of the library that write several.
    pub(crate) fn facts(&mut self) -> &mut Map<String, Value> {
        &mut self.record.facts
    }

    /// Records which pairs were torn.
    pub(crate) fn tear(&mut self, tear: Option<Tear>) {
        self.record.tear = tear;
    }

    /// The pairs that were torn so far.
    pub(crate) fn torn(&self) -> Option<&Tear> {
        self.record.tear.as_ref()
    }

    /// Renames the rows of the torn pairs: row i is called `names[i]`.
    pub(crate) fn rename_rows(&mut self, names: &[u32]) {
        self.record.tear = self.record.tear.take().map(|tear| tear.renamed(names));
    }

    /// The last value of the last trace.
    pub(crate) fn reached(&self) -> f64 {
        last(&self.record.traces)
    }

    /// Records what happened in a refinement, and gives its coordinates.
    pub(crate) fn continue_with(&mut self, next: Outcome) -> Vec<f64> {
        let Outcome { values, tear, stop, traces, facts, warnings, .. } = next;
        self.record.extend(Record { tear, stop, traces, facts, warnings });
        values
    }

    /// The same, in place of the last trace.
    pub(crate) fn replace_with(&mut self, next: Outcome) -> Vec<f64> {
        self.record.traces.pop();
        self.continue_with(next)
    }

    /// Tries `work`: what it records is kept where it comes to a result, in place of all traces before, and is dropped
    /// otherwise. The time it takes counts either way.
    pub(crate) fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> crate::Result<Option<T>>,
    ) -> crate::Result<Option<T>> {
        let before = std::mem::take(&mut self.record);
        let result = work(self);
        let tried = std::mem::replace(&mut self.record, before);
        if matches!(result, Ok(Some(_))) {
            self.record.traces.clear();
            self.record.extend(tried);
        }
        result
    }

    /// Works without keeping a record but of the time it takes.
    pub(crate) fn unrecorded<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.record);
        let result = work(self);
        self.record = before;
        result
    }
}

/// The last value of the last trace, infinite where there is none.
pub(crate) fn last(traces: &[Trace]) -> f64 {
    traces.last().and_then(|trace| trace.values.last()).copied().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_told_where_it_succeeds_and_only_then() {
        let run = Run::new();
        let mut fit = Fit::new(&run);
        fit.fact("f", 1);
        fit.trace("r_n", vec![0.5]);
        let none: Option<()> = fit
            .attempt(|fit| {
                fit.fact("f", 2);
                fit.trace("r_n", vec![0.1]);
                fit.lap("attempt");
                Ok(None)
            })
            .unwrap();
        assert!(none.is_none() && fit.reached() == 0.5 && fit.facts()["f"] == 1);
        fit.unrecorded(|fit| fit.fact("f", 3));
        assert_eq!(fit.facts()["f"], 1);
        fit.attempt(|fit| {
            fit.fact("g", 4);
            fit.trace("r_n", vec![0.2]);
            Ok(Some(()))
        })
        .unwrap();
        let outcome = fit.into_outcome(Vec::new());
        assert_eq!((outcome.traces.len(), last(&outcome.traces)), (1, 0.2));
        assert_eq!((&outcome.facts["f"], &outcome.facts["g"]), (&1.into(), &4.into()));
        assert_eq!(outcome.stages[0].stage, "attempt");
    }
}
