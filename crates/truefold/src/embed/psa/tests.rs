//! What Procrustes subspaces alignment promises.

use super::super::Refinement;
use super::{Alignment, AnnealingStart, Psa, TangentK, Tearing};
use crate::dataset::{self, Request, Sample};
use crate::embed::fit;
use crate::local::procrustes;
use crate::{Embedding, Error, Neighborhoods, Pieces, Points, Problem, Result, Run, measure};

pub(super) fn sample(name: &str, points: usize) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points).with_seed(1)).unwrap()
}

pub(super) fn embed(psa: &Psa, points: &Points, k: usize, dim: usize, run: &Run) -> Result<Embedding> {
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
        let whole = Psa { tear: Tearing::Never, ..Psa::default() };
        let synchronized = fact(&embed(&whole, &sample.points, 12, 2, &Run::new()).unwrap(), "f");
        for start in [AnnealingStart::Tree, AnnealingStart::Random] {
            let psa = Psa { alignment: Alignment::Annealing, start, ..whole.clone() };
            let embedding = embed(&psa, &sample.points, 12, 2, &Run::new()).unwrap();
            let f = fact(&embedding, "f");
            assert!(f <= 1.05 * synchronized, "{name} {start:?}: {f} {synchronized}");
            let trace = &embedding.info.traces[0];
            assert_eq!((trace.objective.as_str(), embedding.info.traces[1].objective.as_str()), ("f", "r_n"));
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
        let mut psa = with(alignment);
        if alignment == Alignment::Annealing {
            (psa.sweeps, psa.outer) = (20, 1);
        }
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
    let sample = sample("swiss-roll", crate::graph::RENUMBER_FROM);
    let embedding = embed(&with(Alignment::Landmarks), &sample.points, 10, 2, &Run::new()).unwrap();
    let (value, bound) = r_n(&sample.points, &embedding.points, 10);
    assert!(value <= 1.02 * bound, "{value} {bound}");
}

#[test]
fn noise_wants_tangents_from_more_points() {
    let request = Request::new().with_points(2500).with_seed(3).with_noise(0.5);
    let sample = dataset::find("swiss-roll").unwrap().sample(&request).unwrap();
    let error = |tangent_k| {
        let psa = Psa { tangent_k, refine: Some(Refinement::None), tear: Tearing::Never, ..Psa::default() };
        let embedding = embed(&psa, &sample.points, 12, 2, &Run::new()).unwrap();
        assert!(embedding.info.traces.is_empty());
        procrustes(&sample.truth, &embedding.points).unwrap().residual
    };
    let (few, many) = (error(TangentK::Graph), error(TangentK::Nearest(40)));
    assert!(many < 0.05 * few, "{many} {few}");
}

#[test]
fn refinement_follows_unless_tangents_look_past_noise() {
    let dome = sample("hemisphere", 500);
    let traced = |psa: &Psa| embed(psa, &dome.points, 8, 2, &Run::new()).unwrap().info;
    let refined = traced(&Psa::default());
    let values = &refined.traces[0].values;
    assert_eq!(refined.traces[0].objective, "r_n");
    assert!(values.is_sorted_by(|before, after| after < before) && values.len() > 2, "{values:?}");
    assert!(traced(&Psa { tangent_k: TangentK::Nearest(12), ..Psa::default() }).traces.is_empty());
    let asked = Psa { tangent_k: TangentK::Nearest(12), refine: Some(Refinement::RC), ..Psa::default() };
    assert_eq!(traced(&asked).traces[0].objective, "r_c");
    assert!(traced(&Psa { refine: Some(Refinement::None), ..Psa::default() }).traces.is_empty());
    // What is at the bound already is left alone.
    let plane = embed(&Psa::default(), &sample("plane", 400).points, 8, 2, &Run::new()).unwrap();
    assert_eq!(plane.info.stop, crate::Stop::Converged);
}

#[test]
fn a_collapsed_start_is_replaced_by_a_projection() {
    let tube = sample("cylinder", 800);
    let whole = Psa { tear: Tearing::Never, ..Psa::default() };
    let embedding = embed(&whole, &tube.points, 9, 2, &Run::new()).unwrap();
    assert_eq!(embedding.info.facts["second_start"], "projection");
    assert!(r_n(&tube.points, &embedding.points, 9).0 <= 0.04);
}

#[test]
fn a_piece_of_few_dimensions_is_embedded_in_those() {
    let mut rows: Vec<Vec<f64>> = sample("plane", 200).points.rows().map(<[f64]>::to_vec).collect();
    let width = rows[0].len();
    rows.extend((0..8).map(|at| (0..width).map(|axis| 1e3 + f64::from(at) * (axis as f64 - 1.5)).collect()));
    let points = Points::from_rows(&rows).unwrap();
    let neighborhoods = Neighborhoods::nearest(&points, 5, &Run::new()).unwrap();
    let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
    let embedding = fit(&Psa::default(), &problem, Pieces::SideBySide, &Run::new()).unwrap();
    assert!(embedding.info.warnings.contains(&crate::Warning::FlatComponent { points: 8, spanned: 1, wanted: 2 }));
    assert!(r_n(&points, &embedding.points, 5).0 < 1e-9);
}

#[test]
fn copies_of_one_point_are_a_piece_of_their_own() {
    let mut rows: Vec<Vec<f64>> = sample("plane", 200).points.rows().map(<[f64]>::to_vec).collect();
    rows.extend(std::iter::repeat_n(vec![1e3; rows[0].len()], 20));
    let points = Points::from_rows(&rows).unwrap();
    let neighborhoods = Neighborhoods::nearest(&points, 8, &Run::new()).unwrap();
    let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
    let embedding = fit(&Psa::default(), &problem, Pieces::SideBySide, &Run::new()).unwrap();
    assert_eq!(embedding.info.warnings[0], crate::Warning::SideBySide { components: 2 });
    assert!((201..220).all(|row| embedding.points.row(row) == embedding.points.row(200)));
    assert!(r_n(&points, &embedding.points, 8).0 < 1e-9);
}

#[test]
fn more_dimensions_than_neighbors_still_run_and_say_so() {
    let cells = (0..60 * 30).map(|at| ((at * at % 7919) as f64 * 0.37).sin()).collect();
    let points = Points::new(60, 30, cells).unwrap();
    let neighborhoods = Neighborhoods::nearest(&points, 4, &Run::new()).unwrap();
    let problem = Problem::new(&points, &neighborhoods, 6).unwrap();
    let embedding = fit(&Psa::default(), &problem, Pieces::SideBySide, &Run::new()).unwrap();
    assert_eq!(embedding.points.dim(), 6);
    assert!(
        embedding
            .info
            .warnings
            .iter()
            .any(|warning| matches!(warning, crate::Warning::RankDeficient { wanted: 6, .. }))
    );
}

#[test]
fn a_line_has_no_plane_and_duplicates_are_carried_along() {
    let line: Vec<[f64; 3]> = (0..40).map(|at| [f64::from(at), 0.0, 1.0]).collect();
    let error = embed(&Psa::default(), &Points::from_rows(&line).unwrap(), 5, 2, &Run::new()).unwrap_err();
    assert!(matches!(error, Error::RankDeficient { given: 1, needed: 2, .. }), "{error}");
    assert!(embed(&Psa::default(), &Points::from_rows(&line).unwrap(), 5, 1, &Run::new()).is_ok());

    // Every point of a plane twice, and one of them six times: neighborhoods of copies alone have no frame of their
    // own.
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
        message(Psa { tangent_k: TangentK::Nearest(1), ..Psa::default() }),
        "tangent_k = 1 is less than 2: a frame of 2 directions needs that many neighbors; choose a larger one, auto, or \
         null"
    );
    let annealing = || with(Alignment::Annealing);
    assert!(message(Psa { cooling: 1.0, ..annealing() }).starts_with("cooling = 1 is not between 0 and 1"));
    assert!(message(Psa { sweeps: 0, ..annealing() }).starts_with("sweeps = 0 is less than 1"));
    let limited = |limit| Psa { time_limit: Some(limit), ..annealing() };
    assert!(message(limited(0.0)).starts_with("time_limit = 0 is not a positive number"));
    assert!(message(limited(f64::NAN)).starts_with("time_limit = NaN is not a positive number"));
    assert_eq!(
        message(Psa { time_limit: Some(60.0), ..Psa::default() }),
        "time_limit = 60 has no effect without alignment = annealing; set that, or leave it out"
    );
    let unrefined = Psa { refine: Some(Refinement::None), iterations: 3, ..Psa::default() };
    assert!(message(unrefined).starts_with("iterations = 3 has no effect without refinement"));
    assert!(message(Psa { landmarks: Some(9), ..annealing() }).contains("alignment = landmarks"));
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
