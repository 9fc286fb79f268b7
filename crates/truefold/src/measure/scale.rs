//! Neighborhoods kept at every scale: Q_NX(K) = sum_i |N_X^K(i) and N_Y^K(i)| / (K n) over K, and beyond chance
//! R_NX(K) = ((n - 1) Q_NX(K) - K) / (n - 1 - K).
//!
//! N_X^K(i) and N_Y^K(i) are the K points nearest to point i in the input and in the map, ties by row; by chance they
//! share K^2 / (n - 1), so R_NX is 1 where all are kept and 0 on average where the map has nothing to do with the data.
//! Lee and Verleysen, Neurocomputing 72, 2009. Area under the curve over log K: sum_K R_NX(K) / K / sum_K 1 / K for K
//! from 1 to n - 2; Lee, Peluffo-Ordonez and Verleysen, Neurocomputing 169, 2015. The two halves are the same mean over
//! the K up to the split and beyond it. The split is the middle of the log axis, sqrt(n - 1), the same for all maps of the
//! same data. Differs from the paper: Lee and Verleysen split where Q_NX(K) - K / (n - 1) is largest, which every map
//! chooses for itself, so that halves could not be compared.
//!
//! K are spaced by ratio, ten in a decade, and in the last quarter n - 1 - K too; for those between, R_NX is taken on the
//! line in log K between the two beside it. A pair counts from K = max(rank_X, rank_Y) on, so each query needs only the
//! stretch between two K in which each rank lies: the points are counted, and few are sorted. Cost: O(n (q + d)) per
//! query and O(n) memory per thread; the queries are those of the sample. Where points of X coincide and also do in Y,
//! ties by row let chance keep more than 0.

use super::Evaluation;
use super::distances::{Distances, Tile};
use super::sample::Sample;
use super::stretches::Stretches;
use crate::Result;
use std::ops::Range;

/// Queries that share the tiles they are compared with; each holds its distances to all points.
const BLOCK: usize = 8;

/// K in a decade.
const PER_DECADE: f64 = 10.0;

/// How much of the neighborhoods of every size a map keeps.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScaleCurve {
    /// The sizes of neighborhoods, spaced by ratio, from 1 to n - 2; none for two points.
    pub k: Vec<usize>,
    /// The share of each neighborhood of so many points that is kept.
    pub q_nx: Vec<f64>,
    /// The same beyond chance: 1 all, 0 chance.
    pub r_nx: Vec<f64>,
    /// The standard error of `r_nx` at each K, where it was estimated on a sample of points.
    pub standard_error: Option<Vec<f64>>,
    /// The area under `r_nx` over log K, as a mean: 1 the best possible, 0 chance.
    pub area: f64,
    /// The standard error of `area`, where it was estimated on a sample of points.
    pub area_error: Option<f64>,
    /// The same mean over the K up to `split`.
    pub local: f64,
    /// The standard error of `local`, with the split as it is.
    pub local_error: Option<f64>,
    /// The same mean over the K beyond `split`.
    pub global: f64,
    /// The standard error of `global`, with the split as it is.
    pub global_error: Option<f64>,
    /// The largest K of `k`, short of the last, up to the middle of the log axis, sqrt(n - 1).
    pub split: usize,
    /// The number of points whose neighborhoods were compared.
    pub sampled: usize,
}

/// The neighborhoods of every size that the map of `evaluation` keeps, from the points that its options sample.
///
/// ```
/// use truefold::measure::{Evaluation, Options, scale_curve};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let x = Points::new(100, 1, (0..100).map(f64::from).collect())?;
/// // The two ends of the line exchanged: right within each half, wrong between them.
/// let y = Points::new(100, 1, (0..100).map(|i| f64::from((i + 50) % 100)).collect())?;
/// let run = Run::new();
/// let neighborhoods = Neighborhoods::nearest(&x, 4, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, Options::default(), &run)?;
/// let curve = scale_curve(&evaluation)?;
/// assert_eq!((curve.k[0], *curve.k.last().unwrap(), curve.sampled), (1, 98, 100));
/// let at = |size: usize| curve.r_nx[curve.k.iter().position(|&k| k == size).unwrap()];
/// assert!(at(4) > 0.95 && at(79) < -0.2 && curve.global < curve.local && curve.area_error.is_none());
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn scale_curve<'a>(evaluation: &'a Evaluation<'_>) -> Result<&'a ScaleCurve> {
    Ok(&evaluation.curve()?.0)
}

