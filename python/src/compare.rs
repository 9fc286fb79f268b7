//! Methods compared.

use crate::convert::{Held, Source};
use crate::embed::{Method, array};
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::report::{Fill, Page};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use truefold::compare::{Nested, Plan, Trial};
use truefold::measure::Options;
use truefold_report::words::Voice;
use truefold_report::{Report, comparison};

/// How embeddings are measured: the measures (the plan's own where none is named), center, sample.
#[derive(FromPyObject)]
pub struct Measuring(pub Option<Vec<String>>, pub bool, pub Option<usize>);

impl Measuring {
    /// The options that this stands for.
    pub fn options(&self) -> Options {
        Options { center: self.1, sample: self.2, ..Options::default() }
    }
}

/// The coordinates, the rows that were embedded where not all were, and R_N of each point.
pub type KeptEmbedding<'py> =
    (Bound<'py, PyArray2<f64>>, Option<Bound<'py, PyArray1<i64>>>, Option<Bound<'py, PyArray1<f64>>>);

/// A comparison that was made.
#[pyclass(frozen)]
pub struct Comparison {
    x: Arc<Held>,
    made: Arc<truefold::compare::Comparison>,
}

#[pymethods]
impl Comparison {
    fn text(&self) -> String {
        comparison::text(&self.made, &Voice::of(&Words::default()))
    }

    fn markdown(&self) -> String {
        comparison::markdown(&self.made, &Words::default())
    }

    fn csv(&self) -> String {
        comparison::csv(&self.made, &Words::default())
    }

    fn json(&self) -> String {
        comparison::json(&self.made, &Words::default()).to_string()
    }

    /// What the row of this number gave.
    fn embedding<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<KeptEmbedding<'py>>> {
        kept(py, self.made.rows.get(row).and_then(|row| row.trial()))
    }

    /// The interactive page.
    fn page(&self, py: Python<'_>, page: Page<'_>, settings: Settings) -> PyResult<String> {
        page.make(py, Arc::clone(&self.x), &settings, OnPage(Arc::clone(&self.made)))
    }
}

struct OnPage(Arc<truefold::compare::Comparison>);

impl Fill for OnPage {
    fn fill<'a>(&'a self, report: &mut Report<'a>) -> truefold::Result<()> {
        comparison::fill(report, &self.0, &Words::default());
        Ok(())
    }
}

/// What to compare: the methods (the default ones where none is named), the numbers of neighbors (all lists as they are
/// where there are none), the dimension, and how embeddings are measured.
#[derive(FromPyObject)]
pub struct Wanted<'py>(Option<Vec<Bound<'py, Method>>>, Option<Vec<usize>>, usize, Measuring);

/// Runs each of the methods on the neighborhoods of each k; `seconds` are those of embeddings that the user brings, by
/// label.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    x: &Bound<'_, Source>,
    neighborhoods: &Bound<'_, Neighborhoods>,
    wanted: Wanted<'_>,
    seconds: HashMap<String, f64>,
    settings: Settings,
) -> PyResult<Comparison> {
    let Wanted(methods, ks, dim, measuring) = wanted;
    let prepare = || -> truefold::Result<Plan> {
        let methods = match methods {
            Some(asked) => asked.iter().map(|method| method.get().0.clone()).collect(),
            None => truefold::Method::defaults()?,
        };
        let plan = Plan::new(methods, dim)?.with_options(measuring.options());
        match &measuring.0 {
            Some(names) => plan.with_measures(&names.iter().map(String::as_str).collect::<Vec<_>>()),
            None => Ok(plan),
        }
    };
    let plan = prepare().map_err(|error| errors::to_python(py, &error))?;
    let (x, widest) = (Arc::clone(&x.get().0), Arc::clone(&neighborhoods.get().0));
    let data = Arc::clone(&x);
    let mut made = gate::call(py, &settings, move |run| {
        let widest = truefold::Neighborhoods::clone(&widest);
        let nested = match ks {
            Some(ks) => Nested::cut(widest, &ks)?,
            None => Nested::one(widest),
        };
        plan.run(data.input(), &nested, run)
    })?;
    for row in &mut made.rows {
        if let (Ok(trial), Some(&known)) = (&mut row.outcome, seconds.get(&row.method)) {
            trial.seconds = known;
        }
    }
    Ok(Comparison { x, made: Arc::new(made) })
}

/// What a trial kept, as arrays.
pub fn kept<'py>(py: Python<'py>, trial: Option<&Trial>) -> PyResult<Option<KeptEmbedding<'py>>> {
    let Some((trial, points)) = trial.and_then(|trial| Some((trial, trial.points.as_ref()?))) else {
        return Ok(None);
    };
    let rows = trial.judgment.rows.as_ref().map(|rows| PyArray1::from_iter(py, rows.iter().map(|&row| i64::from(row))));
    let values = trial.score("r_n").and_then(|score| score.per_point.as_ref());
    Ok(Some((array(py, points.clone())?, rows, values.map(|values| PyArray1::from_slice(py, values)))))
}
