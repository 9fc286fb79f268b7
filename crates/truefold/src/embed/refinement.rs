//! The refinement that ends an embedding, and its second starts.
//!
//! An embedding that is at the bound already is left as it is. One that was torn or collapsed somewhere ends in
//! wrinkles, which its excess shows, the mean of (G - least G) / |H X_i|^2. Then refinement is also run from other
//! starts, and the one that comes out lowest is kept. G is the Procrustes statistic of a neighborhood X_i; refinement
//! is section 4.4 of Goldberg and Ritov. Cost: a pass over the neighborhoods, and the refinements.

use crate::embedding::Outcome;
use crate::history::{Stop, Stopwatch, Trace};
use crate::local::{Charts, Fitter};
use crate::refine::{Refine, Target};
use crate::tear::WRINKLED;
use crate::{Points, Result, Run};
use serde::{Deserialize, Serialize};

/// An excess below this is rounding.
const ROUNDING: f64 = 1e-14;

/// The refinement after an embedding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refinement {
    /// None: the embedding as it is.
    None,
    /// Lowers R.
    R,
    /// Lowers R_N, by which the paper compares methods.
    #[default]
    RN,
    /// Lowers R_C.
    RC,
    /// Lowers R_PCA.
    RPca,
}

impl Refinement {
    /// The measure to lower, where there is one.
    pub(super) fn target(self) -> Option<Target> {
        match self {
            Self::None => None,
            Self::R => Some(Target::R),
            Self::RN => Some(Target::RN),
            Self::RC => Some(Target::RC),
            Self::RPca => Some(Target::RPca),
        }
    }
}

/// Another way to begin: its name, and what makes it where it can be made.
pub(super) type Second<'a> = (&'static str, &'a dyn Fn() -> Result<Option<Points>>);

/// Refines `start`, and each of `seconds` where that leaves wrinkles; the lowest is kept.
pub(super) fn refined(
    refine: &Refine,
    charts: &Charts<'_>,
    start: Points,
    seconds: &[Second<'_>],
    watch: &mut Stopwatch,
    run: &Run,
) -> Result<Outcome> {
    let (mut best, bound) = refined_once(refine, charts, start, watch, run)?;
    refined_again(refine, charts, &mut best, bound, seconds, watch, run)?;
    Ok(best)
}

/// Refines `start`; the lower bound of R_N comes with it.
pub(super) fn refined_once(
    refine: &Refine,
    charts: &Charts<'_>,
    start: Points,
    watch: &mut Stopwatch,
    run: &Run,
) -> Result<(Outcome, f64)> {
    let (value, bound) = r_n(charts, &start, run)?;
    watch.lap("judgment");
    // No step could lower it by more than the tolerance, or than rounding.
    if refine.target == Target::RN && value - bound <= (refine.tolerance * value).max(ROUNDING) {
        let mut outcome = Outcome::direct(start.into_values());
        outcome.stop = Stop::Converged;
        outcome.traces.push(Trace { objective: refine.target.measure().into(), values: vec![value] });
        return Ok((outcome, bound));
    }
    let outcome = refine.refine_charts(charts, start, run)?;
    watch.lap("refinement");
    Ok((outcome, bound))
}

/// Whether R_N was lowered so near to its bound that no wrinkles are left.
pub(super) fn is_smooth(refine: &Refine, best: &Outcome, bound: f64) -> bool {
    refine.target == Target::RN && last(best) - bound <= WRINKLED
}

/// Where wrinkles are left in `best`, refines each of `seconds`; the lowest is kept.
pub(super) fn refined_again(
    refine: &Refine,
    charts: &Charts<'_>,
    best: &mut Outcome,
    bound: f64,
    seconds: &[Second<'_>],
    watch: &mut Stopwatch,
    run: &Run,
) -> Result<()> {
    let count = charts.neighborhoods().len();
    let reached = match refine.target {
        // R_C has the same bound.
        Target::RN | Target::RC => last(best),
        _ if seconds.is_empty() => return Ok(()),
        _ => r_n(charts, &Points::new(count, best.values.len() / count, best.values.clone())?, run)?.0,
    };
    if reached - bound > WRINKLED {
        for (name, make) in seconds {
            let Some(other) = make()? else { continue };
            watch.lap(name);
            let other = refine.refine_charts(charts, other, run)?;
            watch.lap("refinement");
            if last(&other) < last(best) {
                best.traces.pop();
                best.continue_with(other);
                best.facts.insert("second_start".into(), (*name).into());
            }
        }
    }
    Ok(())
}

/// R_N of an embedding, and its lower bound.
fn r_n(charts: &Charts<'_>, y: &Points, run: &Run) -> Result<(f64, f64)> {
    let neighborhoods = charts.neighborhoods();
    let parts = run.chunks("judgment", neighborhoods.len(), 256, |range| {
        let mut fitter = Fitter::default();
        let (mut value, mut bound, mut counted) = (0.0, 0.0, 0_usize);
        for index in range {
            let fit = fitter.fit(charts.input(), y, neighborhoods.members(index))?;
            if fit.extent > 0.0 {
                value += fit.rigid / fit.extent;
                bound += fit.bound / fit.extent;
                counted += 1;
            }
        }
        Ok((value, bound, counted))
    })?;
    let counted = parts.iter().map(|part| part.2).sum::<usize>().max(1) as f64;
    let sum = |of: fn(&(f64, f64, usize)) -> f64| parts.iter().map(of).sum::<f64>() / counted;
    Ok((sum(|part| part.0), sum(|part| part.1)))
}

/// The target that a refinement reached.
fn last(outcome: &Outcome) -> f64 {
    outcome.traces.last().and_then(|trace| trace.values.last()).copied().unwrap_or(f64::INFINITY)
}
