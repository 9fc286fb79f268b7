//! The pairs of points whose distances are kept, as a list and seen from each point.
//!
//! Squared lengths are in units of their mean, so that no power of them leaves the range of numbers. A violation is
//! c_e = (|y_i - y_j|^2 - l_e^2) / s_e with s_e = l_e^2, but no less than 1e-4 of the mean: duplicates have no length
//! to be relative to. Memory: 24 bytes a pair and 8 for each of its ends.

use crate::error::Advice;
use crate::{Error, Result};

/// The least share of the mean squared length that a violation is relative to.
const LEAST: f64 = 1e-4;

/// Pairs of points and their squared lengths.
#[derive(Debug)]
pub(crate) struct Pairs {
    ends: Vec<[u32; 2]>,
    /// l_e^2 in units of their mean.
    squares: Vec<f64>,
    /// One over s_e.
    scales: Vec<f64>,
    /// What one unit of length is in the input.
    unit: f64,
    /// For each point where its pairs begin in `seen`.
    offsets: Vec<usize>,
    /// The pairs of each point: the pair, and its other end.
    seen: Vec<[u32; 2]>,
}

impl Pairs {
    /// Takes pairs of `count` points, each once and in order, its smaller row first; `length` gives the length of each.
    pub(crate) fn new(count: usize, ends: Vec<[u32; 2]>, length: impl Fn(usize, usize) -> f64) -> Result<Self> {
        debug_assert!(ends.is_sorted_by(|a, b| a < b) && ends.iter().all(|&[a, b]| a < b));
        let lengths: Vec<f64> = ends.iter().map(|&[a, b]| length(a as usize, b as usize)).collect();
        if let Some(at) = lengths.iter().position(|length| !length.is_finite()) {
            let [a, b] = ends[at];
            return Err(Error::data(
                format!("the distance between rows {} and {} is {}", a + 1, b + 1, lengths[at]),
                Advice::mend_data("give all distances that are to be kept, and rescale the data if they are too large"),
            ));
        }
        let largest = lengths.iter().fold(0.0_f64, |most, &length| most.max(length));
        if largest == 0.0 {
            return Err(Error::data(
                format!("all {count} points are equal to all of their neighbors"),
                Advice::change("k", "remove duplicates, or choose a larger {k}"),
            ));
        }
        // Relative to the largest, so that squares neither overflow nor vanish.
        let mean = lengths.iter().map(|length| (length / largest).powi(2)).sum::<f64>() / lengths.len() as f64;
        let unit = largest * mean.sqrt();
        let squares: Vec<f64> = lengths.iter().map(|length| (length / unit).powi(2)).collect();
        let scales = squares.iter().map(|&square| 1.0 / square.max(LEAST)).collect();
        let mut offsets = vec![0; count + 1];
        for &[a, b] in &ends {
            offsets[a as usize + 1] += 1;
            offsets[b as usize + 1] += 1;
        }
        for point in 0..count {
            offsets[point + 1] += offsets[point];
        }
        let mut next = offsets.clone();
        let mut seen = vec![[0; 2]; 2 * ends.len()];
        for (pair, &[a, b]) in ends.iter().enumerate() {
            for (one, other) in [(a, b), (b, a)] {
                seen[next[one as usize]] = [pair as u32, other];
                next[one as usize] += 1;
            }
        }
        Ok(Self { ends, squares, scales, unit, offsets, seen })
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The two ends of each pair.
    pub(super) fn ends(&self) -> &[[u32; 2]] {
        &self.ends
    }

    /// The squared length of each pair, in units of their mean.
    pub(super) fn squares(&self) -> &[f64] {
        &self.squares
    }

    /// One over what the violation of each pair is relative to.
    pub(super) fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// The root of the mean squared length, in the units of the input.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    /// The pairs of a point, each with its other end.
    #[inline(always)]
    pub(super) fn of(&self, point: usize) -> &[[u32; 2]] {
        &self.seen[self.offsets[point]..self.offsets[point + 1]]
    }
}
