//! Trustworthiness, continuity and overlap from fully sorted rows.

use super::*;

/// One minus the excess ranks of `targets` over the largest possible sum, from sorted rows.
fn kept(order: &[usize], targets: &[usize]) -> f64 {
    let (k, count) = (targets.len(), order.len() + 1);
    let rank = |target: usize| order.iter().position(|&other| other == target).unwrap() + 1;
    let excess: usize = targets.iter().map(|&target| rank(target).saturating_sub(k)).sum();
    let worst: usize = (count - k..count).map(|rank| rank.saturating_sub(k)).sum();
    if worst == 0 { 1.0 } else { 1.0 - excess as f64 / worst as f64 }
}

fn check_ranks(x: &Points, y: &Points, neighborhoods: &Neighborhoods, metric: Metric) {
    let (mut trust, mut continuity, mut overlap) = (Vec::new(), Vec::new(), Vec::new());
    for point in 0..x.len() {
        let given: Vec<usize> = neighborhoods.neighbors(point).iter().map(|&row| row as usize).collect();
        let (in_x, in_y) = (sorted(x, metric, point), sorted(y, Metric::Euclidean, point));
        let shown = &in_y[..given.len()];
        trust.push(kept(&in_x, shown));
        continuity.push(kept(&in_y, &given));
        overlap.push(given.iter().filter(|row| shown.contains(row)).count() as f64 / given.len() as f64);
    }
    let options = Options { metric, ..Options::default() };
    for (name, expected) in [("trustworthiness", trust), ("continuity", continuity), ("overlap", overlap)] {
        let found = score(name, x, y, neighborhoods, options, &Run::new());
        assert_near(found.value, mean(&expected));
        for (found, expected) in found.per_point.unwrap().into_iter().zip(expected) {
            assert_near(found, expected);
        }
        assert_eq!((found.standard_error, found.left_out), (None, 0));
    }
}

#[test]
fn rank_measures_follow_their_definitions() {
    let run = Run::new();
    for seed in 0..4 {
        let (x, y) = (random(150, 4, seed), random(150, 2, 100 + seed));
        for k in [1, 7, 74, 75, 76, 140, 149] {
            check_ranks(&x, &y, &Neighborhoods::nearest(&x, k, &run).unwrap(), Metric::Euclidean);
        }
        for metric in Metric::ALL {
            check_ranks(&x, &y, &lists(150, false, seed), metric);
        }
    }
}

#[test]
fn rank_measures_settle_ties_and_copies_by_row() {
    for seed in 0..4 {
        let (x, y) = (coarse(120, 2, seed), coarse(120, 1, 50 + seed));
        for k in [3, 20, 70] {
            check_ranks(&x, &y, &Neighborhoods::nearest(&x, k, &Run::new()).unwrap(), Metric::Euclidean);
        }
        check_ranks(&x, &y, &lists(120, true, seed), Metric::Manhattan);
    }
}

#[test]
fn rank_measures_by_hand() {
    // 0 1 2 3 on a line; the embedding exchanges the last two: y = 0, 1, 3, 2.
    let x = Points::new(4, 1, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
    let y = Points::new(4, 1, vec![0.0, 1.0, 3.0, 2.0]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 1, &Run::new()).unwrap();
    // Nearest in the input 1, 0, 1, 2 and in the embedding 1, 0, 3, 1, ties by row; k = 1, so the worst excess is 2.
    // Points 2 and 3 show 3 and 1, which have rank 2 in the input.
    let trust = score("trustworthiness", &x, &y, &neighborhoods, Options::default(), &Run::new());
    assert_eq!(trust.per_point.unwrap(), [1.0, 1.0, 0.5, 0.5]);
    // Point 2 has its neighbor 1 at embedded rank 2, and point 3 its neighbor 2, which ties with 1 and loses by row.
    let continuity = score("continuity", &x, &y, &neighborhoods, Options::default(), &Run::new());
    assert_eq!(continuity.per_point.unwrap(), [1.0, 1.0, 0.5, 0.5]);
    assert_eq!(value("overlap", &x, &y, &neighborhoods), 0.5);
}
