//! Methods compared.

use crate::convert::{Held, Source};
use crate::embed::{Method, array};
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::measure::{Judged, Measuring};
use crate::neighbors::Neighborhoods;
use crate::report::{Fill, Page};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::compare::{GivenMap, Nested, Plan, Trial};
use truefold::{Points, Run};
use truefold_report::words::Voice;
use truefold_report::{Report, comparison};

/// The coordinates, the rows that were embedded where not all were, and R_N of each point.
pub type KeptEmbedding<'py> =
    (Bound<'py, PyArray2<f64>>, Option<Bound<'py, PyArray1<i64>>>, Option<Bound<'py, PyArray1<f64>>>);

/// A comparison that was made.
#[pyclass(frozen)]
pub struct Comparison {
    x: Arc<Held>,
    /// Those of the first k, which a page shows.
    neighborhoods: Arc<truefold::Neighborhoods>,
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

    /// The judgment of the row of this number; an error where the row has none.
    fn judged(&self, py: Python<'_>, row: usize) -> PyResult<Judged> {
        let row = self.made.rows.get(row).ok_or_else(|| PyIndexError::new_err("there is no such row"))?;
        let trial = row.outcome.as_ref().map_err(|error| errors::about(py, &row.method, error))?;
        Ok(Judged(Arc::new(trial.judgment.clone())))
    }

    /// The interactive page.
    fn page(&self, py: Python<'_>, page: Page<'_>, settings: Settings) -> PyResult<String> {
        let content = OnPage {
            x: Arc::clone(&self.x),
            neighborhoods: Arc::clone(&self.neighborhoods),
            made: Arc::clone(&self.made),
        };
        page.make(py, Arc::clone(&self.x), &settings, content)
    }
}

struct OnPage {
    x: Arc<Held>,
    neighborhoods: Arc<truefold::Neighborhoods>,
    made: Arc<truefold::compare::Comparison>,
}

impl Fill for OnPage {
    fn fill<'a>(&'a self, report: &mut Report<'a>, run: &Run) -> truefold::Result<()> {
        comparison::fill(report, &self.made, &Words::default());
        report.neighbors = Some(&self.neighborhoods);
        report.find_ellipses(self.x.input(), &self.neighborhoods, run)
    }
}

/// What to compare: the methods (the default ones where nothing is named), the embeddings that the user brings (name,
/// coordinates, seconds), the numbers of neighbors (all lists as they are where there are none), the dimension, and how
/// embeddings are measured.
#[derive(FromPyObject)]
pub struct Wanted<'py>(
    Option<Vec<Bound<'py, Method>>>,
    Vec<(String, Bound<'py, Source>, Option<f64>)>,
    Option<Vec<usize>>,
    usize,
    Measuring,
);

impl Wanted<'_> {
    /// The comparison to be made.
    fn plan(&self) -> truefold::Result<Plan> {
        let Self(methods, maps, _, dim, measuring) = self;
        let given = |(label, points, seconds): &(String, Bound<'_, Source>, Option<f64>)| {
            // A copy: the comparison outlives the call, and the array may change after it.
            let points = points.get().0.points()?;
            let own = Points::new(points.len(), points.dim(), points.clone().into_values())?;
            Ok(GivenMap { seconds: *seconds, ..GivenMap::new(label.clone(), own) })
        };
        let maps = maps.iter().map(given).collect::<truefold::Result<Vec<_>>>()?;
        let methods = match methods {
            Some(asked) => asked.iter().map(|method| method.get().0.clone()).collect(),
            None => truefold::Method::defaults()?,
        };
        let plan = match (methods.is_empty(), maps.is_empty()) {
            (true, false) => Plan::of_maps(maps)?,
            (_, true) => Plan::new(methods, *dim)?,
            (false, false) => Plan::new(methods, *dim)?.with_maps(maps)?,
        };
        let plan = plan.with_options(measuring.options()).with_groups(measuring.groups());
        match &measuring.measures {
            Some(names) => plan.with_measures(&names.iter().map(String::as_str).collect::<Vec<_>>()),
            None => Ok(plan),
        }
    }
}

/// Runs each of the methods on the neighborhoods of each k, and judges the given embeddings on each.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    x: &Bound<'_, Source>,
    neighborhoods: &Bound<'_, Neighborhoods>,
    wanted: Wanted<'_>,
    settings: Settings,
) -> PyResult<Comparison> {
    let plan = wanted.plan().map_err(|error| errors::to_python(py, &error))?;
    let ks = wanted.2;
    let (x, widest) = (Arc::clone(&x.get().0), Arc::clone(&neighborhoods.get().0));
    let data = Arc::clone(&x);
    let (made, common) = gate::call(py, &settings, move |run| {
        let widest = truefold::Neighborhoods::clone(&widest);
        let nested = match ks {
            Some(ks) => Nested::cut(widest, &ks)?,
            None => Nested::one(widest),
        };
        Ok((plan.run(data.input(), &nested, run)?, nested.get(0)?.into_owned()))
    })?;
    Ok(Comparison { x, neighborhoods: Arc::new(common), made: Arc::new(made) })
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
