//! A comparison of methods: a table for each k, notes, CSV, JSON, and its part of a page.

pub use super::comparison_page::fill;
use super::comparison_table::{TORN, table};
use crate::words::{self, Voice, dimensions, list, markdown as plain, percent, wrapped};
use crate::{Table, facts};
use serde_json::{Value, json};
use truefold::compare::{Comparison, Row, Trial};
use truefold::error::Vocabulary;

/// One table for each set of neighborhoods, the best of each measure in bold.
///
/// R_N and R_C share a cell, `R_N [R_C]`, as in the paper. It is bold where the one that counts for the method is the
/// best: R_N for methods that keep distances, R_C for those that normalize their output. Rows that were torn are
/// compared by what is left, so that their cell of R_N left is bold.
pub fn tables(comparison: &Comparison) -> Vec<Table> {
    (0..comparison.columns.len()).map(|index| table(comparison, index)).collect()
}

/// What a reader should know beside the tables: how to read them, what failed and why, warnings.
pub fn notes(comparison: &Comparison, vocabulary: &dyn Vocabulary) -> Vec<String> {
    let mut notes = Vec::new();
    let normalizes = |row: &Row| row.has_own_scale() && row.outcome.is_ok();
    notes.extend(recommended(comparison));
    if comparison.rows.iter().any(normalizes) && comparison.measures.iter().any(|info| info.name == "r_c") {
        notes.push("* has a scale of its own: read R_C, in brackets; times best is that of R_C.".to_owned());
    }
    if let Some(groups) = comparison.rows.iter().filter_map(Row::trial).find_map(|trial| trial.judgment.groups.as_ref())
    {
        let told = percent(groups.accuracy.data);
        notes.push(format!(
            "Labels told: the share of points whose neighbors have mostly their label; in the data {told}."
        ));
    }
    if !comparison.options.center {
        notes.push("Measured without the centers of the neighborhoods.".to_owned());
    }
    if comparison.rows.iter().filter_map(Row::trial).any(|trial| trial.peak_bytes.is_some()) {
        notes.push("MB is the most memory that the whole process held while the method ran.".to_owned());
    }
    if comparison.rows.iter().filter_map(Row::trial).any(|trial| trial.judgment.rest.is_some()) {
        notes.push(format!(
            "{TORN} was torn, and is compared by what is left: the score, R_N left (left) and numbers with this mark are \
             measured on the neighborhoods without the torn pairs, all other numbers with them."
        ));
    }
    for (rows, text) in grouped(comparison, |row| {
        row.outcome.as_ref().err().map(|error| error.worded(vocabulary)).into_iter().collect()
    }) {
        notes.push(format!("{rows} failed: {text}."));
    }
    for (rows, text) in grouped(comparison, |row| {
        row.trial().map_or(Vec::new(), |trial| trial.warnings().map(|warning| warning.worded(vocabulary)).collect())
    }) {
        notes.push(format!("{rows}: {text}."));
    }
    notes
}

/// Which row to prefer, by the score that looks both ways.
fn recommended(comparison: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    for (index, column) in comparison.columns.iter().enumerate() {
        let Some((row, trial)) = comparison.ranked(index).into_iter().find_map(|row| Some((row, row.trial()?))) else {
            continue;
        };
        let (Some(verdict), Some(score)) = (&trial.judgment.verdict, trial.judgment.score()) else { continue };
        let k = match column.k.filter(|_| comparison.columns.len() > 1) {
            Some(k) => format!(" at k = {k}"),
            None => String::new(),
        };
        let why = match verdict.leads_with_neighbors() {
            true => format!(
                "; {} can hold {} of the shape of an average neighborhood, so read neighbors, not distances",
                dimensions(comparison.dim),
                percent(1.0 - verdict.out_of_reach)
            ),
            false => String::new(),
        };
        let name = &row.method;
        notes.push(format!(
            "Best{k} by the score: {name}, {score:.3} of 1 (1 the best possible, 0 chance, both ways){why}."
        ));
    }
    notes
}

/// Each text once, before it the methods and k that it belongs to.
fn grouped(comparison: &Comparison, texts: impl Fn(&Row) -> Vec<String>) -> Vec<(String, String)> {
    let mut of_method: Vec<(String, Vec<&str>, Vec<usize>)> = Vec::new();
    for row in &comparison.rows {
        for text in texts(row) {
            match of_method.iter_mut().find(|(known, methods, _)| *known == text && methods[0] == row.method) {
                Some((_, _, columns)) => columns.push(row.column),
                None => of_method.push((text, vec![&row.method], vec![row.column])),
            }
        }
    }
    let mut merged: Vec<(String, Vec<&str>, Vec<usize>)> = Vec::new();
    for (text, methods, columns) in of_method {
        match merged.iter_mut().find(|(known, _, others)| *known == text && *others == columns) {
            Some((_, known, _)) => known.extend(methods),
            None => merged.push((text, methods, columns)),
        }
    }
    let all: Vec<usize> = comparison.columns.iter().filter_map(|column| column.k).collect();
    let named = |(text, methods, columns): (String, Vec<&str>, Vec<usize>)| {
        let ks: Vec<usize> = columns.iter().filter_map(|&column| comparison.columns[column].k).collect();
        let place = if ks.is_empty() { String::new() } else { format!(", k = {}", list(&ks, &all)) };
        (format!("{}{place}", methods.join(", ")), text)
    };
    merged.into_iter().map(named).collect()
}

