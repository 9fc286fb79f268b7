//! The search for neighbors: what to find, by which distance, and by which algorithm.

use super::approximate::approximate;
use super::engine::Engine;
use super::radius::within;
use super::shortlist::Emit;
use super::{Metric, Neighborhoods, Origin, Space};
use crate::error::{Advice, Bound, Limit};
use crate::{Error, Points, Result, Run};
use std::sync::atomic::{AtomicU32, Ordering};

/// Which points are neighbors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reach {
    /// The k nearest other points.
    Nearest(usize),
    /// Every other point within this distance.
    Within(f64),
}

/// How neighbors are found; all exact algorithms give the same lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Algorithm {
    /// The exact algorithm that is expected to be faster on these data.
    #[default]
    Auto,
    /// A k-d tree.
    Tree,
    /// All pairs, in blocks.
    Brute,
    /// Neighbors of neighbors are tried until few lists change: fast in many dimensions, but a few neighbors may be
    /// missed.
    Approximate,
}

/// A search for neighbors: the number of them or the radius, the metric, and the algorithm.
///
/// ```
/// use truefold::{Metric, Points, Run, Search};
///
/// let points = Points::new(3, 2, vec![1.0, 0.0, 5.0, 0.1, 0.0, 1.0])?;
/// let neighborhoods = Search::nearest(1).with_metric(Metric::Cosine).run(&points, &Run::new())?;
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

    /// With this distance instead of the Euclidean.
    #[must_use]
    pub fn with_metric(mut self, metric: Metric) -> Self {
        self.metric = metric;
        self
    }

    /// With this algorithm instead of the faster exact one.
    #[must_use]
    pub fn with_algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Which points are neighbors.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// By which distance.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// By which algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Finds the neighborhoods of all points.
    ///
    /// ```
    /// use truefold::{Points, Run, Search, error::Bound};
    ///
    /// let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
    /// let found = Search::within(2.0).run(&points, &Run::new())?;
    /// assert_eq!(found.neighbors(1), &[0, 2]);
    ///
    /// let error = Search::nearest(4).run(&points, &Run::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "k = 4 is more than 3: 4 points have 3 neighbors each; choose a smaller k");
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn run(&self, points: &Points, run: &Run) -> Result<Neighborhoods> {
        self.check(points.len())?;
        let space = Space::new(points, self.metric)?;
        if self.algorithm == Algorithm::Approximate {
            return approximate(&space, self.reach, self.metric, run);
        }
        let engine = Engine::new(&space, self.algorithm, self.reach, run)?;
        let origin = Origin::Exact { reach: self.reach, metric: self.metric, algorithm: engine.algorithm() };
        let found = match self.reach {
            Reach::Nearest(k) => nearest(space.len(), k, origin, |emit| engine.each_nearest(k, emit, run))?,
            Reach::Within(radius) => within(
                space.len(),
                radius,
                origin,
                |emit| engine.each_within(space.limit(radius), emit, run),
                || Ok(engine.nearest_values(space.len(), run)?.iter().map(|value| space.distance(*value)).collect()),
            )?,
        };
        Ok(found.with_walk(engine.walk(space.len())))
    }

    /// The neighbors of some rows with their distances, nearest first, found exactly among all points.
    pub(crate) fn run_for(&self, points: &Points, rows: &[u32], run: &Run) -> Result<Vec<Vec<(f64, u32)>>> {
        self.check(points.len())?;
        let Reach::Nearest(k) = self.reach else {
            let advice = Advice::change("k", "choose {k} instead");
            return Err(Error::parameter("radius", "given", "cannot be used to search for some rows only", advice));
        };
        let space = Space::new(points, self.metric)?;
        let engine = Engine::new(&space, self.algorithm, self.reach, run)?;
        let mut lists = engine.nearest_of(rows, k, &space, run)?;
        lists.iter_mut().flatten().for_each(|one| one.0 = space.distance(one.0));
        Ok(lists)
    }

    /// An error unless `count` points can have such neighborhoods.
    pub(super) fn check(&self, count: usize) -> Result<()> {
        if count < 2 {
            let advice = Advice::mend_data("give more points");
            return Err(Error::too_few_points("a search for neighbors", 2, count, advice));
        }
        match self.reach {
            Reach::Nearest(0) => Err(no_neighbors()),
            Reach::Nearest(k) if k >= count => Err(Error::parameter(
                "k",
                k,
                Limit::because(
                    Bound::AtMost((count - 1) as f64),
                    format!("{count} points have {} neighbors each", count - 1),
                ),
                Advice::change("k", "choose a smaller {k}"),
            )),
            Reach::Within(radius) if !(radius > 0.0 && radius.is_finite()) => Err(Error::parameter(
                "radius",
                radius,
                Bound::Above(0.0),
                Advice::change("radius", "choose a {radius} above zero"),
            )),
            _ => Ok(()),
        }
    }
}

/// The error of k = 0.
pub(super) fn no_neighbors() -> Error {
    let limit = Limit::because(Bound::AtLeast(1.0), "every point needs a neighbor");
    Error::parameter("k", 0, limit, Advice::change("k", "choose a larger {k}"))
}

/// Neighborhoods of `k` neighbors each; `search` finds them in any order.
pub(super) fn nearest(
    count: usize,
    k: usize,
    origin: Origin,
    search: impl FnOnce(Emit) -> Result<()>,
) -> Result<Neighborhoods> {
    let members: Vec<AtomicU32> = (0..count * (k + 1)).map(|_| AtomicU32::new(0)).collect();
    search(&|row, list| {
        let places = &members[row as usize * (k + 1)..][..k + 1];
        places[0].store(row, Ordering::Relaxed);
        for (place, candidate) in places[1..].iter().zip(list) {
            place.store(candidate.1, Ordering::Relaxed);
        }
        Ok(())
    })?;
    let members = members.into_iter().map(AtomicU32::into_inner).collect();
    Ok(Neighborhoods::from_parts((0..=count).map(|center| center * (k + 1)).collect(), members, origin))
}