impl ScaleCurve {
    /// The curve, and the area of each sampled point's own.
    pub(super) fn with_areas(evaluation: &Evaluation<'_>) -> Result<(Self, Vec<f64>)> {
        let input = Distances::new(evaluation.input(), evaluation.metric())?;
        let embedded = Distances::euclidean(evaluation.embedding())?;
        let (sample, k) = (evaluation.sample(), sizes(input.len()));
        let chunks = evaluation.run().chunks("neighborhoods of every size", sample.rows().len(), BLOCK, |range| {
            evaluation.run().check()?;
            Ok(kept(&input, &embedded, &sample.rows()[range], &k))
        })?;
        Ok(Self::of(&chunks.concat(), k, sample, input.len()))
    }

    /// The curve of points sampled out of `count`, and the area of each one's own, from the numbers of neighbors that each
    /// keeps at each of [`scale_sizes`], point by point.
    ///
    /// ```
    /// use truefold::measure::{ScaleCurve, scale_sizes};
    ///
    /// // A sampled point of five that keeps all of its neighbors of each size.
    /// let kept: Vec<u32> = scale_sizes(5).iter().map(|&size| size as u32).collect();
    /// let (curve, areas) = ScaleCurve::of_sampled(&kept, 1, 5);
    /// assert_eq!((curve.area, curve.sampled, areas), (1.0, 1, vec![1.0]));
    /// ```
    pub fn of_sampled(kept: &[u32], sampled: usize, count: usize) -> (Self, Vec<f64>) {
        Self::of(kept, sizes(count), &Sample::of_size(sampled, count), count)
    }

    /// From the numbers of neighbors that each query keeps at each K.
    fn of(kept: &[u32], k: Vec<usize>, sample: &Sample, count: usize) -> (Self, Vec<f64>) {
        let (sampled, others) = (sample.rows().len(), (count - 1) as f64);
        let rows = || (0..sampled).map(|query| &kept[query * k.len()..(query + 1) * k.len()]);
        let beyond = |at: usize, share: f64| (others * share - k[at] as f64) / (others - k[at] as f64);
        let share_of = |at: usize, kept: u32| f64::from(kept) / k[at] as f64;
        let q_nx: Vec<f64> = (0..k.len())
            .map(|at| rows().map(|row| u64::from(row[at])).sum::<u64>() as f64 / (k[at] * sampled) as f64)
            .collect();
        let r_nx = (0..k.len()).map(|at| beyond(at, q_nx[at])).collect();
        let at_k = |at: usize| rows().map(|row| beyond(at, share_of(at, row[at]))).collect::<Vec<f64>>();
        let standard_error = (0..k.len()).map(|at| sample.standard_error(&at_k(at))).collect();
        // The mean over the sizes from `first` to `last`, query by query; all is kept where there is no size to ask for.
        let mean = |first: usize, last: usize| -> Vec<f64> {
            if k.is_empty() {
                return vec![1.0; sampled];
            }
            let weights = weights(&k, first, last);
            // Added in the order of the terms, so that a perfect copy has an area of 1 to the last bit.
            let total: f64 = weights.iter().sum();
            let area = |row: &[u32]| {
                let terms = weights.iter().enumerate().map(|(at, weight)| weight * beyond(at, share_of(at, row[at])));
                terms.sum::<f64>() / total
            };
            rows().map(area).collect()
        };
        // The middle of the log axis, and never the last size, so that both halves have some.
        let earlier = &k[..k.len().saturating_sub(1)];
        let split = earlier.iter().rev().find(|&&k| k as f64 <= others.sqrt()).or(k.first()).copied().unwrap_or(0);
        let last = k.last().copied().unwrap_or(0);
        let (areas, local, global) = (mean(1, last), mean(1, split), mean((split + 1).min(last), last));
        let total = |values: &[f64]| values.iter().sum::<f64>() / sampled as f64;
        let curve = Self {
            area: total(&areas),
            area_error: sample.standard_error(&areas),
            local: total(&local),
            local_error: sample.standard_error(&local),
            global: total(&global),
            global_error: sample.standard_error(&global),
            k,
            q_nx,
            r_nx,
            standard_error,
            split,
            sampled,
        };
        (curve, areas)
    }
}

/// The sizes of neighborhoods that are looked at among `count` points: spaced by ratio from 1 on and, as the curve may
/// change quickly there, in the last quarter also back from the largest, n - 1.
///
/// ```
/// assert_eq!(truefold::measure::scale_sizes(5), [1, 2, 3]);
/// ```
pub fn scale_sizes(count: usize) -> Vec<usize> {
    sizes(count)
}

