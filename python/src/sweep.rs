//! One method over numbers of neighbors and dimensions.

use crate::compare::{KeptEmbedding, Measuring, kept};
use crate::convert::{Held, Source};
use crate::embed::Method;
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::report::{Fill, Page};
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::sweep::Plan;
use truefold_report::words::Voice;
use truefold_report::{Report, sweep as tables};

/// A sweep that was made.
#[pyclass(frozen)]
pub struct Sweep {
    x: Arc<Held>,
    made: Arc<truefold::sweep::Sweep>,
}

#[pymethods]
impl Sweep {
    fn text(&self) -> String {
        tables::text(&self.made, &Voice::of(&Words::default()))
    }

    fn markdown(&self) -> String {
        tables::markdown(&self.made, &Words::default())
    }

    fn csv(&self) -> String {
        tables::csv(&self.made, &Words::default())
    }

    fn json(&self) -> String {
        tables::json(&self.made, &Words::default()).to_string()
    }

    fn recommendation(&self) -> Vec<String> {
        tables::recommendation(&self.made)
    }

    /// The k and the dimension to choose.
    fn recommended(&self) -> Option<(usize, usize)> {
        self.made.recommended().map(|choice| (choice.k, choice.dim))
    }

    /// The embedding of this k and dimension, where it was kept: that of the chosen k of each dimension is.
    fn embedding<'py>(&self, py: Python<'py>, k: usize, dim: usize) -> PyResult<Option<KeptEmbedding<'py>>> {
        kept(py, self.made.candidate(k, dim).and_then(|candidate| candidate.graded()).map(|graded| &graded.own))
    }

    /// The interactive page.
    fn page(&self, py: Python<'_>, page: Page<'_>, settings: Settings) -> PyResult<String> {
        page.make(py, Arc::clone(&self.x), &settings, OnPage(Arc::clone(&self.made)))
    }
}

struct OnPage(Arc<truefold::sweep::Sweep>);

impl Fill for OnPage {
    fn fill<'a>(&'a self, report: &mut Report<'a>) -> truefold::Result<()> {
        tables::fill(report, &self.0, &Words::default());
        Ok(())
    }
}

/// What to try: numbers of neighbors, dimensions, the number of neighbors of the reference, and how embeddings are
/// measured.
#[derive(FromPyObject)]
pub struct Wanted(Vec<usize>, Vec<usize>, Option<usize>, Measuring);

/// Runs the method for each k and dimension; the neighborhoods hold the most neighbors of any, and the reference.
#[pyfunction]
pub fn sweep(
    py: Python<'_>,
    x: &Bound<'_, Source>,
    neighborhoods: &Bound<'_, Neighborhoods>,
    method: &Bound<'_, Method>,
    wanted: Wanted,
    settings: Settings,
) -> PyResult<Sweep> {
    let Wanted(ks, dims, reference, measuring) = wanted;
    let prepare = || -> truefold::Result<Plan> {
        let plan = Plan::new(method.get().0.clone(), &ks, &dims)?.with_options(measuring.options());
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
