//! How the rows of a space are made from those of a table: by a power of two, or to rows of length one.

use super::Metric;
use super::rough::Affine;
use crate::error::{Advice, Place};
use crate::points::Element;
use crate::{Error, Result};

/// What makes a row one of length one: x becomes (x / largest - mean) / length, in this order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    largest: f64,
    mean: f64,
    length: f64,
}

impl Unit {
    /// Of row `index`; an error if it has no direction.
    #[inline(always)]
    pub(super) fn of<T: Element>(row: &[T], index: usize, metric: Metric) -> Result<Self> {
        // Divided by the largest entry first, so that neither the mean nor the squares can overflow.
        let largest = row.iter().fold(0.0_f64, |largest, value| largest.max(value.wide().abs()));
        let constant = row.iter().all(|value| value.wide() == row[0].wide());
        if largest == 0.0 || (metric == Metric::Correlation && constant) {
            let what = if metric == Metric::Cosine { "is all zeros" } else { "has all coordinates equal" };
            let problem = format!("{what}, so that its {metric} distance to others is not defined");
            let advice = Advice::change("metric", "drop the row or set {metric} to euclidean");
            return Err(Error::data(problem, advice).at(Place::row(index)));
        }
        let mut unit = Self { largest, mean: 0.0, length: 1.0 };
        if metric == Metric::Correlation {
            unit.mean = row.iter().map(|&value| unit.apply(value.wide())).sum::<f64>() / row.len() as f64;
        }
        let square = |value: f64| value * value;
        unit.length = row.iter().map(|&value| square(unit.apply(value.wide()))).sum::<f64>().sqrt();
        Ok(unit)
    }

    /// The coordinate that becomes of one.
    #[inline(always)]
    pub(super) fn apply(&self, value: f64) -> f64 {
        // Without a mean nothing changes: a number minus zero is itself, as is a number divided by one.
        (value / self.largest - self.mean) / self.length
    }

    /// How large the numbers are that are rounded on the way to a coordinate.
    pub(super) fn largest_step(&self) -> f64 {
        (1.0 + self.mean.abs()) / self.length
    }

    /// The same with one multiplication, not to the last bit.
    pub(super) fn affine(&self) -> Affine {
        Affine { by: 1.0 / (self.largest * self.length), less: self.mean / self.length }
    }
}

/// The power of two by which numbers up to `largest` are multiplied so that squares neither overflow nor lose digits.
pub(super) fn scale_for(largest: f64) -> f64 {
    if largest == 0.0 || (1e-100..1e140).contains(&largest) {
        return 1.0;
    }
    // Clamped so that the scale and its reciprocal are both ordinary numbers.
    2.0_f64.powi(-(largest.log2().ceil() as i32).clamp(-1000, 1000))
}
