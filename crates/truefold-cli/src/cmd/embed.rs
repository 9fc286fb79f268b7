//! `truefold embed`: an embedding by a method, and how faithful it is.

use super::{default_scores, print, print_json};
use crate::args::{EmbedArgs, Format};
use crate::judgment::Judgment;
use crate::plan::{self, Source};
use serde_json::json;
use std::time::Instant;
use truefold::local::{Input, Part};
use truefold::measure::{Evaluation, Options};
use truefold::{Problem, Run, io};

pub(crate) fn execute(args: &EmbedArgs, run: Run) -> anyhow::Result<()> {
    let find = &args.neighborhoods.search.find;
    let run = run.with_seed(find.seed);
    let method = plan::method(&args.method, &args.set)?;
    plan::check_metric(find)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.x])?;
    let mut lap = Instant::now();
    let mut seconds = Vec::new();
    let mut clock = |stage: &str| {
        seconds.push((stage.to_owned(), lap.elapsed().as_secs_f64()));
        lap = Instant::now();
    };
    let source = Source::read(&args.x, &args.read, find)?;
    clock("read");
    let neighborhoods = source.neighborhoods(&args.neighborhoods, &run)?;
    clock("neighbors");
    let problem = Problem::with_input(source.input(), &neighborhoods, args.dim)?;
    let embedding = method.fit(&problem, &run)?;
    clock("embed");
    let part = embedding.rows.as_ref().map(|rows| Part::new(&source.input(), &neighborhoods, rows));
    let (input, lists) = match &part {
        Some(part) => (part.input(), part.neighborhoods()),
        None => (source.input(), &neighborhoods),
    };
    let evaluation = Evaluation::new(input, &embedding.points, lists, Options::default(), &run)?;
    let scores = default_scores(&evaluation)?;
    clock("measures");
    io::write(&args.output, &source.named(&embedding.points, embedding.rows.as_deref())?)?;
    clock("write");
    let points = match input {
        Input::Points(points) => Some(points),
        Input::Distances(_) => None,
    };
    let judgment = Judgment::new(&evaluation, points, scores)?;
    match args.format {
        Format::Table => {
            print(&judgment.text())?;
            for warning in &embedding.info.warnings {
                print(&format!("Note: {warning}."))?;
            }
            let total: f64 = seconds.iter().map(|stage| stage.1).sum();
            print(&format!("{} in {total:.1} s, written to {}", args.method, args.output.display()))
        }
        Format::Json => {
            let stages = embedding.info.stages.iter().map(|stage| (format!("embed: {}", stage.stage), stage.seconds));
            let mut result =
                judgment.json(&seconds.iter().map(|(name, time)| (name.as_str(), *time)).collect::<Vec<_>>());
            for (name, time) in stages {
                result["seconds"][name] = json!(time);
            }
            let info = &embedding.info;
            result["method"] = json!(info.method);
            result["parameters"] = info.parameters.clone();
            result["seed"] = json!(info.seed);
            result["stop"] = json!(info.stop);
            result["facts"] = json!(info.facts);
            result["traces"] = json!(info.traces);
            if let Some(warnings) = result["warnings"].as_array_mut() {
                warnings.extend(info.warnings.iter().map(|warning| json!(warning)));
            }
            print_json(&result)
        }
    }
}
