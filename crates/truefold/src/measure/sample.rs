//! The sample of points that the quadratic measures use, and the standard errors that result.
//!
//! m of the n points are drawn without replacement, so the standard error of a mean is s sqrt((1 - m/n) / m), where s
//! is the standard deviation of the values drawn (Cochran, Sampling Techniques, section 2.6). All points: no error.

use super::Score;
use rand::{RngExt, SeedableRng};

/// Up to so many points the quadratic measures look at all of them by themselves: 4e8 pairs, some seconds.
const FEW: usize = 20_000;

/// So many they draw by themselves out of more: on images of digits the standard errors of trustworthiness, continuity and
/// the area under R_NX are then 0.001 to 0.005 (`docs/measures.md`). For a map unrelated to the data, where the values of
/// points spread the most, that of trustworthiness is 2 / sqrt(12 k m), 0.005 at k = 12.
const DRAWN: usize = 1000;

/// At which points the quadratic measures look.
///
/// ```
/// use truefold::measure::Sampling;
///
/// assert_eq!(Sampling::Automatic.of(20_000), None);
/// assert_eq!(Sampling::Automatic.of(70_000), Some(1000));
/// assert_eq!((Sampling::Points(50).of(70), Sampling::Points(50).of(50)), (Some(50), None));
/// assert_eq!(Sampling::All.of(70_000), None);
/// assert_eq!((Sampling::from(None), Sampling::from(Some(7))), (Sampling::Automatic, Sampling::Points(7)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sampling {
    /// At all of up to 20,000 points, at 1,000 random ones of more.
    #[default]
    Automatic,
    /// At so many random points, or at all where there are no more.
    Points(usize),
    /// At all points, however many.
    All,
}

impl Sampling {
    /// The number of points that are drawn out of `count`; nothing where all are taken.
    pub fn of(self, count: usize) -> Option<usize> {
        let wanted = match self {
            Self::Automatic if count <= FEW => None,
            Self::Automatic => Some(DRAWN),
            Self::Points(wanted) => Some(wanted),
            Self::All => None,
        };
        wanted.filter(|&wanted| wanted < count)
    }
}

impl Sampling {
    /// The rows out of `count` that are drawn with a seed, in order; nothing where all are taken.
    ///
    /// ```
    /// use truefold::measure::Sampling;
    ///
    /// let rows = Sampling::Points(3).rows(100, 7).unwrap();
    /// assert_eq!(rows.len(), 3);
    /// assert!(rows.is_sorted() && Sampling::All.rows(100, 7).is_none());
    /// ```
    pub fn rows(self, count: usize, seed: u64) -> Option<Vec<u64>> {
        let wanted = self.of(count)?;
        // Each row in turn, with the chance that fills the places left from the rows left: Knuth's method S.
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let mut rows = Vec::with_capacity(wanted);
        for row in 0..count as u64 {
            if rng.random_range(0..count as u64 - row) < (wanted - rows.len()) as u64 {
                rows.push(row);
            }
        }
        Some(rows)
    }
}

impl From<Option<usize>> for Sampling {
    /// So many points where a number is given, otherwise automatic.
    fn from(wanted: Option<usize>) -> Self {
        wanted.map_or(Self::Automatic, Self::Points)
    }
}

/// The mean of the values of points that were sampled out of `count`, and its standard error; none of all points.
///
/// ```
/// let (mean, error) = truefold::measure::sampled_mean(&[1.0, 2.0, 3.0], 4);
/// assert!(mean == 2.0 && (error.unwrap() - (1.0_f64 / 4.0 / 3.0).sqrt()).abs() < 1e-15);
/// assert_eq!(truefold::measure::sampled_mean(&[1.0, 2.0], 2), (1.5, None));
/// ```
pub fn sampled_mean(values: &[f64], count: usize) -> (f64, Option<f64>) {
    (super::mean_of_finite(values).0, Sample::of_size(values.len(), count).standard_error(values))
}

