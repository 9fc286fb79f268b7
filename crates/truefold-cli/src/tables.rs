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

/// Writes one line per point: its id or row, its label and verdict, and each measure with its bound and with chance.
pub(crate) fn write_scores(
    path: &Path,
    judgment: &Judgment,
    points: Option<&Points>,
    labels: Option<&[String]>,
) -> Result<(), Error> {
    let mut columns: Vec<(String, &[f64])> = Vec::new();
    for scored in &judgment.scores {
        let (name, score) = (scored.info.name, &scored.score);
        columns.extend(score.per_point.as_deref().map(|values| (name.to_owned(), values)));
        let bounds = score.per_point_bound.as_deref();
        let bounds = bounds.filter(|bounds| bounds.iter().any(|&bound| bound != 0.0));
        columns.extend(bounds.map(|bounds| (format!("{name}_bound"), bounds)));
        columns.extend(score.per_point_chance.as_deref().map(|chance| (format!("{name}_chance"), chance)));
    }
    let verdict = judgment.verdict.as_ref().and_then(|verdict| verdict.points.as_ref());
    if let Some(verdict) = verdict {
        let values = [
            ("skill", &verdict.skill),
            ("false_neighbors", &verdict.false_shares),
            ("missing_neighbors", &verdict.missing_shares),
            ("farther_in_data", &verdict.farther_in_data),
            ("farther_in_map", &verdict.farther_in_map),
            ("p_value", &verdict.p_values),
        ];
        columns.extend(values.map(|(name, values)| (name.to_owned(), values.as_slice())));
    }
    let rows: Vec<u32> = (0..judgment.points as u32).collect();
    let classes =
        verdict.map(|verdict| verdict.classes.iter().map(|class| class.name().to_owned()).collect::<Vec<_>>());
    let texts = present(&[("label", labels), ("verdict", classes.as_deref())]);
    write_per_point(path, points.and_then(Points::ids), &texts, &rows, &columns)
}

/// The columns of text that there are.
pub(crate) fn present<'a>(texts: &[(&'a str, Option<&'a [String]>)]) -> Vec<(&'a str, &'a [String])> {
    texts.iter().filter_map(|&(name, all)| Some((name, all?))).collect()
}

/// Writes one line for each of `rows`: its id or its number from 1, its texts such as a label, and its values; a cell is
/// empty where there is no value.
pub(crate) fn write_per_point(
    path: &Path,
    ids: Option<&[String]>,
    texts: &[(&str, &[String])],
    rows: &[u32],
    columns: &[(String, &[f64])],
) -> Result<(), Error> {
    let separator = check_per_point(path)?;
    let first = if ids.is_some() { "id" } else { "row" };
    let names = columns.iter().map(|column| column.0.as_str());
    let header: Vec<&str> = std::iter::once(first).chain(texts.iter().map(|text| text.0)).chain(names).collect();
    io::atomic(path, |out| {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        writer.write_record(&header)?;
        for (at, &row) in rows.iter().enumerate() {
            let row = row as usize;
            writer.write_field(ids.map_or_else(|| (row + 1).to_string(), |ids| ids[row].clone()))?;
            for (_, all) in texts {
                writer.write_field(&all[row])?;
            }
            let value = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
            writer.write_record(columns.iter().map(|(_, values)| value(values[at])))?;
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
