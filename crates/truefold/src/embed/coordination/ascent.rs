//! Sweeps until the bound rises no more: first with the shares of the cover, then with free ones.

use super::State;
use super::analyzer::Analysis;
use super::sweep::{Coordination, Shares, Swept};
use crate::linalg::square;
use crate::{Result, Run};

/// Where to stop.
pub(super) struct Limits {
    /// The most sweeps, with held and free shares together.
    pub(super) sweeps: usize,
    /// The least gain of the mean bound that is worth another sweep.
    pub(super) gain: f64,
}

/// Where the sweeps ended.
pub(super) struct Ascent {
    pub(super) swept: Swept,
    /// The bound after each sweep with held shares, and after each with free ones.
    pub(super) held: Vec<f64>,
    pub(super) free: Vec<f64>,
    /// Whether the bound rose no more.
    pub(super) converged: bool,
}

pub(super) fn ascend(
    coordination: &Coordination<'_>,
    state: State,
    analysis: &dyn Analysis,
    limits: &Limits,
    run: &Run,
) -> Result<Ascent> {
    let stage = run.stage("coordination", limits.sweeps);
    let quiet = run.quiet();
    let sweep = |state: &State, shares| {
        stage.advance(1);
        coordination.sweep(state, analysis, shares, &quiet)
    };
    // Half for each, and what the first leaves for the second.
    let first = limits.sweeps.div_ceil(2);
    let mut held = Vec::new();
    let (swept, used, _) = climb(state, &|state| sweep(state, Shares::Held), first, limits.gain, &mut held)?;
    let mut free = Vec::new();
    let left = limits.sweeps.saturating_sub(used).max(1);
    let (swept, _, converged) = climb(swept.state, &|state| sweep(state, Shares::Free), left, limits.gain, &mut free)?;
    Ok(Ascent { swept, held, free, converged })
}

/// Sweeps in threes: two plain ones, and one from coordinates extrapolated along their changes; with how many sweeps it took.
fn climb(
    state: State,
    sweep: &dyn Fn(&State) -> Result<Swept>,
    most: usize,
    gain: f64,
    bounds: &mut Vec<f64>,
) -> Result<(Swept, usize, bool)> {
    let mut start = state;
    let mut before = f64::NEG_INFINITY;
    let mut used = 0;
    loop {
        let one = sweep(&start)?;
        bounds.push(one.bound);
        used += 1;
        if one.bound - before < gain || used >= most {
            let converged = one.bound - before < gain;
            return Ok((one, used, converged));
        }
        let two = sweep(&one.state)?;
        bounds.push(two.bound);
        used += 1;
        if used >= most {
            return Ok((two, used, false));
        }
        let mut next = two;
        if let Some(coordinates) = extrapolated(&start.coordinates, &one.state.coordinates, &next.state.coordinates) {
            let State { uncertainty, shares, dim, .. } = next.state.clone();
            let tried = sweep(&State { coordinates, uncertainty, shares, dim })?;
            used += 1;
            // Dropped where the bound would fall.
            if tried.bound >= next.bound {
                next = tried;
                bounds.push(next.bound);
            }
            if used >= most {
                return Ok((next, used, false));
            }
        }
        before = next.bound;
        start = next.state;
    }
}

/// y_0 + 2 a r + a^2 v with r = y_1 - y_0, v = y_2 - 2 y_1 + y_0 and a = |r| / |v|; none where that is no farther than y_2.
fn extrapolated(start: &[f64], one: &[f64], two: &[f64]) -> Option<Vec<f64>> {
    let first: Vec<f64> = one.iter().zip(start).map(|(one, start)| one - start).collect();
    let change: Vec<f64> = two.iter().zip(one).zip(&first).map(|((two, one), first)| two - one - first).collect();
    let factor = (square(&first) / square(&change)).sqrt();
    if !(factor.is_finite() && factor > 1.0) {
        return None;
    }
    let along = first.iter().zip(&change).map(|(first, change)| 2.0 * factor * first + factor * factor * change);
    Some(start.iter().zip(along).map(|(start, along)| start + along).collect())
}
