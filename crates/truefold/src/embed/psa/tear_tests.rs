//! What tearing promises.

use super::super::Refinement;
use super::tests::{embed, sample};
use super::{Psa, TangentK, Tearing};
use crate::dataset::{self, Request};
use crate::graph::false_share;
use crate::{Embedding, Neighborhoods, Points, Run, measure};

/// The torn share, and R_N on what is left with its bound.
fn left(points: &Points, embedding: &Embedding, k: usize) -> Option<(f64, f64, f64)> {
    let tear = embedding.tear.as_ref()?;
    let rest = tear.rest(&Neighborhoods::nearest(points, k, &Run::new()).unwrap());
    assert_eq!(rest.components().count(), 1);
    let score = &measure::evaluate(points, &embedding.points, &rest, &["r_n"]).unwrap()[0];
    Some((tear.share(), score.value, score.lower_bound.unwrap()))
}

#[test]
fn closed_surfaces_are_torn_and_what_is_left_lies_flat() {
    for (name, points, most) in [("cylinder", 800, 0.02), ("flat-torus", 3000, 0.035), ("moebius", 2000, 0.02)] {
        for seed in 0..if name == "flat-torus" { 1 } else { 3 } {
            let request = Request::new().with_points(points).with_seed(seed);
            let sample = dataset::find(name).unwrap().sample(&request).unwrap();
            let embedding = embed(&Psa::default(), &sample.points, 12, 2, &Run::new()).unwrap();
            let (share, value, bound) = left(&sample.points, &embedding, 12).unwrap();
            assert!(share <= most, "{name} {seed}: {share}");
            // A Moebius strip of this width is curved.
            let limit = if name == "moebius" { 1.5 } else { 1.1 };
            assert!(value <= limit * bound, "{name} {seed}: {value} {bound}");
            assert!(embedding.info.warnings.iter().any(|warning| warning.name() == "torn"));
        }
    }
    let whole = Psa { tear: Tearing::Never, ..Psa::default() };
    assert!(embed(&whole, &sample("cylinder", 800).points, 12, 2, &Run::new()).unwrap().tear.is_none());
}

#[test]
fn curved_closed_surfaces_are_torn_until_what_is_left_is_near_its_bound() {
    for (name, most) in [("sphere", 0.1), ("torus", 0.12), ("klein-bottle", 0.12)] {
        let sample = sample(name, 2000);
        let embedding = embed(&Psa::default(), &sample.points, 12, 2, &Run::new()).unwrap();
        let (share, value, bound) = left(&sample.points, &embedding, 12).unwrap();
        assert!(share <= most && value <= 2.0 * bound, "{name}: {share} {value} {bound}");
    }
}

#[test]
fn a_surface_whose_sample_is_folded_is_torn_before_the_whole_is_aligned() {
    for (name, is_torn) in [("sphere", true), ("moebius", true), ("hemisphere", false)] {
        let embedding = embed(&Psa::default(), &sample(name, 3000).points, 12, 2, &Run::new()).unwrap();
        assert_eq!(embedding.tear.is_some(), is_torn, "{name}");
        let facts = &embedding.info.facts;
        assert_eq!(facts.contains_key("align_steps"), !is_torn, "{name}");
        if is_torn {
            assert!(facts["folded"] == true && facts["misfit"].as_f64().unwrap() > 0.005, "{name}");
        }
    }
}

#[test]
fn maps_of_surfaces_with_a_hole_do_not_lie_on_themselves() {
    for name in ["torus", "klein-bottle"] {
        let (sample, run) = (sample(name, 3000), Run::new());
        let embedding = embed(&Psa::default(), &sample.points, 12, 2, &run).unwrap();
        let real = Neighborhoods::nearest(&sample.points, 12, &run).unwrap();
        let shown = Neighborhoods::nearest(&embedding.points, 12, &run).unwrap();
        // From the inner side of a torus it is a third.
        let (invented, _) = false_share(&real, &shown, &run).unwrap();
        assert!(invented < 0.08, "{name}: {invented}");
    }
}

