//! A sweep over k and d: a table for each d, the recommendation in words, CSV and JSON.

use super::pair;
pub use super::sweep_page::fill;
use crate::words::{self, Voice, list, markdown as plain, percent, seconds, times, wrapped};
use crate::{Cell, Table, facts};
use serde_json::{Value, json};
use truefold::Scores;
use truefold::error::Vocabulary;
use truefold::sweep::{Candidate, Confidence, DimensionChoice, NeighborsChoice, Sweep};

/// One table for each d: every k on its own neighborhoods and on the reference, the chosen k in bold.
pub fn tables(sweep: &Sweep) -> Vec<Table> {
    sweep.dims.iter().map(|&dim| table(sweep, dim)).collect()
}

fn table(sweep: &Sweep, dim: usize) -> Table {
    let choice = sweep.choices.iter().find(|choice| choice.dim == dim);
    let row = |candidate: &Candidate| {
        let mut cells = vec![Cell::from(candidate.k.to_string())];
        match &candidate.outcome {
            Err(_) => cells.extend(["failed", "", "", "", "", ""].map(Cell::from)),
            Ok(graded) => {
                let shown = |scores: &Scores| match (scores.get("r_n"), scores.get("r_c")) {
                    (Some(r_n), Some(r_c)) => pair(r_n, r_c),
                    _ => String::new(),
                };
                let quotient =
                    |scores: &Scores| times(scores.get(sweep.measure()).and_then(|score| score.times_bound()));
                cells.extend(
                    [shown(&graded.own.judgment.scores), quotient(&graded.own.judgment.scores)].map(Cell::from),
                );
                cells.extend([shown(&graded.reference), quotient(&graded.reference)].map(Cell::from));
                cells.extend([candidate.components.to_string(), seconds(graded.own.seconds)].map(Cell::from));
                if choice.is_some_and(|choice| choice.k == candidate.k) {
                    cells[0].best = true;
                    cells[3].best = true;
                }
            }
        }
        cells
    };
    Table {
        title: format!("d = {dim}"),
        header: ["k", "own R_N [R_C]", "times best", "common R_N [R_C]", "times best", "components", "seconds"]
            .map(str::to_owned)
            .into(),
        rows: sweep.candidates.iter().filter(|candidate| candidate.dim == dim).map(row).collect(),
        ..Table::default()
    }
}

/// The recommendation in sentences: what, why, how sure, and what else there is to know.
pub fn recommendation(sweep: &Sweep) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(sweep.dimension.as_ref().map(of_dim));
    let Some(choice) = sweep.recommended() else {
        lines.push(format!("{} gave no embedding that could be judged.", sweep.method));
        return lines;
    };
    lines.push(of_k(sweep, choice));
    if choice.at_edge {
        let (end, side) = if choice.k == sweep.ks[0] { ("smallest", "smaller") } else { ("largest", "larger") };
        lines.push(format!("It is the {end} k of the sweep: {side} ones may do as well or better."));
    }
    if !choice.in_pieces.is_empty() {
        lines.push(format!(
            "Not compared: k = {}, whose graphs have more connected components.",
            list(&choice.in_pieces, &sweep.ks)
        ));
    }
    let chosen = sweep.candidate(choice.k, choice.dim).and_then(Candidate::graded);
    let quotient = chosen.and_then(|graded| graded.on_reference(sweep.measure())?.times_bound());
    if let Some(quotient) = quotient.filter(|&quotient| quotient > 2.0 && choice.loss > 0.01) {
        lines.push(format!(
            "Even so, it is {} times the best possible: another method may do better.",
            times(Some(quotient))
        ));
    }
    lines
}

fn of_dim(choice: &DimensionChoice) -> String {
    let sure = choice.confidence.word();
    if !choice.determined {
        return format!(
            "No d of this sweep holds the neighborhoods: {} of one lies past {} axes. d = {} loses least, and more may be \
             needed; confidence {sure}.",
            percent(choice.left),
            choice.dim,
            choice.dim
        );
    }
    format!(
        "Choose d = {}: axis {} of a neighborhood holds {} of it, the next {}; confidence {sure}.",
        choice.dim,
        choice.dim,
        percent(choice.share),
        percent(choice.next_share)
    )
}

fn of_k(sweep: &Sweep, choice: &NeighborsChoice) -> String {
    let chosen = sweep.candidate(choice.k, choice.dim).and_then(Candidate::graded);
    let bound = chosen.and_then(|graded| graded.on_reference(sweep.measure())?.lower_bound);
    let best = bound.map_or(String::new(), |bound| format!(" (best possible {})", percent(bound)));
    let what = format!("Choose k = {}: {} of a common neighborhood is lost{best}", choice.k, percent(choice.loss));
    let others = match choice.as_good.as_slice() {
        [_] => String::new(),
        all => format!("; k = {} are as good", list(all, &sweep.ks)),
    };
    let why = match choice.rival {
        Some(rival) if rival.standard_error > 0.0 => format!(
            "; the nearest other, k = {}, loses {} more ({:.1} standard errors)",
            rival.k,
            percent(rival.difference),
            rival.difference / rival.standard_error
        ),
        Some(rival) => format!("; the nearest other, k = {}, loses {} more", rival.k, percent(rival.difference)),
        None if choice.as_good.len() > 1 => "; this sweep cannot tell them apart".to_owned(),
        None => "; there is no other to compare it with".to_owned(),
    };
    format!("{what}{others}{why}; confidence {}.", choice.confidence.word())
}

