//! The coordination of analyzers against what it must do: the bound is that of its definition and never falls, flat data
//! stay flat, surfaces unroll, one analyzer is factor analysis.

use super::super::coordinated_pca::Scaled;
use super::super::global_coordination::Free;
use super::super::{CoordinatedPca, FactorAnalysis, GlobalCoordination, fit};
use super::sweep::Shares;
use super::*;
use crate::dataset::{self, Request, Sample};
use crate::embed::Embedder;
use crate::linalg::add_scaled;
use crate::{Embedding, Neighborhoods, Pieces};
use rand::{RngExt, SeedableRng};

fn sample(name: &str, points: usize, noise: f64) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points).with_noise(noise)).unwrap()
}

fn embed(method: &dyn Embedder, points: &Points, k: usize) -> Embedding {
    let neighborhoods = Neighborhoods::nearest(points, k, &Run::new()).unwrap();
    fit(method, &Problem::new(points, &neighborhoods, 2).unwrap(), Pieces::Error, &Run::new()).unwrap()
}

/// The part of the true coordinates that no affine map of the others explains, relative to all of them.
fn affine_error(found: &Points, truth: &Points) -> f64 {
    let centered = |points: &Points| {
        let mean: Vec<f64> =
            (0..2).map(|at| points.rows().map(|row| row[at]).sum::<f64>() / points.len() as f64).collect();
        points.rows().map(|row| [row[0] - mean[0], row[1] - mean[1]]).collect::<Vec<_>>()
    };
    let (y, t) = (centered(found), centered(truth));
    let sum = |of: &dyn Fn(usize) -> f64| (0..y.len()).map(of).sum::<f64>();
    let (a, b, c) = (sum(&|i| y[i][0] * y[i][0]), sum(&|i| y[i][0] * y[i][1]), sum(&|i| y[i][1] * y[i][1]));
    let (mut left, mut all) = (0.0, 0.0);
    let columns = [0, 1].map(|axis| t.iter().map(|row| row[axis]).collect::<Vec<f64>>());
    for column in columns {
        let (p, q) = (sum(&|i| y[i][0] * column[i]), sum(&|i| y[i][1] * column[i]));
        let (u, v) = ((c * p - b * q) / (a * c - b * b), (a * q - b * p) / (a * c - b * b));
        left += sum(&|i| (column[i] - u * y[i][0] - v * y[i][1]).powi(2));
        all += sum(&|i| column[i].powi(2));
    }
    (left / all).sqrt()
}

/// A plane in five dimensions, with noise in all of them.
fn plane(count: usize, noise: f64) -> (Points, Points) {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
    let truth: Vec<[f64; 2]> =
        (0..count).map(|_| [random.random_range(-3.0..3.0), random.random_range(-1.0..1.0)]).collect();
    let rows: Vec<[f64; 5]> = truth
        .iter()
        .map(|&[a, b]| {
            let row = [0.6 * a, 0.8 * a, 0.28 * b, 0.96 * b, 0.0];
            row.map(|value| value + noise * random.random_range(-1.0..1.0))
        })
        .collect();
    (Points::from_rows(&rows).unwrap(), Points::from_rows(&truth).unwrap())
}

#[test]
fn the_bound_never_falls() {
    for noise in [0.0, 0.1] {
        let curve = sample("s-curve", 400, noise).points;
        let methods: [&dyn Embedder; 2] = [
            &GlobalCoordination { tolerance: 1e-6, ..Default::default() },
            &CoordinatedPca { tolerance: 1e-6, ..Default::default() },
        ];
        for method in methods {
            let found = embed(method, &curve, 10);
            assert_eq!(found.info.traces.len(), 2);
            for trace in &found.info.traces {
                assert!(trace.values.len() > 5);
                for pair in trace.values.windows(2) {
                    assert!(pair[1] >= pair[0] - 1e-9 * pair[0].abs(), "{}: {pair:?}", found.info.method);
                }
            }
            // Free shares are at least as good as held ones.
            assert!(found.info.traces[1].values[0] > *found.info.traces[0].values.last().unwrap());
        }
    }
}

#[test]
fn a_plane_stays_a_plane() {
    let (clean, truth) = plane(500, 0.0);
    let (noisy, _) = plane(500, 0.05);
    let methods: [&dyn Embedder; 2] = [&GlobalCoordination::default(), &CoordinatedPca::default()];
    for method in methods {
        let exact = affine_error(&embed(method, &clean, 10).points, &truth);
        let near = affine_error(&embed(method, &noisy, 10).points, &truth);
        assert!(exact < 1e-4 && near < 0.03, "{}: {exact} {near}", method.info().name);
    }
}

