//! A sweep against what its parts give one by one.

use super::{Confidence, Plan};
use crate::data::Input;
use crate::dataset::{self, Request};
use crate::embed::Method;
use crate::measure;
use crate::{Error, Neighborhoods, Points, Problem, Run};

fn points(name: &str, count: usize) -> Points {
    dataset::find(name).unwrap().sample(&Request::new().with_points(count)).unwrap().points
}

fn swept(plan: &Plan, points: &Points, run: &Run) -> Result<super::Sweep, Error> {
    plan.run(Input::Points(points), &Neighborhoods::nearest(points, plan.largest_k(), run).unwrap(), run)
}

#[test]
fn every_cell_is_scored_on_its_own_lists_and_on_the_reference() {
    let (run, roll) = (Run::new(), points("swiss-roll", 400));
    let plan = Plan::new(Method::new("isomap", &[]).unwrap(), &[12, 8], &[1, 2]).unwrap().with_reference_k(15).unwrap();
    let sweep = swept(&plan, &roll, &run).unwrap();
    let order: Vec<_> = sweep.candidates.iter().map(|candidate| (candidate.dim, candidate.k)).collect();
    assert_eq!(order, [(1, 8), (1, 12), (2, 8), (2, 12)]);
    assert_eq!((sweep.reference_k, sweep.measure()), (15, "r_n"));
    for cell in &sweep.candidates {
        let lists = |k| Neighborhoods::nearest(&roll, k, &run).unwrap();
        let own = lists(cell.k);
        let problem = Problem::new(&roll, &own, cell.dim).unwrap();
        let alone = Method::new("isomap", &[]).unwrap().fit(&problem, &run).unwrap().points;
        let graded = cell.graded().unwrap();
        for name in ["r_n", "r_c"] {
            let value = |lists: &Neighborhoods| measure::evaluate(&roll, &alone, lists, &[name]).unwrap()[0].value;
            assert_eq!(graded.own.score(name).unwrap().value, value(&own));
            assert_eq!(graded.on_reference(name).unwrap().value, value(&lists(15)));
        }
    }
    // Coordinates are kept for the choice of each d, and for no other.
    for choice in &sweep.choices {
        for k in [8, 12] {
            let trial = &sweep.candidate(k, choice.dim).unwrap().graded().unwrap().own;
            assert_eq!(trial.points.is_some(), k == choice.k);
        }
    }
}

#[test]
fn the_roll_has_two_dimensions_and_the_bound_agrees_with_the_axes() {
    let (run, roll) = (Run::new(), points("swiss-roll", 800));
    let plan = Plan::new(Method::new("psa", &[]).unwrap(), &[6, 8, 10], &[1, 2]).unwrap();
    let sweep = swept(&plan, &roll, &run).unwrap();
    let dimension = sweep.dimension.unwrap();
    assert_eq!((dimension.dim, dimension.confidence), (2, Confidence::High));
    assert_eq!(sweep.recommended().unwrap().dim, 2);
    assert!((sweep.spectrum.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    for &dim in &sweep.dims {
        let left = 1.0 - sweep.spectrum[..dim].iter().sum::<f64>();
        let bound =
            sweep.candidate(10, dim).unwrap().graded().unwrap().on_reference("r_n").unwrap().lower_bound.unwrap();
        assert!((left - bound).abs() < 1e-9, "{dim}: {left} {bound}");
    }
}

#[test]
fn a_k_that_jumps_between_the_sheets_is_not_chosen() {
    // Isomap of a roll this thin unrolls for small k; paths of larger k jump to the next sheet.
    let (run, roll) = (Run::new(), points("swiss-roll", 500));
    let plan = Plan::new(Method::new("isomap", &[]).unwrap(), &[7, 9, 40], &[2]).unwrap().with_reference_k(9).unwrap();
    let sweep = swept(&plan, &roll, &run).unwrap();
    let choice = sweep.recommended().unwrap();
    assert!(choice.k < 40 && !choice.as_good.contains(&40), "{choice:?}");
    assert!(sweep.dimension.is_none());
}

#[test]
fn failures_are_cells_and_bad_plans_are_errors() {
    let (run, roll) = (Run::new(), points("swiss-roll", 200));
    let hessian = || Method::new("hessian-eigenmaps", &[]).unwrap();
    let sweep = swept(&Plan::new(hessian(), &[4, 10], &[2]).unwrap(), &roll, &run).unwrap();
    assert!(sweep.candidates[0].outcome.is_err() && sweep.candidates[1].outcome.is_ok());
    let choice = sweep.recommended().unwrap();
    assert_eq!((choice.k, choice.confidence), (10, Confidence::Low));
    let sweep = swept(&Plan::new(hessian(), &[4], &[2]).unwrap(), &roll, &run).unwrap();
    assert!(sweep.recommended().is_none() && sweep.choices.is_empty());

    let plan = |ks: &[usize], dims: &[usize]| Plan::new(hessian(), ks, dims);
    assert!(plan(&[], &[2]).is_err() && plan(&[5, 5], &[2]).is_err() && plan(&[5], &[0]).is_err());
    assert!(swept(&plan(&[8], &[2, 4]).unwrap(), &roll, &run).unwrap_err().to_string().starts_with("dim = 4"));
    let narrow = Neighborhoods::nearest(&roll, 5, &run).unwrap();
    assert!(plan(&[8], &[2]).unwrap().run(Input::Points(&roll), &narrow, &run).is_err());
}

#[test]
fn threads_change_no_bit() {
    let curve = points("s-curve", 300);
    let plan = Plan::new(Method::new("ltsa", &[]).unwrap(), &[8, 10], &[1, 2]).unwrap();
    let values = |threads| {
        let run = Run::new().with_threads(threads).unwrap();
        let sweep = swept(&plan, &curve, &run).unwrap();
        let scores: Vec<_> = sweep.candidates.into_iter().map(|cell| cell.outcome.unwrap().reference).collect();
        (scores, sweep.choices, sweep.spectrum)
    };
    let one = values(1);
    assert!(one == values(2) && one == values(7));
}
