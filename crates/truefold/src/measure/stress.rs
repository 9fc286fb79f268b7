//! Kruskal's stress-1, sqrt(sum (d_ij - f_ij)^2 / sum d_ij^2) over all pairs: do embedded distances follow the input's?
//!
//! d_ij = |y_i - y_j|, and f is the isotonic regression of d on the input distance, by the metric of the evaluation.
//! Kruskal, Psychometrika 29, 1964. All embedded points in one place: 1.
//!
//! Resolution: input distances are put into bins whose width is 1.2e-4 of the distance, over a range of 2^32 below the
//! largest, and pairs in one bin count as tied with tied f (Kruskal's secondary approach). Memory is that of the
//! bins, never of the pairs; a perfect copy has a stress of about 3e-5 rather than 0, with far outliers too.
//!
//! The value of a point is the same ratio over its own pairs. Of a sample of points the pairs of each with all points
//! are taken; with A_i and B_i the sums of point i, u_i = A_i - stress^2 B_i, and m of n points the standard error is
//! sqrt((1 - m/n) m/(m-1) sum u_i^2) / (2 stress sum B_i): the delta method, in which the change of f drops out as f is
//! the minimizer. By chance: the mean over a few maps with their rows in random order, each compared at a part of
//! the points where there are many. Cost: two passes over the pairs, and two for what chance gives.

use super::distances::{Distances, Tile};
use super::sample::Sample;
use super::shuffled::{self, DRAWS};
use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side, isotonic};
use crate::{Result, Run};
use std::ops::Range;

/// Leading bits of a distance's binary fraction that tell its bin, and powers of two that have bins of their own.
const FRACTION: u32 = 13;
const OCTAVES: usize = 32;

/// Bins of input distances.
const BINS: usize = OCTAVES << FRACTION;

/// Points that share the tiles they are compared with.
const BLOCK: usize = 64;

/// The most parts of the first pass, each with bins of its own until they are added.
const PARTS: usize = 16;

/// Points with which each draw compares at least, all where there are no more: fewer could be fitted too well.
const COMPARED: usize = 2048;

pub(super) struct Stress;

impl Measure for Stress {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "stress",
            symbol: "stress",
            summary: "Kruskal's stress-1: how far embedded distances are from following the order of input distances",
            range: "0 to 1",
            better: Better::Lower,
            invariant: "rigid motions and scaling of X and of Y",
            cost: Cost::Quadratic,
            side: Side::Both,
            default: false,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        let (sample, run) = (evaluation.sample(), evaluation.run());
        let input = Distances::new(evaluation.input(), evaluation.metric())?;
        let reach = input.reach();
        let pairs = Pairs {
            input: &input,
            embedded: &Distances::euclidean(evaluation.embedding())?,
            scale: if reach > 0.0 { 1.0 / reach } else { 0.0 },
            others: 0..input.len(),
            own: None,
            once: sample.is_whole(),
        };
        let sums = pairs.sums(sample.rows(), run)?;
        let (stress, standard_error) = of_sums(&sums, sample);
        let values: Vec<f64> = sums.iter().copied().map(ratio).collect();
        by_chance(evaluation, &pairs, sample.score(stress, standard_error, &values))
    }
}

/// The stress and its standard error from the sums of the sampled points.
fn of_sums(sums: &[[f64; 2]], sample: &Sample) -> (f64, Option<f64>) {
    let [residual, extent] = sums.iter().fold([0.0, 0.0], |all, row| [all[0] + row[0], all[1] + row[1]]);
    let stress = ratio([residual, extent]);
    let standard_error = (!sample.is_whole()).then(|| {
        let count = sums.len() as f64;
        let squares: f64 = sums.iter().map(|row| (row[0] - stress * stress * row[1]).powi(2)).sum();
        let error = (squares * count / (count - 1.0) * sample.correction()).sqrt() / (2.0 * stress * extent);
        // No stress or no extent: every row says the same.
        if error.is_finite() { error } else { 0.0 }
    });
    (stress, standard_error)
}

