//! The nearest of a part of all points beside what is known of others, for searches that have their points in several places, one
//! after the other.
//!
//! A part of which many neighbors are known already is searched for nearer ones alone: in the approximate search that takes a
//! fraction of the pairs. An exact search takes as long as without them. What is known of a point may lie in the part or beyond it.

use super::engine::Engine;
use super::partition::{self, Known, Task};
use super::query::no_radius;
use super::shortlist::Candidate;
use super::{Reach, Search, Space};
use crate::error::Advice;
use crate::{Error, Points, Result, Run};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// What stands in place of a row that is not known.
const NOBODY: i64 = -1;

/// The longest table of rows, as a multiple of those of the part.
const LONGER: usize = 32;
/// Points whose lists are taken from all at a time.
const TASK: usize = 1024;

/// The nearest that are known of each point of a part, by their rows among all points, with what orders them.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownLists {
    /// How many each point has.
    pub k: usize,
    /// Rows among all points, `k` for each point of the part, nearest first, ties by row; -1 after the last one that is known.
    pub rows: Vec<i64>,
    /// Their values, as those of [`Candidates`](super::Candidates), infinite where no row is known.
    pub values: Vec<f64>,
}

impl Search {
    /// Improves what is known of the neighbors of each point of a part by what the part holds.
    ///
    /// `own` are the rows of the part among all points, which rise. Each list keeps its length, at least `k`. An approximate search
    /// finds at least the promised share of those that lie in the part, belong into the lists and are not in them yet; every other
    /// one finds all.
    ///
    /// ```
    /// use truefold::{KnownLists, Points, Run, Search};
    ///
    /// // Rows 4, 6 and 9 of all points; row 4 knows row 5, which is not among them.
    /// let part = Points::new(3, 1, vec![0.0, 1.0, 3.0])?;
    /// let known = KnownLists { k: 1, rows: vec![5, -1, -1], values: vec![0.25, f64::INFINITY, f64::INFINITY] };
    /// let found = Search::nearest(1).run_on_part_beside(&part, &[4, 6, 9], known, &Run::new())?;
    /// assert_eq!((&found.rows[..], &found.values[..]), (&[5, 4, 6][..], &[0.25, 1.0, 4.0][..]));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn run_on_part_beside(&self, part: &Points, own: &[i64], known: KnownLists, run: &Run) -> Result<KnownLists> {
        let k = self.check_known(part, own, &known)?;
        let space = Space::of_part(part, self.metric())?;
        let found: Vec<AtomicU32> = (0..part.len() * k).map(|_| AtomicU32::new(u32::MAX)).collect();
        let emit = |row: u32, list: &[Candidate]| {
            for (to, candidate) in found[row as usize * k..].iter().zip(list.iter().take(k)) {
                to.store(candidate.1, Ordering::Relaxed);
            }
            Ok(())
        };
        let here = run.install(|| known.within(own));
        let is_there = match self.promise(&space, run)? {
            Some(Ok(task)) => {
                partition::search_beside(&space, Task { k, ..task }, &here, &emit, &self.on_its_device(run))?.is_ok()
            }
            _ => false,
        };
        if !is_there {
            Engine::on(self.device(), &space, self.exact(), Reach::Nearest(k), run)?.each_nearest(k, &emit, run)?;
        }
        let mut lists: Vec<Listed> = known.values.into_iter().zip(known.rows).collect();
        run.chunks_into("neighbors", (&mut lists, known.k), TASK, |range, lists| {
            let mut room = Room::default();
            for (row, list) in range.zip(lists.chunks_exact_mut(known.k)) {
                room.join(&space, row, here.of(row as u32), &found[row * k..][..k]);
                room.put_into(list, own);
            }
            Ok(())
        })?;
        let (values, rows) = lists.into_iter().unzip();
        Ok(KnownLists { k: known.k, rows, values })
    }

    /// How many others of the part a list can hold; an error unless the lists fit the part.
    fn check_known(&self, part: &Points, own: &[i64], known: &KnownLists) -> Result<usize> {
        self.check(part.len())?;
        let k = match self.reach() {
            Reach::Nearest(k) => k,
            Reach::Within(radius) => return Err(no_radius(radius, "in a part of the points")),
        };
        let places = part.len().saturating_mul(known.k);
        let told = [own.len() == part.len(), known.rows.len() == places, known.values.len() == places, known.k >= k];
        let rise = own.first().is_some_and(|first| *first >= 0) && own.is_sorted_by(|a, b| a < b);
        if told.contains(&false) || !rise || !known.is_ordered() {
            let advice = Advice::mend_data(
                "give the rows of the part in order, and a list of at least {k} for each, nearest first",
            );
            return Err(Error::data("the known lists are not those of the part", advice));
        }
        Ok(known.k.min(part.len() - 1))
    }
}

