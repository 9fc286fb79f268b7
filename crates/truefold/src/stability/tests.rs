use super::*;
use crate::local::procrustes;
use crate::measure::{Evaluation, Options, find};
use crate::memory::tests::asks_for;
use crate::{Points, dataset};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A swiss roll, its true map, and its neighborhoods of 10.
fn roll(count: usize) -> (Points, Points, Neighborhoods) {
    let roll = dataset::find("swiss-roll").unwrap().sample(&dataset::Request::new().with_points(count)).unwrap();
    let neighborhoods = Neighborhoods::nearest(&roll.points, 10, &Run::new()).unwrap();
    (roll.points, roll.truth, neighborhoods)
}

fn changed(points: &Points, change: impl FnMut(&[f64]) -> Vec<f64>) -> Points {
    Points::new(points.len(), points.dim(), points.rows().flat_map(change).collect()).unwrap()
}

/// A turned, mirrored and larger copy.
fn similar(points: &Points, scale: f64) -> Points {
    changed(points, |row| vec![5.0 - scale * (0.6 * row[0] + 0.8 * row[1]), scale * (0.6 * row[1] - 0.8 * row[0])])
}

/// The rows of a map in another order, but for those that `keep` names.
fn shuffled(points: &Points, seed: u64, keep: impl Fn(usize) -> bool) -> Points {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let moved: Vec<u32> = (0..points.len() as u32).filter(|&row| !keep(row as usize)).collect();
    let (mut order, mut rows) = (moved.clone(), (0..points.len() as u32).collect::<Vec<_>>());
    order.shuffle(&mut random);
    moved.iter().zip(order).for_each(|(&to, from)| rows[to as usize] = from);
    points.select(&rows)
}

fn noisy(points: &Points, seed: u64, size: f64) -> Points {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    changed(points, |row| row.iter().map(|value| value + size * (random.random::<f64>() - 0.5)).collect())
}

fn run(x: &Points, neighborhoods: &Neighborhoods, maps: &[&Points]) -> Agreement {
    let maps: Vec<Map<'_>> = maps.iter().map(|points| Map::new(points)).collect();
    Stability::default().run(Input::Points(x), neighborhoods, &maps, &Run::new()).unwrap()
}

#[test]
fn similar_maps_agree_in_everything() {
    let (x, z, neighborhoods) = roll(500);
    let (a, b) = (similar(&z, 3.0), similar(&z, 1e-6));
    let found = run(&x, &neighborhoods, &[&z, &a, &b]);
    assert!(found.shape.per_point.iter().all(|&value| value < 1e-12));
    assert_eq!((found.neighbors.value, found.neighbors.skill, found.pairs), (0.0, Some(1.0), 3));
    assert!(found.shape.skill.is_some_and(|skill| skill > 1.0 - 1e-12));
    assert_eq!(found.count(Kind::Faithful), 500);
    // All maps wrong in the same way: they agree, and on a distortion.
    let wrong = shuffled(&z, 4, |_| false);
    let found = run(&x, &neighborhoods, &[&wrong, &similar(&wrong, 2.0)]);
    assert!(found.shape.value < 1e-12);
    assert_eq!(found.count(Kind::Wrong) + found.count(Kind::Faithful), 500);
    assert!(found.count(Kind::Wrong) > 495, "{}", found.count(Kind::Wrong));
}

#[test]
fn the_values_are_those_of_the_definitions() {
    let (x, z, neighborhoods) = roll(300);
    let (a, b) = (noisy(&z, 1, 6.0), noisy(&z, 2, 6.0));
    let found = run(&x, &neighborhoods, &[&a, &b]);
    let ([na, nb], members) =
        ([&a, &b].map(|map| Neighborhoods::nearest(map, 10, &Run::new()).unwrap()), |at| neighborhoods.members(at));
    for point in 0..300 {
        let [one, other] = [&a, &b].map(|map| map.select(members(point)));
        let mean = |column: usize| one.rows().map(|row| row[column]).sum::<f64>() / 11.0;
        let extent: f64 = one.rows().map(|row| (row[0] - mean(0)).powi(2) + (row[1] - mean(1)).powi(2)).sum();
        let exact = procrustes(&one, &other).unwrap().conformal_residual / extent;
        assert!((found.shape.per_point[point] - exact).abs() < 1e-12);
        let lost = na.neighbors(point).iter().filter(|row| !nb.neighbors(point).contains(row)).count();
        assert_eq!(found.neighbors.per_point[point], lost as f64 / 10.0);
    }
    assert!((found.neighbors.chance - (1.0 - 10.0 / 299.0)).abs() < 1e-12 && found.neighbors.chance_error == 0.0);
    let scores = [&a, &b].map(|map| {
        let run = Run::new();
        let evaluation = Evaluation::new(Input::Points(&x), map, &neighborhoods, Options::default(), &run).unwrap();
        find("r_c").unwrap().score(&evaluation).unwrap()
    });
    assert!((found.distortion.value - (scores[0].value + scores[1].value) / 2.0).abs() < 1e-12);
    assert!((found.distortion.best - scores[0].lower_bound.unwrap()).abs() < 1e-12);
}