/// How to read the tables, what failed and why.
pub fn notes(sweep: &Sweep, vocabulary: &dyn Vocabulary) -> Vec<String> {
    let mut notes = vec![
        format!(
            "Own: on the neighborhoods of the same k. Common: on those of k = {}, where k can be compared.",
            sweep.reference_k
        ),
        "Bold: the k to choose, the smallest that is as good as the best. For that choice every neighborhood counts as \
         at most 1, so that the mean shown here may not be the lowest."
            .to_owned(),
    ];
    if !sweep.info.metric_scale {
        notes
            .push(format!("{} normalizes its output: read R_C, in brackets; times best is that of R_C.", sweep.method));
    }
    if !sweep.options.center {
        notes.push("Measured without the centers of the neighborhoods.".to_owned());
    }
    let mut failures: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
    for candidate in &sweep.candidates {
        if let Err(error) = &candidate.outcome {
            let reason = error.worded(vocabulary);
            match failures.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, places)) => places.push((candidate.k, candidate.dim)),
                None => failures.push((reason, vec![(candidate.k, candidate.dim)])),
            }
        }
    }
    for (reason, places) in failures {
        let shown: Vec<String> = places.iter().map(|(k, dim)| format!("k = {k}, d = {dim}")).collect();
        notes.push(format!("{} failed: {reason}.", shown.join("; ")));
    }
    notes
}

/// The sweep for people; the recommendation is bold.
pub fn text(sweep: &Sweep, voice: &Voice<'_>) -> String {
    let mut parts = vec![format!("{}, embedded by {}", words::data(sweep.points, sweep.input_dim), sweep.method)];
    parts.extend(tables(sweep).iter().map(|table| table.text(voice.bold)));
    parts.push(notes(sweep, voice.vocabulary).iter().map(|note| wrapped(note)).collect::<Vec<_>>().join("\n"));
    parts.push(recommendation(sweep).iter().map(|line| (voice.bold)(&wrapped(line))).collect::<Vec<_>>().join("\n"));
    parts.join("\n\n")
}

/// The sweep in Markdown.
pub fn markdown(sweep: &Sweep, vocabulary: &dyn Vocabulary) -> String {
    let mut parts =
        vec![format!("{}, embedded by {}.\n", words::data(sweep.points, sweep.input_dim), plain(&sweep.method))];
    parts.extend(tables(sweep).iter().map(Table::markdown));
    parts.push(recommendation(sweep).iter().map(|line| format!("{}\n", plain(line))).collect());
    parts.push(notes(sweep, vocabulary).iter().map(|note| format!("- {}\n", plain(note))).collect());
    parts.join("\n")
}

/// The sweep as CSV: a line per k and d, all digits.
pub fn csv(sweep: &Sweep, vocabulary: &dyn Vocabulary) -> String {
    let names = ["r_n", "r_c", "bound", "reference_r_n", "reference_r_c", "reference_bound"];
    let header: Vec<String> = [&["k", "dim", "components"][..], &names, &["seconds", "chosen", "error"]]
        .concat()
        .iter()
        .map(|&name| name.into())
        .collect();
    let record = |candidate: &Candidate| {
        let mut record: Vec<String> =
            [candidate.k, candidate.dim, candidate.components].map(|value| value.to_string()).into();
        match &candidate.outcome {
            Err(error) => {
                record.resize(header.len() - 1, String::new());
                record.push(error.worded(vocabulary));
            }
            Ok(graded) => {
                for scores in [&graded.own.judgment.scores, &graded.reference] {
                    let value = |name: &str| scores.get(name).map(|score| score.value);
                    let bound = scores.get("r_n").and_then(|score| score.lower_bound);
                    record.extend(
                        [value("r_n"), value("r_c"), bound]
                            .map(|value| value.map_or(String::new(), |value| value.to_string())),
                    );
                }
                record.push(graded.own.seconds.to_string());
                let is_chosen =
                    sweep.choices.iter().any(|choice| choice.k == candidate.k && choice.dim == candidate.dim);
                record.push(is_chosen.to_string());
                record.push(String::new());
            }
        }
        record
    };
    words::csv(&header, &sweep.candidates.iter().map(record).collect::<Vec<_>>())
}

/// The sweep for programs.
pub fn json(sweep: &Sweep, vocabulary: &dyn Vocabulary) -> Value {
    let row = |candidate: &Candidate| {
        let mut value = json!({"k": candidate.k, "dim": candidate.dim, "components": candidate.components});
        match &candidate.outcome {
            Err(error) => value["error"] = json!(error.worded(vocabulary)),
            Ok(graded) => {
                for (name, fact) in facts::trial(&graded.own, vocabulary) {
                    value[name] = fact;
                }
                value["reference"] = json!(facts::scores(&graded.reference));
            }
        }
        value
    };
    json!({
        "method": sweep.method,
        "parameters": sweep.parameters,
        "points": sweep.points,
        "input_dim": sweep.input_dim,
        "center": sweep.options.center,
        "seed": sweep.seed,
        "reference_k": sweep.reference_k,
        "measure": sweep.measure(),
        "axis_shares": sweep.spectrum,
        "rows": sweep.candidates.iter().map(row).collect::<Vec<_>>(),
        "choices": sweep.choices,
        "recommendation": sweep.recommended().map(|choice| json!({
            "k": choice.k,
            "dim": choice.dim,
            "confidence": confidence(sweep, choice),
            "dimension": sweep.dimension,
            "text": recommendation(sweep),
        })),
    })
}

/// The lesser of the confidences in k and in d.
fn confidence(sweep: &Sweep, choice: &NeighborsChoice) -> Confidence {
    sweep.dimension.map_or(choice.confidence, |dimension| dimension.confidence.min(choice.confidence))
}
