//! The global measures of points that lie on several machines, part by part.

use crate::convert::{Held, Source};
use crate::gate::{self, Settings};
use numpy::ndarray::Array;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
};
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::measure::{self, Beside, Sampling, ScaleCurve, Thresholds};
use truefold::{Metric, Result};
use truefold_report::facts;

/// Points, of which the first are the queries, where each of these is in the part (or -1), and the metric.
#[derive(FromPyObject)]
pub struct Side<'py>(Bound<'py, Source>, PyReadonlyArray1<'py, i64>, String);

/// The same without the interpreter.
struct Owned(Arc<Held>, Vec<Option<usize>>, String);

impl Side<'_> {
    fn owned(self) -> PyResult<Owned> {
        let own = self.1.as_slice()?.iter().map(|&row| usize::try_from(row).ok()).collect();
        Ok(Owned(Arc::clone(&self.0.get().0), own, self.2))
    }
}

impl Owned {
    fn beside(&self) -> Result<Beside<'_>> {
        Beside::new(self.0.points()?, &self.1, self.2.parse::<Metric>()?)
    }
}

/// The rows that the global measures look at, in order; none where they look at all.
#[pyfunction]
pub fn sampled_rows<'py>(
    py: Python<'py>,
    count: usize,
    sample: Option<usize>,
    seed: u64,
) -> Option<Bound<'py, PyArray1<i64>>> {
    let rows = Sampling::from(sample).rows(count, seed)?;
    Some(PyArray1::from_iter(py, rows.into_iter().map(|row| row as i64)))
}

/// The mean of the values of sampled points out of `count`, and its standard error.
#[pyfunction]
pub fn sampled_mean(values: PyReadonlyArray1<'_, f64>, count: usize) -> PyResult<(f64, Option<f64>)> {
    Ok(measure::sampled_mean(values.as_slice()?, count))
}

/// For each target of each query (its value, and the row of the part before which it stands) the rows of the part before it.
#[pyfunction]
pub fn rows_before<'py>(
    py: Python<'py>,
    side: Side<'py>,
    values: PyReadonlyArray2<'py, f64>,
    rows: PyReadonlyArray2<'py, i64>,
    settings: Settings,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let shape = values.as_array().dim();
    let both = values.as_slice()?.iter().zip(rows.as_slice()?).map(|(&value, &row)| (value, row as u32));
    let targets: Vec<(f64, u32)> = both.collect();
    let side = side.owned()?;
    let found = gate::call(py, &settings, move |run| {
        let targets: Vec<Vec<(f64, u32)>> = targets.chunks(shape.1.max(1)).map(<[_]>::to_vec).collect();
        side.beside()?.before(&targets, run)
    })?;
    PyArray1::from_iter(py, found.into_iter().flatten().map(|count| count as i64)).reshape([shape.0, shape.1])
}

/// The share of order that points keep among `count` whose k points have ranks that exceed k by so much, and that of chance.
#[pyfunction]
pub fn order_kept<'py>(
    py: Python<'py>,
    excess: PyReadonlyArray1<'py, f64>,
    count: usize,
    k: usize,
) -> PyResult<(Bound<'py, PyArray1<f64>>, f64)> {
    let kept = excess.as_slice()?.iter().map(|&excess| measure::order_kept(count, k, excess));
    Ok((PyArray1::from_iter(py, kept), measure::order_by_chance(count, k)))
}

/// The sizes of neighborhoods that are looked at among so many points.
#[pyfunction]
pub fn scale_sizes(py: Python<'_>, count: usize) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_iter(py, measure::scale_sizes(count).into_iter().map(|size| size as i64))
}

/// For each query its ranges of bits; the last ones may be empty.
fn ranges_of(ranges: &PyReadonlyArray3<'_, u64>) -> measure::Ranges {
    let known = |row: numpy::ndarray::ArrayView2<'_, u64>| {
        row.outer_iter().map(|range| (range[0], range[1])).filter(|range| range.0 < range.1).collect()
    };
    ranges.as_array().outer_iter().map(known).collect()
}

/// For each query, range and piece of the range the number of rows of the part with a value there.
#[pyfunction]
pub fn counts_within<'py>(
    py: Python<'py>,
    side: Side<'py>,
    ranges: PyReadonlyArray3<'py, u64>,
    pieces: usize,
    least: u64,
    settings: Settings,
) -> PyResult<Bound<'py, PyArray3<u32>>> {
    let (queries, width, _) = ranges.as_array().dim();
    let (ranges, side) = (ranges_of(&ranges), side.owned()?);
    let found = gate::call(py, &settings, move |run| side.beside()?.counts(&ranges, pieces, least, run))?;
    let mut counts = Array::zeros((queries, width, pieces));
    for (mut row, found) in counts.outer_iter_mut().zip(&found) {
        row.iter_mut().zip(found).for_each(|(count, &found)| *count = found);
    }
    Ok(counts.into_pyarray(py))
}

