//! Sparse factors of Laplacians of pairs: sum_e w_e (e_i - e_j)(e_i - e_j)' + t I.
//!
//! With w_e = 1 / s_e, one over the squared lengths, the factor is the preconditioner of the descent: short pairs are
//! stiff, and only a factor that knows them takes long steps. Cost: see `linalg/sparse.rs`.

use super::pairs::Pairs;
use crate::laplacian::conjugate_gradient::Preconditioner;
use crate::linalg::{FactorLimits, SparseCholesky, Triangle};

/// A factor is applied thousands of times, so it must not be large: 0.5 GB, and seconds to make.
const LIMITS: FactorLimits = FactorLimits { entries: 6e7, operations: 2e10 };

/// The factor of the Laplacian of the pairs, for descents.
#[derive(Debug)]
pub(crate) struct PairFactor(SparseCholesky);

impl PairFactor {
    /// None where the factor would be too large, or the lengths differ so much that the matrix is singular.
    pub(crate) fn new(pairs: &Pairs) -> Option<Self> {
        // Small against the least eigenvalue of a surface's Laplacian, which is about one over its points.
        factor(pairs, pairs.scales(), 0.1 / pairs.points() as f64).map(Self)
    }
}

impl Preconditioner for PairFactor {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, _scratch: &mut Vec<f64>) {
        output.copy_from_slice(input);
        self.0.solve(output, columns);
    }
}

/// The factor for any weights, and `shift` on the diagonal; none if the matrix is not positive definite, or its
/// factor would be too large.
pub(super) fn factor(pairs: &Pairs, weights: &[f64], shift: f64) -> Option<SparseCholesky> {
    let mut triangle = Triangle { offsets: vec![0], ..Triangle::default() };
    for point in 0..pairs.points() {
        let seen = pairs.of(point);
        triangle.rows.push(point as u32);
        triangle.values.push(shift + seen.iter().map(|&[pair, _]| weights[pair as usize]).sum::<f64>());
        // The pairs of a point come in the order of their other ends where those are larger.
        for &[pair, other] in seen.iter().filter(|&&[_, other]| other as usize > point) {
            triangle.rows.push(other);
            triangle.values.push(-weights[pair as usize]);
        }
        triangle.offsets.push(u32::try_from(triangle.rows.len()).ok()?);
    }
    SparseCholesky::new(&triangle, LIMITS).ok()
}
