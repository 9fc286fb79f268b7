//! How much of the bending of a surface is that of saddles.
//!
//! Around a point the surface is the graph of quadratics over its tangent plane, one for each direction off it: w = (L u^2 + 2
//! M u v + N v^2) / 2, fitted by least squares. By the equation of Gauss its own curvature is K = sum of L N - M^2 over these
//! directions, and sum of L^2 + 2 M^2 + N^2 is how much it bends at all. A piece with K > 0, laid flat, leaves a gap where it
//! is torn; one with K < 0 has more rim than the plane has room for and covers itself. The share of K < 0 in the bending has
//! no unit: 0 for a sphere and a flat torus, at most 1/2. Noise bends every way: only as much of K < 0 counts as is beyond two
//! standard errors of K, from the residuals of the fits.

use super::edge;
use super::sample::{NeighborSample, even};
use crate::data::Input;
use crate::linalg::{dot, solve_definite};
use crate::local::Chart;
use crate::{Result, Run};

/// The points that are looked at.
const ROWS: usize = 500;
/// The unknowns of a quadratic in two variables.
const TERMS: usize = 6;

/// The mean of -K over the points with K < 0, as a share of the mean bending, of a surface of two dimensions.
pub(super) fn saddle_share(sample: &NeighborSample<'_>, run: &Run) -> Result<f64> {
    let size = edge::size(2).min(sample.near.first().map_or(0, Vec::len));
    let rows = even(sample.rows.len(), ROWS);
    let input = Input::Points(sample.points);
    let parts = run.chunks("saddles", rows.len(), 16, |range| {
        let (mut chart, mut sums) = (Chart::default(), (0.0, 0.0));
        for &at in &rows[range] {
            let mut members = vec![sample.rows[at as usize]];
            members.extend(sample.near[at as usize][..size].iter().map(|one| one.1));
            chart.fill(&input, &members)?;
            if let Some(found) = curvature(&chart, members.len()) {
                sums.0 += (-found.own - 2.0 * found.error).max(0.0);
                sums.1 += found.bending;
            }
        }
        Ok(sums)
    })?;
    let (saddles, bending) = parts.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    Ok(if bending > 0.0 { saddles / bending } else { 0.0 })
}

/// How a surface bends at a point.
struct Curvature {
    /// K.
    own: f64,
    /// The standard error of K.
    error: f64,
    /// How much it bends at all.
    bending: f64,
}

/// The curvature at the first member of a chart; none where the members do not tell.
fn curvature(chart: &Chart, members: usize) -> Option<Curvature> {
    let mut axes = chart.columns().chunks_exact(chart.stride()).map(|axis| &axis[..members]);
    let (first, second) = (axes.next()?, axes.next()?);
    let unit = (dot(first, first) / members as f64).sqrt();
    let terms = |at: usize| {
        let (u, v) = ((first[at] - first[0]) / unit, (second[at] - second[0]) / unit);
        [1.0, u, v, u * u / 2.0, u * v, v * v / 2.0]
    };
    let mut gram = [0.0; TERMS * TERMS];
    for at in 0..members {
        let term = terms(at);
        gram.chunks_exact_mut(TERMS)
            .zip(term)
            .for_each(|(row, a)| row.iter_mut().zip(term).for_each(|(cell, b)| *cell += a * b));
    }
    // The covariance of the last three unknowns is this block of the inverse times the variance of the residuals.
    let mut inverse = [[0.0; TERMS]; TERMS];
    for (at, column) in inverse.iter_mut().enumerate() {
        column[at] = 1.0;
        if !solve_definite(&mut gram.clone(), column) {
            return None;
        }
    }
    let free = members.checked_sub(TERMS).filter(|free| *free > 0)? as f64;
    let (mut own, mut variance, mut bending) = (0.0, 0.0, 0.0);
    for off in axes {
        let mut solved = [0.0; TERMS];
        for (at, value) in off.iter().enumerate() {
            solved.iter_mut().zip(terms(at)).for_each(|(sum, term)| *sum += term * (value - off[0]) / unit);
        }
        if !solve_definite(&mut gram.clone(), &mut solved) {
            return None;
        }
        let left = |at: usize| (off[at] - off[0]) / unit - dot(&solved, &terms(at));
        let noise = (0..members).map(|at| left(at) * left(at)).sum::<f64>() / free;
        let covariance = |a: usize, b: usize| noise * inverse[a][b];
        let [_, _, _, l, m, n] = solved;
        let slope = [n, -2.0 * m, l];
        for (a, one) in (3..).zip(slope) {
            variance += (3..).zip(slope).map(|(b, other)| one * other * covariance(a, b)).sum::<f64>();
        }
        // What is left of L N - M^2 after its slope: products of errors.
        variance += covariance(3, 3) * covariance(5, 5) + covariance(3, 5).powi(2) + 2.0 * covariance(4, 4).powi(2);
        own += l * n - m * m;
        bending += l * l + 2.0 * m * m + n * n;
    }
    Some(Curvature { own, error: variance.max(0.0).sqrt(), bending })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Points};

    /// The share of a surface over the square, given by its height.
    fn share(height: impl Fn(f64, f64) -> f64) -> f64 {
        let side = 20_u32;
        let place = |at: u32| f64::from(at) / 10.0 - 0.95;
        let rows: Vec<[f64; 3]> = (0..side * side)
            .map(|at| (place(at % side), place(at / side)))
            .map(|(u, v)| [u, v, height(u, v)])
            .collect();
        let points = Points::from_rows(&rows).unwrap();
        let sample = NeighborSample::new(&points, Metric::Euclidean, 400, &Run::new()).unwrap();
        saddle_share(&sample, &Run::new()).unwrap()
    }

    #[test]
    fn noise_is_no_saddle() {
        let noise: Vec<f64> = (0..400_u32).map(|at| 0.01 * (f64::from(at * at * 7919 % 1009) / 1009.0 - 0.5)).collect();
        let at = |u: f64, v: f64| ((u + 0.95) * 10.0).round() as usize + 20 * ((v + 0.95) * 10.0).round() as usize;
        assert!(share(|u, v| 0.05 * u * u + noise[at(u, v)]) < 0.01);
        assert!(share(|u, v| 0.2 * (u * u - v * v) + noise[at(u, v)]) > 0.2);
    }

    #[test]
    fn saddles_are_told_from_bowls_and_rolls() {
        assert!((share(|u, v| 0.05 * (u * u - v * v)) - 0.5).abs() < 0.01);
        assert!((share(|u, v| 0.05 * u * v) - 0.5).abs() < 0.01);
        assert!(share(|u, v| 0.05 * (u * u + v * v)) < 1e-6);
        assert!(share(|u, _| 0.05 * u * u) < 1e-3);
        assert_eq!(share(|_, _| 0.0), 0.0);
        // L = 1 and N = -1/2: K = -1/2, and the bending is 5/4.
        assert!((share(|u, v| 0.05 * (u * u - v * v / 2.0)) - 0.4).abs() < 0.02);
    }
}
