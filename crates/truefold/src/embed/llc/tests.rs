//! Automatic alignment of local models.

use super::*;
use crate::data::Input;
use crate::dataset::{self, Request};
use crate::embed::{Embedder, fit};
use crate::{Distances, Neighborhoods, Pieces, Points, Run, measure};

fn sample(name: &str, points: usize) -> Points {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap().points
}

fn r_a(method: &Llc, x: &Points, k: usize, dim: usize) -> f64 {
    let neighborhoods = Neighborhoods::nearest(x, k, &Run::new()).unwrap();
    let embedding = fit(method, &Problem::new(x, &neighborhoods, dim).unwrap(), Pieces::Error, &Run::new()).unwrap();
    measure::evaluate(x, &embedding.points, &neighborhoods, &["r_a"]).unwrap()[0].value
}

#[test]
fn the_curve_is_laid_flat() {
    let found = r_a(&Llc::default(), &sample("s-curve", 1200), 12, 2);
    assert!(found < 0.05, "{found}");
}

#[test]
fn a_flat_patch_is_an_affine_image_of_itself() {
    let truth = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(500)).unwrap().truth;
    let rows: Vec<[f64; 3]> = truth.rows().map(|p| [0.6 * p[0], 0.8 * p[0], p[1]]).collect();
    // Any affine map of the patch is among those that the models can make, and LLE's weights hardly ask for another.
    let found = r_a(&Llc { reg: 1e-9, ..Llc::default() }, &Points::from_rows(&rows).unwrap(), 8, 2);
    assert!(found < 1e-3, "{found}");
}

#[test]
fn coordinates_have_mean_zero_and_variance_one() {
    let curve = sample("s-curve", 400);
    let neighborhoods = Neighborhoods::nearest(&curve, 10, &Run::new()).unwrap();
    let problem = Problem::new(&curve, &neighborhoods, 2).unwrap();
    let run = Run::new();
    let values = Recipe::embed(&Llc::default(), &problem, &mut Fit::new(&run)).unwrap();
    let mean = |of: &dyn Fn(&[f64]) -> f64| values.chunks_exact(2).map(of).sum::<f64>() / 400.0;
    assert!(mean(&|y| y[0]).abs() < 1e-8 && mean(&|y| y[1]).abs() < 1e-8);
    assert!((mean(&|y| y[0] * y[0]) - 1.0).abs() < 1e-8 && (mean(&|y| y[1] * y[1]) - 1.0).abs() < 1e-8);
    assert!(mean(&|y| y[0] * y[1]).abs() < 1e-8);
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
        fit(&Llc::default(), &problem, Pieces::Error, &run).unwrap().points
    };
    let one = on(Input::Points(&curve), 1);
    assert!(one == on(Input::Points(&curve), 2) && one == on(Input::Points(&curve), 8));
    let other = on(Input::Distances(&all), 1);
    for (a, b) in one.values().iter().zip(other.values()) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

#[test]
fn parameters_out_of_range_and_equal_points_are_refused() {
    let curve = sample("s-curve", 30);
    let neighborhoods = Neighborhoods::nearest(&curve, 6, &Run::new()).unwrap();
    let problem = Problem::new(&curve, &neighborhoods, 2).unwrap();
    for method in [
        Llc { models: Some(0), ..Llc::default() },
        Llc { models: Some(31), ..Llc::default() },
        Llc { reg: 0.0, ..Llc::default() },
        Llc { reg: f64::INFINITY, ..Llc::default() },
    ] {
        let checked = Embedder::check_parameters(&method, 2).and_then(|()| Recipe::check(&method, &problem));
        assert!(matches!(checked, Err(Error::Parameter { .. })), "{method:?}");
    }
    let equal = Points::from_rows(&[[1.0, 2.0]; 40]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&equal, 5, &Run::new()).unwrap();
    let problem = Problem::new(&equal, &neighborhoods, 2).unwrap();
    assert!(fit(&Llc::default(), &problem, Pieces::SideBySide, &Run::new()).is_err());
}
