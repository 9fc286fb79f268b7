//! Refinement with the penalty: a descent from Y, and one from Y unfolded.
//!
//! Both lower the target plus w P, P of `penalty.rs`, and the lower result is kept. A map that has no collapsed pairs, and
//! gets none, is refined exactly as without penalty. The facts report P and the measure collapse before and after.
//! Goldberg and Ritov, section 6, propose the penalty. Cost: two descents with their searches for near pairs, and the
//! unfolding; memory O(n (k + L)), L landmarks.

use super::Refine;
use super::descent::{Descent, descend};
use super::guard::Guard;
use super::objective::Objective;
use super::penalty::Penalty;
use super::stress::Stress;
use super::sweep::Sweeper;
use super::unfold::unfold;
use crate::embedding::Outcome;
use crate::graph::LengthGraph;
use crate::history::Stop;
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
    let left = || refine.time_limit.map(|limit| (limit - begun.elapsed().as_secs_f64()).max(0.0));
    let (input, neighborhoods) = (charts.input(), charts.neighborhoods());
    let graph = LengthGraph::new(neighborhoods, |a, b| input.distance(a, b));
    let penalty = Penalty::new(neighborhoods, &graph, refine.penalty);
    let sweeper = Sweeper::new(charts, refine.target, start.dim(), run)?;
    let objective = Objective { sweeper, penalty: Some(&penalty), stress: None, guard, free: None };
    let lower = |y: Points| -> Result<Descent> {
        descend(&Refine { time_limit: left(), ..refine.clone() }, &objective, neighborhoods, y, run)
    };
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
    let mut best = lower(start.clone())?;
    let mut reached = collapse(charts, &best.y, run)?;
    let (mut warnings, mut unfolded) = (Vec::new(), false);
    if refine.iterations > 0 && best.stop != Stop::Deadline {
        let pieces = neighborhoods.components().count();
        if pieces == 1 {
            let stress = Stress::new(&graph, run)?;
            let second = lower(unfold(charts, &start, &penalty, &stress, left, run)?)?;
            let admitted = guard.map_or(Ok(true), |guard| guard.admits(&second.y, &run.quiet()))?;
            if last(&second) < last(&best) && admitted {
                unfolded = true;
                reached = collapse(charts, &second.y, run)?;
                best = continued(best, second);
            }
        } else {
            warnings.push(Warning::NotUnfolded { components: pieces });
        }
    }
    let after = Reached { penalty: best.penalty, collapse: reached };
    let mut outcome = refine.outcome(best);
    outcome.warnings = warnings;
    tell(&mut outcome, before, after, unfolded);
    Ok(outcome)
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

/// The second of two descents, which ended lower, with the lowest values so far.
fn continued(first: Descent, second: Descent) -> Descent {
    let mut values = first.values;
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
