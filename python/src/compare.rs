//! Methods compared.

use crate::convert::{Data, Source};
use crate::embed::{Method, array};
use crate::errors;
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::report::{Fill, Page};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::compare::{Nested, Plan, Trial};
use truefold::measure::Options;
use truefold_report::{Report, comparison};

/// How embeddings are measured: the measures (the plan's own where none is named), center, sample.
#[derive(FromPyObject)]
pub struct Taking(pub Option<Vec<String>>, pub bool, pub Option<usize>);

impl Taking {
    /// The options that this stands for.
    pub fn options(&self) -> Options {
        Options { center: self.1, sample: self.2, ..Options::default() }
    }
}

/// The coordinates, the rows that were embedded where not all were, and R_N of each point.
pub type Kept<'py> = (Bound<'py, PyArray2<f64>>, Option<Bound<'py, PyArray1<i64>>>, Option<Bound<'py, PyArray1<f64>>>);

/// A comparison that was made.
#[pyclass(frozen)]
pub struct Comparison {
    x: Arc<Data>,
    made: Arc<truefold::compare::Comparison>,
}

#[pymethods]
impl Comparison {
    fn text(&self) -> String {
        comparison::text(&self.made, &str::to_owned)
    }

    fn markdown(&self) -> String {
        comparison::markdown(&self.made)
    }

    fn csv(&self) -> String {
        comparison::csv(&self.made)
    }

    fn json(&self) -> String {
        comparison::json(&self.made).to_string()
    }

    /// What the row of this number gave.
    fn embedding<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<Kept<'py>>> {
        kept(py, self.made.rows.get(row).and_then(|row| row.trial()))
    }

    /// The interactive page.
    fn page(&self, py: Python<'_>, page: Page<'_>, settings: Settings) -> PyResult<String> {
        page.make(py, Arc::clone(&self.x), &settings, Shown(Arc::clone(&self.made)))
    }
}

struct Shown(Arc<truefold::compare::Comparison>);

impl Fill for Shown {
    fn fill<'a>(&'a self, report: &mut Report<'a>) -> truefold::Result<()> {
        comparison::fill(report, &self.0);
        Ok(())
    }
}

/// Runs each of the methods on the neighborhoods of each of `ks`, or on all there are where none is named.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one call from Python names each of them")]
pub fn compare(
    py: Python<'_>,
    x: &Bound<'_, Source>,
    neighborhoods: &Bound<'_, Neighborhoods>,
    ks: Option<Vec<usize>>,
    methods: Option<Vec<Bound<'_, Method>>>,
    dim: usize,
    taking: Taking,
    settings: Settings,
) -> PyResult<Comparison> {
    let prepare = || -> truefold::Result<Plan> {
        let methods = match methods {
            Some(asked) => asked.iter().map(|method| method.get().0.clone()).collect(),
            None => truefold::Method::defaults()?,
        };
        let plan = Plan::new(methods, dim)?.with_options(taking.options());
        match &taking.0 {
            Some(names) => plan.with_measures(&names.iter().map(String::as_str).collect::<Vec<_>>()),
            None => Ok(plan),
        }
    };
    let plan = prepare().map_err(|error| errors::to_python(py, &error))?;
    let (x, widest) = (Arc::clone(&x.get().0), Arc::clone(&neighborhoods.get().0));
    let data = Arc::clone(&x);
    let made = gate::call(py, &settings, move |run| {
        let widest = truefold::Neighborhoods::clone(&widest);
        let nested = match ks {
            Some(ks) => Nested::cut(widest, &ks)?,
            None => Nested::one(widest),
        };
        plan.run(data.input(), &nested, run)
    })?;
    Ok(Comparison { x, made: Arc::new(made) })
}

/// What a trial kept, as arrays.
pub fn kept<'py>(py: Python<'py>, trial: Option<&Trial>) -> PyResult<Option<Kept<'py>>> {
    let Some((trial, points)) = trial.and_then(|trial| Some((trial, trial.points.as_ref()?))) else {
        return Ok(None);
    };
    let rows = trial.rows.as_ref().map(|rows| PyArray1::from_iter(py, rows.iter().map(|&row| i64::from(row))));
    let values = trial.score("r_n").and_then(|score| score.per_point.as_ref());
    Ok(Some((array(py, points.clone())?, rows, values.map(|values| PyArray1::from_slice(py, values)))))
}
