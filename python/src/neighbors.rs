//! Neighborhoods: found, or taken from lists.

use crate::convert::{Source, list};
use crate::errors;
use crate::gate::{self, Settings};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use serde_json::json;
use std::sync::Arc;
use truefold::error::{Advice, Bound};
use truefold::{Algorithm, Error, Input, Metric, NearestLists, NeighborhoodFacts, Search};

/// One list of rows per point, its center first.
#[pyclass(frozen)]
pub struct Neighborhoods(pub Arc<truefold::Neighborhoods>);

/// Where each list begins, and the end; and all lists behind each other.
type Lists<'py> = (pyo3::Bound<'py, PyArray1<i64>>, pyo3::Bound<'py, PyArray1<i64>>);

#[pymethods]
impl Neighborhoods {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The members of all neighborhoods, centers first.
    fn lists<'py>(&self, py: Python<'py>) -> PyResult<Lists<'py>> {
        let (lists, mut end) = (&self.0, 0);
        let lengths = (0..lists.len()).map(|index| lists.members(index).len() as i64);
        let ends = lengths.map(|length| {
            end += length;
            end
        });
        let members = (0..lists.len()).flat_map(|index| lists.members(index)).map(|&row| i64::from(row));
        let offsets = list(py, lists.len() + 1, std::iter::once(0).chain(ends))?;
        Ok((offsets, list(py, lists.memberships(), members)?))
    }

    /// The connected component of each point.
    fn components<'py>(&self, py: Python<'py>) -> PyResult<pyo3::Bound<'py, PyArray1<i64>>> {
        list(py, self.0.len(), self.0.components().of().iter().map(|&component| i64::from(component)))
    }

    /// The distance of every member from its center, in the order of the lists; distances need no metric.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        x: &pyo3::Bound<'py, Source>,
        metric: &str,
        settings: Settings,
    ) -> PyResult<pyo3::Bound<'py, PyArray1<f64>>> {
        let (lists, data, metric) = (Arc::clone(&self.0), Arc::clone(&x.get().0), metric.to_owned());
        let found = gate::call(py, &settings, move |run| match data.input() {
            Input::Points(points) => lists.distances(points, metric.parse()?, run),
            Input::Distances(distances) => lists.known_distances(distances),
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// How they were found, as JSON.
    fn facts(&self) -> String {
        json!(NeighborhoodFacts::of(&self.0)).to_string()
    }
}

/// What to search for: the nearest k, or all within a radius, where there is one; the metric; the algorithm.
#[derive(FromPyObject)]
pub struct Wanted(usize, Option<f64>, String, String);

impl Wanted {
    /// The search, with all that belongs to points.
    fn search(&self) -> truefold::Result<Search> {
        Ok(self.reaching().with_metric(self.2.parse()?).with_algorithm(match self.3.as_str() {
            "auto" => Algorithm::Auto,
            "tree" => Algorithm::Tree,
            "brute" => Algorithm::Brute,
            "approximate" => Algorithm::Approximate,
            other => {
                let known = ["auto", "tree", "brute", "approximate"].map(str::to_owned).to_vec();
                let advice = Advice::change("algorithm", "choose one of them");
                return Err(Error::parameter("algorithm", format!("'{other}'"), Bound::OneOf(known), advice));
            }
        }))
    }

    /// Whom it reaches, which is all that matters where distances are given.
    fn reaching(&self) -> Search {
        self.1.map_or_else(|| Search::nearest(self.0), Search::within)
    }
}

/// Finds neighbors, an approximate search at least `recall` of the true ones; distances need no metric.
#[pyfunction]
#[pyo3(signature = (x, wanted, settings, recall=None))]
pub fn neighbors(
    py: Python<'_>,
    x: &pyo3::Bound<'_, Source>,
    wanted: Wanted,
    settings: Settings,
    recall: Option<f64>,
) -> PyResult<Neighborhoods> {
    let data = Arc::clone(&x.get().0);
    let search = match data.input() {
        Input::Points(_) => wanted.search(),
        Input::Distances(_) => Ok(wanted.reaching()),
    };
    let search = search.map_err(|error| errors::to_python(py, &error))?;
    let search = recall.map_or(search, |recall| search.with_recall(recall));
    let found = gate::call(py, &settings, move |run| match data.input() {
        // What the device does not do is an error for a search that is asked for itself.
        Input::Points(points) => search.with_device(run.device()).run(points, run),
        Input::Distances(distances) => search.run_on_distances(distances, run),
    })?;
    Ok(Neighborhoods(Arc::new(found)))
}

/// Rows and distances of the fitted points nearest to new ones, one row for each of these.
type Found<'py> = (pyo3::Bound<'py, PyArray2<i64>>, pyo3::Bound<'py, PyArray2<f64>>);

/// Finds the fitted points nearest to new ones.
#[pyfunction]
pub fn neighbors_of_new<'py>(
    py: Python<'py>,
    fitted: &pyo3::Bound<'py, Source>,
    new: &pyo3::Bound<'py, Source>,
    wanted: Wanted,
    settings: Settings,
) -> PyResult<Found<'py>> {
    let search = wanted.search().map_err(|error| errors::to_python(py, &error))?;
    let (fitted, new) = (Arc::clone(&fitted.get().0), Arc::clone(&new.get().0));
    let found = gate::call(py, &settings, move |run| search.run_on_new(fitted.points()?, new.points()?, run))?;
    let shape = [found.distances.len() / found.k, found.k];
    let rows = list(py, found.rows.len(), found.rows.into_iter().map(i64::from))?.reshape(shape)?;
    Ok((rows, PyArray1::from_vec(py, found.distances).reshape(shape)?))
}

