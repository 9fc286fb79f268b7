//! The interactive page: what users say about it, and what it shows.

use crate::convert::{Held, Source};
use crate::errors::Words;
use crate::gate::{self, Settings};
use crate::measure::{Judged, row_namer};
use crate::neighbors::Neighborhoods;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use std::sync::Arc;
use truefold::{Input, Judgment, Run};
use truefold_report::words::Voice;
use truefold_report::{Coloring, Report};

/// What users say about a page: JSON (title, facts, images), the labels of the points, and numbers to color them by.
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
                title: page["title"].as_str().unwrap_or_default().to_owned(),
                input: match x.input() {
                    Input::Points(points) => Some(points),
                    Input::Distances(_) => None,
                },
                labels: labels.as_deref(),
                colorings,
                // As Python's own rows.
                rows_from_zero: true,
                images: page["images"].as_str().map(str::parse).transpose()?,
                facts: page["facts"].clone(),
                ..Report::default()
            };
            content.fill(&mut report, run)?;
            report.html(run)
        })
    }
}

/// What a page shows.
pub trait Fill {
    /// Adds it to the report.
    fn fill<'a>(&'a self, report: &mut Report<'a>, run: &Run) -> truefold::Result<()>;
}

/// An embedding that was judged: its name, its coordinates, the neighborhoods and the judgment, and the names of the
/// rows where they are not numbered.
#[derive(FromPyObject)]
pub struct OneMap<'py>(String, Bound<'py, Source>, Bound<'py, Neighborhoods>, Bound<'py, Judged>, Option<Vec<String>>);

struct OnPage {
    name: String,
    x: Arc<Held>,
    y: Arc<Held>,
    neighborhoods: Arc<truefold::Neighborhoods>,
    judgment: Arc<Judgment>,
    row_names: Option<Vec<String>>,
}

impl Fill for OnPage {
    fn fill<'a>(&'a self, report: &mut Report<'a>, run: &Run) -> truefold::Result<()> {
        let judgment = &*self.judgment;
        let words_of_python = Words::default();
        let row = row_namer(self.row_names.as_deref());
        truefold_report::fill(report, (&self.name, self.y.points()?), judgment, &row, &Voice::of(&words_of_python));
        report.neighbors = Some(&self.neighborhoods);
        report.find_ellipses(self.x.input(), &self.neighborhoods, run)
    }
}

/// The page of one embedding of `x`.
#[pyfunction]
pub fn report<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    map: OneMap<'py>,
    page: Page<'py>,
    settings: Settings,
) -> PyResult<String> {
    let OneMap(name, y, neighborhoods, judgment, row_names) = map;
    let x = Arc::clone(&x.get().0);
    let content = OnPage {
        name,
        x: Arc::clone(&x),
        y: Arc::clone(&y.get().0),
        neighborhoods: Arc::clone(&neighborhoods.get().0),
        judgment: Arc::clone(&judgment.get().0),
        row_names,
    };
    page.make(py, x, &settings, content)
}
