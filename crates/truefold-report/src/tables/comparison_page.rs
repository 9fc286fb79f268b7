//! A comparison on a page: its tables, curves over k, and the embeddings.

use super::comparison::{json as facts_of, notes, tables};
use super::comparison_table::share;
use super::pair;
use crate::words::{self, short};
use crate::{Axis, Chart, Panel, Report, Series, Table, judged, scale_chart};
use serde_json::json;
use truefold::compare::{Comparison, Row, Trial};
use truefold::error::Vocabulary;
use truefold::groups::GroupJudgment;

/// Adds the tables, the curves over k and the embeddings that were kept to a report, and the rows to its facts.
pub fn fill<'a>(report: &mut Report<'a>, comparison: &'a Comparison, vocabulary: &dyn Vocabulary) {
    report.tables.extend(tables(comparison));
    if let Some(last) = report.tables.last_mut() {
        last.note = notes(comparison, vocabulary).join(" ");
    }
    report.charts.extend(chart(comparison));
    let ranked = || (0..comparison.columns.len()).flat_map(|column| comparison.ranked(column));
    report.charts.extend(scale_chart(
        ranked().filter_map(|row| Some((name(comparison, row), row.trial()?.judgment.over_scale.as_ref()?))),
    ));
    for row in ranked() {
        let Some((trial, points)) = row.trial().and_then(|trial| Some((trial, trial.points.as_ref()?))) else {
            continue;
        };
        let caption = match (trial.score("r_n"), trial.score("r_c")) {
            (Some(r_n), Some(r_c)) => format!("R_N [R_C] {}", pair(r_n, r_c)),
            _ => String::new(),
        };
        let rest = trial.judgment.rest.as_ref();
        let caption = match (rest, rest.and_then(|rest| rest.scores.get("r_n"))) {
            (Some(rest), Some(left)) => {
                format!("torn {}, R_N left {}; {caption}", share(rest), short(left.value))
            }
            _ => caption,
        };
        let score = trial.judgment.score().map_or(String::new(), |score| format!("score {score:.3}; "));
        if let Some(found) = &trial.judgment.groups {
            report.tables.extend(label_tables(&name(comparison, row), found));
        }
        report
            .panels
            .push(Panel { caption: score + &caption, ..judged(name(comparison, row), points, &trial.judgment) });
    }
    lead_with_common(&mut report.panels, comparison);
    if report.facts.is_null() {
        report.facts = json!({});
    }
    if let Some(facts) = report.facts.as_object_mut() {
        facts.insert("comparison".into(), facts_of(comparison, vocabulary));
    }
}

/// Puts the same channel first in all panels: R_C where any of the maps has a scale of its own, so that it is not lost in one
/// flat color, otherwise R_N.
fn lead_with_common(panels: &mut [Panel<'_>], comparison: &Comparison) {
    let is_scaled = comparison.rows.iter().any(|row| row.trial().is_some() && row.has_own_scale());
    let symbol = if is_scaled { "R_C" } else { "R_N" };
    for panel in panels {
        panel.channels.sort_by_key(|channel| channel.name != symbol);
    }
}

/// The name of a row on the page.
fn name(comparison: &Comparison, row: &Row) -> String {
    match row.k {
        Some(k) if comparison.columns.len() > 1 => format!("{}, k = {k}", row.method),
        _ => row.method.clone(),
    }
}

/// What an embedding does to labels: a row for each, and whose their false neighbors are.
fn label_tables(name: &str, found: &GroupJudgment) -> Vec<Table> {
    let grouped = words::groups(found);
    let titled = |table: Table| {
        let title = if table.title.is_empty() { "Labels" } else { &table.title };
        Table { title: format!("{name}: {title}"), ..table }
    };
    std::iter::once(grouped.table).chain(grouped.matrix).map(titled).collect()
}

/// The measure to read of every method over k, where there are several k.
fn chart(comparison: &Comparison) -> Option<Chart> {
    let taken = |name: &str| comparison.measures.iter().any(|info| info.name == name);
    if comparison.columns.iter().filter(|column| column.k.is_some()).count() < 2 || !taken("r_n") || !taken("r_c") {
        return None;
    }
    let mut series: Vec<Series> = Vec::new();
    let mut bounds: Vec<(f64, f64)> = Vec::new();
    let mut sorted: Vec<&Row> = comparison.rows.iter().filter(|row| row.k.is_some()).collect();
    sorted.sort_by_key(|row| row.k);
    for row in &sorted {
        let x = row.k.unwrap_or(0) as f64;
        let score = row.trial().and_then(|trial| trial.judgment.compared(row.telling()));
        let name = format!("{} ({})", row.method, if row.has_own_scale() { "R_C" } else { "R_N" });
        let y = score.map_or(f64::NAN, |score| score.value);
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push((x, y)),
            None => series.push(Series { name, points: vec![(x, y)], ..Series::default() }),
        }
        let is_whole = |trial: &Trial| trial.judgment.points == comparison.points && trial.judgment.rest.is_none();
        let bound = score.and_then(|score| score.lower_bound).filter(|_| row.trial().is_some_and(is_whole));
        if let Some(bound) = bound.filter(|_| bounds.last().is_none_or(|last| last.0 != x)) {
            bounds.push((x, bound));
        }
    }
    let order = |name: &str| comparison.rows.iter().position(|row| name.starts_with(&format!("{} (", row.method)));
    series.sort_by_key(|series| order(&series.name));
    let is_torn = comparison.rows.iter().filter_map(Row::trial).any(|trial| trial.judgment.rest.is_some());
    let name = if is_torn { "best possible with all neighbors" } else { "best possible" };
    series.push(Series { name: name.into(), points: bounds, dashed: true, ..Series::default() });
    let mut caption =
        "Each k is measured on its own neighborhoods: compare the methods at one k, not one method over k.".to_owned();
    if is_torn {
        caption.push_str(
            " Where an embedding was torn, the value is that of what is left, and may lie below the best possible with \
             all neighbors.",
        );
    }
    Some(Chart {
        title: "Over the number of neighbors".into(),
        caption,
        x: Axis { title: "k".into(), log: false },
        y: Axis { title: "R_N or R_C".into(), log: true },
        series,
    })
}
