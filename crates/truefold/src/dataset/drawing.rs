//! Drawing: the random numbers of a sample, and the rows that are filled with them.
//!
//! Uniform by area: a proposal p, uniform in the parameters, is kept with probability a(p) / b, where a is the area
//! element at p and b is at least the greatest a. The kept ones then have a density proportional to a.

use crate::error::Advice;
use crate::memory::fallibly;
use crate::{Error, Result};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

/// Random numbers that depend on the seed and the stream alone.
pub(super) struct Random(ChaCha8Rng);

impl Random {
    /// The stream that places the points.
    pub(super) const PLACES: u64 = 0;
    /// The stream of the noise: separate from the other, so that noise moves the points and changes nothing else.
    pub(super) const NOISE: u64 = 1;

    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// Uniform from `low` up to `high`.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    /// Standard Gaussian.
    pub(super) fn normal(&mut self) -> f64 {
        self.0.sample(StandardNormal)
    }

    /// The first proposal that is kept; each is kept with probability `area` / `greatest`.
    pub(super) fn by_area<T>(
        &mut self,
        greatest: f64,
        mut propose: impl FnMut(&mut Self) -> T,
        area: impl Fn(&T) -> f64,
    ) -> T {
        loop {
            let proposal = propose(self);
            if self.between(0.0, greatest) < area(&proposal) {
                return proposal;
            }
        }
    }
}

/// What a generator makes: the rows of the points and of their true coordinates.
pub(super) struct Drawing {
    pub(super) input_dim: usize,
    pub(super) truth_dim: usize,
    pub(super) places: Vec<f64>,
    pub(super) truth: Vec<f64>,
    pub(super) labels: Option<Vec<String>>,
}

impl Drawing {
    /// One point after the other, with its true coordinates.
    pub(super) fn of<const Q: usize, const D: usize>(
        points: usize,
        mut one: impl FnMut() -> ([f64; Q], [f64; D]),
    ) -> Result<Self> {
        Self::rows(points, Q, D, |place, truth| {
            let (x, z) = one();
            place.copy_from_slice(&x);
            truth.copy_from_slice(&z);
        })
    }

    /// The same with dimensions that depend on the settings.
    pub(super) fn rows(
        points: usize,
        input_dim: usize,
        truth_dim: usize,
        mut fill: impl FnMut(&mut [f64], &mut [f64]),
    ) -> Result<Self> {
        let mut places = zeros(points, input_dim)?;
        let mut truth = zeros(points, truth_dim)?;
        for (place, truth) in places.chunks_exact_mut(input_dim).zip(truth.chunks_exact_mut(truth_dim)) {
            fill(place, truth);
        }
        Ok(Self { input_dim, truth_dim, places, truth, labels: None })
    }
}

/// A table of zeros, or an error if memory does not suffice.
fn zeros(points: usize, dim: usize) -> Result<Vec<f64>> {
    let mut values = Vec::new();
    let fits = points.checked_mul(dim).is_some_and(|cells| fallibly(|| values.try_reserve_exact(cells)).is_ok());
    if !fits {
        let problem = format!("with {dim} coordinates each is more than memory holds");
        return Err(Error::parameter("points", points, problem, Advice::change("points", "choose fewer {points}")));
    }
    values.resize(points * dim, 0.0);
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_proposals_follow_the_area() {
        let mut random = Random::new(3, Random::PLACES);
        let draws = 20_000;
        let mean = (0..draws).map(|_| random.by_area(2.0, |r| r.between(0.0, 2.0), |x| *x)).sum::<f64>() / draws as f64;
        // Density x / 2 on [0, 2]: mean 4/3, standard deviation sqrt(2)/3, so the mean of the draws is within 0.014.
        assert!((mean - 4.0 / 3.0).abs() < 0.014, "{mean}");
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let draw = |seed, stream| Random::new(seed, stream).between(0.0, 1.0);
        assert_eq!(draw(1, Random::PLACES), draw(1, Random::PLACES));
        assert_ne!(draw(1, Random::PLACES), draw(1, Random::NOISE));
        assert_ne!(draw(1, Random::PLACES), draw(2, Random::PLACES));
    }

    #[test]
    fn too_much_is_an_error_not_an_abort() {
        let error = zeros(usize::MAX / 8, 3).unwrap_err().to_string();
        assert!(error.ends_with("with 3 coordinates each is more than memory holds; choose fewer points"), "{error}");
    }
}
