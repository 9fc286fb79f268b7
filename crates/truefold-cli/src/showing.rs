//! What the pages of `compare` and `sweep` show beside the embeddings: labels, true coordinates, pictures, the command.

use crate::args::{ReadArgs, ShowArgs, TableFormat};
use crate::plan;
use serde_json::json;
use std::path::{Path, PathBuf};
use truefold::error::{Advice, Text};
use truefold::groups::Groups;
use truefold::io::{self, Format, ReadOptions};
use truefold::{Data, Error, Neighborhoods, Points, Run};
use truefold_report::words::count;
use truefold_report::{Coloring, Gallery, Images, Report, figure};

/// What belongs to the points beside their coordinates, read and checked.
pub(crate) struct Showing {
    labels: Option<Vec<String>>,
    colorings: Vec<Coloring>,
    images: Option<Images>,
    gallery: Option<Gallery>,
}

/// Whether a page or a figure is made, so that embeddings are needed.
pub(crate) fn is_wanted(args: &ShowArgs, format: TableFormat) -> bool {
    args.report.is_some() || args.figure.is_some() || format == TableFormat::Html
}

/// Finds the ellipses of the embeddings, where a page can show them or the figure draws them.
pub(crate) fn find_ellipses(
    report: &mut Report<'_>,
    (args, format): (&ShowArgs, TableFormat),
    (data, neighborhoods): (&Data, &Neighborhoods),
    run: &Run,
) -> Result<(), Error> {
    match args.ellipses || args.report.is_some() || format == TableFormat::Html {
        true => report.find_ellipses(data.input(), neighborhoods, run),
        false => Ok(()),
    }
}

/// What is wrong with the options alone, before anything is read; some commands judge labels without a picture too.
pub(crate) fn check(args: &ShowArgs, format: TableFormat, x: &Path, judges_labels: bool) -> Result<(), Error> {
    args.images.as_deref().map(str::parse::<Images>).transpose()?;
    let is_page = args.report.is_some() || format == TableFormat::Html;
    let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let (page, picture) = ("has no use without {report}", "has no use without {report} or {figure}");
    let needs = [
        ("truth", shown(&args.truth), is_wanted(args, format), picture),
        ("labels", shown(&args.labels), judges_labels || is_wanted(args, format), picture),
        ("images", args.images.clone(), is_page, page),
        ("image_column", args.image_column.clone(), is_page, page),
    ];
    for (name, given, is_used, why) in needs {
        if let (Some(given), false) = (given, is_used) {
            return Err(Error::parameter(name, given, Text::of(why), Advice::leave_out(name, "ask for it too")));
        }
    }
    if args.ellipses && args.figure.is_none() {
        let advice = Advice::leave_out("ellipses", "ask for a figure too; pages show ellipses on demand");
        return Err(Error::parameter("ellipses", true, Text::of("has no use without {figure}"), advice));
    }
    let mut others: Vec<&Path> =
        [Some(x), args.truth.as_deref(), args.labels.as_deref()].into_iter().flatten().collect();
    if let Some(path) = &args.report {
        if !path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
            return Err(Error::file(path, "a report is written as .html", Advice::mend_file("choose this ending")));
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
    /// Reads what the options name and checks that it fits the points, which were read from `x` as told.
    pub(crate) fn read(args: &ShowArgs, data: &Data, (x, read): (&Path, &ReadArgs)) -> Result<Self, Error> {
        let count = data.input().len();
        let labels = args.labels.as_deref().map(|path| labels(path, count)).transpose()?;
        let truth = args.truth.as_deref().map(|path| plan::table(path, &ReadOptions::default())).transpose()?;
        let colorings = truth.map_or(Vec::new(), |truth| Coloring::of_coordinates("true coordinate", &truth));
        let images = args.images.as_deref().map(str::parse::<Images>).transpose()?;
        let gallery = args.image_column.as_deref().map(|column| gallery(column, x, read)).transpose()?;
        let showing = Self { labels, colorings, images, gallery };
        if let Some(values) = showing.colorings.first().map(|coloring| coloring.values.len())
            && values != count
        {
            return Err(Error::data(
                format!("{values} true coordinates were given for {count} points"),
                Advice::mend_data("give exactly one row per point"),
            ));
        }
        if let Some(images) = showing.images {
            let points = data.points().ok_or_else(|| {
                let given = args.images.as_deref().unwrap_or("");
                let advice = Advice::leave_out("images", "leave it out");
                Error::parameter("images", given, "has no use with distances, which hold no pixels", advice)
            })?;
            images.check(points)?;
        }
        if let Some(path) = &args.report {
            showing.report(data, String::new()).check(path)?;
        }
        Ok(showing)
    }

    /// The groups to be judged: those of the labels that were given, or of a column of the data that makes groups.
    ///
    /// Labels that are all different may be there to color a picture by.
    pub(crate) fn groups(&self, args: &ShowArgs, data: &Data) -> Option<Groups> {
        let labels = self.labels(data)?;
        let groups = Groups::of(labels);
        let is_asked_for = self.labels.is_some() && !is_wanted(args, TableFormat::Table);
        (is_asked_for || groups.sizes().iter().any(|&size| size > 1)).then_some(groups)
    }

    /// The labels that were given, or those of the data.
    pub(crate) fn labels<'a>(&'a self, data: &'a Data) -> Option<&'a [String]> {
        self.labels.as_deref().or_else(|| data.points().and_then(Points::labels))
    }

    /// A page without its results.
    pub(crate) fn report<'a>(&'a self, data: &'a Data, title: String) -> Report<'a> {
        Report {
            title,
            input: data.points(),
            labels: self.labels.as_deref(),
            colorings: self.colorings.clone(),
            images: self.images,
            gallery: self.gallery.as_ref(),
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
        let mut drawn = report.clone();
        if !args.ellipses {
            drawn.panels.iter_mut().for_each(|panel| panel.ellipses = None);
        }
        drawn.figure()?.write(path)?;
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

/// The pictures that a column of X names.
fn gallery(column: &str, x: &Path, read: &ReadArgs) -> Result<Gallery, Error> {
    if x == Path::new("-") {
        let advice = Advice::change("x", "write X to a file");
        return Err(Error::parameter("image_column", column, "needs X to be a file, which is read twice", advice));
    }
    let mut options = plan::read_options(read)?;
    // The column takes the place of the labels, which are texts too.
    options.drop_columns.extend(options.label_column.replace(column.to_owned()));
    let texts = io::read(x, &options)?.labels().unwrap_or_default().to_vec();
    Gallery::new(texts, x.parent().unwrap_or(Path::new("")))
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
        Advice::mend_data("give exactly one label per point"),
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
    let unreadable =
        |cause: csv::Error| Error::file(path, "cannot be read", Advice::mend_file("check the path")).caused_by(cause);
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
    Error::file(
        path,
        format!("has {columns} columns and none is headed 'label'"),
        Advice::mend_data("give one column of labels"),
    )
}
