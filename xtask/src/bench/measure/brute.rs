//! Many dimensions: the whole `truefold neighbors` beside the brute force of scikit-learn, in double and single
//! precision.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, count, seconds};
use crate::bench::timed::{Bench, Timed, least};
use anyhow::{Context, Result};
use serde_json::json;
use std::ffi::OsStr;

const WIDTH: usize = 784;

/// Times all in turn; the least time of each counts. Then compares who was found.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let x = bench.file(&format!("images-{}.npy", sizes.brute));
    let (points, width) = (sizes.brute.to_string(), WIDTH.to_string());
    bench.script("smooth_images.py", None, &[points.as_ref(), width.as_ref(), x.as_os_str()])?;
    let found = [bench.file("found-brute.npy"), bench.file("found-auto.npy")];
    let others = [bench.file("sklearn-float64.npy"), bench.file("sklearn-float32.npy")];
    let (mut tool, mut beside) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for _ in 0..sizes.long_repeats {
        for (algorithm, output, runs) in [("brute", &found[0], 0), ("auto", &found[1], 1)] {
            let words: [&OsStr; 8] = [
                "neighbors".as_ref(),
                &x,
                "--k".as_ref(),
                "12".as_ref(),
                "--algorithm".as_ref(),
                algorithm.as_ref(),
                "--output".as_ref(),
                output,
            ];
            tool[runs].push(bench.tool(&words)?);
        }
        for (precision, output, runs) in [("float64", &others[0], 0), ("float32", &others[1], 1)] {
            let words: [&OsStr; 4] = [&x, "12".as_ref(), precision.as_ref(), output];
            beside[runs].push(bench.script("brute_search.py", None, &words)?.seconds()?);
        }
    }
    let wall = |runs: &[Timed]| least(runs.iter().map(|run| run.wall));
    let (brute, auto) = (wall(&tool[0]), wall(&tool[1]));
    let (double, single) = (least(beside[0].iter().copied()), least(beside[1].iter().copied()));
    let size = format!("{} x {WIDTH}, k = 12, whole process", count(sizes.brute));
    let mut rows = Vec::new();
    for (name, time) in [("--algorithm brute", brute), ("the default algorithm", auto)] {
        for (precision, other) in [("float64", double), ("float32", single)] {
            rows.push(Row {
                what: format!("neighbors with {name}, {size}"),
                tool: seconds(time),
                beside: format!("NearestNeighbors brute, 2 jobs, {precision}: {}", seconds(other)),
                figure: format!("ratio {:.2}", time / other),
                ..Row::default()
            });
        }
    }
    let mut agreement = Vec::new();
    for (name, mine) in [("brute", &found[0]), ("auto", &found[1])] {
        for (precision, other) in [("float64", &others[0]), ("float32", &others[1])] {
            let report = bench.script("same_neighbors.py", None, &[&x, mine, other])?.output;
            let agree = report["agree"].as_f64().context("same_neighbors.py told no number")?;
            let share = agree / sizes.brute as f64;
            rows.push(Row {
                what: format!("the same neighbors, {name} and scikit-learn in {precision}"),
                figure: format!("{:.4} % of the points", 100.0 * share),
                target: "100 %".to_owned(),
                holds: Some(share == 1.0),
                ..Row::default()
            });
            agreement.push(json!({"algorithm": name, "precision": precision, "report": report}));
        }
    }
    let walls = |runs: &[Timed]| runs.iter().map(|run| run.wall).collect::<Vec<_>>();
    let numbers = json!({
        "points": sizes.brute, "width": WIDTH, "k": 12,
        "brute_wall_seconds": walls(&tool[0]), "auto_wall_seconds": walls(&tool[1]),
        "brute_peak_bytes": tool[0].last().map(|run| run.peak), "auto_peak_bytes": tool[1].last().map(|run| run.peak),
        "sklearn_float64_seconds": beside[0], "sklearn_float32_seconds": beside[1],
        "agreement": agreement,
    });
    Ok(Findings { rows, numbers, ..Findings::default() })
}
