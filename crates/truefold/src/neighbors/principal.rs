//! The few directions that hold most of the variance of the rows, found on a sample.
//!
//! Subspace iteration (Halko, Martinsson and Tropp 2011): V is replaced by the orthonormal columns of S'S V, S the
//! centered sample, twice. Tried with 32 to 256 directions until they hold enough of the sample's
//! variance; where that needs more than half of the coordinates nothing is gained. Any orthonormal V is right for a
//! sketch, so the sample decides the speed alone. Cost: 4 m q r multiplications for m sampled rows.

use super::kernel::{Panels, Products, Rows};
use super::sketch::Frame;
use super::{Norm, Space};
use crate::linalg::{add_scaled, dot};
use crate::random::hash;
use crate::{Result, Run};

/// Rows of the sample, at most.
const SAMPLE: usize = 2048;
/// Numbers of the sample, about, where rows have very many coordinates.
const NUMBERS: usize = 1 << 26;
/// The numbers of directions that are tried.
const SIZES: [usize; 6] = [32, 64, 96, 128, 192, 256];
/// Coordinates up to which a sketch with all of them is small.
const FEW: usize = 2 * SIZES[SIZES.len() - 1];
/// Steps of the iteration for each number of directions.
const STEPS: usize = 2;

/// Orthonormal directions, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Axes {
    values: Vec<f32>,
    dim: usize,
}

impl Axes {
    /// Directions that hold the share `enough` of the variance; `None` where all coordinates serve better.
    pub(super) fn of(space: &Space, frame: &Frame, enough: f64, run: &Run) -> Result<Option<Self>> {
        let dim = space.dim();
        let sizes: Vec<usize> = SIZES.into_iter().filter(|size| 2 * size <= dim).collect();
        if sizes.is_empty() {
            return Ok(None);
        }
        let sample = Sample::of(space, frame, run)?;
        let mut axes = Vec::new();
        for &size in &sizes {
            let held = sample.improve(&mut axes, size, run)?;
            if held >= enough || (size == sizes[sizes.len() - 1] && dim > FEW) {
                return Ok(Some(Self { values: axes.iter().map(|value| *value as f32).collect(), dim }));
            }
        }
        Ok(None)
    }

    /// The number of directions.
    pub(super) fn len(&self) -> usize {
        self.values.len() / self.dim
    }

    /// The directions beside each other, for products with rows.
    pub(super) fn panels(&self) -> Panels {
        panels(&self.values, self.dim)
    }
}

/// Some rows, and the same transposed.
struct Sample {
    rows: Vec<f32>,
    columns: Vec<f32>,
    dim: usize,
    total: f64,
}

impl Sample {
    fn of(space: &Space, frame: &Frame, run: &Run) -> Result<Self> {
        let (count, dim) = (space.len(), space.dim());
        let mut chosen: Vec<u32> = (0..count as u32).collect();
        let most = (NUMBERS / dim).clamp(2 * SIZES[SIZES.len() - 1], SAMPLE);
        if count > most {
            let key = |row: &u32| (hash(run.seed() ^ 0xA7E5, u64::from(*row)), *row);
            chosen.select_nth_unstable_by_key(most, key);
            chosen.truncate(most);
            chosen.sort_unstable();
        }
        let mut rows = vec![0.0; chosen.len() * dim];
        let (mut room, ration) = (Vec::new(), space.ration(Space::READ));
        for (&row, out) in chosen.iter().zip(rows.chunks_exact_mut(dim)) {
            ration.scattered(1);
            frame.read(space, row as usize, &mut room, out);
        }
        let total = rows.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
        Ok(Self { columns: transposed(&rows, dim), rows, dim, total })
    }

    /// Makes `size` directions of those in `axes` and of new ones; the share of the variance that they hold.
    fn improve(&self, axes: &mut Vec<f64>, size: usize, run: &Run) -> Result<f64> {
        for axis in axes.len() / self.dim..size {
            let sign = |at: usize| if hash(axis as u64 + 1, at as u64) & 1 == 1 { 1.0 } else { -1.0 };
            axes.extend((0..self.dim).map(sign));
        }
        let mut held = 0.0;
        for step in 0..=STEPS {
            orthonormal(axes, self.dim);
            let narrow: Vec<f32> = axes.iter().map(|value| *value as f32).collect();
            let places = products(&self.rows, self.dim, &panels(&narrow, self.dim), size, run)?;
            held = places.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
            if step < STEPS {
                let along = transposed(&places, size);
                let count = self.rows.len() / self.dim;
                let back = products(&self.columns, count, &panels(&along, count), size, run)?;
                *axes = transposed(&back, size).iter().map(|value| f64::from(*value)).collect();
            }
        }
        Ok(if self.total > 0.0 { held / self.total } else { 1.0 })
    }
}

/// The products of rows of `dim` numbers with `size` columns.
fn products(rows: &[f32], dim: usize, panels: &Panels, size: usize, run: &Run) -> Result<Vec<f32>> {
    const TASK: usize = 96;
    let parts = run.chunks("sketching", rows.len() / dim, TASK, |range| {
        let mut out = vec![0.0; range.len() * size];
        let rows = &rows[range.start * dim..range.end * dim];
        pulp::Arch::new().dispatch(Products { rows, dim, panels, out: &mut out });
        Ok(out)
    })?;
    Ok(parts.into_iter().flatten().collect())
}

fn panels(vectors: &[f32], dim: usize) -> Panels {
    let count = vectors.len() / dim;
    let mut panels = Panels::default();
    let rows = Rows { values: vectors, squares: &vec![0.0; count], dim, norm: Norm::Squares };
    panels.fill(rows, 0..count as u32);
    panels
}

fn transposed(values: &[f32], dim: usize) -> Vec<f32> {
    let count = values.len() / dim;
    (0..values.len()).map(|at| values[at % count * dim + at / count]).collect()
}

/// Gram and Schmidt, twice; a direction that is not new becomes zero, which makes no distance longer either.
fn orthonormal(axes: &mut [f64], dim: usize) {
    for axis in 0..axes.len() / dim {
        let (before, rest) = axes.split_at_mut(axis * dim);
        let own = &mut rest[..dim];
        let length = dot(own, own).sqrt();
        for _ in 0..2 {
            for other in before.chunks_exact(dim) {
                add_scaled(own, -dot(own, other), other);
            }
        }
        let left = dot(own, own).sqrt();
        let factor = if left > 1e-6 * length { 1.0 / left } else { 0.0 };
        own.iter_mut().for_each(|value| *value *= factor);
    }
}
