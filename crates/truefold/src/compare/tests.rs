//! A comparison against what its parts give one by one.

use super::{Nested, Plan};
use crate::data::Input;
use crate::dataset::{self, Request};
use crate::embed::Mds;
use crate::embed::Method;
use crate::measure::{self, Evaluation, Options};
use crate::{Distances, Error, Neighborhoods, Points, Problem, Run, Search};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn points(name: &str, count: usize) -> Points {
    dataset::find(name).unwrap().sample(&Request::new().with_points(count)).unwrap().points
}

fn methods(names: &[&str]) -> Vec<Method> {
    names.iter().map(|name| Method::new(name, &[]).unwrap()).collect()
}

#[test]
fn every_row_is_what_the_method_gives_alone() {
    let (run, curve) = (Run::new().with_seed(3), points("s-curve", 300));
    let plan = Plan::new(methods(&["psa", "lle", "isomap"]), 2).unwrap();
    let nested = Nested::nearest(&curve, &[10, 7], &run).unwrap();
    let comparison = plan.run(Input::Points(&curve), &nested, &run).unwrap();
    let order: Vec<_> = comparison.rows.iter().map(|row| (row.method.as_str(), row.k.unwrap())).collect();
    assert_eq!(order, [("psa", 10), ("psa", 7), ("lle", 10), ("lle", 7), ("isomap", 10), ("isomap", 7)]);
    for row in &comparison.rows {
        let neighborhoods = Neighborhoods::nearest(&curve, row.k.unwrap(), &run).unwrap();
        let problem = Problem::new(&curve, &neighborhoods, 2).unwrap();
        let alone = Method::new(&row.method, &[]).unwrap().fit(&problem, &run).unwrap();
        let trial = row.trial().unwrap();
        assert_eq!(trial.points.as_ref(), Some(&alone.points), "{}", row.method);
        assert_eq!(trial.info.parameters, row.parameters);
        let evaluation =
            Evaluation::new(Input::Points(&curve), &alone.points, &neighborhoods, Options::default(), &run).unwrap();
        for scored in &trial.judgment.scores {
            let score = measure::find(scored.info.name).unwrap().score(&evaluation).unwrap();
            assert_eq!((scored.score.value, scored.score.lower_bound), (score.value, score.lower_bound));
            assert_eq!(scored.score.per_point.is_some(), scored.info.name != "collapse");
        }
        assert_eq!(trial.times_bound("r_n").unwrap(), {
            let score = trial.score("r_n").unwrap();
            score.value / score.lower_bound.unwrap()
        });
    }
}

#[test]
fn a_torn_map_is_compared_by_what_is_left() {
    let (run, roll) = (Run::new(), points("swiss-roll", 400));
    let plan = Plan::new(methods(&["psa", "pca"]), 2).unwrap();
    let comparison = plan.run(Input::Points(&roll), &Nested::nearest(&roll, &[12], &run).unwrap(), &run).unwrap();
    let [torn, whole] = &comparison.rows[..] else { panic!() };
    let value = |score: Option<&measure::Score>| score.unwrap().value;
    let [psa, pca] = [torn, whole].map(|row| &row.trial().unwrap().judgment);
    assert_eq!(psa.compared("r_n"), psa.rest.as_ref().unwrap().scores.get("r_n"));
    assert_eq!((psa.compared("overlap"), pca.compared("r_n")), (psa.scores.get("overlap"), pca.scores.get("r_n")));
    let (whole_psa, whole_pca) = (value(psa.scores.get("r_n")), value(pca.scores.get("r_n")));
    assert!(value(psa.compared("r_n")) < whole_pca && whole_pca < whole_psa);
    assert!(comparison.is_best(torn, "r_n") && !comparison.is_best(whole, "r_n"));
}

#[test]
fn a_method_that_fails_is_a_row_that_says_why() {
    let (run, roll) = (Run::new(), points("swiss-roll", 200));
    // Hessian eigenmaps need k > d + d(d + 1)/2 = 5.
    let plan = Plan::new(methods(&["hessian-eigenmaps", "pca"]), 2).unwrap().with_embeddings(false);
    let comparison = plan.run(Input::Points(&roll), &Nested::nearest(&roll, &[4, 12], &run).unwrap(), &run).unwrap();
    let [failed, worked, pca, _] = &comparison.rows[..] else { panic!() };
    assert!(failed.outcome.as_ref().unwrap_err().to_string().contains("k = 4"), "{:?}", failed.outcome);
    assert!(worked.trial().unwrap().points.is_none());
    assert!(worked.trial().unwrap().judgment.scores.iter().all(|scored| scored.score.per_point.is_none()));
    assert!(comparison.is_best(pca, "r_n") && !comparison.is_best(failed, "r_n"));
}

