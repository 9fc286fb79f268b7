//! Maximum variance of points whose distances are kept along given pairs: a semidefinite program, solved in low rank.
//!
//! Maximize tr K over K >= 0, sum K = 0, K_ii - 2 K_ij + K_jj = l_ij^2 for given pairs (or <= l_ij^2). K = Y Y' with
//! Y of r columns, and an augmented Lagrangian over the pairs (Burer and Monteiro, 2003): in turn, Y by a
//! quasi-Newton descent, preconditioned by a Laplacian, with line searches on the pairs alone; the multipliers v_e by
//! v_e + s c_e; and the penalty s is doubled where the largest violation c_e was not halved. Memory: O(r n + m) for m
//! pairs.
//!
//! The multipliers also give an upper bound on tr K, of which the best is kept ([`bound`]): how far above the variance
//! it lies is the gap. Where the pairs leave the points hardly any freedom (all pairs of large neighborhoods of a
//! curved surface are rigid), steps are small, multipliers are rough, and there may be no bound.

mod bound;
mod factor;
mod lagrangian;
mod least_quadratic;
mod pairs;
#[cfg(test)]
mod tests;

pub(crate) use factor::PairFactor;
pub(crate) use least_quadratic::{least_quadratic, place};
pub(crate) use pairs::Pairs;

use crate::history::Stop;
use crate::laplacian::conjugate_gradient::Preconditioner;
use crate::linalg::{DescentMemory, dot, square};
use crate::{Result, Run};
use lagrangian::Lagrangian;
use serde::{Deserialize, Serialize};

/// Moves that the descent remembers.
const MOVES: usize = 20;
/// The most steps of one descent.
const STEPS: usize = 300;
/// The penalty in the first round.
const PENALTY: f64 = 10.0;
/// Where the first descent ends, in the norm of its own steps, and the factor by which each further one goes on.
const SLOPE: f64 = 1e-3;
const FARTHER: f64 = 0.7;
/// Points up to which a bound is computed: it takes sparse factors.
const BOUND_UP_TO: usize = 20_000;
/// The fewest rounds: after fewer the multipliers are still near their start.
const ROUNDS: usize = 3;

/// How the distance of a pair may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// Not at all.
    #[default]
    Equal,
    /// It may shrink.
    AtMost,
}

/// How far to go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The largest violation of a squared distance that is small enough, relative to it.
    pub(crate) tolerance: f64,
    /// The most rounds.
    pub(crate) rounds: usize,
}

/// A solution.
#[derive(Debug)]
pub(crate) struct Unfolded {
    /// Y row by row, of mean zero.
    pub(crate) values: Vec<f64>,
    pub(crate) stop: Stop,
    /// After each round: the variance tr K / n and the largest violation, the start first.
    pub(crate) variances: Vec<f64>,
    pub(crate) violations: Vec<f64>,
    /// The mean violation at the end.
    pub(crate) mean_violation: f64,
    /// The least upper bound on tr K / n that was found.
    pub(crate) bound: Option<f64>,
    /// Steps of all descents together.
    pub(crate) steps: usize,
}

/// What is unfolded.
pub(crate) struct Unfolding<'a> {
    pub(crate) pairs: &'a Pairs,
    pub(crate) constraint: Constraint,
    /// The columns of Y.
    pub(crate) width: usize,
    /// An approximate inverse of a Laplacian of the pairs, each weighted by about one over its squared length.
    pub(crate) preconditioner: &'a dyn Preconditioner,
}

/// Unfolds from `start`, rows in the unit of the pairs, as far as the pairs allow.
pub(crate) fn unfold(unfolding: &Unfolding<'_>, start: Vec<f64>, limits: Limits, run: &Run) -> Result<Unfolded> {
    let Unfolding { pairs, constraint, width, preconditioner } = *unfolding;
    let stage = run.stage("unfold", 100);
    let unit = pairs.unit();
    let mut y = start;
    center(&mut y, width);
    let scale = square(&y).max(f64::MIN_POSITIVE);
    let multipliers = vec![0.0; pairs.len()];
    let mut lagrangian = Lagrangian { pairs, constraint, width, scale, multipliers, penalty: PENALTY };
    let per_point = unit * unit / pairs.points() as f64;
    let mut violations = run.install(|| lagrangian.violations(&y));
    let mut unfolded = Unfolded {
        values: Vec::new(),
        stop: Stop::MaxIterations,
        variances: vec![square(&y) * per_point],
        violations: vec![unmet(&lagrangian, &violations).0],
        mean_violation: 0.0,
        bound: None,
        steps: 0,
    };
    let mut shown = 0;
    for round in 0..limits.rounds {
        let slope = SLOPE * FARTHER.powi(round as i32);
        let steps = descend(&lagrangian, &mut y, &mut violations, preconditioner, slope, run)?;
        unfolded.steps += steps;
        let (largest, mean) = unmet(&lagrangian, &violations);
        unfolded.mean_violation = mean;
        let before = unfolded.violations[unfolded.violations.len() - 1];
        unfolded.violations.push(largest);
        unfolded.variances.push(square(&y) * per_point);
        lagrangian.multipliers =
            violations.iter().enumerate().map(|(pair, &violation)| lagrangian.pull(pair, violation)).collect();
        // Multipliers of a descent that was cut short bound little.
        if steps < STEPS
            && let Some(found) = bound(&lagrangian, &y, run)?
        {
            let found = found * per_point;
            unfolded.bound = Some(unfolded.bound.map_or(found, |known| known.min(found)));
        }
        let done = (1.0 / largest).ln() / (1.0 / limits.tolerance).ln();
        let now = (100.0 * done).clamp(0.0, 100.0) as usize;
        stage.advance(now.saturating_sub(shown));
        shown = shown.max(now);
        if largest <= limits.tolerance && round + 1 >= ROUNDS {
            unfolded.stop = Stop::Converged;
            break;
        }
        if round == 0 || largest > 0.5 * before {
            lagrangian.penalty *= 2.0;
        }
    }
    unfolded.values = y.into_iter().map(|value| value * unit).collect();
    Ok(unfolded)
}