impl KnownLists {
    /// Whether each list has its values in order, and infinity where nobody is known.
    fn is_ordered(&self) -> bool {
        let lists = self.values.chunks_exact(self.k).zip(self.rows.chunks_exact(self.k));
        lists.into_iter().all(|(values, rows)| {
            let pairs = || values.iter().zip(rows);
            values.is_sorted()
                && pairs().all(|(value, row)| (*row == NOBODY) == (*value == f64::INFINITY) && *value >= 0.0)
        })
    }

    /// What of it lies in the part, by place there.
    fn within(&self, own: &[i64]) -> Known {
        let places = Places::of(own);
        let place = |row: &i64| places.of_row(own, *row);
        let last = |list: &[f64]| list.last().copied().unwrap_or(f64::INFINITY);
        Known {
            k: self.k,
            rows: self.rows.par_iter().map(place).collect(),
            reach: self.values.chunks_exact(self.k).map(last).collect(),
        }
    }
}

/// Where the rows of a part stand in it: by a table from the first one to the last, where that is not much longer than the part.
struct Places(Option<Vec<u32>>);

impl Places {
    fn of(own: &[i64]) -> Self {
        let (Some(&first), Some(&last)) = (own.first(), own.last()) else { return Self(None) };
        let wide = last.abs_diff(first).saturating_add(1);
        Self((wide <= (LONGER * own.len()) as u64).then(|| {
            let mut table = vec![u32::MAX; wide as usize];
            own.iter().zip(0..).for_each(|(&row, place)| table[(row - first) as usize] = place);
            table
        }))
    }

    /// The place of a row, `u32::MAX` if it is not there.
    fn of_row(&self, own: &[i64], row: i64) -> u32 {
        match &self.0 {
            Some(table) if row >= own[0] => {
                usize::try_from(row.abs_diff(own[0])).ok().and_then(|at| table.get(at)).copied().unwrap_or(u32::MAX)
            }
            Some(_) => u32::MAX,
            None => own.binary_search(&row).map_or(u32::MAX, |place| place as u32),
        }
    }
}

/// What orders a row, and the row.
type Listed = (f64, i64);

/// Room for the neighbors of one point that are not known yet.
#[derive(Default)]
struct Room {
    more: Vec<u32>,
    values: Vec<f64>,
    list: Vec<Listed>,
}

impl Room {
    /// Takes those of the found ones that are not among the known ones, with their values.
    fn join(&mut self, space: &Space, row: usize, known: &[u32], found: &[AtomicU32]) {
        self.more.clear();
        let found = found.iter().map(|to| to.load(Ordering::Relaxed));
        self.more.extend(found.filter(|to| *to != u32::MAX && !known.contains(to)));
        space.values_to(row, &self.more, &mut self.values);
    }

