//! Conformal eigenmaps.

use super::*;
use crate::data::Input;
use crate::dataset::{self, Request};
use crate::embed::{Embedder, fit};
use crate::{Distances, Neighborhoods, Pieces, Points, Run, measure};

fn sample(name: &str, points: usize) -> Points {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap().points
}

fn scores(method: &ConformalEigenmaps, x: &Points, k: usize) -> (f64, f64) {
    let neighborhoods = Neighborhoods::nearest(x, k, &Run::new()).unwrap();
    let embedding = fit(method, &Problem::new(x, &neighborhoods, 2).unwrap(), Pieces::Error, &Run::new()).unwrap();
    let found = measure::evaluate(x, &embedding.points, &neighborhoods, &["r_c", "r_n"]).unwrap();
    (found[0].value, found[1].value)
}

#[test]
fn shapes_are_kept_where_lle_alone_bends_them() {
    let roll = sample("swiss-roll", 900);
    for base in [Base::Lle, Base::Ltsa] {
        let (r_c, _) = scores(&ConformalEigenmaps { base, ..Default::default() }, &roll, 10);
        assert!(r_c < 0.01, "{base:?}: {r_c}");
    }
    // Two eigenvectors can only be mixed into another plane; more undo the bend that LLE's weights make.
    let (r_c, _) = scores(&ConformalEigenmaps { eigenvectors: 2, ..Default::default() }, &roll, 10);
    assert!(r_c > 0.02, "{r_c}");
}

#[test]
fn a_flat_patch_is_found_to_scale() {
    let truth = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(400)).unwrap().truth;
    let (r_c, r_n) = scores(&ConformalEigenmaps { base: Base::Ltsa, ..Default::default() }, &truth, 9);
    assert!(r_c < 1e-6 && r_n < 1e-4, "{r_c} {r_n}");
}

#[test]
fn distances_are_enough_and_threads_do_not_show() {
    let curve = sample("s-curve", 300);
    let n = curve.len();
    let table = (0..n * n).map(|at| Input::Points(&curve).distance(at / n, at % n)).collect();
    let all = Distances::dense(n, table).unwrap();
    let neighborhoods = Neighborhoods::nearest(&curve, 9, &Run::new()).unwrap();
    let on = |input, threads| {
        let run = Run::new().with_threads(threads).unwrap();
        let problem = Problem::with_input(input, &neighborhoods, 2).unwrap();
        fit(&ConformalEigenmaps::default(), &problem, Pieces::Error, &run).unwrap().points
    };
    let one = on(Input::Points(&curve), 1);
    assert!(one == on(Input::Points(&curve), 2) && one == on(Input::Points(&curve), 8));
    let other = on(Input::Distances(&all), 1);
    let size = one.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    for (a, b) in one.values().iter().zip(other.values()) {
        assert!((a - b).abs() < 1e-4 * size, "{a} {b}");
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let curve = sample("s-curve", 30);
    let neighborhoods = Neighborhoods::nearest(&curve, 6, &Run::new()).unwrap();
    let problem = Problem::new(&curve, &neighborhoods, 2).unwrap();
    let usual = ConformalEigenmaps::default();
    for method in [
        ConformalEigenmaps { eigenvectors: 1, ..usual.clone() },
        ConformalEigenmaps { eigenvectors: 31, ..usual.clone() },
        ConformalEigenmaps { reg: 0.0, ..usual.clone() },
        ConformalEigenmaps { reg: f64::NAN, ..usual.clone() },
    ] {
        let checked = Embedder::check_parameters(&method, 2).and_then(|()| Recipe::check(&method, &problem));
        assert!(matches!(checked, Err(Error::Parameter { .. })), "{method:?}");
    }
    let equal = Points::from_rows(&[[1.0, 2.0]; 20]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&equal, 5, &Run::new()).unwrap();
    let problem = Problem::new(&equal, &neighborhoods, 2).unwrap();
    assert!(fit(&usual, &problem, Pieces::SideBySide, &Run::new()).is_err());
}
