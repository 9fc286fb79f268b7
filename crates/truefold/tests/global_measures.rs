//! The global measures against their definitions, computed by brute force on small data.

use rand::{RngExt, SeedableRng};
use truefold::local::Input;
use truefold::measure::{Evaluation, Options, Score, find};
use truefold::{Metric, Neighborhoods, Points, Result, Run};

const GLOBAL: [&str; 6] = ["overlap", "trustworthiness", "continuity", "collapse", "residual_variance", "stress"];

fn score(name: &str, x: &Points, y: &Points, neighborhoods: &Neighborhoods, options: Options, run: &Run) -> Score {
    let evaluation = Evaluation::new(Input::Points(x), y, neighborhoods, options, run).unwrap();
    find(name).unwrap().score(&evaluation).unwrap()
}

fn value(name: &str, x: &Points, y: &Points, neighborhoods: &Neighborhoods) -> f64 {
    score(name, x, y, neighborhoods, Options::default(), &Run::new()).value
}

fn random(count: usize, dim: usize, seed: u64) -> Points {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    Points::new(count, dim, (0..count * dim).map(|_| rng.random_range(-1.0..1.0)).collect()).unwrap()
}

/// Coordinates from few values, so that distances tie and points coincide.
fn coarse(count: usize, dim: usize, seed: u64) -> Points {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    Points::new(count, dim, (0..count * dim).map(|_| f64::from(rng.random_range(0..5))).collect()).unwrap()
}

/// Lists of different lengths that are not the nearest points, in two components if `split`.
fn lists(count: usize, split: bool, seed: u64) -> Neighborhoods {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let lists: Vec<Vec<i64>> = (0..count)
        .map(|point| {
            let wanted = rng.random_range(1..8);
            let side = |other: usize| !split || (other < count / 3) == (point < count / 3);
            let mut list: Vec<i64> = Vec::new();
            while list.len() < wanted {
                let other = rng.random_range(0..count);
                if other != point && side(other) && !list.contains(&(other as i64)) {
                    list.push(other as i64);
                }
            }
            list
        })
        .collect();
    Neighborhoods::from_lists(&lists).unwrap()
}

fn distance(points: &Points, metric: Metric, a: usize, b: usize) -> f64 {
    let (a, b) = (points.row(a), points.row(b));
    let cosine = |a: &[f64], b: &[f64]| {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        1.0 - dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    let centered = |row: &[f64]| {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        row.iter().map(|value| value - mean).collect::<Vec<_>>()
    };
    match metric {
        Metric::Euclidean => a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt(),
        Metric::Manhattan => a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum(),
        Metric::Cosine => cosine(a, b),
        Metric::Correlation => cosine(&centered(a), &centered(b)),
    }
}

/// All other points, nearest first, ties by row.
fn sorted(points: &Points, metric: Metric, center: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).filter(|&other| other != center).collect();
    order.sort_by(|&a, &b| {
        distance(points, metric, center, a).total_cmp(&distance(points, metric, center, b)).then(a.cmp(&b))
    });
    order
}

