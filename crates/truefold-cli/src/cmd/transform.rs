//! `truefold transform`: new points into an embedding that was saved, each with a confidence.

use super::{print, print_json};
use crate::args::{Format, TransformArgs};
use crate::judgment::check_per_point;
use crate::plan;
use crate::table::{count, counted, number};
use serde_json::json;
use std::path::Path;
use std::time::Instant;
use truefold::{Error, Model, Points, Run, Transformed, io};
use truefold_report::figure::{self, ColorScale, Figure, Scatter};

/// Points of less confidence are told of.
const LITTLE: f64 = 0.1;

pub(crate) fn execute(args: &TransformArgs, run: Run) -> anyhow::Result<()> {
    let options = plan::read_options(&args.read)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.x, &args.model])?;
    if let Some(path) = &args.confidence {
        check_per_point(path)?;
        plan::check_different(path, &[&args.x, &args.model, &args.output])?;
    }
    if let Some(path) = &args.figure {
        figure::check_path(path)?;
        plan::check_different(path, &[&args.x, &args.model, &args.output])?;
    }
    let lap = Instant::now();
    let model = Model::load(&args.model, &run)?;
    let points = plan::table(&args.x, &options)?;
    let read = lap.elapsed().as_secs_f64();
    let lap = Instant::now();
    let placed = model.transform(&points, &run)?;
    let seconds = lap.elapsed().as_secs_f64();
    let lap = Instant::now();
    io::write(&args.output, &placed.points)?;
    if let Some(path) = &args.confidence {
        write_confidence(path, &points, &placed)?;
    }
    if let Some(path) = &args.figure {
        draw(&model, &placed)?.write(path)?;
    }
    let write = lap.elapsed().as_secs_f64();
    let quantiles = quantiles(&placed.confidence);
    let little = placed.confidence.iter().filter(|&&confidence| confidence < LITTLE).count();
    let origin = model.origin();
    match args.shown.format {
        Format::Table => {
            print(&format!(
                "{} placed in {} by a model of {} fitted with {}",
                counted(points.len(), "point", "points"),
                counted(placed.points.dim(), "dimension", "dimensions"),
                counted(model.points().len(), "point", "points"),
                origin.method
            ))?;
            let [least, low, middle, high, most] = quantiles.map(number);
            print(&format!(
                "Confidence: median {middle}, half between {low} and {high}, all between {least} and {most}."
            ))?;
            if little > 0 {
                print(&format!(
                    "Note: {} below {LITTLE}: far from all fitted points, off their surface, or where the map is torn.",
                    if little == 1 { "1 point is".to_owned() } else { format!("{} points are", count(little)) }
                ))?;
            }
            print(&format!("Written to {}", args.output.display()))
        }
        Format::Json => print_json(&json!({
            "points": points.len(),
            "input_dim": points.dim(),
            "output_dim": placed.points.dim(),
            "model": {
                "points": model.points().len(),
                "metric": model.metric().name(),
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
                "below_0.1": little,
            },
            "seconds": {"read": read, "transform": seconds, "write": write, "total": read + seconds + write},
        })),
    }
}

/// The least value, the quartiles and the greatest.
fn quantiles(values: &[f64]) -> [f64; 5] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    [0, 1, 2, 3, 4].map(|quarter| sorted[quarter * (sorted.len() - 1) / 4])
}

/// The model's points beside the new ones, which have the color of their confidence.
fn draw(model: &Model, placed: &Transformed) -> Result<Figure, Error> {
    let embedding = model.embedding();
    // Gray: their places were not inferred.
    let fitted = Scatter::new(counted(embedding.len(), "fitted point", "fitted points"), embedding)
        .with_values(&vec![f64::NAN; embedding.len()])?;
    let new = Scatter::new(counted(placed.points.len(), "new point", "new points"), &placed.points)
        .with_values(&placed.confidence)?;
    Ok(Figure::new("").with_colors(ColorScale::Linear, "confidence").with(fitted).with(new))
}

/// One line per point: its id or row, its confidence, and the parts of it.
fn write_confidence(path: &Path, points: &Points, placed: &Transformed) -> Result<(), Error> {
    let separator = check_per_point(path)?;
    let ids = points.ids();
    io::atomic(path, |out| {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        let first = if ids.is_some() { "id" } else { "row" };
        writer.write_record([first, "confidence", "distance", "off_tangent", "disagreement", "misfit"])?;
        for row in 0..points.len() {
            let name = ids.map_or_else(|| (row + 1).to_string(), |ids| ids[row].clone());
            let parts =
                [&placed.confidence, &placed.distance, &placed.off_tangent, &placed.disagreement, &placed.misfit];
            writer.write_field(name)?;
            writer.write_record(parts.map(|values| values[row].to_string()))?;
        }
        writer.flush()
    })
}
