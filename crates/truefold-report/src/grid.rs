//! A report as one figure: a grid of its data, its embeddings and its charts.

use crate::figure::{ColorScale, Curve, Curves, Figure, Scatter};
use crate::{Chart, Panel, Report};
use std::borrow::Cow;
use truefold::{Points, Result, Tear};

/// What the points of a figure are colored by.
enum Colors<'a> {
    /// The first coloring, such as a true coordinate.
    Values(&'a [f64]),
    /// The labels.
    Labels(&'a [String]),
    /// The first channel of the embeddings.
    Channel(Shades),
}

/// How a channel is seen in a figure.
struct Shades {
    name: String,
    /// As shares of the way from the best value to that of chance, where both are known of all.
    is_share: bool,
}

impl Shades {
    fn new(panels: &[Panel<'_>]) -> Self {
        let name = panels.iter().find_map(|panel| Some(panel.channels.first()?.name.clone())).unwrap_or_default();
        let mut all = panels.iter().flat_map(|panel| &panel.channels).filter(|channel| channel.name == name);
        Self { is_share: all.all(|channel| channel.ends().is_some()), name }
    }

    fn values<'a>(&self, panel: &'a Panel<'_>) -> Option<Cow<'a, [f64]>> {
        let channel = panel.channels.iter().find(|channel| channel.name == self.name)?;
        let Some((best, chance)) = channel.ends().filter(|_| self.is_share) else {
            return Some(Cow::Borrowed(&channel.values));
        };
        let share = |value: &f64| ((value - best) / (chance - best)).clamp(0.0, 1.0);
        Some(channel.values.iter().map(share).collect())
    }

    /// A figure with these colors.
    fn color(&self, figure: Figure) -> Figure {
        match self.is_share {
            true => {
                let label = format!("{} of each point, 0 the best possible and 1 chance", self.name);
                figure.with_colors(ColorScale::Linear, label)
            }
            false => figure.with_colors(ColorScale::Log, format!("{} of each point", self.name)),
        }
    }
}

impl Report<'_> {
    /// The data (where they have at most three coordinates), the embeddings and the charts as one figure.
    ///
    /// Points have the color of the first coloring, or else of their label, or else of their first channel; both sides
    /// of a tear those of their places along the seam.
    ///
    /// ```
    /// use truefold::Points;
    /// use truefold_report::{Coloring, Panel, Report};
    ///
    /// let points = Points::from_rows(&[[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]])?;
    /// let report = Report {
    ///     input: Some(&points),
    ///     colorings: Coloring::of_coordinates("true coordinate", &points),
    ///     panels: vec![Panel::new("some", &points)],
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
            (None, None) => Colors::Channel(Shades::new(&self.panels)),
        };
        let mut figure = match (&colors, self.colorings.first()) {
            (Colors::Channel(shades), _) => shades.color(Figure::new(&self.title)),
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
            let own = Some(panel).filter(|panel| panel.seam.is_none());
            let scatter = sewn(colored(scatter, &colors, panel.rows, own)?, panel.seam)?;
            figure = figure.with(match &panel.ellipses {
                Some(ellipses) => scatter.with_ellipses(ellipses)?,
                None => scatter,
            });
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

/// A panel in its colors; `rows` are the input rows of its points, `own` is where its channels are.
fn colored(scatter: Scatter, colors: &Colors<'_>, rows: Option<&[u32]>, own: Option<&Panel<'_>>) -> Result<Scatter> {
    match (colors, rows, own) {
        (Colors::Values(values), None, _) => scatter.with_values(values),
        (Colors::Values(values), Some(rows), _) => {
            scatter.with_values(&rows.iter().map(|&row| values[row as usize]).collect::<Vec<_>>())
        }
        (Colors::Labels(labels), None, _) => scatter.with_labels(labels),
        (Colors::Labels(labels), Some(rows), _) => {
            scatter.with_labels(&rows.iter().map(|&row| labels[row as usize].as_str()).collect::<Vec<_>>())
        }
        (Colors::Channel(shades), _, Some(panel)) => match shades.values(panel) {
            Some(values) => scatter.with_values(&values),
            None => Ok(scatter),
        },
        (Colors::Channel(_), _, None) => Ok(scatter),
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
        let mut curve = Curve::new(&series.name, &series.points).with_band(&series.band);
        if let Some(place) = series.marked {
            curve = curve.marked(place);
        }
        curves = curves.with(if series.dashed { curve.dashed() } else { curve });
    }
    curves
}
