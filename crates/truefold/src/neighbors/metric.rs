//! The distances by which neighbors are found.

use super::Space;
use crate::{Error, Points, Result};

/// The distance by which neighbors are found.
///
/// It only decides which points are neighbors: the Procrustes measures always compare the coordinates as given.
///
/// ```
/// use truefold::Metric;
///
/// assert_eq!("cosine".parse::<Metric>()?, Metric::Cosine);
/// let error = "euclid".parse::<Metric>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no metric named 'euclid'; did you mean euclidean?");
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Metric {
    /// The straight line.
    #[default]
    Euclidean,
    /// The sum of the absolute differences.
    Manhattan,
    /// One minus the cosine of the angle at the origin; no point may be all zeros.
    Cosine,
    /// One minus the correlation of the coordinates; no point may have all coordinates equal.
    Correlation,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 4] = [Self::Euclidean, Self::Manhattan, Self::Cosine, Self::Correlation];

    /// The name by which it is parsed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Euclidean => "euclidean",
            Self::Manhattan => "manhattan",
            Self::Cosine => "cosine",
            Self::Correlation => "correlation",
        }
    }

    /// The distance that a value by which neighbors are ordered stands for ([`Candidates`](crate::Candidates)).
    ///
    /// ```
    /// use truefold::Metric;
    ///
    /// assert_eq!((Metric::Euclidean.distance_of(9.0), Metric::Manhattan.distance_of(9.0)), (3.0, 9.0));
    /// ```
    pub fn distance_of(self, value: f64) -> f64 {
        match self {
            Self::Euclidean => value.sqrt(),
            Self::Manhattan => value,
            Self::Cosine | Self::Correlation => value / 2.0,
        }
    }

    /// The rows that a search compares: those of `points`, or their directions, bit for bit.
    ///
    /// ```
    /// use truefold::{Metric, Points};
    ///
    /// let points = Points::new(1, 2, vec![3.0, 4.0])?;
    /// assert_eq!(Metric::Cosine.compared(&points)?.row(0), [0.6, 0.8]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn compared(self, points: &Points) -> Result<Points> {
        let mut values = Vec::with_capacity(points.len() * points.dim());
        Space::of_part(points, self)?.each_row(|row| values.extend_from_slice(row));
        Points::new(points.len(), points.dim(), values)
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Metric {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|metric| metric.name() == name)
            .ok_or_else(|| Error::unknown("metric", name, Self::ALL.iter().map(|metric| metric.name())))
    }
}
