//! The nearest of a part of all points, for searches that have their points in several places.
//!
//! Lists of several parts are merged by the values that a search orders by, which are in the same units in all parts. Cost: that of
//! a search in the part.

use super::engine::Engine;
use super::partition::Found;
use super::query::no_radius;
use super::shortlist::Emit;
use super::{Reach, Search, Space};
use crate::error::Advice;
use crate::{Error, Points, Result, Run};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

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
        let listed = |found: &Found, _| candidates(space.len(), k, |emit| found.each_with_values(emit, run));
        if let Some(Ok(found)) = self.approximate(&space, listed, run)? {
            return Ok(found);
        }
        let engine = Engine::on(self.device(), &space, self.exact(), self.reach(), run)?;
        candidates(space.len(), k, |emit| engine.each_nearest(k, emit, run))
    }
}

/// Lists of neighbors: their rows and what orders them, as many for each point, nearest first, ties by row. A row below zero, with an
/// infinite value, is no neighbor, and comes last.
#[derive(Debug)]
pub struct NearestLists<'a> {
    rows: &'a mut [i64],
    values: &'a mut [f64],
    k: usize,
}

impl<'a> NearestLists<'a> {
    /// Lists of `k` neighbors each.
    ///
    /// ```
    /// use truefold::NearestLists;
    ///
    /// let (mut rows, mut values) = (vec![4, 9, 5, -1], vec![1.0, 3.0, 2.0, f64::INFINITY]);
    /// NearestLists::new(&mut rows, &mut values, 2)?.merge(&[0], (&[2, 9], &[1.0, 3.0]))?;
    /// assert_eq!((rows, values), (vec![2, 4, 5, -1], vec![1.0, 1.0, 2.0, f64::INFINITY]));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn new(rows: &'a mut [i64], values: &'a mut [f64], k: usize) -> Result<Self> {
        check_lists((rows, values), k)?;
        Ok(Self { rows, values, k })
    }

    /// Puts more neighbors into the lists at some places, in the order of these: of both lists the nearest stay, and one that both have
    /// stands there once. Both are in order, and a row that both have has the same value in both.
    pub fn merge(&mut self, places: &[usize], (rows, values): (&[i64], &[f64])) -> Result<()> {
        let k = self.k;
        let count = check_lists((rows, values), k)?;
        let known = self.rows.len() / k;
        if count != places.len() || places.iter().any(|&place| place >= known) {
            let problem = format!("{} places among {known} lists do not fit {count} lists", places.len());
            return Err(Error::data(problem, Advice::mend_data("give one list for each place")));
        }
        let mut own: Vec<(i64, f64)> = Vec::with_capacity(k);
        let more = rows.chunks_exact(k).zip(values.chunks_exact(k));
        for (&place, (rows, values)) in places.iter().zip(more) {
            let (to_rows, to_values) = (&mut self.rows[place * k..][..k], &mut self.values[place * k..][..k]);
            own.clear();
            own.extend(to_rows.iter().copied().zip(to_values.iter().copied()));
            let (mut left, mut right) = (own.iter().copied(), rows.iter().copied().zip(values.iter().copied()));
            let (mut one, mut other) = (left.next(), right.next());
            for (to_row, to_value) in to_rows.iter_mut().zip(to_values) {
                let (Some(a), Some(b)) = (one, other) else { break };
                let (is_same, is_after) = (a.0 == b.0 && a.0 >= 0, is_before(b, a));
                (*to_row, *to_value) = if is_after { b } else { a };
                if is_same || !is_after {
                    one = left.next();
                }
                if is_same || is_after {
                    other = right.next();
                }
            }
        }
        Ok(())
    }
}

/// Whether one neighbor comes before another; those that are none come last.
fn is_before(one: (i64, f64), other: (i64, f64)) -> bool {
    match (one.0 < 0, other.0 < 0) {
        (false, false) => one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)).is_lt(),
        (none, _) => !none,
    }
}

