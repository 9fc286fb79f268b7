//! Several weight vectors per neighborhood, each of which reconstructs the center from its neighbors.
//!
//! With C the Gram matrix of the k neighbors about the center, V the eigenvectors of its s smallest eigenvalues, w the
//! regularized weights of LLE, a = |V'1| / sqrt(s) and H the Householder matrix with H V'1 = a 1, the weights are the
//! columns of W = V H + (1 - a) w 1'. Zhang and Wang (2007). Cost: O(k^3).

use super::{AroundCenter, Patch, PrincipalAxes};
use crate::Result;
use crate::data::Input;
use crate::linalg::{add_scaled, complete, dot, square};

/// The regularization of the weights, times the trace: that of the paper's program and of scikit-learn.
const REGULARIZATION: f64 = 1e-3;
/// Eigenvalues below this share of the largest are zero.
const ZERO: f64 = 1e-14;
/// A Householder vector shorter than this is zero.
const NO_TURN: f64 = 1e-12;

/// The spectrum of one neighborhood and the work space for the next.
#[derive(Debug, Default)]
pub(crate) struct WeightVectors {
    around: AroundCenter,
    axes: PrincipalAxes,
    /// The eigenvalues of the k x k Gram matrix about the center, largest first.
    pub(crate) values: Vec<f64>,
    /// Its eigenvectors, one after the other.
    vectors: Vec<f64>,
}

impl WeightVectors {
    /// Decomposes the Gram matrix of a neighborhood about its center; returns the number of neighbors.
    ///
    /// With fewer dimensions than neighbors it is done through the q x q matrix with the same eigenvalues but for
    /// zeros.
    pub(crate) fn decompose(&mut self, input: &Input<'_>, members: &[u32], with_vectors: bool) -> Result<usize> {
        let count = members.len() - 1;
        let few = match input {
            Input::Points(points) if points.dim() < count => Some(points),
            _ => None,
        };
        if let Some(points) = few {
            self.around.difference(points, members);
            self.axes.find_by_scatter(Patch::by_member(self.around.differences(), points.dim()));
        } else {
            let gram = self.around.fill(input, members)?;
            self.axes.decompose_gram(count, |matrix| {
                matrix.copy_from_slice(gram);
                Ok(())
            })?;
        }
        let least = ZERO * self.axes.values()[0].max(0.0);
        self.values.clear();
        self.values.extend(self.axes.values().iter().map(|&value| if value > least { value } else { 0.0 }));
        self.values.resize(count, 0.0);
        if with_vectors {
            self.vectors.clear();
            if let Some(points) = few {
                self.complete(points.dim(), count);
            } else {
                (0..count).for_each(|at| self.vectors.extend_from_slice(self.axes.vector(at)));
            }
        }
        Ok(count)
    }

    /// The left singular vectors of the differences, and an orthonormal basis of what is off them.
    fn complete(&mut self, dim: usize, count: usize) {
        self.vectors.resize(count * count, 0.0);
        for at in (0..dim).take_while(|&at| self.values[at] > 0.0) {
            let axis = self.axes.vector(at);
            let (known, rest) = self.vectors.split_at_mut(at * count);
            let column = &mut rest[..count];
            for (value, row) in column.iter_mut().zip(self.around.differences().chunks_exact(dim)) {
                *value = dot(row, axis);
            }
            // A short direction is known to fewer digits than the long ones it must be orthogonal to.
            for known in known.chunks_exact(count) {
                let share = dot(column, known);
                add_scaled(column, -share, known);
            }
            let length = square(column).sqrt();
            column.iter_mut().for_each(|value| *value = if length > 0.0 { *value / length } else { 0.0 });
        }
        complete(&mut self.vectors, count);
    }

    /// The eigenvector of the eigenvalue at `rank`, largest first.
    fn vector(&self, rank: usize) -> &[f64] {
        let count = self.values.len();
        &self.vectors[rank * count..(rank + 1) * count]
    }

    /// Appends the factor [-1'; W_i], a row for the center and one for each neighbor.
    pub(crate) fn weigh(&self, count: usize, width: usize, eta: f64, factor: &mut Vec<f64>) {
        let known = count.min(width);
        let small = (self.small(known, eta) + count - known).clamp(1, count);
        let ones = vec![1.0; count];
        let weights = self.weights(&ones);
        let vectors: Vec<&[f64]> = (count - small..count).map(|at| self.vector(at)).collect();
        let sums: Vec<f64> = vectors.iter().map(|vector| vector.iter().sum()).collect();
        let alpha = (square(&sums) / small as f64).sqrt();
        let mut turn: Vec<f64> = sums.iter().map(|sum| alpha - sum).collect();
        let length = square(&turn).sqrt();
        turn.iter_mut().for_each(|value| *value = if length < NO_TURN { 0.0 } else { *value / length });
        // V h, the part of every weight vector that the Householder matrix turns over.
        let mut along = vec![0.0; count];
        vectors.iter().zip(&turn).for_each(|(vector, &value)| add_scaled(&mut along, value, vector));
        factor.resize(small, -1.0);
        for place in 0..count {
            let common = (1.0 - alpha) * weights[place];
            factor.extend((0..small).map(|at| vectors[at][place] - 2.0 * along[place] * turn[at] + common));
        }
    }

    /// The number of smallest eigenvalues, of the first `known`, whose sum is below eta times that of the others.
    fn small(&self, known: usize, eta: f64) -> usize {
        let total: f64 = self.values[..known].iter().sum();
        let mut first = 0.0;
        let mut count = 0;
        for &value in &self.values[..known.saturating_sub(1)] {
            first += value;
            if first > 0.0 && total / first - 1.0 < eta {
                count += 1;
            }
        }
        count
    }

    /// The weights of LLE from the spectrum: (C + r I)^-1 1 over its sum.
    fn weights(&self, ones: &[f64]) -> Vec<f64> {
        let trace: f64 = self.values.iter().sum();
        let ridge = if trace > 0.0 { REGULARIZATION * trace } else { REGULARIZATION };
        let mut weights = vec![0.0; ones.len()];
        for (at, value) in self.values.iter().enumerate() {
            let vector = self.vector(at);
            add_scaled(&mut weights, dot(vector, ones) / (value + ridge), vector);
        }
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Neighborhoods, Points, Run};

    #[test]
    fn every_weight_vector_makes_the_center_from_its_neighbors() {
        // Points of a plane in space: all weight vectors sum to one, and the first s of them reproduce the plane.
        let rows: Vec<[f64; 3]> =
            (0..40).map(|at| [f64::from(at * 7 % 23), f64::from(at * 11 % 19), 0.5 * f64::from(at * 7 % 23)]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 8, &Run::new()).unwrap();
        let members = neighborhoods.members(5);
        let mut local = WeightVectors::default();
        let count = local.decompose(&Input::Points(&points), members, true).unwrap();
        let mut factor = Vec::new();
        local.weigh(count, 3, 1e-9, &mut factor);
        let width = factor.len() / members.len();
        assert_eq!(width, 6);
        for column in 0..width {
            let sum: f64 = (0..members.len()).map(|place| factor[place * width + column]).sum();
            assert!(sum.abs() < 1e-10, "{sum}");
        }
    }
}
