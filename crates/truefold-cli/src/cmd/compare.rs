//! `truefold compare`: methods beside each other on the same neighborhoods, and beside the best possible.

use super::{print, print_json};
use crate::args::{CompareArgs, TableFormat};
use crate::measuring;
use crate::numbers::numbers;
use crate::plan::{self, Source};
use crate::showing::{self, Showing};
use crate::terminal::bold;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use truefold::Method;
use truefold::compare::{Comparison, Nested, Plan, Row};
use truefold::{Error, Run, Search, io};
use truefold_report::comparison;

pub(crate) fn execute(args: &CompareArgs, run: Run) -> anyhow::Result<()> {
    let run = run.with_seed(args.find.random.seed);
    let plan = planned(args)?;
    let ks = args.k.as_deref().map_or(Ok(vec![plan::DEFAULT_K]), |text| numbers("k", text))?;
    plan::check_metric(&args.find)?;
    showing::check(&args.show, args.shown.format, &args.data.x)?;
    let is_shown = showing::is_wanted(&args.show, args.shown.format);
    let plan = plan.keep_embeddings(is_shown || args.output.is_some());
    if let Some(folder) = &args.output {
        check_folder(folder)?;
    }
    let start = Instant::now();
    let source = Source::read(&args.data.x, &args.read, &args.find)?;
    let showing = Showing::read(&args.show, &source)?;
    let nested = match (&args.given.neighbors, args.within.radius) {
        (Some(path), _) => Nested::one(plan::given_neighborhoods(path)?),
        (None, Some(radius)) => Nested::one(source.found(Search::within(radius), &args.find, &run)?),
        (None, None) => {
            let largest = ks.iter().copied().max().unwrap_or(plan::DEFAULT_K);
            Nested::cut(source.found(Search::nearest(largest), &args.find, &run)?, &ks)?
        }
    };
    let comparison = plan.run(source.input(), &nested, &run)?;
    let mut written = Vec::new();
    if let Some(folder) = &args.output {
        written.push(write_embeddings(folder, &source, &comparison)?);
    }
    let mut report = showing.report(&source, format!("Methods compared on {}", args.data.x.display()));
    if is_shown {
        comparison::fill(&mut report, &comparison);
    }
    written.extend(showing::write(&report, &args.show, &run)?);
    match args.shown.format {
        TableFormat::Table => {
            print(&comparison::text(&comparison, &bold))?;
            written.iter().try_for_each(|line| print(line))
        }
        TableFormat::Markdown => print(comparison::markdown(&comparison).trim_end()),
        TableFormat::Csv => print(comparison::csv(&comparison).trim_end()),
        TableFormat::Html => print(&report.html(&run)?),
        TableFormat::Json => {
            let mut result = comparison::json(&comparison);
            result["total_seconds"] = json!(start.elapsed().as_secs_f64());
            print_json(&result)
        }
    }
}

/// The plan that the options describe.
fn planned(args: &CompareArgs) -> Result<Plan, Error> {
    let names: Vec<String> = match &args.methods {
        Some(names) => names.iter().map(|name| name.trim().to_owned()).collect(),
        None => Method::defaults()?.iter().map(|method| method.label().to_owned()).collect(),
    };
    let mut settings: Vec<(&str, String)> = Vec::new();
    for text in &args.set {
        let form =
            || Error::parameter("set", format!("'{text}'"), "is not of the form method.name=value", "write it so");
        let (method, setting) = text.split_once('.').ok_or_else(form)?;
        if method.contains('=') {
            return Err(form());
        }
        if !names.iter().any(|name| name == method.trim()) {
            return Err(Error::parameter(
                "set",
                format!("'{text}'"),
                format!("is for '{}', which is not compared", method.trim()),
                format!("name one of {}", names.join(", ")),
            ));
        }
        settings.push((method.trim(), setting.to_owned()));
    }
    let method = |name: &String| {
        let own: Vec<String> =
            settings.iter().filter(|(method, _)| method == name).map(|(_, setting)| setting.clone()).collect();
        plan::method(name, &own)
    };
    let methods = names.iter().map(method).collect::<Result<_, _>>()?;
    let plan = Plan::new(methods, args.dim)?.with_options(measuring::options(&args.measuring, &args.find));
    let plan = match args.measuring.measures.as_slice() {
        [] => plan,
        names => {
            let chosen: Vec<&str> = measuring::named(names)?.iter().map(|measure| measure.info().name).collect();
            plan.with_measures(&chosen)?
        }
    };
    measuring::check(&args.measuring, plan.measures())?;
    Ok(plan.take_memory(true))
}

/// An error unless the folder is there, or can be made.
fn check_folder(folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        return io::check_writable(folder.join("embedding.csv"));
    }
    if folder.exists() {
        return Err(Error::file(folder, "is a file, not a folder", "name a folder for the embeddings"));
    }
    io::check_writable(folder)
}

/// Writes every embedding to a file named after its method and k, and tells where.
fn write_embeddings(folder: &Path, source: &Source, comparison: &Comparison) -> anyhow::Result<String> {
    if !folder.is_dir() {
        std::fs::create_dir(folder)
            .map_err(|cause| Error::file(folder, format!("cannot be made ({cause})"), "choose another folder"))?;
    }
    let name = |row: &Row| match row.k {
        Some(k) => format!("{}-k{k}.csv", row.method),
        None => format!("{}.csv", row.method),
    };
    let mut count = 0;
    for row in &comparison.rows {
        let Some((trial, points)) = row.trial().and_then(|trial| Some((trial, trial.points.as_ref()?))) else {
            continue;
        };
        let path: PathBuf = folder.join(name(row));
        io::write(&path, &source.named(points, trial.rows.as_deref())?)?;
        count += 1;
    }
    Ok(format!("{} written to {}", crate::table::counted(count, "embedding", "embeddings"), folder.display()))
}
