//! The interactive page: what users say about it, and what it shows.

use crate::convert::{Held, Source};
use crate::gate::{self, Settings};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use std::sync::Arc;
use truefold::Input;
use truefold_report::{Cell, Channel, Coloring, Panel, Report, Table};

/// What users say about a page: JSON (title, paragraphs, tables of cells `[text, best]`, facts, images), the labels of
/// the points, and numbers to color them by.
#[derive(FromPyObject)]
pub struct Page<'py>(String, Option<Vec<String>>, Vec<(String, PyReadonlyArray1<'py, f64>)>);

impl Page<'_> {
    /// The page as text, with `content` on it.
    pub fn make(
        self,
        py: Python<'_>,
        x: Arc<Held>,
        settings: &Settings,
        content: impl Fill + Send + 'static,
    ) -> PyResult<String> {
        let Self(page, labels, colorings) = self;
        let page: Value = serde_json::from_str(&page).map_err(|cause| PyValueError::new_err(cause.to_string()))?;
        let copy = |(name, values): (String, PyReadonlyArray1<'_, f64>)| {
            Ok(Coloring { name, values: values.as_slice()?.to_vec() })
        };
        let colorings = colorings.into_iter().map(copy).collect::<PyResult<Vec<_>>>()?;
        gate::call(py, settings, move |run| {
            let mut report = Report {
                title: text(&page["title"]),
                paragraphs: each(&page["paragraphs"]).map(text).collect(),
                input: match x.input() {
                    Input::Points(points) => Some(points),
                    Input::Distances(_) => None,
                },
                labels: labels.as_deref(),
                colorings,
                tables: each(&page["tables"]).map(table).collect(),
                // As Python's own rows.
                rows_from_zero: true,
                images: page["images"].as_str().map(str::parse).transpose()?,
                facts: page["facts"].clone(),
                ..Report::default()
            };
            content.fill(&mut report)?;
            report.html(run)
        })
    }
}

/// What a page shows.
pub trait Fill {
    /// Adds it to the report.
    fn fill<'a>(&'a self, report: &mut Report<'a>) -> truefold::Result<()>;
}

/// An embedding of a page: title, caption, points, distortion per point.
type Embedded<'py> = (String, String, Bound<'py, Source>, Option<PyReadonlyArray1<'py, f64>>);

struct Own {
    title: String,
    caption: String,
    points: Arc<Held>,
    distortion: Option<Vec<f64>>,
}

struct Panels(Vec<Own>);

impl Fill for Panels {
    fn fill<'a>(&'a self, report: &mut Report<'a>) -> truefold::Result<()> {
        for own in &self.0 {
            report.panels.push(Panel {
                caption: own.caption.clone(),
                channels: own.distortion.as_deref().map(|values| Channel::new("R_N", values)).into_iter().collect(),
                ..Panel::new(&own.title, own.points.points()?)
            });
        }
        Ok(())
    }
}

/// The page of some embeddings of `x`.
#[pyfunction]
pub fn report<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    page: Page<'py>,
    embedded: Vec<Embedded<'py>>,
    settings: Settings,
) -> PyResult<String> {
    let own = |(title, caption, points, distortion): Embedded<'py>| {
        let distortion = distortion.map(|values| Ok::<_, PyErr>(values.as_slice()?.to_vec())).transpose()?;
        Ok(Own { title, caption, points: Arc::clone(&points.get().0), distortion })
    };
    let panels = Panels(embedded.into_iter().map(own).collect::<PyResult<_>>()?);
    page.make(py, Arc::clone(&x.get().0), &settings, panels)
}

fn table(table: &Value) -> Table {
    let cell = |cell: &Value| Cell { best: cell[1] == true, ..Cell::from(text(&cell[0])) };
    Table {
        title: text(&table["title"]),
        note: text(&table["note"]),
        header: each(&table["header"]).map(text).collect(),
        rows: each(&table["rows"]).map(|row| each(row).map(cell).collect()).collect(),
        ..Table::default()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}
