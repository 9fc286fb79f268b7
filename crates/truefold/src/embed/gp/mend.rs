//! A second start for a surface that the growth tore where its fronts met again.
//!
//! On a curved or closed surface the parts of a greedy embedding do not meet: neighborhoods across the seam are stretched
//! to many times their size, and refinement from there closes the seam in wrinkles that remain. Wider neighborhoods,
//! {members of members}, determine the growth better and are too stiff to wrinkle, so the growth is repeated on those
//! and the seams are closed there by simple steps: these act near the seam, where an exact step would spread the forces
//! of the seam over everything and flatten a closed surface at once. Cost: about k times the growth; not done for more
//! than 20,000 points.

use super::GrowthRule;
use super::growth::Growth;
use crate::graph::Adjacency;
use crate::local::Charts;
use crate::refine::{Refine, Step, Target};
use crate::{Neighborhoods, Origin, Points, Problem, Result, Run};

/// The largest number of members of a wider neighborhood.
const WIDEST: usize = 64;

/// The largest number of points for which it is done: the charts of wider neighborhoods take up to 32 kB each.
const MOST: usize = 20_000;

/// A start that was grown and closed on wider neighborhoods; none where there are too many points for it.
pub(super) fn mend(problem: &Problem<'_>, first: usize, run: &Run) -> Result<Option<Points>> {
    if problem.len() > MOST {
        return Ok(None);
    }
    let neighborhoods = widened(problem.neighborhoods());
    let charts = Charts::new(problem.input(), &neighborhoods, run)?;
    let holders = Adjacency::holders(&neighborhoods);
    let grown = Growth::new(&charts, &holders, problem.dim(), GrowthRule::Robust, first).run(first, run)?;
    let closing =
        Refine { target: Target::RN, step: Step::Simple, iterations: 100, tolerance: 1e-4, ..Refine::default() };
    let grown = Points::new(problem.len(), problem.dim(), grown)?;
    let closed = closing.refine_charts(&charts, grown, run)?;
    Points::new(problem.len(), problem.dim(), closed.values).map(Some)
}

/// For each point the members of its members, those of the nearest first.
fn widened(neighborhoods: &Neighborhoods) -> Neighborhoods {
    let mut offsets = Vec::with_capacity(neighborhoods.len() + 1);
    offsets.push(0);
    let mut members = Vec::new();
    let mut seen = vec![u32::MAX; neighborhoods.len()];
    for center in 0..neighborhoods.len() {
        let begin = members.len();
        let own = neighborhoods.members(center);
        let others = own.iter().flat_map(|&member| neighborhoods.members(member as usize));
        for &row in own.iter().chain(others) {
            if members.len() - begin == WIDEST.max(own.len()) {
                break;
            }
            if seen[row as usize] != center as u32 {
                seen[row as usize] = center as u32;
                members.push(row);
            }
        }
        offsets.push(members.len());
    }
    Neighborhoods::from_parts(offsets, members, Origin::Given)
}
