//! A sample of the points with their nearest neighbors, and the spectra of their charts by size.
//!
//! Where there are many points an even sample of them is taken, always the same one; their neighbors are searched among
//! all points. Cost: one search per sampled point, and a chart of each size.

use crate::data::Input;
use crate::linalg::square;
use crate::local::Chart;
use crate::{Metric, Points, Result, Run, Search};

/// The sizes of neighborhoods that are tried.
const SIZES: &[usize] = &[6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256];
/// Beyond this many coordinates a chart costs the cube of its size, and fewer and smaller ones are made.
const MANY_COORDINATES: usize = 64;
/// The most charts of points with many coordinates, and the largest size.
const FEW_ROWS: usize = 250;
const LARGEST: usize = 96;
/// Axes of a chart whose squares are stored.
const AXES: usize = 40;
/// Axes whose shares are reported.
const SHOWN: usize = 10;

/// Sampled points and what is near them.
pub(super) struct NeighborSample<'a> {
    pub(super) points: &'a Points,
    /// The sampled rows.
    pub(super) rows: Vec<u32>,
    /// For each its nearest others with their distances, nearest first.
    pub(super) near: Vec<Vec<(f64, u32)>>,
    /// The sizes tried, smallest first.
    pub(super) sizes: Vec<usize>,
    /// For each size the spectra at the sampled points.
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
    /// That of one axis, as ratios need it: never nothing where there is anything.
    pub(super) fn axis(&self, at: usize) -> f64 {
        self.axes.get(at).copied().unwrap_or(0.0).max(1e-12 * self.total)
    }

    /// What the axes past the first `dim` hold.
    pub(super) fn beyond(&self, dim: usize) -> f64 {
        (self.total - self.axes.iter().take(dim).sum::<f64>()).max(0.0)
    }

    /// The same as a share of the whole.
    pub(super) fn share_beyond(&self, dim: usize) -> f64 {
        if self.total > 0.0 { self.beyond(dim) / self.total } else { 0.0 }
    }
}

/// What is to be sampled.
struct Plan {
    /// The sampled rows.
    rows: Vec<u32>,
    /// The sizes of charts, smallest first.
    sizes: Vec<usize>,
    /// The neighbors of each row.
    reach: usize,
    /// The most rows that get charts.
    charted: usize,
}

impl<'a> NeighborSample<'a> {
    /// Samples no more than `most` points; no two of `points` may coincide.
    pub(super) fn new(points: &'a Points, metric: Metric, most: usize, run: &Run) -> Result<Self> {
        let (count, wide) = (points.len(), points.dim() > MANY_COORDINATES);
        let reach = (count - 1).min((count / 5).max(8)).min(if wide { LARGEST } else { SIZES[SIZES.len() - 1] });
        let mut sizes: Vec<usize> = SIZES.iter().copied().filter(|&size| size <= reach).collect();
        if sizes.is_empty() {
            sizes.push(reach);
        }
        let charted = if wide { FEW_ROWS.min(most / 4) } else { most };
        Self::planned(points, metric, Plan { rows: even(count, most), sizes, reach, charted }, run)
    }

    /// Takes every point, with charts of `size` neighbors and `reach` neighbors beside it.
    pub(super) fn at_size(points: &'a Points, metric: Metric, size: usize, reach: usize, run: &Run) -> Result<Self> {
        let count = points.len();
        let reach = reach.max(size).max(20).min(count - 1);
        let sizes = vec![size.min(count - 1)];
        Self::planned(points, metric, Plan { rows: even(count, count), sizes, reach, charted: count }, run)
    }

    fn planned(points: &'a Points, metric: Metric, plan: Plan, run: &Run) -> Result<Self> {
        let Plan { rows, sizes, reach, charted } = plan;
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

    /// The spectra of charts of about `size` neighbors.
    fn about(&self, size: usize) -> &[Spectrum] {
        let at = (0..self.sizes.len()).min_by_key(|&at| self.sizes[at].abs_diff(size)).unwrap_or(0);
        &self.spectra[at]
    }

    /// The mean share past the first `dim` axes, in charts of about `size` neighbors.
    pub(super) fn thickness(&self, size: usize, dim: usize) -> f64 {
        let spectra = self.about(size);
        spectra.iter().map(|one| one.share_beyond(dim)).sum::<f64>() / spectra.len().max(1) as f64
    }

    /// The mean share of each axis, in charts of about `size` neighbors.
    pub(super) fn mean_shares(&self, size: usize) -> Vec<f64> {
        let spectra = self.about(size);
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

/// The median of some numbers, the lower of two.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = (values.len() - 1) / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
