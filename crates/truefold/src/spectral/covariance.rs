//! The covariances of points without more than they need: the q x q matrix where q is small, products with it elsewhere.
//!
//! S = X'H X, H the centering matrix, q x q. Up to [`DENSE_UP_TO`] dimensions it is written down, O(n q^2) once, and the
//! points are read chunk by chunk, so that nothing as large as they are is kept. Beyond, centered points are kept, and S
//! times a panel of c columns is two products with them, O(n q c). Numbers are in a unit in which no square leaves the
//! range of numbers.

use super::column_block::{add_gram, add_product, center, gram};
use crate::Points;
use crate::linalg::Columns;
use rayon::prelude::*;
use std::ops::Range;

/// Dimensions up to which the q x q matrix is written down.
pub(super) const DENSE_UP_TO: usize = 512;
/// Rows per task.
pub(super) const CHUNK: usize = 1024;
/// Tasks whose q x q matrices are kept at a time.
const TOGETHER: usize = 32;
/// A deviation below this share of the column's mean is what rounding leaves of a constant column.
const CONSTANT: f64 = 1e-13;

/// The scatter of points about their mean.
pub(crate) enum Covariance<'a> {
    /// The matrix is written down.
    Dense { points: &'a Points, moments: Moments, unit: f64 },
    /// The centered points are.
    Rows { values: Vec<f64>, width: usize, unit: f64 },
}

impl<'a> Covariance<'a> {
    /// Of these points; runs on the threads of the caller.
    pub(crate) fn of(points: &'a Points) -> Self {
        if points.dim() <= DENSE_UP_TO {
            let (moments, unit) = Moments::in_range(points);
            Self::Dense { points, moments, unit }
        } else {
            let (values, unit) = centered(points);
            Self::Rows { values, width: points.dim(), unit }
        }
    }

    /// The unit of all numbers below, in those of the points.
    pub(crate) fn unit(&self) -> f64 {
        match self {
            Self::Dense { unit, .. } | Self::Rows { unit, .. } => *unit,
        }
    }

    /// The diagonal of S; zero where a column is constant.
    pub(crate) fn squares(&self) -> Vec<f64> {
        match self {
            Self::Dense { moments: Moments { count, mean, scatter }, .. } => {
                let width = mean.len();
                let least = |column: usize| count * (CONSTANT * mean[column]).powi(2);
                let square = |column: usize| scatter[column * (width + 1)];
                (0..width).map(|at| if square(at) > least(at) { square(at) } else { 0.0 }).collect()
            }
            Self::Rows { values, width, .. } => {
                let parts: Vec<Vec<f64>> = values
                    .par_chunks(CHUNK * width)
                    .map(|rows| {
                        let mut sums = vec![0.0; *width];
                        for row in rows.chunks_exact(*width) {
                            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value * value);
                        }
                        sums
                    })
                    .collect();
                let mut sums = vec![0.0; *width];
                for part in parts {
                    sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                }
                sums
            }
        }
    }

    /// S, where it is written down.
    pub(crate) fn matrix(&self) -> Option<&[f64]> {
        match self {
            Self::Dense { moments, .. } => Some(&moments.scatter),
            Self::Rows { .. } => None,
        }
    }

    /// Writes S times `panel`, q rows of `columns` numbers.
    pub(crate) fn apply(&self, panel: &[f64], out: &mut [f64], columns: usize) {
        match self {
            Self::Dense { moments, .. } => {
                out.fill(0.0);
                add_product(out, columns, &moments.scatter, moments.mean.len(), panel);
            }
            Self::Rows { values, width, .. } => {
                let mut images = vec![0.0; values.len() / width * columns];
                add_product(&mut images, columns, values, *width, panel);
                out.copy_from_slice(&gram(values, *width, &images, columns));
            }
        }
    }

    /// H X times `axes`, q rows of `dim` numbers.
    pub(crate) fn project(&self, axes: &[f64], dim: usize) -> Vec<f64> {
        match self {
            Self::Dense { points, moments, unit } => moments.project(points, unit.recip(), axes, dim),
            Self::Rows { values, width, .. } => {
                let mut projected = vec![0.0; values.len() / width * dim];
                add_product(&mut projected, dim, values, *width, axes);
                projected
            }
        }
    }
}

