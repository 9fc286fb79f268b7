//! A verdict for programs.

use serde_json::{Map, Value, json};
use truefold::{Judgment, Verdict};

/// The score, its two directions, the counts of the classes and what happens to neighbors.
pub(super) fn verdict(judgment: &Judgment, verdict: &Verdict) -> Value {
    let counts: Map<String, Value> =
        verdict.counts.iter().map(|(class, count)| (class.name().to_owned(), json!(count))).collect();
    let neighbors = &verdict.neighbors;
    let mut facts = json!({
        "score": verdict.score,
        "forward": verdict.forward,
        "reverse": verdict.reverse,
        "counts": counts,
        "level": verdict.level,
        "out_of_reach": verdict.out_of_reach,
        "neighbors": {
            "kept": neighbors.kept,
            "kept_by_chance": neighbors.kept_by_chance,
            "false": neighbors.false_share,
            "missing": neighbors.missing_share,
            "false_by_chance": neighbors.false_by_chance,
            "missing_by_chance": neighbors.missing_by_chance,
            "farther_in_data": neighbors.farther_in_data,
            "farther_in_map": neighbors.farther_in_map,
        },
    });
    if judgment.rest.is_some() {
        facts["score_left"] = json!(judgment.score());
    }
    facts
}
