//! The exact factor of the Laplacian of neighborhoods, for sizes where its fill fits.
//!
//! L is singular on each connected component, so one point of each is held at zero and the rest,
//! L_jl = [j = l] D_j - sum over the neighborhoods i that hold both of w_i / m_i, is factored as a sparse positive
//! definite matrix. Cost: see `linalg/sparse.rs`. When it fails: weights so unequal that the rest is not positive
//! definite in double precision.

use super::conjugate_gradient::{Operator, Preconditioner};
use super::matrix::NeighborhoodLaplacian;
use super::memberships::Memberships;
use crate::linalg::{FactorLimits, SparseCholesky, Triangle};

/// The factor of L with one point of each component held at zero.
#[derive(Debug)]
pub(super) struct Cholesky {
    /// The places that are not held.
    free: Vec<u32>,
    /// None where every point is a component of its own.
    factor: Option<SparseCholesky>,
}

impl Cholesky {
    /// None if the matrix is not positive definite to working precision.
    pub(super) fn new(memberships: &Memberships<'_>, laplacian: &NeighborhoodLaplacian<'_>) -> Option<Self> {
        let held = memberships.first_of_components();
        let mut is_free = vec![true; memberships.len()];
        held.iter().for_each(|&place| is_free[place as usize] = false);
        let free: Vec<u32> = (0..memberships.len() as u32).filter(|&place| is_free[place as usize]).collect();
        if free.is_empty() {
            return Some(Self { free, factor: None });
        }
        let mut number = vec![u32::MAX; memberships.len()];
        free.iter().zip(0..).for_each(|(&place, at)| number[place as usize] = at);
        let mut offsets = vec![0];
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        let mut sums = vec![0.0; memberships.len()];
        let mut touched: Vec<u32> = Vec::new();
        for &column in &free {
            for &at in memberships.holders.of(column as usize) {
                let members = memberships.members(at as usize);
                for &member in members.iter().filter(|&&member| member > column && is_free[member as usize]) {
                    if sums[member as usize] == 0.0 {
                        touched.push(member);
                    }
                    sums[member as usize] -= laplacian.share(at as usize);
                }
            }
            rows.push(number[column as usize]);
            values.push(laplacian.diagonal()[column as usize]);
            touched.sort_unstable();
            for member in touched.drain(..) {
                rows.push(number[member as usize]);
                values.push(std::mem::take(&mut sums[member as usize]));
            }
            offsets.push(u32::try_from(rows.len()).ok()?);
        }
        let factor = SparseCholesky::new(&Triangle { offsets, rows, values }, FactorLimits::NONE).ok()?;
        Some(Self { free, factor: Some(factor) })
    }
}

impl Preconditioner for Cholesky {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        output.fill(0.0);
        let Some(factor) = &self.factor else { return };
        scratch.clear();
        for &place in &self.free {
            scratch.extend_from_slice(&input[place as usize * columns..][..columns]);
        }
        factor.solve(scratch, columns);
        for (&place, row) in self.free.iter().zip(scratch.chunks_exact(columns)) {
            output[place as usize * columns..][..columns].copy_from_slice(row);
        }
    }
}
