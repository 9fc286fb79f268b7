//! The library's errors as the exceptions that people expect; worded by the names of Python.

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use truefold::error::{Name, Place, Vocabulary};
use truefold::{Error, Warning};

/// The exception for an error.
pub fn to_python(py: Python<'_>, error: &Error) -> PyErr {
    raise(py, error, error.worded(&Words::default()))
}

/// The exception for an error in the array that the user knows by `name`.
pub fn about(py: Python<'_>, name: &str, error: &Error) -> PyErr {
    raise(py, error, format!("{name}: {}", error.worded(&Words { array: name })))
}

/// The exception for a panic: always a defect of ours.
pub fn defect(payload: &(dyn std::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason was told");
    PyRuntimeError::new_err(format!("a defect of truefold: {text}; please report it with what you called"))
}

/// The exception where the system does not start the thread that a call works on.
pub fn no_thread(cause: &std::io::Error) -> PyErr {
    PyOSError::new_err(format!("no thread can be started for this call ({cause}); allow more threads, or more memory"))
}

fn raise(py: Python<'_>, error: &Error, text: String) -> PyErr {
    let text = match error {
        // scikit-learn's checks look for these words.
        Error::TooFewPoints { given, .. } => format!("{text} (n_samples = {given})"),
        _ => text,
    };
    let class = match error {
        Error::Parameter { name, .. } if name.plain() == "memory" => "MemoryLimitError",
        Error::Memory { .. } => "MemoryLimitError",
        Error::OutOfMemory { .. } => "OutOfMemoryError",
        Error::Parameter { .. } => "ParameterError",
        Error::TooFewPoints { .. } => "TooFewPointsError",
        Error::Disconnected { .. } => "NotConnectedError",
        Error::RankDeficient { .. } => "RankDeficientError",
        Error::Solver { .. } => "SolverError",
        Error::Unknown { .. } => "UnknownNameError",
        Error::File { .. } => "FileError",
        Error::Cancelled => return PyKeyboardInterrupt::new_err(text),
        _ => "DataError",
    };
    let found = py.import("truefold.errors").and_then(|module| module.getattr(class));
    match found.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
        Ok(class) => PyErr::from_type(class, text),
        Err(error) => error,
    }
}

/// The names of Python's arguments, its spelling of values, and positions in arrays, counted from zero.
#[derive(Debug, Clone, Copy, Default)]
pub struct Words<'a> {
    /// The array that the user gave, or nothing.
    pub array: &'a str,
}

impl Vocabulary for Words<'_> {
    fn name(&self, name: &Name) -> String {
        // A setting of a method or of a data set is an argument of that name.
        let Name::Option(plain) = name else { return name.plain().to_owned() };
        match plain.as_ref() {
            "k" => "n_neighbors",
            "reference_k" => "reference_n_neighbors",
            "dim" => "n_components",
            "threads" => "n_jobs",
            "points" => "n_points",
            "seed" => "random_state",
            "approximate" => "algorithm",
            plain => plain,
        }
        .to_owned()
    }

    fn given(&self, name: &Name, value: &str) -> String {
        let value = match value {
            "null" => "None",
            "true" => "True",
            "false" => "False",
            other => other,
        };
        format!("{} = {value}", self.name(name))
    }

    fn place(&self, place: &Place) -> String {
        let at = match (place.row, place.column) {
            (Some(row), Some(column)) => format!("{row}, {column}"),
            (Some(row), None) => row.to_string(),
            (None, Some(column)) => format!(":, {column}"),
            (None, None) => return place.to_string(),
        };
        let name = place.column_name.as_ref().map_or(String::new(), |name| format!(" ('{name}')"));
        format!("array position {}[{at}]{name}", self.array)
    }
}

/// Warnings as sentences in the names of Python.
pub fn warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>) -> Vec<String> {
    warnings.into_iter().map(|warning| warning.worded(&Words::default())).collect()
}
