//! From arguments as typed to objects ready for use, with every check that needs no computing done first.

use crate::args::{AlgorithmArg, Amount, FindArgs, NeighborhoodArgs, ReadArgs, RunArgs, SearchArgs};
use crate::terminal;
use std::path::Path;
use truefold::Input;
use truefold::Method;
use truefold::io::{self, ReadOptions};
use truefold::{Algorithm, Distances, Error, Neighborhoods, Points, Run, Search, Suggest, Suggestion};

/// The run that the options describe, with a progress bar and Ctrl-C where there is a terminal.
pub(crate) fn run(args: &RunArgs) -> Result<Run, Error> {
    let mut run = Run::new().with_cancel(terminal::interrupted());
    if let Some(threads) = args.threads {
        run = run.with_threads(threads)?;
    }
    if let Some(bar) = terminal::Bar::on_terminal() {
        run = run.with_progress(bar);
    }
    Ok(run)
}

/// The input X of a command.
pub(crate) enum Source {
    /// Coordinates.
    Points(Points),
    /// Distances between the points.
    Distances(Distances),
}

impl Source {
    /// Reads X: points, or distances where the metric says so.
    pub(crate) fn read(path: &Path, read: &ReadArgs, find: &FindArgs) -> Result<Self, Error> {
        let options = read_options(read)?;
        if find.metric != PRECOMPUTED {
            return table(path, &options).map(Self::Points);
        }
        if io::is_sparse(path) {
            return Self::sparse(path, &options);
        }
        let points = table(path, &options)?;
        // Rows of three numbers can only be a table of distances if there are three of them: row, column, distance.
        if points.dim() == 3 && points.len() != 3 && path != Path::new("-") {
            return Self::sparse(path, &options);
        }
        if points.len() != points.dim() {
            return Err(not_square(path, points.len(), points.dim()));
        }
        Distances::dense(points.len(), points.into_values()).map(Self::Distances)
    }

    fn sparse(path: &Path, options: &ReadOptions) -> Result<Self, Error> {
        let matrix = io::sparse::read(path, options)?;
        if matrix.rows != matrix.columns {
            return Err(not_square(path, matrix.rows, matrix.columns));
        }
        Distances::sparse(matrix.rows, matrix.offsets, matrix.indices, matrix.values).map(Self::Distances)
    }

