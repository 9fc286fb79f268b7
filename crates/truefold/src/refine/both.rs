//! Refinement in both directions, for maps of data that have more dimensions than they.
//!
//! There no map keeps the shape of all neighborhoods, and one that lowers R_C alone pays by laying strangers over each other.
//! So the map, in the size at which t-SNE is most content with it, follows the forces of the faithful map (`forces/`) from
//! where it is: neighbors attract, all points repel, and neighborhoods of the data and of the map pull towards their shape in
//! the data. It ends before R_C or reverse R_C is above its first value by more than the slack, and comes back in its first
//! size; where the mean of both has not fallen, it is left as it was. Cost: that of the second phase of the faithful map.

use super::Refine;
use super::guard::reverse_r_c;
use crate::data::Input;
use crate::embedding::{Fit, Outcome};
use crate::forces::{Affinities, Limits, PERPLEXITY, Phase, Plan, SHAPE, Units, mean_r_c};
use crate::history::{Stop, Trace};
use crate::problem::Problem;
use crate::{Neighborhoods, Points, Result, Run};
use std::time::{Duration, Instant};

/// Differences of the means that single precision makes.
const ROUNDING: f64 = 1e-5;

pub(super) fn refine(
    refine: &Refine,
    input: Input<'_>,
    neighborhoods: &Neighborhoods,
    start: &Points,
    run: &Run,
) -> Result<Outcome> {
    let deadline = refine.time_limit.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds.min(1e9)));
    let mut fit = Fit::new(run);
    let problem = Problem::with_input(input, neighborhoods, start.dim())?;
    let affinities = Affinities::of_problem(&problem, PERPLEXITY, &mut fit)?;
    let phase = Phase {
        exaggeration: 1.0,
        iterations: refine.iterations,
        tolerance: 0.0,
        rate: start.len() as f64,
        shape: SHAPE,
    };
    let shapes = Some((input, neighborhoods));
    let limits = Limits { slack: refine.slack, gain: Some(refine.tolerance), deadline };
    let plan = Plan { affinities, phases: &[phase], dim: start.dim(), shapes, limits };
    let means = |map: &Points| -> Result<f64> {
        let forward = mean_r_c(&input, neighborhoods, map, &run.quiet())?;
        let reverse = reverse_r_c(&input, neighborhoods, map, &run.quiet())?;
        Ok((forward.unwrap_or(1.0) + reverse.unwrap_or(1.0)) / 2.0)
    };
    let (units, mut values) = Units::of(start);
    let scale = plan.best_scale(&values, run)?;
    fit.lap("scale");
    values.iter_mut().for_each(|at| *at *= scale);
    let mut values = plan.run(&values, &mut fit)?;
    values.iter_mut().for_each(|at| *at /= scale);
    units.back(&mut values);
    let end = Points::new(start.len(), start.dim(), values)?;
    let (first, mut last) = (means(start)?, means(&end)?);
    let mut outcome = fit.into_outcome(end.into_values());
    if last > first + ROUNDING {
        (outcome.values, outcome.stop) = (start.values().to_vec(), Stop::Stalled);
        outcome.facts.insert("steps".into(), 0.into());
    }
    last = last.min(first);
    outcome.traces = vec![Trace { objective: "mean of r_c and reverse_r_c".into(), values: vec![first, last] }];
    Ok(outcome)
}
