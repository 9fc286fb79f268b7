//! `truefold neighbors`: the neighborhoods of points as a table of row numbers.

use super::{neighborhoods_json, neighborhoods_text, print, print_json};
use crate::args::{Format, NeighborsArgs};
use crate::plan::{self, Source};
use truefold::{Error, Run, io};

pub(crate) fn execute(args: &NeighborsArgs, run: Run) -> anyhow::Result<()> {
    let run = run.with_seed(args.search.find.random.seed);
    if args.search.k.is_none() && args.search.within.radius.is_none() {
        return Err(Error::parameter("k", "nothing", "leaves open who is a neighbor", "give --k or --radius").into());
    }
    plan::check_metric(&args.search.find)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.x])?;
    let source = Source::read(&args.x, &args.read, &args.search.find)?;
    let neighborhoods = source.searched(&args.search, &run)?;
    let width = neighborhoods.largest_k() + 1;
    let mut rows = vec![-1; neighborhoods.len() * width];
    for (index, row) in rows.chunks_exact_mut(width).enumerate() {
        for (cell, &member) in row.iter_mut().zip(neighborhoods.members(index)) {
            *cell = i64::from(member);
        }
    }
    let components = neighborhoods.components().count();
    io::write_indices(&args.output, neighborhoods.len(), width, &rows)?;
    match args.shown.format {
        Format::Table => print(&format!(
            "{}: {}; written to {}",
            crate::table::counted(neighborhoods.len(), "point", "points"),
            neighborhoods_text(&neighborhoods, components),
            args.output.display()
        )),
        Format::Json => print_json(&serde_json::json!({
            "points": neighborhoods.len(),
            "neighborhoods": neighborhoods_json(&neighborhoods, components),
        })),
    }
}
