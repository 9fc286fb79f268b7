//! What balls of the data become in a map.

use crate::convert::Source;
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// All matrices behind each other, the largest and the smallest stretches, which are capped, and the radius.
type Stretches<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, f64);

/// The ellipse of each point of the map `y` of `x`.
#[pyfunction]
pub fn ellipses<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    y: &Bound<'py, Source>,
    neighborhoods: &Bound<'py, Neighborhoods>,
    settings: Settings,
) -> PyResult<Stretches<'py>> {
    let (x, y, neighborhoods) = (Arc::clone(&x.get().0), Arc::clone(&y.get().0), Arc::clone(&neighborhoods.get().0));
    let found =
        gate::call(py, &settings, move |run| truefold::local::ellipses(x.input(), y.points()?, &neighborhoods, run))?;
    Ok((
        PyArray1::from_vec(py, found.matrices),
        PyArray1::from_vec(py, found.largest),
        PyArray1::from_vec(py, found.smallest),
        PyArray1::from_vec(py, found.capped),
        found.radius,
    ))
}
