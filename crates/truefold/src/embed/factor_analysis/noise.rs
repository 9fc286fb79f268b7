//! The noise of the variables: t = log psi where f(t) is least, between the least noise allowed and all of the variance.
//!
//! Steps solve G x = -df / dt, G_ij = (I - U U')_ij^2, the expected second derivatives (Joreskog 1967), by conjugate
//! gradients: G v = (1 - 2 |u_j|^2) v_j + u_j'(U' diag(v) U) u_j takes O(q d^2), and no q x q matrix is made. A step that
//! does not lower f is shortened; where that does not help, psi = diag(S - L L') takes its place, which is a step of
//! expectation and maximization from the best L and never raises f. Variables at the bound stay there while f would fall
//! beyond it.

use super::likelihood::{Concentrated, Variables};
use crate::history::Stop;
use crate::linalg::{add_scaled, dot, square};
use crate::{Result, Run};

/// The share of the variance that is noise at the start.
const FIRST: f64 = 0.5;
/// The longest step in any log psi, so that one bad step does not leave the region in which G means something.
const LONGEST: f64 = 3.0;
/// Directions in which f is flat, as where the factors determine more than there are covariances, are held by this.
const DAMPING: f64 = 1e-6;
/// How often a step is shortened, and to which share.
const SHORTENED: usize = 6;
const SHARE: f64 = 0.3;

/// Where to stop.
pub(super) struct Limits {
    /// The least psi, as a share of the variance.
    pub(super) floor: f64,
    /// The largest |df / dt_j| allowed.
    pub(super) tolerance: f64,
    /// The most steps.
    pub(super) iterations: usize,
}

/// The noise found.
pub(super) struct Noise {
    /// log psi, in units of the variances.
    pub(super) t: Vec<f64>,
    /// The likelihood there.
    pub(super) best: Concentrated,
    /// f at every step.
    pub(super) values: Vec<f64>,
    /// Variables at the least noise allowed.
    pub(super) at_bound: usize,
    pub(super) stop: Stop,
}

pub(super) fn noise(variables: &Variables<'_>, dim: usize, limits: &Limits, run: &Run) -> Result<Noise> {
    let stage = run.stage("likelihood", limits.iterations);
    let least = limits.floor.ln();
    let mut t = vec![FIRST.ln(); variables.len()];
    let mut best = variables.concentrated(&t, dim, run)?;
    let mut values = vec![best.value];
    let mut stop = Stop::MaxIterations;
    for _ in 0..limits.iterations {
        run.check()?;
        stage.advance(1);
        let free: Vec<bool> = t.iter().zip(&best.gradient).map(|(t, slope)| *t > least || *slope < 0.0).collect();
        let steepest = best.gradient.iter().zip(&free).filter(|(_, free)| **free).map(|(slope, _)| slope.abs());
        if steepest.fold(0.0, f64::max) <= limits.tolerance {
            stop = Stop::Converged;
            break;
        }
        let (next, reached) = match scored(variables, &t, &best, &free, least, run)? {
            Some(found) => found,
            None => {
                let next = expected(&t, &best, limits.floor);
                let reached = variables.concentrated(&next, dim, run)?;
                (next, reached)
            }
        };
        // What is left is rounding.
        let stalled = reached.value >= best.value;
        if !stalled {
            (t, best) = (next, reached);
            values.push(best.value);
        } else {
            stop = Stop::Stalled;
            break;
        }
    }
    let at_bound = t.iter().filter(|t| **t <= least).count();
    Ok(Noise { t, best, values, at_bound, stop })
}

/// A step along the solution of G x = -df / dt that lowers f.
fn scored(
    variables: &Variables<'_>,
    t: &[f64],
    best: &Concentrated,
    free: &[bool],
    least: f64,
    run: &Run,
) -> Result<Option<(Vec<f64>, Concentrated)>> {
    let step = direction(best, free);
    let longest = step.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let mut share = if longest > LONGEST { LONGEST / longest } else { 1.0 };
    for _ in 0..SHORTENED {
        let next: Vec<f64> = t.iter().zip(&step).map(|(t, step)| (t + share * step).clamp(least, 0.0)).collect();
        let promised: f64 = next.iter().zip(t).zip(&best.gradient).map(|((next, t), slope)| slope * (next - t)).sum();
        let reached = variables.concentrated(&next, best.strengths.len(), run)?;
        if reached.value < best.value + 1e-4 * promised {
            return Ok(Some((next, reached)));
        }
        share *= SHARE;
    }
    Ok(None)
}

/// psi = diag(S - L L').
fn expected(t: &[f64], best: &Concentrated, floor: f64) -> Vec<f64> {
    // (L L')_jj / psi_j is what the gradient has besides 1 - 1 / psi_j.
    let psi = |(t, slope): (&f64, &f64)| t.exp() * (1.0 - slope);
    t.iter().zip(&best.gradient).map(psi).map(|psi| psi.clamp(floor, 1.0).ln()).collect()
}

/// The solution of G x = -df / dt on the free variables.
fn direction(best: &Concentrated, free: &[bool]) -> Vec<f64> {
    let dim = best.strengths.len();
    let only_free = |values: &mut Vec<f64>| {
        values.iter_mut().zip(free).filter(|(_, free)| !**free).for_each(|(value, _)| *value = 0.0);
    };
    let apply = |v: &[f64]| {
        let mut inner = vec![0.0; dim * dim];
        for (u, v) in best.axes.chunks_exact(dim).zip(v) {
            for (row, a) in inner.chunks_exact_mut(dim).zip(u) {
                add_scaled(row, a * v, u);
            }
        }
        let product = |(u, v): (&[f64], &f64)| {
            let form: f64 = inner.chunks_exact(dim).zip(u).map(|(row, a)| a * dot(row, u)).sum();
            (1.0 + DAMPING - 2.0 * square(u)) * v + form
        };
        let mut image: Vec<f64> = best.axes.chunks_exact(dim).zip(v).map(product).collect();
        only_free(&mut image);
        image
    };
    let mut rest: Vec<f64> = best.gradient.iter().map(|slope| -slope).collect();
    only_free(&mut rest);
    let (mut step, mut toward) = (vec![0.0; rest.len()], rest.clone());
    let mut left = square(&rest);
    let enough = 1e-12 * left;
    for _ in 0..200 {
        let image = apply(&toward);
        let curvature = dot(&toward, &image);
        if left <= enough || curvature <= 0.0 {
            break;
        }
        add_scaled(&mut step, left / curvature, &toward);
        add_scaled(&mut rest, -left / curvature, &image);
        let now = square(&rest);
        for (toward, rest) in toward.iter_mut().zip(&rest) {
            *toward = rest + now / left * *toward;
        }
        left = now;
    }
    step
}
