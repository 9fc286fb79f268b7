//! What JSON says about a judgment, about scores, and about one embedding of several.

mod groups;
mod paths;
mod scale;
mod verdict;

pub use groups::labels;
pub use paths::distortion;
pub use scale::scale_curve;

use crate::words::origin;
use serde_json::{Map, Value, json};
use truefold::compare::Trial;
use truefold::error::Vocabulary;
use truefold::measure::Score;
use truefold::stability::{Agreement, Kind, Standing};
use truefold::{Judgment, NeighborhoodFacts, Scored, Scores, Warning};

/// The version of the format of JSON: it is raised when a key goes or changes its meaning, not when one is added.
pub const VERSION: u32 = 1;

/// An object of facts with the version of their format before all else; a list stays as it is, since its rows speak for themselves.
///
/// ```
/// let facts = truefold_report::facts::versioned(&serde_json::json!({ "points": 3 }));
/// assert_eq!(facts.to_string(), r#"{"version":1,"points":3}"#);
/// ```
pub fn versioned(facts: &Value) -> Value {
    let Value::Object(facts) = facts else { return facts.clone() };
    let mut whole = Map::from_iter([("version".to_owned(), json!(VERSION))]);
    whole.extend(facts.clone());
    Value::Object(whole)
}

/// A judgment for programs; its warnings are worded in the terms of a front end.
///
/// ```
/// use truefold::error::PlainVocabulary;
/// use truefold::{Judge, Neighborhoods, Points, Run};
///
/// let x = Points::new(3, 1, vec![0.0, 1.0, 3.0])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let judgment = Judge::of_points(&x, &neighborhoods).judge(&x, &Run::new())?;
/// let facts = truefold_report::facts::judgment(&judgment, &PlainVocabulary);
/// assert_eq!((&facts["points"], &facts["neighborhoods"]["center"]), (&3.into(), &true.into()));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn judgment(judgment: &Judgment, vocabulary: &dyn Vocabulary) -> Value {
    let mut neighborhoods = json!(judgment.neighborhoods);
    neighborhoods["center"] = json!(judgment.options.center);
    let mut facts = json!({
        "points": judgment.points,
        "input_dim": judgment.input_dim,
        "output_dim": judgment.output_dim,
        "neighborhoods": neighborhoods,
        "measures": values(&judgment.scores, |score| Some(score.value)),
        "lower_bounds": values(&judgment.scores, |score| score.lower_bound),
        "chance": values(&judgment.scores, |score| score.chance.map(|chance| chance.value)),
        "chance_errors": values(&judgment.scores, |score| score.chance.and_then(|chance| chance.error)),
        "skill": skills(&judgment.scores),
        "scale": judgment.scale,
        "verdict": judgment.verdict.as_ref().map(|found| verdict::verdict(judgment, found)),
    });
    let errors = values(&judgment.scores, |score| score.standard_error);
    if !errors.is_empty() {
        facts["standard_errors"] = json!(errors);
    }
    // The measure of paths has sources of its own number, and tells it.
    if errors_beside(&judgment.scores, "distortion") {
        facts["sample"] = json!(judgment.options.sample.of(judgment.points));
    }
    if let Some(found) = &judgment.along_paths {
        facts["along_paths"] = distortion(found);
    }
    if let Some(curve) = &judgment.over_scale {
        facts["over_scale"] = scale_curve(curve);
    }
    if let Some(rest) = &judgment.rest {
        facts["tear"] = json!({
            "share": rest.tear.share(),
            "pairs": rest.tear.pairs().len(),
            "measures": values(&rest.scores, |score| Some(score.value)),
            "lower_bounds": values(&rest.scores, |score| score.lower_bound),
        });
        paths::torn(&mut facts["tear"], rest);
    }
    if let Some(groups) = &judgment.groups {
        facts["labels"] = labels(groups);
    }
    facts["warnings"] = warnings(&judgment.warnings, vocabulary);
    facts
}

