//! `truefold compare`: methods beside each other on the same neighborhoods, and beside the best possible.

use super::{print, print_as_it_is, print_json};
use crate::args::{CompareArgs, TableFormat};
use crate::numbers::numbers;
use crate::session::Session;
use crate::showing::{self, Showing};
use crate::{data, measuring, plan};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use truefold::compare::{Comparison, Nested, Plan, Row};
use truefold::error::{Advice, Name};
use truefold::{Data, Error, Method, Run, Search, io};
use truefold_report::{Report, comparison, words};

pub(crate) fn execute(args: &CompareArgs, session: &Session) -> anyhow::Result<()> {
    let (plan, ks) = check(args)?;
    let run = session.searching(&args.find)?;
    let start = Instant::now();
    let data = data::read(&args.data.x, &args.show.numbers(&args.read), &args.find)?;
    let showing = Showing::read(&args.show, &data, (&args.data.x, &args.read))?;
    let nested = nested(args, &data, &ks, &run)?;
    let plan = plan.with_groups(showing.groups(&args.show, &data));
    let comparison = plan.run(data.input(), &nested, &run)?;
    let mut written = Vec::new();
    if let Some(folder) = &args.output {
        written.push(write_embeddings(folder, &data, &comparison)?);
    }
    let common = nested.get(0)?;
    let title = format!("Methods compared on {}", args.data.x.display());
    let mut report = Report { neighbors: Some(&common), ..showing.report(&data, title) };
    if showing::is_wanted(&args.show, args.shown.format) {
        comparison::fill(&mut report, &comparison, &session.flags);
        showing::find_ellipses(&mut report, (&args.show, args.shown.format), (&data, &common), &run)?;
    }
    written.extend(showing::write(&report, &args.show, &run)?);
    let total = start.elapsed().as_secs_f64();
    show(args.shown.format, &comparison, (&report, &written, total), session)?;
    if comparison.rows.iter().all(|row| row.trial().is_none()) {
        return Err(plan::nothing_worked());
    }
    Ok(())
}

/// Everything that can be wrong before anything that takes long; the plan and the k.
fn check(args: &CompareArgs) -> Result<(Plan, Vec<usize>), Error> {
    let plan = planned(args)?;
    let ks = args.k.as_deref().map_or(Ok(vec![plan::DEFAULT_K]), |text| numbers("k", text))?;
    plan::check_metric(&args.find)?;
    showing::check(&args.show, args.shown.format, &args.data.x, true)?;
    for path in [&args.show.report, &args.show.figure].into_iter().flatten() {
        plan::check_different(path, &plan::given(&[&args.given.neighbors]))?;
    }
    if let Some(folder) = &args.output {
        check_folder(folder)?;
    }
    let is_kept = showing::is_wanted(&args.show, args.shown.format) || args.output.is_some();
    Ok((plan.with_embeddings(is_kept), ks))
}

/// The neighborhoods on which the methods are compared.
fn nested(args: &CompareArgs, data: &Data, ks: &[usize], run: &Run) -> Result<Nested, Error> {
    match (&args.given.neighbors, args.within.radius) {
        (Some(path), _) => Ok(Nested::one(data::given_neighborhoods(path)?)),
        (None, Some(radius)) => Ok(Nested::one(data::found(data, Search::within(radius), &args.find, run)?)),
        (None, None) => {
            let largest = ks.iter().copied().max().unwrap_or(plan::DEFAULT_K);
            Nested::cut(data::found(data, Search::nearest(largest), &args.find, run)?, ks)
        }
    }
}

/// Prints the comparison; a table is followed by what was written.
fn show(
    format: TableFormat,
    comparison: &Comparison,
    (report, written, total): (&Report<'_>, &[String], f64),
    session: &Session,
) -> anyhow::Result<()> {
    match format {
        TableFormat::Table => {
            print(&comparison::text(comparison, &session.voice()))?;
            written.iter().try_for_each(|line| print(line))
        }
        TableFormat::Markdown => print(comparison::markdown(comparison, &session.flags).trim_end()),
        TableFormat::Csv => print_as_it_is(comparison::csv(comparison, &session.flags).trim_end()),
        TableFormat::Html => print_as_it_is(&report.html(&session.run)?),
        TableFormat::Json => {
            let mut result = comparison::json(comparison, &session.flags);
            result["total_seconds"] = json!(total);
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
        let form = || plan::not_a_setting(text, "method.name=value");
        let (method, setting) = text.split_once('.').ok_or_else(form)?;
        if method.contains('=') {
            return Err(form());
        }
        if !names.iter().any(|name| name == method.trim()) {
            let limit = format!("is for '{}', which is not compared", method.trim());
            let advice = Advice::change("methods", "name it in {methods} too, or leave the setting out");
            return Err(Error::parameter("set", format!("'{text}'"), limit, advice));
        }
        settings.push((method.trim(), setting.to_owned()));
    }
    let method = |name: &String| {
        let own: Vec<String> =
            settings.iter().filter(|(method, _)| method == name).map(|(_, setting)| setting.clone()).collect();
        plan::method(name, &own).map_err(|error| of_method(name, error))
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
    Ok(plan.with_memory(true))
}

/// An error about a parameter of a method, with the method in its name, as it is typed here.
fn of_method(method: &str, mut error: Error) -> Error {
    if let Error::Parameter { name: name @ Name::Setting(_), .. } = &mut error {
        *name = Name::setting(format!("{method}.{}", name.plain()));
    }
    error
}

/// An error unless the folder is there, or can be made.
fn check_folder(folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        return io::check_writable(folder.join("embedding.csv"));
    }
    if folder.exists() {
        return Err(Error::file(
            folder,
            "is a file, not a folder",
            Advice::mend_file("name a folder for the embeddings"),
        ));
    }
    io::check_writable(folder)
}

/// Writes every embedding to a file named after its method and k, and tells where.
fn write_embeddings(folder: &Path, data: &Data, comparison: &Comparison) -> Result<String, Error> {
    if !folder.is_dir() {
        io::make_folder(folder)?;
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
        io::write(&path, &data::named(data, points, trial.judgment.rows.as_deref())?)?;
        count += 1;
    }
    Ok(format!("{} written to {}", words::counted(count, "embedding", "embeddings"), folder.display()))
}
