//! The right-hand side of the closed form, B = sum_i w_i H_i T_i.
//!
//! T_i holds, for each of the m members of neighborhood i, the place that the neighborhood predicts; H_i subtracts the
//! mean. The targets are computed and centered in parallel, block by block, and added in the order of the neighborhoods,
//! so the bits do not depend on the number of threads, and at most one block of targets is in memory. Cost: the targets, plus
//! n (k + 1) additions of rows.

use super::memberships::Memberships;
use crate::linalg::block::CHUNK;
use crate::{Neighborhoods, Result, Run};
use rayon::prelude::*;

/// Chunks of neighborhoods whose targets are held at a time.
const HELD: usize = 16;

/// B in the caller's numbering; `fill` writes T_i, one row per member in the order of the neighborhood's list.
pub(super) fn right_hand_side(
    neighborhoods: &Neighborhoods,
    memberships: &Memberships<'_>,
    weights: &[f64],
    columns: usize,
    fill: impl Fn(usize, &mut [f64]) + Sync,
    run: &Run,
) -> Result<Vec<f64>> {
    let count = neighborhoods.len();
    let targets_of = |chunk: usize| {
        let mut targets = Vec::new();
        let mut mean = vec![0.0; columns];
        for index in chunk * CHUNK..((chunk + 1) * CHUNK).min(count) {
            let size = neighborhoods.members(index).len();
            let start = targets.len();
            targets.resize(start + size * columns, 0.0);
            let target = &mut targets[start..];
            fill(index, target);
            mean.fill(0.0);
            for row in target.chunks_exact(columns) {
                mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / size as f64);
            }
            let weight = weights[memberships.place(index)];
            for row in target.chunks_exact_mut(columns) {
                row.iter_mut().zip(&mean).for_each(|(value, mean)| *value = weight * (*value - mean));
            }
        }
        targets
    };
    let mut sum = vec![0.0; count * columns];
    let chunks = count.div_ceil(CHUNK);
    for first in (0..chunks).step_by(HELD) {
        run.check()?;
        let held = first..(first + HELD).min(chunks);
        let parts: Vec<Vec<f64>> = run.install(|| held.into_par_iter().map(targets_of).collect());
        for (chunk, part) in (first..).zip(parts) {
            let indices = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
            let members = indices.flat_map(|index| neighborhoods.members(index));
            for (&member, row) in members.zip(part.chunks_exact(columns)) {
                let to = &mut sum[member as usize * columns..][..columns];
                to.iter_mut().zip(row).for_each(|(to, value)| *to += value);
            }
        }
    }
    Ok(sum)
}