/// Queries, the bits of values, and counts.
type Listed<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<i64>>);

/// The values of rows of the part that lie in the ranges of each query, in order, and how often each is there.
#[pyfunction]
pub fn listed_within<'py>(
    py: Python<'py>,
    side: Side<'py>,
    ranges: PyReadonlyArray3<'py, u64>,
    settings: Settings,
) -> PyResult<Listed<'py>> {
    let (ranges, side) = (ranges_of(&ranges), side.owned()?);
    let found = gate::call(py, &settings, move |run| side.beside()?.listed(&ranges, run))?;
    let queries = found.iter().enumerate().flat_map(|(query, some)| some.iter().map(move |_| query as i64));
    Ok((
        PyArray1::from_iter(py, queries.collect::<Vec<_>>()),
        PyArray1::from_iter(py, found.iter().flatten().map(|one| one.0)),
        PyArray1::from_iter(py, found.iter().flatten().map(|one| i64::from(one.1))),
    ))
}

/// The bits of the last value inside, and the number of rows with it that are inside, for each query and size.
#[derive(FromPyObject)]
pub struct Limits<'py>(PyReadonlyArray2<'py, u64>, PyReadonlyArray2<'py, u32>);

impl Limits<'_> {
    fn thresholds(&self) -> Thresholds {
        let both = self.0.as_array().into_iter().zip(self.1.as_array()).map(|(&bits, &ties)| (bits, ties));
        let all: Vec<(u64, u32)> = both.collect();
        all.chunks(self.0.as_array().dim().1.max(1)).map(<[_]>::to_vec).collect()
    }
}

/// For each query and size the rows of the part that are among its neighbors of this size in the data and in the map.
#[pyfunction]
pub fn kept_within<'py>(
    py: Python<'py>,
    sides: (Side<'py>, Side<'py>),
    limits: (Limits<'py>, Limits<'py>),
    settings: Settings,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let shape = limits.0.0.as_array().dim();
    let (data, map) = (limits.0.thresholds(), limits.1.thresholds());
    let (x, y) = (sides.0.owned()?, sides.1.owned()?);
    let found = gate::call(py, &settings, move |run| x.beside()?.kept(&y.beside()?, [&data, &map], run))?;
    PyArray1::from_vec(py, found.concat()).reshape([shape.0, shape.1])
}

/// The curve of neighborhoods kept at every size as JSON, and the area of each sampled point's own, out of `count` points.
#[pyfunction]
pub fn curve_of_kept<'py>(
    py: Python<'py>,
    kept: PyReadonlyArray2<'py, u32>,
    count: usize,
) -> PyResult<(String, Bound<'py, PyArray1<f64>>)> {
    let (curve, areas) = ScaleCurve::of_sampled(kept.as_slice()?, kept.as_array().dim().0, count);
    Ok((facts::scale_curve(&curve).to_string(), PyArray1::from_vec(py, areas)))
}

/// The number of pairs and the sum of embedded distances in each bin of input distances.
#[pyfunction]
pub fn stress_bins<'py>(
    py: Python<'py>,
    sides: (Side<'py>, Side<'py>),
    reach: f64,
    settings: Settings,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (sides.0.owned()?, sides.1.owned()?);
    let bins = gate::call(py, &settings, move |run| x.beside()?.bins(&y.beside()?, reach, run))?;
    pairs(py, bins)
}

/// The best monotone function of input distances, bin by bin.
#[pyfunction]
pub fn stress_fit<'py>(py: Python<'py>, bins: PyReadonlyArray2<'py, f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    Ok(PyArray1::from_vec(py, measure::fit_stress(bins.as_slice()?.as_chunks().0)))
}

/// For each query the sums of (d - f)^2 and of d^2 over its pairs with the part.
#[pyfunction]
pub fn stress_residuals<'py>(
    py: Python<'py>,
    sides: (Side<'py>, Side<'py>),
    reach: f64,
    fitted: PyReadonlyArray1<'py, f64>,
    settings: Settings,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y, fitted) = (sides.0.owned()?, sides.1.owned()?, fitted.as_slice()?.to_vec());
    let sums = gate::call(py, &settings, move |run| x.beside()?.residuals(&y.beside()?, reach, &fitted, run))?;
    pairs(py, sums)
}

/// The stress of points sampled out of `count`, its standard error, and the value of each.
#[pyfunction]
pub fn stress_of_sums<'py>(
    py: Python<'py>,
    sums: PyReadonlyArray2<'py, f64>,
    count: usize,
) -> PyResult<(f64, Option<f64>, Bound<'py, PyArray1<f64>>)> {
    let (stress, error, values) = measure::stress_of_sums(sums.as_slice()?.as_chunks().0, count);
    Ok((stress, error, PyArray1::from_vec(py, values)))
}

fn pairs(py: Python<'_>, found: Vec<[f64; 2]>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let count = found.len();
    PyArray1::from_vec(py, found.into_flattened()).reshape([count, 2])
}
