//! From arguments as typed to objects ready for use, with every check that needs no computing done first.

use crate::args::{FindArgs, ReadArgs};
use std::path::{Path, PathBuf};
use truefold::error::Advice;
use truefold::io::{self, ReadOptions};
use truefold::{Error, Method, Points};

/// Neighbors where neither the options nor a file say how many.
pub(crate) const DEFAULT_K: usize = 12;

/// The name of the metric that says that X holds distances.
pub(crate) const PRECOMPUTED: &str = "precomputed";

/// An error for a metric that does not exist, before anything is read.
pub(crate) fn check_metric(args: &FindArgs) -> Result<(), Error> {
    if args.metric == PRECOMPUTED {
        return Ok(());
    }
    match args.metric.parse::<truefold::Metric>() {
        Ok(_) => Ok(()),
        Err(Error::Unknown { kind, given, suggestions, mut known }) => {
            known.push(PRECOMPUTED.to_owned());
            Err(Error::Unknown { kind, given, suggestions, known })
        }
        Err(other) => Err(other),
    }
}

/// Reads a table of numbers, from standard input where the path is `-`.
pub(crate) fn table(path: &Path, options: &ReadOptions) -> Result<Points, Error> {
    if path == Path::new("-") {
        return io::read_from(std::io::stdin().lock(), "standard input", options);
    }
    io::read(path, options)
}

/// How X is read.
pub(crate) fn read_options(args: &ReadArgs) -> Result<ReadOptions, Error> {
    let separator = match args.separator.as_deref() {
        None => None,
        Some("tab" | "\\t") => Some(b'\t'),
        Some(text) => match text.as_bytes() {
            &[byte] if byte.is_ascii() => Some(byte),
            _ => {
                let advice = Advice::change("separator", "give one such as ';', or the word tab");
                return Err(Error::parameter("separator", format!("'{text}'"), "is not one plain character", advice));
            }
        },
    };
    Ok(ReadOptions {
        format: args.input_format.as_deref().map(str::parse).transpose()?,
        header: args.header,
        separator,
        id_column: args.id_column.clone(),
        label_column: args.label_column.clone(),
        drop_columns: args.drop_columns.clone(),
        variable: args.variable.clone(),
    })
}

/// How Y is read: like X, with an id column and dropped columns of its own.
pub(crate) fn embedding_options(
    read: &ReadArgs,
    id_column: Option<String>,
    drop_columns: Vec<String>,
) -> Result<ReadOptions, Error> {
    Ok(ReadOptions { id_column, label_column: None, drop_columns, ..read_options(read)? })
}

/// An error where X and Y both name their points, and a name differs.
pub(crate) fn check_names(x: &Points, y: &Points) -> Result<(), Error> {
    let (Some(x), Some(y)) = (x.ids(), y.ids()) else { return Ok(()) };
    match x.iter().zip(y).position(|(x, y)| x != y) {
        None => Ok(()),
        Some(row) => Err(Error::data(
            format!("row {} is '{}' in X and '{}' in Y", row + 1, x[row], y[row]),
            Advice::mend_data("put the rows of both into the same order"),
        )),
    }
}

/// An error unless `path` has an ending that can be written and its folder takes files.
pub(crate) fn check_output(path: &Path) -> Result<(), Error> {
    io::Format::for_writing(path)?;
    io::check_writable(path)
}

/// A setting as typed, name and value.
pub(crate) fn setting(text: &str) -> Result<(String, String), Error> {
    let (name, value) = text.split_once('=').ok_or_else(|| not_a_setting(text, "name=value"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The error of a setting that is not of this form.
pub(crate) fn not_a_setting(text: &str, form: &str) -> Error {
    let advice = Advice::change("set", format!("write {form}"));
    Error::parameter("set", format!("'{text}'"), format!("is not of the form {form}"), advice)
}

/// The method of this name with settings as typed.
pub(crate) fn method(name: &str, settings: &[String]) -> Result<Method, Error> {
    Method::new(name, &settings.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?)
}

/// The files that were named.
pub(crate) fn given<'a>(paths: &[&'a Option<PathBuf>]) -> Vec<&'a Path> {
    paths.iter().filter_map(|path| path.as_deref()).collect()
}

/// The error of a command of which every part failed; what it printed says why.
pub(crate) fn nothing_worked() -> anyhow::Error {
    anyhow::anyhow!("no embedding could be made; the reasons stand beside each of them")
}

/// An error where `output` is also one of the `others`.
pub(crate) fn check_different(output: &Path, others: &[&Path]) -> Result<(), Error> {
    // What is not there yet has a folder that is.
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(path.file_name()?))
        })
    };
    let same = |other: &&Path| output == *other || place(output).is_some_and(|own| place(other) == Some(own));
    match others.iter().any(same) {
        false => Ok(()),
        true => Err(Error::file(
            output,
            "is also another file of this command",
            Advice::mend_file("choose another name for the output"),
        )),
    }
}
