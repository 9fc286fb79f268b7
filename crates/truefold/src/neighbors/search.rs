//! The search for neighbors: what to find, by which distance, and by which algorithm.

use super::device;
use super::engine::{Engine, is_exact_as_fast};
use super::partition::{self, Found};
use super::radius::within;
use super::shortlist::Emit;
use super::{Fallback, Metric, Neighborhoods, Origin, Space};
use crate::error::{Advice, Bound, Limit};
use crate::{Device, Error, Points, Result, Run, memory};
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
    /// All pairs within small parts, then neighbors of neighbors, until the share of true neighbors that was asked for is
    /// found ([`Search::with_recall`]): fast in many dimensions.
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
    recall: f64,
    device: Option<Device>,
}

impl Search {
    /// The share of the true neighbors that an approximate search finds, unless another is asked for.
    pub const RECALL: f64 = 0.99;

    /// For the `k` nearest other points.
    pub fn nearest(k: usize) -> Self {
        Self {
            reach: Reach::Nearest(k),
            metric: Metric::default(),
            algorithm: Algorithm::default(),
            recall: Self::RECALL,
            device: None,
        }
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

    /// With this share of the true neighbors found, at the least, if the search is approximate. The share is measured on
    /// sampled points, and the search goes on until it is there.
    ///
    /// ```
    /// use truefold::{Algorithm, Origin, Points, Run, Search};
    ///
    /// let points = Points::new(3000, 8, (0..24_000).map(|at| f64::from(at * 7919 % 10_007)).collect())?;
    /// let search = Search::nearest(5).with_algorithm(Algorithm::Approximate).with_recall(0.95);
    /// match search.run(&points, &Run::new())?.origin() {
    ///     Origin::Approximate { recall, .. } => assert!(*recall >= 0.95),
    ///     // Few points: an exact search is as fast.
    ///     origin => assert!(matches!(origin, Origin::Exact { instead: Some(_), .. })),
    /// }
    /// # Ok::<(), truefold::Error>(())
    /// ```
    #[must_use]
    pub fn with_recall(mut self, recall: f64) -> Self {
        self.recall = recall;
        self
    }

    /// On this device instead of that of the run ([`Run::with_device`]); the lists are the same.
    ///
    /// A graphics processor finds the nearest neighbors of all points, by Euclidean, cosine or correlation distances; what it
    /// does not do is an error here.
    ///
    /// ```
    /// use truefold::{Device, Points, Run, Search};
    ///
    /// let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
    /// let error = Search::within(2.0).with_device(Device::Gpu).run(&points, &Run::new()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "device = gpu cannot be used with radius: only a number of nearest neighbors is searched there; \
    ///      choose auto or cpu for device"
    /// );
    /// # Ok::<(), truefold::Error>(())
    /// ```
    #[must_use]
    pub fn with_device(mut self, device: Device) -> Self {
        self.device = Some(device);
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

    /// Where it runs, if not where the run says.
    pub fn device(&self) -> Option<Device> {
        self.device
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
        self.check_memory(points)?;
        let space = Space::new(points, self.metric)?;
        if self.device == Some(Device::Gpu) {
            device::check(self.algorithm, self.reach, &space)?;
        }
        let listed = |found: &Found, origin| nearest(space.len(), found.k(), origin, |emit| found.each(emit, run));
        let instead = match self.approximate(&space, listed, run)? {
            Some(Ok(found)) => return Ok(found),
            Some(Err(instead)) => Some(instead),
            None => None,
        };
        let algorithm = if instead.is_some() { Algorithm::Auto } else { self.algorithm };
        let engine = Engine::on(self.device, &space, algorithm, self.reach, run)?;
        let origin = Origin::Exact { reach: self.reach, metric: self.metric, algorithm: engine.algorithm(), instead };
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

    /// What `keep` makes of an approximate search, or why an exact one takes its place; `None` if none was asked for.
    pub(super) fn approximate<T>(
        &self,
        space: &Space,
        keep: impl FnOnce(&Found, Origin) -> Result<T>,
        run: &Run,
    ) -> Result<Option<std::result::Result<T, Fallback>>> {
        if self.algorithm != Algorithm::Approximate {
            return Ok(None);
        }
        let (reach, metric, wanted) = (self.reach, self.metric, self.recall);
        if !(wanted > 0.0 && wanted <= 1.0) {
            let limit = Limit::because(Bound::AtMost(1.0), "it is a share of the true neighbors, more than 0");
            let advice = Advice::change("recall", "choose 0.99, or another number between 0 and 1");
            return Err(Error::parameter("recall", wanted, limit, advice));
        }
        let Reach::Nearest(k) = reach else {
            return Err(Error::parameter(
                "approximate",
                "true",
                "cannot be used with a radius: only a number of nearest neighbors can be found approximately",
                Advice::change("k", "choose {k}, or leave {approximate} out"),
            ));
        };
        if wanted == 1.0 || is_exact_as_fast(space, k, run)? {
            return Ok(Some(Err(Fallback::AsFast)));
        }
        let keep = |found: &Found| {
            let recall = found.recall;
            let (standard_error, checked) = (recall.standard_error, recall.checked);
            let origin = Origin::Approximate { reach, metric, wanted, recall: recall.share, standard_error, checked };
            keep(found, origin)
        };
        let run = &self.device.map_or_else(|| run.clone(), |device| run.clone().with_device(device));
        let budget = space.len() * (space.len() - 1) / 2;
        let found = partition::search(space, k, wanted, budget, keep, run)?;
        Ok(Some(found.map_err(|reached| Fallback::Missed { wanted, reached })))
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

    /// An error if the lists, and what is held beside them, need more memory than there is.
    fn check_memory(&self, points: &Points) -> Result<()> {
        let Reach::Nearest(k) = self.reach else { return Ok(()) };
        let a_point = match self.algorithm {
            Algorithm::Approximate => partition::bytes_a_point(k, points.dim()),
            // The lists, and the order of the tree.
            _ => size_of::<u32>() * (k + 1) + size_of::<usize>(),
        };
        let task = format!("the search for {k} neighbors of {} points", points.len());
        let advice = Advice::change("k", "choose a smaller {k}, or give fewer points");
        memory::check(task, points.len() as f64 * a_point as f64, advice)
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
    let (length, advice) = (count * (k + 1), Advice::change("k", "choose a smaller {k}, or give fewer points"));
    let mut members: Vec<AtomicU32> = memory::room(length, format!("listing the neighbors of {count} points"), advice)?;
    members.extend((0..length).map(|_| AtomicU32::new(0)));
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
