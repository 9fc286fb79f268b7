//! What chance gives, against maps whose rows are in random order.

use super::*;
use rand::seq::SliceRandom;

/// Every order of `rows`.
fn orders(rows: &[u32]) -> Vec<Vec<u32>> {
    if rows.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |at: usize| {
        let rest: Vec<u32> = rows.iter().copied().filter(|&row| row != rows[at]).collect();
        orders(&rest).into_iter().map(move |order| [vec![rows[at]], order].concat())
    };
    (0..rows.len()).flat_map(with_first).collect()
}

#[test]
fn closed_forms_are_means_over_all_orders() {
    let (x, y) = (random(6, 3, 4), random(6, 2, 5));
    for neighborhoods in
        [1, 2, 4].map(|k| Neighborhoods::nearest(&x, k, &Run::new()).unwrap()).iter().chain([&uneven()])
    {
        for name in ["trustworthiness", "continuity", "overlap", "r_nx"] {
            let scores: Vec<Score> = orders(&[0, 1, 2, 3, 4, 5])
                .iter()
                .map(|order| score(name, &x, &y.select(order), neighborhoods, Options::default(), &Run::new()))
                .collect();
            let chance = scores[0].chance.unwrap();
            assert_eq!(chance.error, None);
            assert_near(chance.value, mean(&scores.iter().map(|score| score.value).collect::<Vec<_>>()));
            for point in 0..6 {
                let values: Vec<f64> = scores.iter().map(|score| score.per_point.as_ref().unwrap()[point]).collect();
                assert_near(scores[0].per_point_chance.as_ref().unwrap()[point], mean(&values));
            }
        }
    }
}

fn uneven() -> Neighborhoods {
    Neighborhoods::from_lists(&[vec![1], vec![0, 2, 5], vec![3, 4], vec![0], vec![5, 0, 1, 2], vec![2]]).unwrap()
}

/// Two balls far apart, with the map that shows their first coordinates.
fn two_balls(count: usize) -> (Points, Points) {
    let cloud = random(count, 5, 8);
    let shift = |row: usize| if row < count / 3 { 9.0 } else { 0.0 };
    let rows: Vec<Vec<f64>> =
        cloud.rows().enumerate().map(|(row, at)| [&[at[0] + shift(row)], &at[1..]].concat()).collect();
    let x = Points::from_rows(&rows).unwrap();
    let y = Points::from_rows(&rows.iter().map(|row| [row[0], row[1]]).collect::<Vec<_>>()).unwrap();
    (x, y)
}

#[test]
fn maps_in_random_order_have_no_skill_and_good_ones_have() {
    const SEEDS: u64 = 12;
    let cloud = random(150, 3, 1);
    let flat = Points::from_rows(&cloud.rows().map(|row| [row[0], row[1]]).collect::<Vec<_>>()).unwrap();
    let sheet = grid(12);
    for (x, y) in [(cloud, flat), (sheet.clone(), sheet), two_balls(150)] {
        let neighborhoods = Neighborhoods::nearest(&x, 8, &Run::new()).unwrap();
        // Distortion has no chance to compare with.
        for name in GLOBAL.into_iter().filter(|name| *name != "distortion") {
            let better = find(name).unwrap().info().better;
            let skill = |y: &Points, seed: u64| {
                let run = Run::new().with_seed(seed);
                score(name, &x, y, &neighborhoods, Options { steps: 3, ..Options::default() }, &run)
                    .skill(better)
                    .unwrap()
            };
            let own = skill(&y, 0);
            let shuffled = |seed: u64| {
                let mut rows: Vec<u32> = (0..x.len() as u32).collect();
                rows.shuffle(&mut rand_chacha::ChaCha8Rng::seed_from_u64(1000 + seed));
                skill(&y.select(&rows), seed)
            };
            let skills: Vec<f64> = (0..SEEDS).map(shuffled).collect();
            let average = mean(&skills);
            let squares: f64 = skills.iter().map(|skill| (skill - average).powi(2)).sum();
            let error = (squares / ((SEEDS - 1) * SEEDS) as f64).sqrt();
            assert!(average.abs() < 3.0 * error, "{name}: {average} +- {error}");
            assert!(error < 0.02 && own > 0.3, "{name}: {error} {own}");
        }
    }
}

#[test]
fn chance_is_seeded_and_drawn_values_have_an_error() {
    let (x, y) = (random(120, 3, 1), random(120, 2, 2));
    let neighborhoods = Neighborhoods::nearest(&x, 6, &Run::new()).unwrap();
    for name in ["collapse", "residual_variance", "stress"] {
        let chance = |seed: u64| {
            let run = Run::new().with_seed(seed);
            score(name, &x, &y, &neighborhoods, Options::default(), &run).chance.unwrap()
        };
        assert_eq!(chance(3), chance(3));
        assert!(chance(3) != chance(4) && chance(3).error.is_some_and(|error| error > 0.0), "{name}");
    }
}
