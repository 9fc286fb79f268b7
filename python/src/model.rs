//! Fitted embeddings that take new points.

use crate::convert::{Held, Source};
use crate::embed::array;
use crate::errors;
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use truefold::model::{Fitted, Parts};
use truefold::{Error, Metric, Points, Search};

/// The neighbors of a model whose method looked at none, as many as the tool takes.
const NEIGHBORS: usize = 12;

/// What a model is made of; it is made ready when the first points are to be placed.
#[pyclass(frozen)]
pub struct Model(Arc<Inner>);

struct Inner {
    ready: OnceLock<truefold::Model>,
    x: Arc<Held>,
    y: Arc<Held>,
    neighborhoods: Option<Arc<truefold::Neighborhoods>>,
    rows: Option<Vec<u32>>,
    torn: Option<Vec<(u32, u32)>>,
    columns: Option<Vec<String>>,
    metric: Metric,
    origin: Fitted,
    fingerprint: u64,
}

impl Inner {
    /// The parts, sharing memory with the arrays; an error where X has been changed since the fit.
    fn parts(&self, run: &truefold::Run) -> truefold::Result<Parts> {
        self.check()?;
        let points = self.x.points()?;
        let neighborhoods = match &self.neighborhoods {
            Some(found) => Arc::clone(found),
            None => Arc::new(Search::nearest(NEIGHBORS.min(points.len() - 1)).run(points, run)?),
        };
        let neighborhoods = match &self.torn {
            None => neighborhoods,
            Some(torn) => Arc::new(neighborhoods.without(torn)),
        };
        let (mut points, neighborhoods) = match &self.rows {
            None => (points.clone(), neighborhoods),
            Some(rows) => (points.select(rows), Arc::new(neighborhoods.restricted(rows))),
        };
        if let Some(columns) = &self.columns {
            points = points.with_columns(columns.clone())?;
        }
        let embedding = self.y.points()?.clone();
        Ok(Parts { points, embedding, neighborhoods, metric: self.metric, origin: self.origin.clone() })
    }

    fn check(&self) -> truefold::Result<()> {
        if fingerprint(self.x.points()?) == self.fingerprint {
            return Ok(());
        }
        Err(Error::data(
            "X was changed after the fit, and new points are placed by it",
            "fit again, or fit a copy of X and keep that as it is",
        ))
    }

    fn ready(&self, run: &truefold::Run) -> truefold::Result<&truefold::Model> {
        if let Some(ready) = self.ready.get() {
            self.check()?;
            return Ok(ready);
        }
        let made = truefold::Model::from_parts(self.parts(run)?, run)?;
        Ok(self.ready.get_or_init(|| made))
    }
}

/// What a fit left: the rows of X that were embedded, where not all were; the torn pairs of rows, where some were; the
/// names of the columns; the metric; and how the embedding was made, as JSON.
#[derive(FromPyObject)]
pub struct Fit(Option<Vec<u32>>, Option<Vec<(u32, u32)>>, Option<Vec<String>>, String, String);

#[pymethods]
impl Model {
    /// From the data and their images; `fit` tells of the fit, and `known` is the fingerprint of `x` when it was
    /// fitted, where that is not now.
    #[new]
    fn new(
        py: Python<'_>,
        x: &Bound<'_, Source>,
        y: &Bound<'_, Source>,
        neighborhoods: Option<&Bound<'_, Neighborhoods>>,
        fit: Fit,
        known: Option<u64>,
    ) -> PyResult<Self> {
        let Fit(rows, torn, columns, metric, origin) = fit;
        let (x, y) = (Arc::clone(&x.get().0), Arc::clone(&y.get().0));
        let neighborhoods = neighborhoods.map(|found| Arc::clone(&found.get().0));
        let made: truefold::Result<Inner> = py.detach(|| {
            let fingerprint = match known {
                Some(known) => known,
                None => fingerprint(x.points()?),
            };
            let (metric, origin) = (metric.parse()?, fitted(&origin)?);
            Ok(Inner { ready: OnceLock::new(), x, y, neighborhoods, rows, torn, columns, metric, origin, fingerprint })
        });
        made.map(|inner| Self(Arc::new(inner))).map_err(|error| errors::to_python(py, &error))
    }

