//! Times Procrustes subspaces alignment and says how well it did, as a markdown table.
//!
//! `cargo run --release --example psa -p truefold [-- POINTS... --data NAME --k K --noise S --seed S --set name=value]`;
//! seconds are of the stages after the neighbor search, the error is that of the true coordinates after a rigid motion.

#![expect(clippy::print_stdout, reason = "the table is the purpose")]

use std::collections::BTreeMap;
use std::time::Instant;
use truefold::dataset::{self, Request};
use truefold::local::procrustes;
use truefold::{Error, Neighborhoods, Pieces, Points, Problem, Result, Run, embed, fit, measure};

fn main() -> Result<()> {
    let asked = Asked::read(std::env::args().skip(1))?;
    let method = embed::find("psa")?.build(&asked.settings)?;
    let run = Run::new().with_seed(asked.number("seed", 0)?);
    println!("| points | neighbors, s | psa, s | stages, s | f / least | R_N | R_N / bound | error, % |");
    println!("|---|---|---|---|---|---|---|---|");
    let data = asked.options.get("data").map_or("swiss-roll", String::as_str);
    for &size in &asked.sizes {
        let request = Request::new().with_points(size).with_noise(asked.number("noise", 0.0)?).with_seed(1);
        let sample = dataset::find(data)?.sample(&request)?;
        let start = Instant::now();
        let neighborhoods = Neighborhoods::nearest(&sample.points, asked.number("k", 12)?, &run)?;
        let search = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let problem = Problem::new(&sample.points, &neighborhoods, sample.truth.dim())?;
        let embedding = fit(method.as_ref(), &problem, Pieces::Error, &run)?;
        let seconds = start.elapsed().as_secs_f64();
        let r_n = &measure::evaluate(&sample.points, &embedding.points, &neighborhoods, &["r_n"])?[0];
        let stages: Vec<String> =
            embedding.info.stages.iter().map(|stage| format!("{} {:.2}", stage.stage, stage.seconds)).collect();
        let fact = |name: &str| embedding.info.facts.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
        println!(
            "| {size} | {search:.2} | {seconds:.2} | {} | {:.5} | {:.3e} | {:.4} | {:.4} |",
            stages.join(", "),
            fact("f") / fact("f_least"),
            r_n.value,
            r_n.times_bound().unwrap_or(f64::NAN),
            100.0 * error(&sample.truth, &embedding.points)?
        );
    }
    Ok(())
}

/// The command line.
struct Asked {
    sizes: Vec<usize>,
    settings: Vec<(String, String)>,
    options: BTreeMap<String, String>,
}

impl Asked {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut asked = Self { sizes: Vec::new(), settings: Vec::new(), options: BTreeMap::new() };
        while let Some(argument) = arguments.next() {
            if let Some(name) = argument.strip_prefix("--") {
                let value = arguments.next().ok_or_else(|| refuse(&argument, "", "needs a value"))?;
                match (name, value.split_once('=')) {
                    ("set", Some((name, value))) => asked.settings.push((name.into(), value.into())),
                    ("set", None) => return Err(refuse(&argument, &value, "is not name=value")),
                    _ => _ = asked.options.insert(name.into(), value),
                }
            } else {
                asked.sizes.push(argument.parse().map_err(|_| refuse("points", &argument, "is not a number"))?);
            }
        }
        if asked.sizes.is_empty() {
            asked.sizes = vec![1_600, 10_000, 100_000, 1_000_000];
        }
        Ok(asked)
    }

    fn number<T: std::str::FromStr>(&self, name: &str, default: T) -> Result<T> {
        let Some(text) = self.options.get(name) else { return Ok(default) };
        text.parse().map_err(|_| refuse(name, text, "is not a number"))
    }
}

fn refuse(name: &str, given: &str, limit: &str) -> Error {
    Error::parameter(name, given, limit, "see the first lines of examples/psa.rs")
}

/// |Z - (Y A' + 1 b')| / |H Z| for the best rigid motion of Y onto the truth Z.
fn error(truth: &Points, embedding: &Points) -> Result<f64> {
    let nothing = Points::new(truth.len(), truth.dim(), vec![0.0; truth.values().len()])?;
    Ok((procrustes(truth, embedding)?.residual / procrustes(truth, &nothing)?.residual).sqrt())
}
