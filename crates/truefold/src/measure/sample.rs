//! The sample of points that the quadratic measures use, and the standard errors that result.
//!
//! m of the n points are drawn without replacement, so the standard error of a mean is s sqrt((1 - m/n) / m), where s
//! is the standard deviation of the values drawn (Cochran, Sampling Techniques, section 2.6). All points: no error.

use super::Score;
use rand::{RngExt, SeedableRng};

/// Distinct rows in order, drawn with a seed.
#[derive(Debug)]
pub(crate) struct Sample {
    rows: Vec<u32>,
    of: usize,
}

impl Sample {
    /// `wanted` of `count` points, or all of them.
    pub(super) fn new(count: usize, wanted: Option<usize>, seed: u64) -> Self {
        let rows = match wanted.filter(|&wanted| wanted < count) {
            None => (0..count as u32).collect(),
            Some(wanted) => {
                // Each row in turn, with the chance that fills the places left from the rows left: Knuth's method S.
                let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
                let mut rows = Vec::with_capacity(wanted);
                for row in 0..count {
                    if rng.random_range(0..(count - row) as u64) < (wanted - rows.len()) as u64 {
                        rows.push(row as u32);
                    }
                }
                rows
            }
        };
        Self { rows, of: count }
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
        let (mean, left_out) = super::mean_of_finite(values);
        let used = (values.len() - left_out) as f64;
        let standard_error = (!self.is_whole() && used > 1.0).then(|| {
            let squares: f64 = values.iter().filter(|value| !value.is_nan()).map(|value| (value - mean).powi(2)).sum();
            (squares / (used - 1.0) * self.correction() / used).sqrt()
        });
        self.score(mean, standard_error, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_seeded_distinct_and_of_the_size_wanted() {
        let sample = Sample::new(1000, Some(37), 4);
        assert_eq!(sample.rows().len(), 37);
        assert!(sample.rows().windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(sample.rows(), Sample::new(1000, Some(37), 4).rows());
        assert_ne!(sample.rows(), Sample::new(1000, Some(37), 5).rows());
        assert!(Sample::new(10, Some(10), 0).is_whole() && Sample::new(10, None, 0).is_whole());
    }

    #[test]
    fn the_standard_error_is_the_spread_of_the_estimate_over_samples() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i * i % 83)).collect();
        let truth = values.iter().sum::<f64>() / 200.0;
        let scores: Vec<Score> = (0..2000)
            .map(|seed| {
                let sample = Sample::new(200, Some(80), seed);
                let drawn: Vec<f64> = sample.rows().iter().map(|&row| values[row as usize]).collect();
                sample.mean(&drawn)
            })
            .collect();
        let spread = (scores.iter().map(|score| (score.value - truth).powi(2)).sum::<f64>() / 2000.0).sqrt();
        let told = scores.iter().map(|score| score.standard_error.unwrap()).sum::<f64>() / 2000.0;
        assert!((spread / told - 1.0).abs() < 0.06, "{spread} {told}");
    }
}
