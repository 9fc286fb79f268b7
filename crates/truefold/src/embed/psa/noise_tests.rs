//! What Procrustes subspaces alignment promises of noisy data, and of those that are not.

use super::{Denoising, Psa, TangentK};
use crate::dataset::{self, Request, Sample};
use crate::embed::fit;
use crate::local::procrustes;
use crate::{Embedding, Neighborhoods, Pieces, Points, Problem, Result, Run};

fn sample(name: &str, points: usize) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points).with_seed(1)).unwrap()
}

fn embed(psa: &Psa, points: &Points, k: usize, dim: usize, run: &Run) -> Result<Embedding> {
    let neighborhoods = Neighborhoods::nearest(points, k, run)?;
    fit(psa, &Problem::new(points, &neighborhoods, dim)?, Pieces::Error, run)
}

fn fact(embedding: &Embedding, name: &str) -> f64 {
    embedding.info.facts[name].as_f64().unwrap()
}

/// The relative error of a map after the best rigid motion.
fn error(sample: &Sample, embedding: &Embedding) -> f64 {
    relative_error(&sample.truth, &embedding.points)
}

fn relative_error(truth: &Points, map: &Points) -> f64 {
    let count = truth.len();
    let extent = procrustes(truth, &Points::new(count, 2, vec![0.0; 2 * count]).unwrap()).unwrap().residual;
    (procrustes(truth, map).unwrap().residual / extent).sqrt()
}

fn noisy(points: usize, noise: f64, seed: u64) -> Sample {
    let request = Request::new().with_points(points).with_seed(seed).with_noise(noise);
    dataset::find("swiss-roll").unwrap().sample(&request).unwrap()
}

#[test]
fn noise_is_found_and_looked_past_unasked() {
    let roll = noisy(1500, 0.5, 3);
    let found = embed(&Psa::default(), &roll.points, 12, 2, &Run::new()).unwrap();
    // What noise moves along the surface is lost: 0.5 in either direction of the sheet.
    let lost = 0.5 * 2.0_f64.sqrt() / (roll_variance()).sqrt();
    let (off, whole) =
        (error(&roll, &found), error(&roll, &embed(&graph_alone(), &roll.points, 12, 2, &Run::new()).unwrap()));
    assert!(off < 1.1 * lost && off < whole, "{off}, {lost} are lost, {whole} without");
    assert!(fact(&found, "tangent_k") >= 32.0 && found.info.facts["tangent_k_reason"].is_string());
    assert!((0.3..0.7).contains(&fact(&found, "noise")), "{:?}", found.info.facts);
    assert!(found.info.warnings.iter().any(|warning| warning.name() == "noisy"));
    assert!(found.info.traces.is_empty());
}

/// The mean square distance of the true coordinates of a roll from their mean.
fn roll_variance() -> f64 {
    let truth = sample("swiss-roll", 4000).truth;
    let means = [0, 1].map(|axis| truth.rows().map(|row| row[axis]).sum::<f64>() / 4000.0);
    truth.rows().map(|row| (row[0] - means[0]).powi(2) + (row[1] - means[1]).powi(2)).sum::<f64>() / 4000.0
}

/// Frames and links of the data as they are.
fn graph_alone() -> Psa {
    Psa { tangent_k: TangentK::Graph, ..Psa::default() }
}

