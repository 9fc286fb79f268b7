//! An upper bound on the variance, from the multipliers of the distances.
//!
//! For weights w_e let L = sum_e w_e (e_i - e_j)(e_i - e_j)'. If L >= u (I - 11'/n) with u > 0, then any Y of mean
//! zero that keeps the distances l_e has |Y|^2 <= tr(Y'LY) / u = (sum_e w_e l_e^2) / u, whatever its rank. (Where
//! distances may be smaller, the w_e are not negative and the same holds.) This is the dual of the semidefinite
//! program; at its solution u = 1 and the bound is the variance. Weinberger and Saul (2006); Sun, Boyd, Xiao and
//! Diaconis (2006).
//!
//! Multipliers of an unfinished descent give u below zero for a few local motions. A little more weight on every pair,
//! w_e + t / s_e, corrects that and raises the bound by about t m, which is small relative to the variance of a surface
//! much wider than its neighborhoods; several t are tried. u is found by inverse iteration with a sparse factor of L
//! + I from the columns of Y and a few others. There may be no bound. Cost: some sparse factors and solves.

use super::factor::factor;
use super::pairs::Pairs;
use crate::linalg::{SymmetricEigen, add_scaled, dot, square};
use crate::{Result, Run};
use rand::{RngExt, SeedableRng};

/// Columns besides those of Y, in case the eigenvector of the least eigenvalue is not among them.
const MORE: usize = 4;
/// The most steps, and the change and the residual of the least eigenvalue that are small enough.
const STEPS: usize = 60;
const NEAR: f64 = 1e-4;

/// What is added to the weights, in turn.
const ADDED: [f64; 7] = [0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

/// The least bound on |Y|^2, in the units of the pairs, that weights near `weights` give.
pub(super) fn variance_bound(
    pairs: &Pairs,
    weights: &[f64],
    y: &[f64],
    width: usize,
    run: &Run,
) -> Result<Option<f64>> {
    let mut least: Option<f64> = None;
    for added in ADDED {
        let weights: Vec<f64> =
            weights.iter().zip(pairs.scales()).map(|(weight, scale)| weight + added * scale).collect();
        if let Some(found) = bound_of(pairs, &weights, y, width, run)? {
            if least.is_some_and(|known| known <= found) {
                break;
            }
            least = Some(found);
        }
    }
    Ok(least)
}

/// The bound that these weights give.
fn bound_of(pairs: &Pairs, weights: &[f64], y: &[f64], width: usize, run: &Run) -> Result<Option<f64>> {
    let count = pairs.points();
    let Some(factor) = factor(pairs, weights, 1.0) else { return Ok(None) };
    // Columns one after the other.
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(run.seed());
    let mut block = vec![0.0; (width + MORE).min(count - 1) * count];
    for (column, values) in block.chunks_exact_mut(count).enumerate() {
        for (row, value) in values.iter_mut().enumerate() {
            *value = if column < width { y[row * width + column] } else { rng.random_range(-1.0..1.0) };
        }
    }
    orthonormalize(&mut block, count);
    // Columns of Y that the others span are dropped.
    let mut block: Vec<f64> =
        block.chunks_exact(count).filter(|c| c.iter().any(|&v| v != 0.0)).flatten().copied().collect();
    let columns = block.len() / count;
    let (mut rows, mut image) = (vec![0.0; count * columns], vec![0.0; count]);
    let (mut eigen, mut small) = (SymmetricEigen::default(), vec![0.0; columns * columns]);
    let mut last = f64::INFINITY;
    for _step in 0..STEPS {
        run.check()?;
        for (column, values) in block.chunks_exact(count).enumerate() {
            values.iter().enumerate().for_each(|(row, value)| rows[row * columns + column] = *value);
        }
        run.install(|| factor.solve(&mut rows, columns));
        for (column, values) in block.chunks_exact_mut(count).enumerate() {
            values.iter_mut().enumerate().for_each(|(row, value)| *value = rows[row * columns + column]);
        }
        orthonormalize(&mut block, count);
        let images: Vec<f64> = block
            .chunks_exact(count)
            .flat_map(|column| {
                apply(pairs, weights, column, &mut image);
                image.clone()
            })
            .collect();
        for a in 0..columns {
            for b in 0..columns {
                small[a * columns + b] = dot(&block[a * count..][..count], &images[b * count..][..count]);
            }
        }
        eigen.decompose(&small, columns);
        let least = eigen.values()[columns - 1];
        let vector = eigen.vector(columns - 1);
        let mut rest = vec![0.0; count];
        for (column, &share) in vector.iter().enumerate() {
            add_scaled(&mut rest, share, &images[column * count..][..count]);
            add_scaled(&mut rest, -share * least, &block[column * count..][..count]);
        }
        let residual = square(&rest).sqrt();
        if residual <= NEAR * least.abs().max(1.0) && (last - least).abs() <= NEAR * least.abs().max(1.0) {
            let total: f64 = weights.iter().zip(pairs.squares()).map(|(weight, square)| weight * square).sum();
            let sure = least - residual;
            return Ok((sure > 0.0).then(|| total / sure));
        }
        last = least;
    }
    Ok(None)
}

/// L times one column.
fn apply(pairs: &Pairs, weights: &[f64], column: &[f64], image: &mut [f64]) {
    image.fill(0.0);
    for (&[a, b], weight) in pairs.ends().iter().zip(weights) {
        let pull = weight * (column[a as usize] - column[b as usize]);
        image[a as usize] += pull;
        image[b as usize] -= pull;
    }
}

/// Makes columns of mean zero and length one that are orthogonal to each other and span the same; dependent ones are zero.
fn orthonormalize(block: &mut [f64], count: usize) {
    for at in 0..block.len() / count {
        let (before, rest) = block.split_at_mut(at * count);
        let column = &mut rest[..count];
        let first = square(column).sqrt();
        for _twice in 0..2 {
            let mean = column.iter().sum::<f64>() / count as f64;
            column.iter_mut().for_each(|value| *value -= mean);
            for other in before.chunks_exact(count) {
                let share = dot(column, other);
                add_scaled(column, -share, other);
            }
        }
        let length = square(column).sqrt();
        let factor = if length > 1e-12 * first { 1.0 / length } else { 0.0 };
        column.iter_mut().for_each(|value| *value *= factor);
    }
}
