//! What the data call for.

use crate::convert::Source;
use crate::errors;
use crate::gate::{self, Settings};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::sync::Arc;
use truefold::Input;
use truefold::{Error, Metric, Suggest};

/// The suggestion as JSON, and what was found at single points by name where that is asked for.
#[pyfunction]
pub fn suggest<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    metric: &str,
    sample: Option<usize>,
    per_point: bool,
    settings: Settings,
) -> PyResult<(String, Option<Bound<'py, PyDict>>)> {
    let data = Arc::clone(&x.get().0);
    let check = || -> truefold::Result<Suggest> {
        if let Input::Distances(_) = data.input() {
            return Err(Error::data(
                "auto needs the coordinates of the points, and X holds distances",
                "give numbers for n_neighbors and n_components",
            ));
        }
        let metric: Metric = metric.parse()?;
        match sample {
            Some(0) => Err(Error::parameter("sample", 0, "leaves nothing to look at", "choose 1 or more")),
            Some(sample) => Ok(Suggest { metric, sample }),
            None => Ok(Suggest { metric, ..Suggest::default() }),
        }
    };
    let suggest = check().map_err(|error| errors::to_python(py, &error))?;
    let (found, local) = gate::call(py, &settings, move |run| {
        let points = data.points()?;
        let found = suggest.run(points, run)?;
        let local = per_point.then(|| suggest.local(points, &found, run)).transpose()?;
        Ok((found, local))
    })?;
    let local = local.map(|local| -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        all.set_item("rows", PyArray1::from_iter(py, local.rows.iter().map(|&row| i64::from(row))))?;
        let named = [
            ("dimension", local.dimension),
            ("radius", local.radius),
            ("off_tangent", local.off_tangent),
            ("sidedness", local.sidedness),
        ];
        for (name, values) in named {
            all.set_item(name, PyArray1::from_vec(py, values))?;
        }
        Ok(all)
    });
    Ok((json!(found).to_string(), local.transpose()?))
}
