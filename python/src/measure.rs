//! Judgments of embeddings.

use crate::convert::Source;
use crate::errors::{self, Words};
use crate::gate::{self, Settings};
use crate::neighbors::Neighborhoods;
use crate::wording::cells;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::sync::Arc;
use truefold::groups::Groups;
use truefold::measure::{Evaluation, MeasureInfo, Options, Score, find};
use truefold::{Judge, Judgment, PointVerdicts};
use truefold_report::facts;
use truefold_report::words::{self, Voice};

/// What is measured and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Measuring {
    /// The names of the measures; the usual ones where none is named.
    pub measures: Option<Vec<String>>,
    center: bool,
    sample: Option<usize>,
    steps: Option<usize>,
    metric: String,
    /// The false discovery rate of the verdict; no verdict where there is none.
    level: Option<f64>,
    /// The label of each point, where groups are judged.
    labels: Option<Vec<String>>,
    /// Whether the Procrustes measures also say what chance gives.
    #[pyo3(default = true)]
    chance: bool,
}

impl Measuring {
    /// The options that this stands for.
    pub fn options(&self) -> Options {
        let usual = Options::default();
        Options {
            center: self.center,
            sample: self.sample.into(),
            steps: self.steps.unwrap_or(usual.steps),
            // Given distances have no metric of their own.
            metric: self.metric.parse().unwrap_or_default(),
            verdict: self.level.is_some(),
            chance: self.chance,
            level: self.level.unwrap_or(usual.level),
        }
    }

    /// The groups that are judged.
    pub fn groups(&self) -> Option<Groups> {
        self.labels.as_deref().map(Groups::of)
    }
}

/// What is known of one embedding.
#[pyclass(frozen)]
pub struct Judged(pub Arc<Judgment>);

#[pymethods]
impl Judged {
    /// The scores by measure, each a dictionary.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        scores(py, self.0.scores.iter().map(|scored| (scored.info, &scored.score)))
    }

    /// What is said of each point, where there is a verdict.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let points = self.0.verdict.as_ref().and_then(|verdict| verdict.points.as_ref());
        points.map(|points| verdicts(py, points)).transpose()
    }

    /// What there is to say of the whole, as JSON; rows are numbered where they have no names.
    fn told(&self, row_names: Option<Vec<String>>) -> String {
        told(&self.0, row_names.as_deref())
    }
}

/// The measures of these names as the table spells them, each once; an error for the name of none.
#[pyfunction]
pub fn measures_named(py: Python<'_>, names: Vec<String>) -> PyResult<Vec<&'static str>> {
    let mut known = Vec::with_capacity(names.len());
    for name in &names {
        let found = find(name).map_err(|error| errors::to_python(py, &error))?.info().name;
        if !known.contains(&found) {
            known.push(found);
        }
    }
    Ok(known)
}

/// Judges `y` as an embedding of `x`.
#[pyfunction]
pub fn measure<'py>(
    py: Python<'py>,
    x: &Bound<'py, Source>,
    y: &Bound<'py, Source>,
    neighborhoods: &Bound<'py, Neighborhoods>,
    wanted: Measuring,
    settings: Settings,
) -> PyResult<Judged> {
    let (x, y, neighborhoods) = (Arc::clone(&x.get().0), Arc::clone(&y.get().0), Arc::clone(&neighborhoods.get().0));
    let judgment = gate::call(py, &settings, move |run| {
        let mut judge = Judge::new(x.input(), &neighborhoods).with_options(wanted.options());
        if let Some(names) = &wanted.measures {
            judge = judge.with_measures(names.iter().map(|name| find(name)).collect::<truefold::Result<Vec<_>>>()?);
        }
        if let Some(groups) = wanted.groups() {
            judge = judge.with_groups(groups);
        }
        judge.judge(y.points()?, run)
    })?;
    Ok(Judged(Arc::new(judgment)))
}

