//! Preconditioned conjugate gradients for several right-hand sides at once.
//!
//! Solves A Y = B column by column with A symmetric and positive semidefinite: every column has its own step lengths,
//! but all share each traversal of A and of the preconditioner M ~ A^+. The residual of a column is
//! |B - A Y| / |B| in the norm |r|^2 = sum_j r_j^2 / A_jj, so that points of light neighborhoods count as much as
//! points of heavy ones. Hestenes and Stiefel (1952). Cost: one A and one M a step, sqrt(cond(M A)) steps a digit.
//! When it fails: rounding stops the residual near 1e-16 |A| |Y| / |B|; the residual reached is then reported.

use crate::linalg::block::{CHUNK, by_width};
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
    /// Whether the residual that the steps carry along is taken for the true one, which is not computed then.
    carried: bool,
}

impl Limits {
    pub(crate) const fn new(tolerance: f64, steps: usize) -> Self {
        Self { tolerance, steps, carried: false }
    }

    /// The same for few digits: so far the residual that the steps carry along agrees with the true one, and a product is saved.
    pub(crate) const fn carried(self) -> Self {
        Self { carried: true, ..self }
    }
}

/// Where it stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Convergence {
    /// The steps taken.
    pub(crate) steps: usize,
    /// The largest residual of a column, recomputed from the values returned, or carried along where the limits allow that.
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
            let (steps, carried) = state.descend(values, left, run, &mut show)?;
            reached.steps += steps;
            if limits.carried && carried <= before {
                reached.residual = carried;
                break;
            }
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

    /// Takes a step of `alpha` along the direction, and returns the residual of each column after it.
    fn advance(&mut self, values: &mut [f64], alpha: &[f64], project: bool) -> Vec<f64> {
        let columns = self.system.columns;
        let size = CHUNK * columns;
        let rows = (values.par_chunks_mut(size), self.direction.par_chunks(size));
        let rest = (self.rest.par_chunks_mut(size), self.image.par_chunks(size), self.scale.par_chunks(CHUNK));
        let parts: Vec<Vec<f64>> = rows
            .into_par_iter()
            .zip(rest.into_par_iter())
            .map(|((values, direction), (rest, image, scale))| {
                by_width!(columns, W => {
                    combine_rows::<W>(values, direction, alpha, |y, p, alpha| *y += alpha * p);
                    combine_rows::<W>(rest, image, alpha, |r, q, alpha| *r -= alpha * q);
                    sum_rows::<W>(rest, rest, Some(scale), columns)
                })
            })
            .collect();
        // Rounding leaves parts in the rest that A cannot remove and M enlarges: near the end they would mislead.
        if project {
            self.system.operator.project(&mut self.rest, columns);
            return self.residuals();
        }
        self.shares(&total(parts, columns))
    }

    /// The residual of each column of the rest.
    fn residuals(&self) -> Vec<f64> {
        self.shares(&sums(&self.rest, &self.rest, Some(&self.scale), self.system.columns))
    }

    /// The residuals of columns whose rests have these squares.
    fn shares(&self, squares: &[f64]) -> Vec<f64> {
        let ratio = |(square, norm): (&f64, &f64)| if *norm > 0.0 { square.sqrt() / norm } else { 0.0 };
        squares.iter().zip(&self.norms).map(ratio).collect()
    }

    /// Recomputes the rest B - A Y, and returns the largest residual.
    fn residual(&mut self, values: &[f64]) -> f64 {
        let LinearSystem { operator, rhs, columns, .. } = *self.system;
        if values.iter().all(|&value| value == 0.0) {
            self.rest.copy_from_slice(rhs);
        } else {
            operator.apply(values, &mut self.rest, columns, &mut self.scratch);
            self.rest.par_iter_mut().with_min_len(CHUNK).zip(rhs).for_each(|(rest, rhs)| *rest = rhs - *rest);
        }
        operator.project(&mut self.rest, columns);
        largest(&self.residuals())
    }

    /// Steps until the recursion says that every column has converged, how many, and the largest residual that it carries; `self.rest`
    /// holds the true rest at the start.
    fn descend(
        &mut self,
        values: &mut [f64],
        limits: Limits,
        run: &Run,
        show: &mut impl FnMut(f64),
    ) -> Result<(usize, f64)> {
        let LinearSystem { operator, preconditioner, rhs, columns } = *self.system;
        let mut better = vec![0.0; rhs.len()];
        let mut scratch = Vec::new();
        let mut last = vec![0.0; columns];
        let mut residuals = self.residuals();
        let mut alive: Vec<bool> = residuals.iter().map(|&residual| residual > limits.tolerance).collect();
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
            residuals = self.advance(values, &alpha, step % PROJECT_EVERY == PROJECT_EVERY - 1);
            for c in 0..columns {
                alive[c] &= residuals[c] > limits.tolerance;
            }
            show(largest(&residuals));
            if !alive.contains(&true) {
                return Ok((step + 1, largest(&residuals)));
            }
        }
        Ok((limits.steps, largest(&residuals)))
    }
}

/// Calls `each` with every number of `to`, that of `from`, and the factor of its column.
fn combine(to: &mut [f64], from: &[f64], factors: &[f64], each: impl Fn(&mut f64, f64, f64) + Sync) {
    let size = CHUNK * factors.len();
    to.par_chunks_mut(size).zip(from.par_chunks(size)).for_each(|(to, from)| {
        by_width!(factors.len(), W => combine_rows::<W>(to, from, factors, &each));
    });
}

/// The same for some rows; `W` is the number of columns, or 0 for any.
#[inline(always)]
fn combine_rows<const W: usize>(to: &mut [f64], from: &[f64], factors: &[f64], each: impl Fn(&mut f64, f64, f64)) {
    let columns = if W == 0 { factors.len() } else { W };
    let factors = &factors[..columns];
    for (to, from) in to.chunks_exact_mut(columns).zip(from.chunks_exact(columns)) {
        for column in 0..columns {
            each(&mut to[column], from[column], factors[column]);
        }
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, &value| if value > most || value.is_nan() { value } else { most })
}

/// For each column the sum over rows of a * b, times the row's scale where there is one.
fn sums(a: &[f64], b: &[f64], scale: Option<&[f64]>, columns: usize) -> Vec<f64> {
    let size = CHUNK * columns;
    let parts = a.par_chunks(size).zip(b.par_chunks(size)).enumerate().map(|(chunk, (a, b))| {
        let scale = scale.map(|scale| &scale[chunk * CHUNK..]);
        by_width!(columns, W => sum_rows::<W>(a, b, scale, columns))
    });
    total(parts.collect(), columns)
}

/// The same for some rows; `W` is the number of columns, or 0 for any.
#[inline(always)]
fn sum_rows<const W: usize>(a: &[f64], b: &[f64], scale: Option<&[f64]>, columns: usize) -> Vec<f64> {
    let columns = if W == 0 { columns } else { W };
    let mut sums = vec![0.0; columns];
    let rows = a.chunks_exact(columns).zip(b.chunks_exact(columns));
    let mut add = |a: &[f64], b: &[f64], scale: f64| {
        for column in 0..columns {
            sums[column] += scale * a[column] * b[column];
        }
    };
    match scale {
        Some(scale) => rows.zip(scale).for_each(|((a, b), &scale)| add(a, b, scale)),
        None => rows.for_each(|(a, b)| add(a, b, 1.0)),
    }
    sums
}

/// The sum of the parts, in order.
fn total(parts: Vec<Vec<f64>>, columns: usize) -> Vec<f64> {
    let mut total = vec![0.0; columns];
    for part in parts {
        total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
    }
    total
}
