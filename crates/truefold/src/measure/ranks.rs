//! Ranks of chosen pairs: rank(i, j) = 1 + the number of l other than i and j with (dist(i, l), l) before (dist(i, j),
//! j).
//!
//! From them the share of order that neighborhoods keep, 1 - (sum over j of max(0, rank(i, j) - k_i)) / worst_i, where
//! worst_i is the largest that the sum can be: k (2n - 3k - 1) / 2 for k < n/2, otherwise (n - 1 - k)(n - k) / 2. Venna
//! and Kaski, ICANN 2001, have the first case only. By chance, where the rows of the map are in random order, every rank
//! from 1 to n - 1 is as likely, so the sum is k (n - 1 - k)(n - k) / (2 (n - 1)) on average. Ranks are counted against the values of the few targets, never
//! sorted; a point without targets costs nothing. Cost: O(n) per point with targets, with the points of a tile read
//! from the cache.

use super::distances::{Distances, Tile};
use super::{Chance, Evaluation, Score, mean_of_finite};
use crate::Result;
use std::ops::Range;

/// Points that share the tiles they are compared with.
const BLOCK: usize = 64;

/// Past so many targets a search among their sorted values is faster than to compare with each.
const FEW: usize = 64;

/// The mean over the sampled points i of 1 - sum / worst, where `targets` names the points j whose rank may exceed k_i.
pub(super) fn kept_order(
    evaluation: &Evaluation<'_>,
    stage: &str,
    distances: &Distances<'_>,
    targets: impl Fn(usize, &mut Vec<u32>, &mut Vec<u32>) + Send + Sync,
) -> Result<Score> {
    let (sample, run, arch) = (evaluation.sample(), evaluation.run(), pulp::Arch::new());
    let chunks = run.chunks(stage, sample.rows().len(), BLOCK, |range| {
        let (mut chosen, mut work) = (Vec::new(), Vec::new());
        let mut counts: Vec<Count> = Vec::with_capacity(range.len());
        for &source in &sample.rows()[range] {
            targets(source as usize, &mut chosen, &mut work);
            counts.push(Count::new(distances, source as usize, &chosen));
        }
        // The closure takes the counts: if it only borrowed them, it would not be compiled for the machine's vector
        // width.
        let counts = arch.dispatch(
            #[inline(always)]
            || count_all(distances, 0..distances.len(), counts),
        );
        let kept = counts.iter().map(|count| {
            let k = evaluation.neighborhoods().neighbors(count.source).len();
            let excess: f64 = count.ranks().map(|rank| rank.saturating_sub(k as u64) as f64).sum();
            order_kept(distances.len(), k, excess)
        });
        Ok(kept.collect::<Vec<f64>>())
    })?;
    let score = sample.mean(&chunks.concat());
    let neighbors = |row: &u32| evaluation.neighborhoods().neighbors(*row as usize).len();
    let by_chance: Vec<f64> =
        sample.rows().iter().map(|row| order_by_chance(distances.len(), neighbors(row))).collect();
    let chance = Chance::exact(mean_of_finite(&by_chance).0);
    Ok(Score { per_point_chance: Some(sample.spread(&by_chance)), ..score.with_chance(chance) })
}

/// How many rows of `others` come before each target of each source from `first` on, the targets of a source in their order; for
/// targets whose values are known.
pub(super) fn before(
    distances: &Distances<'_>,
    first: usize,
    others: Range<usize>,
    targets: Vec<Vec<(f64, u32)>>,
) -> Vec<Vec<u64>> {
    let counts: Vec<Count> =
        targets.into_iter().zip(first..).map(|(some, source)| Count::known(source, some)).collect();
    let counts = pulp::Arch::new().dispatch(
        #[inline(always)]
        || count_all(distances, others, counts),
    );
    counts.iter().map(|count| count.before().collect()).collect()
}

/// The share of order that a point keeps whose k points have ranks that exceed k by so much in sum, among `count` points.
///
/// ```
/// use truefold::measure::{order_by_chance, order_kept};
///
/// assert_eq!((order_kept(100, 5, 0.0), order_kept(100, 99, 0.0)), (1.0, 1.0));
/// assert!((order_by_chance(10_000, 12) - 0.5).abs() < 0.01);
/// ```
pub fn order_kept(count: usize, k: usize, excess: f64) -> f64 {
    let worst = worst(count, k);
    if worst > 0.0 { 1.0 - excess / worst } else { 1.0 }
}

/// The share of order that is kept on average where every rank of the k points is as likely; see [`order_kept`].
pub fn order_by_chance(count: usize, k: usize) -> f64 {
    let (n, neighbors) = (count as f64, k as f64);
    order_kept(count, k, neighbors * (n - 1.0 - neighbors) * (n - neighbors) / (2.0 * (n - 1.0)))
}

/// The largest possible sum of the ranks beyond k of k points among n - 1.
fn worst(count: usize, k: usize) -> f64 {
    let (n, k) = (count as f64, k as f64);
    if k < n / 2.0 { k * (2.0 * n - 3.0 * k - 1.0) / 2.0 } else { (n - 1.0 - k) * (n - k) / 2.0 }
}

