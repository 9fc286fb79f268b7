//! Factor analysis: d hidden factors make the variables vary together, and noise of its own size adds to each variable.
//!
//! x = mu + L z + e, z ~ N(0, I), e ~ N(0, Psi), Psi diagonal, so x ~ N(mu, L L' + Psi); the map is the posterior mean
//! of z, y = (I + L'Psi^-1 L)^-1 L'Psi^-1 (x - mu), for the L and Psi of greatest likelihood. L is determined up to a
//! rotation, which makes L'Psi^-1 L diagonal, the greatest entry first. Lawley and Maxwell, "Factor analysis as a
//! statistical method" (1971); Mardia, Kent and Bibby (1979), chapter 9. Cost: O(n q^2), then the largest eigenpairs of a
//! q x q matrix a step; beyond 512 variables O(n q d) a step of block Lanczos. The neighborhoods are used by the measures
//! only.
//!
//! When it fails: what is curved is flattened, not unrolled. The likelihood may be greatest where a variable has no noise
//! at all (a Heywood case): psi is at least a millionth of the variance, and the variables there are counted and told.
//! With more unknowns than covariances, (q - d)^2 < q + d, many Psi fit equally well, and one of them is found.

mod likelihood;
mod noise;
#[cfg(test)]
mod tests;

use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::spectral::Covariance;
use crate::warning::{Spanning, Warning};
use crate::{Error, Fit, Points, Problem, Result};
use likelihood::Variables;
use noise::{Limits, noise};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// The least noise of a variable, as a share of its variance.
const FLOOR: f64 = 1e-6;

/// Factor analysis by maximum likelihood.
///
/// ```
/// use truefold::{Neighborhoods, Pieces, Points, Problem, Run, embed::FactorAnalysis, fit};
///
/// // Three variables that follow one factor.
/// let rows: Vec<[f64; 3]> = (0..40)
///     .map(f64::from)
///     .map(|t| [t + (7.0 * t).sin(), 2.0 * t + (5.0 * t).cos(), 30.0 - t + (3.0 * t).sin()])
///     .collect();
/// let points = Points::from_rows(&rows)?;
/// let neighborhoods = Neighborhoods::nearest(&points, 5, &Run::new())?;
/// let problem = Problem::new(&points, &neighborhoods, 1)?;
/// let y = fit(&FactorAnalysis::default(), &problem, Pieces::Error, &Run::new())?.points;
/// assert!((y.row(39)[0] - y.row(0)[0]).abs() > 3.0);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FactorAnalysis {
    /// The largest slope of the likelihood in the logarithm of any noise, at which the iteration ends.
    pub tolerance: f64,
    /// The most steps.
    pub iterations: usize,
}

impl Default for FactorAnalysis {
    fn default() -> Self {
        Self { tolerance: 1e-6, iterations: 1000 }
    }
}

impl Recipe for FactorAnalysis {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "factor-analysis",
        title: "Factor analysis",
        summary: "the hidden factors that make variables vary together, beside noise of each; scaled to variance one",
        metric_scale: false,
        graph: GraphUse::None,
        default: false,
        cost: "time n q^2 and q^3 a step, or n q d a step beyond 512 variables; memory n d and q^2, or n q",
        parameters: &[
            ParameterInfo::new(
                "tolerance",
                &[Values::Between(0.0, 1.0)],
                "ends where no slope of the likelihood in the logarithm of a variable's noise is larger",
            ),
            ParameterInfo::new("iterations", &[Values::Whole(1, usize::MAX)], "the most steps"),
        ],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        coordinates(problem).map(|_| ())
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (points, dim, run) = (coordinates(problem)?, problem.dim(), fit.run());
        let variables = run.install(|| Variables::new(Covariance::of(points), points.len()));
        fit.lap("covariances");
        if variables.len() == 0 {
            return Err(Error::data("all points are equal, so nothing varies", "give points that differ"));
        }
        let limits = Limits { floor: FLOOR, tolerance: self.tolerance, iterations: self.iterations };
        let found = noise(&variables, dim, &limits, run)?;
        fit.lap("likelihood");
        let factors = found.best.strengths.iter().filter(|theta| **theta > 1.0).count();
        let constant = variables.len() as f64 * TAU.ln();
        let log_likelihood = |value: f64| -0.5 * (constant + value) - variables.log_deviations();
        fit.trace("log_likelihood", found.values.iter().map(|value| log_likelihood(*value)).collect());
        fit.ended(found.stop);
        fit.fact("log_likelihood", log_likelihood(found.best.value));
        fit.fact("strengths", found.best.strengths.iter().map(|theta| theta - 1.0).collect::<Vec<_>>());
        fit.fact("constant_variables", points.dim() - variables.len());
        fit.fact("noiseless_variables", found.at_bound);
        if factors < dim {
            fit.warn(Warning::FewDirections { of: Spanning::Covariances, found: factors, wanted: dim });
        }
        if found.at_bound > 0 {
            fit.warn(Warning::NoNoise { at_bound: found.at_bound, variables: variables.len(), floor: FLOOR });
        }
        if !is_determined(variables.len(), dim) {
            fit.warn(Warning::TooManyFactors { factors: dim, variables: variables.len() });
        }
        let values = run.install(|| variables.scores(&found.t, &found.best));
        fit.lap("scores");
        Ok(values)
    }
}

/// Whether there are at least as many covariances as unknowns of L and Psi.
fn is_determined(variables: usize, factors: usize) -> bool {
    variables >= factors && (variables - factors).pow(2) >= variables + factors
}

fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "factor-analysis explains variables by factors, and distances alone have none",
        "use mds, which finds coordinates for distances",
    )
}
