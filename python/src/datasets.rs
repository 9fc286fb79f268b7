//! Data sets whose true coordinates are known.

use crate::embed::array;
use crate::errors;
use numpy::PyArray2;
use pyo3::prelude::*;
use truefold::dataset::{Request, find};

/// Points, true coordinates, the names of both, and labels where there are any.
type Drawn<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Vec<String>, Vec<String>, Option<Vec<String>>);

/// Draws from the data set of this name; `settings` are as the tool's `--set` takes them.
#[pyfunction]
pub fn dataset<'py>(
    py: Python<'py>,
    name: &str,
    points: Option<usize>,
    noise: f64,
    seed: u64,
    settings: Vec<(String, String)>,
) -> PyResult<Drawn<'py>> {
    let mut request = Request::new().with_noise(noise).with_seed(seed);
    request.points = points;
    request.settings.extend(settings);
    let sample = py.detach(|| find(name)?.sample(&request)).map_err(|error| errors::to_python(py, &error))?;
    let names = |points: &truefold::Points| points.columns().unwrap_or_default().to_vec();
    let (axes, coordinates) = (names(&sample.points), names(&sample.truth));
    let labels = sample.points.labels().map(<[String]>::to_vec);
    Ok((array(py, sample.points)?, array(py, sample.truth)?, axes, coordinates, labels))
}
