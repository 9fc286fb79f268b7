//! Large problems are renumbered before they are embedded, so that neighbors are near each other in memory.

use crate::graph::Renumbering;
use crate::{Fit, Problem, Result};

/// Embeds `problem` with its points in an order in which neighbors are near each other, and gives the coordinates in
/// the order of the problem.
pub(super) fn renumbered(
    problem: &Problem<'_>,
    fit: &mut Fit<'_>,
    embed: impl FnOnce(&Problem<'_>, &mut Fit<'_>) -> Result<Vec<f64>>,
) -> Result<Vec<f64>> {
    let Some(near) = Renumbering::of(&problem.input(), problem.neighborhoods()) else { return embed(problem, fit) };
    fit.lap("renumber");
    let values = embed(&Problem::new(near.points(), near.neighborhoods(), problem.dim())?, fit)?;
    fit.rename_rows(near.order());
    Ok(near.restored(&values, problem.dim()))
}
