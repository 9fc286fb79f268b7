//! Many dimensions: the whole `truefold neighbors` beside the brute force of scikit-learn, in double and single
//! precision.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, count, seconds};
use crate::bench::timed::{Bench, least};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

const WIDTH: usize = 784;
const ALGORITHMS: [&str; 2] = ["brute", "auto"];
const PRECISIONS: [&str; 2] = ["float64", "float32"];

/// One search, run several times.
#[derive(Default)]
struct Searched {
    /// The file of the neighbors found.
    found: OsString,
    seconds: Vec<f64>,
    /// The largest resident memory of the last run, in bytes.
    peak: f64,
}

impl Searched {
    fn into(found: OsString) -> Self {
        Self { found, ..Self::default() }
    }

    fn least(&self) -> f64 {
        least(self.seconds.iter().copied())
    }
}

/// Runs all in turn; the least time of each counts. Then compares the neighbors found.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let x = bench.file(&format!("images-{}.npy", sizes.brute));
    let (points, width) = (sizes.brute.to_string(), WIDTH.to_string());
    bench.script("smooth_images.py", None, &[points.as_ref(), width.as_ref(), x.as_os_str()])?;
    let mut ours = ALGORITHMS.map(|name| Searched::into(bench.file(&format!("found-{name}.npy"))));
    let mut others = PRECISIONS.map(|name| Searched::into(bench.file(&format!("sklearn-{name}.npy"))));
    for _ in 0..sizes.long_repeats {
        for (algorithm, searched) in ALGORITHMS.iter().zip(&mut ours) {
            search(bench, &x, algorithm, searched)?;
        }
        for (precision, searched) in PRECISIONS.iter().zip(&mut others) {
            let words: [&OsStr; 4] = [&x, "12".as_ref(), precision.as_ref(), &searched.found];
            searched.seconds.push(bench.script("brute_search.py", None, &words)?.seconds()?);
        }
    }
    let mut rows = times(&ours, &others, sizes.brute);
    let (agreement, shares) = agreement(bench, &x, &ours, &others, sizes.brute)?;
    rows.extend(agreement);
    let numbers = json!({
        "points": sizes.brute, "width": WIDTH, "k": 12,
        "brute_wall_seconds": ours[0].seconds, "auto_wall_seconds": ours[1].seconds,
        "brute_peak_bytes": ours[0].peak, "auto_peak_bytes": ours[1].peak,
        "sklearn_float64_seconds": others[0].seconds, "sklearn_float32_seconds": others[1].seconds,
        "agreement": shares,
    });
    Ok(Findings { rows, numbers, ..Findings::default() })
}

fn search(bench: &Bench, x: &OsStr, algorithm: &str, searched: &mut Searched) -> Result<()> {
    let mut words: Vec<&OsStr> = vec!["neighbors".as_ref(), x];
    words.extend(["--k", "12", "--algorithm", algorithm, "--output"].map(OsStr::new));
    words.push(&searched.found);
    let timed = bench.tool(&words)?;
    searched.seconds.push(timed.wall);
    searched.peak = timed.peak;
    Ok(())
}

/// The times of each algorithm beside each precision of scikit-learn.
fn times(ours: &[Searched; 2], others: &[Searched; 2], points: usize) -> Vec<Row> {
    let size = format!("{} x {WIDTH}, k = 12, whole process", count(points));
    let mut rows = Vec::new();
    for (name, own) in ["--algorithm brute", "the default algorithm"].iter().zip(ours) {
        for (precision, other) in PRECISIONS.iter().zip(others) {
            let (own, other) = (own.least(), other.least());
            rows.push(Row {
                what: format!("neighbors with {name}, {size}"),
                tool: seconds(own),
                beside: format!("NearestNeighbors brute, 2 jobs, {precision}: {}", seconds(other)),
                figure: format!("ratio {:.2}", own / other),
                ..Row::default()
            });
        }
    }
    rows
}

/// The share of points with the same neighbors as in scikit-learn, as rows and as numbers.
fn agreement(
    bench: &Bench,
    x: &OsStr,
    ours: &[Searched; 2],
    others: &[Searched; 2],
    points: usize,
) -> Result<(Vec<Row>, Vec<Value>)> {
    let (mut rows, mut shares) = (Vec::new(), Vec::new());
    for (name, own) in ALGORITHMS.iter().zip(ours) {
        for (precision, other) in PRECISIONS.iter().zip(others) {
            let files: [&OsStr; 3] = [x, &own.found, &other.found];
            let report = bench.script("same_neighbors.py", None, &files)?.output;
            let agree = report["agree"].as_f64().context("same_neighbors.py printed no number")?;
            let share = agree / points as f64;
            rows.push(Row {
                what: format!("the same neighbors, {name} and scikit-learn in {precision}"),
                figure: format!("{:.4} % of the points", 100.0 * share),
                target: "100 %".to_owned(),
                holds: Some(share == 1.0),
                ..Row::default()
            });
            shares.push(json!({"algorithm": name, "precision": precision, "report": report}));
        }
    }
    Ok((rows, shares))
}
