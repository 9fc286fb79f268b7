//! Factor analysis against its definition: the equations of the greatest likelihood, and data whose factors are known.

use super::*;
use crate::linalg::SymmetricEigen;
use crate::{Neighborhoods, Pieces, Run, fit};
use rand::{RngExt, SeedableRng};

const LIMITS: Limits = Limits { floor: FLOOR, tolerance: 1e-9, iterations: 2000 };

/// `count` points of two factors, five variables of very different size, and noise.
fn sample(count: usize, noise: f64) -> Points {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    let mut normal = || (0..12).map(|_| random.random_range(0.0..1.0)).sum::<f64>() - 6.0;
    let loadings = [[2.0, 0.1], [1.0, -1.0], [0.3, 2.0], [-1.5, 0.5], [0.0, 1.0], [1.0, 1.0], [0.2, -0.4]];
    let rows: Vec<Vec<f64>> = (0..count)
        .map(|_| {
            let z = [normal(), normal()];
            let row = loadings.iter().zip([1.0, 100.0, 1e-3, 1.0, 5.0, 1.0, 1.0]);
            row.map(|(l, unit)| unit * (4.0 + l[0] * z[0] + l[1] * z[1] + noise * normal())).collect()
        })
        .collect();
    Points::from_rows(&rows).unwrap()
}

/// The covariance matrix of the points, divided by n.
fn covariances(points: &Points) -> Vec<f64> {
    let (count, width) = (points.len() as f64, points.dim());
    let means: Vec<f64> = (0..width).map(|at| points.rows().map(|row| row[at]).sum::<f64>() / count).collect();
    let mut s = vec![0.0; width * width];
    for row in points.rows() {
        for a in 0..width {
            for b in 0..width {
                s[a * width + b] += (row[a] - means[a]) * (row[b] - means[b]) / count;
            }
        }
    }
    s
}

/// L, row by row, and Psi, in the units of the points.
fn solution(points: &Points, dim: usize) -> (Vec<f64>, Vec<f64>, f64) {
    let run = Run::new();
    let variables = Variables::new(Covariance::of(points), points.len());
    let found = noise(&variables, dim, &LIMITS, &run).unwrap();
    let s = covariances(points);
    let width = points.dim();
    let psi: Vec<f64> = (0..width).map(|at| found.t[at].exp() * s[at * (width + 1)]).collect();
    let loading = |at: usize| found.best.axes[at] * (psi[at / dim] * (found.best.strengths[at % dim] - 1.0)).sqrt();
    let constant = width as f64 * TAU.ln();
    let log_likelihood = -0.5 * (constant + found.best.value) - variables.log_deviations();
    ((0..width * dim).map(loading).collect(), psi, log_likelihood)
}

#[test]
fn the_equations_of_the_greatest_likelihood_hold() {
    let points = sample(400, 0.7);
    let (width, dim) = (points.dim(), 2);
    let (l, psi, _) = solution(&points, dim);
    let s = covariances(&points);
    let inner = |a: usize, b: usize| -> f64 { (0..width).map(|j| l[j * dim + a] * l[j * dim + b] / psi[j]).sum() };
    for j in 0..width {
        // diag(S - L L' - Psi) = 0.
        let explained: f64 = l[j * dim..][..dim].iter().map(|l| l * l).sum();
        assert!((s[j * (width + 1)] - explained - psi[j]).abs() < 1e-8 * s[j * (width + 1)]);
        // S Psi^-1 L = L (I + L'Psi^-1 L).
        for factor in 0..dim {
            let left: f64 = (0..width).map(|i| s[j * width + i] / psi[i] * l[i * dim + factor]).sum();
            let right = l[j * dim + factor] + (0..dim).map(|a| l[j * dim + a] * inner(a, factor)).sum::<f64>();
            assert!((left - right).abs() < 1e-8 * s[j * (width + 1)].sqrt(), "{j} {factor}: {left} {right}");
        }
    }
    assert!(inner(0, 1).abs() < 1e-9 * inner(0, 0) && inner(0, 0) > inner(1, 1));
}

#[test]
fn the_likelihood_told_is_that_of_the_points_and_no_other_noise_has_more() {
    let points = sample(300, 0.7);
    let (l, psi, told) = solution(&points, 2);
    let s = covariances(&points);
    let width = points.dim();
    let likelihood = |l: &[f64], psi: &[f64]| {
        let sigma = |a: usize, b: usize| -> f64 {
            (0..2).map(|k| l[2 * a + k] * l[2 * b + k]).sum::<f64>() + if a == b { psi[a] } else { 0.0 }
        };
        // In units of the deviations, so that eigenvalues are accurate.
        let unit = |a: usize| s[a * (width + 1)].sqrt();
        let matrix: Vec<f64> =
            (0..width * width).map(|at| sigma(at / width, at % width) / unit(at / width) / unit(at % width)).collect();
        let mut eigen = SymmetricEigen::default();
        eigen.decompose(&matrix, width);
        let mut value = width as f64 * TAU.ln() + 2.0 * (0..width).map(|a| unit(a).ln()).sum::<f64>();
        for rank in 0..width {
            let v = eigen.vector(rank);
            let form: f64 = (0..width * width)
                .map(|at| v[at / width] * v[at % width] * s[at] / unit(at / width) / unit(at % width))
                .sum();
            value += eigen.values()[rank].ln() + form / eigen.values()[rank];
        }
        -0.5 * value
    };
    let found = likelihood(&l, &psi);
    assert!((found - told).abs() < 1e-9 * told.abs(), "{found} {told}");
    for j in 0..width {
        for factor in [0.9, 1.1] {
            let (mut l, mut psi) = (l.clone(), psi.clone());
            psi[j] *= factor;
            assert!(likelihood(&l, &psi) < found);
            psi[j] /= factor;
            l[2 * j] += (factor - 1.0) * s[j * (width + 1)].sqrt();
            assert!(likelihood(&l, &psi) < found);
        }
    }
}

