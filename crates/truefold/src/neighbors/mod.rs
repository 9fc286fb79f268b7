//! Neighborhoods: for each point one list of rows, the point itself first, used for X and for Y alike.

#[cfg(test)]
mod agreement;
mod brute;
mod components;
mod copies;
mod cut;
mod device;
mod direct;
mod disjoint_sets;
mod distances;
mod engine;
mod halving;
mod kernel;
mod lengths;
mod metric;
mod part;
mod partition;
#[cfg(test)]
mod precision_tests;
mod prepare;
mod principal;
mod probe;
mod query;
mod radius;
mod rough;
mod search;
mod shortlist;
mod sketch;
mod space;
mod spread;
mod tiles;
mod tree;

pub use components::Components;
pub(crate) use copies::first_of_copies;
pub(crate) use disjoint_sets::DisjointSets;
pub use distances::Distances;
pub use metric::Metric;
pub use part::{Candidates, NearestLists};
pub use query::Nearest;
pub(crate) use query::Products;
pub use search::{Algorithm, Reach, Search};
pub(crate) use shortlist::{Candidate, Shortlist};
pub(crate) use space::{Norm, Space};
pub(crate) use tiles::Tiles;
pub(crate) use tree::Tree;

use crate::error::{Advice, Place};
use crate::{Error, Points, Result, Run};
use std::ops::Range;
use std::sync::OnceLock;

/// One list of member rows per point, its center first: Neighbors(i) together with i itself.
///
/// The same lists are used for the input and for the embedding, so a measure cannot pair different points.
///
/// ```
/// use truefold::{Neighborhoods, Points, Run};
///
/// let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 1, &Run::new())?;
/// assert_eq!(neighborhoods.members(2), &[2, 3]);
/// assert_eq!(neighborhoods.neighbors(0), &[1]);
/// assert_eq!(neighborhoods.components().count(), 2);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Neighborhoods {
    offsets: Vec<usize>,
    members: Vec<u32>,
    origin: Origin,
    /// An order of all rows in which consecutive rows are near each other, if the search has one.
    walk: Option<Vec<u32>>,
    /// Whether consecutive rows are near each other as they are.
    near: bool,
    /// The connected components, once they were asked for.
    components: OnceLock<Components>,
}

impl PartialEq for Neighborhoods {
    /// The same lists of the same origin, whatever the order of work.
    fn eq(&self, other: &Self) -> bool {
        self.offsets == other.offsets && self.members == other.members && self.origin == other.origin
    }
}

/// Why a search is exact although an approximate one was asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Fallback {
    /// An exact search takes no longer on these points, or all true neighbors were asked for.
    AsFast,
    /// The share of true neighbors that was asked for was not there when all pairs would have cost less.
    Missed {
        /// The share that was asked for.
        wanted: f64,
        /// The share that was reached.
        reached: f64,
    },
}

/// Where neighborhoods come from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Origin {
    /// Found by an exact search.
    Exact {
        /// What was asked for.
        reach: Reach,
        /// The distance used.
        metric: Metric,
        /// The algorithm that found them; it has no influence on the result.
        algorithm: Algorithm,
        /// Why the search was exact although an approximate one was asked for.
        instead: Option<Fallback>,
    },
    /// Found by an approximate search.
    Approximate {
        /// What was asked for.
        reach: Reach,
        /// The distance used.
        metric: Metric,
        /// The share of true neighbors that was asked for.
        wanted: f64,
        /// The share of true neighbors among those found, estimated on `checked` points.
        recall: f64,
        /// The standard error of `recall`.
        standard_error: f64,
        /// The number of points whose true neighbors were found to estimate `recall`.
        checked: usize,
    },
    /// Found in given distances.
    Distances {
        /// What was asked for.
        reach: Reach,
    },
    /// Given as lists.
    Given,
}

