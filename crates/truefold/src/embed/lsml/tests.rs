//! What the learning guarantees: an error that never rises, the least of each step, a plane exactly, curved surfaces nearly.

use super::bases::Bases;
use super::*;
use crate::dataset::{self, Request, Sample};
use crate::local::procrustes;
use crate::{Embedding, Pieces, fit};

fn sample(name: &str, points: usize) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap()
}

fn embedded(lsml: &Lsml, points: &Points, k: usize, run: &Run) -> Embedding {
    let neighborhoods = Neighborhoods::nearest(points, k, run).unwrap();
    fit(lsml, &Problem::new(points, &neighborhoods, 2).unwrap(), Pieces::Error, run).unwrap()
}

/// The size of what a rigid motion leaves of the difference, as a share of the truth's.
fn error(truth: &Points, y: &Points) -> f64 {
    let fit = procrustes(truth, y).unwrap();
    let size: f64 = {
        let dim = truth.dim();
        let mean: Vec<f64> =
            (0..dim).map(|at| truth.rows().map(|row| row[at]).sum::<f64>() / truth.len() as f64).collect();
        truth.rows().flat_map(|row| row.iter().zip(&mean).map(|(value, mean)| (value - mean).powi(2))).sum()
    };
    (fit.residual / size).sqrt()
}

fn times(points: &Points, factor: f64) -> Points {
    Points::new(points.len(), points.dim(), points.values().iter().map(|value| factor * value).collect()).unwrap()
}

#[test]
fn a_plane_is_recovered_up_to_a_rigid_motion() {
    let flat = sample("swiss-roll", 400).truth;
    let axes = [[0.6, 0.8, 0.0, 0.0], [0.0, 0.0, 0.28, 0.96]];
    let rows: Vec<[f64; 4]> =
        flat.rows().map(|row| std::array::from_fn(|at| row[0] * axes[0][at] + row[1] * axes[1][at] + 3.0)).collect();
    let y = embedded(&Lsml::default(), &Points::from_rows(&rows).unwrap(), 8, &Run::new()).points;
    let left = error(&flat, &y);
    assert!(left < 1e-7, "{left}");
}

#[test]
fn curved_surfaces_are_recovered_in_any_unit() {
    for (name, count, k, most) in [("s-curve", 1000, 12, 0.004), ("swiss-roll", 1500, 12, 0.004)] {
        let given = sample(name, count);
        for factor in [1.0, 1e-3, 1e3] {
            let found = embedded(&Lsml::default(), &times(&given.points, factor), k, &Run::new());
            let left = error(&times(&given.truth, factor), &found.points);
            assert!(left < most, "{name} {factor} {left}");
            let trace = &found.info.traces.last().unwrap().values;
            assert!(trace.len() > 2 && trace.is_sorted_by(|before, after| after < before), "{trace:?}");
        }
    }
}

#[test]
fn learning_improves_on_its_start() {
    // Tangents of few points are rough; the field that is learned averages over all.
    let request = Request::new().with_points(1500).with_noise(0.01);
    let curve = dataset::find("s-curve").unwrap().sample(&request).unwrap();
    let at = |iterations| {
        let found = embedded(&Lsml { iterations, ..Lsml::default() }, &curve.points, 8, &Run::new());
        error(&curve.truth, &found.points)
    };
    let (start, end) = (at(0), at(60));
    assert!(end < 0.9 * start && end < 0.02, "{start} {end}");
}

struct Case {
    points: Points,
    neighborhoods: Neighborhoods,
    centers: Centers,
    lsml: Lsml,
}

impl Case {
    fn new() -> Self {
        let points = sample("s-curve", 200).points;
        let neighborhoods = Neighborhoods::nearest(&points, 6, &Run::new()).unwrap();
        let centers = Centers::spread(&points, 20, 2).unwrap();
        Self { points, neighborhoods, centers, lsml: Lsml { shrinkage: 0.1, ..Lsml::default() } }
    }

    fn learning(&self) -> Learning<'_> {
        Learning::new(&self.lsml, &self.points, &self.neighborhoods, &self.centers, &Run::new()).unwrap()
    }

    fn start(&self, learning: &Learning<'_>) -> Bases {
        learning.start(&Tangents::new(&self.points, &self.neighborhoods, 2, &Run::new()).unwrap()).unwrap()
    }
}

/// E by its definition, with these coordinates.
fn definition(case: &Case, bases: &Bases, coordinates: &[f64]) -> f64 {
    let pairs: Vec<(u32, u32)> = (0..case.points.len() as u32)
        .flat_map(|from| case.neighborhoods.neighbors(from as usize).iter().map(move |&to| (from, to)))
        .collect();
    let at_points = case.centers.features(&case.points, &Run::new()).unwrap();
    let at_middles = case.centers.features(&middles(&case.points, &pairs).unwrap(), &Run::new()).unwrap();
    let lengths = pairs.iter().map(|&(from, to)| case.points.squared_distance(from as usize, to as usize));
    let unit = lengths.sum::<f64>() / pairs.len() as f64;
    let (mut halfway, mut here) = (vec![0.0; 6], vec![0.0; 6]);
    let mut sum = 0.0;
    for (at, (&(from, to), e)) in pairs.iter().zip(coordinates.chunks_exact(2)).enumerate() {
        bases.at(at_middles.of(at), &mut halfway);
        bases.at(at_points.of(from as usize), &mut here);
        for axis in 0..3 {
            let apart = case.points.row(to as usize)[axis] - case.points.row(from as usize)[axis];
            sum += (halfway[axis] * e[0] + halfway[3 + axis] * e[1] - apart).powi(2) / unit;
        }
        sum += case.lsml.shrinkage * (e[0] * e[0] + e[1] * e[1]) / unit;
        sum += case.lsml.smoothness * here.iter().zip(&halfway).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    }
    let size: f64 = bases.theta.iter().map(|value| value * value).sum();
    sum / pairs.len() as f64 + 1e-9 * size / case.centers.len() as f64
}

