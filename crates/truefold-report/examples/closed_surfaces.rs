//! Closed surfaces before and after `psa` tore them, in the colors of their seams: `closed_surfaces FIGURE.png`.
//!
//! The picture of `docs/closed.md`.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

use std::error::Error;
use truefold::embed::Psa;
use truefold::{Embedding, Neighborhoods, Pieces, Problem, Run, dataset, fit, measure};
use truefold_report::figure::{self, Figure, Scatter, View};

/// Name, titles of the data and of the map, points, and from where the data are looked at.
const SURFACES: [(&str, [&str; 2], usize, View); 3] = [
    (
        "flat-torus",
        ["flat torus, three of four coordinates", "its map: opposite sides belong together"],
        3000,
        View { turn: 25.0, raise: 30.0 },
    ),
    (
        "moebius",
        ["Moebius strip", "its map: the ends belong together upside down"],
        2000,
        View { turn: -60.0, raise: 35.0 },
    ),
    ("sphere", ["sphere", "its map: the sides of each gap belong together"], 2000, View { turn: 20.0, raise: 20.0 }),
];

/// The torn share in percent, and R_N on what is left beside its bound.
fn caption(points: &truefold::Points, embedding: &Embedding, whole: &Neighborhoods) -> truefold::Result<String> {
    let Some(tear) = &embedding.tear else { return Ok("not torn".to_owned()) };
    let score = measure::evaluate(points, &embedding.points, &tear.rest(whole), &["r_n"])?.remove(0);
    let (share, bound) = (100.0 * tear.share(), score.lower_bound.unwrap_or(0.0));
    Ok(format!("torn {share:.1} %; R_N left {:.4}, bound {bound:.4}", score.value))
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path] = words.as_slice() else { return Err("usage: closed_surfaces FIGURE.png".into()) };
    figure::check_path(path)?;
    let run = Run::new();
    let mut figure =
        Figure::new("Closed surfaces, torn so that the rest lies flat").with_columns(3).with_panel_size(310.0, 230.0);
    let mut maps = Vec::new();
    for (name, [title, map_title], points, view) in SURFACES {
        let sample = dataset::find(name)?.sample(&dataset::Request::new().with_points(points))?;
        let whole = Neighborhoods::nearest(&sample.points, 12, &run)?;
        let embedding = fit(&Psa::default(), &Problem::new(&sample.points, &whole, 2)?, Pieces::Error, &run)?;
        let caption = caption(&sample.points, &embedding, &whole)?;
        println!("{name} {points}: {caption}");
        let mut data = Scatter::new(title, &sample.points).with_view(view);
        let mut map = Scatter::new(map_title, &embedding.points).with_caption(caption);
        if let Some(tear) = &embedding.tear {
            (data, map) = (data.with_seam(tear)?, map.with_seam(tear)?);
        }
        figure = figure.with(data);
        maps.push(map);
    }
    maps.into_iter().fold(figure, Figure::with).write(path)?;
    Ok(())
}
