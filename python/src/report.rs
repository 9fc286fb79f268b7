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
use truefold_report::{Cell, Channel, Coloring, Drawn, Panel, Report, Table, scale_chart_of_facts};

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

/// What is known of each row that is drawn: a name, the values, the best possible and chance.
#[derive(FromPyObject)]
pub struct DrawnValues<'py>(String, PyReadonlyArray1<'py, f64>, Option<f64>, Option<f64>);

/// An embedding of rows that are drawn: its name, a sentence about it, coordinates, and what is known of each row.
#[derive(FromPyObject)]
pub struct DrawnMap<'py>(String, String, Bound<'py, Source>, Vec<DrawnValues<'py>>);

/// The data of the rows that are drawn, their numbers among all rows, and the number of these.
#[derive(FromPyObject)]
pub struct DrawnRows<'py>(Bound<'py, Source>, Vec<u32>, usize);

struct OwnedMap(String, String, Arc<Held>, Vec<Channel<'static>>);

struct DrawnOnPage {
    maps: Vec<OwnedMap>,
    rows: Vec<u32>,
    of: usize,
    /// Paragraphs, tables and curves over sizes.
    told: Value,
}

impl Fill for DrawnOnPage {
    fn fill<'a>(&'a self, report: &mut Report<'a>, _: &Run) -> truefold::Result<()> {
        report.paragraphs.extend(texts(&self.told["paragraphs"]));
        report.tables.extend(self.told["tables"].as_array().into_iter().flatten().map(table));
        let curves = self.told["curves"].as_object().into_iter().flatten();
        report.charts.extend(scale_chart_of_facts(curves.map(|(name, curve)| (name.clone(), curve))));
        for OwnedMap(title, caption, points, channels) in &self.maps {
            report.panels.push(Panel {
                caption: caption.clone(),
                channels: channels.clone(),
                ..Panel::new(title.as_str(), points.points()?)
            });
        }
        report.drawn = Some(Drawn { rows: &self.rows, of: self.of });
        Ok(())
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
}

/// A table from its title, header, note, and rows of cells, each a text and whether it is the best.
fn table(told: &Value) -> Table {
    let cell = |cell: &Value| Cell {
        text: cell[0].as_str().unwrap_or_default().to_owned(),
        best: cell[1].as_bool().unwrap_or_default(),
        ..Cell::default()
    };
    let rows = told["rows"].as_array().into_iter().flatten();
    Table {
        title: told["title"].as_str().unwrap_or_default().to_owned(),
        note: told["note"].as_str().unwrap_or_default().to_owned(),
        header: texts(&told["header"]),
        rows: rows.map(|row| row.as_array().into_iter().flatten().map(cell).collect()).collect(),
        ..Table::default()
    }
}

/// The page of embeddings of which some rows are drawn; `told` are paragraphs, tables and curves of all rows, as JSON.
#[pyfunction]
pub fn report_drawn<'py>(
    py: Python<'py>,
    drawn: DrawnRows<'py>,
    maps: Vec<DrawnMap<'py>>,
    told: &str,
    page: Page<'py>,
    settings: Settings,
) -> PyResult<String> {
    let own = |DrawnMap(name, caption, points, channels): DrawnMap<'py>| {
        let channel = |DrawnValues(name, values, best, chance): DrawnValues<'py>| {
            Ok(Channel { name, values: values.as_slice()?.to_vec().into(), best, chance })
        };
        let channels = channels.into_iter().map(channel).collect::<PyResult<_>>()?;
        Ok(OwnedMap(name, caption, Arc::clone(&points.get().0), channels))
    };
    let content = DrawnOnPage {
        maps: maps.into_iter().map(own).collect::<PyResult<_>>()?,
        rows: drawn.1,
        of: drawn.2,
        told: serde_json::from_str(told).map_err(|cause| PyValueError::new_err(cause.to_string()))?,
    };
    page.make(py, Arc::clone(&drawn.0.get().0), &settings, content)
}
