//! A sweep over k and d: a table for each d, the recommendation in words, CSV and JSON.

use super::records::csv as write_csv;
pub use super::sweep_page::fill;
use super::text::{plain, wrapped};
use super::{facts, find, headline, list, pair, seconds, times};
use crate::{Cell, Table};
use serde_json::{Value, json};
use truefold::compare::Taken;
use truefold::sweep::{Cell as Point, Choice, Confidence, Sweep};

/// One table for each d: every k on its own neighborhoods and on the reference, the chosen k in bold.
pub fn tables(sweep: &Sweep) -> Vec<Table> {
    sweep.dims.iter().map(|&dim| table(sweep, dim)).collect()
}

fn table(sweep: &Sweep, dim: usize) -> Table {
    let choice = sweep.choices.iter().find(|choice| choice.dim == dim);
    let row = |point: &Point| {
        let mut cells = vec![Cell::from(point.k.to_string())];
        match &point.outcome {
            Err(_) => cells.extend(["failed", "", "", "", "", ""].map(Cell::from)),
            Ok(graded) => {
                let shown = |scores: &[Taken]| match (find(scores, "r_n"), find(scores, "r_c")) {
                    (Some(r_n), Some(r_c)) => pair(r_n, r_c),
                    _ => String::new(),
                };
                let quotient =
                    |scores: &[Taken]| times(find(scores, sweep.measure()).and_then(|score| score.times_bound()));
                cells.extend([shown(&graded.own.scores), quotient(&graded.own.scores)].map(Cell::from));
                cells.extend([shown(&graded.reference), quotient(&graded.reference)].map(Cell::from));
                cells.extend([point.components.to_string(), seconds(&graded.own)].map(Cell::from));
                if choice.is_some_and(|choice| choice.k == point.k) {
                    cells[0].best = true;
                    cells[3].best = true;
                }
            }
        }
        cells
    };
    Table {
        title: format!("d = {dim}"),
        note: String::new(),
        header: ["k", "own R_N [R_C]", "times best", "common R_N [R_C]", "times best", "pieces", "seconds"]
            .map(str::to_owned)
            .into(),
        rows: sweep.cells.iter().filter(|point| point.dim == dim).map(row).collect(),
    }
}

/// The recommendation in sentences: what, why, how sure, and what else there is to know.
pub fn recommendation(sweep: &Sweep) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(choice) = &sweep.dimension {
        let how = format!(
            "axis {} of a neighborhood holds {} of it, the next {}; confidence {}",
            choice.dim,
            percent(choice.share),
            percent(choice.next_share),
            choice.confidence.word()
        );
        lines.push(format!("Choose d = {}: {how}.", choice.dim));
    }
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
            "Not compared: k = {}, whose graphs are in more pieces.",
            list(&choice.in_pieces, &sweep.ks)
        ));
    }
    let chosen = sweep.cell(choice.k, choice.dim).and_then(Point::graded);
    let quotient = chosen.and_then(|graded| graded.on_reference(sweep.measure())?.times_bound());
    if let Some(quotient) = quotient.filter(|&quotient| quotient > 2.0 && choice.loss > 0.01) {
        lines.push(format!(
            "Even so it is {} times the best possible: another method may do better.",
            times(Some(quotient))
        ));
    }
    lines
}

fn of_k(sweep: &Sweep, choice: &Choice) -> String {
    let chosen = sweep.cell(choice.k, choice.dim).and_then(Point::graded);
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

fn percent(share: f64) -> String {
    match 100.0 * share {
        share if share >= 9.95 => format!("{share:.0} %"),
        share if share >= 0.095 => format!("{share:.1} %"),
        share if share >= 0.00095 => format!("{share:.3} %"),
        _ => "0 %".to_owned(),
    }
}

/// How to read the tables, what failed and why.
pub fn notes(sweep: &Sweep) -> Vec<String> {
    let mut notes = vec![format!(
        "Own: on the neighborhoods of the same k. Common: on those of k = {}, where k can be compared.",
        sweep.reference_k
    )];
    if !sweep.info.metric_scale {
        notes
            .push(format!("{} normalizes its output: read R_C, in brackets; times best is that of R_C.", sweep.method));
    }
    if !sweep.options.center {
        notes.push("Measured without the centers of the neighborhoods.".to_owned());
    }
    let mut failures: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
    for point in &sweep.cells {
        if let Err(error) = &point.outcome {
            let reason = error.to_string();
            match failures.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, places)) => places.push((point.k, point.dim)),
                None => failures.push((reason, vec![(point.k, point.dim)])),
            }
        }
    }
    for (reason, places) in failures {
        let shown: Vec<String> = places.iter().map(|(k, dim)| format!("k = {k}, d = {dim}")).collect();
        notes.push(format!("{} failed: {reason}.", shown.join("; ")));
    }
    notes
}

