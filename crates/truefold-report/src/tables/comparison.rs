//! A comparison of methods: a table for each k, notes, CSV, JSON, and its part of a page.

pub use super::comparison_page::fill;
use super::records::csv as write_csv;
use super::text::{plain, wrapped};
use super::{dimensions, facts, headline, list, pair, seconds, short, times};
use crate::{Cell, Table};
use serde_json::{Value, json};
use truefold::compare::{Column, Comparison, Row, Torn, Trial};
use truefold::measure::Score;

/// One table for each set of neighborhoods, the best of each measure in bold.
///
/// R_N and R_C share a cell, `R_N [R_C]`, as in the paper; it is bold where the one of the two that is to be read of the
/// method is the best. Rows that were torn are compared by what is left: their cell of R_N left is.
pub fn tables(comparison: &Comparison) -> Vec<Table> {
    (0..comparison.columns.len()).map(|index| table(comparison, index)).collect()
}

fn table(comparison: &Comparison, index: usize) -> Table {
    let names: Vec<&str> = comparison.measures.iter().map(|info| info.name).collect();
    let is_paired = names.contains(&"r_n") && names.contains(&"r_c");
    let singles: Vec<_> =
        comparison.measures.iter().filter(|info| !(is_paired && matches!(info.name, "r_n" | "r_c"))).collect();
    let has_times = names.contains(&"r_n") || names.contains(&"r_c");
    let has_memory = comparison.rows.iter().filter_map(Row::trial).any(|trial| trial.peak_bytes.is_some());
    let has_torn = comparison.rows.iter().filter_map(Row::trial).any(|trial| trial.torn.is_some());
    let has_left = has_torn && names.contains(&"r_n");
    let mut header = vec!["method".to_owned()];
    header.extend(is_paired.then(|| "R_N [R_C]".to_owned()));
    header.extend(has_times.then(|| "times best".to_owned()));
    header.extend(has_torn.then(|| "torn".to_owned()));
    header.extend(has_left.then(|| "R_N left".to_owned()));
    header.extend(singles.iter().map(|info| info.symbol.to_owned()));
    header.push("seconds".to_owned());
    header.extend(has_memory.then(|| "MB".to_owned()));
    let rows = comparison.rows.iter().filter(|row| row.column == index).map(|row| {
        let normalizes = if row.info.metric_scale { "" } else { "*" };
        let torn = row.trial().and_then(|trial| trial.torn.as_ref());
        let mark = torn.map_or("", |_| TORN);
        let mut cells = vec![Cell::from(format!("{}{normalizes}{mark}", row.method))];
        match &row.outcome {
            Err(_) => {
                cells.push("failed".into());
                cells.resize(header.len(), Cell::default());
            }
            Ok(trial) => {
                let best = |text: String, name: &str| {
                    let cell = Cell::from(text);
                    if comparison.is_best(row, name) { cell.best() } else { cell }
                };
                // What is compared is bold: R_N of what is left has a column of its own.
                if let (true, Some(r_n), Some(r_c)) = (is_paired, trial.score("r_n"), trial.score("r_c")) {
                    let both = pair(r_n, r_c);
                    cells.push(if torn.is_some() { both.into() } else { best(both, row.telling()) });
                }
                if has_times {
                    cells.push(excess(row, trial).map_or(String::new(), |excess| times(Some(excess)) + mark).into());
                }
                if has_torn {
                    cells.push(torn.map_or(String::new(), share).into());
                }
                if has_left {
                    let left = torn.and_then(|torn| torn.score("r_n"));
                    cells.push(left.map_or(Cell::default(), |score| best(short(score.value), row.telling())));
                }
                for info in &singles {
                    let whole = trial.score(info.name).map_or(String::new(), |score| short(score.value));
                    cells.push(match torn.and_then(|torn| torn.score(info.name)) {
                        Some(_) if info.name == "r_n" => whole.into(),
                        Some(left) => best(short(left.value) + mark, info.name),
                        None => best(whole, info.name),
                    });
                }
                cells.push(seconds(trial).into());
                if has_memory {
                    cells.push(trial.peak_bytes.map_or(String::new(), |bytes| (bytes >> 20).to_string()).into());
                }
            }
        }
        cells
    });
    Table { title: title(comparison, index), note: String::new(), rows: rows.collect(), header }
}

