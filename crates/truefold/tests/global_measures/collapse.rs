//! Collapse by comparing all pairs.

use super::*;

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
