//! What Procrustes subspaces alignment promises.

use super::{Alignment, Psa, Start};
use crate::dataset::{self, Request, Sample};
use crate::local::procrustes;
use crate::{Embedding, Error, Neighborhoods, Pieces, Points, Problem, Result, Run, fit, measure};

fn sample(name: &str, points: usize) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points).with_seed(1)).unwrap()
}

fn embed(psa: &Psa, points: &Points, k: usize, dim: usize, run: &Run) -> Result<Embedding> {
    let neighborhoods = Neighborhoods::nearest(points, k, run)?;
    fit(psa, &Problem::new(points, &neighborhoods, dim)?, Pieces::Error, run)
}

fn r_n(points: &Points, embedding: &Points, k: usize) -> (f64, f64) {
    let neighborhoods = Neighborhoods::nearest(points, k, &Run::new()).unwrap();
    let score = &measure::evaluate(points, embedding, &neighborhoods, &["r_n"]).unwrap()[0];
    (score.value, score.lower_bound.unwrap())
}

fn fact(embedding: &Embedding, name: &str) -> f64 {
    embedding.info.facts[name].as_f64().unwrap()
}

fn with(alignment: Alignment) -> Psa {
    Psa { alignment, ..Psa::default() }
}

#[test]
fn flat_surfaces_reach_the_bound() {
    for (name, k) in [("swiss-roll", 9), ("swiss-roll", 12), ("swiss-roll", 15), ("s-curve", 12)] {
        let sample = sample(name, 1600);
        for alignment in [Alignment::Synchronize, Alignment::Landmarks] {
            let embedding = embed(&with(alignment), &sample.points, k, 2, &Run::new()).unwrap();
            let (value, bound) = r_n(&sample.points, &embedding.points, k);
            assert!(value <= 1.02 * bound, "{name} {k} {alignment:?}: {value} {bound}");
            let error = procrustes(&sample.truth, &embedding.points).unwrap().residual;
            let extent = procrustes(&sample.truth, &Points::new(1600, 2, vec![0.0; 3200]).unwrap()).unwrap().residual;
            assert!(error <= 1e-4 * extent, "{name} {k} {alignment:?}: {error} {extent}");
        }
    }
}

#[test]
fn a_plane_is_returned_as_it_is() {
    let sample = sample("plane", 1500);
    for alignment in [Alignment::Synchronize, Alignment::Tree, Alignment::Landmarks] {
        let embedding = embed(&with(alignment), &sample.points, 10, 2, &Run::new()).unwrap();
        let (value, _) = r_n(&sample.points, &embedding.points, 10);
        assert!(value < 1e-10, "{alignment:?}: {value}");
        assert!(fact(&embedding, "f") < 1e-6);
    }
}

#[test]
fn annealing_comes_to_the_same_f_from_anywhere() {
    for (name, points) in [("swiss-roll", 1600), ("cylinder", 800)] {
        let sample = sample(name, points);
        let synchronized = fact(&embed(&Psa::default(), &sample.points, 12, 2, &Run::new()).unwrap(), "f");
        for start in [Start::Tree, Start::Random] {
            let psa = Psa { alignment: Alignment::Annealing, start, ..Psa::default() };
            let embedding = embed(&psa, &sample.points, 12, 2, &Run::new()).unwrap();
            let f = fact(&embedding, "f");
            assert!(f <= 1.05 * synchronized, "{name} {start:?}: {f} {synchronized}");
            let trace = &embedding.info.traces[0];
            assert_eq!(trace.objective, "f");
            let last = trace.values[trace.values.len() - 1];
            assert!(last <= trace.values[0] && (last - f).abs() < 1e-3 * f, "{last} {f}");
        }
    }
}

#[test]
fn annealing_is_never_worse_than_its_start_and_stops_in_time() {
    let sample = sample("hemisphere", 400);
    let tree = fact(&embed(&with(Alignment::Tree), &sample.points, 8, 2, &Run::new()).unwrap(), "f");
    let short = Psa { sweeps: 3, outer: 1, time_limit: Some(60.0), ..with(Alignment::Annealing) };
    assert!(fact(&embed(&short, &sample.points, 8, 2, &Run::new()).unwrap(), "f") <= tree * (1.0 + 1e-6));
    let none = Psa { time_limit: Some(1e-9), ..with(Alignment::Annealing) };
    let embedding = embed(&none, &sample.points, 8, 2, &Run::new()).unwrap();
    assert_eq!(embedding.info.stop, crate::Stop::Deadline);
    assert!((fact(&embedding, "f") - tree).abs() <= 1e-6 * tree);
}

#[test]
fn threads_do_not_change_a_bit() {
    let sample = sample("swiss-roll", 3000);
    for alignment in [Alignment::Synchronize, Alignment::Landmarks, Alignment::Annealing] {
        let psa = Psa { sweeps: 20, outer: 1, ..with(alignment) };
        let bits = |threads: usize| -> Vec<u64> {
            let run = Run::new().with_seed(3).with_threads(threads).unwrap();
            let embedding = embed(&psa, &sample.points, 10, 2, &run).unwrap();
            embedding.points.values().iter().map(|value| value.to_bits()).collect()
        };
        let one = bits(1);
        assert_eq!(one, bits(2), "{alignment:?}");
        assert_eq!(one, bits(8), "{alignment:?}");
    }
}