    /// What X was when it was fitted.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }

    /// The places of new points, and the parts of their confidence by name.
    fn place<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, Source>,
        columns: Option<Vec<String>>,
        settings: Settings,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyDict>)> {
        let (inner, x) = (Arc::clone(&self.0), Arc::clone(&x.get().0));
        let placed = gate::call(py, &settings, move |run| {
            let points = x.points()?;
            let named: Points;
            let points = match columns {
                Some(columns) => {
                    named = points.clone().with_columns(columns)?;
                    &named
                }
                None => points,
            };
            inner.ready(run)?.transform(points, run)
        })?;
        let parts = PyDict::new(py);
        let named = [
            ("confidence", placed.confidence),
            ("distance", placed.distance),
            ("off_tangent", placed.off_tangent),
            ("disagreement", placed.disagreement),
            ("misfit", placed.misfit),
            ("support", placed.support),
        ];
        for (name, values) in named {
            parts.set_item(name, PyArray1::from_vec(py, values))?;
        }
        Ok((array(py, placed.points)?, parts))
    }

    /// Writes the tool's own file.
    fn save(&self, py: Python<'_>, path: PathBuf, settings: Settings) -> PyResult<()> {
        let inner = Arc::clone(&self.0);
        gate::call(py, &settings, move |run| {
            truefold::Model::check_path(&path)?;
            inner.parts(run)?.save(&path)
        })
    }
}

/// Points, embedding, neighborhoods, names of columns, metric, and how the embedding was made as JSON.
type Loaded<'py> =
    (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Neighborhoods, Option<Vec<String>>, &'static str, String);

/// Reads a model that the tool or [`Model::save`] wrote.
#[pyfunction]
pub fn load_model(py: Python<'_>, path: PathBuf, settings: Settings) -> PyResult<Loaded<'_>> {
    let parts = gate::call(py, &settings, move |_| Parts::load(path))?;
    let columns = parts.points.columns().map(<[String]>::to_vec);
    let Fitted { method, parameters, seed, .. } = parts.origin;
    let origin = json!({"method": method, "parameters": parameters, "seed": seed}).to_string();
    let neighborhoods = Neighborhoods(parts.neighborhoods);
    Ok((array(py, parts.points)?, array(py, parts.embedding)?, neighborhoods, columns, parts.metric.name(), origin))
}

/// Raises the error of those who ask a model of an embedding that was made from distances.
#[pyfunction]
pub fn refuse_distances(py: Python<'_>) -> PyResult<()> {
    Err(errors::to_python(py, &truefold::Model::needs_points()))
}

/// How an embedding was made, from the JSON that tells of its fit.
fn fitted(text: &str) -> truefold::Result<Fitted> {
    let unreadable = || Error::data("how the embedding was made cannot be read", "fit it again");
    let value: Value = serde_json::from_str(text).map_err(|_| unreadable())?;
    match (value["method"].as_str(), value["seed"].as_u64()) {
        (Some("given"), _) => Ok(Fitted::elsewhere()),
        (Some(method), Some(seed)) => Fitted::by(method, value["parameters"].clone(), seed),
        _ => Err(unreadable()),
    }
}

/// Sixty-four bits that change with any bit of the numbers, in four lanes that do not wait for each other.
fn fingerprint(points: &Points) -> u64 {
    let mix = |mixed: u64, word: u64| {
        let mixed = (mixed ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        mixed ^ (mixed >> 32)
    };
    let mut lanes = [0xCBF2_9CE4_8422_2325_u64, 1, 2, 3];
    let (mut room, mut rest) = (Vec::new(), Vec::with_capacity(4));
    for row in 0..points.len() {
        for value in points.row_in(row, &mut room) {
            rest.push(value.to_bits());
            if rest.len() == 4 {
                lanes.iter_mut().zip(rest.drain(..)).for_each(|(lane, word)| *lane = mix(*lane, word));
            }
        }
    }
    rest.into_iter().chain(lanes).fold(0, mix)
}