    /// Keeps the nearest of a list and of what was taken.
    fn put_into(&mut self, list: &mut [Listed], own: &[i64]) {
        self.list.clear();
        self.list.extend(list.iter().filter(|one| one.1 != NOBODY));
        self.list.extend(self.values.iter().zip(&self.more).map(|(&value, &to)| (value, own[to as usize])));
        self.list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let nearest = self.list.iter().copied().chain(std::iter::repeat((f64::INFINITY, NOBODY)));
        list.iter_mut().zip(nearest).for_each(|(to, one)| *to = one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;
    use crate::random::hash;

    /// Points near a sheet of five dimensions in twenty.
    fn sheet(count: usize) -> Points {
        let uniform = |at: usize| hash(7, at as u64) as f64 / u64::MAX as f64;
        let cell = |row: usize, axis: usize| {
            (0..5).map(|at| (3.0 * uniform(row * 5 + at) + (axis * at) as f64).sin()).sum::<f64>()
        };
        Points::new(count, 20, (0..count * 20).map(|at| cell(at / 20, at % 20)).collect()).unwrap()
    }

    /// The points at these rows.
    fn some(points: &Points, rows: &[i64]) -> Points {
        let values = rows.iter().flat_map(|&row| points.row(row as usize).to_vec()).collect();
        Points::new(rows.len(), points.dim(), values).unwrap()
    }

    /// Two halves are searched, then two others with what is known, as long as `search` says; and how much of the truth is there.
    fn by_halves(search: &Search, points: &Points, k: usize) -> (KnownLists, f64) {
        let count = points.len();
        let mut all = KnownLists { k, rows: vec![NOBODY; count * k], values: vec![f64::INFINITY; count * k] };
        for axis in 0..3 {
            let mut order: Vec<i64> = (0..count as i64).collect();
            order.sort_by(|a, b| points.row(*a as usize)[axis].total_cmp(&points.row(*b as usize)[axis]));
            let (one, other) = order.split_at_mut(count / 2);
            for own in [one, other] {
                own.sort_unstable();
                let of = |row: &i64| *row as usize * k..(*row as usize + 1) * k;
                let known = KnownLists {
                    k,
                    rows: own.iter().flat_map(|row| all.rows[of(row)].to_vec()).collect(),
                    values: own.iter().flat_map(|row| all.values[of(row)].to_vec()).collect(),
                };
                let found = search.run_on_part_beside(&some(points, own), own, known, &Run::new()).unwrap();
                for (at, row) in own.iter().enumerate() {
                    all.rows[of(row)].copy_from_slice(&found.rows[at * k..][..k]);
                    all.values[of(row)].copy_from_slice(&found.values[at * k..][..k]);
                }
            }
        }
        let truth = Search::nearest(k).run(points, &Run::new()).unwrap();
        let hits = |row: usize| {
            let list = &all.rows[row * k..][..k];
            truth.neighbors(row).iter().filter(|to| list.contains(&i64::from(**to))).count()
        };
        let share = (0..count).map(hits).sum::<usize>() as f64 / (count * k) as f64;
        (all, share)
    }

    #[test]
    fn cuts_one_after_the_other_find_what_lies_together_in_one_of_them() {
        let points = sheet(4000);
        let (exact, share) = by_halves(&Search::nearest(8), &points, 8);
        assert!(share > 0.97 && share < 1.0, "{share}");
        let search = Search::nearest(8).with_algorithm(Algorithm::Approximate).with_recall(0.99);
        let (found, close) = by_halves(&search, &points, 8);
        assert!(close >= 0.985 * share && close <= share, "{close} {share}");
        for (row, list) in found.rows.chunks_exact(8).enumerate() {
            let values = &found.values[row * 8..][..8];
            assert!(values.is_sorted() && !list.contains(&(row as i64)));
            for (to, value) in list.iter().zip(values) {
                let squares = points.row(row).iter().zip(points.row(*to as usize)).map(|(a, b)| (a - b) * (a - b));
                assert!((squares.sum::<f64>() - value).abs() <= 1e-12 * value);
            }
            // What the exact search knows is never farther.
            assert!(exact.values[row * 8 + 7] <= values[7]);
        }
    }

    #[test]
    fn places_are_those_of_the_rows_by_either_way() {
        for own in [vec![5, 6, 9], vec![5, 6, 1_000_000_000_000]] {
            let places = Places::of(&own);
            assert_eq!(places.0.is_some(), own[2] == 9);
            for row in (-2..12).chain([1_000_000_000_000, i64::MAX]) {
                let expected = own.iter().position(|other| *other == row).map_or(u32::MAX, |place| place as u32);
                assert_eq!(places.of_row(&own, row), expected, "{row}");
            }
        }
    }

    #[test]
    fn lists_of_another_part_are_refused() {
        let part = sheet(4);
        let known = |rows: usize| KnownLists { k: 1, rows: vec![NOBODY; rows], values: vec![f64::INFINITY; rows] };
        for (own, rows) in [(&[0, 1, 2][..], 4), (&[0, 1, 2, 3], 3), (&[0, 2, 1, 3], 4)] {
            let error = Search::nearest(1).run_on_part_beside(&part, own, known(rows), &Run::new()).unwrap_err();
            assert!(error.to_string().starts_with("the known lists are not those of the part"), "{error}");
        }
    }
}
