//! Large problems are renumbered before they are embedded, so that near is near in memory.

use crate::embedding::{Outcome, StageTime};
use crate::local::Input;
use crate::solve::spatial_order;
use crate::{Problem, Result};
use std::time::Instant;

/// From this many points on, renumbering pays.
pub(super) const FROM: usize = 50_000;

/// Embeds `problem` with its points in an order in which near is near, and gives the result in the order of the
/// problem.
pub(super) fn renumbered(
    problem: &Problem<'_>,
    embed: impl FnOnce(&Problem<'_>) -> Result<Outcome>,
) -> Result<Outcome> {
    let Input::Points(points) = problem.input() else { return embed(problem) };
    if points.len() < FROM {
        return embed(problem);
    }
    let start = Instant::now();
    let order = spatial_order(points);
    let (near, neighborhoods) = (points.select(&order), problem.neighborhoods().restricted(&order));
    let stage = StageTime { stage: "renumber".into(), seconds: start.elapsed().as_secs_f64() };
    let mut outcome = embed(&Problem::new(&near, &neighborhoods, problem.dim())?)?;
    let mut values = vec![0.0; outcome.values.len()];
    for (&row, from) in order.iter().zip(outcome.values.chunks_exact(problem.dim())) {
        values[row as usize * problem.dim()..][..problem.dim()].copy_from_slice(from);
    }
    outcome.values = values;
    outcome.stages.insert(0, stage);
    Ok(outcome)
}
