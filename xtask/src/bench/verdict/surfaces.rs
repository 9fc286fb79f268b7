//! Surfaces and faces: that psa comes first by the same score, with no option set.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, Section, head};
use crate::bench::timed::Bench;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::ffi::OsStr;

pub(super) fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let Some(data) = bench.data() else { bail!("needs the folder of frey_faces.npy: --data DIR") };
    let mut compared = Vec::new();
    for name in ["swiss-roll", "s-curve"] {
        let (x, points) = (bench.file(&format!("verdict-{name}.npy")), sizes.points.to_string());
        bench.tool(&[
            "generate".as_ref(),
            name.as_ref(),
            "--points".as_ref(),
            points.as_ref(),
            "--output".as_ref(),
            x.as_os_str(),
        ])?;
        compared.push((name, compare(bench, &x, "2")?));
    }
    compared.push(("frey faces", compare(bench, data.join("frey_faces.npy").as_ref(), "3")?));
    let rows = compared.iter().map(|(name, rows)| first(name, rows)).collect();
    let numbers = json!(compared.iter().map(|(name, rows)| json!({"data": name, "rows": rows})).collect::<Vec<_>>());
    Ok(Findings { rows, sections: vec![table(&compared)], numbers })
}

fn compare(bench: &Bench, x: &OsStr, dim: &str) -> Result<Vec<Value>> {
    println!("  {}", x.display());
    let words: [&OsStr; 6] =
        ["compare".as_ref(), x, "--dim".as_ref(), dim.as_ref(), "--format".as_ref(), "json".as_ref()];
    let rows = bench.tool(&words)?.output["rows"].take();
    let mut rows: Vec<Value> = rows.as_array().cloned().unwrap_or_default();
    // Scores that are equal to three digits are ranked by R_N.
    rows.sort_by_key(|row| row["rank"].as_u64().unwrap_or(u64::MAX));
    Ok(rows)
}

fn score(row: &Value) -> f64 {
    let verdict = &row["verdict"];
    verdict["score_left"].as_f64().or_else(|| verdict["score"].as_f64()).unwrap_or(f64::NEG_INFINITY)
}

fn first(name: &str, rows: &[Value]) -> Row {
    let best = rows.first().map_or("", |row| row["method"].as_str().unwrap_or(""));
    let told = |row: &Value| format!("{} {:.5}", row["method"].as_str().unwrap_or(""), score(row));
    Row {
        what: format!("{name}: first by the score"),
        tool: rows.iter().map(told).collect::<Vec<_>>().join(", "),
        figure: best.to_owned(),
        target: "psa".to_owned(),
        holds: Some(best == "psa"),
        ..Row::default()
    }
}

fn table(compared: &[(&str, Vec<Value>)]) -> Section {
    let row = |name: &str, row: &Value| {
        let verdict = |key: &str| row["verdict"][key].as_f64().map_or(String::new(), |value| format!("{value:.4}"));
        let method = row["method"].as_str().unwrap_or("").to_owned();
        vec![name.to_owned(), method, format!("{:.5}", score(row)), verdict("forward"), verdict("reverse")]
    };
    Section {
        title: "Surfaces and faces".to_owned(),
        note: "The methods that `truefold compare` takes by default, with no option but the dimension.".to_owned(),
        head: head(&["data", "method", "score", "forward", "reverse"]),
        rows: compared
            .iter()
            .flat_map(|(name, rows)| rows.iter().map(|one| row(name, one)).collect::<Vec<_>>())
            .collect(),
        ..Section::default()
    }
}
