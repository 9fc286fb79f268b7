//! Measures: how faithful an embedding is, as one number, point by point, and beside the best possible.
//!
//! [`MEASURES`] is the table of all of them; adding one is a new file, a `mod` line and a line in the table.

mod beside;
mod collapse;
mod continuity;
pub(crate) mod distances;
mod distortion;
mod embedded;
mod evaluation;
mod isotonic;
mod overlap;
mod procrustes;
mod r;
mod r_a;
mod r_c;
mod r_n;
mod r_nx;
mod r_pca;
mod ranks;
mod residual_variance;
mod reverse;
mod sample;
mod scale;
mod selection;
mod shuffled;
mod stress;
mod stretches;
mod trustworthiness;

pub use beside::{Beside, fit_stress};
pub use distortion::{Distortion, distortion};
pub(crate) use embedded::{neighbors as embedded_neighbors, strangers};
pub use evaluation::{Evaluation, Options};
pub(crate) use procrustes::{Fits, draws_of};
pub use ranks::{order_by_chance, order_kept};
pub use sample::{Sampling, sampled_mean};
pub use scale::{ScaleCurve, scale_curve, scale_sizes};
pub use selection::{Found, Ranges, Thresholds};
pub use stress::stress_of_sums;

use crate::{Error, Result, names};

/// From this share of the neighborhoods' shape out of reach on, distances in a map say little.
pub(crate) const FAR: f64 = 0.25;
/// Chance nearer to the best possible than this, relative to both, leaves no room for skill.
const ROUNDING: f64 = 1e-12;

/// Every measure, in the order in which they are shown.
pub static MEASURES: &[&dyn Measure] = &[
    &r::R,
    &r_n::RN,
    &r_pca::RPca,
    &r_c::RC,
    &r_a::RA,
    &reverse::ReverseRN,
    &reverse::ReverseRC,
    &reverse::ReverseRA,
    &overlap::Overlap,
    &r_nx::RNx,
    &trustworthiness::Trustworthiness,
    &continuity::Continuity,
    &collapse::Collapse,
    &residual_variance::ResidualVariance,
    &distortion::PathDistortion,
    &stress::Stress,
];

/// A way to score an embedding.
pub trait Measure: Sync {
    /// What the measure is.
    fn info(&self) -> &'static MeasureInfo;
    /// Scores the embedding of `evaluation`.
    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score>;
}

/// What a measure is, for tables and help.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasureInfo {
    /// The name used by the tool, in JSON and in Python.
    pub name: &'static str,
    /// The symbol used in text.
    pub symbol: &'static str,
    /// One line: what it tells.
    pub summary: &'static str,
    /// The values it can take.
    pub range: &'static str,
    /// Which way is better.
    pub better: Better,
    /// What may be done to X or Y without changing it.
    pub invariant: &'static str,
    /// How time grows with n.
    pub cost: Cost,
    /// On which neighborhoods it looks.
    pub side: Side,
    /// Whether the measure is part of the default set.
    pub default: bool,
}

/// On which neighborhoods a measure looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those of the data: what the map lost.
    Forward,
    /// Those of the map: what it invented.
    Reverse,
    /// Both, or pairs of points that need not be neighbors.
    Both,
}

/// Which values of a measure are the good ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Small values.
    Lower,
    /// Large values.
    Higher,
}

/// How the time of a measure grows with the number of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// In proportion, or nearly.
    Linear,
    /// With the square; `sample` makes it proportional to the sample.
    Quadratic,
}

/// The value of a measure.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// The value for the whole embedding.
    pub value: f64,
    /// The least value that any embedding of this dimension could have, where that is known.
    pub lower_bound: Option<f64>,
    /// The value of each point; NaN marks a point that has none, as it was not sampled or its neighborhood has no
    /// extent.
    pub per_point: Option<Vec<f64>>,
    /// The least value of each point, where that is known.
    pub per_point_bound: Option<Vec<f64>>,
    /// The standard error of `value` where it was estimated on a sample of points.
    pub standard_error: Option<f64>,
    /// The value that an embedding unrelated to the data would have, where that is known: places handed out at random
    /// within each neighborhood for measures of shape, rows in random order for the others.
    pub chance: Option<Chance>,
    /// The same of each point, where that is known.
    pub per_point_chance: Option<Vec<f64>>,
    /// The number of points that had to be left out of `value`.
    pub left_out: usize,
}

/// What a measure would give by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    /// The value, on average.
    pub value: f64,
    /// The standard error of the value where it was drawn; none where it has a closed form.
    pub error: Option<f64>,
}

impl Chance {
    /// A value that a formula gives.
    pub(crate) fn exact(value: f64) -> Option<Self> {
        Some(Self { value, error: None })
    }
}