/// One minus the excess ranks of `targets` over the largest possible sum, from sorted rows.
fn kept(order: &[usize], targets: &[usize]) -> f64 {
    let (k, count) = (targets.len(), order.len() + 1);
    let rank = |target: usize| order.iter().position(|&other| other == target).unwrap() + 1;
    let excess: usize = targets.iter().map(|&target| rank(target).saturating_sub(k)).sum();
    let worst: usize = (count - k..count).map(|rank| rank.saturating_sub(k)).sum();
    if worst == 0 { 1.0 } else { 1.0 - excess as f64 / worst as f64 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
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
    // Input neighbors 1, 0, 1, 2; embedded 1, 0, 3, 1; k = 1, worst 2. Only point 3 shows a stranger, 1, of rank 2, as row 1 ties for
    // point 2 with row 3 and comes first there: embedded neighbor 3 of point 2 has rank 2 in the input.
    let trust = score("trustworthiness", &x, &y, &neighborhoods, Options::default(), &Run::new());
    assert_eq!(trust.per_point.unwrap(), [1.0, 1.0, 0.5, 0.5]);
    // Point 2 finds its neighbor 1 at embedded rank 2, point 3 its neighbor 2 at rank 2, a tie with 1 lost by row.
    let continuity = score("continuity", &x, &y, &neighborhoods, Options::default(), &Run::new());
    assert_eq!(continuity.per_point.unwrap(), [1.0, 1.0, 0.5, 0.5]);
    assert_eq!(value("overlap", &x, &y, &neighborhoods), 0.5);
}

#[test]
fn residual_variance_follows_its_definition() {
    for (seed, split) in [(1, false), (2, true)] {
        let (x, y) = (random(70, 3, seed), random(70, 2, seed + 9));
        let neighborhoods = lists(70, split, seed);
        let mut paths = vec![vec![f64::INFINITY; 70]; 70];
        for a in 0..70 {
            paths[a][a] = 0.0;
            for &b in neighborhoods.neighbors(a) {
                let length = distance(&x, Metric::Euclidean, a, b as usize);
                (paths[a][b as usize], paths[b as usize][a]) = (length, length);
            }
        }
        for via in 0..70 {
            for a in 0..70 {
                for b in 0..70 {
                    paths[a][b] = paths[a][b].min(paths[a][via] + paths[via][b]);
                }
            }
        }
        let residual = |pairs: &[(usize, usize)]| {
            let (g, d): (Vec<f64>, Vec<f64>) = pairs
                .iter()
                .filter(|&&(a, b)| a != b && paths[a][b].is_finite())
                .map(|&(a, b)| (paths[a][b], distance(&y, Metric::Euclidean, a, b)))
                .unzip();
            let cross =
                |u: &[f64], v: &[f64]| u.iter().zip(v).map(|(u, v)| (u - mean(&g)) * (v - mean(&d))).sum::<f64>();
            let gg: f64 = g.iter().map(|g0| (g0 - mean(&g)).powi(2)).sum();
            let dd: f64 = d.iter().map(|d0| (d0 - mean(&d)).powi(2)).sum();
            1.0 - cross(&g, &d).powi(2) / (gg * dd)
        };
        let found = score("residual_variance", &x, &y, &neighborhoods, Options::default(), &Run::new());
        let all: Vec<(usize, usize)> = (0..70).flat_map(|a| (0..70).map(move |b| (a, b))).collect();
        assert_near(found.value, residual(&all));
        for (point, found) in found.per_point.unwrap().into_iter().enumerate() {
            assert_near(found, residual(&(0..70).map(|other| (point, other)).collect::<Vec<_>>()));
        }
    }
}

/// Stress with exactly equal input distances tied, by sorting all pairs.
fn exact_stress(x: &Points, y: &Points, metric: Metric) -> f64 {
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for a in 0..x.len() {
        for b in a + 1..x.len() {
            pairs.push((distance(x, metric, a, b), distance(y, Metric::Euclidean, a, b)));
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Blocks of weight and sum; ties are one block from the start.
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for tied in pairs.chunk_by(|a, b| (a.0 - b.0).abs() < 1e-12) {
        let mut block = (tied.len() as f64, tied.iter().map(|pair| pair.1).sum::<f64>());
        while blocks.last().is_some_and(|last| last.1 / last.0 >= block.1 / block.0) {
            let last = blocks.pop().unwrap();
            block = (block.0 + last.0, block.1 + last.1);
        }
        blocks.push(block);
    }
    let fitted = blocks.iter().flat_map(|&(weight, sum)| std::iter::repeat_n(sum / weight, weight as usize));
    let residual: f64 = pairs.iter().zip(fitted).map(|(pair, fitted)| (pair.1 - fitted).powi(2)).sum();
    (residual / pairs.iter().map(|pair| pair.1 * pair.1).sum::<f64>()).sqrt()
}

#[test]
fn stress_is_the_exact_one_up_to_its_bins() {
    for seed in 0..3 {
        let x = random(80, 3, seed);
        let bent = Points::from_rows(
            &x.rows().map(|row| [row[0] + 0.2 * row[2], row[1] * row[1].abs().sqrt()]).collect::<Vec<_>>(),
        )
        .unwrap();
        let neighborhoods = lists(80, false, seed);
        for y in [random(80, 2, 40 + seed), bent] {
            for metric in Metric::ALL {
                let options = Options { metric, ..Options::default() };
                let found = score("stress", &x, &y, &neighborhoods, options, &Run::new()).value;
                let exact = exact_stress(&x, &y, metric);
                assert!((found - exact).abs() < 5e-4, "{metric}: {found} {exact}");
            }
        }
        // Ties: the bins separate the few different distances exactly.
        let (x, y) = (coarse(80, 2, seed), random(80, 2, seed));
        assert_near(value("stress", &x, &y, &neighborhoods), exact_stress(&x, &y, Metric::Euclidean));
    }
}

fn brute_collapse(y: &Points, neighborhoods: &Neighborhoods, steps: usize) -> (f64, Vec<f64>) {
    let count = y.len();
    let mut far = vec![vec![usize::MAX / 4; count]; count];
    for a in 0..count {
        far[a][a] = 0;
        for &b in neighborhoods.neighbors(a) {
            (far[a][b as usize], far[b as usize][a]) = (1, 1);
        }
    }
    for via in 0..count {
        for a in 0..count {
            for b in 0..count {
                far[a][b] = far[a][b].min(far[a][via] + far[via][b]);
            }
        }
    }
    let (mut all, mut shares) = ((0, 0), Vec::new());
    for a in 0..count {
        let mut lengths: Vec<f64> =
            neighborhoods.neighbors(a).iter().map(|&b| distance(y, Metric::Euclidean, a, b as usize)).collect();
        lengths.sort_by(f64::total_cmp);
        let radius = (lengths[(lengths.len() - 1) / 2] + lengths[lengths.len() / 2]) / 2.0;
        let distant: Vec<usize> = (0..count).filter(|&b| far[a][b] >= steps).collect();
        let near = distant.iter().filter(|&&b| {
            let length = distance(y, Metric::Euclidean, a, b);
            length < radius || length == 0.0
        });
        let near = near.count();
        shares.push(near as f64 / distant.len() as f64);
        all = (all.0 + near, all.1 + distant.len());
    }
    (all.0 as f64 / all.1 as f64, shares)
}

#[test]
fn collapse_follows_its_definition() {
    for (seed, split) in [(1, false), (2, true), (3, true)] {
        let x = random(150, 2, seed);
        for y in [random(150, 2, 70 + seed), coarse(150, 2, seed), coarse(150, 1, seed)] {
            for neighborhoods in [lists(150, split, seed), Neighborhoods::nearest(&x, 5, &Run::new()).unwrap()] {
                for steps in [2, 3, 5] {
                    let options = Options { steps, ..Options::default() };
                    let found = score("collapse", &x, &y, &neighborhoods, options, &Run::new());
                    let (expected, shares) = brute_collapse(&y, &neighborhoods, steps);
                    if expected.is_nan() {
                        assert_eq!(found.value, 0.0);
                        continue;
                    }
                    assert_near(found.value, expected);
                    for (found, share) in found.per_point.unwrap().into_iter().zip(shares) {
                        assert!(found == share || (found.is_nan() && share.is_nan()));
                    }
                }
            }
        }
    }
}

fn grid(side: usize) -> Points {
    let rows: Vec<[f64; 2]> = (0..side * side).map(|i| [(i % side) as f64, (i / side) as f64]).collect();
    Points::from_rows(&rows).unwrap()
}

#[test]
fn a_perfect_copy_is_perfect() {
    let run = Run::new();
    for x in [grid(15), random(200, 2, 3)] {
        let neighborhoods = Neighborhoods::nearest(&x, 8, &run).unwrap();
        for name in ["trustworthiness", "continuity", "overlap"] {
            assert_eq!(value(name, &x, &x, &neighborhoods), 1.0);
        }
        assert!(value("stress", &x, &x, &neighborhoods) < 2e-5);
        assert_eq!(value("collapse", &x, &x, &neighborhoods), 0.0);
        // Paths along the graph are longer than the straight lines they stand for, so this is small but not zero.
        let residual = value("residual_variance", &x, &x, &neighborhoods);
        assert!(residual < 0.05, "{residual}");
    }
    // With everybody a neighbor of everybody paths are the straight lines.
    let x = random(60, 3, 8);
    let neighborhoods = Neighborhoods::nearest(&x, 59, &run).unwrap();
    assert!(value("residual_variance", &x, &x, &neighborhoods) < 1e-12);
    assert_eq!(value("trustworthiness", &x, &random(60, 2, 1), &neighborhoods), 1.0);
    assert_eq!(value("collapse", &x, &x, &neighborhoods), 0.0);
}

#[test]
fn a_folded_sheet_collapses_and_a_flat_one_does_not() {
    let flat = grid(24);
    let folded =
        Points::from_rows(&flat.rows().map(|row| [(row[0] - 11.3).abs(), row[1]]).collect::<Vec<_>>()).unwrap();
    let neighborhoods = Neighborhoods::nearest(&flat, 8, &Run::new()).unwrap();
    assert_eq!(value("collapse", &flat, &flat, &neighborhoods), 0.0);
    let score = score("collapse", &flat, &folded, &neighborhoods, Options::default(), &Run::new());
    assert!(score.value > 0.0);
    let shares = score.per_point.unwrap();
    assert!(shares[12 * 24] > 0.0, "the far edges lie on each other");
    assert_eq!(shares[12 * 24 + 11], 0.0, "at the fold only near points come together");
}

#[test]
fn everything_in_one_place_is_as_bad_as_can_be() {
    let x = grid(10);
    let y = Points::new(100, 1, vec![2.5; 100]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 4, &Run::new()).unwrap();
    for name in ["collapse", "stress", "residual_variance"] {
        assert_eq!(value(name, &x, &y, &neighborhoods), 1.0, "{name}");
    }
}

#[test]
fn rigid_motions_and_scaling_change_nothing() {
    let (x, y) = (random(120, 3, 1), random(120, 2, 2));
    let (cos, sin) = (0.7_f64.cos(), 0.7_f64.sin());
    let moved = |points: &Points, scale: f64| {
        let rows = points.rows().map(|row| {
            let mut row = row.to_vec();
            (row[0], row[1]) =
                (scale * (cos * row[0] - sin * row[1]) + 3.0, scale * (sin * row[0] + cos * row[1]) - 1.0);
            row[2..].iter_mut().for_each(|value| *value *= scale);
            row
        });
        Points::from_rows(&rows.collect::<Vec<_>>()).unwrap()
    };
    let neighborhoods = Neighborhoods::nearest(&x, 9, &Run::new()).unwrap();
    for name in GLOBAL {
        let before = value(name, &x, &y, &neighborhoods);
        let after = value(name, &moved(&x, 5.0), &moved(&y, 0.01), &neighborhoods);
        let within = if name == "stress" { 2e-4 } else { 1e-9 };
        assert!((before - after).abs() < within, "{name}: {before} {after}");
    }
}

#[test]
fn threads_give_the_same_bits() -> Result<()> {
    let (x, y) = (random(700, 3, 1), random(700, 2, 2));
    let neighborhoods = Neighborhoods::nearest(&x, 9, &Run::new())?;
    let bits = |score: &Score| {
        let mut bits: Vec<u64> = score.per_point.iter().flatten().map(|value| value.to_bits()).collect();
        bits.extend([score.value.to_bits(), score.standard_error.unwrap_or(0.0).to_bits()]);
        bits
    };
    for name in GLOBAL {
        for sample in [None, Some(150)] {
            let options = Options { sample, ..Options::default() };
            let one = score(name, &x, &y, &neighborhoods, options, &Run::new().with_threads(1)?);
            for threads in [2, 8] {
                let many = score(name, &x, &y, &neighborhoods, options, &Run::new().with_threads(threads)?);
                assert_eq!(bits(&one), bits(&many), "{name}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_sample_is_within_its_error_of_the_whole_and_its_error_is_right() {
    let x = random(400, 3, 1);
    let y =
        Points::from_rows(&x.rows().map(|row| [row[0] * row[2], row[1] + 0.5 * row[2]]).collect::<Vec<_>>()).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 9, &Run::new()).unwrap();
    for name in ["trustworthiness", "continuity", "residual_variance", "stress"] {
        let whole = score(name, &x, &y, &neighborhoods, Options::default(), &Run::new());
        assert_eq!(whole.standard_error, None);
        let options = Options { sample: Some(400), ..Options::default() };
        assert_eq!(score(name, &x, &y, &neighborhoods, options, &Run::new()), whole);
        let options = Options { sample: Some(100), ..Options::default() };
        let (mut squares, mut told) = (0.0, 0.0);
        for seed in 0..60 {
            let part = score(name, &x, &y, &neighborhoods, options, &Run::new().with_seed(seed));
            let error = part.standard_error.unwrap();
            assert!((part.value - whole.value).abs() < 4.5 * error, "{name}");
            let sampled = part.per_point.unwrap();
            assert_eq!(sampled.iter().filter(|value| !value.is_nan()).count(), 100);
            assert_eq!(part.left_out, 0);
            squares += (part.value - whole.value).powi(2) / 60.0;
            told += error / 60.0;
        }
        let ratio = squares.sqrt() / told;
        assert!((0.7..1.4).contains(&ratio), "{name}: the estimates spread {ratio} times as far as told");
    }
}

#[test]
fn two_points_are_enough() {
    let x = Points::new(2, 1, vec![0.0, 1.0]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 1, &Run::new()).unwrap();
    for name in GLOBAL {
        let expected = if ["trustworthiness", "continuity", "overlap"].contains(&name) { 1.0 } else { 0.0 };
        assert_eq!(value(name, &x, &x, &neighborhoods), expected, "{name}");
    }
}

#[test]
fn rows_without_direction_are_named_and_a_cancelled_run_stops() {
    let x = Points::from_rows(&[[1.0, 2.0], [0.0, 0.0], [2.0, 1.0]]).unwrap();
    let neighborhoods = Neighborhoods::from_lists(&[[1], [2], [0]]).unwrap();
    let run = Run::new();
    let options = Options { metric: Metric::Cosine, ..Options::default() };
    let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, options, &run).unwrap();
    for name in ["trustworthiness", "stress"] {
        let error = find(name).unwrap().score(&evaluation).unwrap_err().to_string();
        assert!(error.starts_with("row 2 is all zeros"), "{error}");
    }
    let stopped = Run::new().with_cancel(std::sync::Arc::new(true.into()));
    let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, Options::default(), &stopped).unwrap();
    for name in GLOBAL {
        assert_eq!(find(name).unwrap().score(&evaluation), Err(truefold::Error::Cancelled), "{name}");
    }
}