#[test]
fn a_larger_goal_tears_less_and_leaves_more() {
    let sample = sample("sphere", 1000);
    let [strict, loose] = [1.2, 6.0].map(|tear_goal| {
        let embedding = embed(&Psa { tear_goal, ..Psa::default() }, &sample.points, 12, 2, &Run::new()).unwrap();
        left(&sample.points, &embedding, 12).unwrap()
    });
    // However large the goal, what is worth it is torn.
    let torus = super::tests::sample("torus", 1000);
    let embedding = embed(&Psa { tear_goal: 50.0, ..Psa::default() }, &torus.points, 12, 2, &Run::new()).unwrap();
    assert!(embedding.tear.is_some());
    assert!(strict.0 > 1.3 * loose.0 && strict.1 < 0.8 * loose.1, "{strict:?} {loose:?}");
}

#[test]
fn tearing_does_not_depend_on_the_number_of_points_and_of_neighbors_nor_on_the_unit() {
    // A seam is a line: its share of the memberships falls as points are added.
    for (points, k, unit) in [(500, 12, 1.0), (2500, 12, 1e100), (2500, 12, 1e-100), (6000, 8, 1e-6), (6000, 20, 1.0)] {
        let strip = sample("moebius", points);
        let values = strip.points.values().iter().map(|value| unit * value).collect();
        let scaled = Points::new(points, 3, values).unwrap();
        let embedding = embed(&Psa::default(), &scaled, k, 2, &Run::new()).unwrap();
        let (share, value, bound) = left(&scaled, &embedding, k).unwrap();
        assert!(share < 0.03 && value < 1.5 * bound, "{points} {k}: {share} {value} {bound}");
    }
}

#[test]
fn a_surface_that_is_only_curved_is_left_whole_with_a_word() {
    for name in ["hemisphere", "twin-peaks"] {
        let embedding = embed(&Psa::default(), &sample(name, 2000).points, 12, 2, &Run::new()).unwrap();
        assert!(embedding.tear.is_none());
        let warning = embedding.info.warnings.iter().find(|warning| warning.name() == "left-whole").unwrap();
        assert!(warning.to_string().contains("stretched, but need not be folded"), "{warning}");
    }
    let asked = Psa { tear: Tearing::Always, ..Psa::default() };
    let embedding = embed(&asked, &sample("hemisphere", 2000).points, 12, 2, &Run::new()).unwrap();
    let (_, value, bound) = left(&sample("hemisphere", 2000).points, &embedding, 12).unwrap();
    assert!(value < 3.0 * bound, "{value} {bound}");
}

#[test]
fn a_tube_that_is_pressed_flat_is_torn_or_said_to_lie_on_itself() {
    // Points at its edges have neighbors on both sides, and R_N is near its bound.
    let tube = sample("cylinder", 10_000).points;
    let values = tube.values().iter().enumerate().map(|(at, value)| if at % 3 == 0 { 100.0 * value } else { *value });
    let pressed = Points::new(10_000, 3, values.collect()).unwrap();
    let embedding = embed(&Psa::default(), &pressed, 12, 2, &Run::new()).unwrap();
    let said = embedding.info.warnings.iter().any(|warning| warning.name() == "lies-on-itself");
    assert!(embedding.tear.is_some() || said, "{:?}", embedding.info.warnings);
}

#[test]
fn a_closed_curve_is_cut_once() {
    let rows: Vec<[f64; 2]> = (0..100)
        .map(|at| f64::from(at) * std::f64::consts::TAU / 100.0)
        .map(|angle| [angle.cos(), angle.sin()])
        .collect();
    let points = Points::from_rows(&rows).unwrap();
    let embedding = embed(&Psa::default(), &points, 4, 1, &Run::new()).unwrap();
    let (share, value, bound) = left(&points, &embedding, 4).unwrap();
    // Of four neighbors two are two steps away: six memberships cross a cut between two points.
    assert!(share <= 7.0 / 400.0, "{share}");
    assert!(value <= 1.1 * bound + 1e-9, "{value} {bound}");
}

#[test]
fn open_surfaces_are_left_whole() {
    for (name, points) in [("swiss-roll", 1600), ("swiss-roll-hole", 2000), ("s-curve", 1600), ("plane", 1500)] {
        let sample = sample(name, points);
        for tear in [Tearing::Auto, Tearing::Always] {
            let psa = Psa { tear, ..Psa::default() };
            assert!(embed(&psa, &sample.points, 12, 2, &Run::new()).unwrap().tear.is_none(), "{name} {tear:?}");
        }
    }
}