fn heading(comparison: &Comparison) -> String {
    let data = words::data(comparison.points, comparison.input_dim);
    format!("{data}, embedded in {}", dimensions(comparison.dim))
}

/// The comparison for people, in lines of 80 letters where that is enough; the best are bold.
pub fn text(comparison: &Comparison, voice: &Voice<'_>) -> String {
    let mut parts = vec![heading(comparison)];
    parts.extend(tables(comparison).iter().map(|table| table.text(voice.bold)));
    let notes = notes(comparison, voice.vocabulary);
    if !notes.is_empty() {
        parts.push(notes.iter().map(|note| wrapped(note)).collect::<Vec<_>>().join("\n"));
    }
    parts.join("\n\n")
}

/// The comparison in Markdown.
pub fn markdown(comparison: &Comparison, vocabulary: &dyn Vocabulary) -> String {
    let mut parts = vec![format!("{}.\n", heading(comparison))];
    parts.extend(tables(comparison).iter().map(Table::markdown));
    let notes: Vec<String> = notes(comparison, vocabulary).iter().map(|note| format!("- {}\n", plain(note))).collect();
    if !notes.is_empty() {
        parts.push(notes.concat());
    }
    parts.join("\n")
}

/// The comparison as CSV: a line per row, all digits, the bounds beside the values; `best` names the measures in which
/// the row is best.
pub fn csv(comparison: &Comparison, vocabulary: &dyn Vocabulary) -> String {
    let mut header: Vec<String> = ["method", "k", "points", "score", "forward", "reverse"].map(str::to_owned).into();
    let trials = || comparison.rows.iter().filter_map(Row::trial);
    let bounded = |name: &str| trials().any(|trial| trial.score(name).is_some_and(|score| score.lower_bound.is_some()));
    for info in &comparison.measures {
        header.push(info.name.to_owned());
        header.extend(bounded(info.name).then(|| format!("{}_bound", info.name)));
    }
    let has_torn = trials().any(|trial| trial.judgment.rest.is_some());
    if has_torn {
        header.extend(["torn_share", "left_r_n", "left_r_n_bound", "compared_on"].map(str::to_owned));
    }
    header.extend(["seconds", "peak_bytes", "best", "error"].map(str::to_owned));
    let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let record = |row: &Row| {
        let trial = row.trial();
        let mut record = vec![row.method.clone(), row.k.map_or(String::new(), |k| k.to_string())];
        record.push(trial.map_or(String::new(), |trial| trial.judgment.points.to_string()));
        let verdict = trial.and_then(|trial| trial.judgment.verdict.as_ref());
        record.push(text(trial.and_then(|trial| trial.judgment.score())));
        record.push(text(verdict.map(|verdict| verdict.forward)));
        record.push(text(verdict.map(|verdict| verdict.reverse)));
        for info in &comparison.measures {
            let score = trial.and_then(|trial| trial.score(info.name));
            record.push(text(score.map(|score| score.value)));
            record.extend(bounded(info.name).then(|| text(score.and_then(|score| score.lower_bound))));
        }
        if has_torn {
            let rest = trial.and_then(|trial| trial.judgment.rest.as_ref());
            let left = rest.and_then(|rest| rest.scores.get("r_n"));
            record.push(text(rest.map(|rest| rest.tear.share())));
            record.push(text(left.map(|score| score.value)));
            record.push(text(left.and_then(|score| score.lower_bound)));
            record.push(trial.map_or(String::new(), |trial| compared_on(trial).to_owned()));
        }
        record.push(text(trial.map(|trial| trial.seconds).filter(|seconds| !seconds.is_nan())));
        record.push(trial.and_then(|trial| trial.peak_bytes).map_or(String::new(), |bytes| bytes.to_string()));
        record.push(best(comparison, row).join(" "));
        record.push(row.outcome.as_ref().err().map_or(String::new(), |error| error.worded(vocabulary)));
        record
    };
    words::csv(&header, &comparison.rows.iter().map(record).collect::<Vec<_>>())
}

/// The neighborhoods by which a row is compared with others.
fn compared_on(trial: &Trial) -> &'static str {
    if trial.judgment.rest.is_some() { "left" } else { "whole" }
}

fn best(comparison: &Comparison, row: &Row) -> Vec<&'static str> {
    let score = comparison.has_best_score(row).then_some("score");
    let measures = comparison.measures.iter().map(|info| info.name).filter(|name| comparison.is_best(row, name));
    score.into_iter().chain(measures).collect()
}

/// The comparison for programs.
pub fn json(comparison: &Comparison, vocabulary: &dyn Vocabulary) -> Value {
    let row = |row: &Row| {
        let mut value = json!({"method": row.method, "k": row.k, "parameters": row.parameters});
        match &row.outcome {
            Err(error) => value["error"] = json!(error.worded(vocabulary)),
            Ok(trial) => {
                for (name, fact) in facts::trial(trial, vocabulary) {
                    value[name] = fact;
                }
                value["compared_on"] = json!(compared_on(trial));
                value["best"] = json!(best(comparison, row));
                let place = comparison.ranked(row.column).iter().position(|other| std::ptr::eq(*other, row));
                value["rank"] = json!(place.map(|place| place + 1));
            }
        }
        value
    };
    json!({
        "points": comparison.points,
        "input_dim": comparison.input_dim,
        "output_dim": comparison.dim,
        "center": comparison.options.center,
        "sample": comparison.options.sample.of(comparison.points),
        "seed": comparison.seed,
        "neighborhoods": comparison.columns.iter().map(facts::column).collect::<Vec<_>>(),
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
    })
}
