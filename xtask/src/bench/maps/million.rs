//! A million cells, mapped: time, growth and memory.

use super::Sizes;
use super::data::Data;
use super::judged::{HEADS, Judged};
use crate::bench::Findings;
use crate::bench::table::{Row, Section, count, head, seconds};
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::{Value, json};

/// The most memory, in bytes.
const MOST: f64 = 8e9;
/// The greatest exponent of the growth.
const EXPONENT: f64 = 1.15;

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut lines, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let data = [Data::make(bench, "cells", sizes.growth[0])?, Data::make(bench, "cells", sizes.growth[1])?];
    for method in ["tsne", "faithful"] {
        let [fewer, more] = [Judged::ours(bench, &data[0], method, &[])?, Judged::ours(bench, &data[1], method, &[])?];
        let [from, to] = sizes.growth;
        let exponent = (more.cpu / fewer.cpu).ln() / (to as f64 / from as f64).ln();
        rows.push(Row {
            what: format!("{}: {method}: peak memory", data[1].name),
            tool: format!("{}: {}", seconds(more.cpu), more.stages()),
            figure: format!("{:.2} GB", more.peak / 1e9),
            target: "<= 8 GB".to_owned(),
            holds: Some(more.peak <= MOST),
            ..Row::default()
        });
        rows.push(Row {
            what: format!("{method}: growth of the processor time from {} to {} points", count(from), count(to)),
            tool: format!("{}, {}", seconds(fewer.cpu), seconds(more.cpu)),
            figure: format!("exponent {exponent:.2}"),
            target: format!("<= {EXPONENT}"),
            holds: Some(exponent <= EXPONENT),
            ..Row::default()
        });
        for (map, points) in [(fewer, from), (more, to)] {
            let mut cells = map.cells();
            cells.insert(1, count(points));
            lines.push(cells);
            numbers.push(map.json());
        }
    }
    let mut heads = HEADS.to_vec();
    heads.insert(1, "points");
    let section = Section { title: "Made-up cells".to_owned(), head: head(&heads), rows: lines, ..Section::default() };
    Ok(Findings { rows, sections: vec![section], numbers: Value::Array(vec![json!(numbers)]) })
}
