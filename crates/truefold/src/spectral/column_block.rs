//! Blocks of p columns of n numbers, stored row by row: their products, and orthonormal bases of what they span.
//!
//! All sums run over fixed chunks of rows that are added in order. Cost: one pass over each block named.

use crate::linalg::SymmetricEigen;
use crate::linalg::block::{CHUNK, by_width};
use rayon::prelude::*;

/// Directions of a block shorter than this share of its longest are rounding.
const NEGLIGIBLE: f64 = 1e-13;

/// An n x p block, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ColumnBlock {
    pub(crate) values: Vec<f64>,
    pub(crate) columns: usize,
}

/// A'B, `a` rows of `b` numbers, for panels of `a` and `b` columns.
pub(crate) fn gram(left: &[f64], a: usize, right: &[f64], b: usize) -> Vec<f64> {
    let parts: Vec<Vec<f64>> = left
        .par_chunks(CHUNK * a)
        .zip(right.par_chunks(CHUNK * b))
        .map(|(left, right)| {
            let mut sums = vec![0.0; a * b];
            by_width!(b, W => add_rows_gram::<W>(&mut sums, left, a, right, b));
            sums
        })
        .collect();
    let mut total = vec![0.0; a * b];
    for part in parts {
        total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
    }
    total
}

/// Adds B'B of a few rows of `columns` numbers to `sums`.
pub(crate) fn add_gram(sums: &mut [f64], rows: &[f64], columns: usize) {
    by_width!(columns, W => add_rows_gram::<W>(sums, rows, columns, rows, columns));
}

/// Adds the products of some rows to `sums`; `W` is the number of columns on the right, or 0 for any.
#[inline(always)]
fn add_rows_gram<const W: usize>(sums: &mut [f64], left: &[f64], a: usize, right: &[f64], b: usize) {
    let width = if W == 0 { b } else { W };
    for row in 0..right.len() / width {
        let right = &right[row * width..][..width];
        for (at, &factor) in left[row * a..][..a].iter().enumerate() {
            let sums = &mut sums[at * width..][..width];
            for column in 0..width {
                sums[column] += factor * right[column];
            }
        }
    }
}

/// Adds `from` times the `from_columns` x `columns` matrix `by` to `out`.
pub(crate) fn add_product(out: &mut [f64], columns: usize, from: &[f64], from_columns: usize, by: &[f64]) {
    out.par_chunks_mut(CHUNK * columns).zip(from.par_chunks(CHUNK * from_columns)).for_each(|(out, from)| {
        by_width!(columns, W => add_rows_product::<W>(out, columns, from, from_columns, by));
    });
}

/// The same for some rows; `W` is the number of columns of `out`, or 0 for any.
#[inline(always)]
fn add_rows_product<const W: usize>(out: &mut [f64], columns: usize, from: &[f64], from_columns: usize, by: &[f64]) {
    let width = if W == 0 { columns } else { W };
    for row in 0..out.len() / width {
        let out = &mut out[row * width..][..width];
        for (at, &factor) in from[row * from_columns..][..from_columns].iter().enumerate() {
            let by = &by[at * width..][..width];
            for column in 0..width {
                out[column] += factor * by[column];
            }
        }
    }
}

/// Subtracts from each column its mean.
pub(crate) fn center(values: &mut [f64], columns: usize) {
    let rows = values.len() / columns;
    let ones = vec![1.0; rows];
    let means: Vec<f64> = gram(&ones, 1, values, columns).iter().map(|sum| sum / rows as f64).collect();
    values.par_chunks_mut(CHUNK * columns).for_each(|rows| {
        for row in rows.chunks_exact_mut(columns) {
            row.iter_mut().zip(&means).for_each(|(value, mean)| *value -= mean);
        }
    });
}

/// Subtracts from each column its part along the unit vector `null`.
pub(crate) fn deflate(values: &mut [f64], columns: usize, null: &[f64]) {
    let mut shares = gram(null, 1, values, columns);
    shares.iter_mut().for_each(|share| *share = -*share);
    add_product(values, columns, null, 1, &shares);
}

/// Subtracts from `panel` its part in the span of an orthonormal `basis`, twice; returns all coefficients by block.
pub(super) fn orthogonalize(panel: &mut ColumnBlock, basis: &[ColumnBlock]) -> Vec<Vec<f64>> {
    let mut coefficients: Vec<Vec<f64>> = basis.iter().map(|block| vec![0.0; block.columns * panel.columns]).collect();
    for _twice in 0..2 {
        for (block, total) in basis.iter().zip(&mut coefficients) {
            let mut part = gram(&block.values, block.columns, &panel.values, panel.columns);
            for (total, part) in total.iter_mut().zip(&mut part) {
                *total += *part;
                *part = -*part;
            }
            add_product(&mut panel.values, panel.columns, &block.values, block.columns, &part);
        }
    }
    coefficients
}

/// An orthonormal basis of the columns of a panel, without those directions that are rounding; it may be empty.
///
/// B V S^(-1/2) with B'B = V S V', columns scaled to length one before, twice (Stathopoulos and Wu, 2002).
pub(super) fn orthonormal(panel: &ColumnBlock) -> ColumnBlock {
    let mut panel = ColumnBlock { values: panel.values.clone(), columns: panel.columns };
    for _twice in 0..2 {
        if panel.columns == 0 {
            break;
        }
        let columns = panel.columns;
        let square = gram(&panel.values, columns, &panel.values, columns);
        let longest = (0..columns).map(|at| square[at * columns + at]).fold(0.0, f64::max);
        let scale: Vec<f64> = (0..columns)
            .map(|at| {
                let length = square[at * columns + at];
                if length > NEGLIGIBLE * NEGLIGIBLE * longest && length > 0.0 { 1.0 / length.sqrt() } else { 0.0 }
            })
            .collect();
        let scaled: Vec<f64> =
            (0..columns * columns).map(|at| square[at] * scale[at / columns] * scale[at % columns]).collect();
        let mut eigen = SymmetricEigen::default();
        eigen.decompose(&scaled, columns);
        let least = eigen.values()[0].max(0.0) * NEGLIGIBLE;
        let kept = eigen.values().iter().take_while(|&&value| value > least && value > 0.0).count();
        let mut by = vec![0.0; columns * kept];
        for at in 0..kept {
            let length = eigen.values()[at].sqrt();
            for (row, value) in eigen.vector(at).iter().enumerate() {
                by[row * kept + at] = scale[row] * value / length;
            }
        }
        let mut values = vec![0.0; panel.values.len() / columns * kept];
        if kept > 0 {
            add_product(&mut values, kept, &panel.values, columns, &by);
        }
        panel = ColumnBlock { values, columns: kept };
    }
    panel
}
