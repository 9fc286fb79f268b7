//! `truefold sweep`: the k and d that suit a method.

use super::{print, print_as_it_is, print_json};
use crate::args::{SweepArgs, TableFormat};
use crate::numbers::numbers;
use crate::session::Session;
use crate::showing::{self, Showing};
use crate::{data, plan};
use serde_json::json;
use std::time::Instant;
use truefold::measure::Options;
use truefold::sweep::{Plan, Sweep};
use truefold::{Error, Search};
use truefold_report::{Report, sweep};

pub(crate) fn execute(args: &SweepArgs, session: &Session) -> anyhow::Result<()> {
    let plan = check(args)?;
    let run = session.searching(&args.find)?;
    let start = Instant::now();
    let data = data::read(&args.data.x, &args.show.numbers(&args.read), &args.find)?;
    let showing = Showing::read(&args.show, &data, (&args.data.x, &args.read))?;
    let widest = data::found(&data, Search::nearest(plan.largest_k()), &args.find, &run)?;
    let swept = plan.run(data.input(), &widest, &run)?;
    let mut report = showing.report(&data, format!("{} on {}", args.embedder.method, args.data.x.display()));
    if showing::is_wanted(&args.show, args.shown.format) {
        sweep::fill(&mut report, &swept, &session.flags);
        showing::find_ellipses(&mut report, (&args.show, args.shown.format), (&data, &widest), &run)?;
    }
    let written = showing::write(&report, &args.show, &run)?;
    let total = start.elapsed().as_secs_f64();
    show(args.shown.format, &swept, (&report, &written, total), session)?;
    if swept.candidates.iter().all(|candidate| candidate.graded().is_none()) {
        return Err(plan::nothing_worked());
    }
    Ok(())
}

/// Everything that can be wrong before anything that takes long; the plan.
fn check(args: &SweepArgs) -> Result<Plan, Error> {
    let method = plan::method(&args.embedder.method, &args.set)?;
    let mut plan = Plan::new(method, &numbers("k", &args.k)?, &numbers("dim", &args.dim)?)?
        .with_options(Options { center: !args.center.without_center, ..Options::default() })
        .with_embeddings(showing::is_wanted(&args.show, args.shown.format));
    if let Some(k) = args.reference_k {
        plan = plan.with_reference_k(k)?;
    }
    plan::check_metric(&args.find)?;
    showing::check(&args.show, args.shown.format, &args.data.x, false)?;
    Ok(plan)
}

/// Prints the sweep; a table is followed by what was written.
fn show(
    format: TableFormat,
    swept: &Sweep,
    (report, written, total): (&Report<'_>, &[String], f64),
    session: &Session,
) -> anyhow::Result<()> {
    match format {
        TableFormat::Table => {
            print(&sweep::text(swept, &session.voice()))?;
            written.iter().try_for_each(|line| print(line))
        }
        TableFormat::Markdown => print(sweep::markdown(swept, &session.flags).trim_end()),
        TableFormat::Csv => print_as_it_is(sweep::csv(swept, &session.flags).trim_end()),
        TableFormat::Html => print_as_it_is(&report.html(&session.run)?),
        TableFormat::Json => {
            let mut result = sweep::json(swept, &session.flags);
            result["total_seconds"] = json!(total);
            print_json(&result)
        }
    }
}
