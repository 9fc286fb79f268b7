//! Times the Laplacian solver on Swiss rolls, k = 12, two columns to 1e-8, as a markdown table.
//!
//! `cargo run --release --example laplacian -p truefold [-- POINTS...]`; Cholesky is left out past 200,000 points.

#![expect(clippy::print_stdout, reason = "the table is the purpose")]

use std::time::Instant;
use truefold::solve::{LaplacianSolver, Strategy, Weights};
use truefold::{Neighborhoods, Points, Result, Run};

const CHOLESKY_UP_TO: usize = 200_000;

fn main() -> Result<()> {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![10_000, 100_000, 1_000_000] } else { asked };
    let run = Run::new();
    println!("| points | strategy | setup, s | solve, s | steps | residual | error | held, MB |");
    println!("|---|---|---|---|---|---|---|---|");
    for size in sizes {
        let (points, truth) = swiss_roll(size)?;
        let neighborhoods = Neighborhoods::nearest(&points, 12, &run)?;
        for strategy in [Strategy::Cholesky, Strategy::Iterative] {
            if strategy == Strategy::Iterative || size <= CHOLESKY_UP_TO {
                row(&neighborhoods, &truth, strategy, &run)?;
            }
        }
    }
    Ok(())
}

fn row(neighborhoods: &Neighborhoods, truth: &[f64], strategy: Strategy, run: &Run) -> Result<()> {
    let start = Instant::now();
    let solver = LaplacianSolver::new(neighborhoods, Weights::Uniform, strategy, 0, run)?;
    let setup = start.elapsed().as_secs_f64();
    let rhs = solver.right_hand_side(
        2,
        |index, target| {
            for (row, &member) in target.chunks_exact_mut(2).zip(neighborhoods.members(index)) {
                row.copy_from_slice(&truth[2 * member as usize..][..2]);
            }
        },
        run,
    )?;
    let start = Instant::now();
    let solution = solver.solve(&rhs, 2, None, 1e-8, run)?;
    let seconds = start.elapsed().as_secs_f64();
    let error = solution.values.iter().zip(truth).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    let held = match strategy {
        Strategy::Cholesky => "-".to_owned(),
        _ => format!("{:.0}", solver.bytes() as f64 / 1e6),
    };
    println!(
        "| {} | {strategy:?} | {setup:.2} | {seconds:.2} | {} | {:.1e} | {error:.1e} | {held} |",
        neighborhoods.len(),
        solution.iterations,
        solution.residual
    );
    Ok(())
}

/// A Swiss roll of height 21, uniform by area, and its true coordinates with mean zero.
fn swiss_roll(count: usize) -> Result<(Points, Vec<f64>)> {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let length = |t: f64| 0.5 * (t * (1.0 + t * t).sqrt() + t.asinh());
    let (inner, outer) = (1.5 * std::f64::consts::PI, 4.5 * std::f64::consts::PI);
    let (mut values, mut truth) = (Vec::with_capacity(3 * count), Vec::with_capacity(2 * count));
    for _ in 0..count {
        let along = length(inner) + uniform() * (length(outer) - length(inner));
        // The arc length grows like t^2 / 2; Newton's method from there.
        let t = (0..8).fold((2.0 * along).sqrt(), |t, _| t - (length(t) - along) / (1.0 + t * t).sqrt());
        let height = 21.0 * uniform();
        values.extend([t * t.cos(), height, t * t.sin()]);
        truth.extend([along, height]);
    }
    for column in 0..2 {
        let mean = truth.iter().skip(column).step_by(2).sum::<f64>() / count as f64;
        truth.iter_mut().skip(column).step_by(2).for_each(|value| *value -= mean);
    }
    Ok((Points::new(count, 3, values)?, truth))
}
