//! What drift costs greedy Procrustes: Swiss rolls of growing size, before and after refinement.
//!
//! `cargo run --release -p truefold --example gp -- 1000000` prints a table from 1,000 points up to the given number
//! (100,000 where none is): seconds per stage, R_N over the least possible, and how far the map is from the true one.

#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use std::time::Instant;
use truefold::dataset::{self, Request};
use truefold::embed::{Gp, Refinement};
use truefold::{Neighborhoods, Pieces, Points, Problem, Result, Run, fit, local, measure};

const K: usize = 12;

fn main() -> Result<()> {
    let most = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let run = Run::new();
    println!("points     refine  R_N        / bound  error      steps  seconds by stage");
    for points in (3..).map(|power| 10_usize.pow(power)).take_while(|&points| points <= most) {
        let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(points))?;
        let begun = Instant::now();
        let neighborhoods = Neighborhoods::nearest(&roll.points, K, &run)?;
        let search = begun.elapsed().as_secs_f64();
        let problem = Problem::new(&roll.points, &neighborhoods, 2)?;
        for refine in [Refinement::None, Refinement::RN] {
            let embedding = fit(&Gp { refine, ..Gp::default() }, &problem, Pieces::SideBySide, &run)?;
            let scores = measure::evaluate(&roll.points, &embedding.points, &neighborhoods, &["r_n"])?;
            let mut stages = format!("neighbors {search:.2}");
            for stage in &embedding.info.stages {
                stages += &format!(", {} {:.2}", stage.stage, stage.seconds);
            }
            let steps = embedding.info.traces.first().map_or(0, |trace| trace.values.len() - 1);
            println!(
                "{points:<10} {:<7} {:<10.3e} {:<8.4} {:<10.2e} {steps:<6} {stages}",
                if steps > 0 { "r-n" } else { "none" },
                scores[0].value,
                scores[0].times_bound().unwrap_or(f64::NAN),
                error(&roll.truth, &embedding.points)?,
            );
        }
    }
    Ok(())
}

/// The distance of `map` from the truth after the best rigid motion, over the extent of the truth.
fn error(truth: &Points, map: &Points) -> Result<f64> {
    let extent: f64 = (0..truth.dim())
        .map(|column| {
            let mean = truth.rows().map(|row| row[column]).sum::<f64>() / truth.len() as f64;
            truth.rows().map(|row| (row[column] - mean).powi(2)).sum::<f64>()
        })
        .sum();
    Ok((local::procrustes(truth, map)?.residual / extent).sqrt())
}
