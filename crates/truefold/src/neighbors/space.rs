//! The space in which neighbors are searched: rows prepared so that a plain sum orders pairs as the metric does.
//!
//! | metric      | rows                            | value of a pair           | distance    |
//! |-------------|---------------------------------|---------------------------|-------------|
//! | Euclidean   | as given                        | sum of squared differences | its root    |
//! | Manhattan   | as given                        | sum of absolute differences | itself      |
//! | cosine      | divided by their length         | sum of squared differences | half of it  |
//! | correlation | centered, divided by their length | sum of squared differences | half of it  |
//!
//! Rows so large or so small that squares would overflow or underflow are multiplied by a power of two, which changes
//! no comparison.

use super::Metric;
use crate::error::{Advice, Place};
use crate::linalg::squared_distance;
use crate::{Error, Points, Result};
use std::borrow::Cow;

/// What is summed over the coordinates of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Norm {
    /// The squares.
    Squares,
    /// The absolute values.
    Absolutes,
}

impl Norm {
    /// The value of a pair of rows: the sum in the order of the coordinates.
    #[inline(always)]
    pub(crate) fn value(self, a: &[f64], b: &[f64]) -> f64 {
        match self {
            Self::Squares => squared_distance(a, b),
            Self::Absolutes => a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b).abs()),
        }
    }
}

/// Rows prepared for a search.
#[derive(Debug, Clone)]
pub(crate) struct Space<'a> {
    values: Cow<'a, [f64]>,
    len: usize,
    dim: usize,
    norm: Norm,
    metric: Metric,
    scale: f64,
}

impl<'a> Space<'a> {
    /// The rows of `points` prepared for `metric`; an error names a row that has no direction.
    pub(crate) fn new(points: &'a Points, metric: Metric) -> Result<Self> {
        let (values, scale) = match metric {
            Metric::Euclidean | Metric::Manhattan => scaled(points.values()),
            Metric::Cosine | Metric::Correlation => (Cow::Owned(normalized(points, metric)?), 1.0),
        };
        let norm = if metric == Metric::Manhattan { Norm::Absolutes } else { Norm::Squares };
        Ok(Self { values, len: points.len(), dim: points.dim(), norm, metric, scale })
    }

    /// The rows, one after the other.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of coordinates.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// What is summed.
    pub(crate) fn norm(&self) -> Norm {
        self.norm
    }

    /// Row `index`.
    #[inline(always)]
    pub(crate) fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.dim..(index + 1) * self.dim]
    }

    /// The rows of other points, prepared like those of this space.
    pub(crate) fn admit<'b>(&self, points: &'b Points) -> Result<Cow<'b, [f64]>> {
        match self.metric {
            Metric::Euclidean | Metric::Manhattan if self.scale == 1.0 => Ok(Cow::Borrowed(points.values())),
            Metric::Euclidean | Metric::Manhattan => {
                Ok(Cow::Owned(points.values().iter().map(|value| value * self.scale).collect()))
            }
            Metric::Cosine | Metric::Correlation => normalized(points, self.metric).map(Cow::Owned),
        }
    }

    /// The distance that a value stands for.
    pub(crate) fn distance(&self, value: f64) -> f64 {
        match self.metric {
            Metric::Euclidean => value.sqrt() / self.scale,
            Metric::Manhattan => value / self.scale,
            Metric::Cosine | Metric::Correlation => value / 2.0,
        }
    }

    /// The largest value whose distance is not beyond `radius`.
    ///
    /// It accounts for rounding, so that a reported distance that is given back as the radius includes its pair.
    pub(crate) fn limit(&self, radius: f64) -> f64 {
        let mut limit = match self.metric {
            Metric::Euclidean => (radius * self.scale) * (radius * self.scale),
            Metric::Manhattan => radius * self.scale,
            Metric::Cosine | Metric::Correlation => radius * 2.0,
        }
        .min(f64::MAX);
        while self.distance(limit) > radius {
            limit = limit.next_down();
        }
        while limit < f64::MAX && self.distance(limit.next_up()) <= radius {
            limit = limit.next_up();
        }
        limit
    }
}

/// Multiplies by a power of two where squares would overflow or lose digits.
fn scaled(values: &[f64]) -> (Cow<'_, [f64]>, f64) {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 || (1e-100..1e140).contains(&largest) {
        return (Cow::Borrowed(values), 1.0);
    }
    // Clamped so that the scale and its reciprocal are both ordinary numbers.
    let scale = 2.0_f64.powi(-(largest.log2().ceil() as i32).clamp(-1000, 1000));
    (Cow::Owned(values.iter().map(|value| value * scale).collect()), scale)
}

fn normalized(points: &Points, metric: Metric) -> Result<Vec<f64>> {
    let mut values = Vec::with_capacity(points.values().len());
    for (index, row) in points.rows().enumerate() {
        // Divided by the largest entry first, so that neither the mean nor the squares can overflow.
        let largest = row.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let constant = row.iter().all(|value| *value == row[0]);
        if largest == 0.0 || (metric == Metric::Correlation && constant) {
            let what = if metric == Metric::Cosine { "is all zeros" } else { "has all coordinates equal" };
            let problem = format!("{what}, so that its {metric} distance to others is not defined");
            let advice = Advice::change("metric", "drop the row or set {metric} to euclidean");
            return Err(Error::data(problem, advice).at(Place::row(index)));
        }
        let start = values.len();
        values.extend(row.iter().map(|value| value / largest));
        let row = &mut values[start..];
        if metric == Metric::Correlation {
            let mean = row.iter().sum::<f64>() / row.len() as f64;
            row.iter_mut().for_each(|value| *value -= mean);
        }
        let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        row.iter_mut().for_each(|value| *value /= length);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reported_distance_given_back_as_the_radius_includes_its_pair() {
        for metric in Metric::ALL {
            for scale in [1e-300, 1e-7, 1.0, 3e9, 1e300] {
                let rows = [[0.1, 0.2, 0.7], [0.3, -0.9, 0.4]].map(|row| row.map(|value| value * scale));
                let points = Points::from_rows(&rows).unwrap();
                let space = Space::new(&points, metric).unwrap();
                let value = space.norm().value(space.row(0), space.row(1));
                let distance = space.distance(value);
                assert!(distance.is_finite() && distance > 0.0);
                assert!(value <= space.limit(distance), "{metric} {scale}");
                assert!(value > space.limit(distance.next_down()), "{metric} {scale}");
            }
        }
    }

    #[test]
    fn rows_without_direction_are_named() {
        let points = Points::new(2, 2, vec![1.0, 2.0, 0.0, 0.0]).unwrap();
        assert!(Space::new(&points, Metric::Cosine).unwrap_err().to_string().starts_with("row 2 is all zeros"));
        let points = Points::new(2, 2, vec![1.0, 2.0, 3.0, 3.0]).unwrap();
        let error = Space::new(&points, Metric::Correlation).unwrap_err().to_string();
        assert!(error.starts_with("row 2 has all coordinates equal"), "{error}");
    }
}
