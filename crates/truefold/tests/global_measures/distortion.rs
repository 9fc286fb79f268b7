//! Distortion by Floyd and Warshall, from all points and from some.

use super::*;
use truefold::measure::distortion;
use truefold::{Distances, dataset};

/// The lengths of all shortest paths.
fn paths(points: &Points, neighborhoods: &Neighborhoods) -> Vec<Vec<f64>> {
    let count = points.len();
    let mut paths = vec![vec![f64::INFINITY; count]; count];
    for a in 0..count {
        paths[a][a] = 0.0;
        for &b in neighborhoods.neighbors(a) {
            let length = distance(points, Metric::Euclidean, a, b as usize);
            (paths[a][b as usize], paths[b as usize][a]) = (length, length);
        }
    }
    for via in 0..count {
        for a in 0..count {
            for b in 0..count {
                paths[a][b] = paths[a][b].min(paths[a][via] + paths[via][b]);
            }
        }
    }
    paths
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    0.5 * (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2])
}

#[test]
fn distortion_follows_its_definition() {
    // Connected; in two components; with points that coincide.
    for (seed, split, ties) in [(1, false, false), (2, true, false), (3, false, true)] {
        let make = if ties { coarse } else { random };
        let (x, y, neighborhoods) = (make(70, 3, seed), make(70, 2, seed + 9), lists(70, split, seed));
        let (in_data, in_map) = (paths(&x, &neighborhoods), paths(&y, &neighborhoods));
        let (mut values, mut coinciding, mut merged) = (Vec::new(), 0, 0);
        let (mut stretch, mut shrink) = (0.0_f64, 0.0_f64);
        for a in 0..70 {
            let (mut larger, mut smaller) = (0.0_f64, 0.0_f64);
            for b in (0..70).filter(|&b| b != a && in_data[a][b].is_finite()) {
                if in_data[a][b] == 0.0 {
                    coinciding += 1;
                } else if in_map[a][b] == 0.0 {
                    merged += 1;
                } else {
                    larger = larger.max(in_map[a][b] / in_data[a][b]);
                    smaller = smaller.max(in_data[a][b] / in_map[a][b]);
                }
            }
            (stretch, shrink) = (stretch.max(larger), shrink.max(smaller));
            values.push(larger * smaller);
        }
        let run = Run::new();
        let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, Options::default(), &run).unwrap();
        let score = find("distortion").unwrap().score(&evaluation).unwrap();
        let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        near(score.value, median(&values));
        score.per_point.as_ref().unwrap().iter().zip(&values).for_each(|(&found, &expected)| near(found, expected));
        let found = distortion(&evaluation).unwrap();
        near(found.largest, values.iter().copied().fold(0.0, f64::max));
        near(found.stretch, stretch);
        near(found.shrink, shrink);
        assert_eq!((found.sources, found.coinciding, found.merged), (70, coinciding, merged));
        assert!((merged > 0) == ties && found.error.is_none() && score.lower_bound == Some(1.0));
        assert!(score.chance.is_none() && score.skill(truefold::measure::Better::Lower).is_none());
    }
}

#[test]
fn distances_are_as_good_as_points() {
    let (x, y, neighborhoods) = (random(60, 3, 5), random(60, 2, 6), lists(60, false, 7));
    let table = (0..60).flat_map(|a| (0..60).map(move |b| (a, b)));
    let table = table.map(|(a, b)| distance(&x, Metric::Euclidean, a, b)).collect();
    let distances = Distances::dense(60, table).unwrap();
    let run = Run::new();
    let of = |input: Input<'_>| {
        let evaluation = Evaluation::new(input, &y, &neighborhoods, Options::default(), &run).unwrap();
        distortion(&evaluation).unwrap().clone()
    };
    let (one, other) = (of(Input::Points(&x)), of(Input::Distances(&distances)));
    for (one, other) in [(one.median, other.median), (one.stretch, other.stretch), (one.shrink, other.shrink)] {
        assert!((one / other - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_flat_sheet_in_space_has_none_and_a_stretched_one_its_factor() {
    let run = Run::new();
    let sheet = dataset::find("plane").unwrap().sample(&dataset::Request::new().with_points(400)).unwrap();
    let neighborhoods = Neighborhoods::nearest(&sheet.points, 8, &run).unwrap();
    // The first two principal axes hold all of a plane.
    let flat = value("distortion", &sheet.points, &sheet.truth, &neighborhoods);
    assert!((flat - 1.0).abs() < 1e-9, "{flat}");
    // On a lattice with neighbors along both axes, a map three times as wide has paths of both scales.
    let x = grid(12);
    let wide = Points::from_rows(&x.rows().map(|row| [3.0 * row[0], row[1]]).collect::<Vec<_>>()).unwrap();
    let neighborhoods = Neighborhoods::within(&x, 1.1, &run).unwrap();
    assert_near(value("distortion", &x, &wide, &neighborhoods), 3.0);
}

#[test]
fn some_sources_tell_of_all_points_and_never_too_much() {
    let roll = dataset::find("swiss-roll").unwrap().sample(&dataset::Request::new().with_points(900)).unwrap();
    let neighborhoods = Neighborhoods::nearest(&roll.points, 8, &Run::new()).unwrap();
    let bent: Vec<[f64; 2]> = roll.truth.rows().map(|row| [row[0] + 0.004 * row[0] * row[0], row[1]]).collect();
    let y = Points::from_rows(&bent).unwrap();
    let whole = score("distortion", &roll.points, &y, &neighborhoods, Options::default(), &Run::new());
    let all = whole.per_point.unwrap();
    assert!(whole.standard_error.is_none());
    let options = Options { sample: Sampling::Points(64), ..Options::default() };
    let (mut squares, mut told, mut kept) = (0.0, 0.0, 0.0);
    for seed in 0..40 {
        let part = score("distortion", &roll.points, &y, &neighborhoods, options, &Run::new().with_seed(seed));
        let some = part.per_point.unwrap();
        assert!(some.iter().zip(&all).all(|(some, all)| *some <= all * (1.0 + 1e-12)));
        assert_eq!(part.left_out, 0);
        kept += some.iter().zip(&all).map(|(some, all)| some / all).sum::<f64>() / 900.0 / 40.0;
        squares += (part.value - whole.value).powi(2) / 40.0;
        told += part.standard_error.unwrap() / 40.0;
    }
    let ratio = squares.sqrt() / told;
    assert!((0.7..1.4).contains(&ratio), "the estimates spread {ratio} times as far as told");
    assert!(kept > 0.9, "{kept}");
}
