//! How far confidences can be relied on: `cargo run --release --example reliability -- X.npy Y.npy PLACED`.
//!
//! Y is a map of all rows of X. A model of all but the last PLACED rows places those, and each place is compared with the one
//! in Y: it is right if it is no farther from there than half of the point's 12 neighbors are in the map. Prints, as JSON, for
//! each row its confidence and whether it is right.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use truefold::io::{self, ReadOptions};
use truefold::{Error, Model, Points, Result, Run, Search};

const NEIGHBORS: usize = 12;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let usage = || Error::data("three words are needed", "give X.npy, Y.npy and the number of rows to place");
    let [x, y, placed] = words.as_slice() else { return Err(usage()) };
    let (x, y) = (io::read(x, &ReadOptions::default())?, io::read(y, &ReadOptions::default())?);
    let placed: usize = placed.parse().map_err(|_| usage())?;
    let fitted = x.len().checked_sub(placed).ok_or_else(usage)?;
    let rows = |points: &Points, from: usize, to: usize| points.select(&(from as u32..to as u32).collect::<Vec<_>>());
    let run = Run::new();
    let old = rows(&x, 0, fitted);
    let lists = Search::nearest(NEIGHBORS).run(&old, &run)?;
    let model = Model::of(&old, &rows(&y, 0, fitted), &lists, &run)?;
    let places = model.transform(&rows(&x, fitted, x.len()), &run)?;
    let near = Search::nearest(NEIGHBORS).run(&x, &run)?;
    let is_right: Vec<bool> = (0..placed)
        .map(|row| {
            let own = fitted + row;
            let mut spread: Vec<f64> =
                near.neighbors(own).iter().map(|&other| apart(y.row(own), y.row(other as usize))).collect();
            spread.sort_by(f64::total_cmp);
            apart(places.points.row(row), y.row(own)) <= spread[(NEIGHBORS - 1) / 2]
        })
        .collect();
    println!("{{\"confidence\": {:?}, \"right\": {is_right:?}}}", places.confidence);
    Ok(())
}

/// The squared distance.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
