//! `truefold neighbors`: the neighborhoods of points as a table of row numbers.

use super::{print, print_json};
use crate::args::{Format, NeighborsArgs};
use crate::session::{Clock, Session};
use crate::{data, plan};
use truefold::error::Advice;
use truefold::{Error, NeighborhoodFacts, io};
use truefold_report::words;

pub(crate) fn execute(args: &NeighborsArgs, session: &Session) -> anyhow::Result<()> {
    let run = session.searching(&args.search.find)?;
    if args.search.k.is_none() && args.search.within.radius.is_none() {
        let advice = Advice::change("k", "give {k} or {radius}");
        return Err(Error::parameter("k", "nothing", "does not say who is a neighbor", advice).into());
    }
    plan::check_metric(&args.search.find)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.x])?;
    let mut clock = Clock::start();
    let data = data::read(&args.x, &args.read, &args.search.find)?;
    clock.lap("read");
    let neighborhoods = data::searched(&data, &args.search, &run)?;
    clock.lap("neighbors");
    let width = neighborhoods.largest_k() + 1;
    let mut rows = vec![-1; neighborhoods.len() * width];
    for (index, row) in rows.chunks_exact_mut(width).enumerate() {
        for (cell, &member) in row.iter_mut().zip(neighborhoods.members(index)) {
            *cell = i64::from(member);
        }
    }
    let facts = NeighborhoodFacts::of(&neighborhoods);
    io::write_indices(&args.output, neighborhoods.len(), width, &rows)?;
    clock.lap("write");
    match args.shown.format {
        Format::Table => print(&format!(
            "{}: {}; written to {}",
            words::points(neighborhoods.len()),
            words::neighborhoods(&facts),
            args.output.display()
        )),
        Format::Json => print_json(&serde_json::json!({
            "points": neighborhoods.len(),
            "neighborhoods": facts,
            "seconds": clock.json(std::iter::empty()),
        })),
    }
}
