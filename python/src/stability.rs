//! Where maps of the same data disagree.

use crate::convert::Source;
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::wording::cells;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::sync::Arc;
use truefold::Error;
use truefold::error::Advice;
use truefold::stability::{Agreement, Map, Stability, Standing};
use truefold_report::facts;
use truefold_report::words::{self, Voice};

/// A map, and the rows of the data that it shows where not all.
type Given<'py> = (Bound<'py, Source>, Option<PyReadonlyArray1<'py, i64>>);

/// The values of each point by name, and what there is to say about them as JSON.
#[pyfunction]
pub fn stability<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    neighborhoods: &Bound<'py, Neighborhoods>,
    maps: Vec<Given<'py>>,
    level: f64,
    settings: Settings,
) -> PyResult<(Bound<'py, PyDict>, String)> {
    let mut held = Vec::with_capacity(maps.len());
    for (points, rows) in &maps {
        let rows = match rows {
            Some(rows) => Some(rows.as_slice()?.iter().map(|&row| row_number(py, row)).collect::<PyResult<Vec<_>>>()?),
            None => None,
        };
        held.push((Arc::clone(&points.get().0), rows));
    }
    let (x, neighborhoods) = (Arc::clone(&x.get().0), Arc::clone(&neighborhoods.get().0));
    let found = gate::call(py, &settings, move |run| {
        let mut maps = Vec::with_capacity(held.len());
        for (points, rows) in &held {
            let map = Map::new(points.points()?);
            maps.push(rows.as_ref().map_or(map, |rows| map.with_rows(rows)));
        }
        Stability { level }.run(x.input(), &neighborhoods, &maps, run)
    })?;
    Ok((per_point(py, &found)?, told(&found)))
}

fn row_number(py: Python<'_>, row: i64) -> PyResult<u32> {
    u32::try_from(row).map_err(|_| {
        let advice = Advice::mend_data("rows are numbered from 0");
        errors::to_python(py, &Error::data(format!("a map names row {row}"), advice))
    })
}

/// One array for each value, and the kinds as texts.
fn per_point<'py>(py: Python<'py>, found: &Agreement) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let parts = [("shape", &found.shape), ("neighbors", &found.neighbors), ("r_c", &found.distortion)];
    for (name, standing) in parts {
        all.set_item(name, PyArray1::from_slice(py, &standing.per_point))?;
        if name == "r_c" {
            all.set_item("r_c_bound", PyArray1::from_slice(py, &standing.per_point_best))?;
        }
        all.set_item(format!("{name}_chance"), PyArray1::from_slice(py, &standing.per_point_chance))?;
        all.set_item(format!("{name}_skill"), PyArray1::from_vec(py, skills(standing, found.kinds.len())))?;
    }
    all.set_item("kind", found.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>())?;
    Ok(all)
}

fn skills(standing: &Standing, count: usize) -> Vec<f64> {
    (0..count).map(|point| standing.skill_at(point).unwrap_or(f64::NAN)).collect()
}

/// The agreement for programs and for people: facts, the whole text, and its parts.
fn told(found: &Agreement) -> String {
    let (words_of_python, row) = (Words::default(), |row: usize| format!("row {row}"));
    json!({
        "facts": facts::stability(found),
        "text": words::stability(found, &row, &Voice::of(&words_of_python)),
        "setting": words::stability_setting(found),
        "table": cells(&words::standings(found)),
        "findings": words::stability_findings(found, &row),
    })
    .to_string()
}
