//! Points between two sheets of a map, each put where it is expected.
//!
//! A point x_i that noise moved to about the middle between two sheets may have come from either. With noise of deviation s
//! it came from near the place c_j of a sheet with odds of w_j = exp(-|x_i - c_j|^2 / 2 (1.2 s)^2), the factor because the
//! sheets are estimates; so the place with the least expected squared error is sum_j w_j y_j / sum_j w_j, y_j the
//! coordinates of c_j: between the sheets, by their odds. The gain over the likelier sheet is the square of the smaller
//! chance, so a point stays where it is unless another sheet has at least one chance in five. Letters: x_i the points as
//! measured, c_j those without noise, y_j the map. Cost: O(n m q), m the neighbors. When it fails: the odds are as uncertain
//! as the sheets are; such a point is near neither of its two places, and only the mean error is less.

use super::kernel::Kernel;
use crate::linalg::distance;
use crate::{Neighborhoods, Points, Result, Run};

/// The least chance of another sheet that moves a point: smaller ones gain next to nothing.
const LEAST: f64 = 0.2;
/// The deviation of points from the places of sheets, in units of that of the noise: the sheets are estimates.
const WIDER: f64 = 1.2;
/// A place is on another sheet if it is this many times as far in the map as any that the point may have come from is in
/// the data.
const FAR: f64 = 2.0;

/// Moves those rows of the map `y` of the points without noise, `clean`, that may belong to another sheet; says how many.
pub(crate) fn put_between(
    measured: &Points,
    clean: &Points,
    around: &Neighborhoods,
    noise: f64,
    y: &mut [f64],
    run: &Run,
) -> Result<usize> {
    if noise <= 0.0 {
        return Ok(0);
    }
    let dim = y.len() / measured.len();
    let moves = run.chunks("between sheets", measured.len(), 512, |range| {
        let (mut kernel, mut moves) = (Kernel::default(), Vec::new());
        for index in range {
            let own = |row: usize| row != index;
            kernel.weigh(measured.row(index), clean.values(), around.members(index), WIDER * noise, own);
            if let Some(place) = expected(&kernel, clean, y, dim, index) {
                moves.push((index, place));
            }
        }
        Ok(moves)
    })?;
    let moves = moves.concat();
    for (index, place) in &moves {
        y[index * dim..][..dim].copy_from_slice(place);
    }
    Ok(moves.len())
}

/// The expected place of point `index`, if it may belong to another sheet.
fn expected(kernel: &Kernel, clean: &Points, y: &[f64], dim: usize, index: usize) -> Option<Vec<f64>> {
    let at = |row: u32| &y[row as usize * dim..][..dim];
    let own = at(index as u32);
    let apart = |row: u32| distance(clean.row(index), clean.row(row as usize));
    let reach = kernel.votes.iter().map(|vote| apart(vote.0)).fold(0.0, f64::max);
    let total: f64 = kernel.votes.iter().map(|vote| vote.1).sum();
    let mut place = own.to_vec();
    let mut chance = 0.0;
    for &(row, weight) in kernel.votes.iter().filter(|vote| distance(at(vote.0), own) > FAR * reach) {
        chance += weight / total;
        let other = at(row).iter().zip(own);
        place.iter_mut().zip(other).for_each(|(place, (other, own))| *place += weight / total * (other - own));
    }
    (chance >= LEAST).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two levels of a folded strip, 4 apart, whose map lies in one line, and a point between them at this height.
    fn moved(height: f64, unit: f64) -> (usize, f64) {
        let mut rows: Vec<[f64; 3]> = Vec::new();
        let mut map = Vec::new();
        for level in [0.0, 4.0] {
            for row in 0..200 {
                let (u, v) = (f64::from(row % 20) * 0.5, f64::from(row / 20) * 0.5);
                rows.push([u, v, level]);
                map.extend([if level > 0.0 { 60.0 - u } else { u }, v]);
            }
        }
        rows.push([5.0, 2.0, 0.0]);
        map.extend([5.0, 2.0]);
        let scaled = |rows: &[[f64; 3]]| {
            Points::from_rows(&rows.iter().map(|row| row.map(|value| unit * value)).collect::<Vec<_>>()).unwrap()
        };
        let clean = scaled(&rows);
        rows[400][2] = height;
        let measured = scaled(&rows);
        let around = Neighborhoods::nearest(&measured, 400, &Run::new()).unwrap();
        let mut y: Vec<f64> = map.iter().map(|value| unit * value).collect();
        let count = put_between(&measured, &clean, &around, unit, &mut y, &Run::new()).unwrap();
        for (at, (now, before)) in y.iter().zip(&map).enumerate().take(800) {
            assert!((now / unit - before).abs() < 1e-9, "row {} has moved", at / 2);
        }
        (count, y[800] / unit)
    }

    #[test]
    fn a_point_in_the_middle_is_put_in_the_middle_by_its_odds() {
        // From level 0 the point is at 5, from level 4 at 55.
        for unit in [1e-3, 1.0, 1e3] {
            let (count, place) = moved(2.0, unit);
            assert!(count == 1 && (place - 30.0).abs() < 1.0, "{count} {place}");
            // The odds at height 1.7 are those of exp(-1.7^2 / 2 s^2) and exp(-2.3^2 / 2 s^2).
            let chance = 1.0 / (1.0 + (0.5_f64 * (2.3 * 2.3 - 1.7 * 1.7) / (WIDER * WIDER)).exp());
            let (count, place) = moved(1.7, unit);
            assert!(count == 1 && (place - 5.0 - 50.0 * chance).abs() < 1.0, "{place}, {chance}");
            assert_eq!(moved(0.9, unit), (0, 5.0));
        }
    }
}
