//! `truefold sweep`: the k and d that suit a method.

use super::{print, print_json};
use crate::args::{SweepArgs, TableFormat};
use crate::numbers::numbers;
use crate::plan::{self, Source};
use crate::showing::{self, Showing};
use crate::terminal::bold;
use serde_json::json;
use std::time::Instant;
use truefold::measure::Options;
use truefold::{Run, Search, sweep::Plan};
use truefold_report::sweep;

pub(crate) fn execute(args: &SweepArgs, run: Run) -> anyhow::Result<()> {
    let run = run.with_seed(args.find.random.seed);
    let method = plan::method(&args.embedder.method, &args.set)?;
    let is_shown = showing::is_wanted(&args.show, args.shown.format);
    let mut plan = Plan::new(method, &numbers("k", &args.k)?, &numbers("dim", &args.dim)?)?
        .with_options(Options { center: !args.center.without_center, ..Options::default() })
        .keep_embeddings(is_shown);
    if let Some(k) = args.reference_k {
        plan = plan.with_reference_k(k)?;
    }
    plan::check_metric(&args.find)?;
    showing::check(&args.show, args.shown.format, &args.data.x)?;
    let start = Instant::now();
    let source = Source::read(&args.data.x, &args.read, &args.find)?;
    let showing = Showing::read(&args.show, &source)?;
    let widest = source.found(Search::nearest(plan.largest_k()), &args.find, &run)?;
    let swept = plan.run(source.input(), &widest, &run)?;
    let mut report = showing.report(&source, format!("{} on {}", args.embedder.method, args.data.x.display()));
    if is_shown {
        sweep::fill(&mut report, &swept);
    }
    let written = showing::write(&report, &args.show, &run)?;
    match args.shown.format {
        TableFormat::Table => {
            print(&sweep::text(&swept, &bold))?;
            written.iter().try_for_each(|line| print(line))
        }
        TableFormat::Markdown => print(sweep::markdown(&swept).trim_end()),
        TableFormat::Csv => print(sweep::csv(&swept).trim_end()),
        TableFormat::Html => print(&report.html(&run)?),
        TableFormat::Json => {
            let mut result = sweep::json(&swept);
            result["total_seconds"] = json!(start.elapsed().as_secs_f64());
            print_json(&result)
        }
    }
}
