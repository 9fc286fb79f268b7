//! Refinement with the penalty: a descent from Y, and one from Y unfolded.
//!
//! Both lower the target plus w P, P of `penalty.rs`, and the lower result is kept. A map that has no collapsed pairs, and
//! gets none, is refined exactly as without penalty. The facts report P and the measure collapse before and after.
//! Goldberg and Ritov, section 6, propose the penalty. Many points are unfolded by a sample of them (`sample.rs`); where that
//! helps the sample, and the whole ends lower than it began, there is no descent from Y; nor is the whole unfolded where
//! that did not help the sample. Cost: at most two descents with their
//! searches for near pairs, linear in n but for log n, and the unfolding; memory O(n (k + L)), L landmarks.

use super::Refine;
use super::descent::{Descent, descend};
use super::guard::Guard;
use super::objective::Objective;
use super::penalty::Penalty;
use super::sample::{Sample, Unfolding};
use super::stress::Stress;
use super::sweep::Sweeper;
use super::unfold::unfold;
use crate::embedding::Outcome;
use crate::graph::LengthGraph;
use crate::history::Stop;
use crate::laplacian::Effort;
use crate::local::Charts;
use crate::measure::{self, Evaluation, Options};
use crate::warning::Warning;
use crate::{Points, Result, Run};
use std::time::Instant;

/// Refines an embedding towards the target of `refine` and its penalty.
pub(super) fn refine(
    refine: &Refine,
    charts: &Charts<'_>,
    start: Points,
    guard: Option<&Guard<'_>>,
    run: &Run,
) -> Result<Outcome> {
    let begun = Instant::now();
    let (input, neighborhoods) = (charts.input(), charts.neighborhoods());
    let graph = LengthGraph::new(neighborhoods, |a, b| input.distance(a, b));
    let penalty = Penalty::new(neighborhoods, &graph, refine.penalty);
    let sweeper = Sweeper::new(charts, refine.target, start.dim(), run)?;
    let objective =
        Objective { sweeper, penalty: Some(&penalty), stress: None, guard, free: None, effort: Effort::Full };
    let before = Reached { penalty: objective.slope(&start, run)?.penalty, collapse: collapse(charts, &start, run)? };
    if before.collapse == 0.0 {
        let plain = Refine { penalty: 0.0, ..refine.clone() };
        let mut outcome = plain.refine_guarded(charts, start.clone(), guard, run)?;
        let y = Points::new(start.len(), start.dim(), outcome.values.clone())?;
        let after = Reached { penalty: objective.slope(&y, run)?.penalty, collapse: collapse(charts, &y, run)? };
        if after.collapse == 0.0 {
            tell(&mut outcome, before, after, false);
            return Ok(outcome);
        }
    }
    let whole = Whole { refine, charts, graph: &graph, penalty: &penalty, objective: &objective, begun };
    let pieces = neighborhoods.components().count();
    let sample = if pieces == 1 && refine.iterations > 0 { Sample::of(charts, &graph, run)? } else { None };
    let (best, unfolded) = match sample {
        Some(sample) => whole.by_sample(&sample, start, run)?,
        None => whole.lower_of_two(start, pieces == 1, run)?,
    };
    let was_tried = refine.iterations > 0 && best.stop != Stop::Deadline;
    let warnings = if pieces > 1 && was_tried { vec![Warning::NotUnfolded { components: pieces }] } else { Vec::new() };
    let reached = collapse(charts, &best.y, run)?;
    let after = Reached { penalty: best.penalty, collapse: reached };
    let mut outcome = refine.outcome(best);
    outcome.warnings = warnings;
    tell(&mut outcome, before, after, unfolded);
    Ok(outcome)
}

/// What the descents of one refinement share.
struct Whole<'a> {
    refine: &'a Refine,
    charts: &'a Charts<'a>,
    graph: &'a LengthGraph,
    penalty: &'a Penalty<'a>,
    objective: &'a Objective<'a>,
    begun: Instant,
}

impl Whole<'_> {
    fn left(&self) -> Option<f64> {
        self.refine.time_limit.map(|limit| (limit - self.begun.elapsed().as_secs_f64()).max(0.0))
    }

    fn lower(&self, y: Points, run: &Run) -> Result<Descent> {
        let refine = Refine { time_limit: self.left(), ..self.refine.clone() };
        descend(&refine, self.objective, self.charts.neighborhoods(), y, run)
    }

    fn admits(&self, descent: &Descent, run: &Run) -> Result<bool> {
        self.objective.guard.map_or(Ok(true), |guard| guard.admits(&descent.y, &run.quiet()))
    }

    /// The lower of the descents from `start` and, where that is `possible`, from its unfolding; and whether it is the second.
    fn lower_of_two(&self, start: Points, possible: bool, run: &Run) -> Result<(Descent, bool)> {
        let best = self.lower(start.clone(), run)?;
        if !possible || self.refine.iterations == 0 || best.stop == Stop::Deadline {
            return Ok((best, false));
        }
        let stress = Stress::new(self.graph, run)?;
        let opened = unfold(self.charts, &start, self.penalty, &stress, || self.left(), run)?;
        let second = self.lower(opened, run)?;
        if last(&second) < last(&best) && self.admits(&second, run)? {
            return Ok((continued(best.values, second), true));
        }
        Ok((best, false))
    }

    /// The descent from where a sample that was unfolded puts all points, if it ends below `start`; else that from `start`. A
    /// fold that the sample does not show is opened among all points.
    fn by_sample(&self, sample: &Sample, start: Points, run: &Run) -> Result<(Descent, bool)> {
        let refine = Refine { time_limit: self.left(), ..self.refine.clone() };
        match sample.unfolded(&refine, self.charts, &start, run)? {
            Unfolding::Opened(opened) => {
                let first = self.objective.slope(&start, run)?.value;
                let second = self.lower(opened, run)?;
                if last(&second) < first && self.admits(&second, run)? {
                    return Ok((continued(vec![first], second), true));
                }
            }
            Unfolding::InVain => {}
            Unfolding::Unseen => return self.lower_of_two(start, true, run),
        }
        Ok((self.lower(start, run)?, false))
    }
}

/// How much of the map lies on itself.
struct Reached {
    penalty: f64,
    collapse: f64,
}

fn tell(outcome: &mut Outcome, before: Reached, after: Reached, unfolded: bool) {
    outcome.facts.insert("penalty_before".into(), before.penalty.into());
    outcome.facts.insert("penalty_after".into(), after.penalty.into());
    outcome.facts.insert("collapse_before".into(), before.collapse.into());
    outcome.facts.insert("collapse_after".into(), after.collapse.into());
    outcome.facts.insert("unfolded".into(), unfolded.into());
}

/// A descent that ended below the `values` before it, with the lowest values so far.
fn continued(mut values: Vec<f64>, second: Descent) -> Descent {
    let reached = values.last().copied().unwrap_or(f64::INFINITY);
    values.extend(second.values.iter().copied().filter(|&value| value < reached));
    Descent { values, ..second }
}

fn last(descent: &Descent) -> f64 {
    descent.values.last().copied().unwrap_or(f64::INFINITY)
}

/// The measure collapse.
fn collapse(charts: &Charts<'_>, y: &Points, run: &Run) -> Result<f64> {
    let evaluation = Evaluation::new(*charts.input(), y, charts.neighborhoods(), Options::default(), run)?;
    Ok(measure::find("collapse")?.score(&evaluation)?.value)
}