#[test]
fn chance_in_one_dimension_is_known() {
    // For one coordinate the residual is 1 - correlation^2, and permuted positions have a mean of 1 - 1 / (m - 1).
    let (x, z, neighborhoods) = roll(800);
    let one = Points::new(800, 1, z.rows().map(|row| row[0]).collect()).unwrap();
    let other = Points::new(800, 1, z.rows().map(|row| row[1]).collect()).unwrap();
    let found = run(&x, &neighborhoods, &[&one, &other]);
    assert!((found.shape.chance - 0.9).abs() < 1e-12 && found.shape.chance_error < 1e-12);
    // Maps of different dimensions can be compared: this one has a part in common.
    let found = run(&x, &neighborhoods, &[&one, &z]);
    assert!((0.1..0.9).contains(&found.shape.value) && found.shape.skill.is_some_and(|skill| skill > 0.1));
}

#[test]
fn unrelated_maps_are_at_chance() {
    let (x, z, neighborhoods) = roll(1000);
    for seed in 0..5 {
        let maps: Vec<Points> = (0..3).map(|map| shuffled(&z, 10 * seed + map, |_| false)).collect();
        let found = run(&x, &neighborhoods, &maps.iter().collect::<Vec<_>>());
        for standing in [&found.shape, &found.neighbors, &found.distortion] {
            let (skill, error) = (standing.skill.unwrap(), standing.skill_error.unwrap());
            assert!(skill.abs() < 3.0 * error && error < 0.05, "{skill} {error}");
        }
        assert_eq!(found.count(Kind::Unstable), 1000);
    }
}

#[test]
fn a_scrambled_region_is_unstable_and_the_rest_is_not() {
    let (x, z, neighborhoods) = roll(1500);
    let middle = z.rows().map(|row| row[0]).sum::<f64>() / 1500.0;
    let is_kept = |row: usize| z.row(row)[0] < middle;
    let maps: Vec<Points> = (0..4).map(|seed| noisy(&shuffled(&z, seed, is_kept), seed, 0.02)).collect();
    let found = run(&x, &neighborhoods, &maps.iter().collect::<Vec<_>>());
    let all = |point: usize, is: bool| neighborhoods.members(point).iter().all(|&row| is_kept(row as usize) == is);
    for point in 0..1500 {
        if all(point, true) {
            assert_eq!(found.kinds[point], Kind::Faithful);
        } else if all(point, false) {
            assert_eq!(found.kinds[point], Kind::Unstable);
        }
    }
    assert!(found.worst(50).iter().all(|&(row, _)| !is_kept(row)));
}

#[test]
fn maps_of_some_rows_are_compared_on_what_they_share() {
    let (x, z, neighborhoods) = roll(600);
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let rows: Vec<Vec<u32>> = (0..3)
        .map(|_| {
            let mut rows: Vec<u32> = (0..600).collect();
            rows.shuffle(&mut random);
            rows.truncate(450);
            rows
        })
        .collect();
    let parts: Vec<Points> =
        rows.iter().enumerate().map(|(at, rows)| similar(&z.select(rows), 1.0 + at as f64)).collect();
    let maps: Vec<Map<'_>> = parts.iter().zip(&rows).map(|(points, rows)| Map::new(points).with_rows(rows)).collect();
    let found = Stability::default().run(Input::Points(&x), &neighborhoods, &maps, &Run::new()).unwrap();
    let is_in = |at: usize, point: usize| rows[at].contains(&(point as u32));
    for point in 0..600 {
        let twice = (0..3).filter(|&at| is_in(at, point)).count() >= 2;
        assert!(twice || found.shape.per_point[point].is_nan());
        assert_eq!(found.neighbors.per_point[point].is_nan(), !twice);
        assert!(found.shape.per_point[point].is_nan() || found.shape.per_point[point] < 1e-12);
    }
    assert_eq!(found.neighbors.value, 0.0);
    assert!(found.shape.left_out > 0 && found.count(Kind::Unknown) > 0 && found.count(Kind::Unstable) == 0);
}

