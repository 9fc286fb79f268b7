//! Approximate neighbors: neighbors of neighbors are tried until few lists change.
//!
//! NN-descent (Dong, Charikar, Li 2011), started from random-projection trees. Differs from the paper: in a round every
//! point reads the graph of the round before and changes only its own list, so that the result depends on the seed
//! alone and not on the threads; the price is that a pair is measured from both sides. More neighbors are kept than
//! asked for, and the final choice is in double precision. The share of true neighbors is estimated by an exact search
//! for some of the points. Cost: about n^1.1 in practice, times q.

use super::engine::Engine;
use super::forest::{forest, hash, lanes};
use super::search::nearest;
use super::shortlist::{Candidate, order};
use super::{Algorithm, Metric, Neighborhoods, Norm, Origin, Reach, Space};
use crate::error::Advice;
use crate::{Error, Result, Run};

/// Trees that give the first lists.
const TREES: usize = 8;
/// New neighbors of a point, and as many old ones, that a round tries in each direction.
const SAMPLE: usize = 10;
/// Rounds at most.
const ROUNDS: usize = 12;
/// Points whose true neighbors are searched to estimate the recall.
const CHECKED: usize = 1000;
/// Fewer points are searched exactly.
const FEW: usize = 2000;
/// Points of one task.
const TASK: usize = 256;

/// A neighbor found so far; it is `new` until its own neighbors have been tried.
#[derive(Debug, Clone, Copy)]
struct Link {
    value: f32,
    row: u32,
    new: bool,
}

/// The `k` nearest of every row; a few may be missed.
pub(super) fn approximate(space: &Space, reach: Reach, metric: Metric, run: &Run) -> Result<Neighborhoods> {
    let Reach::Nearest(k) = reach else {
        return Err(Error::parameter(
            "approximate",
            "true",
            "cannot be used with a radius: only a number of nearest neighbors can be found approximately",
            Advice::change("k", "choose {k}, or leave {approximate} out"),
        ));
    };
    let count = space.len();
    if count <= FEW || k + 1 >= count / 8 {
        let engine = Engine::new(space, Algorithm::Auto, reach, run)?;
        let origin = Origin::Approximate { reach, metric, recall: 1.0, standard_error: 0.0, checked: count };
        return nearest(count, k, origin, |emit| engine.each_nearest(k, emit, run));
    }
    let graph = Descent::new(space, k, run)?.run(run)?;
    let lists =
        run.chunks("neighbors", count, TASK, |range| Ok(range.map(|row| exact(space, row, &graph[row], k)).collect()))?;
    let lists: Vec<Vec<Candidate>> = lists.into_iter().flat_map(|chunk: Vec<_>| chunk).collect();
    let (recall, standard_error, checked) = recall(space, &lists, k, run)?;
    let origin = Origin::Approximate { reach, metric, recall, standard_error, checked };
    nearest(count, k, origin, |emit| lists.iter().enumerate().try_for_each(|(row, list)| emit(row as u32, list)))
}

/// The first k links in double precision.
fn exact(space: &Space, row: usize, links: &[Link], k: usize) -> Vec<Candidate> {
    let value = |link: &Link| (space.value(row, link.row as usize), link.row);
    let mut list: Vec<Candidate> = links.iter().map(value).collect();
    list.sort_unstable_by(order);
    list.truncate(k);
    list
}

/// The share of true neighbors in the lists of sampled rows, its standard error, and the number of rows.
fn recall(space: &Space, lists: &[Vec<Candidate>], k: usize, run: &Run) -> Result<(f64, f64, usize)> {
    let count = lists.len();
    let mut rows: Vec<u32> = (0..count as u32).collect();
    rows.sort_by_key(|row| hash(run.seed() ^ 0xA5A5, u64::from(*row)));
    rows.truncate(CHECKED);
    let truth = Engine::new(space, Algorithm::Auto, Reach::Nearest(k), run)?.nearest_of(&rows, k, space, run)?;
    let shares: Vec<f64> = rows
        .iter()
        .zip(&truth)
        .map(|(row, truth)| {
            // A point as near as the last true neighbor counts as true.
            let hits = lists[*row as usize].iter().filter(|one| one.0 <= truth[k - 1].0).count();
            hits as f64 / k as f64
        })
        .collect();
    let number = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / number;
    let variance = shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / (number - 1.0);
    Ok((mean, (variance / number).sqrt(), shares.len()))
}

