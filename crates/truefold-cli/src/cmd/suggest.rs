//! `truefold suggest`: the methods and the numbers that suit the data, with the reasons.

use super::{print, print_json};
use crate::args::{Format, SuggestArgs};
use crate::session::Session;
use crate::vocabulary::Flags;
use crate::{plan, tables};
use std::path::Path;
use truefold::embed::Pca;
use truefold::error::{Advice, Bound};
use truefold::suggest::Local;
use truefold::{Error, Points, Run, Suggest};
use truefold_report::figure::{self, ColorScale, Figure, Scatter};
use truefold_report::words::{self, Voice};

pub(crate) fn execute(args: &SuggestArgs, session: &Session) -> anyhow::Result<()> {
    let options = plan::read_options(&args.read)?;
    let suggest = Suggest { metric: args.metric.parse()?, sample: args.sample, map_dim: args.dim };
    if args.sample == 0 {
        return Err(Error::parameter("sample", 0, Bound::AtLeast(1.0), Advice::change("sample", "choose more")).into());
    }
    if let Some(path) = &args.per_point {
        tables::check_per_point(path)?;
        plan::check_different(path, &[&args.data.x])?;
    }
    if let Some(path) = &args.figure {
        figure::check_path(path)?;
        let mut others = plan::given(&[&args.per_point]);
        others.push(&args.data.x);
        plan::check_different(path, &others)?;
    }
    let run = &session.on(args.on)?;
    let points = plan::table(&args.data.x, &options)?;
    let suggestion = suggest.run(&points, run)?;
    if args.per_point.is_some() || args.figure.is_some() {
        let local = suggest.local(&points, &suggestion, run)?;
        if let Some(path) = &args.per_point {
            write_local(path, &points, &local)?;
        }
        if let Some(path) = &args.figure {
            draw(&points, &local, suggestion.dim, run)?.write(path)?;
        }
    }
    match args.format {
        Format::Table => {
            // The suggested numbers are options of `embed`.
            let options = Flags::of(Some("embed"));
            let voice = Voice { vocabulary: &options, ..session.voice() };
            print(&words::suggestion(&suggestion, &voice).text(&voice))
        }
        Format::Json => print_json(&serde_json::to_value(&suggestion)?),
    }
}

/// The points as a person can see them, each in the color of the dimension found there.
fn draw(points: &Points, local: &Local, dim: usize, run: &Run) -> Result<Figure, Error> {
    let seen = points.select(&local.rows);
    let (seen, view) = match points.dim() {
        1..=3 => (seen, "as they are".to_owned()),
        dim => (Pca::project(&seen, seen.len().min(3), run)?, format!("the first principal coordinates of {dim}")),
    };
    // A few large values would leave no colors for the others.
    let most = 2 * dim;
    let dimension: Vec<f64> = local.dimension.iter().map(|own| own.min(most as f64)).collect();
    let panel = Scatter::new("dimension at each point", &seen).with_values(&dimension)?.with_caption(view);
    let label = format!("dimension; {most} stands for more too");
    Ok(Figure::new("").with_panel_size(480.0, 360.0).with_colors(ColorScale::Linear, label).with(panel))
}

/// One line per point that is not a copy of another.
fn write_local(path: &Path, points: &Points, local: &Local) -> Result<(), Error> {
    let columns = [
        ("dimension", &local.dimension),
        ("radius", &local.radius),
        ("off_tangent", &local.off_tangent),
        ("sidedness", &local.sidedness),
    ];
    let columns = columns.map(|(name, values)| (name.to_owned(), values.as_slice()));
    tables::write_per_point(path, points.ids(), &[], &local.rows, &columns)
}
