//! The values of all points in Parquet files beside a page that shows a sample of them.

use crate::check::values_path;
use crate::{Panel, Report};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use truefold::{Points, Result, io};

/// Writes the values beside `page`: one file of all panels that have every point, and one of each that has not.
pub(crate) fn write(report: &Report<'_>, count: usize, page: &Path) -> Result<Vec<PathBuf>> {
    let mut files = vec![values_path(page)];
    let mut columns = Columns::default();
    let first = if report.rows_from_zero { 0.0 } else { 1.0 };
    columns.add("row".to_owned(), (0..count).map(|row| first + row as f64).collect());
    for coloring in &report.colorings {
        columns.add(coloring.name.clone(), coloring.values.clone());
    }
    for panel in report.panels.iter().filter(|panel| panel.rows.is_none()) {
        columns.add_panel(panel);
    }
    let source = report.input.or_else(|| report.whole_panel().map(|panel| panel.points));
    let labels = report.labels.or_else(|| source?.labels());
    columns.write(&files[0], source.and_then(Points::ids), labels)?;
    for (at, panel) in report.panels.iter().enumerate() {
        let Some(rows) = panel.rows else { continue };
        let mut columns = Columns::default();
        columns.add("row".to_owned(), rows.iter().map(|&row| first + f64::from(row)).collect());
        columns.add_panel(panel);
        let file = page.with_extension(format!("{}.parquet", at + 1));
        columns.write(&file, None, None)?;
        files.push(file);
    }
    Ok(files)
}

/// Columns of equal length, each with a name of its own.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    values: Vec<Vec<f64>>,
    used: HashSet<String>,
}

impl Columns {
    fn add(&mut self, name: String, values: Vec<f64>) {
        let mut unique = name.clone();
        let mut number = 2;
        while !self.used.insert(unique.clone()) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        self.names.push(unique);
        self.values.push(values);
    }

    /// The coordinates of a panel, its channels and its verdicts, these as places among their names.
    fn add_panel(&mut self, panel: &Panel<'_>) {
        for axis in 0..panel.points.dim() {
            let values = panel.points.rows().map(|row| row[axis]).collect();
            self.add(format!("{} y{}", panel.title, axis + 1), values);
        }
        // Parquet has a way to say that a number is not there; the tables of the library have not.
        for channel in panel.channels.iter().filter(|channel| channel.values.iter().all(|value| !value.is_nan())) {
            self.add(format!("{} {}", panel.title, channel.name.to_lowercase()), channel.values.to_vec());
        }
        if let Some(verdicts) = &panel.verdicts {
            self.add(format!("{} verdict", panel.title), verdicts.codes.iter().map(|&code| f64::from(code)).collect());
        }
    }

    fn write(self, path: &Path, ids: Option<&[String]>, labels: Option<&[String]>) -> Result<()> {
        let (len, width) = (self.values[0].len(), self.values.len());
        let cells = (0..len).flat_map(|row| self.values.iter().map(move |column| column[row])).collect();
        let mut points = Points::new(len, width, cells)?.with_columns(self.names)?;
        if let Some(ids) = ids {
            points = points.with_ids(ids.to_vec())?;
        }
        if let Some(labels) = labels {
            points = points.with_labels(labels.to_vec())?;
        }
        io::write(path, &points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Verdicts};

    #[test]
    fn every_value_is_there_under_a_name_of_its_own() {
        let input = Points::from_rows(&[[0.0], [1.0], [2.0]]).unwrap().with_labels(vec!["a".into(); 3]).unwrap();
        let part = Points::from_rows(&[[7.0], [8.0]]).unwrap();
        let panel = Panel::new("p", &input);
        let verdicts = Verdicts { codes: vec![0, 1, 0].into(), names: vec!["good".into(), "bad".into()] };
        let panels = vec![
            panel.clone(),
            Panel {
                channels: vec![Channel::new("R_N", vec![0.1, 0.2, 0.3])],
                verdicts: Some(verdicts),
                ..panel.clone()
            },
            Panel { points: &part, rows: Some(&[0, 2]), ..panel },
        ];
        let report = Report { input: Some(&input), panels, ..Report::default() };
        let directory = tempfile::tempdir().unwrap();
        let files = write(&report, 3, &directory.path().join("page.html")).unwrap();
        let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["page.parquet", "page.3.parquet"]);
        let all = io::read(&files[0], &io::ReadOptions::default()).unwrap();
        assert_eq!(all.columns().unwrap(), ["row", "p y1", "p y1 (2)", "p r_n", "p verdict"]);
        assert_eq!((all.row(2), all.labels().unwrap().len()), (&[3.0, 2.0, 2.0, 0.3, 0.0][..], 3));
        assert_eq!(io::read(&files[1], &io::ReadOptions::default()).unwrap().row(1), &[3.0, 8.0]);
    }
}
