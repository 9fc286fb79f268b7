//! The Laplacian solver alone: the exact factor beside approximate elimination by size, for `docs/solver.md`.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Section, count, head, megabytes, number};
use crate::bench::timed::{Bench, Timed, greatest, least};
use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The program that factors and solves once, and prints what it took.
pub const EXAMPLE: &str = "laplacian";
/// Solves with one factor, as in a refinement.
const MANY: f64 = 20.0;

/// One strategy at one size, run by run.
struct Solved {
    runs: Vec<Timed>,
}

/// Runs both strategies in turn at every size.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut numbers, mut crossing) = (Vec::new(), Vec::new(), [None, None]);
    for &(points, repeats) in sizes.solver {
        println!("  {} points", count(points));
        let asked: &[&str] = if points <= sizes.exact_up_to { &["cholesky", "iterative"] } else { &["iterative"] };
        let (auto, all) = solve(bench, points, repeats, asked)?;
        if let [exact, iterative] = &all[..] {
            for (solves, crossing) in [1.0, MANY].iter().zip(&mut crossing) {
                let faster = iterative.seconds(*solves)? < exact.seconds(*solves)?;
                *crossing = faster.then(|| crossing.unwrap_or(points));
            }
        }
        for (strategy, solved) in asked.iter().zip(&all) {
            rows.push(solved.row(points, strategy, &auto)?);
            numbers.push(json!({
                "points": points, "asked": strategy, "auto": auto, "peak_bytes": solved.peak(),
                "runs": solved.runs.iter().map(|run| &run.output).collect::<Vec<_>>(),
            }));
        }
    }
    let section = section(rows, crossing, sizes.exact_up_to);
    let numbers = json!({"k": 12, "faster_from": crossing, "solves": [1.0, MANY], "measured": numbers});
    Ok(Findings { sections: vec![section], numbers, ..Findings::default() })
}

/// The runs of each strategy at one size, and the strategy that `auto` takes. The first run asks for `auto` and counts
/// for the strategy that it took.
fn solve(bench: &Bench, points: usize, repeats: usize, asked: &[&str]) -> Result<(Value, Vec<Solved>)> {
    let ask = |strategy: &str| bench.example(EXAMPLE, &[&points.to_string(), strategy]);
    let first = ask("auto")?;
    let auto = first.output["strategy"].clone();
    let taken = asked.iter().position(|strategy| auto == *strategy).context("auto took a strategy not measured")?;
    let mut all: Vec<Solved> = asked.iter().map(|_| Solved { runs: Vec::new() }).collect();
    all[taken].runs.push(first);
    for round in 0..repeats {
        for (place, solved) in all.iter_mut().enumerate() {
            if round > 0 || place != taken {
                solved.runs.push(ask(asked[place])?);
            }
        }
    }
    Ok((auto, all))
}

fn section(rows: Vec<Vec<String>>, crossing: [Option<usize>; 2], exact_up_to: usize) -> Section {
    let from = |crossing: Option<usize>| match crossing {
        Some(points) => format!("from {} points on", count(points)),
        None => format!("past {} points at the earliest", count(exact_up_to)),
    };
    Section {
        title: "The Laplacian solver, swiss roll, k = 12, two columns".to_owned(),
        note: format!(
            "`iterative`, approximate elimination up to 5,000 points and groups of points beyond, is faster {} with one solve per \
             factor, and {} with {MANY}. The residual is what \
             was reached when 1e-8 was asked for. The error is the largest error of a coordinate over the largest \
             coordinate; it is known because the right-hand side is made from the solution. The last residual is what \
             is reached when more is asked for than rounding allows. Peak memory is that of the whole process, with \
             points and neighborhoods.",
            from(crossing[0]),
            from(crossing[1]),
        ),
        head: head(&[
            "points",
            "strategy",
            "taken by `auto`",
            "factor, s",
            "solve, s",
            "steps",
            "residual",
            "error",
            "last residual",
            "peak memory",
        ]),
        rows,
        page: Some("solver.md".to_owned()),
    }
}

impl Solved {
    /// The least value over all runs: of a time the shortest, and of anything else the value, which is always the same.
    fn value(&self, key: &str) -> Result<f64> {
        let values: Option<Vec<f64>> = self.runs.iter().map(|run| run.output[key].as_f64()).collect();
        Ok(least(values.with_context(|| format!("the example printed no {key}"))?))
    }

    /// One factor with some solves.
    fn seconds(&self, solves: f64) -> Result<f64> {
        Ok(self.value("factor_seconds")? + solves * self.value("solve_seconds")?)
    }

    fn peak(&self) -> f64 {
        greatest(self.runs.iter().map(|run| run.peak))
    }

    fn row(&self, points: usize, strategy: &str, auto: &Value) -> Result<Vec<String>> {
        let power = |key: &str| Ok::<_, anyhow::Error>(format!("{:.0e}", self.value(key)?));
        Ok(vec![
            count(points),
            strategy.to_owned(),
            if auto == strategy { "yes" } else { "" }.to_owned(),
            number(self.value("factor_seconds")?),
            number(self.value("solve_seconds")?),
            format!("{:.0}", self.value("steps")?),
            power("residual")?,
            power("error")?,
            power("last_residual")?,
            megabytes(self.peak()),
        ])
    }
}
