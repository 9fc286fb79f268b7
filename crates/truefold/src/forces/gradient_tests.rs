//! The whole gradient that the descent follows, against the sum over all pairs.
//!
//! A quarter of the gradient of the Kullback-Leibler divergence is sum_j (e p_ij - q_ij) K_ij (y_i - y_j), K_ij = 1 / (1 +
//! |y_i - y_j|^2), q_ij = K_ij / sum of K over all pairs, e the exaggeration. Van der Maaten and Hinton (2008).

use super::field::Field;
use super::octree::Octree;
use super::optimize::{Limits, Phase, Plan, Repulsion, State};
use super::{Affinities, PERPLEXITY};
use crate::{Fit, Metric, Neighborhoods, Points, Run};

const COUNT: usize = 2_000;

/// Five crowds of six dimensions.
fn crowds() -> Points {
    let unit = |at: usize| ((at * 7919 + at * at % 613) % 10_007) as f64 / 10_007.0;
    let value = |at: usize| {
        let (row, column) = (at / 6, at % 6);
        unit(31 * at) + unit(977 * at + 5) + if column == row % 5 { 2.0 } else { 0.0 }
    };
    Points::new(COUNT, 6, (0..COUNT * 6).map(value).collect()).unwrap()
}

fn affinities(points: &Points, run: &Run) -> Affinities {
    let neighborhoods = Neighborhoods::nearest(points, 90, run).unwrap();
    let distances = neighborhoods.distances(points, Metric::Euclidean, run).unwrap();
    Affinities::of(&neighborhoods, &distances, PERPLEXITY, run).unwrap()
}

/// The gradient by all pairs, in double precision.
fn directly<const D: usize>(affinities: &Affinities, places: &[[f64; D]], exaggeration: f64) -> Vec<[f64; D]> {
    let apart = |a: usize, b: usize| -> [f64; D] { std::array::from_fn(|axis| places[a][axis] - places[b][axis]) };
    let near = |apart: [f64; D]| 1.0 / (1.0 + apart.iter().map(|apart| apart * apart).sum::<f64>());
    let row = |a: usize| (0..COUNT).filter(|&b| b != a).map(|b| near(apart(a, b))).sum::<f64>();
    let sum: f64 = (0..COUNT).map(row).sum();
    let one = |a: usize| {
        let mut weights = vec![0.0; COUNT];
        let (others, shares) = affinities.of_row(a);
        others.iter().zip(shares).for_each(|(&other, share)| weights[other as usize] = f64::from(*share));
        let mut gradient = [0.0; D];
        for b in (0..COUNT).filter(|&b| b != a) {
            let (apart, near) = (apart(a, b), near(apart(a, b)));
            let factor = (exaggeration * weights[b] - near / sum) * near;
            gradient.iter_mut().zip(apart).for_each(|(to, apart)| *to += factor * apart);
        }
        gradient
    };
    (0..COUNT).map(one).collect()
}

/// The attraction by all links, in double precision.
fn attractions<const D: usize>(affinities: &Affinities, places: &[[f64; D]]) -> Vec<[f64; D]> {
    let one = |a: usize| {
        let (others, shares) = affinities.of_row(a);
        let mut sum = [0.0; D];
        for (&other, &share) in others.iter().zip(shares) {
            let apart: [f64; D] = std::array::from_fn(|axis| places[a][axis] - places[other as usize][axis]);
            let near = 1.0 / (1.0 + apart.iter().map(|apart| apart * apart).sum::<f64>());
            sum.iter_mut().zip(apart).for_each(|(sum, apart)| *sum += f64::from(share) * near * apart);
        }
        sum
    };
    (0..COUNT).map(one).collect()
}

fn length<'a, const D: usize>(of: impl IntoIterator<Item = &'a [f64; D]>) -> f64 {
    of.into_iter().flatten().map(|part| part * part).sum::<f64>().sqrt()
}

/// Compares early, late and spread out maps; errors are relative to the gradient, or to the attraction where that is longer.
fn check<const D: usize>(repel: Repulsion<'_, D>, tolerance: f64) {
    let run = Run::new();
    let points = crowds();
    let affinities = affinities(&points, &run);
    let total: f64 = (0..COUNT).flat_map(|row| affinities.of_row(row).1).map(|&share| f64::from(share)).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
    let phases = [
        Phase { exaggeration: 12.0, iterations: 60, tolerance: 0.0, rate: COUNT as f64 / 12.0, shape: 0.0 },
        Phase { exaggeration: 1.0, iterations: 200, tolerance: 0.0, rate: COUNT as f64, shape: 0.0 },
    ];
    let plan =
        |phases| Plan { affinities: affinities.clone(), phases, dim: D, shapes: None, limits: Limits::default() };
    let early: Vec<f64> = points.rows().flat_map(|row| row[..D].iter().map(|at| 1e-4 * (at - 1.4))).collect();
    let middle = plan(&phases[..1]).run(&early, &mut Fit::new(&run)).unwrap();
    let late = plan(&phases[1..]).run(&middle, &mut Fit::new(&run)).unwrap();
    let spread: Vec<f64> = points.rows().flat_map(|row| row[..D].iter().map(|at| 60.0 * (at - 1.4))).collect();
    for (name, map) in [("early", &early), ("middle", &middle), ("late", &late), ("spread", &spread)] {
        // Single precision, as the forces are: the errors here are those of field and sums.
        let places: Vec<[f64; D]> =
            map.chunks_exact(D).map(|row| std::array::from_fn(|axis| f64::from(row[axis] as f32))).collect();
        let pulls = attractions(&affinities, &places);
        for exaggeration in [12.0, 1.0] {
            let mut state = State::new(places.clone());
            state.forces(&plan(&phases), exaggeration, repel, &run).unwrap();
            let direct = directly(&affinities, &places, exaggeration);
            let wrong: Vec<[f64; D]> = (state.gradient.iter().zip(&direct))
                .map(|(found, direct)| std::array::from_fn(|axis| found[axis] - direct[axis]))
                .collect();
            // Late, attraction and repulsion cancel each other: what is left is small beside the errors of either.
            let error = length(&wrong) / length(&direct).max(exaggeration * length(&pulls));
            assert!(error < tolerance, "{D} dimensions, {name}, exaggeration {exaggeration}: {error}");
        }
    }
}

#[test]
fn the_gradient_in_the_plane_is_that_of_all_pairs() {
    let mut field = Field::default();
    check::<2>(&mut |places, forces, run| field.repulsion(places, forces, run), 1e-3);
}

#[test]
fn the_gradient_in_space_is_that_of_all_pairs() {
    let mut octree = Octree::default();
    check::<3>(&mut |places, forces, run| octree.repulsion(places, forces, run), 1e-3);
}
