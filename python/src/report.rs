//! The interactive page.

use crate::convert::Source;
use crate::errors;
use crate::gate::{self, Settings};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use serde_json::Value;
use std::sync::Arc;
use truefold::local::Input;
use truefold_report::{Cell, Coloring, Panel, Report, Table};

/// An embedding of the page: title, caption, points, their rows of X where not all are there, distortion per point.
type Embedded<'py> = (
    String,
    String,
    Bound<'py, Source>,
    Option<Vec<u32>>,
    Option<PyReadonlyArray1<'py, f64>>,
);

/// The page as text; `page` is JSON: title, paragraphs, tables of cells `[text, best]`, facts, images.
#[pyfunction]
pub fn report<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    page: &str,
    labels: Option<Vec<String>>,
    colorings: Vec<(String, PyReadonlyArray1<'py, f64>)>,
    embedded: Vec<Embedded<'py>>,
    settings: Settings,
) -> PyResult<String> {
    let page: Value =
        serde_json::from_str(page).map_err(|cause| pyo3::exceptions::PyValueError::new_err(cause.to_string()))?;
    let colorings = colorings
        .into_iter()
        .map(|(name, values)| Ok(Coloring { name, values: values.as_slice()?.to_vec() }))
        .collect::<PyResult<Vec<_>>>()?;
    let embedded = embedded
        .into_iter()
        .map(|(title, caption, points, rows, distortion)| {
            let distortion = distortion.map(|values| Ok::<_, PyErr>(values.as_slice()?.to_vec())).transpose()?;
            Ok((title, caption, Arc::clone(&points.get().0), rows, distortion))
        })
        .collect::<PyResult<Vec<_>>>()?;
    let images = page["images"].as_str().map(str::parse).transpose().map_err(|error| errors::to_python(py, &error))?;
    let x = Arc::clone(&x.get().0);
    gate::call(py, &settings, move |run| {
        let panels = embedded
            .iter()
            .map(|(title, caption, points, rows, distortion)| {
                Ok(Panel {
                    title: title.clone(),
                    caption: caption.clone(),
                    points: points.points()?,
                    rows: rows.as_deref(),
                    distortion: distortion.as_deref(),
                })
            })
            .collect::<truefold::Result<Vec<_>>>()?;
        let report = Report {
            title: text(&page["title"]),
            paragraphs: each(&page["paragraphs"]).map(text).collect(),
            input: match x.input() {
                Input::Points(points) => Some(points),
                Input::Distances(_) => None,
            },
            labels: labels.as_deref(),
            colorings,
            tables: each(&page["tables"]).map(table).collect(),
            panels,
            images,
            facts: page["facts"].clone(),
            ..Report::default()
        };
        report.html(run)
    })
}

fn table(table: &Value) -> Table {
    let cell = |cell: &Value| Cell { text: text(&cell[0]), best: cell[1] == true };
    Table {
        title: text(&table["title"]),
        note: text(&table["note"]),
        header: each(&table["header"]).map(text).collect(),
        rows: each(&table["rows"]).map(|row| each(row).map(cell).collect()).collect(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}
