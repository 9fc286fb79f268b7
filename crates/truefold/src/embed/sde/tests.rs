//! Semidefinite embedding on surfaces that are flat, curved, closed, and given by distances.

use super::*;
use crate::data::Input;
use crate::dataset::{self, Request};
use crate::embed::{Embedder, fit};
use crate::{Distances, Embedding, Pieces, Points, measure};

fn sample(name: &str, points: usize) -> Points {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap().points
}

fn embedded(sde: &Sde, x: &Points, k: usize, dim: usize, run: &Run) -> (Embedding, f64) {
    let neighborhoods = Neighborhoods::nearest(x, k, run).unwrap();
    let embedding = fit(sde, &Problem::new(x, &neighborhoods, dim).unwrap(), Pieces::Error, run).unwrap();
    let score = measure::evaluate(x, &embedding.points, &neighborhoods, &["r_n"]).unwrap().remove(0);
    (embedding, score.value)
}

fn fact(embedding: &Embedding, name: &str) -> f64 {
    embedding.info.facts[name].as_f64().unwrap()
}

#[test]
fn the_roll_unrolls_to_scale_and_the_distances_are_kept() {
    // The paper's size, at the k that leaves the most freedom.
    let roll = sample("swiss-roll", 1600);
    let (embedding, r_n) = embedded(&Sde::default(), &roll, 6, 2, &Run::new());
    assert_eq!(embedding.info.stop, Stop::Converged);
    assert!(r_n <= 0.02, "{r_n}");
    assert!(fact(&embedding, "largest_violation") <= 1e-3);
    assert!(fact(&embedding, "variance_in_dim") > 0.99);
    // Distances that are violated by a thousandth may overshoot the bound by about as much.
    let gap = fact(&embedding, "gap");
    assert!(gap > -2e-3 && gap < 0.15, "{gap}");
    assert!(embedding.info.warnings.is_empty(), "{:?}", embedding.info.warnings);
    assert_eq!(embedding.info.traces.len(), 2);
}

#[test]
fn a_flat_patch_stays_as_it_is() {
    let truth = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(300)).unwrap().truth;
    let rows: Vec<[f64; 3]> = truth.rows().map(|p| [0.6 * p[0], 0.8 * p[0], p[1]]).collect();
    let patch = Points::from_rows(&rows).unwrap();
    let (embedding, r_n) = embedded(&Sde::default(), &patch, 8, 2, &Run::new());
    assert!(r_n < 1e-3, "{r_n}");
    let [before, after] = [&patch, &embedding.points]
        .map(|points| (points.row(3).iter().zip(points.row(200)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()).sqrt());
    assert!((before / after - 1.0).abs() < 0.01, "{before} {after}");
}

#[test]
fn a_closed_surface_is_told() {
    let (embedding, _) = embedded(&Sde::default(), &sample("cylinder", 300), 8, 2, &Run::new());
    assert!(embedding.info.warnings.iter().any(|warning| warning.name() == "variance-outside"));
    let (_, r_n) = embedded(&Sde::default(), &sample("cylinder", 300), 8, 3, &Run::new());
    assert!(r_n < 1e-2, "{r_n}");
}

#[test]
fn distances_are_enough() {
    let curve = sample("s-curve", 250);
    let n = curve.len();
    let distance = |a: usize, b: usize| Input::Points(&curve).distance(a, b);
    let all = Distances::dense(n, (0..n * n).map(|at| distance(at / n, at % n)).collect()).unwrap();
    let neighborhoods = Neighborhoods::nearest(&curve, 8, &Run::new()).unwrap();
    for sde in [Sde::default(), Sde { pairs: KeptPairs::CommonNeighbors, rounds: 12, ..Sde::default() }] {
        let of = |input| {
            fit(&sde, &Problem::with_input(input, &neighborhoods, 2).unwrap(), Pieces::Error, &Run::new())
                .unwrap()
                .points
        };
        assert_eq!(of(Input::Points(&curve)), of(Input::Distances(&all)));
    }
}

#[test]
fn pairs_are_counted_once() {
    let neighborhoods = Neighborhoods::from_lists(&[vec![1, 2], vec![0], vec![3], vec![2, 0]]).unwrap();
    assert_eq!(KeptPairs::Neighbors.of(&neighborhoods), [[0, 1], [0, 2], [0, 3], [2, 3]]);
    assert_eq!(KeptPairs::CommonNeighbors.of(&neighborhoods), [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]);
}

#[test]
fn threads_do_not_show() {
    let dome = sample("hemisphere", 200);
    let sde = Sde { rounds: 5, ..Sde::default() };
    let on = |threads| embedded(&sde, &dome, 6, 2, &Run::new().with_threads(threads).unwrap()).0.points;
    let one = on(1);
    assert!(one == on(2) && one == on(8));
}

#[test]
fn hard_input_gives_an_answer_or_an_error() {
    let mut rows: Vec<Vec<f64>> = sample("s-curve", 60).rows().map(<[f64]>::to_vec).collect();
    rows.extend(rows.clone());
    let twice = Points::from_rows(&rows).unwrap();
    let (embedding, _) = embedded(&Sde { rounds: 10, ..Sde::default() }, &twice, 12, 2, &Run::new());
    assert!(embedding.points.values().iter().all(|value| value.is_finite()));
    let huge: Vec<Vec<f64>> = rows[..60].iter().map(|row| row.iter().map(|value| value * 1e200).collect()).collect();
    let equal = vec![[1.0, 2.0]; 20];
    for points in [Points::from_rows(&huge).unwrap(), Points::from_rows(&equal).unwrap()] {
        let neighborhoods = Neighborhoods::nearest(&points, 5, &Run::new()).unwrap();
        let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
        assert!(matches!(fit(&Sde::default(), &problem, Pieces::SideBySide, &Run::new()), Err(Error::Data { .. })));
    }
    let two = Points::from_rows(&[[0.0, 0.0], [3.0, 4.0]]).unwrap();
    let (embedding, _) = embedded(&Sde::default(), &two, 1, 1, &Run::new());
    assert!(((embedding.points.row(0)[0] - embedding.points.row(1)[0]).abs() - 5.0).abs() < 0.01);
}

#[test]
fn parameters_out_of_range_are_refused() {
    for sde in [
        Sde { rank: Some(1), ..Sde::default() },
        Sde { tolerance: 0.0, ..Sde::default() },
        Sde { tolerance: f64::NAN, ..Sde::default() },
        Sde { rounds: 0, ..Sde::default() },
    ] {
        assert!(matches!(Embedder::check_parameters(&sde, 2), Err(Error::Parameter { .. })), "{sde:?}");
    }
}