impl Neighborhoods {
    /// The `k` nearest other points of each point, by Euclidean distance, ties by row number.
    ///
    /// ```
    /// use truefold::{Neighborhoods, Points, Run};
    ///
    /// let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
    /// assert_eq!(Neighborhoods::nearest(&points, 2, &Run::new())?.neighbors(0), &[1, 2]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn nearest(points: &Points, k: usize, run: &Run) -> Result<Self> {
        Search::nearest(k).run(points, run)
    }

    /// All other points within `radius` of each point, by Euclidean distance.
    ///
    /// ```
    /// use truefold::{Neighborhoods, Points, Run};
    ///
    /// let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
    /// assert_eq!(Neighborhoods::within(&points, 2.0, &Run::new())?.neighbors(1), &[0, 2]);
    /// let error = Neighborhoods::within(&points, 0.75, &Run::new()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "radius = 0.75 is less than 1: 2 points have no neighbor within it, the first is row 1; \
    ///      choose a radius of at least 1, or a number of neighbors k"
    /// );
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn within(points: &Points, radius: f64, run: &Run) -> Result<Self> {
        Search::within(radius).run(points, run)
    }

    /// From lists of rows that were found elsewhere; the center is put first and need not be in its list.
    ///
    /// ```
    /// use truefold::Neighborhoods;
    ///
    /// let neighborhoods = Neighborhoods::from_lists(&[vec![1, 2], vec![0, 1], vec![1]])?;
    /// assert_eq!(neighborhoods.members(1), &[1, 0]);
    /// assert!(Neighborhoods::from_lists(&[vec![1], vec![2]]).is_err());
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn from_lists<L: AsRef<[i64]>>(lists: &[L]) -> Result<Self> {
        Self::of_first(lists.len(), lists)
    }

    /// The same where only the first of `count` points have lists: the others are there to be neighbors, and have none.
    ///
    /// ```
    /// use truefold::Neighborhoods;
    ///
    /// let neighborhoods = Neighborhoods::of_first(3, &[vec![1, 2], vec![2]])?;
    /// assert_eq!((neighborhoods.len(), neighborhoods.neighbors(1), neighborhoods.neighbors(2).len()), (3, &[2][..], 0));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn of_first<L: AsRef<[i64]>>(count: usize, lists: &[L]) -> Result<Self> {
        if lists.len() > count {
            let advice = Advice::mend_data("give at most one list for each point");
            return Err(Error::data(format!("there are {} neighbor lists for {count} points", lists.len()), advice));
        }
        let mut offsets = Vec::with_capacity(count + 1);
        let mut members = Vec::new();
        let mut seen = vec![u32::MAX; count];
        offsets.push(0);
        for (center, list) in lists.iter().enumerate() {
            members.push(center as u32);
            seen[center] = center as u32;
            for (place, &row) in list.as_ref().iter().enumerate() {
                let member = usize::try_from(row).ok().filter(|&row| row < count).ok_or_else(|| {
                    let most = count.saturating_sub(1);
                    let advice = Advice::mend_data(format!("rows are numbered from 0 to {most} for {count} points"));
                    Error::data(format!("of the neighbor lists holds {row}"), advice).at(Place::cell(center, place))
                })?;
                if member == center {
                    continue;
                }
                if seen[member] == center as u32 {
                    let advice = Advice::mend_data("list every neighbor once");
                    let error = Error::data(format!("of the neighbor lists holds {row} twice"), advice);
                    return Err(error.at(Place::row(center)));
                }
                seen[member] = center as u32;
                members.push(member as u32);
            }
            if members.len() - offsets[center] < 2 {
                let advice = Advice::mend_data("give every point at least one neighbor");
                return Err(Error::data("of the neighbor lists names no other point", advice).at(Place::row(center)));
            }
            offsets.push(members.len());
        }
        for center in lists.len()..count {
            members.push(center as u32);
            offsets.push(members.len());
        }
        if lists.is_empty() {
            return Err(Error::data("there are no neighbor lists", Advice::mend_data("give one list for each point")));
        }
        Ok(Self { offsets, members, origin: Origin::Given, walk: None, near: false, components: OnceLock::new() })
    }

    /// From lists that are known to be valid: the center first, every member once and in range.
    pub(crate) fn from_parts(offsets: Vec<usize>, members: Vec<u32>, origin: Origin) -> Self {
        debug_assert_eq!(offsets.last(), Some(&members.len()));
        Self { offsets, members, origin, walk: None, near: false, components: OnceLock::new() }
    }

    /// With an order of all rows in which consecutive rows are near each other.
    pub(crate) fn with_walk(mut self, walk: Option<Vec<u32>>) -> Self {
        self.walk = walk;
        self
    }

    /// An order of all rows in which work on neighborhoods reads mostly from the cache, if one is known.
    pub(crate) fn walk(&self) -> Option<&[u32]> {
        self.walk.as_deref()
    }

    /// Other lists of the same rows, with what is known of the order of these.
    pub(crate) fn in_same_order(&self, mut other: Self) -> Self {
        (other.walk, other.near) = (self.walk.clone(), self.near);
        other
    }

    /// Notes that consecutive rows are near each other.
    pub(crate) fn mark_near(&mut self) {
        self.near = true;
    }

    /// Whether consecutive rows are known to be near each other.
    pub(crate) fn is_near(&self) -> bool {
        self.near
    }

    /// The number of neighborhoods, which is the number of points.
    #[expect(clippy::len_without_is_empty, reason = "there is one per point and at least one point")]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The rows of neighborhood `index`, its center first.
    #[inline(always)]
    pub fn members(&self, index: usize) -> &[u32] {
        &self.members[self.places(index)]
    }

    /// The rows of neighborhood `index` without its center, nearest first if they were searched.
    #[inline(always)]
    pub fn neighbors(&self, index: usize) -> &[u32] {
        &self.members(index)[1..]
    }

    /// The range of neighborhood `index` in the list of all memberships.
    #[inline(always)]
    pub(crate) fn places(&self, index: usize) -> Range<usize> {
        self.offsets[index]..self.offsets[index + 1]
    }

    /// The number of neighbors of each point, if it is the same for all.
    pub fn uniform_k(&self) -> Option<usize> {
        let first = self.neighbors(0).len();
        self.offsets.windows(2).all(|pair| pair[1] - pair[0] == first + 1).then_some(first)
    }

    /// The largest number of neighbors that any point has.
    pub fn largest_k(&self) -> usize {
        self.offsets.windows(2).map(|pair| pair[1] - pair[0] - 1).max().unwrap_or(0)
    }

    /// The number of neighbors of a point, on average and rounded, at least one.
    pub(crate) fn usual_k(&self) -> usize {
        ((self.memberships() as f64 / self.len() as f64).round() as usize).saturating_sub(1).max(1)
    }

    /// The number of memberships, centers included.
    pub fn memberships(&self) -> usize {
        self.members.len()
    }

    /// Where these neighborhoods come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// An error unless there is one neighborhood for each of `points` points.
    pub fn check_len(&self, points: usize) -> Result<()> {
        if self.len() == points {
            return Ok(());
        }
        Err(Error::data(
            format!("there are {} neighborhoods for {points} points", self.len()),
            Advice::mend_data("find the neighborhoods among the same points"),
        ))
    }
}
