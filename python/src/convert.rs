//! NumPy arrays as the library's input, in NumPy's own memory where that holds 64-bit numbers row by row.

use crate::errors;
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::error::Advice;
use truefold::{Data, Distances, Error, Input, Points};

/// Points or distances, ready for any number of calls.
#[pyclass(frozen)]
pub struct Source(pub Arc<Held>);

/// What a [`Source`] holds; it may outlive the call that uses it, so it owns or keeps what it points to.
pub struct Held {
    // Before the array that it points into: fields are dropped in order.
    data: Data,
    array: Option<Py<PyArray2<f64>>>,
}

impl Held {
    fn source(data: Data, array: Option<Py<PyArray2<f64>>>) -> Source {
        Source(Arc::new(Self { data, array }))
    }

    /// The input as the library takes it.
    pub fn input(&self) -> Input<'_> {
        self.data.input()
    }

    /// The points, where there are coordinates.
    pub fn points(&self) -> truefold::Result<&Points> {
        let advice = || Advice::mend_data("give the coordinates of Y");
        self.data.points().ok_or_else(|| Error::data("Y holds distances", advice()))
    }
}

#[pymethods]
impl Source {
    /// Coordinates in a C-ordered array; `name` is for errors.
    #[staticmethod]
    fn points(array: PyReadonlyArray2<'_, f64>, name: &str) -> PyResult<Self> {
        let (rows, columns) = (array.shape()[0], array.shape()[1]);
        let cells = array.as_slice()?;
        // SAFETY: the array is kept beside the points and is dropped after them, so its memory stays. NumPy lets other
        // code write to it in the meantime; the documentation asks users not to.
        let cells: &'static [f64] = unsafe { &*std::ptr::from_ref(cells) };
        let points =
            Points::from_static(rows, columns, cells).map_err(|error| errors::about(array.py(), name, &error))?;
        Ok(Held::source(Data::Points(points), Some((*array).clone().unbind())))
    }

    /// All distances.
    #[staticmethod]
    fn distances(array: PyReadonlyArray2<'_, f64>, name: &str) -> PyResult<Self> {
        let distances = Distances::dense(array.shape()[0], array.as_slice()?.to_vec())
            .map_err(|error| errors::about(array.py(), name, &error))?;
        Ok(Held::source(Data::Distances(distances), None))
    }

    /// The known distances, as in a matrix of scipy in compressed rows.
    #[staticmethod]
    fn sparse_distances(
        py: Python<'_>,
        offsets: PyReadonlyArray1<'_, i64>,
        columns: PyReadonlyArray1<'_, i64>,
        values: PyReadonlyArray1<'_, f64>,
        name: &str,
    ) -> PyResult<Self> {
        // Numbers out of range become ones that the library refuses.
        let offsets: Vec<usize> =
            offsets.as_slice()?.iter().map(|&at| usize::try_from(at).unwrap_or(usize::MAX)).collect();
        let columns = columns.as_slice()?.iter().map(|&at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
        let values = values.as_slice()?.to_vec();
        let distances = Distances::sparse(offsets.len().saturating_sub(1), offsets, columns, values)
            .map_err(|error| errors::about(py, name, &error))?;
        Ok(Held::source(Data::Distances(distances), None))
    }

    /// The array that the points are read from; none for distances.
    #[getter]
    fn array(&self, py: Python<'_>) -> Option<Py<PyArray2<f64>>> {
        self.0.array.as_ref().map(|array| array.clone_ref(py))
    }

    /// The number of points.
    fn __len__(&self) -> usize {
        self.0.input().len()
    }
}
