//! Folds: lines along which a map turns over.
//!
//! The map turns a neighborhood over if the cross product of its coordinates in the frame, U_i, with those in the map has a
//! negative determinant, det U_i'H Y_i < 0. Which side is up depends on the frame; of two neighbors i and j it is the same
//! side where det P_i'P_j > 0. A membership is turned if exactly one of the two neighborhoods is, as told from one side.
//! A map that only stretches turns none, however strongly; a folded map turns those at its folds, and a map that is flat in
//! some direction turns them at random. A surface with one side, such as a Moebius strip, has no map without a fold.
//! Neighborhoods that span fewer than d directions have no side, and tell nothing. Cost: O(n k d^2 (q + d)).

use super::surface::Surface;
use crate::frames::{Tangents, local_coordinates};
use crate::{Result, Run};

/// Frames whose planes are more inclined than this do not tell which side is up.
const CLEAR: f64 = 0.25;

/// A neighborhood whose spread has a smaller determinant than this, with rows of size one, has no side.
const FLAT: f64 = 1e-10;

/// Which side of a neighborhood is up in the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Up,
    Down,
    /// The neighborhood spans fewer than d directions.
    None,
}

/// The share of the memberships that are turned, of those that tell.
pub(super) fn turned_share(surface: &Surface<'_>, tangents: &Tangents, y: &[f64], run: &Run) -> Result<f64> {
    let (whole, dim) = (surface.neighborhoods, tangents.dim());
    let sides = run.chunks("folds", whole.len(), 512, |range| {
        let (mut rows, mut cross, mut spread) = (Vec::new(), vec![0.0; dim * dim], vec![0.0; dim * dim]);
        let side = |index: usize| {
            let members = whole.members(index);
            rows.clear();
            rows.resize(members.len() * dim, 0.0);
            local_coordinates(surface.points, members, tangents, index, &mut rows);
            let own: Vec<&[f64]> = rows.chunks_exact(dim).collect();
            let mapped: Vec<&[f64]> = members.iter().map(|&member| &y[member as usize * dim..][..dim]).collect();
            cross_product(&own, &own, &mut spread);
            if scaled(&mut spread, dim).is_none() || determinant(&mut spread, dim) < FLAT {
                return Side::None;
            }
            cross_product(&own, &mapped, &mut cross);
            // A map that lies on a line or in a point has every side and none: it counts as one of the two.
            match scaled(&mut cross, dim) {
                Some(()) if determinant(&mut cross, dim) < 0.0 => Side::Down,
                _ => Side::Up,
            }
        };
        Ok(range.map(side).collect::<Vec<Side>>())
    })?;
    let sides: Vec<Side> = sides.concat();
    let counts = run.chunks("folds", whole.len(), 512, |range| {
        let (mut own, mut other) = (vec![0.0; tangents.cells()], vec![0.0; tangents.cells()]);
        let (mut product, mut counts) = (vec![0.0; dim * dim], (0_usize, 0_usize));
        for center in range {
            tangents.copy(center, &mut own);
            for &member in whole.neighbors(center) {
                tangents.copy(member as usize, &mut other);
                tangents.product(&own, &other, &mut product);
                let between = determinant(&mut product, dim);
                let (here, there) = (sides[center], sides[member as usize]);
                if between.abs() >= CLEAR && here != Side::None && there != Side::None {
                    counts.0 += usize::from((here != there) != (between < 0.0));
                    counts.1 += 1;
                }
            }
        }
        Ok(counts)
    })?;
    let (turned, told) = counts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    Ok(turned as f64 / told.max(1) as f64)
}

/// The centered rows of some members times their centered rows elsewhere, d x d.
fn cross_product(rows: &[&[f64]], others: &[&[f64]], cross: &mut [f64]) {
    let dim = rows.first().map_or(0, |row| row.len());
    let mean = |rows: &[&[f64]], axis: usize| rows.iter().map(|row| row[axis]).sum::<f64>() / rows.len() as f64;
    for (at, cell) in cross.iter_mut().enumerate() {
        let (axis, other_axis) = (at % dim, at / dim);
        let (mean, other_mean) = (mean(rows, axis), mean(others, other_axis));
        let products =
            rows.iter().zip(others).map(|(row, other)| (row[axis] - mean) * (other[other_axis] - other_mean));
        *cell = products.sum();
    }
}

