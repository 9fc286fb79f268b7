//! Preconditioned conjugate gradients for several right-hand sides at once.
//!
//! Solves A Y = B column by column with A symmetric and positive semidefinite: every column has its own step lengths,
//! but all share each traversal of A and of the preconditioner M ~ A^+. The residual of a column is
//! |B - A Y| / |B| in the norm |r|^2 = sum_j r_j^2 / A_jj, so that points of light neighborhoods count as much as
//! points of heavy ones. Hestenes and Stiefel (1952). Cost: one A and one M a step, sqrt(cond(M A)) steps a digit.
//! When it fails: rounding stops the residual near 1e-16 |A| |Y| / |B|; what was reached is then reported.

use crate::linalg::block::CHUNK;
use crate::{Result, Run};
use rayon::prelude::*;

/// Steps from one projection of the rest to the next: few enough that rounding stays small in it, and nearly free.
const PROJECT_EVERY: usize = 8;

/// A symmetric positive semidefinite matrix that can be applied to a block of columns, stored row by row.
pub(crate) trait Operator: Sync {
    /// Writes A times `input` into `output`; `scratch` is reused between calls.
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>);
    /// The diagonal of A, which scales the residual; zero where a row of A is zero.
    fn diagonal(&self) -> &[f64];
    /// Takes off the part of each column that A sends to zero.
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
pub(crate) struct Outcome {
    /// The steps taken.
    pub(crate) steps: usize,
    /// The largest residual of a column, computed anew from the values returned.
    pub(crate) residual: f64,
    /// The largest residual of a column at the start.
    pub(crate) first: f64,
}

/// Improves `values` until A times it is close to `rhs`, which must lie in the range of A up to rounding.
pub(crate) fn conjugate_gradient(
    operator: &impl Operator,
    preconditioner: &impl Preconditioner,
    rhs: &[f64],
    values: &mut [f64],
    columns: usize,
    limits: Limits,
    run: &Run,
) -> Result<Outcome> {
    let stage = run.stage("solve", 100);
    run.install(|| {
        let mut state = State::new(operator, rhs, columns);
        for row in values.chunks_exact_mut(columns) {
            for (value, &norm) in row.iter_mut().zip(&state.norms) {
                *value = if norm > 0.0 { *value } else { 0.0 };
            }
        }
        let first = state.residual(values);
        let mut outcome = Outcome { steps: 0, residual: first, first };
        let mut shown = 0;
        let mut show = |residual: f64| {
            let share = (first / residual).ln() / (first / limits.tolerance).ln();
            let now = (100.0 * share).clamp(0.0, 100.0) as usize;
            stage.advance(now.saturating_sub(shown));
            shown = shown.max(now);
        };
        // The residual that the recursion carries drifts from the true one: start again from the true one, as long as
        // that gains at least a factor of two.
        while outcome.residual > limits.tolerance && outcome.steps < limits.steps {
            let before = outcome.residual;
            let saved = values.to_vec();
            outcome.steps += state.descend(preconditioner, values, limits, outcome.steps, run, &mut show)?;
            outcome.residual = state.residual(values);
            if outcome.residual.is_nan() || outcome.residual > before {
                values.copy_from_slice(&saved);
                outcome.residual = before;
                break;
            }
            if outcome.residual > 0.5 * before {
                break;
            }
        }
        operator.project(values, columns);
        Ok(outcome)
    })
}

struct State<'a, A> {
    operator: &'a A,
    rhs: &'a [f64],
    columns: usize,
    /// One over the diagonal, zero where that is zero.
    scale: Vec<f64>,
    /// The norm of each column of the right-hand side.
    norms: Vec<f64>,
    rest: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
    scratch: Vec<f64>,
}

impl<'a, A: Operator> State<'a, A> {
    fn new(operator: &'a A, rhs: &'a [f64], columns: usize) -> Self {
        let scale: Vec<f64> = operator.diagonal().iter().map(|&d| if d > 0.0 { 1.0 / d } else { 0.0 }).collect();
        let norms = sums(rhs, rhs, Some(&scale), columns).into_iter().map(f64::sqrt).collect();
        let zeros = || vec![0.0; rhs.len()];
        let (rest, direction, image) = (zeros(), zeros(), zeros());
        Self { operator, rhs, columns, scale, norms, rest, direction, image, scratch: Vec::new() }
    }

