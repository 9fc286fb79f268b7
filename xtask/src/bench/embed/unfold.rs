//! `refine --penalty` on projections of swiss rolls of growing size: what it takes to open them, and what comes out.

use super::Sizes;
use super::embedded::times_bound;
use crate::bench::Findings;
use crate::bench::table::{Row, Section, count, head, megabytes, number, seconds};
use crate::bench::timed::{Bench, Timed};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::OsStr;

/// Opens the projection of each roll once.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let runs = sizes.unfolded.iter().map(|&points| opened(bench, points)).collect::<Result<Vec<Timed>>>()?;
    let all: Vec<(usize, &Timed)> = sizes.unfolded.iter().copied().zip(&runs).collect();
    let table = |(points, run): &(usize, &Timed)| -> Result<Vec<String>> {
        Ok(vec![
            count(*points),
            seconds(run.wall),
            seconds(run.cpu),
            megabytes(run.peak),
            number(fact(run, "collapse_before")?),
            number(fact(run, "collapse_after")?),
            format!("{:.4}", times_bound(&run.output)?),
        ])
    };
    let section = Section {
        title: "refine --penalty 1 on projections of swiss rolls, k = 12".to_owned(),
        note: "The start is `pca`, which lays the turns of the roll on each other. One run each.".to_owned(),
        head: head(&[
            "points",
            "seconds",
            "processor seconds",
            "peak memory",
            "collapse before",
            "after",
            "R_N / bound",
        ]),
        rows: all.iter().map(table).collect::<Result<_>>()?,
        page: None,
    };
    let each = |(points, run): &(usize, &Timed)| -> Value {
        json!({"points": points, "wall_seconds": run.wall, "cpu_seconds": run.cpu, "peak_bytes": run.peak,
            "facts": run.output["facts"], "measures": run.output["measures"], "lower_bounds": run.output["lower_bounds"]})
    };
    Ok(Findings {
        rows: claims(&all)?,
        sections: vec![section],
        numbers: json!(all.iter().map(each).collect::<Vec<_>>()),
    })
}

fn opened(bench: &Bench, points: usize) -> Result<Timed> {
    println!("  {} points", count(points));
    let (x, _) = bench.swiss_roll(points)?;
    let [shadow, open] = ["shadow.npy", "open.npy"].map(|name| bench.file(name));
    let project: [&OsStr; 6] =
        ["embed".as_ref(), &x, "--method".as_ref(), "pca".as_ref(), "--output".as_ref(), shadow.as_os_str()];
    bench.tool(&project)?;
    let mut words: Vec<&OsStr> = vec!["refine".as_ref(), &x, &shadow];
    words.extend(["--k", "12", "--penalty", "1", "--format", "json", "--output"].map(OsStr::new));
    words.push(&open);
    bench.tool(&words)
}

fn fact(run: &Timed, name: &str) -> Result<f64> {
    run.output["facts"][name].as_f64().with_context(|| format!("refine told no {name}"))
}

/// What is claimed of the largest roll, and of the growth up to it.
fn claims(all: &[(usize, &Timed)]) -> Result<Vec<Row>> {
    let [.., (fewer, before), (points, largest)] = all else { anyhow::bail!("the growth needs two rolls") };
    let exponent = (largest.cpu / before.cpu).ln() / (*points as f64 / *fewer as f64).ln();
    let (bound, left) = (times_bound(&largest.output)?, fact(largest, "collapse_after")?);
    Ok(vec![
        Row {
            what: format!("refine --penalty, growth from {} to {} points", count(*fewer), count(*points)),
            tool: format!("{}, {} of processors", seconds(before.cpu), seconds(largest.cpu)),
            figure: format!("exponent {exponent:.2}"),
            target: "<= 1.1".to_owned(),
            holds: Some(exponent <= 1.1),
            ..Row::default()
        },
        Row {
            what: format!("refine --penalty, {} points: R_N over the least possible", count(*points)),
            tool: format!("collapse {}", number(left)),
            figure: format!("{bound:.4}"),
            target: "<= 1.01, no collapse".to_owned(),
            holds: Some(bound <= 1.01 && left == 0.0),
            ..Row::default()
        },
    ])
}
