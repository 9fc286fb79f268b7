//! Local PCA: the principal axes of a patch, the eigenvectors of X'X, longest first.
//!
//! Few coordinates: those of the q x q scatter matrix X'X. Many: those of the m x m Gram matrix X X' = V L V', with the
//! same eigenvalues; the axes are then X'V L^(-1/2). Cost: O(m q min(m, q)) and an eigendecomposition of the smaller
//! size.

use super::patch::{Layout, Patch};
use crate::Result;
use crate::linalg::{SymmetricEigen, add_scaled, dot, products_between, sum_of_products};

/// The principal axes of one patch and the work space for the next.
#[derive(Debug, Default)]
pub(crate) struct PrincipalAxes {
    matrix: Vec<f64>,
    eigen: SymmetricEigen,
    by_scatter: bool,
}

impl PrincipalAxes {
    /// Finds the axes of a patch by the smaller of its two matrices.
    #[inline(always)]
    pub(crate) fn find(&mut self, patch: Patch<'_>) {
        if patch.coordinates() <= patch.members() {
            self.find_by_scatter(patch);
        } else {
            self.find_by_gram(patch);
        }
    }

    /// Finds the axes by the scatter matrix.
    #[inline(always)]
    pub(crate) fn find_by_scatter(&mut self, patch: Patch<'_>) {
        match patch.layout {
            Layout::ByCoordinate => products_between(&mut self.matrix, patch.lists, patch.stride),
            Layout::ByMember => sum_of_products(&mut self.matrix, patch.lists, patch.stride, patch.length),
        }
        self.decompose(patch.coordinates(), true);
    }

    /// Finds the axes by the Gram matrix.
    #[inline(always)]
    fn find_by_gram(&mut self, patch: Patch<'_>) {
        match patch.layout {
            Layout::ByCoordinate => sum_of_products(&mut self.matrix, patch.lists, patch.stride, patch.length),
            Layout::ByMember => products_between(&mut self.matrix, patch.lists, patch.stride),
        }
        self.decompose(patch.members(), false);
    }

    /// Decomposes the Gram matrix of `size` members that `fill` writes.
    pub(crate) fn decompose_gram(&mut self, size: usize, fill: impl FnOnce(&mut [f64]) -> Result<()>) -> Result<()> {
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        fill(&mut self.matrix)?;
        self.decompose(size, false);
        Ok(())
    }

    #[inline(always)]
    fn decompose(&mut self, size: usize, by_scatter: bool) {
        self.eigen.decompose(&self.matrix, size);
        self.by_scatter = by_scatter;
    }

    /// Whether the vectors are those of the scatter matrix: axes, and not coordinates of the members.
    #[inline(always)]
    pub(crate) fn by_scatter(&self) -> bool {
        self.by_scatter
    }

    /// The squared length of the patch along each axis, longest first.
    #[inline(always)]
    pub(crate) fn values(&self) -> &[f64] {
        self.eigen.values()
    }

    /// The eigenvector at `rank` of the matrix that was decomposed.
    #[inline(always)]
    pub(crate) fn vector(&self, rank: usize) -> &[f64] {
        self.eigen.vector(rank)
    }

    /// Appends the axis at `rank` of the patch whose axes were found last; its value must be positive.
    #[inline(always)]
    pub(crate) fn append_axis(&self, patch: Patch<'_>, rank: usize, axes: &mut Vec<f64>) {
        let vector = self.vector(rank);
        if self.by_scatter {
            axes.extend_from_slice(vector);
            return;
        }
        let length = self.values()[rank].sqrt();
        match patch.layout {
            Layout::ByCoordinate => {
                let scale = 1.0 / length;
                let coordinates = patch.lists.chunks_exact(patch.stride);
                axes.extend(coordinates.map(|coordinate| scale * dot(&coordinate[..patch.length], vector)));
            }
            Layout::ByMember => {
                let start = axes.len();
                axes.resize(start + patch.length, 0.0);
                for (row, part) in patch.lists.chunks_exact(patch.stride).zip(vector) {
                    add_scaled(&mut axes[start..], part / length, row);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use crate::local::patch::{gather_about, gather_centered};

    #[test]
    fn every_layout_and_either_matrix_find_the_same_axes() {
        // Six points of eight coordinates, then the same with the two sides exchanged in size.
        for (size, dim) in [(6, 8), (8, 6)] {
            let values = (0..size * dim).map(|at| ((at * at * 31 % 97) as f64).sin() * (1 + at % dim) as f64).collect();
            let points = Points::new(size, dim, values).unwrap();
            let members: Vec<u32> = (0..size as u32).collect();
            let (mut by_coordinate, mut by_member) = (Vec::new(), Vec::new());
            gather_centered(&mut by_coordinate, &points, &members, size);
            let mean: Vec<f64> =
                (0..dim).map(|axis| points.rows().map(|row| row[axis]).sum::<f64>() / size as f64).collect();
            gather_about(&mut by_member, &mean, points.rows().map(|row| (row, 1.0)));
            let patches = [Patch::by_coordinate(&by_coordinate, size, size), Patch::by_member(&by_member, dim)];
            let mut found = Vec::new();
            for patch in patches {
                for by_scatter in [true, false] {
                    let mut axes = PrincipalAxes::default();
                    if by_scatter {
                        axes.find_by_scatter(patch)
                    } else {
                        axes.find_by_gram(patch)
                    }
                    let mut frame = Vec::new();
                    (0..3).for_each(|rank| axes.append_axis(patch, rank, &mut frame));
                    found.push((axes.values()[..3].to_vec(), frame));
                }
            }
            let (values, frame) = &found[0];
            for (other_values, other_frame) in &found[1..] {
                for rank in 0..3 {
                    assert!((values[rank] - other_values[rank]).abs() < 1e-10 * values[0]);
                    let cosine = dot(&frame[rank * dim..][..dim], &other_frame[rank * dim..][..dim]);
                    assert!((cosine.abs() - 1.0).abs() < 1e-10, "{cosine}");
                }
            }
        }
    }
}