/// Distinct rows in order, drawn with a seed.
#[derive(Debug)]
pub(crate) struct Sample {
    rows: Vec<u32>,
    of: usize,
}

impl Sample {
    /// Those of `count` points at which `sampling` looks.
    pub(super) fn new(count: usize, sampling: Sampling, seed: u64) -> Self {
        let rows = match sampling.rows(count, seed) {
            None => (0..count as u32).collect(),
            Some(rows) => rows.into_iter().map(|row| row as u32).collect(),
        };
        Self { rows, of: count }
    }

    /// So many of `of` points, for errors that do not depend on which they are.
    pub(super) fn of_size(size: usize, of: usize) -> Self {
        Self { rows: (0..size as u32).collect(), of }
    }

    /// The rows, in order.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Whether it is all points.
    pub(crate) fn is_whole(&self) -> bool {
        self.rows.len() == self.of
    }

    /// The share by which drawing without replacement lessens a variance, 1 - m/n.
    pub(crate) fn correction(&self) -> f64 {
        1.0 - self.rows.len() as f64 / self.of as f64
    }

    /// One value per point from the values of the sampled ones; NaN for the others.
    pub(crate) fn spread(&self, values: &[f64]) -> Vec<f64> {
        let mut all = vec![f64::NAN; self.of];
        for (&row, &value) in self.rows.iter().zip(values) {
            all[row as usize] = value;
        }
        all
    }

    /// A score that is not a mean: its value, its standard error and the values of the sampled points.
    pub(crate) fn score(&self, value: f64, standard_error: Option<f64>, values: &[f64]) -> Score {
        Score {
            per_point: Some(self.spread(values)),
            standard_error,
            left_out: values.iter().filter(|value| value.is_nan()).count(),
            ..Score::of(value)
        }
    }

    /// The score that is the mean of the values of the sampled points, those that are NaN left out.
    pub(crate) fn mean(&self, values: &[f64]) -> Score {
        self.score(super::mean_of_finite(values).0, self.standard_error(values), values)
    }

    /// The standard error of the mean of the values of the sampled points, those that are NaN left out; none of all
    /// points.
    pub(crate) fn standard_error(&self, values: &[f64]) -> Option<f64> {
        let (mean, left_out) = super::mean_of_finite(values);
        let used = (values.len() - left_out) as f64;
        (!self.is_whole() && used > 1.0).then(|| {
            let squares: f64 = values.iter().filter(|value| !value.is_nan()).map(|value| (value - mean).powi(2)).sum();
            (squares / (used - 1.0) * self.correction() / used).sqrt()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_seeded_distinct_and_of_the_size_wanted() {
        let sample = Sample::new(1000, Sampling::Points(37), 4);
        assert_eq!(sample.rows().len(), 37);
        assert!(sample.rows().windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(sample.rows(), Sample::new(1000, Sampling::Points(37), 4).rows());
        assert_ne!(sample.rows(), Sample::new(1000, Sampling::Points(37), 5).rows());
        assert!(Sample::new(10, Sampling::Points(10), 0).is_whole() && Sample::new(10, Sampling::All, 0).is_whole());
    }

    #[test]
    fn the_standard_error_is_the_spread_of_the_estimate_over_samples() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i * i % 83)).collect();
        let truth = values.iter().sum::<f64>() / 200.0;
        let scores: Vec<Score> = (0..2000)
            .map(|seed| {
                let sample = Sample::new(200, Sampling::Points(80), seed);
                let drawn: Vec<f64> = sample.rows().iter().map(|&row| values[row as usize]).collect();
                sample.mean(&drawn)
            })
            .collect();
        let spread = (scores.iter().map(|score| (score.value - truth).powi(2)).sum::<f64>() / 2000.0).sqrt();
        let told = scores.iter().map(|score| score.standard_error.unwrap()).sum::<f64>() / 2000.0;
        assert!((spread / told - 1.0).abs() < 0.06, "{spread} {told}");
    }
}
