//! Whole commands on a million wide points from a mapped file: a map by psa, and the measures of that map.

use super::points::{Kind, Points};
use super::searched::stages;
use super::{K, Sizes};
use crate::bench::Findings;
use crate::bench::table::{Row, seconds};
use crate::bench::timed::{Bench, Timed};
use anyhow::Result;
use serde_json::json;
use std::ffi::OsString;

const WIDTH: usize = 384;
/// The most memory, in bytes.
const MOST: f64 = 6e9;

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let points = Points::make(bench, Kind::euclidean("curved", WIDTH), sizes.growth[1])?;
    let map = bench.file("neighbors-map.npy");
    let common = ["--k", K, "--approximate", "--threads", "2", "--format", "json"].map(OsString::from);
    let mut embed: Vec<OsString> = vec!["embed".into(), points.x.clone(), "--output".into(), map.clone()];
    embed.extend(["--method", "psa"].map(OsString::from));
    let measure: Vec<OsString> = vec!["measure".into(), points.x.clone(), map];
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    for (name, mut words) in [("embed --method psa", embed), ("measure", measure)] {
        words.extend(common.iter().cloned());
        let timed = bench.tool(&words)?;
        rows.push(row(&points, name, &timed));
        numbers.push(json!({
            "command": name, "cpu_seconds": timed.cpu, "wall_seconds": timed.wall, "peak_bytes": timed.peak,
            "stages": timed.output["seconds"],
        }));
    }
    Ok(Findings { rows, numbers: json!(numbers), ..Findings::default() })
}

fn row(points: &Points, name: &str, timed: &Timed) -> Row {
    let times = format!("{} of processors, {} by the clock", seconds(timed.cpu), seconds(timed.wall));
    Row {
        what: format!("{}: `{name} --approximate`: peak memory", points.text()),
        tool: format!("{times}: {}", stages(&timed.output)),
        figure: format!("{:.2} GB", timed.peak / 1e9),
        target: "<= 6 GB".to_owned(),
        holds: Some(timed.peak <= MOST),
        ..Row::default()
    }
}
