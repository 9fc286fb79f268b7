//! Preconditioned conjugate gradients for several right-hand sides at once.
//!
//! Solves A Y = B column by column with A symmetric and positive semidefinite: every column has its own step lengths,
//! but all share each traversal of A and of the preconditioner M ~ A^+. The residual of a column is
//! |B - A Y| / |B| in the norm |r|^2 = sum_j r_j^2 / A_jj, so that points of light neighborhoods count as much as
//! points of heavy ones. Hestenes and Stiefel (1952). Cost: one A and one M a step, sqrt(cond(M A)) steps a digit.
//! When it fails: rounding stops the residual near 1e-16 |A| |Y| / |B|; the residual reached is then reported.

use crate::linalg::block::CHUNK;
use crate::{Result, Run};
use rayon::prelude::*;

/// Steps from one projection of the rest to the next: few enough that rounding stays small in it, at hardly any cost.
const PROJECT_EVERY: usize = 8;

/// A symmetric positive semidefinite matrix that can be applied to a block of columns, stored row by row.
pub(crate) trait Operator: Sync {
    /// Writes A times `input` into `output`; `scratch` is reused between calls.
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>);
    /// The diagonal of A, which scales the residual; zero where a row of A is zero.
    fn diagonal(&self) -> &[f64];
    /// Removes the part of each column that A maps to zero.
    fn project(&self, _values: &mut [f64], _columns: usize) {}
}

/// A symmetric positive semidefinite approximation of the (pseudo-)inverse of an operator.
pub(crate) trait Preconditioner: Sync {
    /// Writes M times `input` into `output`; `scratch` is reused between calls.
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>);
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The residual wanted of every column.
    pub(crate) tolerance: f64,
    /// The most steps.
    pub(crate) steps: usize,
}

/// Where it stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Convergence {
    /// The steps taken.
    pub(crate) steps: usize,
    /// The largest residual of a column, recomputed from the values returned.
    pub(crate) residual: f64,
    /// The largest residual of a column at the start.
    pub(crate) first: f64,
}

/// A system A Y = B of `columns` right-hand sides, and an approximate inverse of A.
#[derive(Debug)]
pub(crate) struct LinearSystem<'a, A, M> {
    pub(crate) operator: &'a A,
    pub(crate) preconditioner: &'a M,
    /// B, which must lie in the range of A up to rounding.
    pub(crate) rhs: &'a [f64],
    pub(crate) columns: usize,
}

/// Improves `values` until A times it is close to the right-hand sides.
pub(crate) fn conjugate_gradient<A: Operator, M: Preconditioner>(
    system: &LinearSystem<'_, A, M>,
    values: &mut [f64],
    limits: Limits,
    run: &Run,
) -> Result<Convergence> {
    let stage = run.stage("solve", 100);
    run.install(|| {
        let mut state = State::new(system);
        for row in values.chunks_exact_mut(system.columns) {
            for (value, &norm) in row.iter_mut().zip(&state.norms) {
                *value = if norm > 0.0 { *value } else { 0.0 };
            }
        }
        let first = state.residual(values);
        let mut reached = Convergence { steps: 0, residual: first, first };
        let mut shown = 0;
        let mut show = |residual: f64| {
            let share = (first / residual).ln() / (first / limits.tolerance).ln();
            let now = (100.0 * share).clamp(0.0, 100.0) as usize;
            stage.advance(now.saturating_sub(shown));
            shown = shown.max(now);
        };
        // The residual that the recursion carries drifts from the true one: start again from the true one, as long as
        // that gains at least a factor of two.
        while reached.residual > limits.tolerance && reached.steps < limits.steps {
            let before = reached.residual;
            let saved = values.to_vec();
            let left = Limits { steps: limits.steps - reached.steps, ..limits };
            reached.steps += state.descend(values, left, run, &mut show)?;
            reached.residual = state.residual(values);
            // After the last step allowed the residual may be higher and the values better all the same.
            let broken = reached.residual > before && reached.steps < limits.steps;
            if reached.residual.is_nan() || broken {
                values.copy_from_slice(&saved);
                reached.residual = before;
                break;
            }
            if reached.residual > 0.5 * before {
                break;
            }
        }
        system.operator.project(values, system.columns);
        Ok(reached)
    })
}

struct State<'a, A, M> {
    system: &'a LinearSystem<'a, A, M>,
    /// One over the diagonal, zero where that is zero.
    scale: Vec<f64>,
    /// The norm of each column of the right-hand side.
    norms: Vec<f64>,
    /// B - A Y.
    rest: Vec<f64>,
    direction: Vec<f64>,
    /// A times the direction.
    image: Vec<f64>,
    scratch: Vec<f64>,
}

impl<'a, A: Operator, M: Preconditioner> State<'a, A, M> {
    fn new(system: &'a LinearSystem<'a, A, M>) -> Self {
        let inverse = |&d: &f64| if d > 0.0 { 1.0 / d } else { 0.0 };
        let scale: Vec<f64> = system.operator.diagonal().iter().map(inverse).collect();
        let norms = sums(system.rhs, system.rhs, Some(&scale), system.columns).into_iter().map(f64::sqrt).collect();
        let zeros = || vec![0.0; system.rhs.len()];
        let (rest, direction, image) = (zeros(), zeros(), zeros());
        Self { system, scale, norms, rest, direction, image, scratch: Vec::new() }
    }

