//! Scores of an embedding.

use crate::convert::Source;
use crate::errors;
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use truefold::measure::{Evaluation, Options, Score, find};

/// What to measure and how: names, center, sample, steps, metric.
#[derive(FromPyObject)]
pub struct Choice(Vec<String>, bool, Option<usize>, usize, String);

/// Raises an error if one of these is the name of no measure.
#[pyfunction]
pub fn check_measures(py: Python<'_>, names: Vec<String>) -> PyResult<()> {
    names.iter().try_for_each(|name| find(name).map(drop)).map_err(|error| errors::to_python(py, &error))
}

/// The scores by measure, each a dictionary, and the number of neighborhoods that leave a rotation open.
#[pyfunction]
pub fn measure<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    y: &Bound<'py, Source>,
    neighborhoods: &Bound<'py, Neighborhoods>,
    choice: Choice,
    settings: Settings,
) -> PyResult<(Bound<'py, PyDict>, usize)> {
    let (x, y, neighborhoods) = (Arc::clone(&x.get().0), Arc::clone(&y.get().0), Arc::clone(&neighborhoods.get().0));
    let Choice(names, center, sample, steps, metric) = choice;
    let asked = names.clone();
    let (scores, open) = gate::call(py, &settings, move |run| {
        let measures = asked.iter().map(|name| find(name)).collect::<truefold::Result<Vec<_>>>()?;
        // Given distances have no metric of their own.
        let options = Options { center, sample, steps, metric: metric.parse().unwrap_or_default() };
        let evaluation = Evaluation::new(x.input(), y.points()?, &neighborhoods, options, run)?;
        let scores =
            measures.iter().map(|measure| measure.score(&evaluation)).collect::<truefold::Result<Vec<Score>>>()?;
        let procrustes = scores.iter().any(|score| score.per_point_bound.is_some());
        let open = if procrustes { evaluation.undetermined()? } else { 0 };
        Ok((scores, open))
    })?;
    let all = PyDict::new(py);
    for (name, score) in names.iter().zip(scores) {
        let one = PyDict::new(py);
        one.set_item("value", score.value)?;
        one.set_item("lower_bound", score.lower_bound)?;
        one.set_item("per_point", score.per_point.map(|values| PyArray1::from_vec(py, values)))?;
        one.set_item("per_point_bound", score.per_point_bound.map(|values| PyArray1::from_vec(py, values)))?;
        one.set_item("standard_error", score.standard_error)?;
        one.set_item("left_out", score.left_out)?;
        all.set_item(name, one)?;
    }
    Ok((all, open))
}