#[test]
fn the_best_of_each_k_is_marked_by_the_direction_of_the_measure() {
    // A flat patch: pca is perfect, and so is its copy; lle is not, in scale at least.
    let (run, plane) = (Run::new(), points("plane", 300));
    let all = [methods(&["pca", "lle"]), vec![Method::of(Mds::default()).with_label("copy")]].concat();
    let plan = Plan::new(all, 2).unwrap().with_measures(&["r_n", "overlap"]).unwrap();
    let comparison = plan.run(Input::Points(&plane), &Nested::nearest(&plane, &[8, 12], &run).unwrap(), &run).unwrap();
    for row in &comparison.rows {
        let best = row.method != "lle";
        assert_eq!(comparison.is_best(row, "overlap"), best, "{}", row.method);
        assert!(comparison.is_best(row, "r_n") || row.trial().unwrap().score("r_n").unwrap().value > 0.0);
        assert!(!comparison.is_best(row, "r_c"), "r_c was not taken");
    }
    let value = |at: usize| comparison.rows[at].trial().unwrap().score("r_n").unwrap().value;
    assert!(value(0) < 1e-12 && value(2) > 0.1);
    assert_eq!((comparison.rows[0].telling(), comparison.rows[2].telling()), ("r_n", "r_c"));
}

#[test]
fn what_is_left_of_two_pieces_is_measured_on_its_own_points() {
    let (run, pieces) = (Run::new(), points("two-pieces", 400));
    let largest = |name: &str| Method::new(name, &[("components".into(), "largest".into())]).unwrap();
    let plan = Plan::new(vec![largest("psa"), Method::new("psa", &[]).unwrap().with_label("both")], 2).unwrap();
    let comparison = plan.run(Input::Points(&pieces), &Nested::nearest(&pieces, &[8], &run).unwrap(), &run).unwrap();
    let (part, whole) = (comparison.rows[0].trial().unwrap(), comparison.rows[1].trial().unwrap());
    assert_eq!(comparison.columns[0].components, 2);
    let rows = part.judgment.rows.as_ref().unwrap();
    assert!(part.judgment.points < 400 && part.judgment.points == rows.len() && whole.judgment.points == 400);
    let per_point = |trial: &super::Trial| trial.score("r_n").unwrap().per_point.clone().unwrap();
    let (some, all) = (per_point(part), per_point(whole));
    assert!(rows.iter().zip(&some).all(|(&row, value)| (all[row as usize] - value).abs() < 1e-9));
    assert!(!comparison.is_best(&comparison.rows[0], "r_n") && comparison.is_best(&comparison.rows[1], "r_n"));
}

#[test]
fn given_lists_and_distances_make_one_column() {
    let (run, curve) = (Run::new(), points("s-curve", 200));
    let plan = Plan::new(methods(&["pca", "isomap"]), 2).unwrap();
    let within = Nested::one(Neighborhoods::within(&curve, 0.8, &run).unwrap());
    let comparison = plan.run(Input::Points(&curve), &within, &run).unwrap();
    assert_eq!((comparison.columns.len(), comparison.rows.len(), comparison.rows[0].k), (1, 2, None));
    assert!(comparison.columns[0].least_k < comparison.columns[0].largest_k);

    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let table = curve.rows().flat_map(|a| curve.rows().map(move |b| distance(a, b))).collect();
    let distances = Distances::dense(200, table).unwrap();
    let nested = Nested::cut(Search::nearest(12).run_on_distances(&distances, &run).unwrap(), &[8, 12]).unwrap();
    let comparison = plan.run(Input::Distances(&distances), &nested, &run).unwrap();
    assert!(comparison.rows[0].outcome.is_err() && comparison.rows[3].outcome.is_ok());
    assert!(Nested::cut(Neighborhoods::within(&curve, 0.8, &run).unwrap(), &[3]).is_err());
}

