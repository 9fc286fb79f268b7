//! A sweep on a page: its tables, its curves, and the embedding of the chosen k of each d.

use super::pair;
use super::sweep::{json as facts_of, notes, recommendation, tables};
use crate::{Axis, Channel, Chart, Panel, Report, Series};
use serde_json::json;
use truefold::error::Vocabulary;
use truefold::sweep::{Candidate, Graded, Sweep};

/// Adds the recommendation, the tables, the curves and the embeddings that were kept to a report, and the sweep to its
/// facts.
pub fn fill<'a>(report: &mut Report<'a>, sweep: &'a Sweep, vocabulary: &dyn Vocabulary) {
    report.paragraphs.extend(recommendation(sweep));
    report.tables.extend(tables(sweep));
    if let Some(last) = report.tables.last_mut() {
        last.note = notes(sweep, vocabulary).join(" ");
    }
    if sweep.ks.len() > 1 {
        report.charts.push(curves(sweep, "On common neighborhoods", true));
        report.charts.push(curves(sweep, "On own neighborhoods", false));
    }
    report.charts.extend(axes(sweep));
    for candidate in &sweep.candidates {
        let Some((graded, points)) = candidate.graded().and_then(|graded| Some((graded, graded.own.points.as_ref()?)))
        else {
            continue;
        };
        report.panels.push(panel(sweep, candidate, graded, points));
    }
    if report.facts.is_null() {
        report.facts = json!({});
    }
    if let Some(facts) = report.facts.as_object_mut() {
        facts.insert("sweep".into(), facts_of(sweep, vocabulary));
    }
}

fn panel<'a>(sweep: &Sweep, candidate: &Candidate, graded: &'a Graded, points: &'a truefold::Points) -> Panel<'a> {
    let caption = match (graded.on_reference("r_n"), graded.on_reference("r_c")) {
        (Some(r_n), Some(r_c)) => format!("common R_N [R_C] {}", pair(r_n, r_c)),
        _ => String::new(),
    };
    let distortion = graded.on_reference("r_n").and_then(|score| score.per_point.as_deref());
    Panel {
        caption,
        rows: graded.own.judgment.rows.as_deref(),
        channels: distortion.map(|values| Channel::new("R_N", values)).into_iter().collect(),
        seam: graded.own.judgment.rest.as_ref().map(|rest| &rest.tear),
        ..Panel::new(format!("{}, k = {}, d = {}", sweep.method, candidate.k, candidate.dim), points)
    }
}

/// The measure to read over k, a curve and its bound for each d.
fn curves(sweep: &Sweep, title: &str, on_reference: bool) -> Chart {
    let symbol = if sweep.measure() == "r_n" { "R_N" } else { "R_C" };
    let mut series = Vec::new();
    for &dim in &sweep.dims {
        let points: Vec<&Candidate> = sweep.candidates.iter().filter(|candidate| candidate.dim == dim).collect();
        let curve = |pick: &dyn Fn(&truefold::measure::Score) -> Option<f64>| -> Vec<(f64, f64)> {
            let value = |candidate: &&Candidate| {
                let score = candidate.graded().and_then(|graded| match on_reference {
                    true => graded.on_reference(sweep.measure()),
                    false => graded.own.score(sweep.measure()),
                });
                (candidate.k as f64, score.and_then(pick).unwrap_or(f64::NAN))
            };
            points.iter().map(value).collect()
        };
        let chosen = sweep.choices.iter().find(|choice| choice.dim == dim);
        let marked = chosen.and_then(|choice| points.iter().position(|candidate| candidate.k == choice.k));
        let name = format!("{symbol}, d = {dim}");
        series.push(Series { name, points: curve(&|score| Some(score.value)), marked, ..Series::default() });
        let name = format!("best possible, d = {dim}");
        series.push(Series { name, points: curve(&|score| score.lower_bound), dashed: true, ..Series::default() });
    }
    let caption = if on_reference {
        format!("All on the neighborhoods of k = {}; the chosen k are marked.", sweep.reference_k)
    } else {
        "Each k on its own neighborhoods, as in the paper's tables: not comparable over k.".to_owned()
    };
    Chart {
        title: title.to_owned(),
        caption,
        x: Axis { title: "k".into(), log: false },
        y: Axis { title: symbol.into(), log: true },
        series,
    }
}

/// What the principal axes of the neighborhoods hold, where d is swept.
fn axes(sweep: &Sweep) -> Option<Chart> {
    let choice = sweep.dimension?;
    let points = sweep.spectrum.iter().enumerate().map(|(axis, &share)| ((axis + 1) as f64, share)).collect();
    Some(Chart {
        title: "Along the axes of the neighborhoods".into(),
        caption: format!("The mean share of a neighborhood of k = {} along each principal axis.", sweep.reference_k),
        x: Axis { title: "axis".into(), log: false },
        y: Axis { title: "share".into(), log: true },
        series: vec![Series { name: "share".into(), points, marked: Some(choice.dim - 1), ..Series::default() }],
    })
}
