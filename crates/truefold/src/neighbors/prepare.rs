//! How the rows of a space are made from those of a table: by a power of two, or to rows of length one.

use super::Metric;
use super::rough::Affine;
use crate::error::{Advice, Place};
use crate::points::Element;
use crate::{Error, Points, Result};

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

    /// Its numbers, in the order in which they are used.
    pub(super) fn numbers(&self) -> [f64; 3] {
        [self.largest, self.mean, self.length]
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

/// Numbers beyond this cannot be squared and summed.
const LARGEST: f64 = 1e140;
/// Squares of numbers below this lose digits.
const SMALLEST: f64 = 1e-140;

/// The power of two by which numbers up to `largest` are multiplied so that squares neither overflow nor lose digits: large
/// ones no more than they must, since there may be small ones beside them.
pub(super) fn scale_for(largest: f64) -> f64 {
    if largest == 0.0 || (1e-100..LARGEST).contains(&largest) {
        return 1.0;
    }
    let target = if largest < 1.0 { 0 } else { LARGEST.log2() as i32 };
    // Clamped so that the scale and its reciprocal are both ordinary numbers.
    2.0_f64.powi((target - largest.log2().ceil() as i32).clamp(-1000, 1000))
}

/// An error if rows of `points` lose digits when they are multiplied by `scale`, which is small where one is large.
pub(super) fn check_small(points: &Points, scale: f64) -> Result<()> {
    if scale >= 1.0 {
        return Ok(());
    }
    let (mut large, mut small) = ((0.0_f64, Place::default()), f64::INFINITY);
    points.each_row(|index, row| {
        let largest = row.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if largest > large.0 {
            let column = row.iter().position(|value| value.abs() == largest).unwrap_or(0);
            large = (largest, Place::cell(index, column));
        }
        if largest > 0.0 {
            small = small.min(largest);
        }
    });
    if small * scale >= SMALLEST {
        return Ok(());
    }
    let problem = format!(
        "holds a number of size {:e}, beside a row whose largest is {small:e}: squares of both cannot be compared",
        large.0
    );
    Err(Error::data(problem, Advice::mend_data("correct or remove the row, or rescale the data")).at(large.1))
}
