//! The Procrustes rotation: the A with orthonormal columns that carries a centered Y best onto a centered C.
//!
//! With Z = C'Y = U L V' the least of |C - Y A'|^2 over A'A = I is reached at A = U V', r x d for r coordinates of C and
//! d of Y; with a free scale s, |C - s Y A'|^2 is least at s = tr L / |Y|^2. Where r < d, A has orthonormal rows instead.
//! Goldberg and Ritov, section 3. Cost: O(m r d + r d^2) for m members.

use crate::linalg::{Polar, add_scaled, dot, square};

/// A Procrustes rotation and the work space to find the next.
///
/// Coordinates are lists of `stride` numbers, one after the other; what is past the members is zero.
#[derive(Debug, Default)]
pub(crate) struct Rotation {
    /// Z, r x d, column by column.
    cross: Vec<f64>,
    polar: Polar,
    /// r and d.
    width: usize,
    dim: usize,
}

impl Rotation {
    /// Finds the rotation between coordinates of C and of Y; C counts as zero along coordinates up to `width` that it
    /// does not have.
    #[inline(always)]
    pub(crate) fn find(&mut self, source: &[f64], target: &[f64], stride: usize, width: usize) {
        self.begin(width, target.len() / stride);
        for (target, cells) in target.chunks_exact(stride).zip(self.cross.chunks_exact_mut(width.max(1))) {
            for (source, cell) in source.chunks_exact(stride).zip(cells) {
                *cell = dot(source, target);
            }
        }
        self.decompose();
    }

    /// Finds the rotation again with the first `width` coordinates of C alone.
    #[inline(always)]
    pub(crate) fn narrow(&mut self, width: usize) {
        for column in 0..self.dim {
            self.cross.copy_within(column * self.width..column * self.width + width, column * width);
        }
        self.width = width;
        self.cross.truncate(width * self.dim);
        self.decompose();
    }

    /// Begins with Z = 0, to which [`add_member`](Self::add_member) adds.
    #[inline(always)]
    pub(crate) fn begin(&mut self, width: usize, dim: usize) {
        (self.width, self.dim) = (width, dim);
        self.cross.clear();
        self.cross.resize(width * dim, 0.0);
    }

    /// Adds one member, r numbers of C and d of Y, to Z.
    #[inline(always)]
    pub(crate) fn add_member(&mut self, source: &[f64], target: impl Iterator<Item = f64>) {
        for (column, value) in self.cross.chunks_exact_mut(self.width).zip(target) {
            add_scaled(column, value, source);
        }
    }

    /// Adds `weight` times an r x d matrix to Z.
    pub(crate) fn add_matrix(&mut self, weight: f64, matrix: &[f64]) {
        add_scaled(&mut self.cross, weight, matrix);
    }

    /// Finds the rotation of what was added to Z.
    #[inline(always)]
    pub(crate) fn decompose(&mut self) {
        if self.width >= self.dim {
            self.polar.decompose(&self.cross, self.width, self.dim);
        } else {
            self.polar.decompose_wide(&self.cross, self.width, self.dim);
        }
    }

    /// A, column by column.
    #[inline(always)]
    pub(crate) fn matrix(&self) -> &[f64] {
        self.polar.factor()
    }

    /// The entry of A for a coordinate of C and one of Y.
    #[inline(always)]
    pub(crate) fn entry(&self, axis: usize, column: usize) -> f64 {
        self.polar.factor()[column * self.width + axis]
    }

    /// The column of A for one coordinate of Y: its direction in C.
    #[inline(always)]
    pub(crate) fn column(&self, column: usize) -> &[f64] {
        &self.polar.factor()[column * self.width..(column + 1) * self.width]
    }

    /// The number of directions that Z determines; below d the rotation was completed in a fixed way.
    #[inline(always)]
    pub(crate) fn rank(&self) -> usize {
        self.polar.rank()
    }

    /// The best scale of a configuration of squared size `extent`; zero for a single place.
    #[inline(always)]
    pub(crate) fn scale(&self, extent: f64) -> f64 {
        if extent > 0.0 { self.polar.trace() / extent } else { 0.0 }
    }

