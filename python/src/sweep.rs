//! One method over numbers of neighbors and dimensions.

use crate::compare::{Kept, Taking, kept};
use crate::convert::{Data, Source};
use crate::embed::Method;
use crate::errors;
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::report::{Fill, Page};
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::sweep::Plan;
use truefold_report::{Report, sweep as shown};

/// A sweep that was made.
#[pyclass(frozen)]
pub struct Sweep {
    x: Arc<Data>,
    made: Arc<truefold::sweep::Sweep>,
}

#[pymethods]
impl Sweep {
    fn text(&self) -> String {
        shown::text(&self.made, &str::to_owned)
    }

    fn markdown(&self) -> String {
        shown::markdown(&self.made)
    }

    fn csv(&self) -> String {
        shown::csv(&self.made)
    }

    fn json(&self) -> String {
        shown::json(&self.made).to_string()
    }

    fn recommendation(&self) -> Vec<String> {
        shown::recommendation(&self.made)
    }

    /// The k and the dimension to choose.
    fn recommended(&self) -> Option<(usize, usize)> {
        self.made.recommended().map(|choice| (choice.k, choice.dim))
    }

    /// The embedding of this k and dimension, where it was kept: that of the chosen k of each dimension is.
    fn embedding<'py>(&self, py: Python<'py>, k: usize, dim: usize) -> PyResult<Option<Kept<'py>>> {
        kept(py, self.made.cell(k, dim).and_then(|cell| cell.graded()).map(|graded| &graded.own))
    }

    /// The interactive page.
    fn page(&self, py: Python<'_>, page: Page<'_>, settings: Settings) -> PyResult<String> {
        page.make(py, Arc::clone(&self.x), &settings, Shown(Arc::clone(&self.made)))
    }
}

struct Shown(Arc<truefold::sweep::Sweep>);

impl Fill for Shown {
    fn fill<'a>(&'a self, report: &mut Report<'a>) -> truefold::Result<()> {
        shown::fill(report, &self.0);
        Ok(())
    }
}

/// Runs the method for each of `ks` and `dims`; the neighborhoods hold the most neighbors of any, and the reference.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one call from Python names each of them")]
pub fn sweep(
    py: Python<'_>,
    x: &Bound<'_, Source>,
    neighborhoods: &Bound<'_, Neighborhoods>,
    method: &Bound<'_, Method>,
    ks: Vec<usize>,
    dims: Vec<usize>,
    reference: Option<usize>,
    taking: Taking,
    settings: Settings,
) -> PyResult<Sweep> {
    let prepare = || -> truefold::Result<Plan> {
        let plan = Plan::new(method.get().0.clone(), &ks, &dims)?.with_options(taking.options());
        match reference {
            Some(k) => plan.with_reference_k(k),
            None => Ok(plan),
        }
    };
    let plan = prepare().map_err(|error| errors::to_python(py, &error))?;
    let (x, widest) = (Arc::clone(&x.get().0), Arc::clone(&neighborhoods.get().0));
    let data = Arc::clone(&x);
    let made = gate::call(py, &settings, move |run| plan.run(data.input(), &widest, run))?;
    Ok(Sweep { x, made: Arc::new(made) })
}