/// The mark of what is told of the neighborhoods that are left.
const TORN: &str = "\u{2020}";

/// The torn share of the memberships in percent.
fn share(torn: &Torn) -> String {
    format!("{:.2} %", 100.0 * torn.tear.share())
}

/// How many times the best possible: R_N of methods that keep distances, R_C of those that normalize; of what is left
/// where something was torn.
fn excess(row: &Row, trial: &Trial) -> Option<f64> {
    let times = |name: &str| trial.compared(name).and_then(Score::times_bound);
    times(row.telling()).or_else(|| times("r_n"))
}

/// The neighborhoods in words, and the best possible value on them.
fn title(comparison: &Comparison, index: usize) -> String {
    let column = &comparison.columns[index];
    let whole = comparison.rows.iter().filter(|row| row.column == index).filter_map(Row::trial);
    let bound = whole
        .filter(|trial| trial.measured == comparison.points)
        .find_map(|trial| ["r_n", "r_c", "r_a"].iter().find_map(|name| trial.score(name)?.lower_bound));
    let bound = bound.map_or(String::new(), |bound| format!("; best possible R_N {}", short(bound)));
    let pieces = if column.components == 1 { "connected component" } else { "connected components" };
    format!("{} ({}; {} {pieces}){bound}", size(column), facts::origin(&column.origin), column.components)
}

fn size(column: &Column) -> String {
    match column.k {
        Some(k) => format!("k = {k}"),
        None => format!("{} to {} neighbors", column.least_k, column.largest_k),
    }
}

/// What a reader should know beside the tables: how to read them, what failed and why, warnings.
pub fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    let normalizes = |row: &Row| !row.info.metric_scale && row.outcome.is_ok();
    if comparison.rows.iter().any(normalizes) && comparison.measures.iter().any(|info| info.name == "r_c") {
        notes.push("* normalizes its output: read R_C, in brackets; times best is that of R_C.".to_owned());
    }
    if !comparison.options.center {
        notes.push("Measured without the centers of the neighborhoods.".to_owned());
    }
    if comparison.rows.iter().filter_map(Row::trial).any(|trial| trial.peak_bytes.is_some()) {
        notes.push("MB is the most that the whole process held while the method ran.".to_owned());
    }
    if comparison.rows.iter().filter_map(Row::trial).any(|trial| trial.torn.is_some()) {
        notes.push(format!(
            "{TORN} torn, and compared by what is left: R_N left and numbers with this mark are those of the \
             neighborhoods without the torn pairs; in all other numbers these count."
        ));
    }
    for (rows, text) in
        grouped(comparison, |row| row.outcome.as_ref().err().map(ToString::to_string).into_iter().collect())
    {
        notes.push(format!("{rows} failed: {text}."));
    }
    for (rows, text) in grouped(comparison, |row| {
        row.trial().map_or(Vec::new(), |trial| trial.warnings().iter().map(ToString::to_string).collect())
    }) {
        notes.push(format!("{rows}: {text}."));
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
    let data = headline(comparison.points, comparison.input_dim);
    format!("{data}, embedded in {}", dimensions(comparison.dim))
}

/// The comparison for people, in 80 columns where they suffice; `bold` marks the best.
pub fn text(comparison: &Comparison, bold: &dyn Fn(&str) -> String) -> String {
    let mut parts = vec![heading(comparison)];
    parts.extend(tables(comparison).iter().map(|table| table.text(bold)));
    let notes = notes(comparison);
    if !notes.is_empty() {
        parts.push(notes.iter().map(|note| wrapped(note)).collect::<Vec<_>>().join("\n"));
    }
    parts.join("\n\n")
}

/// The comparison in Markdown.
pub fn markdown(comparison: &Comparison) -> String {
    let mut parts = vec![format!("{}.\n", heading(comparison))];
    parts.extend(tables(comparison).iter().map(Table::markdown));
    let notes: Vec<String> = notes(comparison).iter().map(|note| format!("- {}\n", plain(note))).collect();
    if !notes.is_empty() {
        parts.push(notes.concat());
    }
    parts.join("\n")
}

