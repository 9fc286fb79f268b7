//! `truefold denoise`: points moved onto the surface around which they scatter.

use super::{print, print_json};
use crate::args::{Amount, DenoiseArgs, Format};
use crate::plan;
use crate::session::Session;
use serde_json::json;
use std::time::Instant;
use truefold::{Denoise, Suggest, io};
use truefold_report::words::{dimensions, number, points as points_in_words};

pub(crate) fn execute(args: &DenoiseArgs, session: &Session) -> anyhow::Result<()> {
    let options = plan::read_options(&args.read)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.data.x])?;
    let points = plan::table(&args.data.x, &options)?;
    let run = session.on(args.on)?;
    let lap = Instant::now();
    let dim = match args.dim {
        Amount::Number(dim) => dim,
        Amount::Auto => Suggest::default().run(&points, &run)?.dim,
    };
    let neighbors = match args.tangent_k {
        Amount::Number(neighbors) => Some(neighbors),
        Amount::Auto => None,
    };
    let denoised = Denoise { dim, neighbors, rounds: args.rounds }.run(&points, &run)?;
    let seconds = lap.elapsed().as_secs_f64();
    io::write(&args.output, &denoised.points)?;
    match args.shown.format {
        Format::Table => print(&format!(
            "{} moved onto {} by {} (root mean square): noise of about {} in each direction off the surface\n\
             {} neighbors, {}; written to {}",
            points_in_words(points.len()),
            dimensions(dim),
            number(denoised.moved),
            number(denoised.noise),
            denoised.neighbors,
            denoised.neighbors_reason,
            args.output.display()
        )),
        Format::Json => {
            let mut told = json!(denoised);
            told["points"] = json!(points.len());
            told["dim"] = json!(dim);
            told["seconds"] = json!(seconds);
            print_json(&told)
        }
    }
}