#[test]
fn every_part_of_a_step_is_the_least_by_the_definition() {
    let case = Case::new();
    let learning = case.learning();
    let bases = case.start(&learning);
    let coordinates = learning.coordinates(&bases);
    let value = definition(&case, &bases, &coordinates);
    let (known, next) = learning.parts_of_a_step(&bases);
    assert!((value - known).abs() < 1e-12 * value, "{value} {known}");
    // Slopes by differences: zero along every coordinate that was solved for, and not along the others.
    let slope = |change: &dyn Fn(f64) -> f64| (change(1e-5) - change(-1e-5)) / 2e-5;
    for at in (0..coordinates.len()).step_by(97) {
        let found = slope(&|by| {
            let mut moved = coordinates.clone();
            moved[at] += by;
            definition(&case, &bases, &moved)
        });
        assert!(found.abs() < 1e-8, "{found}");
    }
    let along = |bases: &Bases, at: usize| {
        slope(&|by| {
            let mut moved = bases.clone();
            moved.theta[at] += by;
            definition(&case, &moved, &coordinates)
        })
    };
    let steepest = (0..bases.theta.len()).map(|at| along(&bases, at).abs()).fold(0.0, f64::max);
    let flattest = (0..next.theta.len()).map(|at| along(&next, at).abs()).fold(0.0, f64::max);
    assert!(flattest < 1e-7 && steepest > 1e4 * flattest, "{flattest} {steepest}");
    // Balanced, the sum is lower still, and no other balance near it is.
    let balanced = learning.balanced(&next, &bases);
    let with = |turn: [f64; 4]| {
        let (theta, coordinates) = turned(&next.theta, &coordinates, turn);
        definition(&case, &Bases { theta, ..next.clone() }, &coordinates)
    };
    let [a, b, c, d]: [f64; 4] = balanced.try_into().unwrap();
    let least = with([a, b, c, d]);
    assert!(least < with([1.0, 0.0, 0.0, 1.0]));
    for turn in [[1.01 * a, b, c, d], [a, b, c, 0.99 * d], [a, b + 0.01, c + 0.01, d], [0.99 * a, b, c, 1.01 * d]] {
        assert!(least < with(turn), "{turn:?}");
    }
}

/// H W and W^(-1) e.
fn turned(theta: &[f64], coordinates: &[f64], [a, b, c, d]: [f64; 4]) -> (Vec<f64>, Vec<f64>) {
    let bases = theta.chunks_exact(6).flat_map(|basis| {
        let (one, other) = basis.split_at(3);
        let first = one.iter().zip(other).map(move |(one, other)| a * one + c * other);
        first.chain(one.iter().zip(other).map(move |(one, other)| b * one + d * other)).collect::<Vec<_>>()
    });
    let under = a * d - b * c;
    let moved =
        coordinates.chunks_exact(2).flat_map(|e| [(d * e[0] - b * e[1]) / under, (a * e[1] - c * e[0]) / under]);
    (bases.collect(), moved.collect())
}

#[test]
fn features_sum_to_one_are_continuous_and_have_no_unit() {
    let case = Case::new();
    let features = case.centers.features(&case.points, &Run::new()).unwrap();
    let scaled = times(&case.points, 1024.0);
    let same = Centers::spread(&scaled, 20, 2).unwrap().features(&scaled, &Run::new()).unwrap();
    for place in 0..case.points.len() {
        let sum: f64 = features.of(place).iter().map(|entry| entry.1).sum();
        assert!((sum - 1.0).abs() < 1e-12 && features.of(place) == same.of(place));
        assert!(features.of(place).is_sorted_by(|before, after| before.0 < after.0));
    }
    // Along a segment the features of near places are near, also where the centers around them change.
    let (one, other) = (case.points.row(0).to_vec(), case.points.row(100).to_vec());
    let rows: Vec<[f64; 3]> = (0..2000)
        .map(|at| std::array::from_fn(|axis| one[axis] + f64::from(at) / 2000.0 * (other[axis] - one[axis])))
        .collect();
    let along = case.centers.features(&Points::from_rows(&rows).unwrap(), &Run::new()).unwrap();
    let dense = |place: usize| {
        let mut all = [0.0; 20];
        along.of(place).iter().for_each(|entry| all[entry.0 as usize] = entry.1);
        all
    };
    for place in 1..2000 {
        let (before, after) = (dense(place - 1), dense(place));
        assert!(before.iter().zip(&after).all(|(before, after)| (before - after).abs() < 0.01), "{place}");
    }
}

#[test]
fn many_dimensions_are_reduced_with_their_share_told_and_threads_do_not_show() {
    let curve = sample("s-curve", 400);
    let rows: Vec<Vec<f64>> =
        curve.points.rows().map(|row| (0..60).map(|at| row[at % 3] * (1.0 + 0.01 * at as f64)).collect()).collect();
    let points = Points::new(400, 60, rows.concat()).unwrap();
    let on = |threads| embedded(&Lsml::default(), &points, 10, &Run::new().with_threads(threads).unwrap());
    let one = on(1);
    assert!((one.info.facts["share_of_variance"].as_f64().unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(one.points.values(), on(3).points.values());
    assert!(!embedded(&Lsml::default(), &curve.points, 10, &Run::new()).info.facts.contains_key("share_of_variance"));
}
