//! The search for neighbors: what to find, by which distance, and how.

use super::{Metric, Neighborhoods, Origin};
use crate::{Error, Points, Result, Run};

/// Who counts as a neighbor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reach {
    /// The k nearest other points.
    Nearest(usize),
    /// Every other point within this distance.
    Within(f64),
}

/// How neighbors are found; all exact ways give the same lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The faster of the exact ways, judged on the data.
    #[default]
    Auto,
    /// A k-d tree.
    Tree,
    /// All pairs, in blocks.
    Brute,
    /// Neighbors of neighbors, improved until few change: fast in many dimensions, a few neighbors may be missed.
    Approximate,
}

/// A search for neighbors.
///
/// ```
/// use truefold::{Metric, Points, Run, Search};
///
/// let points = Points::new(3, 2, vec![1.0, 0.0, 5.0, 0.1, 0.0, 1.0])?;
/// let neighborhoods = Search::nearest(1).metric(Metric::Cosine).run(&points, &Run::new())?;
/// assert_eq!(neighborhoods.neighbors(0), &[1]);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    reach: Reach,
    metric: Metric,
    algorithm: Algorithm,
}

impl Search {
    /// For the `k` nearest other points.
    pub fn nearest(k: usize) -> Self {
        Self { reach: Reach::Nearest(k), metric: Metric::default(), algorithm: Algorithm::default() }
    }

    /// For all other points within `radius`.
    pub fn within(radius: f64) -> Self {
        Self { reach: Reach::Within(radius), ..Self::nearest(0) }
    }

    /// By this distance instead of the Euclidean.
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = metric;
        self
    }

    /// In this way instead of the fastest exact one.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Finds the neighborhoods of all points.
    pub fn run(&self, points: &Points, run: &Run) -> Result<Neighborhoods> {
        let count = points.len();
        let Reach::Nearest(k) = self.reach else { unreachable!() };
        if k >= count {
            return Err(Error::parameter(
                "k",
                k,
                format!("is too large: {count} points allow at most k = {}", count - 1),
                "choose a smaller k",
            ));
        }
        let lists = run.chunks("neighbors", count, 256, |range| {
            let mut found = Vec::new();
            for center in range {
                let mut order: Vec<(f64, u32)> = (0..count)
                    .filter(|&other| other != center)
                    .map(|other| {
                        let square: f64 =
                            points.row(center).iter().zip(points.row(other)).map(|(a, b)| (a - b) * (a - b)).sum();
                        (square, other as u32)
                    })
                    .collect();
                order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                found.push(center as u32);
                found.extend(order[..k].iter().map(|pair| pair.1));
            }
            Ok(found)
        })?;
        Ok(Neighborhoods::from_parts(
            (0..=count).map(|i| i * (k + 1)).collect(),
            lists.concat(),
            Origin::Exact { reach: self.reach, metric: self.metric, algorithm: Algorithm::Brute },
        ))
    }
}