/// The graph as it is being improved.
struct Descent {
    values: Vec<f32>,
    dim: usize,
    norm: Norm,
    kept: usize,
    lists: Vec<Vec<Link>>,
}

impl Descent {
    /// The lists that the trees give.
    fn new(space: &Space, k: usize, run: &Run) -> Result<Self> {
        let (count, dim) = (space.len(), space.dim());
        let mut first = vec![0.0; dim];
        space.read(0, &mut first);
        // Relative to one point and to the spread, so that single precision suffices.
        let mut largest = 0.0_f64;
        space.each_row(|row| {
            largest =
                row.iter().zip(&first).fold(largest, |largest, (value, first)| largest.max((value - first).abs()));
        });
        let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        let mut values: Vec<f32> = Vec::with_capacity(count * dim);
        space.each_row(|row| {
            values.extend(row.iter().zip(&first).map(|(value, first)| ((value - first) * scale) as f32))
        });
        let mut descent =
            Self { values, dim, norm: space.norm(), kept: k + (k / 2).max(8), lists: vec![Vec::new(); count] };
        let forest = forest(&descent.values, dim, TREES, run)?;
        let mates: Vec<Vec<(u32, u32)>> = forest
            .iter()
            .map(|grove| {
                let mut leaf_of = vec![(0, 0); count];
                for leaf in grove.starts.windows(2) {
                    grove.rows[leaf[0] as usize..leaf[1] as usize]
                        .iter()
                        .for_each(|row| leaf_of[*row as usize] = (leaf[0], leaf[1]));
                }
                leaf_of
            })
            .collect();
        let candidates = |row: usize, found: &mut Vec<u32>| {
            for (grove, leaf_of) in forest.iter().zip(&mates) {
                let (start, end) = leaf_of[row];
                found.extend_from_slice(&grove.rows[start as usize..end as usize]);
            }
            // A leaf may be too small to fill a list.
            found.extend(
                (0..descent.kept as u64).map(|draw| (hash(hash(run.seed(), row as u64), draw) % count as u64) as u32),
            );
        };
        descent.lists = descent.improve("first neighbors", &candidates, run)?.0;
        Ok(descent)
    }

    /// Rounds until few lists change.
    fn run(mut self, run: &Run) -> Result<Vec<Vec<Link>>> {
        for round in 0..ROUNDS {
            let [new, old] = [true, false].map(|new| self.sample(new, hash(run.seed(), round as u64)));
            for (list, tried) in self.lists.iter_mut().zip(&new) {
                list.iter_mut().for_each(|link| link.new &= !tried.contains(&link.row));
            }
            let candidates = |row: usize, found: &mut Vec<u32>| {
                for &via in &new[row] {
                    found.extend_from_slice(&new[via as usize]);
                    found.extend_from_slice(&old[via as usize]);
                }
                for &via in &old[row] {
                    found.extend_from_slice(&new[via as usize]);
                }
            };
            let (lists, changes) = self.improve("neighbors of neighbors", &candidates, run)?;
            self.lists = lists;
            if changes * 1000 < self.lists.len() * self.kept {
                break;
            }
        }
        Ok(self.lists)
    }

    /// For each point some of its new or old neighbors, and some of the points that have it as a neighbor.
    fn sample(&self, new: bool, seed: u64) -> Vec<Vec<u32>> {
        let mut reverse: Vec<Vec<u32>> = vec![Vec::new(); self.lists.len()];
        let mut forward: Vec<Vec<u32>> = Vec::with_capacity(self.lists.len());
        for (row, list) in self.lists.iter().enumerate() {
            let some: Vec<u32> = list.iter().filter(|link| link.new == new).take(SAMPLE).map(|link| link.row).collect();
            some.iter().for_each(|&to| reverse[to as usize].push(row as u32));
            forward.push(some);
        }
        for (to, (some, mut from)) in forward.iter_mut().zip(reverse).enumerate() {
            if from.len() > SAMPLE {
                let key = hash(seed, to as u64);
                from.select_nth_unstable_by_key(SAMPLE, |row| (hash(key, u64::from(*row)), *row));
                from.truncate(SAMPLE);
                from.sort_unstable();
            }
            from.retain(|row| !some.contains(row));
            some.append(&mut from);
        }
        forward
    }

