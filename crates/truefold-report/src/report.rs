//! What a report shows: tables, charts, and a scatter plot per embedding.

use crate::{Chart, Gallery, Images, Panel, Table};
use std::path::PathBuf;
use truefold::{Neighborhoods, Points};

/// A value for each input point to color by, such as a true coordinate.
#[derive(Debug, Clone, PartialEq)]
pub struct Coloring {
    /// What it is.
    pub name: String,
    /// One value per input point.
    pub values: Vec<f64>,
}

impl Coloring {
    /// One coloring per coordinate of `points`, named after its columns, or after `name` and the coordinate's number.
    pub fn of_coordinates(name: &str, points: &Points) -> Vec<Self> {
        let column = |at: usize| Self {
            name: points.columns().map_or_else(|| format!("{name} {}", at + 1), |columns| columns[at].clone()),
            values: points.rows().map(|row| row[at]).collect(),
        };
        (0..points.dim()).map(column).collect()
    }
}

/// The points of a report as a sample of more, which its tables are about.
///
/// ```
/// use truefold::{Points, Run};
/// use truefold_report::{Drawn, Report};
///
/// let points = Points::from_rows(&[[0.0, 0.0], [1.0, 2.0]])?;
/// let drawn = Some(Drawn { rows: &[3, 70_000], of: 100_000 });
/// let report = Report { input: Some(&points), drawn, ..Report::default() };
/// let told = "2 of 100,000 rows, spread evenly, are drawn; the numbers in the tables are of all rows.";
/// assert!(report.html(&Run::new())?.contains(told));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn<'a> {
    /// The row of each point among all.
    pub rows: &'a [u32],
    /// The number of all rows.
    pub of: usize,
}

/// A page that stands alone: tables, charts, scatter plots that are linked, and the facts of the run.
///
/// Text is never taken as HTML. A report without panels can be checked before the embeddings are computed.
///
/// ```
/// use truefold::{Points, Run};
/// use truefold_report::{Panel, Report, Table};
///
/// let points = Points::from_rows(&[[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]])?;
/// let mut report = Report { title: "A <small> example".into(), input: Some(&points), ..Report::default() };
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("report.html");
/// report.check(&path)?;
///
/// let table = Table { header: vec!["map".into()], rows: vec![vec!["identity".into()]], ..Table::default() };
/// report.tables = vec![table];
/// report.panels = vec![Panel::new("identity", &points)];
/// let written = report.write(&path, &Run::new())?;
/// assert_eq!((written.points, written.shown, written.files.len()), (3, 3, 1));
/// assert!(report.html(&Run::new())?.contains("A &lt;small&gt; example"));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Report<'a> {
    /// The title.
    pub title: String,
    /// What a reader should know, a paragraph each.
    pub paragraphs: Vec<String>,
    /// The data: shown in a view of their own; their ids and labels are those of all points.
    pub input: Option<&'a Points>,
    /// Labels that take the place of the input's own.
    pub labels: Option<&'a [String]>,
    /// Further values to color by.
    pub colorings: Vec<Coloring>,
    /// The tables, the first one first on the page.
    pub tables: Vec<Table>,
    /// The charts.
    pub charts: Vec<Chart>,
    /// The embeddings.
    pub panels: Vec<Panel<'a>>,
    /// The neighbors of each input point in the data: pointing at a point shows them in every panel, and which neighbors in a
    /// panel are none in the data.
    pub neighbors: Option<&'a Neighborhoods>,
    /// Of which rows the points are a sample, where they are one.
    pub drawn: Option<Drawn<'a>>,
    /// Whether the reader counts rows from zero, as Python does, and not from one.
    pub rows_from_zero: bool,
    /// The shape of the pictures, where the input is image data.
    pub images: Option<Images>,
    /// A picture of each input point, where the data have pictures beside them.
    pub gallery: Option<&'a Gallery>,
    /// Whatever is needed to repeat the run: the command, parameters, seeds, versions, warnings.
    pub facts: serde_json::Value,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The files and their sizes in bytes, the page first.
    pub files: Vec<(PathBuf, u64)>,
    /// The number of points there are.
    pub points: usize,
    /// The number of points on the page; all where it is the same.
    pub shown: usize,
}