/// Finds the neighbors of each point of a part of all points, or those nearest to each of `new`, with what orders them.
#[pyfunction]
#[pyo3(signature = (fitted, new, wanted, settings, recall=None))]
pub fn nearest_values<'py>(
    py: Python<'py>,
    fitted: &pyo3::Bound<'py, Source>,
    new: Option<&pyo3::Bound<'py, Source>>,
    wanted: Wanted,
    settings: Settings,
    recall: Option<f64>,
) -> PyResult<Found<'py>> {
    let search = wanted.search().map_err(|error| errors::to_python(py, &error))?;
    let search = recall.map_or(search, |recall| search.with_recall(recall));
    let (fitted, new) = (Arc::clone(&fitted.get().0), new.map(|new| Arc::clone(&new.get().0)));
    let found = gate::call(py, &settings, move |run| {
        let new = new.as_ref().map(|new| new.points()).transpose()?;
        search.run_on_part(fitted.points()?, new, run)
    })?;
    let shape = [found.values.len() / found.k, found.k];
    let rows = list(py, found.rows.len(), found.rows.into_iter().map(i64::from))?.reshape(shape)?;
    Ok((rows, PyArray1::from_vec(py, found.values).reshape(shape)?))
}

/// Puts more neighbors into lists at some places, in the lists themselves; all lie row by row.
#[pyfunction]
pub fn merge_lists<'py>(
    py: Python<'py>,
    rows: &pyo3::Bound<'py, PyArray2<i64>>,
    values: &pyo3::Bound<'py, PyArray2<f64>>,
    places: PyReadonlyArray1<'py, i64>,
    more: (PyReadonlyArray2<'py, i64>, PyReadonlyArray2<'py, f64>),
) -> PyResult<()> {
    let k = rows.shape()[1];
    let (mut rows, mut values) = (rows.try_readwrite()?, values.try_readwrite()?);
    let (rows, values) = (rows.as_slice_mut()?, values.as_slice_mut()?);
    let places: Vec<usize> = places.as_slice()?.iter().map(|&place| place as usize).collect();
    let more = (more.0.as_slice()?, more.1.as_slice()?);
    // Other threads of Python go on meanwhile.
    py.detach(|| NearestLists::new(rows, values, k)?.merge(&places, more))
        .map_err(|error| errors::to_python(py, &error))
}