/// The stress of points sampled out of `count`, its standard error and the value of each, from the sums of (d - f)^2 and of
/// d^2 over the pairs of each; see [`super::Beside::residuals`].
///
/// ```
/// let (stress, error, values) = truefold::measure::stress_of_sums(&[[1.0, 4.0], [1.0, 4.0]], 9);
/// assert_eq!((stress, error, values), (0.5, Some(0.0), vec![0.5, 0.5]));
/// ```
pub fn stress_of_sums(sums: &[[f64; 2]], count: usize) -> (f64, Option<f64>, Vec<f64>) {
    let (stress, error) = of_sums(sums, &Sample::of_size(sums.len(), count));
    (stress, error, sums.iter().copied().map(ratio).collect())
}

/// The root of the first sum over the second; 1 without extent.
fn ratio([residual, extent]: [f64; 2]) -> f64 {
    if extent > 0.0 { (residual / extent).sqrt() } else { 1.0 }
}

/// The score with what maps with their rows in random order give, each compared with a part of the points.
fn by_chance(evaluation: &Evaluation<'_>, pairs: &Pairs<'_>, score: Score) -> Result<Score> {
    let (sample, count) = (evaluation.sample(), pairs.input.len());
    let (mut values, mut per_point) = ([0.0; DRAWS], vec![0.0; sample.rows().len()]);
    let size = count.div_ceil(DRAWS).max(COMPARED).min(count);
    for (draw, embedding) in shuffled::embeddings(evaluation).iter().enumerate() {
        let first = (draw * size).min(count - size);
        let embedded = &Distances::euclidean(embedding)?;
        let mixed = Pairs { embedded, others: first..first + size, once: false, ..*pairs };
        let sums = mixed.sums(sample.rows(), evaluation.run())?;
        values[draw] = ratio(sums.iter().fold([0.0, 0.0], |all, row| [all[0] + row[0], all[1] + row[1]]));
        for (mean, row) in per_point.iter_mut().zip(sums) {
            *mean += ratio(row) / DRAWS as f64;
        }
    }
    let score = score.with_chance(Some(shuffled::chance(values)));
    Ok(Score { per_point_chance: Some(sample.spread(&per_point)), ..score })
}

/// Input and embedded distances side by side.
pub(super) struct Pairs<'a> {
    pub(super) input: &'a Distances<'a>,
    pub(super) embedded: &'a Distances<'a>,
    /// One over a distance that no pair exceeds.
    pub(super) scale: f64,
    /// The points with which each source is compared.
    pub(super) others: Range<usize>,
    /// The place of each source among all, where it is not the source itself.
    pub(super) own: Option<&'a [usize]>,
    /// Whether all points are sources, so that each pair would come twice and only once is regressed.
    pub(super) once: bool,
}

