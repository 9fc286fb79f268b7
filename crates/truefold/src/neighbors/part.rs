//! The nearest of a part of all points, for searches that have their points in several places.
//!
//! Lists of several parts are merged by the values that a search orders by, which are in the same units in all parts. Cost: that of
//! a search in the part.

use super::engine::Engine;
use super::query::no_radius;
use super::shortlist::Candidate;
use super::{Reach, Search, Space};
use crate::{Points, Result, Run};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Points whose values are computed by one task.
const TASK: usize = 1024;

/// For each point the nearest of a part of all points, nearest first, ties by row, with what orders them.
///
/// Of two values that differ the distances may be equal, since a root is rounded: lists of several parts are merged by values.
/// [`Metric::distance_of`](crate::Metric::distance_of) makes distances of them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Candidates {
    /// How many each has.
    pub k: usize,
    /// Their rows in the part, `k` for each point.
    pub rows: Vec<u32>,
    /// Sums of squares of differences, or of absolute ones, in the same order.
    pub values: Vec<f64>,
}

impl Search {
    /// Finds the `k` nearest others of each point of a part of all points; or, where there are `new` points, the `k` nearest of
    /// the part for each of these.
    ///
    /// The lists of all points are the nearest of what all parts have, by value and then by row. The numbers of all points
    /// must be of ordinary size: the largest of them from 1e-100 to 1e140. Searches for new points are exact, and so are the
    /// others unless [`Algorithm::Approximate`](crate::Algorithm::Approximate) is asked for.
    ///
    /// ```
    /// use truefold::{Points, Run, Search};
    ///
    /// let part = Points::new(3, 1, vec![0.0, 1.0, 3.0])?;
    /// let found = Search::nearest(2).run_on_part(&part, None, &Run::new())?;
    /// assert_eq!((&found.rows[..], &found.values[..]), (&[1, 2, 0, 2, 1, 0][..], &[1.0, 9.0, 1.0, 4.0, 4.0, 9.0][..]));
    /// let new = Points::new(1, 1, vec![2.5])?;
    /// assert_eq!(Search::nearest(1).run_on_part(&part, Some(&new), &Run::new())?.values, [0.25]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn run_on_part(&self, part: &Points, new: Option<&Points>, run: &Run) -> Result<Candidates> {
        let space = Space::of_part(part, self.metric())?;
        if let Some(new) = new {
            let k = self.check_new(part, new)?;
            let lists = self.lists_of_new(k, &space, &space.admit(new)?, run)?;
            let (values, rows) = lists.into_iter().flatten().flatten().unzip();
            return Ok(Candidates { k, rows, values });
        }
        self.check(part.len())?;
        let k = match self.reach() {
            Reach::Nearest(k) => k,
            Reach::Within(radius) => return Err(no_radius(radius, "in a part of the points")),
        };
        let places = part.len() * k;
        let rows: Vec<AtomicU32> = (0..places).map(|_| AtomicU32::new(0)).collect();
        let values: Vec<AtomicU64> = (0..places).map(|_| AtomicU64::new(0)).collect();
        let store = |row: u32, list: &[Candidate]| {
            for (place, candidate) in (row as usize * k..).zip(list) {
                values[place].store(candidate.0.to_bits(), Ordering::Relaxed);
                rows[place].store(candidate.1, Ordering::Relaxed);
            }
            Ok(())
        };
        match self.approximate(&space, run)? {
            Some(Ok(found)) => {
                run.chunks("neighbors", part.len(), TASK, |range| {
                    let mut known = Vec::with_capacity(k);
                    for row in range {
                        known.clear();
                        space.values_to(row, found.neighbors(row), &mut known);
                        let list: Vec<Candidate> =
                            known.iter().copied().zip(found.neighbors(row).iter().copied()).collect();
                        store(row as u32, &list)?;
                    }
                    Ok(())
                })?;
            }
            _ => Engine::on(self.device(), &space, self.exact(), self.reach(), run)?.each_nearest(k, &store, run)?,
        }
        let values = values.into_iter().map(|value| f64::from_bits(value.into_inner())).collect();
        Ok(Candidates { k, rows: rows.into_iter().map(AtomicU32::into_inner).collect(), values })
    }
}