/// The distances that such values stand for.
#[pyfunction]
pub fn distances_of<'py>(
    py: Python<'py>,
    values: PyReadonlyArrayDyn<'py, f64>,
    metric: &str,
) -> PyResult<pyo3::Bound<'py, PyArrayDyn<f64>>> {
    let metric: Metric = metric.parse().map_err(|error| errors::to_python(py, &error))?;
    Ok(values.as_array().mapv(|value| metric.distance_of(value)).into_pyarray(py))
}

/// The rows that a search compares: those of the points, or their directions.
#[pyfunction]
pub fn compared<'py>(
    py: Python<'py>,
    x: &pyo3::Bound<'py, Source>,
    metric: &str,
) -> PyResult<pyo3::Bound<'py, PyArray2<f64>>> {
    let data = Arc::clone(&x.get().0);
    let made = metric.parse::<Metric>().and_then(|metric| metric.compared(data.points()?));
    let made = made.map_err(|error| errors::to_python(py, &error))?;
    let shape = [made.len(), made.dim()];
    PyArray1::from_vec(py, made.into_values()).reshape(shape)
}

/// The products of all points, or of some rows, with a direction.
#[pyfunction]
#[pyo3(signature = (x, direction, rows=None))]
pub fn along<'py>(
    py: Python<'py>,
    x: &pyo3::Bound<'py, Source>,
    direction: PyReadonlyArray1<'py, f64>,
    rows: Option<PyReadonlyArray1<'py, i64>>,
) -> PyResult<pyo3::Bound<'py, PyArray1<f64>>> {
    let data = Arc::clone(&x.get().0);
    let points = data.points().map_err(|error| errors::to_python(py, &error))?;
    let (direction, rows) = (direction.as_slice()?, rows.as_ref().map(|rows| rows.as_slice()).transpose()?);
    // Other threads of Python go on meanwhile.
    let found = py.detach(|| match rows {
        Some(rows) => points.along(direction, rows.iter().map(|&row| row as usize)),
        None => points.along(direction, 0..points.len()),
    });
    Ok(PyArray1::from_vec(py, found))
}

/// The rows of `count` points that are spread as all of them are.
#[pyfunction]
pub fn spread<'py>(
    py: Python<'py>,
    x: &pyo3::Bound<'py, Source>,
    count: usize,
    metric: &str,
    settings: Settings,
) -> PyResult<pyo3::Bound<'py, PyArray1<i64>>> {
    let metric: Metric = metric.parse().map_err(|error| errors::to_python(py, &error))?;
    let data = Arc::clone(&x.get().0);
    let rows = gate::call(py, &settings, move |run| metric.spread(data.points()?, count, run))?;
    list(py, rows.len(), rows.into_iter().map(i64::from))
}

/// Takes lists that lie behind each other, with where each begins and the end; of the first points only, if there are more
/// points than lists.
#[pyfunction]
#[pyo3(signature = (offsets, rows, count=None))]
pub fn neighbors_from_lists(
    py: Python<'_>,
    offsets: PyReadonlyArray1<'_, i64>,
    rows: PyReadonlyArray1<'_, i64>,
    count: Option<usize>,
) -> PyResult<Neighborhoods> {
    let (offsets, rows) = (offsets.as_slice()?, rows.as_slice()?);
    let cut = |pair: &[i64]| {
        let (start, end) = (usize::try_from(pair[0]).ok()?, usize::try_from(pair[1]).ok()?);
        rows.get(start..end)
    };
    let lists: Option<Vec<&[i64]>> = offsets.windows(2).map(cut).collect();
    lists
        .ok_or_else(|| Error::data("the neighbor lists do not follow each other", "give offsets that rise from 0"))
        .and_then(|lists| truefold::Neighborhoods::of_first(count.unwrap_or(lists.len()), &lists))
        .map(|found| Neighborhoods(Arc::new(found)))
        .map_err(|error| errors::about(py, "neighbors", &error))
}
