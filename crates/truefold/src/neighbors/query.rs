//! The fitted points nearest to new ones, with their distances.
//!
//! Of m new points each is compared with the n fitted ones, by the algorithm that is expected to be faster: a k-d tree
//! of the fitted points, or tiles of products in single precision that leave few candidates, among which double
//! precision decides. Both give the k nearest by directly summed values, ties by row, so the lists do not depend on the
//! choice. Cost: about log n steps a point with the tree in few dimensions, q multiplications a pair with tiles, which
//! hold a copy of all points while they work.

use super::engine::Engine;
use super::search::no_neighbors;
use super::shortlist::{Candidate, Shortlist};
use super::{Algorithm, Norm, Reach, Search, Space, Tiles, Tree};
use crate::error::{Advice, Bound, Limit, Place};
use crate::{Error, Points, Result, Run};

/// New points that are searched by one task.
const TASK: usize = 64;
/// Fitted points in one tile.
const BLOCK: usize = 512;

/// For each new point the fitted points nearest to it, nearest first, ties by row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Nearest {
    /// How many each has.
    pub k: usize,
    /// Their rows, `k` for each new point.
    pub rows: Vec<u32>,
    /// Their distances, in the same order.
    pub distances: Vec<f64>,
}

impl Search {
    /// Finds the `k` nearest of `fitted` for each of `new`, which are not among them.
    ///
    /// The search is exact, with [`Algorithm::Approximate`] too. A new point that lies on a fitted one has it as a
    /// neighbor at distance zero.
    ///
    /// ```
    /// use truefold::{Points, Run, Search};
    ///
    /// let fitted = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
    /// let new = Points::new(2, 1, vec![0.25, 3.0])?;
    /// let found = Search::nearest(2).run_on_new(&fitted, &new, &Run::new())?;
    /// assert_eq!(found.rows, [0, 1, 2, 3]);
    /// assert_eq!(found.distances, [0.25, 0.75, 0.0, 0.5]);
    ///
    /// let error = Search::nearest(5).run_on_new(&fitted, &new, &Run::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "k = 5 is more than 4: there are 4 fitted points; choose a smaller k");
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn run_on_new(&self, fitted: &Points, new: &Points, run: &Run) -> Result<Nearest> {
        let k = self.check_new(fitted, new)?;
        let space = Space::new(fitted, self.metric())?;
        // Names a new row that has no direction, whichever way is taken.
        let queries = space.admit(new)?;
        let lists = match self.tree(&space, run)? {
            Some(tree) => {
                let one = |row| tree.nearest_to(&queries[row * new.dim()..][..new.dim()], k, None);
                let lists = run.chunks("neighbors", new.len(), TASK, |range| Ok(range.map(one).collect::<Vec<_>>()))?;
                distances(lists, &space)?
            }
            None => {
                let values = [fitted.values(), new.values()].concat();
                let both = Points::new(fitted.len() + new.len(), fitted.dim(), values)?;
                let both = Space::new(&both, self.metric())?;
                distances(Products::new(&both, fitted.len())?.nearest(k, run)?, &both)?
            }
        };
        let (distances, rows) = lists.into_iter().unzip();
        Ok(Nearest { k, rows, distances })
    }

    /// The tree of the fitted points; none where products are asked for or expected to be faster.
    fn tree(&self, space: &Space, run: &Run) -> Result<Option<Tree>> {
        let build = || Tree::build(space.values(), space.len(), space.dim(), space.norm(), run);
        if space.norm() == Norm::Absolutes || space.dim() > Tiles::MOST_DIM {
            // Sums of absolute values are no products, and a tree compares with whole leaves.
            return build().map(Some);
        }
        let algorithm = if self.algorithm() == Algorithm::Approximate { Algorithm::Auto } else { self.algorithm() };
        Ok(match Engine::new(space, algorithm, self.reach(), run)? {
            Engine::Tree(tree) => Some(tree),
            Engine::Brute(_) | Engine::Direct(_) => None,
        })
    }