#[test]
fn what_is_no_surface_is_left_whole_unasked() {
    let request = Request::new().with_points(1000).with_noise(1.0);
    let noisy = dataset::find("swiss-roll").unwrap().sample(&request).unwrap();
    for psa in [
        Psa { tangent_k: TangentK::Graph, ..Psa::default() },
        Psa { tangent_k: TangentK::Nearest(30), ..Psa::default() },
    ] {
        assert!(embed(&psa, &noisy.points, 12, 2, &Run::new()).unwrap().tear.is_none());
    }
}

#[test]
fn without_refinement_a_torn_map_is_that_of_its_frames() {
    let tube = sample("cylinder", 600);
    let psa = Psa { refine: Some(Refinement::None), ..Psa::default() };
    let embedding = embed(&psa, &tube.points, 12, 2, &Run::new()).unwrap();
    let (share, value, bound) = left(&tube.points, &embedding, 12).unwrap();
    assert!(embedding.info.traces.is_empty() && share < 0.03 && value < 1.2 * bound, "{share} {value} {bound}");
}

#[test]
fn both_sides_of_a_seam_have_the_same_place_along_it() {
    let sample = sample("cylinder", 800);
    let embedding = embed(&Psa::default(), &sample.points, 12, 2, &Run::new()).unwrap();
    let tear = embedding.tear.unwrap();
    // The seam goes from one rim to the other, and height is where along it a pair is.
    let heights: Vec<f64> = tear.pairs().iter().map(|&(row, _)| sample.truth.row(row as usize)[1]).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - mean(a)) * (y - mean(b))).sum::<f64>();
    let along = tear.along();
    let correlation = product(along, &heights) / (product(along, along) * product(&heights, &heights)).sqrt();
    assert!(correlation.abs() > 0.9, "{correlation}");
    assert!(along.iter().all(|place| (0.0..=1.0).contains(place)));
}

#[test]
fn a_tear_has_the_same_bits_on_any_number_of_threads() {
    // Of 3000 points a sample is torn first.
    for (points, tear) in [(700, Tearing::Always), (3000, Tearing::Auto)] {
        let sample = sample("sphere", points);
        let torn = |threads: usize| {
            let run = Run::new().with_threads(threads).unwrap();
            let psa = Psa { tear, ..Psa::default() };
            let embedding = embed(&psa, &sample.points, 10, 2, &run).unwrap();
            (embedding.tear.unwrap(), embedding.points)
        };
        assert_eq!(torn(1), torn(4));
    }
}

#[test]
fn pairs_between_sheets_are_shortcuts_and_no_seam() {
    // So many neighbors reach from one sheet of the roll to the next at a few places.
    let request = Request::new().with_points(1000).with_seed(2);
    let roll = dataset::find("swiss-roll").unwrap().sample(&request).unwrap().points;
    let embedding = embed(&Psa::default(), &roll, 20, 2, &Run::new()).unwrap();
    let names: Vec<&str> = embedding.info.warnings.iter().map(|warning| warning.name()).collect();
    assert!(names.contains(&"shortcuts") && !names.contains(&"torn"), "{names:?}");
    assert!(embedding.info.facts["shortcuts"].as_u64().unwrap() < 30);
}

#[test]
fn an_uneven_open_surface_is_left_whole() {
    // Ten times as dense at one end; the frames of its sample are not aligned well, and fold its map.
    let request = Request::new().with_points(24_000).with_seed(7);
    let all = dataset::find("hemisphere").unwrap().sample(&request).unwrap().points;
    let first: Vec<f64> = (0..all.len()).map(|row| all.row(row)[0]).collect();
    let (low, high) = first.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    let rows: Vec<u32> = (0..all.len() as u32)
        .filter(|&row| {
            let draw = f64::from(row.wrapping_mul(0x9E37_79B9)) / 2f64.powi(32);
            draw < 10f64.powf((low - first[row as usize]) / (high - low))
        })
        .collect();
    let points = all.select(&rows);
    assert_eq!(points.len(), 9468);
    let embedding = embed(&Psa::default(), &points, 12, 2, &Run::new()).unwrap();
    assert!(embedding.tear.is_none(), "{:?}", embedding.info.facts);
}
