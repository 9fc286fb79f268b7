//! The preconditioner of the Laplacian: its exact factor, an approximate one, groups of points, or its diagonal.

use super::aggregation::Aggregation;
use super::cholesky::Cholesky;
use super::conjugate_gradient::{Limits, LinearSystem, Operator, Preconditioner, conjugate_gradient};
use super::elimination::Elimination;
use super::matrix::{Coefficients, NeighborhoodLaplacian};
use super::memberships::Memberships;
use super::solver::Strategy;
use crate::error::{Advice, Name};
use crate::linalg::block::CHUNK;
use crate::random::uniform;
use crate::{Error, Result, Run};
use rayon::prelude::*;

/// Points up to which [`Strategy::Auto`] takes the exact factor; `docs/solver.md` has the measurement.
const EXACT_UP_TO: usize = 2_000;
/// Below so many points elimination costs little, and no other way is looked for.
const PROBED_FROM: usize = 5_000;
/// If so many steps with the diagonal alone lower the residual of random numbers this far, they will do. On a surface of d
/// dimensions they lower it to about one over steps^(d/2), so this is so from about six dimensions on.
const DIAGONAL: Limits = Limits::new(1e-4, 16);
/// Where half of them do not lower it to this, which is three times the way, the other half will not help.
const HALFWAY: Limits = Limits::new(0.03, 8).carried();
/// If so many steps with groups lower it this far, some 50 lower it to 1e-8. On surfaces with even weights five or six steps do;
/// with weights at random over many decades eight do not.
const GROUPS: Limits = Limits::new(0.04, 8).carried();

/// What conjugate gradients are preconditioned by.
#[derive(Debug)]
pub(super) enum Factor {
    Exact(Cholesky),
    Approximate(Elimination),
    Grouped(Aggregation),
    /// One over the diagonal, zero where that is zero.
    Diagonal(Vec<f64>),
}

impl Factor {
    pub(super) fn new(
        memberships: &Memberships<'_>,
        coefficients: &Coefficients,
        weights: &[f64],
        strategy: Strategy,
        seed: u64,
        run: &Run,
    ) -> Result<Self> {
        let _stage = run.stage("factor", 1);
        let exact = match strategy {
            Strategy::Auto => memberships.len() <= EXACT_UP_TO,
            Strategy::Cholesky => true,
            Strategy::Iterative => false,
        };
        if exact {
            let factor = Cholesky::new(memberships, &coefficients.laplacian(memberships));
            match factor {
                Some(factor) => return Ok(Self::Exact(factor)),
                None if strategy == Strategy::Cholesky => {
                    return Err(Error::data(
                        "the Laplacian of the neighborhoods has no Cholesky factor in double precision",
                        Advice::change(
                            Name::setting("solver"),
                            "use {set solver=iterative}, or weights that differ less",
                        ),
                    ));
                }
                None => {}
            }
        }
        if memberships.len() >= PROBED_FROM {
            let laplacian = coefficients.laplacian(memberships);
            let inverse = inverse_diagonal(&laplacian);
            let diagonal = Self::Diagonal(inverse.clone());
            let probe = Probe::new(memberships, &laplacian, seed, run);
            if probe.reaches(&diagonal, HALFWAY)? && probe.reaches(&diagonal, DIAGONAL)? {
                return Ok(diagonal);
            }
            drop(diagonal);
            let groups = run.install(|| Aggregation::new(memberships, &laplacian, inverse, seed, run))?;
            if let Some(groups) = groups.map(Self::Grouped)
                && probe.reaches(&groups, GROUPS)?
            {
                return Ok(groups);
            }
        }
        Ok(Self::Approximate(run.install(|| Elimination::new(memberships, weights, seed, run))?))
    }

    /// A factor that is made quickly.
    pub(super) fn rough(
        memberships: &Memberships<'_>,
        coefficients: &Coefficients,
        weights: &[f64],
        strategy: Strategy,
        seed: u64,
        run: &Run,
    ) -> Result<Self> {
        if strategy == Strategy::Auto && memberships.len() > EXACT_UP_TO {
            let laplacian = coefficients.laplacian(memberships);
            let inverse = inverse_diagonal(&laplacian);
            if let Some(groups) = run.install(|| Aggregation::new(memberships, &laplacian, inverse, seed, run))? {
                return Ok(Self::Grouped(groups));
            }
        }
        Self::new(memberships, coefficients, weights, strategy, seed, run)
    }

    pub(super) fn diagonal(memberships: &Memberships<'_>, coefficients: &Coefficients) -> Self {
        Self::Diagonal(inverse_diagonal(&coefficients.laplacian(memberships)))
    }
}

/// One over the diagonal, zero where that is zero.
fn inverse_diagonal(laplacian: &NeighborhoodLaplacian<'_>) -> Vec<f64> {
    laplacian.diagonal().iter().map(|&value| if value > 0.0 { 1.0 / value } else { 0.0 }).collect()
}

/// Random numbers on which a preconditioner is tried, larger where the diagonal is: points count alike in their residual.
struct Probe<'a> {
    laplacian: &'a NeighborhoodLaplacian<'a>,
    rhs: Vec<f64>,
    run: Run,
}

impl<'a> Probe<'a> {
    fn new(memberships: &Memberships<'_>, laplacian: &'a NeighborhoodLaplacian<'a>, seed: u64, run: &Run) -> Self {
        let draw = |(row, diagonal): (usize, &f64)| diagonal.sqrt() * (uniform(seed, row as u64) - 0.5);
        let mut rhs: Vec<f64> = laplacian.diagonal().iter().enumerate().map(draw).collect();
        memberships.center(&mut rhs, 1);
        Self { laplacian, rhs, run: run.quiet() }
    }

    /// Whether the steps of `limits` with this factor lower the residual as far as is wanted.
    fn reaches(&self, factor: &Factor, limits: Limits) -> Result<bool> {
        let system = LinearSystem { operator: self.laplacian, preconditioner: factor, rhs: &self.rhs, columns: 1 };
        let reached = conjugate_gradient(&system, &mut vec![0.0; self.rhs.len()], limits, &self.run)?;
        Ok(reached.residual <= limits.tolerance)
    }
}

impl Preconditioner for Factor {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        match self {
            Self::Exact(factor) => factor.apply(input, output, columns, scratch),
            Self::Approximate(factor) => factor.apply(input, output, columns, scratch),
            Self::Grouped(factor) => factor.apply(input, output, columns, scratch),
            Self::Diagonal(inverse) => {
                let rows = output.par_chunks_mut(CHUNK * columns).zip(input.par_chunks(CHUNK * columns));
                rows.zip(inverse.par_chunks(CHUNK)).for_each(|((output, input), inverse)| {
                    let rows = output.chunks_exact_mut(columns).zip(input.chunks_exact(columns));
                    for ((output, input), inverse) in rows.zip(inverse) {
                        output.iter_mut().zip(input).for_each(|(output, input)| *output = inverse * input);
                    }
                });
            }
        }
    }
}
