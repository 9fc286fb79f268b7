//! Embeddings by any method of the table.

use crate::convert::{Source, list};
use crate::errors;
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::json;
use std::sync::Arc;
use truefold::{Error, Points, Problem, Tear};

/// The coordinates, the rows that were embedded where not all were, what happened as JSON, and the torn pairs of rows
/// where some were.
type Fitted<'py> =
    (Bound<'py, PyArray2<f64>>, Option<Bound<'py, PyArray1<i64>>>, String, Option<Bound<'py, PyArray2<i64>>>);

/// A method ready to run.
#[pyclass(frozen)]
pub struct Method(pub truefold::Method);

#[pymethods]
impl Method {
    /// The method `name`, shown as `label`, with settings as the tool's `--set` takes them, `components` among them.
    #[new]
    fn new(py: Python<'_>, label: &str, name: &str, settings: Vec<(String, String)>) -> PyResult<Self> {
        let made = truefold::Method::new(name, &settings).map_err(|error| errors::to_python(py, &error))?;
        Ok(Self(made.with_label(label)))
    }

    /// Raises an error if the settings cannot work in `dim` dimensions, whatever the data.
    fn check(&self, py: Python<'_>, dim: usize) -> PyResult<()> {
        self.0.check(dim).map_err(|error| errors::to_python(py, &error))
    }
}

/// Embeds `x` by `method`; without neighborhoods for methods that need none.
#[pyfunction]
pub fn embed<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    neighborhoods: Option<&Bound<'py, Neighborhoods>>,
    method: &Bound<'py, Method>,
    dim: usize,
    settings: Settings,
) -> PyResult<Fitted<'py>> {
    let method = method.get().0.clone();
    let (x, given) = (Arc::clone(&x.get().0), neighborhoods.map(|given| Arc::clone(&given.get().0)));
    let embedding = gate::call(py, &settings, move |run| {
        let neighborhoods = match given {
            Some(given) => given,
            None => Arc::new(chain(x.input().len())?),
        };
        let problem = Problem::with_input(x.input(), &neighborhoods, dim)?;
        method.fit(&problem, run)
    })?;
    let mut info = json!(embedding.info);
    info["warnings"] = json!(errors::warnings(&embedding.info.warnings));
    let torn = embedding.tear.as_ref().map(|tear| {
        info["tear"] = json!({"share": tear.share(), "pairs": tear.pairs().len()});
        torn(py, tear, embedding.rows.as_deref())
    });
    let rows = embedding.rows.map(|rows| list(py, rows.len(), rows.into_iter().map(i64::from))).transpose()?;
    Ok((array(py, embedding.points)?, rows, info.to_string(), torn.transpose()?))
}

/// The torn pairs as rows of X.
fn torn<'py>(py: Python<'py>, tear: &Tear, rows: Option<&[u32]>) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let named = |row: u32| i64::from(rows.map_or(row, |rows| rows[row as usize]));
    let ends: Vec<i64> = tear.pairs().iter().flat_map(|&(a, b)| [named(a), named(b)]).collect();
    PyArray1::from_vec(py, ends).reshape([tear.pairs().len(), 2])
}

/// Neighborhoods for methods that look at none: each point has the next.
fn chain(points: usize) -> truefold::Result<truefold::Neighborhoods> {
    if points < 2 {
        return Err(Error::TooFewPoints {
            task: "an embedding".into(),
            needed: 2,
            given: points,
            advice: "give more points".into(),
        });
    }
    let lists: Vec<[i64; 1]> = (0..points).map(|row| [((row + 1) % points) as i64]).collect();
    truefold::Neighborhoods::from_lists(&lists)
}

/// The coordinates as an array, without a copy.
pub fn array(py: Python<'_>, points: Points) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let shape = [points.len(), points.dim()];
    PyArray1::from_vec(py, points.into_values()).reshape(shape)
}