/// The rows of a chunk.
fn chunk_of(points: &Points, chunk: usize) -> Range<usize> {
    chunk * CHUNK..((chunk + 1) * CHUNK).min(points.len())
}

/// The points about their mean in units of the largest coordinate, so that no square leaves the range of numbers.
pub(crate) fn centered(points: &Points) -> (Vec<f64>, f64) {
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

/// Scatter below this may have lost digits to the end of the range of numbers.
const SMALLEST: f64 = 1e-250;

/// How many points, their mean, and their scatter about it.
pub(crate) struct Moments {
    count: f64,
    mean: Vec<f64>,
    pub(super) scatter: Vec<f64>,
}

impl Moments {
    /// Of the points divided by a unit, a power of two, in which no number leaves its range; and that unit.
    pub(super) fn in_range(points: &Points) -> (Self, f64) {
        let moments = Self::of(points, 1.0);
        let spread = moments.scatter.iter().sum::<f64>();
        if spread.is_finite() && moments.scatter.iter().any(|value| value.abs() >= SMALLEST) {
            return (moments, 1.0);
        }
        // A power of two, so that nothing is rounded, and neither squares nor sums leave the range of numbers.
        let mut largest = 0.0_f64;
        points.each_row(|_, row| largest = row.iter().fold(largest, |most, value| most.max(value.abs())));
        let unit = 2.0_f64.powi(largest.log2().ceil().clamp(-1020.0, 1020.0) as i32);
        (Self::of(points, unit.recip()), unit)
    }

    /// The points times `scale`, about their mean, times `axes`, q rows of `dim` numbers.
    pub(super) fn project(&self, points: &Points, scale: f64, axes: &[f64], dim: usize) -> Vec<f64> {
        let mut values = vec![0.0; points.len() * dim];
        values.par_chunks_mut(CHUNK * dim).enumerate().for_each_init(
            || (Vec::new(), Vec::new()),
            |(room, centered), (chunk, out)| {
                self.center(points.rows_in(chunk_of(points, chunk), room), scale, centered);
                // Fresh memory that is read before it is written costs the system two faults a page instead of one.
                out.fill(0.0);
                add_product(out, dim, centered, points.dim(), axes);
            },
        );
        values
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::dot;

    /// Rows whose first column is constant.
    fn points(width: usize) -> Points {
        let value =
            |at: usize| if at.is_multiple_of(width) { 7.3 } else { ((at * at) % 101) as f64 + 1.0 / (at as f64 + 1.0) };
        Points::new(40, width, (0..40 * width).map(value).collect()).unwrap()
    }

    #[test]
    fn both_forms_are_the_scatter_about_the_mean() {
        for width in [5, DENSE_UP_TO + 3] {
            let points = points(width);
            let covariance = Covariance::of(&points);
            assert_eq!(covariance.matrix().is_some(), width == 5);
            let unit = covariance.unit();
            let means: Vec<f64> = (0..width).map(|at| points.rows().map(|row| row[at]).sum::<f64>() / 40.0).collect();
            let column = |at: usize| -> Vec<f64> { points.rows().map(|row| (row[at] - means[at]) / unit).collect() };
            let squares = covariance.squares();
            assert_eq!(squares[0], 0.0);
            let panel: Vec<f64> = (0..2 * width).map(|at| ((at * 7) % 11) as f64 - 5.0).collect();
            let mut out = vec![0.0; 2 * width];
            covariance.apply(&panel, &mut out, 2);
            let images = covariance.project(&panel, 2);
            for row in 0..40 {
                let expected: f64 = (0..width).map(|at| column(at)[row] * panel[2 * at + 1]).sum();
                assert!((images[2 * row + 1] - expected).abs() < 1e-9 * expected.abs().max(1.0));
            }
            let second: Vec<f64> = images.iter().skip(1).step_by(2).copied().collect();
            for at in 1..width {
                let own = column(at);
                assert!((squares[at] / dot(&own, &own) - 1.0).abs() < 1e-9);
                let expected = dot(&own, &second);
                assert!((out[2 * at + 1] - expected).abs() < 1e-8 * expected.abs().max(1.0), "{width} {at}");
            }
        }
    }
}
