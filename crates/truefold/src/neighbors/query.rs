//! The fitted points nearest to new ones, with their distances.
//!
//! Each of m new points is compared with the n fitted ones, by the way that is expected to be faster: a k-d tree of the
//! fitted points, or tiles of products in single precision that leave few candidates, among which double precision
//! decides. Both give the k nearest by directly summed values, ties by row, so the lists do not depend on the choice.
//! Cost: about log n steps a point with the tree in few dimensions, q multiplications a pair with tiles. The tree copies
//! the fitted points; tiles copy a block of them at a time.

use super::engine::Engine;
use super::search::no_neighbors;
use super::shortlist::{Candidate, Shortlist};
use super::{Algorithm, Metric, Norm, Reach, Search, Space, Tiles, Tree};
use crate::error::{Advice, Bound, Limit, Place};
use crate::{Error, Points, Result, Run};
use rayon::prelude::*;
use std::ops::Range;

/// New points that are searched in the tree by one task.
const TASK: usize = 64;
/// Points of a block: few enough that copies of them are small, many enough that making these costs little.
const BLOCK: usize = 8192;
/// New and fitted points in one tile: half a megabyte, which stays in the second-level cache.
const HEIGHT: usize = 256;
const WIDTH: usize = 512;

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
        let lists = self.lists_of_new(k, &space, &space.admit(new)?, run)?;
        let (distances, rows) = distances(lists, &space)?.into_iter().unzip();
        Ok(Nearest { k, rows, distances })
    }

    /// The nearest fitted points of each new one, in blocks.
    pub(super) fn lists_of_new(
        &self,
        k: usize,
        fitted: &Space,
        queries: &Space,
        run: &Run,
    ) -> Result<Vec<Vec<Vec<Candidate>>>> {
        match self.tree(fitted, run)? {
            Some(tree) => run.chunks("neighbors", queries.len(), TASK, |range| {
                let mut room = Vec::new();
                Ok(range.map(|row| tree.nearest_to(queries.row(row, &mut room), k, None)).collect())
            }),
            None => Products { fitted, queries }.nearest(k, run),
        }
    }

    /// The exact algorithm that is used in place of an approximate one.
    pub(super) fn exact(&self) -> Algorithm {
        if self.algorithm() == Algorithm::Approximate { Algorithm::Auto } else { self.algorithm() }
    }

    /// The tree of the fitted points; none where products are asked for or expected to be faster.
    pub(crate) fn tree(&self, space: &Space, run: &Run) -> Result<Option<Tree>> {
        let algorithm = match self.algorithm() {
            // Sums of absolute values are no products, and the tree compares a point with a whole leaf at a time.
            _ if space.norm() == Norm::Absolutes || space.dim() > Tiles::MOST_DIM => Algorithm::Tree,
            _ => self.exact(),
        };
        Engine::tree(space, algorithm, self.reach(), run)
    }

    /// The number of neighbors; an error unless so many can be found.
    pub(super) fn check_new(&self, fitted: &Points, new: &Points) -> Result<usize> {
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
            Reach::Within(radius) => Err(no_radius(radius, "for new points")),
        }
    }
}

/// The error of a radius where a number of neighbors is needed.
pub(super) fn no_radius(radius: f64, whose: &str) -> Error {
    let advice = Advice::change("k", "choose {k} instead");
    Error::parameter("radius", radius, format!("cannot be used to search {whose}"), advice)
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

/// The fitted points and the new ones, compared by products, a block of each at a time.
pub(crate) struct Products<'a> {
    pub(crate) fitted: &'a Space<'a>,
    pub(crate) queries: &'a Space<'a>,
}

impl Products<'_> {
    /// The lists of all new points, a block at a time.
    pub(crate) fn nearest(&self, k: usize, run: &Run) -> Result<Vec<Vec<Vec<Candidate>>>> {
        let blocks = |len: usize| (0..len).step_by(BLOCK).map(move |first| first..(first + BLOCK).min(len));
        let stage = run.stage("neighbors", self.queries.len().div_ceil(BLOCK) * self.fitted.len());
        let mut all = Vec::new();
        for new in blocks(self.queries.len()) {
            let mut lists = vec![Shortlist::default(); new.len()];
            lists.iter_mut().for_each(|list| list.restart(k));
            for near in blocks(self.fitted.len()) {
                let taken = near.len();
                self.compare(near, new.clone(), &mut lists, run)?;
                stage.advance(taken);
            }
            all.push(lists.iter_mut().map(|list| list.finish().to_vec()).collect());
        }
        Ok(all)
    }

    /// Offers the fitted points of a block to the lists of a block of new ones.
    fn compare(&self, near: Range<usize>, new: Range<usize>, lists: &mut [Shortlist], run: &Run) -> Result<()> {
        let dim = self.fitted.dim();
        let mut values = vec![0.0; (near.len() + new.len()) * dim];
        let (left, right) = values.split_at_mut(near.len() * dim);
        left.chunks_exact_mut(dim).zip(near.clone()).for_each(|(out, row)| self.fitted.read(row, out));
        right.chunks_exact_mut(dim).zip(new.clone()).for_each(|(out, row)| self.queries.read(row, out));
        let both = Points::new(near.len() + new.len(), dim, values)?;
        // Rows are prepared already; only their products matter here.
        let both = Space::new(&both, Metric::Euclidean)?;
        let advice = Advice::change("algorithm", "choose the tree");
        let tiles = Tiles::new(&both).ok_or_else(|| Error::data("there are too many dimensions", advice))?;
        let block = Block { products: self, tiles: &tiles, near: near.start, count: near.len(), new: new.start };
        run.install(|| {
            lists.par_chunks_mut(HEIGHT).enumerate().try_for_each(|(task, lists)| {
                run.check()?;
                block.offer(task * HEIGHT, lists);
                Ok(())
            })
        })
    }
}

