//! The library's errors as the exceptions that people expect; their sentences get the positions in the arrays.

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use truefold::Error;

/// The exception for an error.
pub fn to_python(py: Python<'_>, error: &Error) -> PyErr {
    raise(py, error, sentence(error, ""))
}

/// The exception for an error in the array that the user knows by `name`.
pub fn about(py: Python<'_>, name: &str, error: &Error) -> PyErr {
    raise(py, error, format!("{name}: {}", sentence(error, name)))
}

/// The exception for a panic: always a defect of ours.
pub fn defect(payload: &(dyn std::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason was told");
    PyRuntimeError::new_err(format!("a defect of truefold: {text}; please report it with what you called"))
}

fn raise(py: Python<'_>, error: &Error, text: String) -> PyErr {
    let class = match error {
        Error::Parameter { name, .. } if name == "memory" => "MemoryLimitError",
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

/// The sentence of the tool, with Python's names and positions behind it.
fn sentence(error: &Error, array: &str) -> String {
    let text = error.to_string();
    let note = match error {
        Error::Parameter { name, .. } => python_name(name).map(|known| format!("in Python, {name} is {known}")),
        Error::TooFewPoints { given, .. } => Some(format!("n_samples = {given}")),
        Error::Data { what, .. } => position(what).map(|at| format!("array position {array}{at}")),
        _ => None,
    };
    note.map_or_else(|| text.clone(), |note| format!("{text} ({note})"))
}

fn python_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "k" => "n_neighbors",
        "dim" => "n_components",
        "threads" => "n_jobs",
        "points" => "n_points",
        _ => return None,
    })
}

/// The first `row 3, column 4`, or `row 3` at the beginning, counted from zero: `[2, 3]`, `[2]`.
fn position(text: &str) -> Option<String> {
    for (at, _) in text.match_indices("row ") {
        let (row, rest) = number(&text[at + 4..])?;
        if let Some((column, _)) = rest.strip_prefix(", column ").and_then(number) {
            return Some(format!("[{}, {}]", row.checked_sub(1)?, column.checked_sub(1)?));
        }
        if at == 0 {
            return Some(format!("[{}]", row.checked_sub(1)?));
        }
    }
    None
}

/// The number at the beginning, and what follows it.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}
