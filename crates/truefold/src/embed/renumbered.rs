//! Large problems are renumbered before they are embedded, so that near is near in memory.

use crate::embedding::Outcome;
use crate::graph::Renumbering;
use crate::history::StageTime;
use crate::{Problem, Result};
use std::time::Instant;

/// Embeds `problem` with its points in an order in which near is near, and gives the result in the order of the
/// problem.
pub(super) fn renumbered(
    problem: &Problem<'_>,
    embed: impl FnOnce(&Problem<'_>) -> Result<Outcome>,
) -> Result<Outcome> {
    let start = Instant::now();
    let Some(near) = Renumbering::of(&problem.input(), problem.neighborhoods()) else { return embed(problem) };
    let stage = StageTime { stage: "renumber".into(), seconds: start.elapsed().as_secs_f64() };
    let mut outcome = embed(&Problem::new(near.points(), near.neighborhoods(), problem.dim())?)?;
    outcome.values = near.restored(&outcome.values, problem.dim());
    outcome.tear = outcome.tear.map(|tear| tear.renamed(near.order()));
    outcome.stages.insert(0, stage);
    Ok(outcome)
}
