//! What is looked at: some points of the data with their nearest neighbors, and the spectra of their charts by size.
//!
//! Where there are many points an even choice of them is looked at, always the same one; their neighbors are searched
//! among all points. Cost: one search for each point looked at, and a chart of each size.

use crate::data::Input;
use crate::linalg::square;
use crate::local::Chart;
use crate::{Metric, Points, Result, Run, Search};

/// Sizes of neighborhoods that are tried.
const SIZES: &[usize] = &[6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256];
/// Beyond this many coordinates a chart costs the cube of its size, and less is looked at.
const MANY_COORDINATES: usize = 64;
/// The most points of many coordinates that are looked at, and the largest size.
const FEW_ROWS: usize = 250;
const LARGEST: usize = 96;
/// Axes of a chart that are kept apart.
const AXES: usize = 40;
/// Axes that are told.
const SHOWN: usize = 10;

/// Points that were looked at, and what is near them.
pub(super) struct Look<'a> {
    pub(super) points: &'a Points,
    /// The rows looked at.
    pub(super) rows: Vec<u32>,
    /// For each its nearest others with their distances, nearest first.
    pub(super) near: Vec<Vec<(f64, u32)>>,
    /// The sizes tried, smallest first.
    pub(super) sizes: Vec<usize>,
    /// For each size the spectra at the points looked at.
    pub(super) spectra: Vec<Vec<Spectrum>>,
}

/// The squares of the chart of one neighborhood, axis by axis.
#[derive(Debug, Clone)]
pub(super) struct Spectrum {
    /// Those of the first axes, longest first.
    pub(super) axes: Vec<f64>,
    /// Those of all.
    pub(super) total: f64,
}

impl Spectrum {
    /// What the axes past the first `dim` hold.
    pub(super) fn beyond(&self, dim: usize) -> f64 {
        (self.total - self.axes.iter().take(dim).sum::<f64>()).max(0.0)
    }

    /// The same as a share of the whole.
    pub(super) fn share_beyond(&self, dim: usize) -> f64 {
        if self.total > 0.0 { self.beyond(dim) / self.total } else { 0.0 }
    }
}

impl<'a> Look<'a> {
    /// Looks at no more than `most` points; no two of `points` may coincide.
    pub(super) fn new(points: &'a Points, metric: Metric, most: usize, run: &Run) -> Result<Self> {
        let (count, wide) = (points.len(), points.dim() > MANY_COORDINATES);
        let largest = (count - 1).min((count / 5).max(8)).min(if wide { LARGEST } else { SIZES[SIZES.len() - 1] });
        let mut sizes: Vec<usize> = SIZES.iter().copied().filter(|&size| size <= largest).collect();
        if sizes.is_empty() {
            sizes.push(largest);
        }
        let charted = if wide { FEW_ROWS.min(most / 4) } else { most };
        Self::with(points, metric, even(count, most), sizes, largest, charted, run)
    }

    /// Looks at every point, with charts of `size` neighbors and `reach` neighbors beside it.
    pub(super) fn at_size(points: &'a Points, metric: Metric, size: usize, reach: usize, run: &Run) -> Result<Self> {
        let count = points.len();
        let reach = reach.max(size).max(20).min(count - 1);
        Self::with(points, metric, even(count, count), vec![size.min(count - 1)], reach, count, run)
    }

    fn with(
        points: &'a Points,
        metric: Metric,
        rows: Vec<u32>,
        sizes: Vec<usize>,
        reach: usize,
        charted: usize,
        run: &Run,
    ) -> Result<Self> {
        let near = Search::nearest(reach).with_metric(metric).run_for(points, &rows, run)?;
        let charted = even(rows.len(), charted);
        let input = Input::Points(points);
        let parts = run.chunks("local spectra", charted.len(), 16, |range| {
            let mut chart = Chart::default();
            let mut spectra = Vec::with_capacity(range.len());
            for &at in &charted[range] {
                let mut members = vec![rows[at as usize]];
                members.extend(near[at as usize].iter().map(|one| one.1));
                let mut by_size = Vec::with_capacity(sizes.len());
                for &size in &sizes {
                    chart.fill(&input, &members[..=size])?;
                    let squares = chart.columns().chunks_exact(chart.stride()).map(square);
                    let axes: Vec<f64> = squares.clone().take(AXES).collect();
                    by_size.push(Spectrum { axes, total: squares.sum() });
                }
                spectra.push(by_size);
            }
            Ok(spectra)
        })?;
        let mut spectra: Vec<Vec<Spectrum>> = vec![Vec::with_capacity(charted.len()); sizes.len()];
        for by_size in parts.into_iter().flatten() {
            for (of_size, spectrum) in spectra.iter_mut().zip(by_size) {
                of_size.push(spectrum);
            }
        }
        Ok(Self { points, rows, near, sizes, spectra })
    }

    /// The mean share of each axis, in charts of about `size` neighbors.
    pub(super) fn mean_shares(&self, size: usize) -> Vec<f64> {
        let at = (0..self.sizes.len()).min_by_key(|&at| self.sizes[at].abs_diff(size)).unwrap_or(0);
        let spectra = &self.spectra[at];
        let mut shares = vec![0.0; self.points.dim().min(SHOWN)];
        for spectrum in spectra.iter().filter(|spectrum| spectrum.total > 0.0) {
            for (share, axis) in shares.iter_mut().zip(&spectrum.axes) {
                *share += axis / spectrum.total / spectra.len() as f64;
            }
        }
        shares
    }
}

/// No more than `most` of the numbers below `count`, evenly.
pub(super) fn even(count: usize, most: usize) -> Vec<u32> {
    let taken = count.min(most.max(1));
    (0..taken).map(|at| (at as u64 * count as u64 / taken as u64) as u32).collect()
}

/// The middle one of some numbers, the lower of two.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = (values.len() - 1) / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
