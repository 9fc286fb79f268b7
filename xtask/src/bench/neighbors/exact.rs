//! Exact searches of digits beside the brute force of scikit-learn, in single and double precision, and of FAISS.

use super::Sizes;
use super::points::{Kind, Points};
use super::programs;
use super::searched::{HEADS, Searched};
use crate::bench::Findings;
use crate::bench::table::{Row, Section, head};
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::json;

/// Points that are ranked by products in double precision, to see that the search is exact.
const SAMPLE: usize = 1_000;
/// The most of scikit-learn's time.
const MOST: f64 = 0.2;

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let known = Points::make(bench, Kind::euclidean("digits", 784), sizes.digits)?.known(bench, SAMPLE)?;
    let data = known.points.text();
    println!("  {data}");
    let mut searches = vec![Searched::ours(bench, &known, &[])?];
    let mut rows = Vec::new();
    for program in programs::exact() {
        let other = Searched::others(bench, &known, &program, f64::INFINITY)?.swap_remove(0);
        rows.push(beside(&data, &searches[0], &other));
        searches.push(other);
    }
    rows.push(Row {
        what: format!("{data}, exact: recall"),
        figure: searches[0].recall.to_string(),
        target: "1".to_owned(),
        holds: Some(searches[0].recall == 1.0),
        ..Row::default()
    });
    let section = Section {
        title: format!("{data}, exact"),
        note: "All pairs are compared.".to_owned(),
        head: head(&HEADS),
        rows: searches.iter().map(Searched::cells).collect(),
        ..Section::default()
    };
    let numbers = json!(searches.iter().map(Searched::json).collect::<Vec<_>>());
    Ok(Findings { rows, sections: vec![section], numbers })
}

fn beside(data: &str, own: &Searched, other: &Searched) -> Row {
    let ratio = own.cpu / other.cpu;
    let judged = other.program == "scikit-learn";
    Row {
        what: format!("{data}, exact: processor time"),
        tool: own.text(),
        beside: format!("{} ({}): {}", other.program, other.settings, other.text()),
        figure: format!("ratio {ratio:.2}"),
        target: if judged { format!("<= {MOST}") } else { String::new() },
        holds: judged.then_some(ratio <= MOST),
    }
}
