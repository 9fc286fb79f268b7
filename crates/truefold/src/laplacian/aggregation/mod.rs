//! A preconditioner of two levels: single points by their diagonal, groups of points by a small graph of groups.
//!
//! M = D^-1 + P A^-1 P': D is the diagonal of L, column g of P is one on the points of group g and zero elsewhere, and
//! A = P'L P, the Laplacian between groups, is factored exactly (`coarse.rs`). A group is a neighborhood and what is left around it (`groups.rs`), about 1.6 (k + 1) points. What varies within a neighborhood L holds
//! as firmly as its diagonal does, and what varies over longer distances the groups can follow: so the condition of M L does
//! not grow with n. Dryja and Widlund (1987) for the sum of two levels; that neighborhoods are the groups is this project's
//! own. Cost: making it takes a fraction of the time of elimination of all points, and applying it two passes over the
//! rows; conjugate gradients take as many steps as with elimination. When it fails: where weights of overlapping neighborhoods
//! differ by many orders of magnitude, groups cannot follow what the heavy ones hold together; a probe tells, but for rough solves (`factor.rs`).

mod coarse;
mod groups;

use super::conjugate_gradient::Preconditioner;
use super::matrix::NeighborhoodLaplacian;
use super::memberships::Memberships;
use crate::graph::Adjacency;
use crate::linalg::SparseCholesky;
use crate::linalg::block::{CHUNK, add_rows, by_width};
use crate::{Result, Run};
use rayon::prelude::*;

/// The diagonal of a Laplacian, and its factor between groups of points.
#[derive(Debug)]
pub(super) struct Aggregation {
    /// One over the diagonal, zero where that is zero.
    inverse: Vec<f64>,
    /// For each point its group.
    group: Vec<u32>,
    /// For each group its points.
    points: Adjacency,
    /// The factor of A.
    coarse: SparseCholesky,
}

impl Aggregation {
    /// None where the factor between groups would be large.
    pub(super) fn new(
        memberships: &Memberships<'_>,
        laplacian: &NeighborhoodLaplacian<'_>,
        inverse: Vec<f64>,
        seed: u64,
        run: &Run,
    ) -> Result<Option<Self>> {
        let (group, count) = groups::groups(memberships);
        run.check()?;
        let points = groups::points(&group, count);
        let coarse = coarse::factor(memberships, laplacian, &group, count, seed);
        Ok(coarse.map(|coarse| Self { inverse, group, points, coarse }))
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        12 * self.group.len() + self.points.bytes() + 8 * self.coarse.entries()
    }

    fn levels<const W: usize>(&self, input: &[f64], output: &mut [f64], columns: usize) {
        let mut sums = vec![0.0; self.points.len() * columns];
        sums.par_chunks_mut(CHUNK / 16 * columns).enumerate().for_each(|(chunk, sums)| {
            for (group, sum) in (chunk * (CHUNK / 16)..).zip(sums.chunks_exact_mut(columns)) {
                add_rows::<W>(sum, input, self.points.of(group).iter().map(|&point| (point, 1.0)));
            }
        });
        self.coarse.solve(&mut sums, columns);
        let shifts = sums;
        let rows = output.par_chunks_mut(CHUNK * columns).zip(input.par_chunks(CHUNK * columns));
        let scales = self.inverse.par_chunks(CHUNK).zip(self.group.par_chunks(CHUNK));
        rows.zip(scales).for_each(|((output, input), (inverse, group))| {
            let rows = output.chunks_exact_mut(columns).zip(input.chunks_exact(columns));
            for ((output, input), (inverse, &group)) in rows.zip(inverse.iter().zip(group)) {
                let shift = &shifts[group as usize * columns..][..columns];
                for column in 0..columns {
                    output[column] = inverse * input[column] + shift[column];
                }
            }
        });
    }
}

impl Preconditioner for Aggregation {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, _: &mut Vec<f64>) {
        by_width!(columns, W => self.levels::<W>(input, output, columns));
    }
}
