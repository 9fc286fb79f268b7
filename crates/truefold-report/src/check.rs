//! What can be wrong with a report, found before anything is computed or written.

use crate::{Panel, Report};
use std::path::{Path, PathBuf};
use truefold::{Error, Result, io};

impl Report<'_> {
    /// An error if the report cannot be made as it is, or not be written to `path`.
    ///
    /// Panels need not be there yet: long computations call this first.
    pub fn check(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        io::check_writable(path)?;
        if self.is_sampled() {
            io::check_writable(values_path(path))?;
        }
        self.check_parts()
    }

    /// An error if parts of the report do not fit each other.
    pub(crate) fn check_parts(&self) -> Result<()> {
        let count = self.count();
        if let (Some(labels), Some(count)) = (self.labels, count)
            && labels.len() != count
        {
            return Err(Error::data(
                format!("{} labels were given for {count} points", labels.len()),
                "give exactly one label per point",
            ));
        }
        for coloring in &self.colorings {
            if let Some(row) = coloring.values.iter().position(|value| !value.is_finite()) {
                return Err(Error::data(
                    format!("the coloring '{}' holds {} at row {}", coloring.name, coloring.values[row], row + 1),
                    "every value must be a finite number: drop or fill it",
                ));
            }
            if count.is_some_and(|count| coloring.values.len() != count) {
                return Err(Error::data(
                    format!(
                        "the coloring '{}' has {} values for {} points",
                        coloring.name,
                        coloring.values.len(),
                        count.unwrap_or_default()
                    ),
                    "give exactly one value per point",
                ));
            }
        }
        if let Some(images) = self.images {
            let input = self.input.ok_or_else(|| {
                Error::data("pictures were asked for, but the report has no input points", "give the points too")
            })?;
            images.check(input)?;
        }
        for table in &self.tables {
            if let Some(row) = table.rows.iter().find(|row| row.len() != table.header.len()) {
                return Err(Error::data(
                    format!(
                        "a row of the table '{}' has {} cells under {} headings",
                        table.title,
                        row.len(),
                        table.header.len()
                    ),
                    "give one cell per heading",
                ));
            }
        }
        self.panels.iter().try_for_each(|panel| check_panel(panel, count))
    }
}

fn check_panel(panel: &Panel<'_>, count: Option<usize>) -> Result<()> {
    let (title, points) = (&panel.title, panel.points.len());
    if let Some(values) = panel.distortion
        && values.len() != points
    {
        return Err(Error::data(
            format!("the panel '{title}' has {} values of distortion for {points} points", values.len()),
            "give exactly one value per point",
        ));
    }
    if let Some(row) =
        panel.distortion.and_then(|values| values.iter().position(|&value| !(0.0..f64::INFINITY).contains(&value)))
    {
        return Err(Error::data(
            format!("the panel '{title}' has a distortion at point {} that is not a number of at least 0", row + 1),
            "give R_N of each point",
        ));
    }
    if let Some((row, _)) = panel.seam.and_then(|tear| tear.banks().last()).filter(|bank| bank.0 as usize >= points) {
        return Err(Error::data(
            format!("the panel '{title}' is torn at point {} of {points}", row + 1),
            "give the tear of this embedding",
        ));
    }
    let count = count.unwrap_or(points);
    match panel.rows {
        None if points != count => Err(Error::data(
            format!("the panel '{title}' has {points} points where the report has {count}"),
            "say which input rows they belong to",
        )),
        Some(rows) if rows.len() != points => Err(Error::data(
            format!("the panel '{title}' has {points} points and {} input rows", rows.len()),
            "give exactly one input row per point",
        )),
        Some(rows) if rows.iter().any(|&row| row as usize >= count) => Err(Error::data(
            format!("the panel '{title}' names an input row beyond the {count} there are"),
            "count input rows from zero",
        )),
        _ => Ok(()),
    }
}

/// Where the values of all points go when the page shows a sample.
pub(crate) fn values_path(page: &Path) -> PathBuf {
    page.with_extension("parquet")
}

#[cfg(test)]
mod tests {
    use crate::{Coloring, Images, Panel, Report, Table};
    use truefold::Points;

    fn said(report: &Report<'_>) -> String {
        report.check_parts().map_or_else(|error| error.to_string(), |()| "nothing".to_owned())
    }

    #[test]
    fn everything_that_does_not_fit_is_told_in_one_sentence() {
        let input = Points::new(3, 2, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let map = Points::new(2, 1, vec![0.0, 1.0]).unwrap();
        let good = Report { input: Some(&input), ..Report::default() };
        assert_eq!(said(&good), "nothing");
        let two = ["a".to_owned(), "b".to_owned()];
        let labels = Report { labels: Some(&two), ..good.clone() };
        assert_eq!(said(&labels), "2 labels were given for 3 points; give exactly one label per point");
        let colorings = vec![Coloring { name: "angle".into(), values: vec![1.0] }];
        let colored = Report { colorings, ..good.clone() };
        assert_eq!(said(&colored), "the coloring 'angle' has 1 values for 3 points; give exactly one value per point");
        let colorings = vec![Coloring { name: "angle".into(), values: vec![1.0, f64::NAN, 0.0] }];
        let colored = Report { colorings, ..good.clone() };
        assert!(said(&colored).starts_with("the coloring 'angle' holds NaN at row 2; every value"));
        let images = Some(Images { height: 2, width: 2, by_columns: false });
        assert!(
            said(&Report { images, ..good.clone() })
                .starts_with("image shape = 2x2 is 4 pixels, but the points have 2")
        );
        assert!(said(&Report { images, ..Report::default() }).contains("no input points"));
        let table = Table { title: "t".into(), header: vec!["a".into()], rows: vec![vec![]], ..Table::default() };
        let tables = Report { tables: vec![table], ..good.clone() };
        assert_eq!(said(&tables), "a row of the table 't' has 0 cells under 1 headings; give one cell per heading");
        let panel =
            Panel { title: "p".into(), caption: String::new(), points: &map, rows: None, distortion: None, seam: None };
        let of = |panel: Panel<'_>| said(&Report { panels: vec![panel], ..good.clone() });
        assert_eq!(
            of(panel.clone()),
            "the panel 'p' has 2 points where the report has 3; say which input rows they belong to"
        );
        assert_eq!(of(Panel { rows: Some(&[0, 2]), ..panel.clone() }), "nothing");
        assert!(of(Panel { rows: Some(&[0]), ..panel.clone() }).contains("2 points and 1 input rows"));
        assert!(of(Panel { rows: Some(&[0, 3]), ..panel.clone() }).contains("beyond the 3 there are"));
        let negative = Panel { rows: Some(&[0, 2]), distortion: Some(&[0.1, -1.0]), ..panel.clone() };
        assert!(of(negative).contains("at point 2 that is not a number of at least 0"));
        assert!(of(Panel { distortion: Some(&[0.1]), ..panel }).contains("1 values of distortion for 2 points"));
    }

    #[test]
    fn a_path_that_cannot_be_written_is_told_before() {
        let directory = tempfile::tempdir().unwrap();
        let error = Report::default().check(directory.path().join("missing/report.html")).unwrap_err();
        assert!(error.to_string().contains("does not exist; create it first"), "{error}");
    }
}
