//! `truefold transform`: new points into an embedding that was saved, each with a confidence.

use super::{print, print_json};
use crate::args::{Format, TransformArgs};
use crate::session::{Clock, Session};
use crate::{plan, tables};
use serde_json::json;
use std::path::Path;
use truefold::io::ReadOptions;
use truefold::{Error, Model, Points, Run, Transformed, io};
use truefold_report::figure::{self, ColorScale, Figure, Scatter};
use truefold_report::words::{counted, dimensions, number, points as points_in_words};

/// Points of less confidence are told of.
const LITTLE: f64 = 0.1;

pub(crate) fn execute(args: &TransformArgs, session: &Session) -> anyhow::Result<()> {
    let options = check(args)?;
    let mut clock = Clock::start();
    let placed = Placed::new(args, &options, &mut clock, &session.run)?;
    placed.write(args)?;
    clock.lap("write");
    match args.shown.format {
        Format::Table => print(&placed.text(&args.output)),
        Format::Json => print_json(&placed.json(&clock)),
    }
}

/// Everything that can be wrong before anything that takes long; how the points are read.
fn check(args: &TransformArgs) -> Result<ReadOptions, Error> {
    let options = plan::read_options(&args.read)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.x, &args.model])?;
    if let Some(path) = &args.confidence {
        tables::check_per_point(path)?;
        plan::check_different(path, &[&args.x, &args.model, &args.output])?;
    }
    if let Some(path) = &args.figure {
        figure::check_path(path)?;
        let mut others = plan::given(&[&args.confidence]);
        others.extend([args.x.as_path(), &args.model, &args.output]);
        plan::check_different(path, &others)?;
    }
    Ok(options)
}

/// New points and their places.
struct Placed {
    model: Model,
    points: Points,
    places: Transformed,
}

impl Placed {
    fn new(args: &TransformArgs, options: &ReadOptions, clock: &mut Clock, run: &Run) -> Result<Self, Error> {
        let model = Model::load(&args.model, run)?;
        let points = plan::table(&args.x, options)?;
        clock.lap("read");
        let places = model.transform(&points, run)?;
        clock.lap("transform");
        Ok(Self { model, points, places })
    }

    fn write(&self, args: &TransformArgs) -> Result<(), Error> {
        io::write(&args.output, &self.places.points)?;
        if let Some(path) = &args.confidence {
            self.write_confidence(path)?;
        }
        match &args.figure {
            Some(path) => self.draw()?.write(path),
            None => Ok(()),
        }
    }

    /// One line per point: its id or row, its confidence, and what that is judged by.
    fn write_confidence(&self, path: &Path) -> Result<(), Error> {
        let places = &self.places;
        let columns = [
            ("confidence", &places.confidence),
            ("distance", &places.distance),
            ("off_tangent", &places.off_tangent),
            ("disagreement", &places.disagreement),
            ("misfit", &places.misfit),
            ("support", &places.support),
        ];
        let columns = columns.map(|(name, values)| (name.to_owned(), values.as_slice()));
        let rows: Vec<u32> = (0..self.points.len() as u32).collect();
        tables::write_per_point(path, self.points.ids(), &[], &rows, &columns)
    }

    /// The model's points beside the new ones, which have the color of their confidence.
    fn draw(&self) -> Result<Figure, Error> {
        let embedding = self.model.embedding();
        // Gray, as they have no confidence.
        let fitted = Scatter::new(counted(embedding.len(), "fitted point", "fitted points"), embedding)
            .with_values(&vec![f64::NAN; embedding.len()])?;
        let new = Scatter::new(counted(self.points.len(), "new point", "new points"), &self.places.points)
            .with_values(&self.places.confidence)?;
        Ok(Figure::new("").with_colors(ColorScale::Linear, "confidence").with(fitted).with(new))
    }

    /// The number of points of little confidence.
    fn little(&self) -> usize {
        self.places.confidence.iter().filter(|&&confidence| confidence < LITTLE).count()
    }

    fn text(&self, output: &Path) -> String {
        let [least, low, middle, high, most] = quantiles(&self.places.confidence).map(number);
        let mut lines = vec![
            format!(
                "{} placed in {} by a model of {} fitted with {}",
                points_in_words(self.points.len()),
                dimensions(self.places.points.dim()),
                points_in_words(self.model.points().len()),
                self.model.origin().method
            ),
            format!("Confidence: median {middle}, half between {low} and {high}, all between {least} and {most}."),
        ];
        if self.little() > 0 {
            lines.push(format!(
                "Note: {} below {LITTLE}: far from all fitted points, off their surface, or where the map is torn.",
                counted(self.little(), "point is", "points are")
            ));
        }
        lines.push(format!("Written to {}", output.display()));
        lines.join("\n")
    }

    fn json(&self, clock: &Clock) -> serde_json::Value {
        let (origin, quantiles) = (self.model.origin(), quantiles(&self.places.confidence));
        json!({
            "points": self.points.len(),
            "input_dim": self.points.dim(),
            "output_dim": self.places.points.dim(),
            "model": {
                "points": self.model.points().len(),
                "metric": self.model.metric().name(),
                "method": origin.method,
                "parameters": origin.parameters,
                "seed": origin.seed,
            },
            "confidence": {
                "least": quantiles[0],
                "quarter": quantiles[1],
                "median": quantiles[2],
                "three_quarters": quantiles[3],
                "most": quantiles[4],
                "below_0.1": self.little(),
            },
            "seconds": clock.json(std::iter::empty()),
        })
    }
}

/// The least value, the quartiles and the greatest.
fn quantiles(values: &[f64]) -> [f64; 5] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    [0, 1, 2, 3, 4].map(|quarter| sorted[quarter * (sorted.len() - 1) / 4])
}
