//! Residual variance by Floyd and Warshall, and stress by a regression over all pairs.

use super::*;

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
