//! What JSON says about scores, and about one embedding.

use serde_json::{Map, Value, json};
use truefold::compare::{Taken, Trial};
use truefold::measure::Score;
use truefold::{Metric, Origin, Reach};

/// The values, bounds and quotients of scores, each under the name of its measure.
pub(super) fn scores(scores: &[Taken]) -> Map<String, Value> {
    let collect = |pick: &dyn Fn(&Score) -> Option<f64>| -> Map<String, Value> {
        let entry = |taken: &Taken| pick(&taken.score).map(|value| (taken.info.name.to_owned(), json!(value)));
        scores.iter().filter_map(entry).collect()
    };
    let mut facts = Map::new();
    facts.insert("measures".into(), json!(collect(&|score| Some(score.value))));
    facts.insert("lower_bounds".into(), json!(collect(&|score| score.lower_bound)));
    facts.insert("times_bound".into(), json!(collect(&Score::times_bound)));
    let errors = collect(&|score| score.standard_error);
    if !errors.is_empty() {
        facts.insert("standard_errors".into(), json!(errors));
    }
    facts
}

/// What an embedding cost and what happened.
pub(super) fn trial(trial: &Trial) -> Map<String, Value> {
    let stages: Map<String, Value> =
        trial.info.stages.iter().map(|stage| (stage.stage.clone(), json!(stage.seconds))).collect();
    let facts = json!({
        "points": trial.measured,
        "seconds": trial.seconds,
        "stages": stages,
        "peak_bytes": trial.peak_bytes,
        "stop": trial.info.stop,
        "facts": trial.info.facts,
        "warnings": trial.warnings(),
    });
    let mut facts = match facts {
        Value::Object(facts) => facts,
        _ => Map::new(),
    };
    if let Some(torn) = &trial.torn {
        let mut tear = scores(&torn.scores);
        tear.insert("share".into(), json!(torn.tear.share()));
        tear.insert("pairs".into(), json!(torn.tear.pairs().len()));
        facts.insert("tear".into(), Value::Object(tear));
    }
    facts
}

/// Where neighborhoods come from, in words.
pub(super) fn origin(origin: &Origin) -> String {
    let reach = |reach: &Reach| match reach {
        Reach::Within(radius) => format!(", within {}", super::short(*radius)),
        Reach::Nearest(_) => String::new(),
    };
    let searched = |metric: &Metric, how: &Reach| format!("{metric}{}", reach(how));
    match origin {
        Origin::Exact { reach, metric, .. } => searched(metric, reach),
        Origin::Approximate { reach, metric, recall, .. } => {
            format!("{}, approximate: {:.1} % of the true ones", searched(metric, reach), 100.0 * recall)
        }
        Origin::Distances { reach: how } => format!("given distances{}", reach(how)),
        _ => "given".to_owned(),
    }
}
