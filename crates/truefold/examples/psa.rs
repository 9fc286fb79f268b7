//! Times Procrustes subspaces alignment on Swiss rolls and says how well it did.
//!
//! `cargo run --release -p truefold --example psa -- [points]... [--k K] [--data NAME] [--set name=value]...`

use std::time::Instant;
use truefold::dataset::{self, Request};
use truefold::local::procrustes;
use truefold::{Neighborhoods, Pieces, Points, Problem, Run, embed, fit, measure};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut sizes, mut settings, mut k, mut data) = (Vec::new(), Vec::new(), 12, String::from("swiss-roll"));
    let (mut noise, mut seed) = (0.0, 0);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("a value is missing");
        match argument.as_str() {
            "--k" => k = value()?.parse()?,
            "--data" => data = value()?,
            "--seed" => seed = value()?.parse()?,
            "--noise" => noise = value()?.parse()?,
            "--set" => {
                let text = value()?;
                let (name, value) = text.split_once('=').ok_or("--set wants name=value")?;
                settings.push((name.to_owned(), value.to_owned()));
            }
            size => sizes.push(size.parse::<usize>()?),
        }
    }
    if sizes.is_empty() {
        sizes = vec![1_600, 10_000, 100_000];
    }
    let method = embed::find("psa")?.build(&settings)?;
    for size in sizes {
        let sample = dataset::find(&data)?.sample(&Request::new().with_points(size).with_noise(noise).with_seed(1))?;
        let run = Run::new().with_seed(seed);
        let start = Instant::now();
        let neighborhoods = Neighborhoods::nearest(&sample.points, k, &run)?;
        let search = start.elapsed().as_secs_f64();
        let problem = Problem::new(&sample.points, &neighborhoods, sample.truth.dim())?;
        let start = Instant::now();
        let embedding = fit(method.as_ref(), &problem, Pieces::Largest, &run)?;
        let seconds = start.elapsed().as_secs_f64();
        let r_n = &measure::evaluate(&sample.points, &embedding.points, &neighborhoods, &["r_n"])?[0];
        eprintln!(
            "{data} n {size} k {k}: neighbors {search:.2} s, psa {seconds:.2} s, R_N {:.6} = {:.4} x bound, error {:.5} %",
            r_n.value,
            r_n.times_bound().unwrap_or(1.0),
            100.0 * error(&sample.truth, &embedding.points)?
        );
        for stage in &embedding.info.stages {
            eprint!("  {} {:.2}", stage.stage, stage.seconds);
        }
        eprintln!("\n  {}", serde_json::to_string(&embedding.info.facts)?);
        for warning in &embedding.info.warnings {
            eprintln!("  warning: {warning}");
        }
    }
    Ok(())
}

/// |Z - (Y A' + 1 b')| / |H Z| for the best rigid motion.
fn error(truth: &Points, embedding: &Points) -> Result<f64, Box<dyn std::error::Error>> {
    let fit = procrustes(truth, embedding)?;
    let dim = truth.dim();
    let mut means = vec![0.0; dim];
    for row in truth.rows() {
        means.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / truth.len() as f64);
    }
    let extent: f64 =
        truth.rows().flat_map(|row| row.iter().zip(&means)).map(|(value, mean)| (value - mean).powi(2)).sum();
    Ok((fit.residual / extent).sqrt())
}