#[test]
fn a_moved_input_is_as_well_embedded() {
    let sample = sample("swiss-roll", 1000);
    let (c, s) = (0.6, 0.8);
    let rows: Vec<[f64; 3]> =
        sample.points.rows().map(|x| [c * x[0] - s * x[1] + 100.0, x[2] - 7.0, s * x[0] + c * x[1]]).collect();
    let moved = Points::from_rows(&rows).unwrap();
    let value = |points: &Points| {
        let embedding = embed(&Psa::default(), points, 10, 2, &Run::new()).unwrap();
        r_n(points, &embedding.points, 10).0
    };
    let (before, after) = (value(&sample.points), value(&moved));
    // Conjugate gradients stop at 1e-3 of the change of frames, wherever rounding leads them.
    assert!((before - after).abs() <= 1e-3 * before, "{before} {after}");
}

#[test]
fn large_inputs_are_renumbered_and_come_back_in_order() {
    let sample = sample("swiss-roll", crate::embed::renumbered::FROM);
    let embedding = embed(&with(Alignment::Landmarks), &sample.points, 10, 2, &Run::new()).unwrap();
    let (value, bound) = r_n(&sample.points, &embedding.points, 10);
    assert!(value <= 1.02 * bound, "{value} {bound}");
}

#[test]
fn noise_wants_tangents_from_more_points() {
    let request = Request::new().with_points(2500).with_seed(2).with_noise(0.5);
    let sample = dataset::find("swiss-roll").unwrap().sample(&request).unwrap();
    let error = |tangent_k| {
        let psa = Psa { tangent_k, ..Psa::default() };
        let embedding = embed(&psa, &sample.points, 12, 2, &Run::new()).unwrap();
        procrustes(&sample.truth, &embedding.points).unwrap().residual
    };
    let (few, many) = (error(None), error(Some(40)));
    assert!(many < 0.5 * few, "{many} {few}");
}

#[test]
fn more_dimensions_than_neighbors_still_run_and_say_so() {
    let cells = (0..60 * 30).map(|at| ((at * at % 7919) as f64 * 0.37).sin()).collect();
    let points = Points::new(60, 30, cells).unwrap();
    let neighborhoods = Neighborhoods::nearest(&points, 4, &Run::new()).unwrap();
    let problem = Problem::new(&points, &neighborhoods, 6).unwrap();
    let embedding = fit(&Psa::default(), &problem, Pieces::SideBySide, &Run::new()).unwrap();
    assert_eq!(embedding.points.dim(), 6);
    assert!(embedding.info.warnings.iter().any(|warning| warning.contains("fewer than 6 directions")));
}

#[test]
fn a_line_has_no_plane_and_duplicates_are_carried_along() {
    let line: Vec<[f64; 3]> = (0..40).map(|at| [f64::from(at), 0.0, 1.0]).collect();
    let error = embed(&Psa::default(), &Points::from_rows(&line).unwrap(), 5, 2, &Run::new()).unwrap_err();
    assert!(matches!(error, Error::RankDeficient { given: 1, needed: 2, .. }), "{error}");
    assert!(embed(&Psa::default(), &Points::from_rows(&line).unwrap(), 5, 1, &Run::new()).is_ok());

    // Every point of a plane twice, and one of them six times: neighborhoods of copies alone have no frame of their own.
    let plane = sample("plane", 300).points;
    let mut rows: Vec<&[f64]> = plane.rows().chain(plane.rows()).collect();
    rows.extend([plane.row(0); 4]);
    let points = Points::from_rows(&rows).unwrap();
    let embedding = embed(&Psa::default(), &points, 8, 2, &Run::new()).unwrap();
    assert!(r_n(&points, &embedding.points, 8).0 < 1e-10);
}

#[test]
fn parameters_are_checked() {
    let points = sample("plane", 50).points;
    let message = |psa: Psa| embed(&psa, &points, 6, 2, &Run::new()).unwrap_err().to_string();
    assert_eq!(
        message(Psa { tangent_k: Some(1), ..Psa::default() }),
        "tangent_k = 1 is too small: a frame of 2 directions needs at least 2 neighbors; choose a larger one, or null \
         for the neighbors of the graph"
    );
    assert!(message(Psa { cooling: 1.0, ..Psa::default() }).starts_with("cooling = 1 is not between 0 and 1"));
    assert!(message(Psa { sweeps: 0, ..Psa::default() }).starts_with("sweeps = 0 is too small"));
    assert!(message(Psa { time_limit: Some(0.0), ..Psa::default() }).starts_with("time_limit = 0 is not above zero"));
    let names: Vec<&str> = super::INFO.parameters.iter().map(|parameter| parameter.name).collect();
    let defaults = serde_json::to_value(Psa::default()).unwrap();
    assert!(defaults.as_object().unwrap().keys().eq(names.iter()));
}

#[test]
fn a_cancelled_run_ends() {
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let run = Run::new().with_cancel(cancel);
    let points = sample("plane", 200).points;
    let neighborhoods = Neighborhoods::nearest(&points, 6, &Run::new()).unwrap();
    let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
    assert_eq!(fit(&Psa::default(), &problem, Pieces::Error, &run).unwrap_err(), Error::Cancelled);
}