/// How many lists of `k` there are; an error if rows and values do not belong together.
fn check_lists((rows, values): (&[i64], &[f64]), k: usize) -> Result<usize> {
    if k == 0 || rows.len() != values.len() || !rows.len().is_multiple_of(k) {
        let problem = format!("{} rows and {} values are no lists of {k} neighbors each", rows.len(), values.len());
        return Err(Error::data(problem, Advice::mend_data("give a row and a value for each neighbor")));
    }
    Ok(rows.len() / k)
}

/// The lists of `count` points, `k` each; `search` finds them in any order. They take no memory before they are found.
fn candidates(count: usize, k: usize, search: impl FnOnce(Emit) -> Result<()>) -> Result<Candidates> {
    let rows: Vec<AtomicU32> = (0..count * k).map(|_| AtomicU32::new(0)).collect();
    let values: Vec<AtomicU64> = (0..count * k).map(|_| AtomicU64::new(0)).collect();
    search(&|row, list| {
        for (place, candidate) in (row as usize * k..).zip(list) {
            values[place].store(candidate.0.to_bits(), Ordering::Relaxed);
            rows[place].store(candidate.1, Ordering::Relaxed);
        }
        Ok(())
    })?;
    let values = values.into_iter().map(|value| f64::from_bits(value.into_inner())).collect();
    Ok(Candidates { k, rows: rows.into_iter().map(AtomicU32::into_inner).collect(), values })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::hash;
    use std::collections::BTreeMap;

    #[test]
    fn merged_lists_are_the_nearest_of_both() {
        const K: usize = 5;
        // Few different values and rows, so that ties and common neighbors are frequent; the value of a row is its own.
        let value = |row: u64| (hash(1, row) % 4) as f64;
        let list = |seed: u64| {
            let rows = (0..hash(seed, 99) % 8).map(|at| hash(seed, at) % 12);
            let mut list: Vec<(i64, f64)> = rows.map(|row| (row as i64, value(row))).collect();
            list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            list.dedup();
            list.resize(K, (-1, f64::INFINITY));
            list
        };
        let columns = |lists: &[Vec<(i64, f64)>]| -> (Vec<i64>, Vec<f64>) { lists.iter().flatten().copied().unzip() };
        let known: Vec<_> = (0..300).map(list).collect();
        let more: Vec<_> = (300..450).map(list).collect();
        let places: Vec<usize> = (0..150).map(|at| 2 * at).collect();
        let (mut rows, mut values) = columns(&known);
        let (more_rows, more_values) = columns(&more);
        NearestLists::new(&mut rows, &mut values, K).unwrap().merge(&places, (&more_rows, &more_values)).unwrap();
        for place in 0..300 {
            let mut expected = known[place].clone();
            if place % 2 == 0 {
                expected.extend(&more[place / 2]);
            }
            // By value, then by row, each once.
            let by_order: BTreeMap<(u64, i64), f64> =
                expected.iter().filter(|one| one.0 >= 0).map(|one| ((one.1.to_bits(), one.0), one.1)).collect();
            let mut expected: Vec<(i64, f64)> = by_order.into_iter().map(|((_, row), value)| (row, value)).collect();
            expected.resize(K.max(expected.len()), (-1, f64::INFINITY));
            let found: Vec<(i64, f64)> = (place * K..place * K + K).map(|at| (rows[at], values[at])).collect();
            assert_eq!(found, expected[..K], "{place}");
        }
        for (lists, place, told) in [
            (&more_rows[..7], 0, "7 rows and 7 values are no lists of 5 neighbors each"),
            (&more_rows[..5], 300, "1 places among 300 lists do not fit 1 lists"),
        ] {
            let mut known = NearestLists::new(&mut rows, &mut values, K).unwrap();
            let error = known.merge(&[place], (lists, &more_values[..lists.len()])).unwrap_err();
            assert!(error.to_string().starts_with(told), "{error}");
        }
    }
}
