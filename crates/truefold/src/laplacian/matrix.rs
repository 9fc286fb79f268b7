//! The matrix of the closed form, L = sum_i w_i H_i, applied without ever being stored.
//!
//! H_i = I - 11'/m is the centering matrix on the m members of neighborhood i (its center included) and w_i > 0 its
//! weight; L has zero row sums and no positive entry off the diagonal: it is a graph Laplacian. Row j of L Y is
//! D_j y_j - sum over the neighborhoods i that hold j of w_i mean_i, with D_j the sum of their weights, so two gathers
//! over memberships do it. Cost: 2 n (k + 1) rows read for any number of columns, where the stored matrix of a
//! two-dimensional surface has about 70 n entries at k = 12.

use super::conjugate_gradient::Operator;
use super::memberships::Memberships;
use crate::linalg::block::{CHUNK, add_rows, by_width};
use rayon::prelude::*;

/// L over the memberships of the points, in the solver's numbering.
#[derive(Debug)]
pub(super) struct NeighborhoodLaplacian<'a> {
    memberships: &'a Memberships<'a>,
    /// For each neighborhood w_i / m_i.
    shares: &'a [f64],
    /// For each point D_j.
    degrees: &'a [f64],
    /// For each point L_jj.
    diagonal: &'a [f64],
}

/// What depends on the weights alone.
#[derive(Debug)]
pub(super) struct Coefficients {
    shares: Vec<f64>,
    degrees: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Coefficients {
    /// `weights` in the solver's numbering.
    pub(super) fn new(memberships: &Memberships<'_>, weights: &[f64]) -> Self {
        let size = |at: usize| memberships.members(at).len() as f64;
        let shares: Vec<f64> = weights.iter().enumerate().map(|(at, weight)| weight / size(at)).collect();
        let sum_over_holders = |term: &(dyn Fn(usize) -> f64 + Sync)| -> Vec<f64> {
            (0..memberships.len())
                .into_par_iter()
                .with_min_len(CHUNK)
                .map(|point| memberships.holders.of(point).iter().map(|&at| term(at as usize)).sum())
                .collect()
        };
        let degrees = sum_over_holders(&|at| weights[at]);
        let diagonal = sum_over_holders(&|at| shares[at] * (size(at) - 1.0));
        Self { shares, degrees, diagonal }
    }

    pub(super) fn laplacian<'a>(&'a self, memberships: &'a Memberships<'a>) -> NeighborhoodLaplacian<'a> {
        NeighborhoodLaplacian { memberships, shares: &self.shares, degrees: &self.degrees, diagonal: &self.diagonal }
    }
}

impl NeighborhoodLaplacian<'_> {
    /// w_i / m_i of a neighborhood: what it subtracts from the entry of any two of its members.
    pub(super) fn share(&self, at: usize) -> f64 {
        self.shares[at]
    }

    fn passes<const W: usize>(&self, input: &[f64], output: &mut [f64], columns: usize, means: &mut [f64]) {
        means.par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, means)| {
            for (at, mean) in (chunk * CHUNK..).zip(means.chunks_exact_mut(columns)) {
                mean.fill(0.0);
                add_rows::<W>(mean, input, self.memberships.members(at).iter().map(|&row| (row, 1.0)));
                mean.iter_mut().for_each(|mean| *mean *= self.shares[at]);
            }
        });
        let means = &*means;
        output.par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, output)| {
            for (point, out) in (chunk * CHUNK..).zip(output.chunks_exact_mut(columns)) {
                for (out, value) in out.iter_mut().zip(&input[point * columns..][..columns]) {
                    *out = self.degrees[point] * value;
                }
                add_rows::<W>(out, means, self.memberships.holders.of(point).iter().map(|&row| (row, -1.0)));
            }
        });
    }
}

impl Operator for NeighborhoodLaplacian<'_> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        scratch.resize(input.len(), 0.0);
        by_width!(columns, W => self.passes::<W>(input, output, columns, scratch));
    }

    fn diagonal(&self) -> &[f64] {
        self.diagonal
    }

    fn project(&self, values: &mut [f64], columns: usize) {
        self.memberships.center(values, columns);
    }
}
