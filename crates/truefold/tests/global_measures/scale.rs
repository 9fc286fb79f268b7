//! Neighborhoods kept at every scale, from fully sorted rows.

use super::*;
use truefold::measure::{ScaleCurve, scale_curve};

/// The curve, and the areas of the points' own.
fn curve(x: &Points, y: &Points, options: Options, run: &Run) -> (ScaleCurve, Vec<f64>) {
    let neighborhoods = Neighborhoods::nearest(x, 1, run).unwrap();
    let evaluation = Evaluation::new(Input::Points(x), y, &neighborhoods, options, run).unwrap();
    let score = find("r_nx").unwrap().score(&evaluation).unwrap();
    let curve = scale_curve(&evaluation).unwrap().clone();
    assert_eq!((score.value, score.standard_error), (curve.area, curve.area_error));
    (curve, score.per_point.unwrap())
}

/// How many of the K nearest are the same, for each K from 1 to n - 2, query by query.
fn kept(x: &Points, y: &Points) -> Vec<Vec<usize>> {
    let row = |point| {
        let (in_x, in_y) = (sorted(x, Metric::Euclidean, point), sorted(y, Metric::Euclidean, point));
        // Each list met so far; a point that both have met is shared.
        let (mut met, mut shared) = (vec![0; x.len()], 0);
        let mut meet = |other: usize| {
            met[other] += 1;
            shared += usize::from(met[other] == 2);
            shared
        };
        let grow = |k: usize| {
            meet(in_x[k - 1]);
            meet(in_y[k - 1])
        };
        (1..x.len() - 1).map(grow).collect()
    };
    (0..x.len()).map(row).collect()
}

/// R_NX of K = 1 to n - 2 from the numbers that are the same.
fn beyond_chance(kept: &[f64]) -> Vec<f64> {
    let others = (kept.len() + 1) as f64;
    let value = |(place, kept): (usize, &f64)| {
        let k = (place + 1) as f64;
        (others * kept / k - k) / (others - k)
    };
    kept.iter().enumerate().map(value).collect()
}

/// The mean of the values of K = `first` to `last`, each by 1 / K.
fn mean_by_logarithm(values: &[f64], first: usize, last: usize) -> f64 {
    let weighed: f64 = (first..=last).map(|k| values[k - 1] / k as f64).sum();
    weighed / (first..=last).map(|k| 1.0 / k as f64).sum::<f64>()
}

fn check(x: &Points, y: &Points) {
    let ((found, areas), rows) = (curve(x, y, Options::default(), &Run::new()), kept(x, y));
    let count = x.len();
    let means: Vec<f64> =
        (0..count - 2).map(|at| rows.iter().map(|row| row[at]).sum::<usize>() as f64 / count as f64).collect();
    let expected = beyond_chance(&means);
    for (at, &k) in found.k.iter().enumerate() {
        assert_near(found.q_nx[at], means[k - 1] / k as f64);
        assert_near(found.r_nx[at], expected[k - 1]);
    }
    // Between the K that are looked at the curve is nearly a line in log K.
    assert!((found.area - mean_by_logarithm(&expected, 1, count - 2)).abs() < 2e-3, "{found:?}");
    assert!((found.local - mean_by_logarithm(&expected, 1, found.split)).abs() < 2e-3);
    assert!((found.global - mean_by_logarithm(&expected, found.split + 1, count - 2)).abs() < 2e-3);
    let middle = ((count - 1) as f64).sqrt();
    let next = found.k[found.k.iter().position(|&k| k == found.split).unwrap() + 1];
    assert!(found.split as f64 <= middle && next as f64 > middle);
    for (point, row) in rows.iter().enumerate() {
        let own = beyond_chance(&row.iter().map(|&kept| kept as f64).collect::<Vec<_>>());
        assert!((areas[point] - mean_by_logarithm(&own, 1, count - 2)).abs() < 0.06);
    }
    assert_near(mean(&areas), found.area);
    assert_eq!((found.area_error, found.standard_error, found.sampled), (None, None, count));
}

/// The first two coordinates, shifted by half of the third, so that whole numbers tie in both.
fn sheared(x: &Points) -> Points {
    Points::from_rows(&x.rows().map(|row| [row[0], row[1] + 0.5 * row[2]]).collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_curve_follows_its_definition_with_ties_and_copies_too() {
    for seed in 0..3 {
        let x = random(160, 3, seed);
        check(&x, &sheared(&x));
        check(&x, &random(160, 2, 90 + seed));
        let x = coarse(160, 3, seed);
        check(&x, &sheared(&x));
    }
}

#[test]
fn few_points_have_a_curve_and_a_copy_keeps_everything() {
    for count in 2..12 {
        let x = random(count, 2, 5);
        let (found, areas) = curve(&x, &x, Options::default(), &Run::new());
        let ends = if count > 2 { (Some(&1), Some(count - 2)) } else { (None, None) };
        assert_eq!((found.k.first(), found.k.last().copied()), ends);
        for value in [found.area, found.local, found.global].iter().chain(&found.q_nx).chain(&found.r_nx) {
            assert_near(*value, 1.0);
        }
        assert!(found.split < count && areas.iter().all(|value| (value - 1.0).abs() < 1e-12));
    }
}

#[test]
fn a_sampled_curve_is_within_its_error_and_the_error_is_right() {
    let x = random(400, 3, 1);
    let y = sheared(&x);
    let (whole, _) = curve(&x, &y, Options::default(), &Run::new());
    let options = Options { sample: Sampling::Points(80), ..Options::default() };
    let mut squares = [0.0; 2];
    for seed in 0..40 {
        let (part, areas) = curve(&x, &y, options, &Run::new().with_seed(seed));
        let errors = part.standard_error.unwrap();
        for (at, error) in errors.iter().enumerate() {
            assert!((part.r_nx[at] - whole.r_nx[at]).abs() < 5.0 * error, "{at}");
        }
        squares[0] += ((part.area - whole.area) / part.area_error.unwrap()).powi(2) / 40.0;
        squares[1] += ((part.r_nx[9] - whole.r_nx[9]) / errors[9]).powi(2) / 40.0;
        assert_eq!((part.sampled, areas.iter().filter(|value| !value.is_nan()).count()), (80, 80));
    }
    assert!(squares.iter().all(|&square| (0.5..1.8).contains(&square)), "{squares:?}");
}
