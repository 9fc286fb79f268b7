//! `truefold refine`: a better embedding from one that any program made.

use super::{default_scores, print, print_json};
use crate::args::{Format, RefineArgs, TableFormat};
use crate::judgment::Judgment;
use crate::plan::{self, Source};
use crate::showing::{self, Showing};
use crate::table::number;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::path::PathBuf;
use truefold::measure::{self, Evaluation, Options, Score};
use truefold::{Error, Points, Refine, Run, io};
use truefold_report::Panel;

pub(crate) fn execute(args: &RefineArgs, run: Run) -> anyhow::Result<()> {
    let find = &args.neighborhoods.search.find;
    let run = run.with_seed(find.random.seed);
    let refine = Refine {
        target: word("target", &args.target, "r, r-n, r-c or r-pca")?,
        step: word("step", &args.step, "exact or simple")?,
        acceleration: word("acceleration", &args.acceleration, "quasi-newton or none")?,
        penalty: args.penalty,
        solver: word("solver", &args.solver, "auto, cholesky or iterative")?,
        iterations: args.iterations,
        tolerance: args.tolerance,
        time_limit: args.time_limit,
    };
    refine.check()?;
    plan::check_metric(find)?;
    plan::check_output(&args.output)?;
    showing::check(&args.show, TableFormat::Table, &args.data.x)?;
    let mut others = vec![args.data.x.as_path()];
    others.extend([&args.show.report, &args.show.figure].into_iter().flatten().map(PathBuf::as_path));
    plan::check_different(&args.output, &others)?;
    let source = Source::read(&args.data.x, &args.read, find)?;
    let start = plan::table(&args.y, &plan::embedding_options(&args.read, None, Vec::new())?)?;
    source.input().check_embedding(&start)?;
    if let Some(points) = source.points() {
        plan::check_names(points, &start)?;
    }
    let showing = Showing::read(&args.show, &source)?;
    let neighborhoods = source.neighborhoods(&args.neighborhoods, &run)?;
    let outcome = refine.refine(source.input(), &neighborhoods, &start, &run)?;
    let points = start.moved(outcome.values)?;
    let evaluation = Evaluation::new(source.input(), &points, &neighborhoods, Options::default(), &run)?;
    let judgment = Judgment::new(&evaluation, source.points(), default_scores(&evaluation)?)?;
    io::write(&args.output, &points)?;
    let mut written = Vec::new();
    if showing::is_wanted(&args.show, TableFormat::Table) {
        let before = Evaluation::new(source.input(), &start, &neighborhoods, Options::default(), &run)?;
        let mut report = showing.report(&source, format!("{} refined", args.y.display()));
        report.facts["parameters"] = json!(refine);
        report.facts["refinement"] = json!(outcome.facts);
        let shown = [Shown::new("before", &before)?, Shown::new("after", &evaluation)?];
        report.panels.extend(shown.iter().map(Shown::panel));
        written = showing::write(&report, &args.show, &run)?;
    }
    match args.shown.format {
        Format::Table => {
            print(&judgment.text())?;
            for warning in &outcome.warnings {
                print(&format!("Note: {warning}."))?;
            }
            for trace in &outcome.traces {
                if let (Some(first), Some(last)) = (trace.values.first(), trace.values.last()) {
                    print(&format!(
                        "{} from {} to {} in {} steps ({}), written to {}",
                        trace.objective,
                        number(*first),
                        number(*last),
                        trace.values.len() - 1,
                        outcome.stop.words(),
                        args.output.display()
                    ))?;
                }
            }
            let fact = |name: &str| outcome.facts.get(name).and_then(serde_json::Value::as_f64);
            if let (Some(before), Some(after)) = (fact("collapse_before"), fact("collapse_after")) {
                let unfolded = outcome.facts.get("unfolded").is_some_and(|unfolded| unfolded == true);
                print(&format!(
                    "collapse from {} to {}{}",
                    number(before),
                    number(after),
                    if unfolded { ", the map was unfolded" } else { "" }
                ))?;
            }
            written.iter().try_for_each(|line| print(line))
        }
        Format::Json => {
            let seconds: Vec<(&str, f64)> =
                outcome.stages.iter().map(|stage| (stage.stage.as_str(), stage.seconds)).collect();
            let mut result = judgment.json(&seconds);
            result["parameters"] = json!(refine);
            result["stop"] = json!(outcome.stop);
            result["traces"] = json!(outcome.traces);
            result["facts"] = json!(outcome.facts);
            if let Some(warnings) = result["warnings"].as_array_mut() {
                warnings.extend(outcome.warnings.iter().map(|warning| json!(warning)));
            }
            print_json(&result)
        }
    }
}

/// One of the two embeddings of a picture.
struct Shown<'a> {
    title: &'static str,
    points: &'a Points,
    r_n: Score,
    collapse: Score,
}

impl<'a> Shown<'a> {
    fn new(title: &'static str, evaluation: &Evaluation<'a>) -> Result<Self, Error> {
        let score = |name| measure::find(name)?.score(evaluation);
        Ok(Self { title, points: evaluation.embedding(), r_n: score("r_n")?, collapse: score("collapse")? })
    }

    fn panel(&self) -> Panel<'_> {
        Panel {
            title: self.title.into(),
            caption: format!("R_N {}, collapse {}", number(self.r_n.value), number(self.collapse.value)),
            points: self.points,
            rows: None,
            distortion: self.r_n.per_point.as_deref(),
            seam: None,
        }
    }
}

/// A choice by its name.
fn word<T: DeserializeOwned>(name: &'static str, given: &str, known: &str) -> Result<T, Error> {
    serde_json::from_value(json!(given))
        .map_err(|_| Error::parameter(name, format!("'{given}'"), "is none of its values", format!("choose {known}")))
}