    /// The number of neighbors; an error unless so many can be found.
    fn check_new(&self, fitted: &Points, new: &Points) -> Result<usize> {
        if new.dim() != fitted.dim() {
            return Err(Error::data(
                format!("the new points have {} dimensions and the fitted ones {}", new.dim(), fitted.dim()),
                Advice::mend_data("give the same columns in the same order as in the fit"),
            ));
        }
        let count = fitted.len();
        match self.reach() {
            Reach::Nearest(0) => Err(no_neighbors()),
            Reach::Nearest(k) if k > count => Err(Error::parameter(
                "k",
                k,
                Limit::because(Bound::AtMost(count as f64), format!("there are {count} fitted points")),
                Advice::change("k", "choose a smaller {k}"),
            )),
            Reach::Nearest(k) => Ok(k),
            Reach::Within(radius) => {
                let advice = Advice::change("k", "choose {k} instead");
                Err(Error::parameter("radius", radius, "cannot be used to search for new points", advice))
            }
        }
    }
}

/// All candidates behind each other, with distances; an error names a new point that is beyond all numbers.
fn distances(lists: Vec<Vec<Vec<Candidate>>>, space: &Space) -> Result<Vec<Candidate>> {
    let mut all = Vec::new();
    for (row, list) in lists.into_iter().flatten().enumerate() {
        all.extend(list.into_iter().map(|(value, near)| (space.distance(value), near)));
        if all.last().is_some_and(|last| !last.0.is_finite()) {
            let advice = Advice::mend_data("drop it, or give it in the units of the fitted ones");
            return Err(Error::data("lies too far from all fitted points", advice).at(Place::row(row)));
        }
    }
    Ok(all)
}

/// The fitted points, then the new ones, as products take them.
struct Products<'a> {
    space: &'a Space<'a>,
    tiles: Tiles,
    fitted: usize,
}

impl<'a> Products<'a> {
    fn new(space: &'a Space<'a>, fitted: usize) -> Result<Self> {
        let advice = Advice::change("algorithm", "choose the tree");
        let tiles = Tiles::new(space).ok_or_else(|| Error::data("there are too many dimensions", advice))?;
        Ok(Self { space, tiles, fitted })
    }

    /// The lists of all new points, a task at a time.
    fn nearest(&self, k: usize, run: &Run) -> Result<Vec<Vec<Vec<Candidate>>>> {
        run.chunks("neighbors", self.space.len() - self.fitted, TASK, |range| {
            let rows = self.fitted + range.start..self.fitted + range.end;
            let mut hopefuls = vec![Hopefuls::new(k); rows.len()];
            let mut tile = vec![0.0; rows.len() * BLOCK];
            for first in (0..self.fitted).step_by(BLOCK) {
                let columns = first..(first + BLOCK).min(self.fitted);
                let tile = &mut tile[..rows.len() * columns.len()];
                self.tiles.fill(rows.clone(), columns.clone(), tile);
                for ((row, some), line) in rows.clone().zip(&mut hopefuls).zip(tile.chunks_exact(columns.len())) {
                    columns.clone().zip(line).for_each(|(column, &entry)| {
                        some.offer(entry, column as u32, self.tiles.slack(row));
                    });
                }
            }
            Ok(rows.zip(&hopefuls).map(|(row, some)| self.settled(row, some)).collect())
        })
    }

    /// The nearest of the candidates, by their exact values.
    fn settled(&self, row: usize, hopefuls: &Hopefuls) -> Vec<Candidate> {
        let mut list = Shortlist::default();
        list.restart(hopefuls.k);
        let from = self.space.row(row);
        for &(_, near) in &hopefuls.entries {
            list.offer(self.space.norm().value(from, self.space.row(near as usize)), near);
        }
        list.finish().to_vec()
    }
}

/// Entries of a tile that may belong to the k nearest of one new point.
#[derive(Debug, Clone)]
struct Hopefuls {
    k: usize,
    entries: Vec<(f32, u32)>,
    /// No entry beyond it can belong to them.
    reach: f32,
    /// As many entries are collected before those beyond the reach are dropped.
    room: usize,
}

impl Hopefuls {
    fn new(k: usize) -> Self {
        Self { k, entries: Vec::new(), reach: f32::INFINITY, room: 2 * k + 32 }
    }

    /// Keeps the entry unless k others are nearer for certain: entries err by at most `slack`.
    #[inline(always)]
    fn offer(&mut self, entry: f32, row: u32, slack: f32) {
        if entry <= self.reach {
            self.entries.push((entry, row));
            if self.entries.len() == self.room {
                self.cut(slack);
            }
        }
    }

