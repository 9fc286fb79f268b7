//! The Gram matrix of a neighborhood about its center, C_ab = (x_a - x_i)'(x_b - x_i) for its neighbors a and b.
//!
//! From distances alone, C_ab = (d_ia^2 + d_ib^2 - d_ab^2) / 2. Cost: O(k^2 q).

use super::patch::gather_about;
use crate::data::Input;
use crate::linalg::products_between;
use crate::points::with_rows;
use crate::{Points, Result};

/// The Gram matrix of one neighborhood and the work space to make the next.
#[derive(Debug, Default)]
pub(crate) struct AroundCenter {
    differences: Vec<f64>,
    block: Vec<f64>,
    matrix: Vec<f64>,
}

impl AroundCenter {
    /// Takes the differences x_a - x_i, a row per neighbor.
    pub(crate) fn difference(&mut self, points: &Points, members: &[u32]) {
        with_rows!(points.table(), rows => {
            let neighbors = members[1..].iter().map(|&member| (rows.row(member as usize), 1.0));
            gather_about(&mut self.differences, rows.row(members[0] as usize), neighbors);
        });
    }

    /// The differences taken last.
    pub(crate) fn differences(&self) -> &[f64] {
        &self.differences
    }

    /// Makes the k x k matrix of the neighborhood whose `members` are its center and k neighbors.
    pub(crate) fn fill(&mut self, input: &Input<'_>, members: &[u32]) -> Result<&mut [f64]> {
        let count = members.len() - 1;
        match input {
            Input::Points(points) => {
                self.difference(points, members);
                products_between(&mut self.matrix, &self.differences, points.dim());
            }
            Input::Distances(distances) => {
                let size = members.len();
                self.matrix.clear();
                self.matrix.resize(count * count, 0.0);
                self.block.clear();
                self.block.resize(size * size, 0.0);
                distances.block(members, &mut self.block)?;
                let squared = |a: usize, b: usize| self.block[a * size + b] * self.block[a * size + b];
                for a in 0..count {
                    for b in 0..count {
                        self.matrix[a * count + b] =
                            0.5 * (squared(0, a + 1) + squared(0, b + 1) - squared(a + 1, b + 1));
                    }
                }
            }
        }
        Ok(&mut self.matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Distances;

    #[test]
    fn points_and_their_distances_give_the_same_matrix() {
        let points = Points::from_rows(&[[0.0, 1.0], [2.0, 1.5], [-1.0, 4.0], [0.5, -2.0]]).unwrap();
        let table = (0..16).map(|at| Input::Points(&points).distance(at / 4, at % 4)).collect();
        let distances = Distances::dense(4, table).unwrap();
        let members = [1, 0, 3, 2];
        let (mut a, mut b) = (AroundCenter::default(), AroundCenter::default());
        let from_points = a.fill(&Input::Points(&points), &members).unwrap();
        let from_distances = b.fill(&Input::Distances(&distances), &members).unwrap();
        assert_eq!(from_points[0], 4.25);
        for (a, b) in from_points.iter().zip(from_distances) {
            assert!((a - *b).abs() < 1e-12);
        }
    }
}