    /// The residual of each column of the rest.
    fn residuals(&self) -> Vec<f64> {
        let squares = sums(&self.rest, &self.rest, Some(&self.scale), self.system.columns);
        let ratio = |(square, norm): (&f64, &f64)| if *norm > 0.0 { square.sqrt() / norm } else { 0.0 };
        squares.iter().zip(&self.norms).map(ratio).collect()
    }

    /// Recomputes the rest B - A Y, and returns the largest residual.
    fn residual(&mut self, values: &[f64]) -> f64 {
        let LinearSystem { operator, rhs, columns, .. } = *self.system;
        operator.apply(values, &mut self.rest, columns, &mut self.scratch);
        self.rest.par_iter_mut().with_min_len(CHUNK).zip(rhs).for_each(|(rest, rhs)| *rest = rhs - *rest);
        operator.project(&mut self.rest, columns);
        largest(&self.residuals())
    }

    /// Steps until the recursion says that every column has converged; `self.rest` holds the true rest at the start.
    fn descend(&mut self, values: &mut [f64], limits: Limits, run: &Run, show: &mut impl FnMut(f64)) -> Result<usize> {
        let LinearSystem { operator, preconditioner, rhs, columns } = *self.system;
        let mut better = vec![0.0; rhs.len()];
        let mut scratch = Vec::new();
        let mut last = vec![0.0; columns];
        let mut alive: Vec<bool> = self.residuals().iter().map(|&residual| residual > limits.tolerance).collect();
        self.direction.fill(0.0);
        for step in 0..limits.steps {
            run.check()?;
            preconditioner.apply(&self.rest, &mut better, columns, &mut scratch);
            let products = sums(&self.rest, &better, None, columns);
            let beta: Vec<f64> =
                (0..columns).map(|c| if alive[c] && last[c] > 0.0 { products[c] / last[c] } else { 0.0 }).collect();
            last.clone_from(&products);
            combine(&mut self.direction, &better, &beta, |p, z, beta| *p = z + beta * *p);
            operator.apply(&self.direction, &mut self.image, columns, &mut self.scratch);
            let curvatures = sums(&self.direction, &self.image, None, columns);
            let mut alpha = vec![0.0; columns];
            for c in 0..columns {
                // Not positive only by rounding, where nothing is left to gain.
                alive[c] &= curvatures[c] > 0.0 && products[c] > 0.0;
                if alive[c] {
                    alpha[c] = products[c] / curvatures[c];
                }
            }
            combine(values, &self.direction, &alpha, |y, p, alpha| *y += alpha * p);
            combine(&mut self.rest, &self.image, &alpha, |r, q, alpha| *r -= alpha * q);
            // Rounding leaves parts in the rest that A cannot remove and M enlarges: near the end they would mislead.
            if step % PROJECT_EVERY == PROJECT_EVERY - 1 {
                operator.project(&mut self.rest, columns);
            }
            let residuals = self.residuals();
            for c in 0..columns {
                alive[c] &= residuals[c] > limits.tolerance;
            }
            show(largest(&residuals));
            if !alive.contains(&true) {
                return Ok(step + 1);
            }
        }
        Ok(limits.steps)
    }
}

/// Calls `each` with every number of `to`, that of `from`, and the factor of its column.
fn combine(to: &mut [f64], from: &[f64], factors: &[f64], each: impl Fn(&mut f64, f64, f64) + Sync) {
    let size = CHUNK * factors.len();
    to.par_chunks_mut(size).zip(from.par_chunks(size)).for_each(|(to, from)| {
        for ((to, &from), &factor) in to.iter_mut().zip(from).zip(factors.iter().cycle()) {
            each(to, from, factor);
        }
    });
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, &value| if value > most || value.is_nan() { value } else { most })
}

fn rows_of(values: &[f64], columns: usize) -> impl IndexedParallelIterator<Item = &[f64]> {
    values.par_chunks(CHUNK * columns)
}

/// For each column the sum over rows of a * b, times the row's scale where there is one.
fn sums(a: &[f64], b: &[f64], scale: Option<&[f64]>, columns: usize) -> Vec<f64> {
    let parts: Vec<Vec<f64>> = rows_of(a, columns)
        .zip(rows_of(b, columns))
        .enumerate()
        .map(|(chunk, (a, b))| {
            let mut sums = vec![0.0; columns];
            for (row, (a, b)) in a.chunks_exact(columns).zip(b.chunks_exact(columns)).enumerate() {
                let scale = scale.map_or(1.0, |scale| scale[chunk * CHUNK + row]);
                for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
                    *sum += scale * a * b;
                }
            }
            sums
        })
        .collect();
    let mut total = vec![0.0; columns];
    for part in parts {
        total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
    }
    total
}
