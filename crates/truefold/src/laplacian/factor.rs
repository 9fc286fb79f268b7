//! The preconditioner of the Laplacian: its exact factor, an approximate one, or its diagonal.

use super::cholesky::Cholesky;
use super::conjugate_gradient::{Limits, LinearSystem, Operator, Preconditioner, conjugate_gradient};
use super::elimination::Elimination;
use super::matrix::Coefficients;
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
const PROBE: Limits = Limits { tolerance: 1e-4, steps: 16 };

/// What conjugate gradients are preconditioned by.
#[derive(Debug)]
pub(super) enum Factor {
    Exact(Cholesky),
    Approximate(Elimination),
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
            let diagonal = Self::diagonal(memberships, coefficients);
            if diagonal.is_enough(memberships, coefficients, seed, run)? {
                return Ok(diagonal);
            }
        }
        Ok(Self::Approximate(run.install(|| Elimination::new(memberships, weights, seed, run))?))
    }

    pub(super) fn diagonal(memberships: &Memberships<'_>, coefficients: &Coefficients) -> Self {
        let laplacian = coefficients.laplacian(memberships);
        let inverse = |&value: &f64| if value > 0.0 { 1.0 / value } else { 0.0 };
        Self::Diagonal(laplacian.diagonal().iter().map(inverse).collect())
    }

    /// Whether a few steps with this factor lower the residual of random numbers as far as is wanted.
    fn is_enough(
        &self,
        memberships: &Memberships<'_>,
        coefficients: &Coefficients,
        seed: u64,
        run: &Run,
    ) -> Result<bool> {
        let mut rhs: Vec<f64> = (0..memberships.len()).map(|row| uniform(seed, row as u64) - 0.5).collect();
        memberships.center(&mut rhs, 1);
        let laplacian = coefficients.laplacian(memberships);
        let system = LinearSystem { operator: &laplacian, preconditioner: self, rhs: &rhs, columns: 1 };
        let reached = conjugate_gradient(&system, &mut vec![0.0; rhs.len()], PROBE, &run.quiet())?;
        Ok(reached.residual <= PROBE.tolerance)
    }
}

impl Preconditioner for Factor {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        match self {
            Self::Exact(factor) => factor.apply(input, output, columns, scratch),
            Self::Approximate(factor) => factor.apply(input, output, columns, scratch),
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