/// A block of fitted points, then one of new points, ready for products.
struct Block<'a> {
    products: &'a Products<'a>,
    tiles: &'a Tiles,
    /// The first fitted point, and how many there are.
    near: usize,
    count: usize,
    /// The first new point.
    new: usize,
}

impl Block<'_> {
    /// Offers the fitted points to the lists of the new ones from `first` on.
    fn offer(&self, first: usize, lists: &mut [Shortlist]) {
        let rows = self.count + first..self.count + first + lists.len();
        let mut hopefuls = vec![Hopefuls::new(lists[0].k()); lists.len()];
        let mut tile = vec![0.0; lists.len() * WIDTH];
        for start in (0..self.count).step_by(WIDTH) {
            let columns = start..(start + WIDTH).min(self.count);
            let tile = &mut tile[..lists.len() * columns.len()];
            self.tiles.fill(rows.clone(), columns.clone(), tile);
            for ((row, some), line) in rows.clone().zip(&mut hopefuls).zip(tile.chunks_exact(columns.len())) {
                let slack = self.tiles.slack(row);
                columns.clone().zip(line).for_each(|(column, &entry)| some.offer(entry, column as u32, slack));
            }
        }
        let Products { fitted, queries } = self.products;
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for (row, (list, some)) in lists.iter_mut().zip(&hopefuls).enumerate() {
            let from = queries.row(self.new + first + row, &mut from);
            for &(_, column) in &some.entries {
                let near = self.near + column as usize;
                list.offer(fitted.norm().value(from, fitted.row(near, &mut to)), near as u32);
            }
        }
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

    /// Rows that look random, with copies and ties; each one shifted.
    fn sample(len: usize, dim: usize, salt: usize) -> Points {
        let value = |at: usize| ((at * 7919 + salt * 104_729) % 23) as f64 - 9.3;
        Points::new(len, dim, (0..len * dim).map(value).collect()).unwrap()
    }

    fn by_definition(search: &Search, fitted: &Points, new: &Points, k: usize) -> Vec<Candidate> {
        let space = Space::new(fitted, search.metric()).unwrap();
        let queries = space.admit(new).unwrap();
        let of = |query: usize| {
            let (mut from, mut to) = (Vec::new(), Vec::new());
            let from = queries.row(query, &mut from);
            let value = |row: usize| (space.norm().value(from, space.row(row, &mut to)), row as u32);
            let mut all: Vec<Candidate> = (0..space.len()).map(value).collect();
            all.sort_unstable_by(order);
            all.truncate(k);
            all.into_iter().map(|(value, row)| (space.distance(value), row)).collect::<Vec<_>>()
        };
        (0..new.len()).flat_map(of).collect()
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
    fn more_than_one_block_and_any_precision() {
        let run = Run::new();
        let (fitted, new) = (sample(2 * BLOCK + 100, 4, 0), sample(BLOCK + 65, 4, 1));
        let search = Search::nearest(3).with_algorithm(Algorithm::Brute);
        let found = search.run_on_new(&fitted, &new, &run).unwrap();
        assert_eq!(found, search.with_algorithm(Algorithm::Tree).run_on_new(&fitted, &new, &run).unwrap());
        let narrow = |points: &Points| {
            let values = points.values().iter().map(|value| *value as f32).collect();
            Points::from_elements(points.len(), points.dim(), values).unwrap()
        };
        let wide = |points: &Points| Points::new(points.len(), points.dim(), points.values().to_vec()).unwrap();
        let (fitted, new) = (narrow(&sample(700, 9, 0)), narrow(&sample(70, 9, 1)));
        let expected = search.run_on_new(&wide(&fitted), &wide(&new), &run).unwrap();
        let (fitted, new) = (narrow(&sample(700, 9, 0)), narrow(&sample(70, 9, 1)));
        for (fitted, new) in [(&fitted, &new), (&wide(&fitted), &new), (&fitted, &wide(&new))] {
            for algorithm in [Algorithm::Brute, Algorithm::Tree] {
                assert_eq!(search.with_algorithm(algorithm).run_on_new(fitted, new, &run).unwrap(), expected);
            }
        }
    }

    #[test]
    fn clusters_far_apart_are_told_apart_within_each() {
        // Single precision cannot tell these apart: the slack is wider than the distances in a cluster.
        let value =
            |at: usize| if at.is_multiple_of(2) { 1e6 * (at / 2 % 3) as f64 } else { (at * 31 % 101) as f64 * 1e-6 };
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
