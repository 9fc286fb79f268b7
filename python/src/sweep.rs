//! One method over numbers of neighbors and dimensions.

use crate::compare::{KeptEmbedding, kept};
use crate::convert::{Held, Source};
use crate::embed::Method;
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::report::{Fill, Page};
use pyo3::prelude::*;
use std::sync::Arc;
use truefold::Run;
use truefold::measure::Options;
use truefold::sweep::Plan;
use truefold_report::words::Voice;
use truefold_report::{Report, sweep as tables};

/// A sweep that was made.
#[pyclass(frozen)]
pub struct Sweep {
    x: Arc<Held>,
    widest: Arc<truefold::Neighborhoods>,
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
        let content = OnPage { x: Arc::clone(&self.x), widest: Arc::clone(&self.widest), made: Arc::clone(&self.made) };
        page.make(py, Arc::clone(&self.x), &settings, content)
    }
}

struct OnPage {
    x: Arc<Held>,
    widest: Arc<truefold::Neighborhoods>,
    made: Arc<truefold::sweep::Sweep>,
}

impl Fill for OnPage {
    fn fill<'a>(&'a self, report: &mut Report<'a>, run: &Run) -> truefold::Result<()> {
        tables::fill(report, &self.made, &Words::default());
        report.find_ellipses(self.x.input(), &self.widest, run)
    }
}

/// What to try: numbers of neighbors, dimensions, the number of neighbors of the reference, and whether
/// neighborhoods include their centers.
#[derive(FromPyObject)]
pub struct Wanted(Vec<usize>, Vec<usize>, Option<usize>, bool);

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
    let Wanted(ks, dims, reference, center) = wanted;
    let prepare = || -> truefold::Result<Plan> {
        let plan =
            Plan::new(method.get().0.clone(), &ks, &dims)?.with_options(Options { center, ..Options::default() });
        match reference {
            Some(k) => plan.with_reference_k(k),
            None => Ok(plan),
        }
    };
    let plan = prepare().map_err(|error| errors::to_python(py, &error))?;
    let (x, widest) = (Arc::clone(&x.get().0), Arc::clone(&neighborhoods.get().0));
    let (data, searched) = (Arc::clone(&x), Arc::clone(&widest));
    let made = gate::call(py, &settings, move |run| plan.run(data.input(), &searched, run))?;
    Ok(Sweep { x, widest, made: Arc::new(made) })
}
