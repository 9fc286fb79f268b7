//! The attraction of linked points: sum_j p_ij (y_i - y_j) / (1 + |y_i - y_j|^2).
//!
//! Eight links at a time, in eight sums that are added in a fixed order. Cost: about 4 D operations and a division a link.

use super::affinities::Affinities;
use crate::{Result, Run};
use rayon::prelude::*;

/// Points of one task.
const TASK: usize = 1024;
/// Links that are looked at together.
const LANES: usize = 8;

/// Writes the attraction of each point to `forces`.
pub(crate) fn attraction<const D: usize>(
    affinities: &Affinities,
    places: &[[f32; D]],
    forces: &mut [[f32; D]],
    run: &Run,
) -> Result<()> {
    run.install(|| {
        forces.par_chunks_mut(TASK).enumerate().try_for_each(|(task, forces)| {
            run.check()?;
            pulp::Arch::new().dispatch(Pull { affinities, places, first: task * TASK, forces });
            Ok(())
        })
    })
}

/// The sum of p_ij ln(1 + |y_i - y_j|^2) over all links.
pub(crate) fn tension<const D: usize>(affinities: &Affinities, places: &[[f32; D]], run: &Run) -> Result<f64> {
    let row = |row: usize| {
        let (others, weights) = affinities.of_row(row);
        let term = |(&other, &weight): (&u32, &f32)| {
            let apart = |axis: usize| f64::from(places[row][axis]) - f64::from(places[other as usize][axis]);
            let square: f64 = (0..D).map(|axis| apart(axis) * apart(axis)).sum();
            f64::from(weight) * square.ln_1p()
        };
        others.iter().zip(weights).map(term).sum::<f64>()
    };
    let parts = run.quiet().chunks("tension", affinities.len(), TASK, |range| Ok(range.map(row).sum::<f64>()))?;
    Ok(parts.iter().sum())
}

struct Pull<'a, const D: usize> {
    affinities: &'a Affinities,
    places: &'a [[f32; D]],
    first: usize,
    forces: &'a mut [[f32; D]],
}

impl<const D: usize> pulp::WithSimd for Pull<'_, D> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        for (row, force) in (self.first..).zip(self.forces) {
            let (others, weights) = self.affinities.of_row(row);
            let place = self.places[row];
            let mut sums = [[0.0_f32; LANES]; D];
            let ((others, few), (weights, light)) = (others.as_chunks::<LANES>(), weights.as_chunks::<LANES>());
            for (others, weights) in others.iter().zip(weights) {
                add(&mut sums, place, self.places, others, weights);
            }
            // The rest is filled up by the point itself, which does not pull.
            let (mut others, mut weights) = ([row as u32; LANES], [0.0; LANES]);
            others[..few.len()].copy_from_slice(few);
            weights[..light.len()].copy_from_slice(light);
            add(&mut sums, place, self.places, &others, &weights);
            for (force, sums) in force.iter_mut().zip(&sums) {
                let [a, b, c, d, e, f, g, h] = *sums;
                *force = ((a + e) + (b + f)) + ((c + g) + (d + h));
            }
        }
    }
}

#[inline(always)]
fn add<const D: usize>(
    sums: &mut [[f32; LANES]; D],
    place: [f32; D],
    places: &[[f32; D]],
    others: &[u32; LANES],
    weights: &[f32; LANES],
) {
    let mut apart = [[0.0_f32; LANES]; D];
    for lane in 0..LANES {
        let other = places[others[lane] as usize];
        for axis in 0..D {
            apart[axis][lane] = place[axis] - other[axis];
        }
    }
    let mut squares = [1.0_f32; LANES];
    for apart in &apart {
        for lane in 0..LANES {
            squares[lane] += apart[lane] * apart[lane];
        }
    }
    let mut pulls = [0.0_f32; LANES];
    for lane in 0..LANES {
        pulls[lane] = weights[lane] / squares[lane];
    }
    for (sums, apart) in sums.iter_mut().zip(&apart) {
        for lane in 0..LANES {
            sums[lane] += pulls[lane] * apart[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Neighborhoods, Points};

    #[test]
    fn attraction_is_the_sum_over_links_in_two_and_three_dimensions() {
        fn check<const D: usize>(affinities: &Affinities, run: &Run) {
            let place = |at: usize| std::array::from_fn(|axis| ((at * 31 + axis * 7) % 97) as f32 / 9.0);
            let places: Vec<[f32; D]> = (0..affinities.len()).map(place).collect();
            let mut forces = vec![[0.0; D]; places.len()];
            attraction(affinities, &places, &mut forces, run).unwrap();
            let mut whole = 0.0;
            for (row, force) in forces.iter().enumerate() {
                let (others, weights) = affinities.of_row(row);
                let mut sum = [0.0; D];
                for (&other, &weight) in others.iter().zip(weights) {
                    let apart: [f64; D] = std::array::from_fn(|axis| {
                        f64::from(places[row][axis]) - f64::from(places[other as usize][axis])
                    });
                    let square: f64 = apart.iter().map(|apart| apart * apart).sum();
                    whole += f64::from(weight) * (1.0 + square).ln();
                    sum.iter_mut()
                        .zip(apart)
                        .for_each(|(sum, apart)| *sum += f64::from(weight) * apart / (1.0 + square));
                }
                let error =
                    force.iter().zip(sum).map(|(found, sum)| (f64::from(*found) - sum).abs()).fold(0.0, f64::max);
                assert!(error < 1e-8, "{row}: {force:?} {sum:?}");
            }
            assert!((tension(affinities, &places, run).unwrap() / whole - 1.0).abs() < 1e-12);
        }
        let values = (0..600).map(|at| f64::from(at * 7919 % 1009)).collect();
        let (points, run) = (Points::new(200, 3, values).unwrap(), Run::new());
        let neighborhoods = Neighborhoods::nearest(&points, 15, &run).unwrap();
        let distances = neighborhoods.distances(&points, Metric::Euclidean, &run).unwrap();
        let affinities = Affinities::of(&neighborhoods, &distances, 5.0, &run).unwrap();
        check::<2>(&affinities, &run);
        check::<3>(&affinities, &run);
    }
}
