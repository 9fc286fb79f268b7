//! Factors the Laplacian of a Swiss roll's neighborhoods and solves for two columns; tells times and accuracy as JSON.
//!
//! `cargo run --release -p truefold --example laplacian -- POINTS auto|cholesky|iterative`. The right-hand side is made
//! from the true coordinates, so the solution is known. `cargo xtask bench embed solver` runs it for `docs/solver.md`.

#![expect(clippy::print_stdout, reason = "the figures are the purpose")]

use serde_json::json;
use std::time::Instant;
use truefold::dataset::{self, Request};
use truefold::laplacian::{LaplacianSolver, Strategy, Weights};
use truefold::{Error, Neighborhoods, Points, Result, Run};

const K: usize = 12;
const TOLERANCE: f64 = 1e-8;
/// More than rounding allows, to see where the residual ends.
const BEYOND: f64 = 1e-16;

fn main() -> Result<()> {
    let (size, strategy) = asked()?;
    let run = Run::new();
    let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(size).with_seed(1))?;
    let truth = centered(&roll.truth);
    let neighborhoods = Neighborhoods::nearest(&roll.points, K, &run)?;
    let start = Instant::now();
    let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, strategy, 0, &run)?;
    let factor_seconds = start.elapsed().as_secs_f64();
    let as_it_is = |index: usize, target: &mut [f64]| {
        for (row, &member) in target.chunks_exact_mut(2).zip(neighborhoods.members(index)) {
            row.copy_from_slice(&truth[2 * member as usize..][..2]);
        }
    };
    let rhs = solver.right_hand_side(2, as_it_is, &run)?;
    let start = Instant::now();
    let solution = solver.solve(&rhs, 2, None, TOLERANCE, &run)?;
    let solve_seconds = start.elapsed().as_secs_f64();
    let last = solver.solve(&rhs, 2, None, BEYOND, &run)?;
    let figures = json!({
        "points": size, "strategy": solver.strategy(), "factor_seconds": factor_seconds,
        "solve_seconds": solve_seconds, "steps": solution.iterations, "residual": solution.residual,
        "error": error(&solution.values, &truth), "last_residual": last.residual, "last_steps": last.iterations,
        "last_error": error(&last.values, &truth), "held_bytes": solver.bytes(),
    });
    println!("{figures}");
    Ok(())
}

/// The command line.
fn asked() -> Result<(usize, Strategy)> {
    let mut words = std::env::args().skip(1);
    let (points, strategy) = (words.next().unwrap_or_default(), words.next().unwrap_or("auto".into()));
    let refuse = |name, given: &str, advice| Error::parameter(name, format!("'{given}'"), "was not understood", advice);
    Ok((
        points.parse().map_err(|_| refuse("points", &points, "give the number of points"))?,
        serde_json::from_value(json!(strategy))
            .map_err(|_| refuse("strategy", &strategy, "choose auto, cholesky or iterative"))?,
    ))
}

/// The values with the mean of each of the two columns taken off, as those of a solution are.
fn centered(points: &Points) -> Vec<f64> {
    let mean = |column: usize| points.rows().map(|row| row[column]).sum::<f64>() / points.len() as f64;
    let means = [mean(0), mean(1)];
    points.rows().flat_map(|row| [row[0] - means[0], row[1] - means[1]]).collect()
}

/// The largest difference over the largest value.
fn error(values: &[f64], truth: &[f64]) -> f64 {
    let most = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0_f64, |most, value| most.max(value.abs()));
    most(&mut values.iter().zip(truth).map(|(a, b)| a - b)) / most(&mut truth.iter().copied())
}
