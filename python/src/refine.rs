//! Refinement of any embedding.

use crate::convert::Source;
use crate::embed::array;
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use numpy::PyArray2;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use truefold::{Error, Judge, Points, Refine, Warning};
use truefold_report::{facts, words};

/// Raises an error if these parameters, which are JSON, can refine nothing.
#[pyfunction]
pub fn check_refinement(py: Python<'_>, parameters: &str) -> PyResult<()> {
    parsed(parameters).map(drop).map_err(|error| errors::to_python(py, &error))
}

fn parsed(parameters: &str) -> truefold::Result<Refine> {
    let mut given: Value = serde_json::from_str(parameters).unwrap_or_default();
    for (name, _) in Refine::WORDS {
        if let Some(word) = given[name].as_str().map(|word| Refine::word(name, word)).transpose()? {
            given[name] = json!(word);
        }
    }
    let refine: Refine = serde_json::from_value(given).map_err(|cause| {
        let advice = "see the documentation of refine for its values";
        Error::parameter("parameters", parameters, format!("cannot be used ({cause})"), advice)
    })?;
    refine.check()?;
    Ok(refine)
}

/// The refined coordinates, and what happened as JSON; `parameters` is JSON too.
#[pyfunction]
pub fn refine<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    y: &Bound<'py, Source>,
    neighborhoods: &Bound<'py, Neighborhoods>,
    parameters: &str,
    settings: Settings,
) -> PyResult<(Bound<'py, PyArray2<f64>>, String)> {
    let refine = parsed(parameters).map_err(|error| errors::to_python(py, &error))?;
    let (x, y, neighborhoods) = (Arc::clone(&x.get().0), Arc::clone(&y.get().0), Arc::clone(&neighborhoods.get().0));
    let (points, info) = gate::call(py, &settings, move |run| {
        let start = y.points()?;
        let outcome = refine.refine(x.input(), &neighborhoods, start, run)?;
        let points = Points::new(start.len(), start.dim(), outcome.values)?;
        let judge = Judge::new(x.input(), &neighborhoods).with_measures(Vec::new());
        let (before, after) = (judge.judge(start, run)?, judge.judge(&points, run)?);
        let warnings: Vec<Warning> = outcome.warnings.iter().cloned().chain(after.lost_since(&before)).collect();
        let info = json!({
            "parameters": refine, "seed": run.seed(), "stop": outcome.stop, "stages": outcome.stages,
            "traces": outcome.traces, "facts": outcome.facts, "warnings": errors::warnings(&warnings),
            "before": facts::judgment(&before, &Words::default())["verdict"],
            "after": facts::judgment(&after, &Words::default())["verdict"],
            "both_ways": words::before_and_after(&before, &after),
        });
        Ok((points, info.to_string()))
    })?;
    Ok((array(py, points)?, info))
}

/// The first `free` points, refined while the others stay, and the measure of all neighborhoods after every step.
#[pyfunction]
pub fn refine_first<'py>(
    py: Python<'py>,
    free: usize,
    points: (Bound<'py, Source>, Bound<'py, Source>),
    neighborhoods: &Bound<'py, Neighborhoods>,
    parameters: &str,
    settings: Settings,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Vec<f64>)> {
    let refine = parsed(parameters).map_err(|error| errors::to_python(py, &error))?;
    let (x, y, neighborhoods) =
        (Arc::clone(&points.0.get().0), Arc::clone(&points.1.get().0), Arc::clone(&neighborhoods.get().0));
    let (points, trace) = gate::call(py, &settings, move |run| {
        let start = y.points()?;
        let mut outcome = refine.refine_first(free, x.input(), &neighborhoods, start, run)?;
        outcome.values.truncate(free * start.dim());
        let trace = outcome.traces.pop().map(|trace| trace.values).unwrap_or_default();
        Ok((Points::new(free, start.dim(), outcome.values)?, trace))
    })?;
    Ok((array(py, points)?, trace))
}
