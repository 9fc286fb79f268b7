//! Tables that the tool writes: values at every point, and torn pairs, as CSV or TSV.

use std::path::Path;
use truefold::error::Advice;
use truefold::{Error, Judgment, Points, Tear, io};

/// The separator that the ending of a file of values at every point names, or an error.
pub(crate) fn check_per_point(path: &Path) -> Result<u8, Error> {
    check(path, "per-point values")
}

/// The same for a file of torn pairs.
pub(crate) fn check_torn(path: &Path) -> Result<u8, Error> {
    check(path, "torn pairs")
}

fn check(path: &Path, what: &str) -> Result<u8, Error> {
    let separator = match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => b',',
        Some("tsv") => b'\t',
        _ => {
            let advice = Advice::mend_file("choose one of these endings");
            return Err(Error::file(path, format!("{what} are written as .csv or .tsv"), advice));
        }
    };
    io::check_writable(path)?;
    Ok(separator)
}

/// Writes one line per point: its id or row, its label, and the value and the bound of each measure.
pub(crate) fn write_scores(path: &Path, judgment: &Judgment, points: Option<&Points>) -> Result<(), Error> {
    let mut columns: Vec<(String, &[f64])> = Vec::new();
    for scored in &judgment.scores {
        let (name, score) = (scored.info.name, &scored.score);
        columns.extend(score.per_point.as_deref().map(|values| (name.to_owned(), values)));
        let bounds = score.per_point_bound.as_deref();
        let bounds = bounds.filter(|bounds| bounds.iter().any(|&bound| bound != 0.0));
        columns.extend(bounds.map(|bounds| (format!("{name}_bound"), bounds)));
    }
    let rows: Vec<u32> = (0..judgment.points as u32).collect();
    write_per_point(path, points.and_then(Points::ids), points.and_then(Points::labels), &rows, &columns)
}

/// Writes one line for each of `rows`: its id or its number from 1, its label where there are labels, and its values; a
/// cell is empty where there is no value.
pub(crate) fn write_per_point(
    path: &Path,
    ids: Option<&[String]>,
    labels: Option<&[String]>,
    rows: &[u32],
    columns: &[(String, &[f64])],
) -> Result<(), Error> {
    write_per_point_and_kind(path, (ids, labels), rows, columns, None)
}

/// The same with a last column `kind`, where there are words for it.
pub(crate) fn write_per_point_and_kind(
    path: &Path,
    (ids, labels): (Option<&[String]>, Option<&[String]>),
    rows: &[u32],
    columns: &[(String, &[f64])],
    kinds: Option<&[&str]>,
) -> Result<(), Error> {
    let separator = check_per_point(path)?;
    let first = if ids.is_some() { "id" } else { "row" };
    let names = columns.iter().map(|column| column.0.as_str());
    let header: Vec<&str> =
        std::iter::once(first).chain(labels.map(|_| "label")).chain(names).chain(kinds.map(|_| "kind")).collect();
    io::atomic(path, |out| {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        writer.write_record(&header)?;
        for (at, &row) in rows.iter().enumerate() {
            let row = row as usize;
            writer.write_field(ids.map_or_else(|| (row + 1).to_string(), |ids| ids[row].clone()))?;
            if let Some(labels) = labels {
                writer.write_field(&labels[row])?;
            }
            let value = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
            let kind = kinds.map(|kinds| kinds[at].to_owned());
            writer.write_record(columns.iter().map(|(_, values)| value(values[at])).chain(kind))?;
        }
        writer.flush()
    })
}

/// Writes a line for each torn pair: its two rows of X, counted from 0, and its place along the seam.
///
/// `rows` are the rows of X that were embedded, where not all were.
pub(crate) fn write_torn(path: &Path, tear: Option<&Tear>, rows: Option<&[u32]>) -> Result<(), Error> {
    let name = |row: u32| rows.map_or(row, |rows| rows[row as usize]).to_string();
    let separator = check_torn(path)?;
    io::atomic(path, |out| {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        writer.write_record(["row", "other_row", "along"])?;
        if let Some(tear) = tear {
            for (pair, along) in tear.pairs().iter().zip(tear.along()) {
                writer.write_record([name(pair.0), name(pair.1), along.to_string()])?;
            }
        }
        writer.flush()
    })
}
