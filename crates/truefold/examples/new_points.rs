//! Fits an embedding, keeps it as a model, and places new points: `cargo run --release --example new_points`.
#![allow(clippy::print_stdout, reason = "an example that prints what it found")]

use truefold::dataset::{self, Request};
use truefold::{Method, Model, Run};

fn main() -> truefold::Result<()> {
    let curve = dataset::find("s-curve")?;
    let fitted = curve.sample(&Request::new().with_points(1000))?.points;
    let new = curve.sample(&Request::new().with_points(5).with_seed(1))?.points;
    let judged = Method::new("psa", &[])?.embed(&fitted, 12, 2)?;
    let model = Model::new(&fitted, &judged.embedding, &judged.neighborhoods, &Run::new())?;
    let placed = model.transform(&new, &Run::new())?;
    for (row, confidence) in placed.points.rows().zip(&placed.confidence) {
        println!("({:.3}, {:.3}) with confidence {confidence:.2}", row[0], row[1]);
    }
    Ok(())
}