    /// Tries the candidates of every row; the new lists and how many links are new in them.
    fn improve(
        &self,
        stage: &str,
        candidates: &(dyn Fn(usize, &mut Vec<u32>) + Sync),
        run: &Run,
    ) -> Result<(Vec<Vec<Link>>, usize)> {
        let chunks = run.chunks(stage, self.lists.len(), TASK, |range| {
            let mut found = Vec::new();
            let mut changes = 0;
            let mut lists = Vec::with_capacity(range.len());
            for row in range {
                found.clear();
                candidates(row, &mut found);
                found.sort_unstable();
                found.dedup();
                let mut list = self.lists[row].clone();
                changes += pulp::Arch::new().dispatch(Try { descent: self, row, found: &found, list: &mut list });
                lists.push(list);
            }
            Ok((lists, changes))
        })?;
        let changes = chunks.iter().map(|chunk| chunk.1).sum();
        Ok((chunks.into_iter().flat_map(|chunk| chunk.0).collect(), changes))
    }
}

/// Measures the candidates of one row and inserts the near ones into its list.
struct Try<'a> {
    descent: &'a Descent,
    row: usize,
    found: &'a [u32],
    list: &'a mut Vec<Link>,
}

impl pulp::WithSimd for Try<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> usize {
        let Descent { values, dim, norm, kept, .. } = self.descent;
        let at = &values[self.row * dim..][..*dim];
        let known: Vec<u32> = self.list.iter().map(|link| link.row).collect();
        let mut changes = 0;
        for &row in self.found {
            if row as usize == self.row || known.contains(&row) {
                continue;
            }
            let to = &values[row as usize * dim..][..*dim];
            let value = match norm {
                Norm::Squares => lanes(at, to, |a, b| (a - b) * (a - b)),
                Norm::Absolutes => lanes(at, to, |a, b| (a - b).abs()),
            };
            let comes_before = |link: &Link| value < link.value || (value == link.value && row < link.row);
            if self.list.len() == *kept && !self.list.last().is_some_and(comes_before) {
                continue;
            }
            let place = self.list.partition_point(|link| !comes_before(link));
            if self.list.len() == *kept {
                self.list.pop();
            }
            self.list.insert(place, Link { value, row, new: true });
            changes += 1;
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Points, Search};

    #[test]
    fn the_stated_recall_is_the_recall() {
        let (count, dim) = (2500, 30);
        let value = |at: usize| {
            (hash(9, (at / dim) as u64 % 5) % 7) as f64 + (hash(1, at as u64) >> 11) as f64 / (1_u64 << 53) as f64
        };
        let points = Points::new(count, dim, (0..count * dim).map(value).collect()).unwrap();
        for metric in [Metric::Euclidean, Metric::Manhattan, Metric::Cosine] {
            let search = Search::nearest(10).with_metric(metric);
            let exact = search.run(&points, &Run::new()).unwrap();
            let found = search.with_algorithm(Algorithm::Approximate).run(&points, &Run::new().with_seed(3)).unwrap();
            let hits = |row| found.neighbors(row).iter().filter(|one| exact.neighbors(row).contains(one)).count();
            let actual = (0..count).map(hits).sum::<usize>() as f64 / (count * 10) as f64;
            let Origin::Approximate { recall, standard_error, checked: 1000, .. } = *found.origin() else { panic!() };
            // Noise that fills thirty dimensions is the hardest case: 0.93 with the cosine.
            assert!(recall > 0.9, "{metric}: {recall}");
            assert!((recall - actual).abs() <= 4.0 * standard_error + 1e-9, "{metric}: {recall} {actual}");
        }
    }

    #[test]
    fn few_points_are_searched_exactly() {
        let points = Points::new(50, 2, (0..100).map(|at| f64::from(at * 37 % 101)).collect()).unwrap();
        let exact = Search::nearest(4).run(&points, &Run::new()).unwrap();
        let found = Search::nearest(4).with_algorithm(Algorithm::Approximate).run(&points, &Run::new()).unwrap();
        assert!((0..50).all(|row| found.members(row) == exact.members(row)));
        assert!(matches!(found.origin(), Origin::Approximate { recall: 1.0, checked: 50, .. }));
    }
}
