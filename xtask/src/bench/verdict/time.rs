//! The whole verdict beside the neighbor search that it needs, and its memory.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, count, seconds};
use crate::bench::timed::{Bench, Timed};
use anyhow::{Context, Result};
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

pub(super) fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let exact = measured(bench, sizes.exact, &[])?;
    let approximate = measured(bench, sizes.approximate, &["--approximate"])?;
    let stage = |timed: &Timed, name: &str| timed.output["seconds"][name].as_f64().unwrap_or(f64::NAN);
    let times = stage(&exact, "measures") / stage(&exact, "neighbors");
    let gigabytes = approximate.peak / 1e9;
    let told = |timed: &Timed| {
        let stages = ["read", "neighbors", "measures"].map(|name| format!("{name} {}", seconds(stage(timed, name))));
        format!("{}, {:.1} GB", stages.join(", "), timed.peak / 1e9)
    };
    let rows = vec![
        Row {
            what: format!(
                "{} x 50, verdict both ways, labels, neighbors and R_NX over the exact search",
                count(sizes.exact)
            ),
            tool: told(&exact),
            figure: format!("{times:.2} x"),
            target: "<= 2 x".to_owned(),
            holds: Some(times <= 2.0),
            ..Row::default()
        },
        Row {
            what: format!("{} x 50, the same with an approximate search: memory", count(sizes.approximate)),
            tool: told(&approximate),
            figure: format!("{gigabytes:.2} GB"),
            target: "<= 6 GB".to_owned(),
            holds: Some(gigabytes <= 6.0),
            ..Row::default()
        },
        Row {
            what: format!("{} x 50: whole command", count(sizes.approximate)),
            tool: told(&approximate),
            figure: format!("{:.1} min", approximate.wall / 60.0),
            target: "minutes: <= 10".to_owned(),
            holds: Some(approximate.wall <= 600.0),
            ..Row::default()
        },
    ];
    let numbers = json!({"exact": exact.output["seconds"], "approximate": approximate.output["seconds"],
        "approximate_peak_bytes": approximate.peak, "approximate_wall": approximate.wall});
    Ok(Findings { rows, sections: Vec::new(), numbers })
}

fn measured(bench: &Bench, rows: usize, more: &[&str]) -> Result<Timed> {
    println!("  {rows} rows");
    let folder = bench.file("verdict-cells");
    fs::create_dir_all(&folder).context("cannot make a folder for the data")?;
    let number = rows.to_string();
    bench.script("verdict_maps.py", None, &[OsStr::new("cells"), number.as_ref(), &folder])?;
    let [x, y, labels] = ["X.npy", "Y.npy", "labels.csv"].map(|name| OsString::from(Path::new(&folder).join(name)));
    let mut words: Vec<&OsStr> = vec!["measure".as_ref(), &x, &y, "--labels".as_ref(), &labels];
    words.extend(
        ["--measures", "default,overlap,trustworthiness,continuity,r_nx", "--format", "json"]
            .iter()
            .chain(more)
            .map(OsStr::new),
    );
    bench.tool(&words)
}