/// The comparison as CSV: a line per row, all digits, the bounds beside the values; `best` names the measures in which
/// the row is best.
pub fn csv(comparison: &Comparison) -> String {
    let mut header: Vec<String> = ["method", "k", "points"].map(str::to_owned).into();
    let trials = || comparison.rows.iter().filter_map(Row::trial);
    let bounded = |name: &str| trials().any(|trial| trial.score(name).is_some_and(|score| score.lower_bound.is_some()));
    for info in &comparison.measures {
        header.push(info.name.to_owned());
        header.extend(bounded(info.name).then(|| format!("{}_bound", info.name)));
    }
    let has_torn = trials().any(|trial| trial.torn.is_some());
    if has_torn {
        header.extend(["torn_share", "left_r_n", "left_r_n_bound", "compared_on"].map(str::to_owned));
    }
    header.extend(["seconds", "peak_bytes", "best", "error"].map(str::to_owned));
    let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let record = |row: &Row| {
        let trial = row.trial();
        let mut record = vec![row.method.clone(), row.k.map_or(String::new(), |k| k.to_string())];
        record.push(trial.map_or(String::new(), |trial| trial.measured.to_string()));
        for info in &comparison.measures {
            let score = trial.and_then(|trial| trial.score(info.name));
            record.push(text(score.map(|score| score.value)));
            record.extend(bounded(info.name).then(|| text(score.and_then(|score| score.lower_bound))));
        }
        if has_torn {
            let torn = trial.and_then(|trial| trial.torn.as_ref());
            let left = torn.and_then(|torn| torn.score("r_n"));
            record.push(text(torn.map(|torn| torn.tear.share())));
            record.push(text(left.map(|score| score.value)));
            record.push(text(left.and_then(|score| score.lower_bound)));
            record.push(trial.map_or(String::new(), |trial| compared_on(trial).to_owned()));
        }
        record.push(text(trial.map(|trial| trial.seconds)));
        record.push(trial.and_then(|trial| trial.peak_bytes).map_or(String::new(), |bytes| bytes.to_string()));
        record.push(best(comparison, row).join(" "));
        record.push(row.outcome.as_ref().err().map_or(String::new(), ToString::to_string));
        record
    };
    write_csv(&header, &comparison.rows.iter().map(record).collect::<Vec<_>>())
}

/// The neighborhoods by which a row is compared with others.
fn compared_on(trial: &Trial) -> &'static str {
    if trial.torn.is_some() { "left" } else { "whole" }
}

fn best(comparison: &Comparison, row: &Row) -> Vec<&'static str> {
    comparison.measures.iter().map(|info| info.name).filter(|name| comparison.is_best(row, name)).collect()
}

/// The comparison for programs.
pub fn json(comparison: &Comparison) -> Value {
    let column = |column: &Column| {
        let mut value =
            json!({"k": column.k, "components": column.components, "origin": facts::origin(&column.origin)});
        if column.k.is_none() {
            value["least_k"] = json!(column.least_k);
            value["largest_k"] = json!(column.largest_k);
        }
        value
    };
    let row = |row: &Row| {
        let mut value = json!({"method": row.method, "k": row.k, "parameters": row.parameters});
        match &row.outcome {
            Err(error) => value["error"] = json!(error.to_string()),
            Ok(trial) => {
                for (name, fact) in facts::scores(&trial.scores).into_iter().chain(facts::trial(trial)) {
                    value[name] = fact;
                }
                value["compared_on"] = json!(compared_on(trial));
                value["best"] = json!(best(comparison, row));
            }
        }
        value
    };
    json!({
        "points": comparison.points,
        "input_dim": comparison.input_dim,
        "output_dim": comparison.dim,
        "center": comparison.options.center,
        "sample": comparison.options.sample,
        "seed": comparison.seed,
        "neighborhoods": comparison.columns.iter().map(column).collect::<Vec<_>>(),
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
    })
}
