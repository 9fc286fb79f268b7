//! `truefold suggest`: what the data call for, with the reasons.

use super::{print, print_json};
use crate::args::{Format, SuggestArgs};
use crate::judgment::check_per_point;
use crate::plan;
use crate::table::{count, counted, number, table};
use std::path::Path;
use truefold::embed::Pca;
use truefold::suggest::Local;
use truefold::{Error, Points, Run, Suggest, Suggestion, io};
use truefold_report::figure::{self, ColorScale, Figure, Scatter};

pub(crate) fn execute(args: &SuggestArgs, run: Run) -> anyhow::Result<()> {
    let options = plan::read_options(&args.read)?;
    let suggest = Suggest { metric: args.metric.parse()?, sample: args.sample };
    if args.sample == 0 {
        return Err(Error::parameter("sample", 0, "leaves nothing to look at", "choose 1 or more").into());
    }
    if let Some(path) = &args.per_point {
        check_per_point(path)?;
        plan::check_different(path, &[&args.data.x])?;
    }
    if let Some(path) = &args.figure {
        figure::check_path(path)?;
        plan::check_different(path, &[&args.data.x])?;
    }
    let points = plan::table(&args.data.x, &options)?;
    let suggestion = suggest.run(&points, &run)?;
    if args.per_point.is_some() || args.figure.is_some() {
        let local = suggest.local(&points, &suggestion, &run)?;
        if let Some(path) = &args.per_point {
            write_local(path, &points, &local)?;
        }
        if let Some(path) = &args.figure {
            draw(&points, &local, suggestion.dim, &run)?.write(path)?;
        }
    }
    match args.format {
        Format::Table => print(&text(&suggestion)),
        Format::Json => print_json(&serde_json::to_value(&suggestion)?),
    }
}

/// The suggestion for people.
fn text(found: &Suggestion) -> String {
    let looked = match found.sample {
        all if all == found.points => String::new(),
        some => format!("; {} looked at closely", counted(some, "point", "points")),
    };
    let mut lines = vec![
        format!(
            "{} in {}{looked}",
            counted(found.points, "point", "points"),
            counted(found.input_dim, "dimension", "dimensions")
        ),
        String::new(),
        table(
            &["suggested", "", "why"],
            &[false, true, false],
            vec![
                vec!["--dim".into(), found.dim.to_string(), found.dim_reason.to_string()],
                vec!["--k".into(), found.k.to_string(), found.k_reason.to_string()],
                vec!["tangent k".into(), found.tangent_k.to_string(), found.tangent_k_reason.to_string()],
            ],
        ),
        String::new(),
        table(
            &["dimension by", "estimate", "interval"],
            &[false, true, false],
            found
                .estimates
                .iter()
                .map(|one| {
                    let interval = format!("{} to {}", number(one.low), number(one.high));
                    vec![one.name.replace('-', " "), number(one.value), interval]
                })
                .collect(),
        ),
        String::new(),
    ];
    lines.extend(surface(found));
    lines.join("\n")
}

/// What the surface is like, in sentences.
fn surface(found: &Suggestion) -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(match (found.graph.components, found.graph.connected_from) {
        (1, Some(least)) => {
            format!("The graph hangs together from {} on.", counted(least, "neighbor", "neighbors"))
        }
        (pieces, Some(least)) => {
            format!("The graph has {pieces} pieces; with {} it has one.", counted(least, "neighbor", "neighbors"))
        }
        (pieces, None) => format!(
            "The graph has {} pieces, and more than one up to {} neighbors.",
            count(pieces),
            found.graph.tried_to
        ),
    });
    if found.graph.approximate {
        lines.push("Neighbors were searched approximately; the pieces may be fewer.".into());
    }
    let shape = &found.surface;
    lines.push(if shape.noise > 0.0 {
        format!(
            "Noise off the surface is about {} in each coordinate, {:.0} % of the radius of a neighborhood.",
            number(shape.noise),
            100.0 * shape.relative_noise
        )
    } else {
        "No noise off the surface was found.".into()
    });
    lines.push(match shape.curvature_radius {
        Some(radius) => format!(
            "The surface bends like a circle of radius {}, {:.1} times that of a neighborhood.",
            number(radius),
            radius / shape.neighborhood_radius
        ),
        None => "The surface is flat.".into(),
    });
    let share = format!("{:.1} % of the points have their neighbors to one side", 100.0 * found.edge.share);
    lines.push(if found.edge.closed {
        format!("No edge was found ({share}): a flat map of a closed surface must tear it.")
    } else {
        format!("The surface has an edge: {share}.")
    });
    if found.copies > 0 {
        let copies =
            counted(found.copies, "point is a copy of another and was", "points are copies of others and were");
        lines.push(format!("Note: {copies} left out."));
    }
    lines
}

/// The points as a person can see them, each in the color of the dimension found there.
fn draw(points: &Points, local: &Local, dim: usize, run: &Run) -> Result<Figure, Error> {
    let seen = points.select(&local.rows);
    let (seen, view) = match points.dim() {
        1..=3 => (seen, "as they are".to_owned()),
        dim => (Pca::project(&seen, seen.len().min(3), run)?, format!("the first principal coordinates of {dim}")),
    };
    // A few points that know little would leave no colors for the others.
    let most = 2 * dim;
    let dimension: Vec<f64> = local.dimension.iter().map(|own| own.min(most as f64)).collect();
    let panel = Scatter::new("dimension at each point", &seen).with_values(&dimension)?.with_caption(view);
    let label = format!("dimension; {most} stands for more too");
    Ok(Figure::new("").with_panel_size(480.0, 360.0).with_colors(ColorScale::Linear, label).with(panel))
}

/// One line per point that is no copy of another.
fn write_local(path: &Path, points: &Points, local: &Local) -> Result<(), Error> {
    let separator = check_per_point(path)?;
    let ids = points.ids();
    io::atomic(path, |out| {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        let first = if ids.is_some() { "id" } else { "row" };
        writer.write_record([first, "dimension", "radius", "off_tangent", "sidedness"])?;
        for (at, &row) in local.rows.iter().enumerate() {
            let name = ids.map_or_else(|| (row + 1).to_string(), |ids| ids[row as usize].clone());
            let values = [&local.dimension, &local.radius, &local.off_tangent, &local.sidedness];
            writer.write_field(name)?;
            writer.write_record(values.map(|values| values[at].to_string()))?;
        }
        writer.flush()
    })
}
