//! Few dimensions: the whole `truefold measure` beside the k-d tree of scipy alone, its build and its query.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, count, megabytes, seconds};
use crate::bench::timed::{Bench, greatest, least};
use anyhow::Result;
use serde_json::json;
use std::ffi::OsStr;

/// Times both in turn; the least time of each counts.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (x, z) = bench.swiss_roll(sizes.tree)?;
    let words: [&OsStr; 7] =
        ["measure".as_ref(), &x, &z, "--k".as_ref(), "12".as_ref(), "--format".as_ref(), "json".as_ref()];
    let (mut runs, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..sizes.repeats {
        runs.push(bench.tool(&words)?);
        beside.push(bench.script("tree_search.py", None, &[x.as_os_str(), "12".as_ref()])?.seconds()?);
    }
    let (wall, peak) = (least(runs.iter().map(|run| run.wall)), greatest(runs.iter().map(|run| run.peak)));
    let scipy = least(beside.iter().copied());
    let ratio = wall / scipy;
    let what = format!("measure, {} x 3, k = 12, whole process", count(sizes.tree));
    let rows = vec![
        Row {
            what: format!("{what}: time"),
            tool: seconds(wall),
            beside: format!("cKDTree build + query, 2 workers: {}", seconds(scipy)),
            figure: format!("ratio {ratio:.2}"),
            target: "<= 0.6".to_owned(),
            holds: Some(ratio <= 0.6),
        },
        Row {
            what: format!("{what}: peak memory"),
            tool: megabytes(peak),
            figure: megabytes(peak),
            target: "< 2000 MB".to_owned(),
            holds: Some(peak < 2e9),
            ..Row::default()
        },
    ];
    let numbers = json!({
        "points": sizes.tree, "k": 12, "wall_seconds": runs.iter().map(|run| run.wall).collect::<Vec<_>>(),
        "cpu_seconds": runs.iter().map(|run| run.cpu).collect::<Vec<_>>(), "peak_bytes": peak,
        "stages": runs.iter().map(|run| run.output["seconds"].clone()).collect::<Vec<_>>(),
        "scipy_seconds": beside, "ratio": ratio,
    });
    Ok(Findings { rows, numbers, ..Findings::default() })
}