#[test]
fn threads_change_no_bit() {
    let curve = points("s-curve", 300);
    let plan = Plan::new(methods(&["gp", "ltsa"]), 2).unwrap();
    let values = |threads| {
        let run = Run::new().with_seed(1).with_threads(threads).unwrap();
        let nested = Nested::nearest(&curve, &[6, 9], &run).unwrap();
        let comparison = plan.run(Input::Points(&curve), &nested, &run).unwrap();
        let trials = comparison.rows.into_iter().map(|row| row.outcome.unwrap());
        trials.map(|trial| (trial.points.unwrap(), trial.judgment)).collect::<Vec<_>>()
    };
    // As text, in which values that are not numbers equal themselves.
    let text = |threads| format!("{:?}", values(threads));
    let one = text(1);
    assert!(one == text(2) && one == text(7));
}

#[test]
fn what_cannot_work_is_told_before_anything_runs() {
    let (run, roll) = (Run::new(), points("swiss-roll", 100));
    let nested = |ks: &[usize]| Nested::nearest(&roll, ks, &run);
    let said = |result: Result<Nested, Error>| result.unwrap_err().to_string();
    assert!(said(nested(&[])).starts_with("k = nothing"));
    assert!(said(nested(&[6, 0])).starts_with("k = 0"));
    assert!(said(nested(&[6, 9, 6])).starts_with("k = 6 is given twice"));
    assert!(said(nested(&[100])).starts_with("k = 100 is more than"));
    let plan = |dim| Plan::new(methods(&["pca"]), dim);
    assert!(plan(0).unwrap_err().to_string().starts_with("dim = 0"));
    let wide = plan(4).unwrap().run(Input::Points(&roll), &nested(&[6]).unwrap(), &run);
    assert!(wide.unwrap_err().to_string().starts_with("dim = 4"));
    let alone = plan(2).unwrap().with_options(Options { center: false, ..Options::default() });
    let error = alone.run(Input::Points(&roll), &nested(&[6, 1]).unwrap(), &run).unwrap_err();
    assert!(error.to_string().starts_with("k = 1 is less than 2: without its center"), "{error}");
    assert!(Plan::new(methods(&["pca", "pca"]), 2).unwrap_err().to_string().contains("'pca' is given twice"));
    assert!(plan(2).unwrap().with_measures(&["r_n", "r_n"]).is_err());
}

#[test]
fn cancellation_ends_the_whole() {
    let roll = points("swiss-roll", 300);
    let cancel = Arc::new(AtomicBool::new(false));
    let run = Run::new().with_cancel(Arc::clone(&cancel));
    let nested = Nested::nearest(&roll, &[8], &run).unwrap();
    cancel.store(true, Ordering::Relaxed);
    let plan = Plan::new(methods(&["pca", "isomap"]), 2).unwrap();
    assert_eq!(plan.run(Input::Points(&roll), &nested, &run).unwrap_err(), Error::Cancelled);
}

#[test]
fn rows_are_ranked_by_the_score_and_ties_by_r_n() {
    let (run, roll) = (Run::new(), points("swiss-roll", 800));
    let plan = Plan::new(methods(&["pca", "gp", "lle", "psa"]), 2).unwrap();
    let given = super::GivenMap::new("given", points("swiss-roll", 800));
    assert!(plan.clone().with_maps(vec![given]).is_err(), "three columns beside two");
    let comparison = plan.run(Input::Points(&roll), &Nested::nearest(&roll, &[12], &run).unwrap(), &run).unwrap();
    let ranked = comparison.ranked(0);
    let order: Vec<&str> = ranked.iter().map(|row| row.method.as_str()).collect();
    let score = |at: usize| (ranked[at].trial().unwrap().judgment.score().unwrap() * 1e3).round();
    assert_eq!(order[2..], ["lle", "pca"]);
    assert!(score(0) == score(1) && score(1) > score(2) && score(2) > score(3));
    let r_n = |at: usize| ranked[at].trial().unwrap().judgment.compared("r_n").unwrap().value;
    assert!(r_n(0) <= r_n(1));
    assert!(comparison.has_best_score(ranked[0]) && comparison.has_best_score(ranked[1]));
    assert!(!comparison.leads_with_neighbors(0));
}
