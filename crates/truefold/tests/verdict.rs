//! Verdicts: planted faults are found, true maps are faithful, unrelated maps are chance, and surfaces keep their order.

mod beside;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truefold::dataset::{self, Request};
use truefold::{Class, Judge, Judgment, Method, Neighborhoods, Points, Run, Verdict};

const K: usize = 12;

fn judged(x: &Points, y: &Points) -> Judgment {
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(x, K, &run).unwrap();
    Judge::of_points(x, &neighborhoods).judge(y, &run).unwrap()
}

fn verdict(x: &Points, y: &Points) -> Verdict {
    judged(x, y).verdict.unwrap()
}

fn classes(verdict: &Verdict) -> &[Class] {
    &verdict.points.as_ref().unwrap().classes
}

fn sampled(name: &str, points: usize, seed: u64) -> dataset::Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points).with_seed(seed)).unwrap()
}

fn rows_of(points: &Points, order: &[usize]) -> Points {
    let values = order.iter().flat_map(|&row| points.row(row).to_vec()).collect();
    Points::new(points.len(), points.dim(), values).unwrap()
}

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    // The sum of twelve uniform numbers is close enough to a normal one.
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// Six clusters in the plane, far apart, as points in five dimensions: X, Y and the cluster of each point.
fn clusters(each: usize, rng: &mut ChaCha8Rng) -> (Points, Points, Vec<usize>) {
    let (mut x, mut y, mut of) = (Vec::new(), Vec::new(), Vec::new());
    for cluster in 0..6 {
        for _ in 0..each {
            let [a, b] = [20.0 * (cluster % 3) as f64 + normal(rng), 20.0 * (cluster / 3) as f64 + normal(rng)];
            y.extend([a, b]);
            x.extend([0.6 * a, 0.8 * a, b, 0.01 * normal(rng), 0.01 * normal(rng)]);
            of.push(cluster);
        }
    }
    (Points::new(of.len(), 5, x).unwrap(), Points::new(of.len(), 2, y).unwrap(), of)
}

#[test]
fn true_maps_of_clean_surfaces_are_faithful() {
    for name in ["swiss-roll", "s-curve", "plane"] {
        let data = sampled(name, 1000, 3);
        let verdict = verdict(&data.points, &data.truth);
        assert!(verdict.counts.of_class(Class::Faithful) >= 990, "{name}: {:?}", verdict.counts);
        assert!(verdict.score > 0.98 && verdict.neighbors.kept > 0.9, "{name}: {}", verdict.score);
        assert!(verdict.neighbors.false_share < 0.01 && !verdict.leads_with_neighbors());
    }
}

#[test]
fn the_scale_and_the_place_of_a_map_change_no_verdict() {
    let data = sampled("swiss-roll", 600, 1);
    let values = data.truth.rows().flat_map(|row| [1e-3 * row[1] + 5.0, -1e-3 * row[0]]).collect();
    let moved = Points::new(600, 2, values).unwrap();
    let (a, b) = (judged(&data.points, &data.truth), judged(&data.points, &moved));
    assert_eq!((a.telling(), b.telling()), ("r_n", "r_c"));
    assert!((b.scale / a.scale / 1e3 - 1.0).abs() < 1e-6, "{} {}", a.scale, b.scale);
    let (a, b) = (a.verdict.unwrap(), b.verdict.unwrap());
    assert_eq!(classes(&a), classes(&b));
    assert!((a.score - b.score).abs() < 1e-3);
}

#[test]
fn unrelated_maps_are_chance() {
    for seed in 0..3 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (blobs, plane, _) = clusters(150, &mut rng);
        let cloud = Points::new(900, 8, (0..7200).map(|_| normal(&mut rng)).collect()).unwrap();
        for x in [sampled("swiss-roll", 900, seed).points, blobs, cloud] {
            let mut order: Vec<usize> = (0..900).collect();
            order.shuffle(&mut rng);
            let verdict = verdict(&x, &rows_of(&plane, &order));
            let told = 900 - verdict.counts.of_class(Class::Chance);
            assert!(told as f64 <= 900.0 * 0.05 + 2.0 * (900.0_f64 * 0.05 * 0.95).sqrt(), "{told}");
            assert!(verdict.score < 0.05 && verdict.forward.abs() < 0.05 && verdict.reverse.abs() < 0.05);
        }
    }
}

#[test]
fn the_seam_of_a_cut_cylinder_misses_neighbors() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let at: Vec<[f64; 2]> =
        (0..1500).map(|_| [std::f64::consts::TAU * rng.random::<f64>(), 2.0 * rng.random::<f64>()]).collect();
    let x: Vec<[f64; 3]> = at.iter().map(|&[angle, height]| [angle.cos(), angle.sin(), height]).collect();
    let (x, y) = (Points::from_rows(&x).unwrap(), Points::from_rows(&at).unwrap());
    let neighborhoods = Neighborhoods::nearest(&x, K, &Run::new()).unwrap();
    let verdict = verdict(&x, &y);
    let across = |row: usize| {
        let far = |&other: &u32| (at[row][0] - at[other as usize][0]).abs() > 3.0;
        neighborhoods.neighbors(row).iter().filter(|other| far(other)).count()
    };
    let mut planted = 0;
    for (row, &class) in classes(&verdict).iter().enumerate() {
        match across(row) {
            0 => assert_eq!(class, Class::Faithful, "row {row}"),
            lost if lost * 4 >= K => {
                planted += 1;
                assert_eq!(class, Class::NeighborsMissing, "row {row} lost {lost}");
            }
            _ => {}
        }
    }
    assert!(planted > 30);
}

