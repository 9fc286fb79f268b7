//! The data of a command: read, named, and searched for neighbors.

use crate::args::{AlgorithmArg, Amount, DeviceArg, FindArgs, NeighborhoodArgs, ReadArgs, SearchArgs};
use crate::plan::{DEFAULT_K, PRECOMPUTED, read_options, table};
use std::path::Path;
use truefold::error::Advice;
use truefold::io::{self, ReadOptions};
use truefold::{Algorithm, Data, Distances, Error, Neighborhoods, Points, Run, Search, Suggest, Suggestion};

/// Reads X: points, or distances where the metric says so.
pub(crate) fn read(path: &Path, read: &ReadArgs, find: &FindArgs) -> Result<Data, Error> {
    let options = read_options(read)?;
    if find.metric != PRECOMPUTED {
        return table(path, &options).map(Data::Points);
    }
    if io::is_sparse(path) {
        return sparse(path, &options);
    }
    let points = table(path, &options)?;
    // A table of three columns that has more rows is a list of known distances: row, column, distance.
    if points.dim() == 3 && points.len() != 3 && path != Path::new("-") {
        return sparse(path, &options);
    }
    if points.len() != points.dim() {
        return Err(not_square(path, points.len(), points.dim()));
    }
    Distances::dense(points.len(), points.into_values()).map(Data::Distances)
}

fn sparse(path: &Path, options: &ReadOptions) -> Result<Data, Error> {
    let matrix = io::sparse::read(path, options)?;
    if matrix.rows != matrix.columns {
        return Err(not_square(path, matrix.rows, matrix.columns));
    }
    Distances::sparse(matrix.rows, matrix.offsets, matrix.indices, matrix.values).map(Data::Distances)
}

fn not_square(path: &Path, rows: usize, columns: usize) -> Error {
    Error::file(
        path,
        format!("a table of distances must be square, but this one has {rows} rows and {columns} columns"),
        Advice::change("metric", "give one row and one column per point, or another {metric}"),
    )
}

/// Reads the embedding Y, and checks that it belongs to `data`.
pub(crate) fn read_embedding(path: &Path, options: &ReadOptions, data: &Data) -> Result<Points, Error> {
    let embedding = table(path, options)?;
    data.input().check_embedding(&embedding)?;
    if let Some(points) = data.points() {
        crate::plan::check_names(points, &embedding)?;
    }
    Ok(embedding)
}

/// The name of a row of the data for people: its id, or its number from 1.
pub(crate) fn row_name(data: &Data, row: usize) -> String {
    match data.points().and_then(Points::ids) {
        Some(ids) => ids[row].clone(),
        None => format!("row {}", truefold_report::words::count(row + 1)),
    }
}

/// An embedding with the ids and labels of X; where only some `rows` were embedded, every row is named.
pub(crate) fn named(data: &Data, embedded: &Points, rows: Option<&[u32]>) -> Result<Points, Error> {
    let columns = (1..=embedded.dim()).map(|axis| format!("y{axis}")).collect();
    let mut points = embedded.clone().with_columns(columns)?;
    let all: Vec<u32> = (0..data.input().len() as u32).collect();
    let chosen = rows.unwrap_or(&all);
    let pick = |texts: &[String]| chosen.iter().map(|&row| texts[row as usize].clone()).collect();
    match data.points().and_then(Points::ids) {
        Some(ids) => points = points.with_ids(pick(ids))?,
        None if rows.is_some() => {
            points = points.with_ids(chosen.iter().map(|row| format!("row {}", row + 1)).collect())?;
        }
        None => {}
    }
    if let Some(labels) = data.points().and_then(Points::labels) {
        points = points.with_labels(pick(labels))?;
    }
    Ok(points)
}

/// The dimension and the number of neighbors that suit the data.
pub(crate) fn suggestion(data: &Data, find: &FindArgs, run: &Run) -> Result<Suggestion, Error> {
    suggestion_for(data, find, None, run)
}

/// The same, with a method for a map of `map_dim` dimensions.
pub(crate) fn suggestion_for(
    data: &Data,
    find: &FindArgs,
    map_dim: Option<usize>,
    run: &Run,
) -> Result<Suggestion, Error> {
    match data {
        Data::Points(points) => {
            Suggest { metric: find.metric.parse()?, map_dim, ..Suggest::default() }.run(points, run)
        }
        Data::Distances(_) => Err(Error::data(
            "auto needs the coordinates of the points, and X holds distances",
            Advice::change("k", "give numbers for {k} and {dim}"),
        )),
    }
}

/// The neighborhoods that the options ask for, given or searched.
pub(crate) fn neighborhoods(data: &Data, args: &NeighborhoodArgs, run: &Run) -> Result<Neighborhoods, Error> {
    match &args.given.neighbors {
        Some(path) => given_neighborhoods(path),
        None => searched(data, &args.search, run),
    }
}

/// The neighborhoods that the options ask to search for.
pub(crate) fn searched(data: &Data, args: &SearchArgs, run: &Run) -> Result<Neighborhoods, Error> {
    let search = match args.within.radius {
        Some(radius) => Search::within(radius),
        None => Search::nearest(match args.k {
            None => DEFAULT_K,
            Some(Amount::Number(k)) => k,
            Some(Amount::Auto) => suggestion(data, &args.find, run)?.k,
        }),
    };
    found(data, search, &args.find, run)
}

/// What `search` finds, by the metric and the algorithm that the options name.
pub(crate) fn found(data: &Data, search: Search, args: &FindArgs, run: &Run) -> Result<Neighborhoods, Error> {
    match data {
        Data::Points(points) => {
            let algorithm = match args.algorithm {
                _ if args.approximate => Algorithm::Approximate,
                AlgorithmArg::Auto => Algorithm::Auto,
                AlgorithmArg::Tree => Algorithm::Tree,
                AlgorithmArg::Brute => Algorithm::Brute,
            };
            let search = search.with_metric(args.metric.parse()?).with_algorithm(algorithm);
            let search = search.with_device(args.on.device.into());
            args.recall.map_or(search, |recall| search.with_recall(recall)).run(points, run)
        }
        Data::Distances(distances) => {
            let chosen = args.algorithm != AlgorithmArg::Auto || args.on.device != DeviceArg::Auto;
            if args.approximate || chosen {
                let advice = Advice::leave_out("algorithm", "leave out {approximate}, {algorithm} and {device}");
                return Err(Error::parameter("metric", PRECOMPUTED, "leaves nothing to search for", advice));
            }
            search.run_on_distances(distances, run)
        }
    }
}

/// Neighborhoods from a file of row numbers; -1 fills short rows up.
pub(crate) fn given_neighborhoods(path: &Path) -> Result<Neighborhoods, Error> {
    let (_, columns, values) = io::read_indices(path, &ReadOptions::default())?;
    let lists: Vec<Vec<i64>> =
        values.chunks(columns.max(1)).map(|row| row.iter().copied().filter(|&member| member != -1).collect()).collect();
    Neighborhoods::from_lists(&lists)
}
