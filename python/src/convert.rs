//! NumPy arrays as the library's input, in NumPy's own memory and precision.

use crate::errors;
use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::error::Advice;
use truefold::{Data, Distances, Error, Input, Points, Precision, Resident, memory};

/// So many values as an array; an exception where the memory for them is not there.
pub fn list<'py, T: Element>(
    py: Python<'py>,
    count: usize,
    values: impl Iterator<Item = T>,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    Ok(PyArray1::from_vec(py, copied(py, count, values)?))
}

/// The same as a list of our own.
fn copied<T>(py: Python<'_>, count: usize, values: impl Iterator<Item = T>) -> PyResult<Vec<T>> {
    memory::listed(count, values).map_err(|error| errors::to_python(py, &error))
}

/// Points or distances, ready for any number of calls.
#[pyclass(frozen)]
pub struct Source(pub Arc<Held>);

/// What a [`Source`] holds; it may outlive the call that uses it, so it owns or keeps what it points to.
pub struct Held {
    data: Data,
    array: Option<Py<PyUntypedArray>>,
}

/// The bytes of an array, which is kept.
struct Bytes {
    _array: Py<PyUntypedArray>,
    start: *const u8,
    length: usize,
}

// SAFETY: the bytes are only read, and those of an array lie where they are as long as it lives. NumPy lets other code
// write to it in the meantime; the documentation asks users not to.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: as above; an array of one piece has this many bytes.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

/// Where an array lies on a graphics processor: its address, the stream to wait for, and what keeps it there.
type Place = (u64, Option<u64>, Py<PyAny>);

/// The precision of an array of one piece, row by row, in the byte order of this machine.
fn precision(array: &Bound<'_, PyUntypedArray>) -> Option<Precision> {
    let kind = array.dtype();
    if array.ndim() != 2 || !array.is_c_contiguous() || kind.is_native_byteorder() == Some(false) {
        return None;
    }
    match (kind.kind(), kind.itemsize()) {
        (b'f', 8) => Some(Precision::Double),
        (b'f', 4) => Some(Precision::Single),
        (b'f', 2) => Some(Precision::Half),
        (b'u', 1) => Some(Precision::Byte),
        _ => None,
    }
}

impl Held {
    fn source(data: Data, array: Option<Py<PyUntypedArray>>) -> Source {
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
    /// Coordinates in a C-ordered array of 64-, 32- or 16-bit floats or bytes; `name` is for errors. Where the same numbers lie on
    /// a graphics processor, `resident` has their address, the stream to wait for, and what keeps them there.
    #[staticmethod]
    #[pyo3(signature = (array, name, resident=None))]
    fn points(array: &Bound<'_, PyUntypedArray>, name: &str, resident: Option<Place>) -> PyResult<Self> {
        let Some(precision) = precision(array) else {
            return Err(PyTypeError::new_err(format!("{name} is not a C-ordered table of floats or bytes")));
        };
        let (rows, columns) = (array.shape()[0], array.shape()[1]);
        // SAFETY: the array is alive, as it is borrowed.
        let start = unsafe { (*array.as_array_ptr()).fields.data }.cast_const().cast::<u8>();
        let length = rows * columns * precision.bytes();
        let start = if length == 0 { std::ptr::NonNull::dangling().as_ptr() } else { start };
        let bytes = Bytes { _array: array.clone().unbind(), start, length };
        let points = Points::from_shared(rows, columns, precision, Arc::new(bytes))
            .map_err(|error| errors::about(array.py(), name, &error))?;
        // SAFETY: the package of the array tells its address, its shape and a stream that is alive; the documentation asks users
        // not to change it. Where the device is another, or cannot be used, the copy on this side serves.
        let there = resident.and_then(|(address, stream, owner)| {
            array.py().detach(|| unsafe { Resident::new(address, stream, Arc::new(owner)) }).ok()
        });
        let points = match there {
            // SAFETY: as above.
            Some(there) => unsafe { points.with_resident(there) },
            None => points,
        };
        Ok(Held::source(Data::Points(points), Some(array.clone().unbind())))
    }

    /// All distances.
    #[staticmethod]
    fn distances(array: PyReadonlyArray2<'_, f64>, name: &str) -> PyResult<Self> {
        let values = copied(array.py(), array.len(), array.as_slice()?.iter().copied())?;
        let distances =
            Distances::dense(array.shape()[0], values).map_err(|error| errors::about(array.py(), name, &error))?;
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
        let rows = columns.as_slice()?.iter().map(|&at| u32::try_from(at).unwrap_or(u32::MAX));
        let columns = copied(py, columns.len(), rows)?;
        let values = copied(py, values.len(), values.as_slice()?.iter().copied())?;
        let distances = Distances::sparse(offsets.len().saturating_sub(1), offsets, columns, values)
            .map_err(|error| errors::about(py, name, &error))?;
        Ok(Held::source(Data::Distances(distances), None))
    }

    /// The array that the points are read from; none for distances.
    #[getter]
    fn array(&self, py: Python<'_>) -> Option<Py<PyUntypedArray>> {
        self.0.array.as_ref().map(|array| array.clone_ref(py))
    }

    /// Whether searches on a graphics processor read the points there.
    #[getter]
    fn on_device(&self) -> bool {
        self.0.data.points().is_some_and(|points| points.resident().is_some())
    }

    /// How precise the points are that are read; none for distances.
    #[getter]
    fn precision(&self) -> Option<String> {
        self.0.data.points().map(|points| points.precision().to_string())
    }

    /// The number of points.
    fn __len__(&self) -> usize {
        self.0.input().len()
    }
}