/// The sweep for people; `bold` marks the recommendation.
pub fn text(sweep: &Sweep, bold: &dyn Fn(&str) -> String) -> String {
    let mut parts = vec![format!("{}, embedded by {}", headline(sweep.points, sweep.input_dim), sweep.method)];
    parts.extend(tables(sweep).iter().map(|table| table.text(bold)));
    parts.push(notes(sweep).iter().map(|note| wrapped(note)).collect::<Vec<_>>().join("\n"));
    parts.push(recommendation(sweep).iter().map(|line| bold(&wrapped(line))).collect::<Vec<_>>().join("\n"));
    parts.join("\n\n")
}

/// The sweep in Markdown.
pub fn markdown(sweep: &Sweep) -> String {
    let mut parts =
        vec![format!("{}, embedded by {}.\n", headline(sweep.points, sweep.input_dim), plain(&sweep.method))];
    parts.extend(tables(sweep).iter().map(Table::markdown));
    parts.push(recommendation(sweep).iter().map(|line| format!("{}\n", plain(line))).collect());
    parts.push(notes(sweep).iter().map(|note| format!("- {}\n", plain(note))).collect());
    parts.join("\n")
}

/// The sweep as CSV: a line per k and d, all digits.
pub fn csv(sweep: &Sweep) -> String {
    let names = ["r_n", "r_c", "bound", "reference_r_n", "reference_r_c", "reference_bound"];
    let header: Vec<String> = [&["k", "dim", "components"][..], &names, &["seconds", "chosen", "error"]]
        .concat()
        .iter()
        .map(|&name| name.into())
        .collect();
    let record = |point: &Point| {
        let mut record: Vec<String> = [point.k, point.dim, point.components].map(|value| value.to_string()).into();
        match &point.outcome {
            Err(error) => {
                record.resize(header.len() - 1, String::new());
                record.push(error.to_string());
            }
            Ok(graded) => {
                for scores in [&graded.own.scores, &graded.reference] {
                    let value = |name: &str| find(scores, name).map(|score| score.value);
                    let bound = find(scores, "r_n").and_then(|score| score.lower_bound);
                    record.extend(
                        [value("r_n"), value("r_c"), bound]
                            .map(|value| value.map_or(String::new(), |value| value.to_string())),
                    );
                }
                record.push(graded.own.seconds.to_string());
                let is_chosen = sweep.choices.iter().any(|choice| choice.k == point.k && choice.dim == point.dim);
                record.push(is_chosen.to_string());
                record.push(String::new());
            }
        }
        record
    };
    write_csv(&header, &sweep.cells.iter().map(record).collect::<Vec<_>>())
}

/// The sweep for programs.
pub fn json(sweep: &Sweep) -> Value {
    let row = |point: &Point| {
        let mut value = json!({"k": point.k, "dim": point.dim, "components": point.components});
        match &point.outcome {
            Err(error) => value["error"] = json!(error.to_string()),
            Ok(graded) => {
                for (name, fact) in facts::scores(&graded.own.scores).into_iter().chain(facts::trial(&graded.own)) {
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
        "rows": sweep.cells.iter().map(row).collect::<Vec<_>>(),
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
fn confidence(sweep: &Sweep, choice: &Choice) -> Confidence {
    sweep.dimension.map_or(choice.confidence, |dimension| dimension.confidence.min(choice.confidence))
}
