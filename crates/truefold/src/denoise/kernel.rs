//! A Gaussian kernel over the neighbors of a place, and its width.

use crate::linalg::{distance, dot};
use crate::{Neighborhoods, Points, Result, Run};
use std::f64::consts::PI;

/// On an evenly sampled surface the kernel weighs as much as this share of the neighbors.
const SHARE: f64 = 0.18;
/// Rows that weigh less than this share of the heaviest are left out.
const LIGHTEST: f64 = 1e-4;

/// The width h of the kernel at each point.
///
/// It is a fixed part of the distance to the farthest neighbor, taken as the median over the neighbors: a stray point has
/// distant neighbors, and must not blur the surface it returns to.
pub(super) fn widths(points: &Points, lists: &Neighborhoods, dim: usize, run: &Run) -> Result<Vec<f64>> {
    let reach: Vec<f64> = (0..points.len())
        .map(|index| {
            lists.neighbors(index).last().map_or(0.0, |&far| distance(points.row(index), points.row(far as usize)))
        })
        .collect();
    let part = part_of_reach(dim);
    let parts = run.chunks("widths", points.len(), 1024, |range| {
        let mut around = Vec::new();
        let width = |index: usize| {
            around.clear();
            around.extend(lists.members(index).iter().map(|&member| reach[member as usize]));
            let middle = around.len() / 2;
            part * *around.select_nth_unstable_by(middle, f64::total_cmp).1
        };
        Ok(range.map(width).collect::<Vec<f64>>())
    })?;
    Ok(parts.concat())
}

/// h / r with (2 pi h^2)^(d/2) = SHARE times the volume of the d-dimensional ball of radius r.
fn part_of_reach(dim: usize) -> f64 {
    let (mut volume, mut at) = if dim.is_multiple_of(2) { (1.0, 0) } else { (2.0, 1) };
    while at < dim {
        at += 2;
        volume *= 2.0 * PI / at as f64;
    }
    (SHARE * volume).powf(1.0 / dim as f64) / (2.0 * PI).sqrt()
}

/// The rows around a place that vote, with their weights, the largest of which is one.
#[derive(Debug, Default)]
pub(super) struct Kernel {
    squares: Vec<f64>,
    offset: Vec<f64>,
    /// Rows and weights.
    pub(super) votes: Vec<(u32, f64)>,
    /// The weight that a row at the place itself would have, in units of the heaviest.
    unit: f64,
}

impl Kernel {
    /// Weighs those `members` among the rows of `source` for which `heard` is true, by their distance from `place`.
    pub(super) fn weigh(
        &mut self,
        place: &[f64],
        source: &[f64],
        members: &[u32],
        width: f64,
        heard: impl Fn(usize) -> bool,
    ) {
        let columns = place.len();
        self.squares.clear();
        self.offset.resize(columns, 0.0);
        for &member in members {
            if !heard(member as usize) {
                self.squares.push(f64::INFINITY);
                continue;
            }
            let row = &source[member as usize * columns..][..columns];
            for ((offset, value), origin) in self.offset.iter_mut().zip(row).zip(place) {
                *offset = value - origin;
            }
            self.squares.push(dot(&self.offset, &self.offset));
        }
        let least = self.squares.iter().copied().fold(f64::INFINITY, f64::min);
        let scale = if width > 0.0 { -0.5 / (width * width) } else { 0.0 };
        self.unit = (-least * scale).exp();
        self.votes.clear();
        for (&member, square) in members.iter().zip(&self.squares).filter(|(_, square)| square.is_finite()) {
            let weight = ((square - least) * scale).exp();
            if weight >= LIGHTEST {
                self.votes.push((member, weight));
            }
        }
    }

    /// How many rows at the place itself would weigh as much as all that vote.
    pub(super) fn density(&self) -> f64 {
        self.votes.iter().map(|vote| vote.1).sum::<f64>() / self.unit
    }

    /// Multiplies each weight by what `factor` gives for its row.
    pub(super) fn scale(&mut self, factor: impl Fn(usize) -> f64) {
        self.votes.iter_mut().for_each(|vote| vote.1 *= factor(vote.0 as usize));
    }

    /// The weighted mean of the rows of `source`.
    pub(super) fn mean(&self, source: &[f64], mean: &mut [f64]) {
        let columns = mean.len();
        let total: f64 = self.votes.iter().map(|vote| vote.1).sum();
        mean.fill(0.0);
        for &(row, weight) in &self.votes {
            let row = &source[row as usize * columns..][..columns];
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += weight / total * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_weighs_its_share_of_an_even_cover() {
        // The integral of exp(-r^2 / 2 h^2) over a line, a disk and a ball of radius 1, as a share of their volume.
        for (dim, volume) in [(1, 2.0), (2, PI), (3, 4.0 / 3.0 * PI), (4, PI * PI / 2.0)] {
            let h = part_of_reach(dim);
            let whole = (2.0 * PI * h * h).powf(0.5 * dim as f64);
            assert!((whole / volume - SHARE).abs() < 1e-12, "{dim}: {whole}");
        }
    }

    #[test]
    fn far_members_have_no_say_and_the_nearest_weighs_one() {
        let mut kernel = Kernel::default();
        let rows = [1.0, 0.0, 0.0, 2.0, 0.0, 50.0, 0.0, 0.0];
        kernel.weigh(&[0.0, 0.0], &rows, &[0, 1, 2, 3], 1.0, |row| row != 3);
        assert_eq!(kernel.votes.len(), 2);
        assert_eq!(kernel.votes[0], (0, 1.0));
        assert!((kernel.votes[1].1 - (-1.5_f64).exp()).abs() < 1e-15);
        assert!((kernel.density() - (-0.5_f64).exp() - (-2.0_f64).exp()).abs() < 1e-15);
        let mut mean = [0.0; 2];
        kernel.scale(|row| if row == 0 { 0.0 } else { 3.0 });
        kernel.mean(&rows, &mut mean);
        assert_eq!(mean, [0.0, 2.0]);
    }
}
