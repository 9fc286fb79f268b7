//! `truefold measure`: how faithful an embedding is, where it is not, and how far it is from the best possible.

use super::{print, print_json};
use crate::args::{Format, MeasureArgs};
use crate::judgment::{self, Judgment};
use crate::measuring;
use crate::plan::{self, Source};
use std::path::Path;
use std::time::Instant;
use truefold::measure::Evaluation;
use truefold::{Error, Run};

pub(crate) fn execute(args: &MeasureArgs, run: Run) -> anyhow::Result<()> {
    let find = &args.neighborhoods.search.find;
    let run = run.with_seed(find.random.seed);
    // Whatever can be wrong is looked at before anything that may take long.
    let measures = measuring::chosen(&args.measuring)?;
    plan::check_metric(find)?;
    if let Some(path) = &args.per_point {
        judgment::check_per_point(path)?;
        plan::check_different(path, &[&args.data.x, &args.y])?;
    }
    if args.data.x == Path::new("-") && args.y == Path::new("-") {
        return Err(
            Error::parameter("Y", "-", "cannot be standard input when X is", "give a file for one of them").into()
        );
    }
    let mut lap = Instant::now();
    let mut seconds = Vec::new();
    let mut clock = |stage: &'static str| {
        seconds.push((stage, lap.elapsed().as_secs_f64()));
        lap = Instant::now();
    };
    let source = Source::read(&args.data.x, &args.read, find)?;
    let embedding = plan::table(
        &args.y,
        &plan::embedding_options(&args.read, args.y_id_column.clone(), args.y_drop_columns.clone())?,
    )?;
    source.input().check_embedding(&embedding)?;
    if let Some(points) = source.points() {
        plan::check_names(points, &embedding)?;
    }
    clock("read");
    let neighborhoods = source.neighborhoods(&args.neighborhoods, &run)?;
    clock("neighbors");
    let options = measuring::options(&args.measuring, find);
    let evaluation = Evaluation::new(source.input(), &embedding, &neighborhoods, options, &run)?;
    let scores =
        measures.into_iter().map(|measure| Ok((measure, measure.score(&evaluation)?))).collect::<Result<_, Error>>()?;
    clock("measures");
    let judgment = Judgment::new(&evaluation, source.points(), scores)?;
    if let Some(path) = &args.per_point {
        judgment.write_per_point(path)?;
    }
    clock("write");
    match args.shown.format {
        Format::Json => print_json(&judgment.json(&seconds)),
        Format::Table => print(&judgment.text()),
    }
}