#[test]
fn surfaces_unroll_from_a_good_start() {
    for (name, points) in [("s-curve", 800), ("swiss-roll", 1200)] {
        let Sample { points, truth, .. } = sample(name, points, 0.0);
        let error = |method: &dyn Embedder| affine_error(&embed(method, &points, 12).points, &truth);
        let (one, other) = (error(&GlobalCoordination::default()), error(&CoordinatedPca::default()));
        assert!(one < 0.04 && other < 0.04, "{name}: {one} {other}");
    }
}

#[test]
fn one_analyzer_is_factor_analysis() {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(8);
    let mut normal = || (0..12).map(|_| random.random_range(0.0..1.0)).sum::<f64>() - 6.0;
    let loadings = [[2.0, 0.1], [1.0, -1.0], [0.3, 2.0], [-1.5, 0.5], [0.2, 1.0], [1.0, 1.0]];
    let rows: Vec<[f64; 6]> = (0..300)
        .map(|_| {
            let z = [normal(), normal()];
            loadings.map(|l| 3.0 + l[0] * z[0] + l[1] * z[1] + 0.6 * normal())
        })
        .collect();
    let points = Points::from_rows(&rows).unwrap();
    let start = CoordinationStart::Pca;
    let one = GlobalCoordination { analyzers: Some(1), start, iterations: 3000, tolerance: 1e-12 };
    let (found, factors) = (embed(&one, &points, 10), embed(&FactorAnalysis::default(), &points, 10));
    let of = |embedding: &Embedding, fact: &str| embedding.info.facts[fact].as_f64().unwrap();
    let (bound, likelihood) = (of(&found, "bound"), of(&factors, "log_likelihood"));
    assert!((bound - likelihood).abs() < 1e-6 * likelihood.abs(), "{bound} {likelihood}");
    assert!(affine_error(&found.points, &factors.points) < 1e-3);
}

#[test]
fn the_bound_is_that_of_its_definition() {
    // One point, two analyzers, one dimension: the bound from integrals over a fine grid of g.
    let held = vec![vec![(0, 0.3), (1, 0.9), (2, 0.5)], vec![(0, 0.7), (1, 0.1), (2, 0.5)]];
    let (memberships, shares) = Memberships::new(&held, 3);
    let values = [0.4, -0.3, 1.1, 0.2, -0.9, 0.5];
    let bounds = Bounds { noise: vec![0.05, 0.05], spread: 1e-6 };
    let state = State { coordinates: vec![0.5, 1.2, -0.8], uncertainty: vec![0.2, 0.1, 0.3], shares, dim: 1 };
    let coordination = Coordination { values: &values, width: 2, memberships: &memberships, bounds };
    for analysis in [&Free as &dyn Analysis, &Scaled] {
        let held = coordination.sweep(&state, analysis, Shares::Held, &Run::new()).unwrap();
        let mut expected = 0.0;
        for point in 0..3 {
            let (g, variance) = (held.state.coordinates[point], held.state.uncertainty[point]);
            for analyzer in 0..2 {
                let weights: Vec<f64> = (0..3).map(|at| state.shares[2 * at + analyzer]).collect();
                let total: f64 = weights.iter().sum();
                let mean = |of: &dyn Fn(usize) -> f64| (0..3).map(|at| weights[at] / total * of(at)).sum::<f64>();
                let kappa = mean(&|at| state.coordinates[at]);
                let mu = [mean(&|at| values[2 * at]), mean(&|at| values[2 * at + 1])];
                let off = |at: usize| state.coordinates[at] - kappa;
                let moments = Moments {
                    cross: (0..2).map(|j| mean(&|at| (values[2 * at + j] - mu[j]) * off(at))).collect(),
                    within: vec![mean(&|at| off(at).powi(2) + state.uncertainty[at])],
                    squares: (0..2).map(|j| mean(&|at| (values[2 * at + j] - mu[j]).powi(2))).collect(),
                };
                let fitted = analysis.fitted(&moments, &coordination.bounds);
                let normal = |x: f64, mean: f64, variance: f64| {
                    -0.5 * ((x - mean).powi(2) / variance + (std::f64::consts::TAU * variance).ln())
                };
                let share = weights[point];
                let steps = 4000;
                for step in 0..steps {
                    let deviations = 16.0 * (f64::from(step) + 0.5) / f64::from(steps) - 8.0;
                    let at = g + deviations * variance.sqrt();
                    let density = normal(at, g, variance);
                    let mut joint = (total / 3.0).ln() + normal(at, kappa, fitted.spread[0]);
                    for j in 0..2 {
                        joint += normal(values[2 * point + j], mu[j] + fitted.map[j] * (at - kappa), fitted.noise[j]);
                    }
                    let width = 16.0 * variance.sqrt() / f64::from(steps);
                    expected += share * density.exp() * (joint - density - share.ln()) * width / 3.0;
                }
            }
        }
        assert!((held.bound - expected).abs() < 1e-6, "{} {expected}", held.bound);
        // Other coordinates with the same analyzers have a lower bound, and so have other shares: the steps are the best ones.
        let free = coordination.sweep(&state, analysis, Shares::Free, &Run::new()).unwrap();
        assert!(free.bound > held.bound && free.state.coordinates == held.state.coordinates);
    }
}

