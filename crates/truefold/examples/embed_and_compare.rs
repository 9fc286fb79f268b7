//! Embeds a swiss roll by several methods and names the best: `cargo run --release --example embed_and_compare`.
#![allow(clippy::print_stdout, reason = "an example that prints what it found")]

use truefold::compare::{Nested, Plan};
use truefold::dataset::{self, Request};
use truefold::{Input, Method, Run};

fn main() -> truefold::Result<()> {
    let run = Run::new().with_seed(7);
    let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(1000))?;
    let methods = vec![Method::new("psa", &[])?, Method::new("isomap", &[])?, Method::new("pca", &[])?];
    let nested = Nested::nearest(&roll.points, &[8, 12], &run)?;
    let comparison = Plan::new(methods, 2)?.run(Input::Points(&roll.points), &nested, &run)?;
    for row in &comparison.rows {
        let k = row.k.unwrap_or(0);
        match &row.outcome {
            Ok(trial) => {
                let best = if comparison.is_best(row, "r_n") { " (best)" } else { "" };
                let score = trial.judgment.compared("r_n").map_or(f64::NAN, |score| score.value);
                println!("{:<8} k = {k:<3} R_N {score:.5}{best} in {:.2} s", row.method, trial.seconds);
            }
            Err(error) => println!("{:<8} k = {k:<3} failed: {error}", row.method),
        }
    }
    Ok(())
}
