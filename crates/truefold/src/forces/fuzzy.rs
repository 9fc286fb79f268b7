//! How strongly neighbors belong together, by UMAP: weights that fall from 1 at the nearest neighbor.
//!
//! Around each point w_j|i = exp(-max(0, d_ij - r_i) / s_i), r_i the distance of the nearest neighbor that is not at the
//! same place, s_i such that the weights add up to log2(k + 1); w_ij = w_j|i + w_i|j - w_j|i w_i|j (McInnes, Healy and
//! Melville 2018). Cost: about ten exponentials a link; memory: 24 bytes a link.

use super::affinities::Affinities;
use crate::{Neighborhoods, Result, Run};

/// Steps towards the width of a point, at the most.
const STEPS: usize = 100;
/// The least width, as a share of the mean distance.
const LEAST: f64 = 1e-3;

impl Affinities {
    /// The weights of the links of `neighborhoods`, whose `distances` include those of the centers to themselves.
    pub(crate) fn fuzzy(neighborhoods: &Neighborhoods, distances: &[f64], run: &Run) -> Result<Self> {
        let largest = distances.iter().copied().fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let mean = distances.iter().map(|distance| distance / unit).sum::<f64>() / distances.len() as f64 * unit;
        let own = |distances: &[f64], weights: &mut Vec<f64>| {
            let nearest = distances.iter().copied().filter(|distance| *distance > 0.0).fold(f64::INFINITY, f64::min);
            let nearest = if nearest.is_finite() { nearest } else { 0.0 };
            weights.extend(distances.iter().map(|distance| (distance - nearest).max(0.0)));
            let own_mean = distances.iter().sum::<f64>() / (distances.len() + 1) as f64;
            let width = width(weights).max(LEAST * if nearest > 0.0 { own_mean } else { mean });
            let weight = |beyond: f64| if beyond > 0.0 { (-beyond / width).exp() } else { 1.0 };
            weights.iter_mut().for_each(|value| *value = weight(*value));
        };
        Self::joined(neighborhoods, distances, own, |one, other| one + other - one * other, run)
    }
}

/// The width at which weights that fall with these lengths add up to log2 of one more than their number.
fn width(beyond: &[f64]) -> f64 {
    let target = ((beyond.len() + 1) as f64).log2();
    let mean = beyond.iter().sum::<f64>() / beyond.len() as f64;
    let nearest = beyond.iter().filter(|beyond| **beyond == 0.0).count() as f64;
    if mean == 0.0 || nearest >= target {
        return 0.0;
    }
    let (mut width, mut ends) = (mean, [0.0, f64::INFINITY]);
    for _ in 0..STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for beyond in beyond {
            let weight = (-beyond / width).exp();
            sum += weight;
            slope += weight * beyond / width;
        }
        if (sum - target).abs() < 1e-9 {
            break;
        }
        ends[usize::from(sum > target)] = width;
        let next = if slope > 0.0 { width * ((target - sum) / slope).clamp(-2.0, 2.0).exp() } else { f64::NAN };
        width = match ends {
            [low, high] if next > low && next < high => next,
            [low, f64::INFINITY] => 2.0 * low,
            [low, high] => 0.5 * (low + high),
        };
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Points};

    #[test]
    fn weights_add_up_to_the_logarithm_in_any_units() {
        for unit in [1e-140, 1e-3, 1.0, 1e60] {
            let beyond: Vec<f64> = (0..15).map(|at| unit * f64::from(at * at % 23)).collect();
            let width = width(&beyond);
            let sum: f64 = beyond.iter().map(|beyond| (-beyond / width).exp()).sum();
            assert!((sum - 4.0).abs() < 1e-6, "{unit}: {sum}");
        }
        assert_eq!(width(&[0.0; 6]), 0.0);
    }

    #[test]
    fn the_nearest_neighbor_has_weight_one_and_links_are_joined_as_alternatives() {
        let points = Points::new(5, 1, vec![0.0, 1.0, 3.0, 7.0, 8.5]).unwrap();
        let run = Run::new();
        let neighborhoods = Neighborhoods::nearest(&points, 3, &run).unwrap();
        let distances = neighborhoods.distances(&points, Metric::Euclidean, &run).unwrap();
        let made = Affinities::fuzzy(&neighborhoods, &distances, &run).unwrap();
        let own = |row: usize| {
            let distances = &distances[row * 4 + 1..][..3];
            let beyond: Vec<f64> = distances.iter().map(|distance| distance - distances[0]).collect();
            let width = width(&beyond);
            let weights = beyond.iter().map(|beyond| (-beyond / width).exp());
            neighborhoods.neighbors(row).iter().copied().zip(weights).collect::<Vec<_>>()
        };
        for row in 0..5_usize {
            let (others, weights) = made.of_row(row);
            for (&other, &found) in others.iter().zip(weights) {
                let of = |a: usize, b: u32| own(a).iter().find(|link| link.0 == b).map_or(0.0, |link| link.1);
                let (one, two) = (of(row, other), of(other as usize, row as u32));
                assert!((f64::from(found) - (one + two - one * two)).abs() < 1e-6, "{row} {other}");
            }
            assert!(weights.contains(&1.0), "{row}: {weights:?}");
        }
    }
}
