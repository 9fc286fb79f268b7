//! The faithful map from neighbors alone to shapes alone, beside other maps: `front MAPS.json FIGURE.png`.
//!
//! The picture of `docs/methods.md`, drawn from the numbers of `cargo xtask bench maps`.

use serde_json::Value;
use std::error::Error;
use truefold_report::figure::{self, Curve, Curves, Figure};

/// The default of the faithful map.
const CHOSEN: &str = "faithful shape=0.4";

/// The neighbors and the shape that a map keeps.
fn place(map: &Value) -> Option<(f64, f64)> {
    let measures = &map["measures"];
    Some((measures["overlap"].as_f64()?, measures["r_c"].as_f64()?))
}

fn panel(data: &Value) -> Option<Curves> {
    let name = |map: &Value| map["map"].as_str().unwrap_or_default().to_owned();
    let maps = data["maps"].as_array()?;
    let (front, others): (Vec<&Value>, Vec<&Value>) = maps.iter().partition(|map| name(map).starts_with("faithful"));
    let places: Vec<(f64, f64)> = front.iter().map(|map| place(map)).collect::<Option<_>>()?;
    let chosen = front.iter().position(|map| name(map) == CHOSEN)?;
    let curve = Curve::new("faithful, shape 0 to 1", &places).marked(chosen);
    let panel = Curves::new(data["data"].as_str()?, "overlap of neighbors", "R_C").with(curve);
    Some(others.iter().fold(panel, |panel, map| match place(map) {
        Some(at) => panel.with(Curve::new(name(map), &[at])),
        None => panel,
    }))
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [numbers, path] = words.as_slice() else { return Err("usage: front MAPS.json FIGURE.png".into()) };
    figure::check_path(path)?;
    let numbers: Value = serde_json::from_slice(&std::fs::read(numbers)?)?;
    let sets = numbers["front"].as_array().ok_or("the file has no front: it is written by cargo xtask bench maps")?;
    let figure = Figure::new("Neighbors kept against shape kept")
        .with_subtitle("right: more neighbors; down: more shape; the default is marked")
        .with_columns(3)
        .with_panel_size(310.0, 230.0);
    sets.iter().filter_map(panel).fold(figure, Figure::with).write(path)?;
    Ok(())
}