    #[inline(never)]
    fn cut(&mut self, slack: f32) {
        let (_, kth, _) = self.entries.select_nth_unstable_by(self.k - 1, |a, b| a.0.total_cmp(&b.0));
        self.reach = self.reach.min((kth.0 + 2.0 * slack).next_up());
        self.entries.retain(|entry| entry.0 <= self.reach);
        // Where many are as near as the slack is wide, dropping few again and again would cost more than keeping them.
        self.room = 2 * self.entries.len() + 32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::shortlist::order;
    use super::*;
    use crate::Metric;

    /// Rows that look random, with copies and ties; each one shifted.
    fn sample(len: usize, dim: usize, salt: usize) -> Points {
        let value = |at: usize| ((at * 7919 + salt * 104_729) % 23) as f64 - 9.3;
        Points::new(len, dim, (0..len * dim).map(value).collect()).unwrap()
    }

    fn by_definition(search: &Search, fitted: &Points, new: &Points, k: usize) -> Vec<Candidate> {
        let space = Space::new(fitted, search.metric()).unwrap();
        let queries = space.admit(new).unwrap();
        let of = |query: &[f64]| {
            let value = |row: usize| (space.norm().value(query, space.row(row)), row as u32);
            let mut all: Vec<Candidate> = (0..space.len()).map(value).collect();
            all.sort_unstable_by(order);
            all.truncate(k);
            all.into_iter().map(|(value, row)| (space.distance(value), row)).collect::<Vec<_>>()
        };
        queries.chunks_exact(new.dim()).flat_map(of).collect()
    }

    #[test]
    fn every_algorithm_and_metric_gives_the_definition_bit_for_bit() {
        for (len, dim) in [(1, 3), (40, 1), (700, 3), (1100, 17)] {
            let (fitted, new) = (sample(len, dim, 0), sample(131, dim, 1));
            for metric in Metric::ALL.into_iter().filter(|metric| dim > 2 || *metric != Metric::Correlation) {
                for algorithm in [Algorithm::Auto, Algorithm::Tree, Algorithm::Brute, Algorithm::Approximate] {
                    for k in [1, 7, 60].into_iter().filter(|k| *k <= len) {
                        let search = Search::nearest(k).with_metric(metric).with_algorithm(algorithm);
                        let found = search.run_on_new(&fitted, &new, &threads(1)).unwrap();
                        let expected = by_definition(&search, &fitted, &new, k);
                        let (distances, rows): (Vec<f64>, Vec<u32>) = expected.into_iter().unzip();
                        assert_eq!(found.rows, rows, "{len} {dim} {metric} {algorithm:?} {k}");
                        assert_eq!(found.distances, distances, "{len} {dim} {metric} {algorithm:?} {k}");
                        assert_eq!(found, search.run_on_new(&fitted, &new, &threads(3)).unwrap());
                    }
                }
            }
        }
    }

    fn threads(count: usize) -> Run {
        Run::new().with_threads(count).unwrap()
    }

    #[test]
    fn clusters_far_apart_are_told_apart_within_each() {
        // Single precision cannot tell these apart: the slack is wider than the distances in a cluster.
        let value = |at: usize| if at % 2 == 0 { 1e6 * (at / 2 % 3) as f64 } else { (at * 31 % 101) as f64 * 1e-6 };
        let fitted = Points::new(900, 2, (0..1800).map(value).collect()).unwrap();
        let new = Points::new(90, 2, (0..180).map(|at| value(at) + 3e-7).collect()).unwrap();
        let search = Search::nearest(5).with_algorithm(Algorithm::Brute);
        let found = search.run_on_new(&fitted, &new, &Run::new()).unwrap();
        let expected: Vec<u32> = by_definition(&search, &fitted, &new, 5).into_iter().map(|one| one.1).collect();
        assert_eq!(found.rows, expected);
    }

    #[test]
    fn what_cannot_be_searched_is_named() {
        let (fitted, run) = (sample(5, 2, 0), Run::new());
        let told = |search: Search, new: &Points| search.run_on_new(&fitted, new, &run).unwrap_err().to_string();
        assert!(told(Search::nearest(0), &fitted).starts_with("k = 0 is less than 1"));
        assert!(told(Search::within(1.0), &fitted).contains("cannot be used to search for new points"));
        assert!(told(Search::nearest(1), &sample(5, 3, 0)).contains("3 dimensions and the fitted ones 2"));
        let zero = Points::new(2, 2, vec![1.0, 2.0, 0.0, 0.0]).unwrap();
        assert!(told(Search::nearest(1).with_metric(Metric::Cosine), &zero).starts_with("row 2 is all zeros"));
        let far = Points::new(2, 2, vec![1.0, 2.0, 1e300, 0.0]).unwrap();
        assert!(told(Search::nearest(1), &far).starts_with("row 2 lies too far"));
    }
}
