//! The Lagrangian against differences of its values, and programs whose solutions are known.

use super::*;
use rand::{RngExt, SeedableRng};

/// Neighboring corners of a ring, each pair one apart.
fn ring(count: u32) -> Pairs {
    let mut ends: Vec<[u32; 2]> = (0..count - 1).map(|at| [at, at + 1]).chain([[0, count - 1]]).collect();
    ends.sort();
    Pairs::new(count as usize, ends, |_, _| 1.0).unwrap()
}

fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| rng.random_range(-1.0..1.0)).collect()
}

fn unfold_ring(count: u32, constraint: Constraint) -> Unfolded {
    let pairs = ring(count);
    let factor = PairFactor::new(&pairs).unwrap();
    let limits = Limits { tolerance: 1e-5, rounds: 40 };
    let unfolding = Unfolding { pairs: &pairs, constraint, width: 4, preconditioner: &factor };
    unfold(&unfolding, random(4 * count as usize, 5), limits, &Run::new()).unwrap()
}

#[test]
fn slopes_are_those_of_the_values() {
    let ends = vec![[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]];
    let pairs = Pairs::new(4, ends, |a, b| 0.3 + (a * 2 + b) as f64 / 7.0).unwrap();
    for constraint in [Constraint::Equal, Constraint::AtMost] {
        let multipliers = vec![0.5, -0.2, 0.0, 1.0, 0.1];
        let lagrangian = Lagrangian { pairs: &pairs, constraint, width: 3, scale: 7.0, multipliers, penalty: 3.0 };
        let (y, p) = (random(12, 1), random(12, 2));
        let violations = lagrangian.violations(&y);
        let line = lagrangian.line(&y, &p, &violations);
        // Downhill at Y is minus the derivative along any P.
        let downhill = dot(&lagrangian.downhill(&y, &violations), &p);
        assert!((downhill + lagrangian.along(&line, 0.0)[1]).abs() < 1e-12);
        for a in [0.0, 0.3, 1.7] {
            let h = 1e-5;
            let [low, high] = [-h, h].map(|by| lagrangian.along(&line, a + by));
            let [_, slope, bend] = lagrangian.along(&line, a);
            assert!(((high[0] - low[0]) / (2.0 * h) - slope).abs() < 1e-6 * (1.0 + slope.abs()));
            assert!(((high[1] - low[1]) / (2.0 * h) - bend).abs() < 1e-4 * (1.0 + bend.abs()));
            // The line's violations are those of the moved points.
            let moved: Vec<f64> = y.iter().zip(&p).map(|(y, p)| y + a * p).collect();
            let there = lagrangian.violations(&moved);
            let again = lagrangian.line(&moved, &p, &there);
            assert!((lagrangian.along(&again, 0.0)[1] - slope).abs() < 1e-9 * (1.0 + slope.abs()));
        }
    }
}

#[test]
fn a_ring_becomes_a_regular_polygon_and_the_bound_says_that_nothing_is_wider() {
    for constraint in [Constraint::Equal, Constraint::AtMost] {
        for count in [5, 12, 30] {
            let found = unfold_ring(count, constraint);
            let radius = 0.5 / (std::f64::consts::PI / f64::from(count)).sin();
            let variance = found.variances[found.variances.len() - 1];
            assert_eq!(found.stop, Stop::Converged);
            assert!((variance / (radius * radius) - 1.0).abs() < 1e-3, "{count}: {variance} {}", radius * radius);
            let bound = found.bound.unwrap();
            assert!(bound >= (1.0 - 1e-4) * radius * radius && bound < 1.03 * radius * radius, "{count}: {bound}");
        }
    }
}

#[test]
fn the_weights_of_the_polygon_give_its_own_variance_as_bound() {
    let (count, pairs) = (20, ring(20));
    let angle = std::f64::consts::TAU / count as f64;
    let y: Vec<f64> = (0..count).flat_map(|at| [(angle * at as f64).cos(), (angle * at as f64).sin()]).collect();
    let weights = vec![1.0 / (2.0 - 2.0 * angle.cos()); count];
    let bound = bound::variance_bound(&pairs, &weights, &y, 2, &Run::new()).unwrap().unwrap();
    let square = 0.25 / (angle / 2.0).sin().powi(2);
    assert!((bound / (count as f64 * square) - 1.0).abs() < 1e-3, "{bound}");
    // Negative weights give no bound until enough is added to them; the bound is then a true one.
    let bound = bound::variance_bound(&pairs, &vec![-1.0; count], &y, 2, &Run::new()).unwrap().unwrap();
    assert!(bound >= count as f64 * square, "{bound}");
}

#[test]
fn lengths_that_cannot_be_kept_are_refused() {
    assert!(Pairs::new(2, vec![[0, 1]], |_, _| f64::INFINITY).is_err());
    assert!(Pairs::new(2, vec![[0, 1]], |_, _| 0.0).is_err());
    let huge = Pairs::new(3, vec![[0, 1], [1, 2]], |a, _| if a == 0 { 1e200 } else { 3e200 }).unwrap();
    assert!(huge.squares().iter().all(|square| square.is_finite()));
    assert!((huge.unit() / 1e200 - 5.0_f64.sqrt()).abs() < 1e-12);
}
