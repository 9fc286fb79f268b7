//! Noise taken off points.

use crate::convert::Source;
use crate::embed::array;
use crate::gate::{self, Settings};
use numpy::PyArray2;
use pyo3::prelude::*;
use serde_json::json;
use std::sync::Arc;
use truefold::Denoise;

/// The points without their noise, and what happened as JSON.
#[pyfunction]
pub fn denoise<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    dim: usize,
    neighbors: Option<usize>,
    rounds: usize,
    settings: Settings,
) -> PyResult<(Bound<'py, PyArray2<f64>>, String)> {
    let x = Arc::clone(&x.get().0);
    let denoised = gate::call(py, &settings, move |run| Denoise { dim, neighbors, rounds }.run(x.points()?, run))?;
    let info = json!(denoised).to_string();
    Ok((array(py, denoised.points)?, info))
}
