//! Distortion: how unevenly the map stretches paths, D(i) = max_j r(i, j) / min_j r(i, j) with r(i, j) = g_Y(i, j) / g_X(i, j).
//!
//! g_X(i, j) and g_Y(i, j) are the lengths of the shortest paths from i to j on the neighborhood graph of the data, whose
//! edges have their Euclidean lengths in X and in Y. Each side takes its own shortest path, but both walk on the same
//! graph: a map that keeps the length of every edge has D = 1 exactly. max r is the Lipschitz constant of the map along
//! the graph and max 1 / r that of its inverse, so D(i) is the product of the two at point i; Kohli, Cloninger and Mishne,
//! Journal of Machine Learning Research 22, 2021. Differs from their program: it finds the paths of Y on the nearest points
//! of Y, where a map that lies on itself has shortcuts.
//!
//! Pairs of different components have no r and are left out. So are pairs with no length in X or in Y; they are counted.
//! Where torn pairs are glued ([`Evaluation::glued`]), their length in Y is that in X times the median of r over the
//! other edges: both banks of a seam are then the same place.
//!
//! The value is the median of D over sources, drawn at random from each component; all their pairs are looked at, so that the
//! D of a source is exact. A median, because D is a largest value already: one pair that nearly coincides in Y makes it
//! as large as one likes at its two ends, and with it any mean. The standard error is Woodruff's (`median.rs`). The D of every
//! point is taken from its pairs with the sources of its component and with its own neighbors: at most the true one, and
//! the true one where all points are sources. By the triangle inequality an edge between points is its own shortest path, and
//! no r is above the largest of an edge nor below the least: the two Lipschitz constants are exact. Not so for given
//! distances, glued pairs and points that coincide, where they too are those of the pairs that were looked at.
//!
//! No chance is given: with rows in random order D grows with the diameter over the distance of neighbors, n^(1/d), so that
//! the skill of every map that is not random would be near 1.
//!
//! Cost: two Dijkstra searches for each of L rounds, O(L n k log n); a round has one source in every component.

mod median;
mod paths;
#[cfg(test)]
mod tests;

use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;

pub(super) use paths::Found;

pub(super) struct PathDistortion;

impl Measure for PathDistortion {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "distortion",
            symbol: "distortion",
            summary: "how many times more the map stretches one path from a point than another, at the median point",
            range: "1 and up",
            better: Better::Lower,
            invariant: "rigid motions and scaling of X and of Y",
            cost: Cost::Quadratic,
            side: Side::Forward,
            default: false,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        let found = evaluation.path_distortion()?;
        Ok(Score {
            lower_bound: Some(1.0),
            per_point: Some(found.per_point.clone()),
            standard_error: found.distortion.error,
            left_out: found.per_point.iter().filter(|value| value.is_nan()).count(),
            ..Score::of(found.distortion.median)
        })
    }
}

/// What a map does to the lengths of shortest paths.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Distortion {
    /// The largest over the smallest ratio of lengths at a source, at the median source: the value of the measure.
    pub median: f64,
    /// The standard error of `median`, where not all points are sources.
    pub error: Option<f64>,
    /// The same at the worst of all points, as far as their pairs were looked at.
    pub largest: f64,
    /// The Lipschitz constant of the map: the largest length in Y over that in X.
    pub stretch: f64,
    /// The Lipschitz constant of its inverse: the largest length in X over that in Y.
    pub shrink: f64,
    /// The number of points from which paths were found.
    pub sources: usize,
    /// The pairs of a source and a point that have no length in X, and were left out.
    pub coinciding: usize,
    /// The pairs that have a length in X and none in Y, and were left out.
    pub merged: usize,
}

/// What the map of `evaluation` does to the lengths of shortest paths, from the sources that its options sample.
///
/// ```
/// use truefold::measure::{Evaluation, Options, distortion};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let x = Points::new(100, 1, (0..100).map(f64::from).collect())?;
/// // The right half is drawn at twice the scale.
/// let y = Points::new(100, 1, (0..100).map(|i| f64::from(i + (i - 50).max(0))).collect())?;
/// let run = Run::new();
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, Options::default(), &run)?;
/// let found = distortion(&evaluation)?;
/// assert_eq!((found.stretch, found.shrink, found.sources, found.merged), (2.0, 1.0, 100, 0));
/// assert!(found.median > 1.0 && found.largest <= 2.0);
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn distortion<'a>(evaluation: &'a Evaluation<'_>) -> Result<&'a Distortion> {
    Ok(&evaluation.path_distortion()?.distortion)
}