impl Pairs<'_> {
    /// The place of a source among the points that it is compared with.
    #[inline(always)]
    fn own(&self, source: u32) -> usize {
        self.own.map_or(source as usize, |own| own[source as usize])
    }

    /// For each source the sums of (d - f)^2 and of d^2 over its pairs.
    fn sums(&self, sources: &[u32], run: &Run) -> Result<Vec<[f64; 2]>> {
        self.residuals(sources, &isotonic::fit(&self.bins(sources, run)?), run)
    }

    /// The number of pairs and the sum of embedded distances in each bin.
    pub(super) fn bins(&self, sources: &[u32], run: &Run) -> Result<Vec<[f64; 2]>> {
        let arch = pulp::Arch::new();
        let parts =
            run.chunks("stress: regression", sources.len(), sources.len().div_ceil(PARTS).max(BLOCK), |range| {
                let mut bins = vec![[0.0; 2]; BINS];
                for block in sources[range].chunks(BLOCK) {
                    run.check()?;
                    let from = if self.once { block[0] as usize } else { 0 };
                    // The closure takes the bins: if it only borrowed them, it would not be compiled for the machine's
                    // vector width.
                    bins = arch.dispatch(
                        #[inline(always)]
                        || {
                            let mut bins = bins;
                            self.each_row(
                                block,
                                from,
                                #[inline(always)]
                                |place, first, places, distances| {
                                    let own = self.own(block[place]).wrapping_sub(first);
                                    let start =
                                        if self.once { (block[place] as usize + 1).saturating_sub(first) } else { 0 };
                                    for at in start..places.len() {
                                        let bin = &mut bins[places[at] as usize % BINS];
                                        bin[0] += 1.0;
                                        bin[1] += distances[at];
                                    }
                                    if !self.once && own < places.len() {
                                        bins[places[own] as usize % BINS][0] -= 1.0;
                                    }
                                },
                            );
                            bins
                        },
                    );
                }
                Ok(bins)
            })?;
        let mut bins = vec![[0.0; 2]; BINS];
        for part in &parts {
            for (bin, part) in bins.iter_mut().zip(part) {
                bin[0] += part[0];
                bin[1] += part[1];
            }
        }
        Ok(bins)
    }

    /// For each source the sums of (d - f)^2 and of d^2 over its pairs.
    pub(super) fn residuals(&self, sources: &[u32], fitted: &[f64], run: &Run) -> Result<Vec<[f64; 2]>> {
        let arch = pulp::Arch::new();
        let chunks = run.chunks("stress: residuals", sources.len(), BLOCK, |range| {
            let block = &sources[range];
            let sums = vec![[0.0; 2]; block.len()];
            Ok(arch.dispatch(
                #[inline(always)]
                || {
                    let mut sums = sums;
                    self.each_row(
                        block,
                        0,
                        #[inline(always)]
                        |place, first, places, distances| {
                            let own = self.own(block[place]).wrapping_sub(first);
                            let (lower, upper) = (own.min(places.len()), own.saturating_add(1).min(places.len()));
                            let before = residual(&places[..lower], &distances[..lower], fitted);
                            let after = residual(&places[upper..], &distances[upper..], fitted);
                            for side in 0..2 {
                                sums[place][side] += before[side] + after[side];
                            }
                        },
                    );
                    sums
                },
            ))
        })?;
        Ok(chunks.concat())
    }

    /// Calls `visit` with a place in `block`, the first row of a tile, and the bins and embedded distances from that
    /// point to the points of the tile, for all tiles of the others from row `from`.
    #[inline(always)]
    fn each_row(&self, block: &[u32], from: usize, mut visit: impl FnMut(usize, usize, &[i32], &[f64])) {
        let (mut input, mut embedded) = (Tile::default(), Tile::default());
        let (mut places, mut distances) = (Vec::new(), Vec::new());
        let size = self.input.tile_len().min(self.embedded.tile_len());
        for first in (from.max(self.others.start)..self.others.end).step_by(size) {
            let end = (first + size).min(self.others.end);
            input.load(self.input, first, end);
            embedded.load(self.embedded, first, end);
            for (place, &source) in block.iter().enumerate() {
                let values = input.values(self.input, source as usize);
                places.clear();
                places.extend(values.iter().map(
                    #[inline(always)]
                    |&value| bin_of(self.input.distance(value) * self.scale),
                ));
                let values = embedded.values(self.embedded, source as usize);
                distances.clear();
                distances.extend(values.iter().map(|value| value.sqrt()));
                visit(place, first, &places, &distances);
            }
        }
    }
}

/// The bin of a distance, given as a share of the largest: the leading bits of a positive number grow with it.
#[inline(always)]
fn bin_of(share: f64) -> i32 {
    const LAST: i32 = (1.0_f32.to_bits() >> (23 - FRACTION)) as i32;
    let leading = ((share as f32).to_bits() >> (23 - FRACTION)) as i32;
    (leading - LAST + BINS as i32 - 1).clamp(0, BINS as i32 - 1)
}

/// The sums of (d - f)^2 and of d^2, in four interleaved partial sums.
#[inline(always)]
fn residual(places: &[i32], distances: &[f64], fitted: &[f64]) -> [f64; 2] {
    let (mut residuals, mut extents) = ([0.0; 4], [0.0; 4]);
    for (places, distances) in places.chunks(4).zip(distances.chunks(4)) {
        for (lane, (&bin, distance)) in places.iter().zip(distances).enumerate() {
            let residual = distance - fitted[bin as usize % BINS];
            residuals[lane] += residual * residual;
            extents[lane] += distance * distance;
        }
    }
    [residuals, extents].map(|sums| (sums[0] + sums[1]) + (sums[2] + sums[3]))
}