    /// |C - Y A'|^2 and |C - s Y A'|^2 with the best scale s, summed directly and not as a difference of large terms, so
    /// that a rigid motion gives zero to the last digit; `carried` gets Y A'.
    #[inline(always)]
    pub(crate) fn residuals(
        &self,
        source: &[f64],
        target: &[f64],
        stride: usize,
        carried: &mut Vec<f64>,
    ) -> (f64, f64) {
        carried.clear();
        carried.resize(self.width * stride, 0.0);
        for (axis, image) in carried.chunks_exact_mut(stride).enumerate() {
            for (column, coordinate) in target.chunks_exact(stride).enumerate() {
                add_scaled(image, self.entry(axis, column), coordinate);
            }
        }
        let scale = self.scale(square(target));
        // C is zero along the coordinates that it does not have.
        let (inside, outside) = carried.split_at(source.len());
        let (mut rigid, mut conformal) = (0.0, 0.0);
        for (source, image) in source.chunks_exact(stride).zip(inside.chunks_exact(stride)) {
            let (mut sum, mut scaled) = (0.0, 0.0);
            for (a, b) in source.iter().zip(image) {
                sum += (a - b) * (a - b);
                scaled += (a - scale * b) * (a - scale * b);
            }
            rigid += sum;
            conformal += scaled;
        }
        let beyond = square(outside);
        (rigid + beyond, conformal + scale * scale * beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six members: a centered plane figure and its image under a rotation into space, by coordinate.
    fn figure() -> (Vec<f64>, Vec<f64>, [f64; 6]) {
        let y = [1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 0.0, 3.0, -1.0, -1.0, -2.0, 1.0];
        // The columns of A: (0.6, 0.8, 0) and (0, 0, 1).
        let a = [0.6, 0.8, 0.0, 0.0, 0.0, 1.0];
        let c = (0..18).map(|at| (0..2).map(|column| a[column * 3 + at / 6] * y[column * 6 + at % 6]).sum()).collect();
        (c, y.to_vec(), a)
    }

    #[test]
    fn columns_and_members_give_the_same_rotation() {
        let (c, y, a) = figure();
        let mut by_columns = Rotation::default();
        by_columns.find(&c, &y, 6, 3);
        let mut by_members = Rotation::default();
        by_members.begin(3, 2);
        for member in 0..6 {
            let row: Vec<f64> = (0..3).map(|axis| c[axis * 6 + member]).collect();
            by_members.add_member(&row, (0..2).map(|column| y[column * 6 + member]));
        }
        by_members.decompose();
        for rotation in [&by_columns, &by_members] {
            assert!(rotation.matrix().iter().zip(a).all(|(found, a)| (found - a).abs() < 1e-14));
            assert_eq!((rotation.rank(), rotation.entry(2, 1)), (2, rotation.column(1)[2]));
        }
        let (rigid, conformal) = by_columns.residuals(&c, &y, 6, &mut Vec::new());
        assert!(rigid < 1e-28 && conformal < 1e-28);
    }

    #[test]
    fn a_prior_decides_where_there_is_nothing_else_and_no_more() {
        let (c, y, _) = figure();
        let prior = [0.0, 1.0, 0.0, 1.0, 0.0, 0.0];
        let mut rotation = Rotation::default();
        rotation.begin(3, 2);
        rotation.add_matrix(0.5, &prior);
        rotation.decompose();
        assert!(rotation.matrix().iter().zip(prior).all(|(found, prior)| (found - prior).abs() < 1e-14));
        rotation.find(&c, &y, 6, 3);
        rotation.narrow(2);
        // Without the third coordinate C has one direction, (0.6, 0.8): A keeps it and is completed to a rotation.
        assert_eq!(rotation.rank(), 1);
        let [one, other] = [rotation.column(0), rotation.column(1)];
        assert!(
            (square(one) - 1.0).abs() < 1e-14 && (square(other) - 1.0).abs() < 1e-14 && dot(one, other).abs() < 1e-14
        );
        let along = (0.6 * one[0] + 0.8 * one[1], 0.6 * other[0] + 0.8 * other[1]);
        let products = (square(&y[..6]), dot(&y[..6], &y[6..]));
        assert!((along.0 * products.1 - along.1 * products.0).abs() < 1e-12, "{along:?}");
    }
}
