//! Principal axes of points: their coordinates along the directions of largest variance.
//!
//! Y = H X V with V the first d eigenvectors of X'H X, H the centering matrix. Up to [`DENSE_UP_TO`] dimensions q X'H X
//! is written down, O(n q^2); beyond, block Lanczos applies H X X'H, O(n q) a step.

use super::column_block::{add_gram, add_product, center, gram};
use super::{Spectrum, principal, scaled_coordinates};
use crate::linalg::{Columns, SymmetricEigen, dot, square};
use crate::{Points, Result, Run};
use rayon::prelude::*;
use serde_json::{Map, Value};
use std::ops::Range;

/// Dimensions up to which the q x q matrix is written down.
const DENSE_UP_TO: usize = 512;
/// Rows per task.
const CHUNK: usize = 1024;
/// Tasks whose q x q matrices are kept at a time.
const TOGETHER: usize = 32;

/// Coordinates along the principal axes.
pub(crate) struct PrincipalAxes {
    /// n rows of d.
    pub(crate) values: Vec<f64>,
    /// How many of the d directions the points span.
    pub(crate) rank: usize,
    /// The eigenpairs, where they were iterated.
    spectrum: Option<Spectrum>,
    explained: Explained,
}

impl PrincipalAxes {
    /// The share of the variance along these axes.
    pub(crate) fn share(&self) -> f64 {
        self.explained.share.iter().sum()
    }

    /// Writes what a reader of the fit may want to know.
    pub(crate) fn report(&self, facts: &mut Map<String, Value>) {
        if let Some(spectrum) = &self.spectrum {
            spectrum.report(facts);
        }
        // Beyond the range of numbers the share still tells.
        if self.explained.variance.iter().all(|value| value.is_finite()) {
            facts.insert("variance".into(), self.explained.variance.clone().into());
        }
        facts.insert("variance_share".into(), self.explained.share.clone().into());
    }
}

/// The first `dim` principal coordinates of the points.
pub(crate) fn principal_axes(points: &Points, dim: usize, run: &Run) -> Result<PrincipalAxes> {
    if points.dim() <= DENSE_UP_TO {
        Ok(run.install(|| by_scatter(points, dim)))
    } else {
        by_operator(points, dim, run)
    }
}

/// The rows of a chunk.
fn chunk_of(points: &Points, chunk: usize) -> Range<usize> {
    chunk * CHUNK..((chunk + 1) * CHUNK).min(points.len())
}

/// The points about their mean in units of the largest coordinate, so that no square leaves the range of numbers.
fn centered(points: &Points) -> (Vec<f64>, f64) {
    let dim = points.dim();
    let (mut origin, mut unit) = (vec![0.0; dim], 0.0_f64);
    points.read_row(0, &mut origin);
    points.each_row(|_, row| {
        // Halves, because the difference of two finite numbers may not be one.
        unit = row.iter().zip(&origin).fold(unit, |most, (value, origin)| most.max((0.5 * value - 0.5 * origin).abs()));
    });
    let unit = if unit > 0.0 { unit } else { 1.0 };
    let relative = |row: &[f64], out: &mut [f64]| {
        for ((out, value), origin) in out.iter_mut().zip(row).zip(&origin) {
            *out = (0.5 * value - 0.5 * origin) / unit;
        }
    };
    let mut values = vec![0.0; points.len() * dim];
    values.par_chunks_mut(CHUNK * dim).enumerate().for_each_init(Vec::new, |room, (chunk, out)| {
        let rows = points.rows_in(chunk_of(points, chunk), room);
        out.chunks_exact_mut(dim).zip(rows.chunks_exact(dim)).for_each(|(out, row)| relative(row, out));
    });
    center(&mut values, dim);
    (values, 2.0 * unit)
}

/// From the eigenvectors of the q x q matrix.
///
/// The points are centered chunk by chunk, so that nothing as large as they are is kept but the result.
fn by_scatter(points: &Points, dim: usize) -> PrincipalAxes {
    let width = points.dim();
    let mut unit = 1.0;
    let mut moments = Moments::of(points, unit);
    let spread = moments.scatter.iter().sum::<f64>();
    if !spread.is_finite() || moments.scatter.iter().all(|value| value.abs() < SMALLEST) {
        // A power of two, so that nothing is rounded, and neither squares nor sums leave the range of numbers.
        let mut largest = 0.0_f64;
        points.each_row(|_, row| largest = row.iter().fold(largest, |most, value| most.max(value.abs())));
        unit = 2.0_f64.powi(largest.log2().ceil().clamp(-1020.0, 1020.0) as i32);
        moments = Moments::of(points, unit.recip());
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&moments.scatter, width);
    // The axes beside each other, so that all coordinates of a point come from one pass over it.
    let axes: Vec<f64> = (0..width)
        .flat_map(|row| (0..dim).map(move |at| (row, at)))
        .map(|(row, at)| eigen.vector(at)[row] * unit)
        .collect();
    let mut values = vec![0.0; points.len() * dim];
    values.par_chunks_mut(CHUNK * dim).enumerate().for_each_init(
        || (Vec::new(), Vec::new()),
        |(room, centered), (chunk, out)| {
            moments.center(points.rows_in(chunk_of(points, chunk), room), unit.recip(), centered);
            // Fresh memory that is read before it is written costs the system two faults a page instead of one.
            out.fill(0.0);
            add_product(out, dim, centered, width, &axes);
        },
    );
    let total: f64 = eigen.values().iter().sum();
    let least = eigen.values()[0].max(0.0) * 1e-15 * width as f64;
    let rank = eigen.values()[..dim].iter().filter(|&&value| value > least).count();
    PrincipalAxes {
        values,
        rank,
        spectrum: None,
        explained: Explained::new(&eigen.values()[..dim], total, unit, points),
    }
}