#[test]
fn exchanged_rows_are_not_told_from_chance() {
    let data = sampled("swiss-roll", 1500, 2);
    let (from, to) = (20..520, 20);
    let mut order: Vec<usize> = (0..1500).collect();
    for row in from.step_by(to) {
        order.swap(row, row + 740);
    }
    let verdict = verdict(&data.points, &rows_of(&data.truth, &order));
    let is_moved = |row: usize| order[row] != row;
    let at = |class: Class, moved: bool| {
        classes(&verdict).iter().enumerate().filter(|(row, found)| **found == class && is_moved(*row) == moved).count()
    };
    let moved = (0..1500).filter(|&row| is_moved(row)).count();
    assert!(at(Class::Chance, true) as f64 >= 0.9 * moved as f64, "{} of {moved}", at(Class::Chance, true));
    assert_eq!(at(Class::Chance, false), 0);
    assert_eq!(at(Class::Faithful, true), 0);
}

#[test]
fn a_cluster_laid_onto_another_has_false_neighbors_and_a_scattered_one_is_chance() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (x, y, of) = clusters(200, &mut rng);
    let folded: Vec<f64> =
        (0..1200).flat_map(|row| [y.row(row)[0] - if of[row] == 1 { 20.0 } else { 0.0 }, y.row(row)[1]]).collect();
    let verdict_of_folded = verdict(&x, &Points::new(1200, 2, folded).unwrap());
    for (row, &class) in classes(&verdict_of_folded).iter().enumerate().filter(|(row, _)| of[*row] > 1) {
        assert_eq!(class, Class::Faithful, "row {row}");
    }
    let found = classes(&verdict_of_folded)[..400].iter().filter(|&&class| class == Class::FalseNeighbors).count();
    assert!(found >= 360, "{found} of 400");

    let scattered: Vec<f64> = (0..1200)
        .flat_map(|row| match of[row] {
            1 => [50.0 * rng.random::<f64>() - 5.0, 30.0 * rng.random::<f64>() - 5.0],
            _ => [y.row(row)[0], y.row(row)[1]],
        })
        .collect();
    let verdict = verdict(&x, &Points::new(1200, 2, scattered).unwrap());
    let planted = |row: usize| of[row] == 1;
    let faithful = (0..1200).filter(|&row| planted(row) && classes(&verdict)[row] == Class::Faithful).count();
    assert!(faithful <= 2, "{faithful} scattered points are said to be faithful");
    let wrong = (0..1200).filter(|&row| !planted(row) && classes(&verdict)[row] == Class::Chance).count();
    assert_eq!(wrong, 0);
}

#[test]
fn a_projection_that_lies_on_itself_is_worse_than_an_unrolled_map() {
    let roll = sampled("swiss-roll", 2000, 4).points;
    let neighborhoods = Neighborhoods::nearest(&roll, K, &Run::new()).unwrap();
    let score = |name: &str| {
        let made = Method::new(name, &[]).unwrap().embed(&roll, K, 2).unwrap();
        let judgment = Judge::of_points(&roll, &neighborhoods).judge_embedding(&made.embedding, &Run::new()).unwrap();
        (judgment.score().unwrap(), judgment.warnings.iter().any(|warning| warning.name() == "lies-on-itself"))
    };
    let (psa, isomap, pca) = (score("psa"), score("isomap"), score("pca"));
    assert!(psa.0 > isomap.0 && isomap.0 > pca.0, "{psa:?} {isomap:?} {pca:?}");
    assert_eq!([psa.1, isomap.1, pca.1], [false, false, true]);
}

#[test]
fn more_dimensions_than_the_map_are_told_and_small_neighborhoods_have_no_verdict() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let cloud = Points::new(500, 12, (0..6000).map(|_| normal(&mut rng)).collect()).unwrap();
    let plane = Points::new(500, 2, cloud.rows().flat_map(|row| [row[0], row[1]]).collect()).unwrap();
    let verdict = verdict(&cloud, &plane);
    assert!(verdict.leads_with_neighbors() && verdict.out_of_reach > 0.4, "{}", verdict.out_of_reach);
    let run = Run::new();
    let pairs = Neighborhoods::nearest(&cloud, 1, &run).unwrap();
    let judgment = Judge::of_points(&cloud, &pairs).judge(&plane, &run).unwrap();
    assert!(judgment.verdict.is_none() && judgment.score().is_none(), "two points have one shape");
}

#[test]
fn the_bits_do_not_depend_on_threads() {
    let data = sampled("swiss-roll", 700, 9);
    let neighborhoods = Neighborhoods::nearest(&data.points, K, &Run::new()).unwrap();
    let mut rough = data.truth.rows().map(|row| [row[0], row[1]]).collect::<Vec<_>>();
    rough.iter_mut().step_by(3).for_each(|row| row[0] += 3.0);
    let y = Points::from_rows(&rough).unwrap();
    let judge = Judge::of_points(&data.points, &neighborhoods);
    let judged = |threads: usize| judge.judge(&y, &Run::new().with_threads(threads).unwrap()).unwrap();
    let (one, four) = (judged(1), judged(4));
    let text = |judgment: &Judgment| format!("{:?}{:?}", judgment.verdict, judgment.scores);
    assert_eq!(text(&one), text(&four));
}

#[test]
fn faces_are_best_mapped_by_psa_among_some_methods() {
    let Some(path) = beside::shared("data/frey_faces.npy") else { return };
    let faces = truefold::io::read(&path, &truefold::io::ReadOptions::default()).unwrap();
    let score = |name: &str| Method::new(name, &[]).unwrap().embed(&faces, K, 3).unwrap().judgment.score().unwrap();
    let psa = score("psa");
    assert!(["pca", "isomap", "lle", "ltsa"].iter().all(|other| score(other) < psa), "{psa}");
}