    /// The input as the library takes it.
    pub(crate) fn input(&self) -> Input<'_> {
        match self {
            Self::Points(points) => Input::Points(points),
            Self::Distances(distances) => Input::Distances(distances),
        }
    }

    /// The points, where there are coordinates.
    pub(crate) fn points(&self) -> Option<&Points> {
        match self {
            Self::Points(points) => Some(points),
            Self::Distances(_) => None,
        }
    }

    /// An embedding with the ids and labels of X; where only some `rows` were embedded, every row is named.
    pub(crate) fn named(&self, embedded: &Points, rows: Option<&[u32]>) -> Result<Points, Error> {
        let columns = (1..=embedded.dim()).map(|axis| format!("y{axis}")).collect();
        let mut points = embedded.clone().with_columns(columns)?;
        let all: Vec<u32> = (0..self.input().len() as u32).collect();
        let chosen = rows.unwrap_or(&all);
        let pick = |texts: &[String]| chosen.iter().map(|&row| texts[row as usize].clone()).collect();
        match self.points().and_then(Points::ids) {
            Some(ids) => points = points.with_ids(pick(ids))?,
            None if rows.is_some() => {
                points = points.with_ids(chosen.iter().map(|row| format!("row {}", row + 1)).collect())?;
            }
            None => {}
        }
        if let Some(labels) = self.points().and_then(Points::labels) {
            points = points.with_labels(pick(labels))?;
        }
        Ok(points)
    }

    /// What the data call for.
    pub(crate) fn suggestion(&self, find: &FindArgs, run: &Run) -> Result<Suggestion, Error> {
        match self {
            Self::Points(points) => Suggest { metric: find.metric.parse()?, ..Suggest::default() }.run(points, run),
            Self::Distances(_) => Err(Error::data(
                "auto needs the coordinates of the points, and X holds distances",
                "give numbers for --k and --dim",
            )),
        }
    }

    /// The neighborhoods that the options ask for, given or searched.
    pub(crate) fn neighborhoods(&self, args: &NeighborhoodArgs, run: &Run) -> Result<Neighborhoods, Error> {
        match &args.given.neighbors {
            Some(path) => given_neighborhoods(path),
            None => self.searched(&args.search, run),
        }
    }

    /// The neighborhoods that the options ask to search for.
    pub(crate) fn searched(&self, args: &SearchArgs, run: &Run) -> Result<Neighborhoods, Error> {
        let search = match args.within.radius {
            Some(radius) => Search::within(radius),
            None => Search::nearest(match args.k {
                None => DEFAULT_K,
                Some(Amount::Number(k)) => k,
                Some(Amount::Auto) => self.suggestion(&args.find, run)?.k,
            }),
        };
        self.found(search, &args.find, run)
    }

    /// What `search` finds, in the way that the options ask for.
    pub(crate) fn found(&self, search: Search, args: &FindArgs, run: &Run) -> Result<Neighborhoods, Error> {
        match self {
            Self::Points(points) => {
                let algorithm = match args.algorithm {
                    _ if args.approximate => Algorithm::Approximate,
                    AlgorithmArg::Auto => Algorithm::Auto,
                    AlgorithmArg::Tree => Algorithm::Tree,
                    AlgorithmArg::Brute => Algorithm::Brute,
                };
                search.metric(args.metric.parse()?).algorithm(algorithm).run(points, run)
            }
            Self::Distances(distances) => {
                if args.approximate || args.algorithm != AlgorithmArg::Auto {
                    return Err(Error::parameter(
                        "metric",
                        PRECOMPUTED,
                        "leaves nothing to search for",
                        "leave out --approximate and --algorithm",
                    ));
                }
                search.run_on_distances(distances, run)
            }
        }
    }
}

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
                return Err(Error::parameter(
                    "separator",
                    format!("'{text}'"),
                    "is not one plain character",
                    "give one such as ';', or the word tab",
                ));
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

/// An error where X and Y both name their points and not alike.
pub(crate) fn check_names(x: &Points, y: &Points) -> Result<(), Error> {
    let (Some(x), Some(y)) = (x.ids(), y.ids()) else { return Ok(()) };
    match x.iter().zip(y).position(|(x, y)| x != y) {
        None => Ok(()),
        Some(row) => Err(Error::data(
            format!("row {} is '{}' in X and '{}' in Y", row + 1, x[row], y[row]),
            "put the rows of both into the same order",
        )),
    }
}

/// An error unless `path` has an ending that can be written and its folder takes files.
pub(crate) fn check_output(path: &Path) -> Result<(), Error> {
    io::Format::from_path(path)?;
    io::check_writable(path)
}

/// A setting as typed, name and value.
pub(crate) fn setting(text: &str) -> Result<(String, String), Error> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Error::parameter("set", format!("'{text}'"), "is not of the form name=value", "write it so"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The method of this name with settings as typed.
pub(crate) fn method(name: &str, settings: &[String]) -> Result<Method, Error> {
    Method::new(name, &settings.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?)
}

/// An error where `output` is also one of the `others`.
pub(crate) fn check_different(output: &Path, others: &[&Path]) -> Result<(), Error> {
    let same = |other: &&Path| {
        output == *other
            || output.canonicalize().is_ok_and(|path| other.canonicalize().is_ok_and(|other| path == other))
    };
    match others.iter().any(same) {
        false => Ok(()),
        true => Err(Error::file(output, "is also another file of this command", "choose another name for the output")),
    }
}

/// Neighborhoods from a file of row numbers; -1 fills short rows up.
pub(crate) fn given_neighborhoods(path: &Path) -> Result<Neighborhoods, Error> {
    let (_, columns, values) = io::read_indices(path, &ReadOptions::default())?;
    let lists: Vec<Vec<i64>> =
        values.chunks(columns.max(1)).map(|row| row.iter().copied().filter(|&member| member != -1).collect()).collect();
    Neighborhoods::from_lists(&lists)
}

fn not_square(path: &Path, rows: usize, columns: usize) -> Error {
    Error::file(
        path,
        format!("a table of distances must be square, but this one has {rows} rows and {columns} columns"),
        "give one row and one column per point, or another --metric",
    )
}
