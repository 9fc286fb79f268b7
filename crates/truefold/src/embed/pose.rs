//! The pose of a map among its shifts and mirror images: its mean is zero, and the longer end of every axis is positive.
//!
//! Fixed chunks, joined in order: the same bits on any number of threads. Cost: O(n d), two passes.

use crate::linalg::{Columns, principal_coordinates};
use rayon::prelude::*;

/// Points per task.
const CHUNK: usize = 4096;

/// Shifts the mean of `values`, rows of `dim` coordinates, to zero, then flips axes.
pub(super) fn settle(values: &mut [f64], dim: usize) {
    let count = (values.len() / dim) as f64;
    let parts: Vec<[Vec<f64>; 3]> = values
        .par_chunks(CHUNK * dim)
        .map(|rows| {
            [
                Columns::join(rows, dim, 0.0, |sum, value| sum + value),
                Columns::join(rows, dim, f64::NEG_INFINITY, |most, value| if value > most { value } else { most }),
                Columns::join(rows, dim, f64::INFINITY, |least, value| if value < least { value } else { least }),
            ]
        })
        .collect();
    let column = |of: usize, at: usize| parts.iter().map(move |part| part[of][at]);
    let means: Vec<f64> = (0..dim).map(|at| column(0, at).sum::<f64>() / count).collect();
    // The end that is farther from zero is positive; an axis whose ends are equally far is left as it is.
    let signs: Vec<f64> = (0..dim)
        .map(|at| {
            let above = column(1, at).fold(f64::NEG_INFINITY, f64::max) - means[at];
            let below = means[at] - column(2, at).fold(f64::INFINITY, f64::min);
            if below > above { -1.0 } else { 1.0 }
        })
        .collect();
    let (means, signs) = (Columns::new(&means), Columns::new(&signs));
    values.par_chunks_mut(CHUNK * dim).for_each(|rows| {
        means.change(rows, |value, mean| *value -= mean);
        signs.change(rows, |value, sign| *value *= sign);
    });
}

/// Turns the rows of `values` about their mean onto their principal axes, the longest first: a rigid motion.
pub(super) fn set_upright(values: &mut [f64], dim: usize) {
    let (turned, _) = principal_coordinates(values, dim, dim);
    values.copy_from_slice(&turned);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_is_a_rigid_motion_onto_the_principal_axes() {
        let mut values: Vec<f64> = (0..20).flat_map(|at| [f64::from(at), f64::from(at) + f64::from(at % 3)]).collect();
        let before = values.clone();
        set_upright(&mut values, 2);
        let distance = |values: &[f64], a: usize, b: usize| {
            (values[2 * a] - values[2 * b]).hypot(values[2 * a + 1] - values[2 * b + 1])
        };
        for a in 0..20 {
            assert!((distance(&before, a, 0) - distance(&values, a, 0)).abs() < 1e-12);
        }
        let product: f64 = values.chunks_exact(2).map(|row| row[0] * row[1]).sum();
        assert!(product.abs() < 1e-9);
    }

    #[test]
    fn mean_is_zero_and_the_far_end_positive() {
        for count in [1, 3, CHUNK, 2 * CHUNK + 1] {
            let mut values: Vec<f64> = (0..count).flat_map(|at| [5.0 - (at * at) as f64, at as f64]).collect();
            settle(&mut values, 2);
            for column in 0..2 {
                let column: Vec<f64> = values.iter().skip(column).step_by(2).copied().collect();
                let highest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let lowest = column.iter().copied().fold(f64::INFINITY, f64::min);
                let scale = highest.max(1.0);
                assert!((column.iter().sum::<f64>() / count as f64).abs() <= 1e-12 * scale, "{count}");
                assert!(highest + lowest >= -1e-12 * scale, "{count}: {lowest} to {highest}");
            }
        }
    }

    #[test]
    fn an_axis_is_flipped_whole() {
        let mut values = vec![0.0, 1.0, -3.0, 2.0, 0.0, 3.0];
        settle(&mut values, 2);
        assert_eq!(values, [-1.0, -1.0, 2.0, 0.0, -1.0, 1.0]);
    }
}
