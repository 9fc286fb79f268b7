//! What can be wrong with a report, found before anything is computed or written.

use crate::color::VERDICTS;
use crate::{Channel, Panel, Report, Series, Table};
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
        if let (Some(drawn), Some(count)) = (self.drawn, count)
            && (drawn.rows.len() != count || drawn.rows.iter().any(|&row| row as usize >= drawn.of))
        {
            return Err(Error::data(
                format!("{} rows of {} were named for {count} points", drawn.rows.len(), drawn.of),
                "give the row of each point",
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
        if let (Some(gallery), Some(count)) = (self.gallery, count)
            && gallery.len() != count
        {
            return Err(Error::data(
                format!("{} pictures were given for {count} points", gallery.len()),
                "give exactly one per point, or an empty text for none",
            ));
        }
        if self.gallery.is_some() && self.images.is_some() {
            return Err(Error::data("the points are pictures and have others too", "choose which are to be shown"));
        }
        if let (Some(neighbors), Some(count)) = (self.neighbors, count) {
            neighbors.check_len(count)?;
        }
        self.tables.iter().try_for_each(check_table)?;
        self.charts.iter().flat_map(|chart| &chart.series).try_for_each(check_series)?;
        self.check_verdicts()?;
        self.panels.iter().try_for_each(|panel| check_panel(panel, count))
    }

    /// An error unless all panels have the same classes of verdicts, which share their colors.
    fn check_verdicts(&self) -> Result<()> {
        let mut all = self.panels.iter().filter_map(|panel| Some((&panel.title, &panel.verdicts.as_ref()?.names)));
        let Some((first, names)) = all.next() else { return Ok(()) };
        if names.len() > VERDICTS.len() {
            return Err(Error::data(
                format!(
                    "the panel '{first}' has {} classes of verdicts, more than the {} colors",
                    names.len(),
                    VERDICTS.len()
                ),
                "give fewer classes",
            ));
        }
        match all.find(|(_, others)| *others != names) {
            Some((other, _)) => Err(Error::data(
                format!("the panels '{first}' and '{other}' have different classes of verdicts"),
                "give all panels the same names in the same order",
            )),
            None => Ok(()),
        }
    }
}

fn check_table(table: &Table) -> Result<()> {
    let title = &table.title;
    if let Some(row) = table.rows.iter().find(|row| row.len() != table.header.len()) {
        return Err(Error::data(
            format!("a row of the table '{title}' has {} cells under {} headings", row.len(), table.header.len()),
            "give one cell per heading",
        ));
    }
    let (rows, columns) = (table.row_labels.len(), table.column_labels.len());
    if (rows != 0 && rows != table.rows.len()) || (columns != 0 && columns != table.header.len()) {
        return Err(Error::data(
            format!(
                "the table '{title}' of {} rows and {} columns has {rows} labels of rows and {columns} of columns",
                table.rows.len(),
                table.header.len()
            ),
            "give none, or one for each",
        ));
    }
    Ok(())
}

fn check_series(series: &Series) -> Result<()> {
    if series.band.is_empty() || series.band.len() == series.points.len() {
        return Ok(());
    }
    Err(Error::data(
        format!(
            "the band of the curve '{}' has {} places for {} points",
            series.name,
            series.band.len(),
            series.points.len()
        ),
        "give none, or one for each point",
    ))
}

fn check_panel(panel: &Panel<'_>, count: Option<usize>) -> Result<()> {
    let (title, points) = (&panel.title, panel.points.len());
    panel.channels.iter().try_for_each(|channel| check_channel(panel, channel))?;
    if let Some(verdicts) = &panel.verdicts {
        check_each(title, "verdicts", verdicts.codes.len(), points)?;
        if let Some(row) = verdicts.codes.iter().position(|&code| usize::from(code) >= verdicts.names.len()) {
            return Err(Error::data(
                format!(
                    "the panel '{title}' has the verdict {} at point {}, and {} classes",
                    verdicts.codes[row],
                    row + 1,
                    verdicts.names.len()
                ),
                "count classes from zero",
            ));
        }
    }
    if let Some(ellipses) = &panel.ellipses {
        check_each(title, "ellipses", ellipses.len(), points)?;
        if panel.points.dim() != 2 || ellipses.iter().flatten().any(|entry| !entry.is_finite()) {
            return Err(Error::data(
                format!("the panel '{title}' has ellipses that cannot be drawn"),
                "give finite matrices, and only for points in the plane",
            ));
        }
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

/// An error unless there is one of `what` for each point.
fn check_each(title: &str, what: &str, given: usize, points: usize) -> Result<()> {
    if given == points {
        return Ok(());
    }
    Err(Error::data(
        format!("the panel '{title}' has {given} {what} for {points} points"),
        "give exactly one per point",
    ))
}

fn check_channel(panel: &Panel<'_>, channel: &Channel<'_>) -> Result<()> {
    let (title, name) = (&panel.title, &channel.name);
    check_each(title, &format!("values of {name}"), channel.values.len(), panel.points.len())?;
    if panel.channels.iter().filter(|other| other.name == *name).count() > 1 {
        return Err(Error::data(
            format!("the panel '{title}' has {name} twice"),
            "give each channel a name of its own",
        ));
    }
    let ends = [channel.best, channel.chance];
    if channel.values.iter().any(|value| value.is_infinite()) || ends.iter().flatten().any(|end| !end.is_finite()) {
        return Err(Error::data(
            format!("the panel '{title}' has an infinite {name}, or one between ends that are not finite"),
            "give finite numbers, or NaN for what is not known of a point",
        ));
    }
    Ok(())
}

/// Where the values of all points go when the page shows a sample.
pub(crate) fn values_path(page: &Path) -> PathBuf {
    page.with_extension("parquet")
}

#[cfg(test)]
mod tests {
    use crate::{Channel, Chart, Coloring, Images, Panel, Report, Series, Table, Verdicts};
    use truefold::{Neighborhoods, Points};

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
            said(&Report { images, ..good.clone() }).starts_with("images = 2x2 is 4 pixels, but the points have 2")
        );
        assert!(said(&Report { images, ..Report::default() }).contains("no input points"));
        let table = Table { title: "t".into(), header: vec!["a".into()], rows: vec![vec![]], ..Table::default() };
        let tables = Report { tables: vec![table], ..good.clone() };
        assert_eq!(said(&tables), "a row of the table 't' has 0 cells under 1 headings; give one cell per heading");
        let panel = Panel::new("p", &map);
        let of = |panel: Panel<'_>| said(&Report { panels: vec![panel], ..good.clone() });
        assert_eq!(
            of(panel.clone()),
            "the panel 'p' has 2 points where the report has 3; say which input rows they belong to"
        );
        assert_eq!(of(Panel { rows: Some(&[0, 2]), ..panel.clone() }), "nothing");
        assert!(of(Panel { rows: Some(&[0]), ..panel.clone() }).contains("2 points and 1 input rows"));
        assert!(of(Panel { rows: Some(&[0, 3]), ..panel.clone() }).contains("beyond the 3 there are"));
        let panel = Panel { rows: Some(&[0, 2]), ..panel };
        let channels = |values: &[f64]| vec![Channel::new("R_N", values.to_vec())];
        let one = Panel { channels: channels(&[0.1]), ..panel.clone() };
        assert_eq!(of(one), "the panel 'p' has 1 values of R_N for 2 points; give exactly one per point");
        let endless = Panel { channels: channels(&[0.1, f64::INFINITY]), ..panel.clone() };
        assert!(of(endless).contains("an infinite R_N"));
        assert_eq!(of(Panel { channels: channels(&[0.1, f64::NAN]), ..panel.clone() }), "nothing");
        let twice = [channels(&[0.1, 0.2]), channels(&[0.1, 0.2])].concat();
        assert!(of(Panel { channels: twice, ..panel.clone() }).contains("R_N twice"));
        let ellipses = Some(vec![[1.0, 0.0, 1.0]; 2]);
        assert!(of(Panel { ellipses, ..panel.clone() }).contains("only for points in the plane"));
        let verdicts = |code: u8| Some(Verdicts { codes: vec![0, code].into(), names: vec!["good".into()] });
        assert!(
            of(Panel { verdicts: verdicts(1), ..panel.clone() }).contains("the verdict 1 at point 2, and 1 classes")
        );
        assert_eq!(of(Panel { verdicts: verdicts(0), ..panel.clone() }), "nothing");
        let many = Verdicts { codes: vec![0, 0].into(), names: vec![String::new(); 6] };
        assert!(of(Panel { verdicts: Some(many), ..panel }).contains("6 classes of verdicts, more than the 5 colors"));
    }

    #[test]
    fn tables_curves_and_neighbors_fit_what_they_are_of() {
        let input = Points::new(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let good = Report { input: Some(&input), ..Report::default() };
        let table = Table { header: vec!["a".into()], rows: vec![vec!["b".into()]], ..Table::default() };
        let of = |table: Table| said(&Report { tables: vec![table], ..good.clone() });
        assert_eq!(of(Table { row_labels: vec![None], ..table.clone() }), "nothing");
        assert!(
            of(Table { row_labels: vec![None; 2], ..table.clone() }).contains("of 1 rows and 1 columns has 2 labels")
        );
        assert!(of(Table { column_labels: vec![None; 2], ..table }).contains("and 2 of columns"));
        let series = vec![Series { points: vec![(0.0, 1.0)], band: vec![(0.0, 1.0); 2], ..Series::default() }];
        let charts = vec![Chart { series, ..Chart::default() }];
        assert!(said(&Report { charts, ..good.clone() }).contains("2 places for 1 points"));
        let lists = Neighborhoods::from_lists(&[[1], [0]]).unwrap();
        let neighbors = Report { neighbors: Some(&lists), ..good };
        assert!(said(&neighbors).starts_with("there are 2 neighborhoods for 3 points"));
    }

    #[test]
    fn a_path_that_cannot_be_written_is_told_before() {
        let directory = tempfile::tempdir().unwrap();
        let error = Report::default().check(directory.path().join("missing/report.html")).unwrap_err();
        assert!(error.to_string().contains("does not exist; create it first"), "{error}");
    }
}
