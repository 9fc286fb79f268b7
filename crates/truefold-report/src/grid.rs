//! A report as one figure: a grid of its data, its embeddings and its charts.

use crate::figure::{ColorScale, Curve, Curves, Figure, Scatter};
use crate::{Chart, Report};
use truefold::{Points, Result, Tear};

/// What the points of a figure are colored by.
enum Colors<'a> {
    /// The first coloring, such as a true coordinate.
    Values(&'a [f64]),
    /// The labels.
    Labels(&'a [String]),
    /// The local distortion of each embedding.
    Distortion,
}

impl Report<'_> {
    /// The data (where they have at most three coordinates), the embeddings and the charts as one figure.
    ///
    /// Points have the color of the first coloring, or else of their label, or else of their local distortion; both sides
    /// of a tear those of their places along the seam.
    ///
    /// ```
    /// use truefold::Points;
    /// use truefold_report::{Coloring, Panel, Report};
    ///
    /// let points = Points::from_rows(&[[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]])?;
    /// let panel =
    ///     Panel { title: "some".into(), caption: "".into(), points: &points, rows: None, distortion: None, seam: None };
    /// let report = Report {
    ///     input: Some(&points),
    ///     colorings: Coloring::of_coordinates("true coordinate", &points),
    ///     panels: vec![panel],
    ///     ..Report::default()
    /// };
    /// assert_eq!(report.figure()?.svg().matches("<circle").count(), 6);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn figure(&self) -> Result<Figure> {
        self.check_parts()?;
        let labels = self.labels.or_else(|| self.input.and_then(Points::labels));
        let colors = match (self.colorings.first(), labels) {
            (Some(coloring), _) => Colors::Values(&coloring.values),
            (None, Some(labels)) => Colors::Labels(labels),
            (None, None) => Colors::Distortion,
        };
        let mut figure = match (&colors, self.colorings.first()) {
            (Colors::Distortion, _) => Figure::new(&self.title).with_colors(ColorScale::Log, "R_N of each point"),
            (_, Some(coloring)) => Figure::new(&self.title).with_colors(ColorScale::Linear, &coloring.name),
            (_, None) => Figure::new(&self.title),
        };
        if let Some(input) = self.input.filter(|input| input.dim() <= 3) {
            let torn = self.panels.iter().filter(|panel| panel.rows.is_none()).find_map(|panel| panel.seam);
            figure = figure.with(sewn(colored(Scatter::new("the data", input), &colors, None, None)?, torn)?);
        }
        for panel in &self.panels {
            let scatter = Scatter::new(&panel.title, panel.points).with_caption(&panel.caption);
            // Beside a seam its own colors matter, and distortion is large there for all to see.
            let distortion = panel.distortion.filter(|_| panel.seam.is_none());
            figure = figure.with(sewn(colored(scatter, &colors, panel.rows, distortion)?, panel.seam)?);
        }
        Ok(self.charts.iter().fold(figure, |figure, chart| figure.with(curves(chart))))
    }
}

/// A panel with its seam, where it was torn.
fn sewn(scatter: Scatter, tear: Option<&Tear>) -> Result<Scatter> {
    match tear {
        Some(tear) => scatter.with_seam(tear),
        None => Ok(scatter),
    }
}

/// A panel in its colors; `rows` are the input rows of its points.
fn colored(scatter: Scatter, colors: &Colors<'_>, rows: Option<&[u32]>, distortion: Option<&[f64]>) -> Result<Scatter> {
    match (colors, rows, distortion) {
        (Colors::Values(values), None, _) => scatter.with_values(values),
        (Colors::Values(values), Some(rows), _) => {
            scatter.with_values(&rows.iter().map(|&row| values[row as usize]).collect::<Vec<_>>())
        }
        (Colors::Labels(labels), None, _) => scatter.with_labels(labels),
        (Colors::Labels(labels), Some(rows), _) => {
            scatter.with_labels(&rows.iter().map(|&row| labels[row as usize].as_str()).collect::<Vec<_>>())
        }
        (Colors::Distortion, _, Some(values)) => scatter.with_values(values),
        (Colors::Distortion, _, None) => Ok(scatter),
    }
}

fn curves(chart: &Chart) -> Curves {
    let mut curves = Curves::new(&chart.title, &chart.x.title, &chart.y.title);
    if chart.x.log {
        curves = curves.with_log_x();
    }
    if chart.y.log {
        curves = curves.with_log_y();
    }
    for series in &chart.series {
        let mut curve = Curve::new(&series.name, &series.points);
        if let Some(place) = series.marked {
            curve = curve.marked(place);
        }
        curves = curves.with(if series.dashed { curve.dashed() } else { curve });
    }
    curves
}