#[test]
fn threads_and_seeds() {
    let (x, z, neighborhoods) = roll(700);
    let (a, b) = (noisy(&z, 1, 6.0), noisy(&z, 2, 6.0));
    let with = |threads: usize, seed: u64| {
        let run = Run::new().with_seed(seed).with_threads(threads).unwrap();
        Stability::default().run(Input::Points(&x), &neighborhoods, &[Map::new(&a), Map::new(&b)], &run).unwrap()
    };
    let one = with(1, 3);
    assert_eq!(one, with(3, 3));
    let other = with(2, 4);
    assert!(one.shape.per_point == other.shape.per_point && one.shape.chance != other.shape.chance);
}

#[test]
fn pairs_grow_with_the_maps_and_are_all_for_few() {
    assert_eq!(pairs(2), [(0, 1)]);
    for count in 2..=9 {
        assert_eq!(pairs(count).len(), count * (count - 1) / 2);
    }
    assert_eq!((pairs(10).len(), pairs(100).len()), (40, 400));
    assert!((0..100).all(|map| pairs(100).iter().filter(|pair| pair.0 == map || pair.1 == map).count() == 8));
}

#[test]
fn duplicates_lines_and_distances_are_judged() {
    let rows: Vec<[f64; 2]> = (0..60).map(|at| [f64::from(at / 20), 0.0]).collect();
    let x = Points::from_rows(&rows).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 5, &Run::new()).unwrap();
    let found = run(&x, &neighborhoods, &[&x, &x]);
    assert_eq!(found.count(Kind::Unknown), 60);
    assert_eq!((found.shape.value, found.shape.skill, found.distortion.left_out), (0.0, None, 60));
    let (x, z, neighborhoods) = roll(80);
    let table = (0..6400).map(|at| Input::Points(&x).distance(at / 80, at % 80)).collect();
    let distances = crate::Distances::dense(80, table).unwrap();
    let (a, b) = (noisy(&z, 1, 6.0), noisy(&z, 2, 6.0));
    let [by_points, by_distances] = [Input::Points(&x), Input::Distances(&distances)].map(|input| {
        Stability::default().run(input, &neighborhoods, &[Map::new(&a), Map::new(&b)], &Run::new()).unwrap()
    });
    assert_eq!(by_points.shape, by_distances.shape);
    assert!((by_points.distortion.value - by_distances.distortion.value).abs() < 1e-9);
}

#[test]
fn what_cannot_be_compared_is_told() {
    let (x, z, neighborhoods) = roll(50);
    let part = z.select(&[0, 1, 2]);
    let told = |level: f64, maps: &[Map<'_>]| {
        Stability { level }.run(Input::Points(&x), &neighborhoods, maps, &Run::new()).unwrap_err().to_string()
    };
    let whole = Map::new(&z);
    assert_eq!(told(0.5, &[whole]), "maps = 1 is less than 2: agreement needs two maps; give more maps of X");
    assert!(told(0.5, &[whole, Map::new(&part)]).starts_with("Y2 has 3 rows for 50 points; row i of every map"));
    assert!(told(0.5, &[whole, Map::new(&part).with_rows(&[1, 2, 50])]).starts_with("Y2 names row 50 which X"));
    assert!(told(0.5, &[whole, Map::new(&part).with_rows(&[1, 2, 1])]).starts_with("Y2 names row 1 twice"));
    assert!(told(1.0, &[whole, whole]).starts_with("level = 1 is not"));
    let wide = Points::new(50, 4, vec![0.0; 200]).unwrap();
    assert!(told(0.5, &[Map::new(&wide), whole]).starts_with("Y1 has 4 dimensions, but X has only 3"));
}

#[test]
fn what_a_comparison_of_maps_holds_is_compared_with_the_memory_that_is_there() {
    let (x, truth, neighborhoods) = roll(200);
    let rows: Vec<u32> = (0..200).collect();
    let maps = [Map::new(&truth), Map::new(&truth), Map::new(&truth).with_rows(&rows)];
    // Three tallies of five numbers at each point, and eleven members of the lists of two maps of all.
    let run = || Stability::default().run(Input::Points(&x), &neighborhoods, &maps, &Run::new());
    asks_for(200 * (3 * 5 * 8 + 2 * 11 * 4), run);
}
