//! `truefold refine`: a better embedding from one that any program made.

use super::{default_scores, print, print_json};
use crate::args::{Format, RefineArgs};
use crate::judgment::Judgment;
use crate::plan::{self, Source};
use crate::table::number;
use serde::de::DeserializeOwned;
use serde_json::json;
use truefold::measure::{Evaluation, Options};
use truefold::{Error, Points, Refine, Run, io};

pub(crate) fn execute(args: &RefineArgs, run: Run) -> anyhow::Result<()> {
    let find = &args.neighborhoods.search.find;
    let run = run.with_seed(find.seed);
    let refine = Refine {
        target: word("target", &args.target, "r, r-n, r-c or r-pca")?,
        step: word("step", &args.step, "exact or simple")?,
        acceleration: word("acceleration", &args.acceleration, "quasi-newton or none")?,
        solver: word("solver", &args.solver, "auto, cholesky or iterative")?,
        iterations: args.iterations,
        tolerance: args.tolerance,
        time_limit: args.time_limit,
    };
    refine.check()?;
    plan::check_metric(find)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.x])?;
    let source = Source::read(&args.x, &args.read, find)?;
    let start = plan::table(&args.y, &plan::embedding_options(&args.read, None, Vec::new())?)?;
    source.input().check_embedding(&start)?;
    if let Some(points) = source.points() {
        plan::check_names(points, &start)?;
    }
    let neighborhoods = source.neighborhoods(&args.neighborhoods, &run)?;
    let outcome = refine.refine(source.input(), &neighborhoods, &start, &run)?;
    let columns = start.columns().map(<[String]>::to_vec);
    let mut points = Points::new(start.len(), start.dim(), outcome.values)?;
    if let Some(columns) = columns {
        points = points.with_columns(columns)?;
    }
    if let Some(ids) = start.ids() {
        points = points.with_ids(ids.to_vec())?;
    }
    if let Some(labels) = start.labels() {
        points = points.with_labels(labels.to_vec())?;
    }
    let evaluation = Evaluation::new(source.input(), &points, &neighborhoods, Options::default(), &run)?;
    let judgment = Judgment::new(&evaluation, source.points(), default_scores(&evaluation)?)?;
    io::write(&args.output, &points)?;
    match args.format {
        Format::Table => {
            print(&judgment.text())?;
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
            Ok(())
        }
        Format::Json => {
            let seconds: Vec<(&str, f64)> =
                outcome.stages.iter().map(|stage| (stage.stage.as_str(), stage.seconds)).collect();
            let mut result = judgment.json(&seconds);
            result["parameters"] = json!(refine);
            result["stop"] = json!(outcome.stop);
            result["traces"] = json!(outcome.traces);
            print_json(&result)
        }
    }
}

/// A choice by its name.
fn word<T: DeserializeOwned>(name: &str, given: &str, known: &str) -> Result<T, Error> {
    serde_json::from_value(json!(given))
        .map_err(|_| Error::parameter(name, format!("'{given}'"), "is none of its values", format!("choose {known}")))
}
