//! The projection of all points onto their first d principal axes: a start that nothing local can tear.
//!
//! B = orthonormal basis of X'(X B), X centered, again and again; a start needs no more digits than a few rounds give. Then
//! X B. Cost: O(n q d) a round.

use crate::linalg::{Polar, add_scaled, dot};
use crate::local::Input;
use crate::{Points, Result, Run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

const ROUNDS: usize = 15;

/// Rows per task.
const CHUNK: usize = 4096;

/// The points of `input` projected to `dim` dimensions, no more than they have; none where there are only distances.
pub(super) fn project(input: &Input<'_>, dim: usize, run: &Run) -> Result<Option<Points>> {
    let Input::Points(points) = input else { return Ok(None) };
    let width = points.dim();
    let mut means = vec![0.0; width];
    for row in points.rows() {
        add_scaled(&mut means, 1.0 / points.len() as f64, row);
    }
    let mut random = ChaCha8Rng::seed_from_u64(run.seed());
    let mut basis: Vec<f64> = (0..width * dim).map(|_| random.sample(StandardNormal)).collect();
    let mut polar = Polar::default();
    for _ in 0..ROUNDS {
        polar.decompose(&basis, width, dim);
        let axes = polar.factor();
        let parts = run.quiet().chunks("projection", points.len(), CHUNK, |range| {
            let mut sum = vec![0.0; width * dim];
            let mut offset = vec![0.0; width];
            for row in range {
                center(&mut offset, points.row(row), &means);
                for (axis, sum) in axes.chunks_exact(width).zip(sum.chunks_exact_mut(width)) {
                    add_scaled(sum, dot(axis, &offset), &offset);
                }
            }
            Ok(sum)
        })?;
        basis.fill(0.0);
        for part in parts {
            add_scaled(&mut basis, 1.0, &part);
        }
    }
    polar.decompose(&basis, width, dim);
    let mut values = Vec::with_capacity(points.len() * dim);
    let mut offset = vec![0.0; width];
    for row in points.rows() {
        center(&mut offset, row, &means);
        values.extend(polar.factor().chunks_exact(width).map(|axis| dot(axis, &offset)));
    }
    Points::new(points.len(), dim, values).map(Some)
}

fn center(offset: &mut [f64], row: &[f64], means: &[f64]) {
    for ((offset, value), mean) in offset.iter_mut().zip(row).zip(means) {
        *offset = value - mean;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_axes_are_kept() {
        let rows: Vec<[f64; 4]> = (0..200)
            .map(|at| {
                let (a, b, c) = (f64::from(at), f64::from(at * 37 % 101), f64::from(at % 3));
                [0.6 * a + 5.0, b, 0.01 * c, 0.8 * a - 2.0]
            })
            .collect();
        let points = Points::from_rows(&rows).unwrap();
        let projected = project(&Input::Points(&points), 2, &Run::new()).unwrap().unwrap();
        let distance = |points: &Points, a: usize, b: usize| -> f64 {
            points.row(a).iter().zip(points.row(b)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        for a in 0..200 {
            assert!((distance(&points, a, 0) - distance(&projected, a, 0)).abs() < 0.03);
        }
    }

    #[test]
    fn equal_points_have_no_axes_and_stay_together() {
        let points = Points::new(5, 3, vec![2.0; 15]).unwrap();
        assert!(
            project(&Input::Points(&points), 2, &Run::new())
                .unwrap()
                .unwrap()
                .values()
                .iter()
                .all(|value| value.abs() < 1e-12)
        );
    }
}