fn sizes(count: usize) -> Vec<usize> {
    let others = count.saturating_sub(1);
    let steps = || (0..).map(|step| 10_f64.powf(f64::from(step) / PER_DECADE).round() as usize);
    let back = steps().take_while(|&rest| rest == 1 || 4 * rest < others).map(|rest| others.saturating_sub(rest));
    let mut sizes: Vec<usize> =
        steps().take_while(|&size| size < others).chain(back.filter(|&size| size > 0)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The weight of each of `sizes` in the sum over all K from `first` to `last` by 1 / K, where the values between two sizes
/// lie on the line in log K between theirs.
fn weights(sizes: &[usize], first: usize, last: usize) -> Vec<f64> {
    let mut weights = vec![0.0; sizes.len()];
    let mut at = 0;
    for size in first..=last {
        while sizes[at] < size {
            at += 1;
        }
        let weight = 1.0 / size as f64;
        if sizes[at] == size {
            weights[at] += weight;
        } else {
            let (below, above) = (sizes[at - 1] as f64, sizes[at] as f64);
            let share = (size as f64 / below).ln() / (above / below).ln();
            weights[at - 1] += weight * (1.0 - share);
            weights[at] += weight * share;
        }
    }
    weights
}

/// For each of `sources`, in turn, how many of its neighbors of each size are the same in both.
fn kept(input: &Distances<'_>, embedded: &Distances<'_>, sources: &[u32], sizes: &[usize]) -> Vec<u32> {
    let all = 0..input.len();
    let (in_data, in_map) = (values(input, sources, all.clone()), values(embedded, sources, all));
    let mut counted = Vec::with_capacity(sources.len() * sizes.len());
    let (mut stretches, mut data, mut map) = (Stretches::default(), Vec::new(), Vec::new());
    for (&source, (in_data, in_map)) in sources.iter().zip(in_data.iter().zip(&in_map)) {
        stretches.find(in_data, source as usize, sizes, &mut data);
        stretches.find(in_map, source as usize, sizes, &mut map);
        // The source itself is nobody's neighbor: it goes where nothing is counted.
        data[source as usize] = sizes.len() as u8;
        let mut counts = [0_u32; 256];
        data.iter().zip(&map).for_each(|(data, map)| counts[usize::from(*data.max(map))] += 1);
        counted.extend(counts[..sizes.len()].iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
    }
    counted
}

/// For each of `sources` the values of its pairs with the points of `others`.
pub(super) fn values(distances: &Distances<'_>, sources: &[u32], others: Range<usize>) -> Vec<Vec<f64>> {
    let lists = vec![Vec::with_capacity(others.len()); sources.len()];
    // The closure takes the lists: if it only borrowed them, it would not be compiled for the machine's vector width.
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || {
            let (mut lists, mut tile) = (lists, Tile::default());
            for first in others.clone().step_by(distances.tile_len()) {
                tile.load(distances, first, (first + distances.tile_len()).min(others.end));
                for (&source, list) in sources.iter().zip(&mut lists) {
                    list.extend_from_slice(tile.values(distances, source as usize));
                }
            }
            lists
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_spaced_by_ratio_between_the_first_and_the_last() {
        assert!(sizes(1).is_empty() && sizes(2).is_empty());
        assert_eq!((sizes(3), sizes(4)), (vec![1], vec![1, 2]));
        assert_eq!(sizes(25), [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 19, 20, 21, 22, 23]);
        let many = sizes(1_000_000);
        assert_eq!((many[many.len() - 2], many[many.len() - 1]), (999_997, 999_998));
        assert!(many.windows(2).all(|pair| pair[0] < pair[1]) && many.len() < 256);
    }

    #[test]
    fn weights_integrate_lines_in_the_logarithm_exactly() {
        let sizes = sizes(5000);
        for (first, last) in [(1, 4998), (1, 316), (317, 4998), (4998, 4998)] {
            let weights = weights(&sizes, first, last);
            for (slope, level) in [(0.0, 1.0), (-0.3, 2.0)] {
                let value = |size: usize| level + slope * (size as f64).ln();
                let found: f64 = sizes.iter().zip(&weights).map(|(&size, weight)| weight * value(size)).sum();
                let total: f64 = (first..=last).map(|size| 1.0 / size as f64).sum();
                let expected = (first..=last).map(|size| value(size) / size as f64).sum::<f64>();
                assert!((found - expected).abs() < 1e-12 * total, "{found} {expected}");
            }
        }
    }
}