    /// The residual of each column from the squared norms of the rests.
    fn relative(&self, squares: &[f64]) -> Vec<f64> {
        let ratio = |(square, norm): (&f64, &f64)| if *norm > 0.0 { square.sqrt() / norm } else { 0.0 };
        squares.iter().zip(&self.norms).map(ratio).collect()
    }

    /// Computes the rest B - A Y anew and the largest residual.
    fn residual(&mut self, values: &[f64]) -> f64 {
        self.operator.apply(values, &mut self.rest, self.columns, &mut self.scratch);
        self.rest.par_iter_mut().with_min_len(CHUNK).zip(self.rhs).for_each(|(rest, rhs)| *rest = rhs - *rest);
        self.operator.project(&mut self.rest, self.columns);
        let squares = sums(&self.rest, &self.rest, Some(&self.scale), self.columns);
        largest(&self.relative(&squares))
    }

    /// Steps until the recursion says that every column has converged; `self.rest` holds the true rest at the start.
    fn descend(
        &mut self,
        preconditioner: &impl Preconditioner,
        values: &mut [f64],
        limits: Limits,
        taken: usize,
        run: &Run,
        show: &mut impl FnMut(f64),
    ) -> Result<usize> {
        let columns = self.columns;
        let mut better = vec![0.0; self.rhs.len()];
        let mut more = Vec::new();
        let mut last = vec![0.0; columns];
        let mut alive: Vec<bool> = {
            let squares = sums(&self.rest, &self.rest, Some(&self.scale), columns);
            self.relative(&squares).iter().map(|&residual| residual > limits.tolerance).collect()
        };
        self.direction.fill(0.0);
        for step in 0..limits.steps - taken {
            run.check()?;
            preconditioner.apply(&self.rest, &mut better, columns, &mut more);
            let products = sums(&self.rest, &better, None, columns);
            let beta: Vec<f64> =
                (0..columns).map(|c| if alive[c] && last[c] > 0.0 { products[c] / last[c] } else { 0.0 }).collect();
            last.clone_from(&products);
            rows(&mut self.direction, columns).zip(rows_of(&better, columns)).for_each(|(direction, better)| {
                for ((p, z), beta) in direction.iter_mut().zip(better).zip(beta.iter().cycle()) {
                    *p = z + beta * *p;
                }
            });
            self.operator.apply(&self.direction, &mut self.image, columns, &mut self.scratch);
            let curvatures = sums(&self.direction, &self.image, None, columns);
            let mut alpha = vec![0.0; columns];
            for c in 0..columns {
                // Not positive only by rounding, where nothing is left to gain.
                alive[c] &= curvatures[c] > 0.0 && products[c] > 0.0;
                if alive[c] {
                    alpha[c] = products[c] / curvatures[c];
                }
            }
            rows(values, columns).zip(rows_of(&self.direction, columns)).for_each(|(values, direction)| {
                for ((y, p), alpha) in values.iter_mut().zip(direction).zip(alpha.iter().cycle()) {
                    *y += alpha * p;
                }
            });
            rows(&mut self.rest, columns).zip(rows_of(&self.image, columns)).for_each(|(rest, image)| {
                for ((r, q), alpha) in rest.iter_mut().zip(image).zip(alpha.iter().cycle()) {
                    *r -= alpha * q;
                }
            });
            // Rounding leaves in the rest what A cannot take away and M makes large: near the end it would lead away.
            if step % PROJECT_EVERY == PROJECT_EVERY - 1 {
                self.operator.project(&mut self.rest, columns);
            }
            let squares = sums(&self.rest, &self.rest, Some(&self.scale), columns);
            let residuals = self.relative(&squares);
            for c in 0..columns {
                alive[c] &= residuals[c] > limits.tolerance;
            }
            show(largest(&residuals));
            if !alive.contains(&true) {
                return Ok(step + 1);
            }
        }
        Ok(limits.steps - taken)
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, &value| if value > most || value.is_nan() { value } else { most })
}

fn rows(values: &mut [f64], columns: usize) -> impl IndexedParallelIterator<Item = &mut [f64]> {
    values.par_chunks_mut(CHUNK * columns)
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
