//! A judgment against what its parts give one by one.

use super::Judge;
use crate::data::{Input, Part};
use crate::dataset::{self, Request};
use crate::measure::{self, Evaluation, Options};
use crate::memory::tests::asks_for;
use crate::{Method, Neighborhoods, Points, Problem, Run, Warning};

fn points(name: &str, count: usize) -> Points {
    dataset::find(name).unwrap().sample(&Request::new().with_points(count)).unwrap().points
}

#[test]
fn rows_that_were_left_out_are_not_judged_and_the_worst_are_rows_of_the_input() {
    let (run, pieces) = (Run::new(), points("two-pieces", 400));
    let neighborhoods = Neighborhoods::nearest(&pieces, 8, &run).unwrap();
    let method = Method::new("pca", &[]).unwrap();
    assert!(method.with_pieces(crate::Pieces::Largest).is_err());
    let method = Method::new("ltsa", &[("components".into(), "largest".into())]).unwrap();
    let embedding = method.fit(&Problem::new(&pieces, &neighborhoods, 2).unwrap(), &run).unwrap();
    let judgment = Judge::of_points(&pieces, &neighborhoods).judge_embedding(&embedding, &run).unwrap();
    let rows = embedding.rows.unwrap();
    assert_eq!((judgment.points, judgment.neighborhoods.components), (rows.len(), 1));
    let part = Part::new(&Input::Points(&pieces), &neighborhoods, &rows);
    let alone =
        Evaluation::new(part.input(), &embedding.points, part.neighborhoods(), Options::default(), &run).unwrap();
    let score = measure::find("r_n").unwrap().score(&alone).unwrap();
    assert_eq!(judgment.scores.get("r_n"), Some(&score));
    let worst = judgment.worst(3).unwrap();
    assert!(worst.rows.iter().all(|(row, _)| rows.contains(&(*row as u32))));
    // LTSA normalizes its output, so that R_C tells where it is worst.
    assert_eq!((judgment.telling(), worst.info.name), ("r_c", "r_c"));
    let score = judgment.scores.get("r_c").unwrap();
    let (first, values) = (worst.rows[0], score.per_point.as_ref().unwrap());
    let excess = |at: usize| values[at] - score.per_point_bound.as_ref().unwrap()[at];
    let at = rows.iter().position(|&row| row as usize == first.0).unwrap();
    assert_eq!(values[at], first.1);
    assert!((0..rows.len()).all(|other| excess(other) <= excess(at)));
    assert!(worst.tenth_share > 0.1 && worst.tenth_share <= 1.0);
    assert!(matches!(judgment.warnings[..], [Warning::OnlyLargest { .. }]), "{:?}", judgment.warnings);
}

#[test]
fn what_a_tear_leaves_is_measured_without_the_torn_pairs() {
    let (run, roll) = (Run::new(), points("swiss-roll", 400));
    let neighborhoods = Neighborhoods::nearest(&roll, 12, &run).unwrap();
    let method = Method::new("psa", &[]).unwrap();
    let embedding = method.fit(&Problem::new(&roll, &neighborhoods, 2).unwrap(), &run).unwrap();
    let judge = Judge::of_points(&roll, &neighborhoods)
        .with_measures(["r_n", "overlap"].map(|name| measure::find(name).unwrap()).into());
    let judgment = judge.judge_embedding(&embedding, &run).unwrap();
    let rest = judgment.rest.as_ref().unwrap();
    let left = rest.tear.rest(&neighborhoods);
    let alone = measure::evaluate(&roll, &embedding.points, &left, &["r_n"]).unwrap();
    assert_eq!(rest.scores.get("r_n").unwrap().value, alone[0].value);
    assert!(rest.scores.get("overlap").is_none() && rest.scores.get("r_n").unwrap().per_point.is_none());
    assert_eq!(judgment.compared("r_n"), rest.scores.get("r_n"));
    assert_eq!(judgment.compared("overlap"), judgment.scores.get("overlap"));
    assert!(
        judgment.warnings.iter().any(|warning| matches!(warning, Warning::Torn { .. } | Warning::Shortcuts { .. }))
    );
}

#[test]
fn paths_of_a_torn_map_are_read_with_the_seam_open_and_with_the_seam_glued() {
    let (run, cylinder) = (Run::new(), points("cylinder", 800));
    let neighborhoods = Neighborhoods::nearest(&cylinder, 12, &run).unwrap();
    let embedding =
        Method::new("psa", &[]).unwrap().fit(&Problem::new(&cylinder, &neighborhoods, 2).unwrap(), &run).unwrap();
    let judge = Judge::of_points(&cylinder, &neighborhoods)
        .with_measures(["r_n", "distortion"].map(|name| measure::find(name).unwrap()).into());
    let judgment = judge.judge_embedding(&embedding, &run).unwrap();
    let (whole, rest) = (judgment.along_paths.as_ref().unwrap(), judgment.rest.as_ref().unwrap());
    let (apart, glued) = (rest.apart.as_ref().unwrap(), rest.glued.as_ref().unwrap());
    assert_eq!(judgment.compared("distortion").unwrap().value, apart.median);
    assert_eq!(judgment.scores.get("distortion").unwrap().value, whole.median);
    assert!(rest.scores.get("distortion").unwrap().per_point.is_none());
    // The two banks of the seam are neighbors in the data and the width of the map apart in it.
    assert!(whole.largest > 10.0 && whole.median > 1.3 * apart.median, "{whole:?} {apart:?}");
    assert!(apart.median < 1.2 && glued.median < 1.2, "{apart:?} {glued:?}");
    assert!(!judgment.warnings.iter().any(|warning| matches!(warning, Warning::LeftOut { .. })));
    // Without the measure nothing is told.
    let judge = judge.with_measures(vec![measure::find("r_n").unwrap()]);
    let judgment = judge.judge_embedding(&embedding, &run).unwrap();
    assert!(judgment.along_paths.is_none() && judgment.rest.unwrap().glued.is_none());
}

#[test]
fn what_could_not_be_measured_is_a_warning() {
    let run = Run::new();
    // Two clusters; in the second all points coincide, so its neighborhoods have no shape.
    let rows: Vec<[f64; 2]> =
        (0..20).map(|at| if at < 12 { [f64::from(at), f64::from(at * at % 5)] } else { [99.0, 99.0] }).collect();
    let x = Points::from_rows(&rows).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 3, &run).unwrap();
    let judgment = Judge::of_points(&x, &neighborhoods).judge(&x, &run).unwrap();
    assert!(matches!(judgment.warnings[0], Warning::SeveralComponents { components } if components > 1));
    let left_out: Vec<_> =
        judgment.warnings.iter().filter(|warning| matches!(warning, Warning::LeftOut { .. })).collect();
    assert!(left_out.iter().all(|warning| matches!(warning, Warning::LeftOut { neighborhoods: 8, .. })));
    assert!(!left_out.is_empty() && judgment.worst(4).is_none(), "R_N is zero");
}

#[test]
fn what_a_judgment_holds_is_compared_with_the_memory_that_is_there() {
    let (run, roll) = (Run::new(), points("swiss-roll", 300));
    let neighborhoods = Neighborhoods::nearest(&roll, 8, &run).unwrap();
    let judge = |verdict| {
        let options = Options { verdict, ..Options::default() };
        Judge::of_points(&roll, &neighborhoods).with_options(options).judge(&roll, &run)
    };
    // In either direction seven numbers and a mark, eight numbers of chance, and three values; nine members of the map's lists.
    asks_for(300 * (2 * (8 + 8 + 3) * 8 + 9 * 4), || judge(true));
    asks_for(300 * 8, || judge(false));
}