/// The scores of some measures for a part of all points: rows have these numbers among all.
#[pyfunction]
pub fn measure_part<'py>(
    py: Python<'py>,
    points: (Bound<'py, Source>, Bound<'py, Source>),
    neighborhoods: &Bound<'py, Neighborhoods>,
    wanted: Measuring,
    rows: PyReadonlyArray1<'py, u64>,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let (x, y, neighborhoods) =
        (Arc::clone(&points.0.get().0), Arc::clone(&points.1.get().0), Arc::clone(&neighborhoods.get().0));
    let rows = rows.as_slice()?.to_vec();
    let found = gate::call(py, &settings, move |run| {
        let evaluation = Evaluation::of_part((x.input(), &rows), y.points()?, &neighborhoods, wanted.options(), run)?;
        let names = wanted.measures.as_deref().unwrap_or_default().iter();
        names
            .map(|name| {
                let measure = find(name)?;
                Ok((measure.info(), measure.score(&evaluation)?))
            })
            .collect::<truefold::Result<Vec<_>>>()
    })?;
    scores(py, found.iter().map(|(info, score)| (*info, score)))
}

/// The scores by measure, each a dictionary.
fn scores<'py, 'a>(
    py: Python<'py>,
    found: impl Iterator<Item = (&'a MeasureInfo, &'a Score)>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (info, score) in found {
        let one = PyDict::new(py);
        let array = |values: &Option<Vec<f64>>| values.as_ref().map(|values| PyArray1::from_slice(py, values));
        one.set_item("value", score.value)?;
        one.set_item("lower_bound", score.lower_bound)?;
        one.set_item("best", score.best(info.better))?;
        one.set_item("times_best", score.times_bound())?;
        one.set_item("chance", score.chance.map(|chance| chance.value))?;
        one.set_item("chance_error", score.chance.and_then(|chance| chance.error))?;
        one.set_item("skill", score.skill(info.better))?;
        one.set_item("per_point", array(&score.per_point))?;
        one.set_item("per_point_bound", array(&score.per_point_bound))?;
        one.set_item("per_point_chance", array(&score.per_point_chance))?;
        one.set_item("standard_error", score.standard_error)?;
        all.set_item(info.name, one)?;
    }
    Ok(all)
}

/// What is said of each point, as arrays.
fn verdicts<'py>(py: Python<'py>, points: &PointVerdicts) -> PyResult<Bound<'py, PyDict>> {
    let each = PyDict::new(py);
    each.set_item("code", PyArray1::from_iter(py, points.classes.iter().map(|class| class.code())))?;
    let named = [
        ("p_value", &points.p_values),
        ("skill", &points.skill),
        ("false_share", &points.false_shares),
        ("missing_share", &points.missing_shares),
        ("farther_in_data", &points.farther_in_data),
        ("farther_in_map", &points.farther_in_map),
    ];
    for (name, values) in named {
        each.set_item(name, PyArray1::from_slice(py, values))?;
    }
    Ok(each)
}

/// How rows are named: by the user's names, or by number.
pub fn row_namer(names: Option<&[String]>) -> impl Fn(usize) -> String {
    move |row| match names.and_then(|names| names.get(row)) {
        Some(name) => name.clone(),
        None => format!("row {row}"),
    }
}

/// The judgment for programs and for people: facts, the whole text, and its parts.
fn told(judgment: &Judgment, row_names: Option<&[String]>) -> String {
    let words_of_python = Words::default();
    let row = row_namer(row_names);
    let voice = Voice::of(&words_of_python);
    let mut said = json!({
        "facts": facts::judgment(judgment, &words_of_python),
        "text": words::judgment(judgment, &row, &voice),
        "setting": words::setting(judgment),
        "table": cells(&words::scores(&judgment.scores)),
        "findings": words::findings(judgment, &row),
        "notes": words::notes(&judgment.warnings, &voice),
        "verdict": judgment.verdict.as_ref().map(words::verdict),
        "telling": judgment.telling(),
    });
    if let Some(groups) = &judgment.groups {
        let told = words::groups(groups);
        said["labels"] = json!({
            "facts": facts::labels(groups), "text": told.text(&voice), "table": cells(&told.table),
            "sentences": told.sentences,
        });
    }
    said.to_string()
}
