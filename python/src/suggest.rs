//! What suits the data.

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
use truefold::error::Advice;
use truefold::error::Bound::AtLeast;
use truefold::suggest::Choice;
use truefold::{Error, Input, Method, Metric, Suggest, Suggestion};
use truefold_report::words::{self, Voice};

/// The suggestion as JSON, what there is to say about it as JSON, and what was found at single points by name.
type Suggested<'py> = (String, String, Option<Bound<'py, PyDict>>);

/// What suits the data: how many of them are looked at closely, and the dimensions of a map for which a method is wanted;
/// `per_point` asks for what was found at single points too.
#[pyfunction]
pub fn suggest<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    metric: &str,
    looks: (Option<usize>, Option<usize>),
    per_point: bool,
    settings: Settings,
) -> PyResult<Suggested<'py>> {
    let (data, (sample, map_dim)) = (Arc::clone(&x.get().0), looks);
    let check = || -> truefold::Result<Suggest> {
        if let Input::Distances(_) = data.input() {
            return Err(needs_points());
        }
        let metric: Metric = metric.parse()?;
        match sample {
            Some(0) => Err(Error::parameter("sample", 0, AtLeast(1.0), Advice::change("sample", "choose more"))),
            Some(sample) => Ok(Suggest { metric, sample, map_dim }),
            None => Ok(Suggest { metric, map_dim, ..Suggest::default() }),
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
    Ok((json!(found).to_string(), told(&found), local.transpose()?))
}

/// The method that suits the data for a map of `dim` dimensions, or of as many as they have, and why; an error for one of the
/// `parameters` that it does not have. Of distances the neighborhoods are looked at.
#[pyfunction]
pub fn choose(
    py: Python<'_>,
    x: &Bound<'_, Source>,
    neighborhoods: Option<&Bound<'_, Neighborhoods>>,
    wanted: (String, Option<usize>),
    parameters: Vec<(String, String)>,
    settings: Settings,
) -> PyResult<(String, String)> {
    let data = Arc::clone(&x.get().0);
    let (metric, dim) = wanted;
    let given = neighborhoods.map(|given| Arc::clone(&given.get().0));
    let choice = gate::call(py, &settings, move |run| {
        let choice = match (data.input(), given, dim) {
            (Input::Distances(distances), Some(given), Some(dim)) => Choice::of_distances(distances, &given, dim)?,
            (Input::Distances(_), ..) => return Err(needs_points()),
            (Input::Points(points), _, dim) => {
                let suggest = Suggest { metric: metric.parse()?, map_dim: dim, ..Suggest::default() };
                match dim {
                    Some(_) => suggest.method(points, run)?,
                    None => suggest.run(points, run)?.coordinates,
                }
            }
        };
        Method::chosen(&choice, &parameters)?;
        Ok(choice)
    })?;
    Ok((choice.method.to_owned(), choice.reason.worded(&Words::default())))
}

/// The error of a suggestion for data that have no coordinates.
fn needs_points() -> Error {
    Error::data(
        "auto needs the coordinates of the points, and X holds distances",
        Advice::change("k", "give numbers for {k} and {dim}"),
    )
}

/// The suggestion for people: the whole text, and its parts.
fn told(found: &Suggestion) -> String {
    let words_of_python = Words::default();
    let voice = Voice::of(&words_of_python);
    let suggested = words::suggestion(found, &voice);
    json!({
        "text": suggested.text(&voice),
        "setting": suggested.setting,
        "methods": cells(&suggested.methods),
        "choices": cells(&suggested.choices),
        "estimates": cells(&suggested.estimates),
        "surface": suggested.surface,
    })
    .to_string()
}