/// Divides each row of a d x d matrix by its largest cell, which changes no sign; nothing where a row is zero.
fn scaled(matrix: &mut [f64], dim: usize) -> Option<()> {
    for row in matrix.chunks_exact_mut(dim) {
        let largest = row.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if largest == 0.0 {
            return None;
        }
        row.iter_mut().for_each(|value| *value /= largest);
    }
    Some(())
}

/// The determinant of a d x d matrix, which is lost, by elimination with the largest pivots.
fn determinant(matrix: &mut [f64], dim: usize) -> f64 {
    let mut value = 1.0;
    for step in 0..dim {
        let size = |row: &usize| matrix[row * dim + step].abs();
        let Some(pivot) = (step..dim).max_by(|one, other| size(one).total_cmp(&size(other))) else { return value };
        if matrix[pivot * dim + step] == 0.0 {
            return 0.0;
        }
        if pivot != step {
            (0..dim).for_each(|column| matrix.swap(pivot * dim + column, step * dim + column));
            value = -value;
        }
        value *= matrix[step * dim + step];
        for row in step + 1..dim {
            let factor = matrix[row * dim + step] / matrix[step * dim + step];
            for column in step..dim {
                matrix[row * dim + column] -= factor * matrix[step * dim + column];
            }
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Neighborhoods, Points};

    #[test]
    fn determinants_are_those_of_their_definition() {
        assert_eq!(determinant(&mut [-3.0], 1), -3.0);
        assert_eq!(determinant(&mut [0.0, 2.0, 3.0, 4.0], 2), -6.0);
        assert_eq!(determinant(&mut [1.0, 2.0, 2.0, 4.0], 2), 0.0);
        let (a, b, c) = ([2.0, -1.0, 0.5], [0.0, 3.0, 4.0], [1.0, 1.0, -2.0]);
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        let expected: f64 = a.iter().zip(&cross).map(|(a, cross)| a * cross).sum();
        assert!((determinant(&mut [a, b, c].concat(), 3) - expected).abs() < 1e-12);
    }

    /// A plane of 40 x 20 points, and the share that is turned where `fold` puts its points.
    fn turned(fold: impl Fn(f64, f64) -> [f64; 2]) -> f64 {
        let at = |index: u32| (f64::from(index % 40), f64::from(index / 40) + 0.01 * f64::from(index * index % 7));
        let rows: Vec<[f64; 3]> = (0..800).map(|index| [at(index).0, at(index).1, 0.3 * at(index).0]).collect();
        let y: Vec<f64> = (0..800).flat_map(|index| fold(at(index).0, at(index).1)).collect();
        let (points, run) = (Points::from_rows(&rows).unwrap(), Run::new());
        let neighborhoods = Neighborhoods::nearest(&points, 8, &run).unwrap();
        // Frames as local PCA gives them, some of which look up and some down.
        let tangents = Tangents::new(&points, &neighborhoods, 2, &run).unwrap();
        let surface = Surface::new(&points, &neighborhoods, &run).unwrap();
        turned_share(&surface, &tangents, &y, &run).unwrap()
    }

    #[test]
    fn a_stretched_map_turns_nothing_over_and_a_folded_one_its_fold() {
        assert_eq!(turned(|x, y| [x, y]), 0.0);
        assert_eq!(turned(|x, y| [-5.0 * x, 0.2 * y]), 0.0);
        assert_eq!(turned(|x, y| [x * x, y]), 0.0);
        let folded = turned(|x, y| [(x - 20.0).abs(), y]);
        assert!(folded > 0.01 && folded < 0.1, "{folded}");
        // Two folds are twice as long as one.
        let twice = turned(|x, y| [((x - 20.0).abs() - 10.0).abs(), y]);
        assert!(twice > 1.5 * folded && twice < 4.0 * folded, "{folded} {twice}");
    }
}