#[test]
fn fitted_analyzers_are_the_best_ones() {
    // The expected log-likelihood of moments, -(log |Psi| + tr(Psi^-1 (C_xx - 2 M C_gx + M C_gg M'))) / 2.
    let moments = Moments {
        cross: vec![1.0, 0.2, -0.3, 0.8, 0.5, 0.5],
        within: vec![1.5, 0.3, 0.3, 0.9],
        squares: vec![1.4, 1.3, 0.9],
    };
    let bounds = Bounds { noise: vec![1e-9; 3], spread: 1e-9 };
    let value = |map: &[f64], noise: &[f64]| -> f64 {
        let of = |(at, noise): (usize, &f64)| {
            let (row, cross) = (&map[2 * at..][..2], &moments.cross[2 * at..][..2]);
            let within: f64 = moments.within.chunks_exact(2).zip(row).map(|(within, a)| a * dot(within, row)).sum();
            -0.5 * (noise.ln() + (moments.squares[at] - 2.0 * dot(row, cross) + within) / noise)
        };
        noise.iter().enumerate().map(of).sum()
    };
    let free = Free.fitted(&moments, &bounds);
    let best = value(&free.map, &free.noise);
    for at in 0..6 {
        for change in [-0.02, 0.02] {
            let mut map = free.map.clone();
            map[at] += change;
            assert!(value(&map, &free.noise) < best);
            let mut noise = free.noise.clone();
            noise[at / 2] *= 1.0 + change;
            assert!(value(&free.map, &noise) < best);
        }
    }
    // Angles are kept, and no turn, scale or noise is better among maps that keep them.
    let scaled = Scaled.fitted(&Moments { within: vec![1.2, 0.0, 0.0, 1.2], ..moments }, &bounds);
    let moments = Moments {
        cross: vec![1.0, 0.2, -0.3, 0.8, 0.5, 0.5],
        within: vec![1.2, 0.0, 0.0, 1.2],
        squares: vec![1.4, 1.3, 0.9],
    };
    let value = |map: &[f64], noise: f64| -> f64 {
        let rest = moments.squares.iter().sum::<f64>() - 2.0 * dot(map, &moments.cross) + 1.2 * dot(map, map);
        -0.5 * (3.0 * noise.ln() + rest / noise)
    };
    let column = |map: &[f64], at: usize| -> Vec<f64> { map.iter().skip(at).step_by(2).copied().collect() };
    let (a, b) = (column(&scaled.map, 0), column(&scaled.map, 1));
    assert!(dot(&a, &b).abs() < 1e-12 && (dot(&a, &a) - dot(&b, &b)).abs() < 1e-12);
    let best = value(&scaled.map, scaled.noise[0]);
    assert!(value(&scaled.map, 1.02 * scaled.noise[0]) < best && value(&scaled.map, 0.98 * scaled.noise[0]) < best);
    for change in [-0.02, 0.02] {
        let longer: Vec<f64> = scaled.map.iter().map(|value| (1.0 + change) * value).collect();
        assert!(value(&longer, scaled.noise[0]) < best);
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let mut turned = scaled.map.clone();
            let (c, s) = (f64::cos(change), f64::sin(change));
            for axis in 0..2 {
                let (x, y) = (scaled.map[2 * one + axis], scaled.map[2 * other + axis]);
                (turned[2 * one + axis], turned[2 * other + axis]) = (c * x - s * y, s * x + c * y);
            }
            assert!(value(&turned, scaled.noise[0]) < best);
        }
    }
}

#[test]
fn units_change_nothing_but_the_unit_and_wrong_settings_are_refused() {
    let curve = sample("s-curve", 400, 0.0).points;
    for factor in [1e-3, 1e3] {
        let other = Points::new(400, 3, curve.values().iter().map(|value| factor * value).collect()).unwrap();
        let methods: [&dyn Embedder; 2] = [&GlobalCoordination::default(), &CoordinatedPca::default()];
        for method in methods {
            let (one, other) = (embed(method, &curve, 10).points, embed(method, &other, 10).points);
            let mut apart = other.values().to_vec();
            add_scaled(&mut apart, -factor, one.values());
            let most = apart.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            assert!(most < 1e-3 * factor, "{}: {most}", method.info().name);
        }
    }
    let neighborhoods = Neighborhoods::nearest(&curve, 10, &Run::new()).unwrap();
    let problem = Problem::new(&curve, &neighborhoods, 2).unwrap();
    let many = GlobalCoordination { analyzers: Some(401), ..Default::default() };
    assert!(matches!(Recipe::check(&many, &problem), Err(Error::Parameter { .. })));
}
