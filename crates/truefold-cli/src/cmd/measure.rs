//! `truefold measure`: how faithful an embedding is, where it is not, and how far it is from the best possible.

use super::{print, print_json};
use crate::args::{Format, MeasureArgs};
use crate::session::{Clock, Session};
use crate::{data, measuring, plan, tables};
use std::path::Path;
use truefold::error::Advice;
use truefold::measure::Measure;
use truefold::{Data, Error, Judge, Judgment, Run};
use truefold_report::{facts, words};

pub(crate) fn execute(args: &MeasureArgs, session: &Session) -> anyhow::Result<()> {
    let measures = check(args)?;
    let run = session.seeded(args.neighborhoods.search.find.random.seed);
    let mut clock = Clock::start();
    let (data, judgment) = judge(args, measures, &mut clock, &run)?;
    if let Some(path) = &args.per_point {
        tables::write_scores(path, &judgment, data.points())?;
    }
    clock.lap("write");
    match args.shown.format {
        Format::Table => print(&words::judgment(&judgment, &|row| data::row_name(&data, row), &session.voice())),
        Format::Json => {
            let mut result = facts::judgment(&judgment, &session.flags);
            result["seconds"] = clock.json(std::iter::empty());
            print_json(&result)
        }
    }
}

/// Everything that can be wrong before anything that takes long; the measures to take.
fn check(args: &MeasureArgs) -> Result<Vec<&'static dyn Measure>, Error> {
    let measures = measuring::chosen(&args.measuring)?;
    plan::check_metric(&args.neighborhoods.search.find)?;
    if let Some(path) = &args.per_point {
        tables::check_per_point(path)?;
        plan::check_different(path, &[&args.data.x, &args.y])?;
    }
    if args.data.x == Path::new("-") && args.y == Path::new("-") {
        let advice = Advice::mend_file("give a file for one of them");
        return Err(Error::parameter("Y", "-", "cannot be standard input when X is", advice));
    }
    Ok(measures)
}

fn judge(
    args: &MeasureArgs,
    measures: Vec<&'static dyn Measure>,
    clock: &mut Clock,
    run: &Run,
) -> Result<(Data, Judgment), Error> {
    let find = &args.neighborhoods.search.find;
    let data = data::read(&args.data.x, &args.read, find)?;
    let options = plan::embedding_options(&args.read, args.y_id_column.clone(), args.y_drop_columns.clone())?;
    let embedding = data::read_embedding(&args.y, &options, &data)?;
    clock.lap("read");
    let neighborhoods = data::neighborhoods(&data, &args.neighborhoods, run)?;
    clock.lap("neighbors");
    let judgment = Judge::new(data.input(), &neighborhoods)
        .with_measures(measures)
        .with_options(measuring::options(&args.measuring, find))
        .judge(&embedding, run)?;
    clock.lap("measures");
    Ok((data, judgment))
}
