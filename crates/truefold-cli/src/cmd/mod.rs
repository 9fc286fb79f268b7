//! The commands, one file each.

pub(crate) mod compare;
pub(crate) mod datasets;
pub(crate) mod demo;
pub(crate) mod denoise;
pub(crate) mod embed;
pub(crate) mod generate;
pub(crate) mod measure;
pub(crate) mod measures;
pub(crate) mod methods;
pub(crate) mod neighbors;
pub(crate) mod paper;
pub(crate) mod refine;
pub(crate) mod suggest;
pub(crate) mod sweep;
pub(crate) mod transform;

use serde_json::{Map, Value, json};
use std::io::Write;
use truefold::measure::{Evaluation, MEASURES, Measure, Score};
use truefold::{Neighborhoods, Origin, Reach};

/// The Procrustes scores of an embedding, which every command that makes one tells.
pub(crate) fn default_scores(
    evaluation: &Evaluation<'_>,
) -> Result<Vec<(&'static dyn Measure, Score)>, truefold::Error> {
    let default = MEASURES.iter().copied().filter(|measure| measure.info().default);
    default.map(|measure| Ok((measure, measure.score(evaluation)?))).collect()
}

/// Prints text and a newline on standard output.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Prints JSON on standard output.
fn print_json(value: &Value) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?)
}

/// What there is to say about neighborhoods in JSON.
pub(crate) fn neighborhoods_json(neighborhoods: &Neighborhoods, components: usize) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("k".into(), json!(neighborhoods.uniform_k()));
    let mut metric_of = |metric: &truefold::Metric| facts.insert("metric".into(), json!(metric.name()));
    let reach = match neighborhoods.origin() {
        Origin::Exact { reach, metric, .. } => {
            metric_of(metric);
            Some(reach)
        }
        Origin::Approximate { reach, metric, recall, standard_error, checked } => {
            metric_of(metric);
            facts.insert(
                "approximate".into(),
                json!({"recall": recall, "standard_error": standard_error, "checked": checked}),
            );
            Some(reach)
        }
        Origin::Distances { reach } => {
            facts.insert("metric".into(), json!(crate::plan::PRECOMPUTED));
            Some(reach)
        }
        _ => None,
    };
    if let Some(Reach::Within(radius)) = reach {
        facts.insert("radius".into(), json!(radius));
    }
    if neighborhoods.uniform_k().is_none() {
        let counts = || (0..neighborhoods.len()).map(|index| neighborhoods.neighbors(index).len());
        facts.insert("least_k".into(), json!(counts().min()));
        facts.insert("largest_k".into(), json!(counts().max()));
    }
    facts.insert("components".into(), json!(components));
    facts
}

/// The same in words.
pub(crate) fn neighborhoods_text(neighborhoods: &Neighborhoods, components: usize) -> String {
    use crate::table::{count, counted, number};
    let size = match neighborhoods.uniform_k() {
        Some(k) => counted(k, "neighbor each", "neighbors each"),
        None => {
            let counts = || (0..neighborhoods.len()).map(|index| neighborhoods.neighbors(index).len());
            format!("{} to {} neighbors", count(counts().min().unwrap_or(0)), count(counts().max().unwrap_or(0)))
        }
    };
    let how = match neighborhoods.origin() {
        Origin::Exact { reach: Reach::Within(radius), metric, .. } => format!("{metric}, within {}", number(*radius)),
        Origin::Exact { metric, .. } => metric.to_string(),
        Origin::Approximate { metric, recall, standard_error, checked, .. } => format!(
            "{metric}, approximate: {:.2} % of the true ones found (+- {:.2}, {} points checked)",
            100.0 * recall,
            100.0 * standard_error,
            count(*checked)
        ),
        Origin::Distances { reach: Reach::Within(radius) } => format!("given distances, within {}", number(*radius)),
        Origin::Distances { .. } => "given distances".to_owned(),
        _ => "given".to_owned(),
    };
    format!("{size} ({how}); {}", counted(components, "connected component", "connected components"))
}