#[test]
fn sheets_that_noise_brings_together_come_apart_and_shortcuts_are_named() {
    let roll = noisy(2500, 1.0, 1);
    let found = embed(&Psa::default(), &roll.points, 12, 2, &Run::new()).unwrap();
    assert!(error(&roll, &found) < 0.11, "{}", error(&roll, &found));
    let tear = found.tear.as_ref().unwrap();
    let (shortcuts, between) = (fact(&found, "shortcuts"), fact(&found, "between_sheets") as usize);
    assert!(tear.share() < 0.02, "{}", tear.share());
    // Nearly all shortcuts join points far apart on the true sheet, and nearly all that do so are named.
    let far = |a: u32, b: u32| (roll.truth.row(a as usize)[0] - roll.truth.row(b as usize)[0]).abs() > 15.0;
    let near: Vec<(u32, u32)> = tear.pairs().iter().copied().filter(|pair| !far(pair.0, pair.1)).collect();
    // What is named besides are the links of the few points between sheets.
    let mut wrong = near.clone();
    for _ in 0..between {
        let ends = wrong.iter().flat_map(|pair| [pair.0, pair.1]);
        let count = |row: u32| wrong.iter().filter(|pair| pair.0 == row || pair.1 == row).count();
        let Some(most) = ends.max_by_key(|&row| (count(row), row)) else { break };
        wrong.retain(|pair| pair.0 != most && pair.1 != most);
    }
    assert!(wrong.len() as f64 <= 0.2 * shortcuts, "{} of {shortcuts}, {} near in all", wrong.len(), near.len());
    assert!(tear.pairs().len() as f64 - shortcuts <= (near.len() - wrong.len()) as f64, "{} pairs", tear.pairs().len());
    let given = Neighborhoods::nearest(&roll.points, 12, &Run::new()).unwrap();
    let crossing = |lists: &Neighborhoods| -> usize {
        (0..2500).map(|row| lists.neighbors(row).iter().filter(|&&other| far(row as u32, other)).count()).sum()
    };
    assert!(
        crossing(&tear.rest(&given)) * 3 < crossing(&given),
        "{} {}",
        crossing(&tear.rest(&given)),
        crossing(&given)
    );
}

#[test]
fn points_between_two_sheets_lie_between_them_in_the_map() {
    // The mean over some rolls: in a single one it depends on the few points that noise moved to the middle.
    let (mut squares, mut nearest, mut between) = (0.0, 0.0, 0.0);
    for seed in 20..26 {
        let roll = noisy(2500, 1.0, seed);
        let found = embed(&Psa::default(), &roll.points, 12, 2, &Run::new()).unwrap();
        squares += error(&roll, &found).powi(2);
        nearest += nearest_error(&roll).powi(2);
        between += fact(&found, "between_sheets");
    }
    assert!((3.0..60.0).contains(&between), "{between} in six rolls");
    // Each point on the likelier sheet would be 9 % above the nearest places.
    let times = (squares / nearest).sqrt();
    assert!(times < 1.08, "{times} times the error of the nearest places on the true surface");
}

/// The error of placing every point at the nearest place of the true roll.
fn nearest_error(roll: &Sample) -> f64 {
    let arc = |t: f64| 0.5 * (t * (1.0 + t * t).sqrt() + t.asinh());
    let start = 1.5 * std::f64::consts::PI;
    let spiral: Vec<(f64, f64, f64)> =
        (0..=4000).map(|at| start * (1.0 + f64::from(at) / 2000.0)).map(|t| (t * t.cos(), t * t.sin(), t)).collect();
    let places: Vec<[f64; 2]> = roll
        .points
        .rows()
        .map(|x| {
            let square = |at: &(f64, f64, f64)| (x[0] - at.0).powi(2) + (x[2] - at.1).powi(2);
            let nearest = spiral.iter().min_by(|a, b| square(a).total_cmp(&square(b))).unwrap();
            [arc(nearest.2) - arc(start), x[1].clamp(0.0, 21.0)]
        })
        .collect();
    relative_error(&roll.truth, &Points::from_rows(&places).unwrap())
}