/// The points counted so far before each target of one source.
struct Count {
    source: usize,
    /// Value and row, in this order.
    targets: Vec<(f64, u32)>,
    /// How many points come before each target or, if there are many targets, between it and the target before.
    before: Vec<u64>,
}

impl Count {
    fn new(distances: &Distances<'_>, source: usize, targets: &[u32]) -> Self {
        let mut targets: Vec<(f64, u32)> =
            targets.iter().map(|&target| (distances.value(source, target as usize), target)).collect();
        targets.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self::known(source, targets)
    }

    /// For targets in order whose values are known.
    fn known(source: usize, targets: Vec<(f64, u32)>) -> Self {
        Self { source, before: vec![0; targets.len() + 1], targets }
    }

    /// Counts the points of a tile that begins with row `first`.
    #[inline(always)]
    fn add(&mut self, values: &[f64], first: usize) {
        if self.targets.len() <= FEW {
            for (&(value, row), before) in self.targets.iter().zip(&mut self.before) {
                // Rows below the target come before it where they tie.
                let (lower, upper) = values.split_at((row as usize).saturating_sub(first).min(values.len()));
                *before += lower.iter().map(|&other| u64::from(other <= value)).sum::<u64>()
                    + upper.iter().map(|&other| u64::from(other < value)).sum::<u64>();
            }
        } else {
            let farthest = self.targets[self.targets.len() - 1].0;
            for (&other, row) in values.iter().zip(first as u32..) {
                if other <= farthest {
                    let place = self.targets.partition_point(|&(value, target)| (value, target) <= (other, row));
                    self.before[place] += 1;
                }
            }
        }
    }

    /// How many points were counted before each target, nearest first.
    fn before(&self) -> impl Iterator<Item = u64> {
        let mut sum = 0;
        self.before[..self.targets.len()].iter().map(move |&before| {
            sum = if self.targets.len() <= FEW { before } else { sum + before };
            sum
        })
    }

    /// The rank of each target, nearest first.
    fn ranks(&self) -> impl Iterator<Item = u64> {
        // The source itself was counted where its own value, zero, comes first.
        let own = |target: &(f64, u32)| u64::from((0.0, self.source as u32) < *target);
        self.targets.iter().zip(self.before()).map(move |(target, before)| 1 + before - own(target))
    }
}

#[inline(always)]
fn count_all(distances: &Distances<'_>, others: Range<usize>, mut counts: Vec<Count>) -> Vec<Count> {
    if counts.iter().all(|count| count.targets.is_empty()) {
        return counts;
    }
    let mut tile = Tile::default();
    for first in others.clone().step_by(distances.tile_len()) {
        tile.load(distances, first, (first + distances.tile_len()).min(others.end));
        for count in counts.iter_mut() {
            if !count.targets.is_empty() {
                count.add(tile.values(distances, count.source), first);
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;

    #[test]
    fn the_worst_sum_is_that_of_the_farthest_points() {
        for n in 2..20 {
            for k in 1..n {
                // The k last ranks of 1..n-1.
                let expected: usize = (n - k..n).map(|rank: usize| rank.saturating_sub(k)).sum();
                assert_eq!(worst(n, k), expected as f64, "{n} {k}");
            }
        }
    }

    #[test]
    fn chance_is_the_mean_over_all_ranks() {
        for n in 2..20 {
            for k in 1..n {
                let excess: usize = (1..n).map(|rank: usize| rank.saturating_sub(k)).sum();
                let expected = k as f64 * excess as f64 / (n - 1) as f64;
                let kept = if worst(n, k) > 0.0 { 1.0 - expected / worst(n, k) } else { 1.0 };
                assert!((order_by_chance(n, k) - kept).abs() < 1e-14, "{n} {k}");
            }
        }
    }

    #[test]
    fn counted_ranks_are_places_in_the_sorted_row_with_ties_and_copies() {
        // More than one tile, few different values, so that nearly all tie.
        let points = Points::new(1500, 2, (0..3000).map(|i| f64::from(i * i % 7)).collect()).unwrap();
        let distances = Distances::euclidean(&points).unwrap();
        for source in [0, 5, 1200, 1499] {
            let mut order: Vec<u32> = (0..1500).filter(|&row| row as usize != source).collect();
            order.sort_by(|&a, &b| {
                distances.value(source, a as usize).total_cmp(&distances.value(source, b as usize)).then(a.cmp(&b))
            });
            for step in [1, 100] {
                let expected: Vec<u64> = (1..1500).step_by(step).collect();
                let targets: Vec<u32> = expected.iter().map(|&rank| order[rank as usize - 1]).collect();
                let counts = count_all(&distances, 0..1500, vec![Count::new(&distances, source, &targets)]);
                assert_eq!(counts[0].ranks().collect::<Vec<_>>(), expected);
            }
        }
    }
}
