//! Judgments of embeddings.

use crate::convert::Source;
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::wording::cells;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::sync::Arc;
use truefold::measure::{Options, find};
use truefold::{Judge, Judgment};
use truefold_report::facts;
use truefold_report::words::{self, Voice};

/// What to measure and how: names, center, sample, steps, metric; and how the user names the rows, where not by number.
#[derive(FromPyObject)]
pub struct Wanted(Vec<String>, bool, Option<usize>, usize, String, Option<Vec<String>>);

/// The measures of these names as the table spells them, each once; an error for the name of none.
#[pyfunction]
pub fn measures_named(py: Python<'_>, names: Vec<String>) -> PyResult<Vec<&'static str>> {
    let mut known = Vec::with_capacity(names.len());
    for name in &names {
        let found = find(name).map_err(|error| errors::to_python(py, &error))?.info().name;
        if !known.contains(&found) {
            known.push(found);
        }
    }
    Ok(known)
}

/// The scores by measure, each a dictionary, and what there is to say about them as JSON.
#[pyfunction]
pub fn measure<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    y: &Bound<'py, Source>,
    neighborhoods: &Bound<'py, Neighborhoods>,
    wanted: Wanted,
    settings: Settings,
) -> PyResult<(Bound<'py, PyDict>, String)> {
    let (x, y, neighborhoods) = (Arc::clone(&x.get().0), Arc::clone(&y.get().0), Arc::clone(&neighborhoods.get().0));
    let Wanted(names, center, sample, steps, metric, row_names) = wanted;
    let judgment = gate::call(py, &settings, move |run| {
        let measures = names.iter().map(|name| find(name)).collect::<truefold::Result<Vec<_>>>()?;
        // Given distances have no metric of their own.
        let options =
            Options { center, sample, steps, metric: metric.parse().unwrap_or_default(), ..Options::default() };
        let judge = Judge::new(x.input(), &neighborhoods).with_measures(measures).with_options(options);
        judge.judge(y.points()?, run)
    })?;
    let told = told(&judgment, row_names.as_deref());
    let all = PyDict::new(py);
    for scored in &judgment.scores {
        let (one, score) = (PyDict::new(py), &scored.score);
        let array = |values: &Option<Vec<f64>>| values.as_ref().map(|values| PyArray1::from_slice(py, values));
        one.set_item("value", score.value)?;
        one.set_item("lower_bound", score.lower_bound)?;
        one.set_item("times_best", score.times_bound())?;
        one.set_item("per_point", array(&score.per_point))?;
        one.set_item("per_point_bound", array(&score.per_point_bound))?;
        one.set_item("standard_error", score.standard_error)?;
        all.set_item(scored.info.name, one)?;
    }
    Ok((all, told))
}

/// The judgment for programs and for people: facts, the whole text, and its parts.
fn told(judgment: &Judgment, row_names: Option<&[String]>) -> String {
    let words_of_python = Words::default();
    let row = |row: usize| match row_names.and_then(|names| names.get(row)) {
        Some(name) => name.clone(),
        None => format!("row {row}"),
    };
    let voice = Voice::of(&words_of_python);
    json!({
        "facts": facts::judgment(judgment, &words_of_python),
        "text": words::judgment(judgment, &row, &voice),
        "setting": words::setting(judgment),
        "table": cells(&words::scores(&judgment.scores)),
        "findings": words::findings(judgment, &row),
        "notes": words::notes(&judgment.warnings, &voice),
    })
    .to_string()
}