/// The upper bound on |Y|^2 that the multipliers give; none for many points, where it would take too long.
fn bound(lagrangian: &Lagrangian<'_>, y: &[f64], run: &Run) -> Result<Option<f64>> {
    let pairs = lagrangian.pairs;
    if pairs.points() > BOUND_UP_TO {
        return Ok(None);
    }
    let factor = lagrangian.scale / pairs.len() as f64;
    let weights: Vec<f64> =
        lagrangian.multipliers.iter().zip(pairs.scales()).map(|(v, scale)| factor * v * scale).collect();
    bound::variance_bound(pairs, &weights, y, lagrangian.width, run)
}

/// The largest and the mean violation that is left.
fn unmet(lagrangian: &Lagrangian<'_>, violations: &[f64]) -> (f64, f64) {
    let (mut largest, mut sum) = (0.0_f64, 0.0);
    for (pair, &violation) in violations.iter().enumerate() {
        let unmet = lagrangian.unmet(pair, violation);
        largest = largest.max(unmet);
        sum += unmet;
    }
    (largest, sum / violations.len() as f64)
}

/// Lowers the Lagrangian until its steps promise less than `slope` squared, and returns their number.
fn descend(
    lagrangian: &Lagrangian<'_>,
    y: &mut [f64],
    violations: &mut Vec<f64>,
    preconditioner: &dyn Preconditioner,
    slope: f64,
    run: &Run,
) -> Result<usize> {
    let width = lagrangian.width;
    let mut memory = DescentMemory::new(MOVES);
    // The penalty's second derivative along a pair is four times the penalty over the number of pairs.
    let scale = lagrangian.pairs.len() as f64 / (4.0 * lagrangian.penalty);
    let mut scratch = Vec::new();
    let mut plain = |rest: &[f64]| {
        let mut step = vec![0.0; rest.len()];
        run.install(|| preconditioner.apply(rest, &mut step, width, &mut scratch));
        step.iter_mut().for_each(|value| *value *= scale);
        center(&mut step, width);
        Ok(step)
    };
    let mut downhill = run.install(|| lagrangian.downhill(y, violations));
    for taken in 0..STEPS {
        run.check()?;
        let mut step = memory.step(&downhill, &mut plain)?;
        let mut promise = dot(&downhill, &step);
        if promise.is_nan() || promise <= 0.0 {
            memory.clear();
            step = plain(&downhill)?;
            promise = dot(&downhill, &step);
        }
        if promise.is_nan() || promise <= slope * slope {
            return Ok(taken);
        }
        let line = run.install(|| lagrangian.line(y, &step, violations));
        let Some(length) = run.install(|| lagrangian.step_length(&line)) else {
            if memory.is_empty() {
                return Ok(taken);
            }
            memory.clear();
            continue;
        };
        for (value, move_) in y.iter_mut().zip(&mut step) {
            *move_ *= length;
            *value += *move_;
        }
        center(y, width);
        *violations = run.install(|| lagrangian.violations(y));
        let next = run.install(|| lagrangian.downhill(y, violations));
        let change = downhill.iter().zip(&next).map(|(before, after)| before - after).collect();
        memory.push(step, change);
        downhill = next;
    }
    Ok(STEPS)
}

/// Subtracts from each column its mean.
fn center(values: &mut [f64], width: usize) {
    let count = (values.len() / width) as f64;
    let mut means = vec![0.0; width];
    for row in values.chunks_exact(width) {
        means.iter_mut().zip(row).for_each(|(mean, value)| *mean += value);
    }
    means.iter_mut().for_each(|mean| *mean /= count);
    for row in values.chunks_exact_mut(width) {
        row.iter_mut().zip(&means).for_each(|(value, mean)| *value -= mean);
    }
}