#[test]
fn many_variables_give_the_same_as_the_matrix_written_down() {
    // The last columns repeat the first with noise of their own, so that 600 variables have two factors.
    let few = sample(150, 0.7);
    let wide: Vec<Vec<f64>> = (0..few.len())
        .map(|row| (0..600).map(|at| few.row(row)[at % 7] + few.row(row * 13 % 150)[(at + at / 7) % 7] * 0.3).collect())
        .collect();
    let (wide, run) = (Points::from_rows(&wide).unwrap(), Run::new());
    let rows = Variables::new(Covariance::of(&wide), wide.len());
    let t: Vec<f64> = (0..600).map(|at| -0.1 - 0.9 * f64::from(at % 5)).collect();
    let iterated = rows.concentrated(&t, 2, &run).unwrap();
    // The same from the definition: theta = eigenvalues of Z Psi^-1 Z' / n, n x n.
    let s = rows.scores(&t, &iterated);
    let count = wide.len();
    let column = |at: usize| -> Vec<f64> {
        let mean = wide.rows().map(|row| row[at]).sum::<f64>() / count as f64;
        let centered: Vec<f64> = wide.rows().map(|row| row[at] - mean).collect();
        let deviation = (centered.iter().map(|value| value * value).sum::<f64>() / count as f64).sqrt();
        centered.iter().map(|value| value / deviation * (-0.5 * t[at]).exp()).collect()
    };
    let columns: Vec<Vec<f64>> = (0..600).map(column).collect();
    let mut gram = vec![0.0; count * count];
    for column in &columns {
        for (row, a) in gram.chunks_exact_mut(count).zip(column) {
            row.iter_mut().zip(column).for_each(|(value, b)| *value += a * b / count as f64);
        }
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&gram, count);
    for factor in 0..2 {
        let theta = eigen.values()[factor];
        assert!((iterated.strengths[factor] / theta - 1.0).abs() < 1e-8);
        // y = (theta - 1)^(1/2) / theta Z u, and Z u = sqrt(n theta) v.
        let length = ((theta - 1.0) * count as f64 / theta).sqrt();
        let sign = (s[factor] * eigen.vector(factor)[0]).signum();
        for row in 0..count {
            assert!((s[2 * row + factor] - sign * length * eigen.vector(factor)[row]).abs() < 1e-6 * length);
        }
    }
}

#[test]
fn factors_are_found_whatever_the_units_and_the_constant_columns() {
    let points = sample(500, 0.05);
    let run = Run::new();
    let embed = |points: &Points| {
        let neighborhoods = Neighborhoods::nearest(points, 6, &run).unwrap();
        fit(&FactorAnalysis::default(), &Problem::new(points, &neighborhoods, 2).unwrap(), Pieces::Error, &run).unwrap()
    };
    let found = embed(&points);
    assert_eq!(found.info.facts["constant_variables"], 0);
    let rows: Vec<Vec<f64>> = points
        .rows()
        .map(|row| {
            let mut row: Vec<f64> = row.iter().zip([1e3, 1.0, 1e-3, 7.0, 1.0, 1e6, 1.0]).map(|(a, b)| a * b).collect();
            row.insert(3, 8.25);
            row
        })
        .collect();
    let other = embed(&Points::from_rows(&rows).unwrap());
    assert_eq!(other.info.facts["constant_variables"], 1);
    for (a, b) in found.points.values().iter().zip(other.points.values()) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    // Scores have the variance theta / (1 + theta) each, and are not correlated.
    let y = found.points.values();
    let mean = |a: usize, b: usize| y.chunks_exact(2).map(|row| row[a] * row[b]).sum::<f64>() / 500.0;
    for factor in 0..2 {
        let strength = found.info.facts["strengths"][factor].as_f64().unwrap();
        assert!((mean(factor, factor) - strength / (1.0 + strength)).abs() < 1e-6);
    }
    assert!(mean(0, 1).abs() < 1e-6);
}

#[test]
fn a_variable_without_noise_and_too_many_factors_are_told() {
    let clean = sample(100, 0.0);
    let run = Run::new();
    let embed = |points: &Points, dim| {
        let neighborhoods = Neighborhoods::nearest(points, 6, &run).unwrap();
        fit(&FactorAnalysis::default(), &Problem::new(points, &neighborhoods, dim).unwrap(), Pieces::Error, &run)
            .unwrap()
    };
    let names =
        |points: &Points, dim| -> Vec<&str> { embed(points, dim).info.warnings.iter().map(Warning::name).collect() };
    assert!(names(&clean, 2).contains(&"no-noise"));
    assert!(names(&clean, 6).contains(&"too-many-factors"));
    assert_eq!(names(&sample(400, 0.7), 2), Vec::<&str>::new());
    let equal = Points::from_rows(&[[1.0, 2.0]; 9]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&equal, 3, &run).unwrap();
    let problem = Problem::new(&equal, &neighborhoods, 1).unwrap();
    assert!(matches!(fit(&FactorAnalysis::default(), &problem, Pieces::Error, &run), Err(Error::Data { .. })));
}