/// The agreement of maps for programs.
///
/// ```
/// use truefold::stability::{Map, Stability};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let x = Points::new(4, 1, vec![0.0, 1.0, 3.0, 4.0])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let maps = [Map::new(&x), Map::new(&x)];
/// let found = Stability::default().run(Input::Points(&x), &neighborhoods, &maps, &Run::new())?;
/// let facts = truefold_report::facts::stability(&found);
/// assert_eq!((&facts["counts"]["faithful"], &facts["shape"]["value"]), (&4.into(), &0.0.into()));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn stability(found: &Agreement) -> Value {
    let standing = |standing: &Standing| {
        json!({
            "value": standing.value,
            "best": standing.best,
            "chance": standing.chance,
            "chance_error": standing.chance_error,
            "skill": standing.skill,
            "skill_error": standing.skill_error,
            "left_out": standing.left_out,
        })
    };
    let counts: Map<String, Value> =
        Kind::ALL.iter().map(|&kind| (kind.name().to_owned(), json!(found.count(kind)))).collect();
    json!({
        "points": found.kinds.len(),
        "input_dim": found.input_dim,
        "maps": found.maps.iter().map(|map| json!({"points": map.0, "output_dim": map.1})).collect::<Vec<_>>(),
        "pairs": found.pairs,
        "neighborhoods": found.neighborhoods,
        "level": found.level,
        "shape": standing(&found.shape),
        "neighbors": standing(&found.neighbors),
        "r_c": standing(&found.distortion),
        "counts": counts,
    })
}

/// Warnings as sentences.
pub(crate) fn warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>, vocabulary: &dyn Vocabulary) -> Value {
    warnings.into_iter().map(|warning| warning.worded(vocabulary)).collect()
}

/// Whether a score of another measure than this one has a standard error.
fn errors_beside(scores: &Scores, name: &str) -> bool {
    scores.iter().any(|scored| scored.info.name != name && scored.score.standard_error.is_some())
}

/// A value of each score that has it, under the name of its measure.
fn values(scores: &Scores, pick: impl Fn(&Score) -> Option<f64>) -> Map<String, Value> {
    let entry = |scored: &Scored| pick(&scored.score).map(|value| (scored.info.name.to_owned(), json!(value)));
    scores.iter().filter_map(entry).collect()
}

/// How far each score is from chance towards the best possible, under the name of its measure.
fn skills(scores: &Scores) -> Map<String, Value> {
    scores.iter().filter_map(|scored| Some((scored.info.name.to_owned(), json!(scored.skill()?)))).collect()
}

/// The values, bounds and quotients of scores, each under the name of its measure.
pub(crate) fn scores(scores: &Scores) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("measures".into(), json!(values(scores, |score| Some(score.value))));
    facts.insert("lower_bounds".into(), json!(values(scores, |score| score.lower_bound)));
    facts.insert("times_bound".into(), json!(values(scores, Score::times_bound)));
    facts.insert("chance".into(), json!(values(scores, |score| score.chance.map(|chance| chance.value))));
    facts.insert("skill".into(), json!(skills(scores)));
    let errors = values(scores, |score| score.standard_error);
    if !errors.is_empty() {
        facts.insert("standard_errors".into(), json!(errors));
    }
    facts
}

/// The neighborhoods of a column of a comparison.
pub(crate) fn column(facts: &NeighborhoodFacts) -> Value {
    let mut value = json!({"k": facts.k, "components": facts.components, "origin": origin(&facts.origin)});
    if facts.k.is_none() {
        value["least_k"] = json!(facts.least_k);
        value["largest_k"] = json!(facts.largest_k);
    }
    value
}

/// One embedding of several: its scores, what it cost and what happened.
pub(crate) fn trial(trial: &Trial, vocabulary: &dyn Vocabulary) -> Map<String, Value> {
    let stages: Map<String, Value> =
        trial.info.stages.iter().map(|stage| (stage.stage.clone(), json!(stage.seconds))).collect();
    let mut facts = scores(&trial.judgment.scores);
    let others = [
        ("points", json!(trial.judgment.points)),
        ("verdict", json!(trial.judgment.verdict.as_ref().map(|found| verdict::verdict(&trial.judgment, found)))),
        ("seconds", json!((!trial.seconds.is_nan()).then_some(trial.seconds))),
        ("stages", json!(stages)),
        ("peak_bytes", json!(trial.peak_bytes)),
        ("stop", json!(trial.info.stop)),
        ("facts", json!(trial.info.facts)),
        ("warnings", warnings(trial.warnings(), vocabulary)),
    ];
    facts.extend(others.map(|(name, value)| (name.to_owned(), value)));
    if let Some(groups) = &trial.judgment.groups {
        facts.insert("labels".into(), labels(groups));
    }
    if let Some(curve) = &trial.judgment.over_scale {
        facts.insert("over_scale".into(), scale_curve(curve));
    }
    if let Some(found) = &trial.judgment.along_paths {
        facts.insert("along_paths".into(), distortion(found));
    }
    if let Some(rest) = &trial.judgment.rest {
        let mut torn = json!(scores(&rest.scores));
        torn["share"] = json!(rest.tear.share());
        torn["pairs"] = json!(rest.tear.pairs().len());
        paths::torn(&mut torn, rest);
        facts.insert("tear".into(), torn);
    }
    facts
}