/// Scatter below this may have lost digits to the end of the range of numbers.
const SMALLEST: f64 = 1e-250;

/// How many points, their mean, and their scatter about it.
struct Moments {
    count: f64,
    mean: Vec<f64>,
    scatter: Vec<f64>,
}

impl Moments {
    /// Of the points times `scale`: fixed chunks each about their own mean, joined in order.
    fn of(points: &Points, scale: f64) -> Self {
        let width = points.dim();
        let nothing = Self { count: 0.0, mean: vec![0.0; width], scatter: vec![0.0; width * width] };
        let part = |(room, centered): &mut (Vec<f64>, Vec<f64>), chunk: usize| {
            let rows = points.rows_in(chunk_of(points, chunk), room);
            let count = (rows.len() / width) as f64;
            centered.clear();
            centered.extend(rows.iter().map(|value| value * scale));
            let sums = Columns::join(centered, width, 0.0, |sum, value| sum + value);
            let mean = sums.iter().map(|sum| sum / count).collect();
            let mut part = Self { count, mean, scatter: vec![0.0; width * width] };
            part.center(rows, scale, centered);
            add_gram(&mut part.scatter, centered, width);
            part
        };
        let chunks = points.len().div_ceil(CHUNK);
        (0..chunks).step_by(TOGETHER).fold(nothing, |sum, first| {
            let some = (first..(first + TOGETHER).min(chunks)).into_par_iter();
            let parts: Vec<Self> = some.map_init(Default::default, part).collect();
            parts.iter().fold(sum, Self::joined)
        })
    }

    /// The moments of both together (Chan, Golub and LeVeque 1983).
    fn joined(mut self, other: &Self) -> Self {
        let width = self.mean.len();
        let count = self.count + other.count;
        let apart: Vec<f64> = other.mean.iter().zip(&self.mean).map(|(other, own)| other - own).collect();
        let weight = self.count * (other.count / count);
        for (row, sums) in self.scatter.chunks_exact_mut(width).enumerate() {
            let others = &other.scatter[row * width..(row + 1) * width];
            for ((sum, other), apart_column) in sums.iter_mut().zip(others).zip(&apart) {
                *sum += other + weight * apart[row] * apart_column;
            }
        }
        for (mean, apart) in self.mean.iter_mut().zip(&apart) {
            *mean += apart * (other.count / count);
        }
        self.count = count;
        self
    }

    /// Writes `rows` times `scale` about the mean.
    fn center(&self, rows: &[f64], scale: f64, centered: &mut Vec<f64>) {
        centered.clear();
        centered.extend_from_slice(rows);
        Columns::new(&self.mean).change(centered, |value, mean| *value = *value * scale - mean);
    }
}

/// From the eigenvectors of H X X'H, which is never written down.
fn by_operator(points: &Points, dim: usize, run: &Run) -> Result<PrincipalAxes> {
    let width = points.dim();
    let (centered, unit) = run.install(|| centered(points));
    let centered = &centered;
    let apply = |input: &[f64], output: &mut [f64], columns: usize| {
        let sums = gram(input, columns, centered, width);
        output.par_chunks_mut(columns).with_min_len(CHUNK).zip(centered.par_chunks(width)).for_each(|(out, row)| {
            for (out, sums) in out.iter_mut().zip(sums.chunks_exact(width)) {
                *out = dot(row, sums);
            }
        });
        Ok(())
    };
    let spectrum = principal(points.len(), dim, &apply, run)?;
    let total = square(centered);
    let explained = Explained::new(&spectrum.values, total, unit, points);
    let (mut values, rank) = scaled_coordinates(&spectrum);
    values.iter_mut().for_each(|value| *value *= unit);
    Ok(PrincipalAxes { values, rank, spectrum: Some(spectrum), explained })
}

/// The variance along each direction, and its share of all.
struct Explained {
    variance: Vec<f64>,
    share: Vec<f64>,
}

impl Explained {
    fn new(values: &[f64], total: f64, unit: f64, points: &Points) -> Self {
        let count = points.len() as f64;
        let share = |value: &f64| if total > 0.0 { value.max(0.0) / total } else { 0.0 };
        Self {
            variance: values.iter().map(|value| value.max(0.0) / count * unit * unit).collect(),
            share: values.iter().map(share).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_and_huge_points_have_the_coordinates_of_usual_ones_in_their_own_unit() {
        let rows: Vec<f64> = (0..120).map(|at| f64::from(at * 37 % 101) + 3.0).collect();
        let axes = |unit: f64| {
            let points = Points::new(40, 3, rows.iter().map(|value| value * unit).collect()).unwrap();
            principal_axes(&points, 2, &Run::new()).unwrap().values
        };
        let usual = axes(1.0);
        for unit in [2.0_f64.powi(-600), 2.0_f64.powi(600)] {
            for (value, usual) in axes(unit).iter().zip(&usual) {
                assert!((value / unit - usual).abs() < 1e-9, "{unit:e}: {value:e} {usual}");
            }
        }
    }
}
