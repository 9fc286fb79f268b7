//! What the pages of `compare` and `sweep` show beside the embeddings: labels, true coordinates, pictures, the command.

use crate::args::{ShowArgs, TableFormat};
use crate::plan::{self, Source};
use crate::table::count;
use serde_json::json;
use std::path::{Path, PathBuf};
use truefold::io::{self, Format, ReadOptions};
use truefold::{Error, Points, Run};
use truefold_report::{Coloring, Images, Report, figure};

/// What belongs to the points beside their coordinates, read and checked.
pub(crate) struct Showing {
    labels: Option<Vec<String>>,
    colorings: Vec<Coloring>,
    images: Option<Images>,
}

/// Whether a page or a figure is made, and embeddings are needed for it.
pub(crate) fn is_wanted(args: &ShowArgs, format: TableFormat) -> bool {
    args.report.is_some() || args.figure.is_some() || format == TableFormat::Html
}

/// What is wrong with the options alone, before anything is read.
pub(crate) fn check(args: &ShowArgs, format: TableFormat, x: &Path) -> Result<(), Error> {
    args.image_shape.as_deref().map(str::parse::<Images>).transpose()?;
    let is_page = args.report.is_some() || format == TableFormat::Html;
    let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let needs = [
        ("truth", shown(&args.truth), is_wanted(args, format), "--report or --figure"),
        ("labels", shown(&args.labels), is_wanted(args, format), "--report or --figure"),
        ("image-shape", args.image_shape.clone(), is_page, "--report"),
    ];
    for (name, given, is_used, what) in needs {
        if let (Some(given), false) = (given, is_used) {
            return Err(Error::parameter(name, given, format!("has no use without {what}"), "ask for it too"));
        }
    }
    let mut others: Vec<&Path> =
        [Some(x), args.truth.as_deref(), args.labels.as_deref()].into_iter().flatten().collect();
    if let Some(path) = &args.report {
        if !path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
            return Err(Error::file(path, "a report is written as .html", "choose this ending"));
        }
        io::check_writable(path)?;
        plan::check_different(path, &others)?;
        others.push(path);
    }
    if let Some(path) = &args.figure {
        figure::check_path(path)?;
        plan::check_different(path, &others)?;
    }
    Ok(())
}

impl Showing {
    /// Reads what the options name and checks that it fits the points.
    pub(crate) fn read(args: &ShowArgs, source: &Source) -> Result<Self, Error> {
        let count = source.input().len();
        let labels = args.labels.as_deref().map(|path| labels(path, count)).transpose()?;
        let truth = args.truth.as_deref().map(|path| plan::table(path, &ReadOptions::default())).transpose()?;
        let colorings = truth.map_or(Vec::new(), |truth| Coloring::of_coordinates("true coordinate", &truth));
        let images = args.image_shape.as_deref().map(str::parse::<Images>).transpose()?;
        let showing = Self { labels, colorings, images };
        if let Some(values) = showing.colorings.first().map(|coloring| coloring.values.len())
            && values != count
        {
            return Err(Error::data(
                format!("{values} true coordinates were given for {count} points"),
                "give exactly one row per point",
            ));
        }
        if let Some(images) = showing.images {
            let points = source.points().ok_or_else(|| {
                Error::parameter(
                    "image-shape",
                    args.image_shape.as_deref().unwrap_or(""),
                    "has no use with distances: they hold no pixels",
                    "leave it out",
                )
            })?;
            images.check(points)?;
        }
        if let Some(path) = &args.report {
            showing.report(source, String::new()).check(path)?;
        }
        Ok(showing)
    }

    /// A page without its results.
    pub(crate) fn report<'a>(&'a self, source: &'a Source, title: String) -> Report<'a> {
        Report {
            title,
            input: source.points(),
            labels: self.labels.as_deref(),
            colorings: self.colorings.clone(),
            images: self.images,
            facts: json!({"command": command(), "truefold": env!("CARGO_PKG_VERSION")}),
            ..Report::default()
        }
    }
}

/// Writes the page and the figure that were asked for, and tells where, and how many of the points the page shows.
pub(crate) fn write(report: &Report<'_>, args: &ShowArgs, run: &Run) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    if let Some(path) = &args.report {
        let written = report.write(path, run)?;
        let files: Vec<String> = written.files.iter().map(|(path, _)| path.display().to_string()).collect();
        let sampled = match written.shown < written.points {
            true => format!(" ({} of {} points shown)", count(written.shown), count(written.points)),
            false => String::new(),
        };
        lines.push(format!("Page written to {}{sampled}", files.join(" and ")));
    }
    if let Some(path) = &args.figure {
        report.figure()?.write(path)?;
        lines.push(format!("Figure written to {}", path.display()));
    }
    Ok(lines)
}

/// The command as typed.
fn command() -> String {
    let quoted = |word: String| {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=,:+@%".contains(letter);
        if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("truefold".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// One label per point: the only column of a text file, or the one headed `label`, with or without a heading; in other
/// formats the labels that the file holds, or its only column of numbers.
fn labels(path: &Path, count: usize) -> Result<Vec<String>, Error> {
    let found = match Format::from_path(path) {
        Ok(Format::Csv) | Err(_) => from_text(path, b',', count)?,
        Ok(Format::Tsv) => from_text(path, b'\t', count)?,
        Ok(_) => from_table(path, &io::read(path, &ReadOptions::default())?)?,
    };
    if found.len() == count {
        return Ok(found);
    }
    Err(Error::file(
        path,
        format!("holds {} labels for {count} points", found.len()),
        "give exactly one label per point",
    ))
}

fn from_table(path: &Path, points: &Points) -> Result<Vec<String>, Error> {
    match (points.labels(), points.dim()) {
        (Some(labels), _) => Ok(labels.to_vec()),
        (None, 1) => Ok(points.values().iter().map(ToString::to_string).collect()),
        (None, columns) => Err(many_columns(path, columns)),
    }
}

fn from_text(path: &Path, separator: u8, count: usize) -> Result<Vec<String>, Error> {
    let unreadable = |cause: csv::Error| Error::file(path, format!("cannot be read ({cause})"), "check the path");
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).has_headers(false).from_path(path).map_err(unreadable)?;
    let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().map_err(unreadable)?;
    let columns = records.first().map_or(0, csv::StringRecord::len);
    let heads = |name: &str| matches!(name.trim().to_lowercase().as_str(), "label" | "labels" | "point_label");
    let headed = records.first().and_then(|first| first.iter().position(heads));
    let column = match (headed, columns) {
        (Some(column), _) => column,
        (None, 0 | 1) => 0,
        (None, columns) => return Err(many_columns(path, columns)),
    };
    let has_heading = headed.is_some() || records.len() == count + 1;
    let cells = records.iter().skip(usize::from(has_heading));
    Ok(cells.map(|record| record.get(column).unwrap_or("").trim().to_owned()).collect())
}

fn many_columns(path: &Path, columns: usize) -> Error {
    Error::file(path, format!("has {columns} columns and none is headed 'label'"), "give one column of labels")
}