impl Score {
    /// A value of the whole embedding and nothing else.
    pub(crate) fn of(value: f64) -> Self {
        Self {
            value,
            lower_bound: None,
            per_point: None,
            per_point_bound: None,
            standard_error: None,
            chance: None,
            per_point_chance: None,
            left_out: 0,
        }
    }

    /// The mean of per-point values, those that are NaN left out, with their bounds where there are any.
    pub(crate) fn mean(per_point: Vec<f64>, per_point_bound: Option<Vec<f64>>) -> Self {
        let (value, left_out) = mean_of_finite(&per_point);
        let lower_bound = per_point_bound.as_ref().map(|bounds| mean_of_finite(bounds).0);
        Self { lower_bound, per_point: Some(per_point), per_point_bound, left_out, ..Self::of(value) }
    }

    /// With what it would be by chance.
    pub(crate) fn with_chance(self, chance: Option<Chance>) -> Self {
        Self { chance, ..self }
    }

    /// The best value that is known to be possible: the bound, or else the best of all values.
    pub fn best(&self, better: Better) -> f64 {
        self.lower_bound.unwrap_or(match better {
            Better::Lower => 0.0,
            Better::Higher => 1.0,
        })
    }

    /// How far the value is from chance towards the best possible: 1 the best, 0 chance, below 0 worse than chance.
    ///
    /// (chance - value) / (chance - best); nothing where chance is not known or is the best itself.
    ///
    /// ```
    /// use truefold::{Neighborhoods, Points, Run, measure};
    ///
    /// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.1], [2.0, 0.0], [3.0, 0.1]])?;
    /// let y = Points::new(4, 1, vec![0.0, 1.0, 2.0, 3.0])?;
    /// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
    /// let measure = measure::find("r_c")?;
    /// let score = &measure::evaluate(&x, &y, &neighborhoods, &["r_c"])?[0];
    /// assert!(score.skill(measure.info().better).is_some_and(|skill| skill > 0.95 && skill <= 1.0));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn skill(&self, better: Better) -> Option<f64> {
        let (chance, best) = (self.chance?.value, self.best(better));
        let room = match better {
            Better::Lower => chance - best,
            Better::Higher => best - chance,
        };
        (room > ROUNDING * best.abs().max(chance.abs())).then(|| (chance - self.value) / (chance - best))
    }

    /// How many times the best possible value this is, where there is a bound above zero.
    ///
    /// ```
    /// use truefold::{Neighborhoods, Points, Run, measure};
    ///
    /// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.1], [2.0, 0.0], [3.0, 0.1]])?;
    /// let y = Points::new(4, 1, vec![0.0, 1.0, 2.0, 3.0])?;
    /// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
    /// let score = &measure::evaluate(&x, &y, &neighborhoods, &["r_n"])?[0];
    /// assert!(score.times_bound().unwrap() >= 1.0);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn times_bound(&self) -> Option<f64> {
        self.lower_bound.filter(|&bound| bound > 0.0).map(|bound| self.value / bound)
    }
}

fn mean_of_finite(values: &[f64]) -> (f64, usize) {
    let (mut sum, mut left_out) = (0.0, 0);
    for &value in values {
        if value.is_nan() { left_out += 1 } else { sum += value }
    }
    (sum / (values.len() - left_out).max(1) as f64, left_out)
}

/// The measure of this name.
///
/// ```
/// assert_eq!(truefold::measure::find("r_n")?.info().symbol, "R_N");
/// let error = truefold::measure::find("r_m").err().unwrap();
/// assert!(error.to_string().contains("r_n"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn find(name: &str) -> Result<&'static dyn Measure> {
    MEASURES
        .iter()
        .copied()
        .find(|measure| names::is_same(name, measure.info().name))
        .ok_or_else(|| Error::unknown("measure", name, MEASURES.iter().map(|measure| measure.info().name)))
}

/// Scores the embedding `y` of `x` by the measures of these names, with default options.
///
/// ```
/// use truefold::{Neighborhoods, Points, Run, measure};
///
/// let x = Points::from_rows(&[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 2.0, 1.0], [1.0, 2.0, 1.0]])?;
/// let y = Points::from_rows(&[[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 3, &Run::new())?;
/// let scores = measure::evaluate(&x, &y, &neighborhoods, &["r", "r_n"])?;
/// assert!(scores.iter().all(|score| score.value < 1e-12));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn evaluate(
    x: &crate::Points,
    y: &crate::Points,
    neighborhoods: &crate::Neighborhoods,
    names: &[&str],
) -> Result<Vec<Score>> {
    let run = crate::Run::new();
    let evaluation = Evaluation::new(crate::Input::Points(x), y, neighborhoods, Options::default(), &run)?;
    names.iter().map(|name| find(name)?.score(&evaluation)).collect()
}