#[test]
fn noise_on_few_points_is_found_and_none_where_there_is_none() {
    let found = |points: &Points| {
        let embedding = embed(&Psa::default(), points, 12, 2, &Run::new()).unwrap();
        embedding.info.warnings.iter().any(|warning| warning.name() == "noisy")
    };
    for seed in 0..6 {
        assert!(found(&noisy(900, 0.6, seed).points), "noise, seed {seed}");
        assert!(!found(&noisy(900, 0.0, seed).points), "no noise, seed {seed}");
    }
    for name in ["s-curve", "hemisphere", "twin-peaks", "swiss-roll-hole"] {
        assert!(!found(&sample(name, 500).points), "{name}");
    }
    // Ten times as dense at one end as at the other.
    let roll = sample("swiss-roll", 9000);
    let kept = |&row: &u32| {
        let place = roll.truth.row(row as usize)[0] / 93.0;
        f64::from(row * 7919 % 1009) / 1009.0 < 0.1 * 10.0_f64.powf(place)
    };
    let uneven = roll.points.select(&(0..9000).filter(kept).collect::<Vec<u32>>());
    assert!((2000..6000).contains(&uneven.len()) && !found(&uneven), "{}", uneven.len());
}

#[test]
fn clean_data_are_embedded_as_they_are() {
    for (name, points) in [("swiss-roll", 1200), ("s-curve", 800), ("hemisphere", 600), ("twin-peaks", 600)] {
        let points = sample(name, points).points;
        let (auto, graph) =
            (embed(&Psa::default(), &points, 12, 2, &Run::new()), embed(&graph_alone(), &points, 12, 2, &Run::new()));
        let (auto, graph) = (auto.unwrap(), graph.unwrap());
        assert_eq!(auto.points, graph.points, "{name}");
        assert_eq!(fact(&auto, "tangent_k"), 12.0, "{name}: {:?}", auto.info.facts);
        assert!(!auto.info.facts.contains_key("denoise_rounds") && auto.tear == graph.tear, "{name}");
    }
}

#[test]
fn given_lists_and_asked_rounds_are_kept_to() {
    let roll = noisy(600, 0.6, 2);
    let found = Neighborhoods::nearest(&roll.points, 10, &Run::new()).unwrap();
    let lists: Vec<Vec<i64>> =
        (0..600).map(|row| found.neighbors(row).iter().map(|&one| i64::from(one)).collect()).collect();
    let lists = Neighborhoods::from_lists(&lists).unwrap();
    let problem = Problem::new(&roll.points, &lists, 2).unwrap();
    let asked = Psa { denoise: Denoising::Rounds(2), tangent_k: TangentK::Nearest(40), ..Psa::default() };
    let embedding = fit(&asked, &problem, Pieces::Error, &Run::new()).unwrap();
    assert_eq!(fact(&embedding, "denoise_rounds"), 2.0);
    assert!(!embedding.info.warnings.iter().any(|warning| warning.name() == "noisy"));
    let none = Psa { denoise: Denoising::Rounds(0), ..Psa::default() };
    assert!(!fit(&none, &problem, Pieces::Error, &Run::new()).unwrap().info.facts.contains_key("noise"));
    let words = [("auto", TangentK::Auto), ("null", TangentK::Graph), ("7", TangentK::Nearest(7))];
    for (word, size) in words {
        let value = serde_json::from_str::<serde_json::Value>(word).unwrap_or_else(|_| word.into());
        assert_eq!(serde_json::from_value::<TangentK>(value.clone()).unwrap(), size);
        assert_eq!(serde_json::to_value(size).unwrap(), value);
    }
    assert!(serde_json::from_value::<TangentK>((-3).into()).is_err());
    assert!(serde_json::from_value::<Denoising>("often".into()).is_err());
}

#[test]
fn threads_do_not_change_a_bit_of_what_was_noisy() {
    let roll = noisy(2500, 0.5, 1);
    let of = |threads| embed(&Psa::default(), &roll.points, 12, 2, &Run::new().with_threads(threads).unwrap()).unwrap();
    let (one, other) = (of(1), of(4));
    assert!(one.info.facts.contains_key("denoise_rounds"));
    assert_eq!((one.points, one.tear), (other.points, other.tear));
}
