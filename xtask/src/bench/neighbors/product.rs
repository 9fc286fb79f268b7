//! How far the exact search is from the plain product of its size, which is what the machine can do.
//!
//! Comparing all pairs of n points in d dimensions takes 2 n^2 d operations, and so does the product of the points with
//! themselves. Uniform points leave nothing to skip; on curved ones the search may leave out pairs that are far.

use super::points::{Kind, Points};
use super::{K, Sizes};
use crate::bench::Findings;
use crate::bench::table::{Section, head, seconds};
use crate::bench::timed::{Bench, Timed};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

const WIDTHS: [usize; 4] = [32, 100, 384, 784];
const KINDS: [&str; 2] = ["uniform", "curved"];

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    for width in WIDTHS {
        for kind in KINDS {
            let points = Points::make(bench, Kind::euclidean(kind, width), sizes.product)?;
            println!("  {}", points.text());
            let found = bench.file("neighbors-found.npy");
            let search = bench.tool(&words(&points.x, &found))?;
            let product = bench.script("neighbors_product.py", None, &[&points.x])?.output;
            let plain = product["cpu_seconds"].as_f64().context("the product gave no cpu_seconds")?;
            let flops = 2.0 * (points.count as f64).powi(2) * width as f64;
            rows.push(cells(&points, flops, &search, plain));
            numbers.push(json!({
                "kind": kind, "points": points.count, "width": width, "flops": flops, "search_cpu_seconds": search.cpu,
                "search_stages": search.output["seconds"], "product": product,
            }));
        }
    }
    let section = Section {
        title: "Exact searches beside a plain product".to_owned(),
        note: "2 n^2 d operations each: `truefold neighbors --algorithm brute` as a whole process, and the product of all \
               points with all points by numpy in single precision. Operations that the search skips count as done."
            .to_owned(),
        head: head(&["points", "search", "product", "Gflop/s of the search", "of the product", "search / product"]),
        rows,
        ..Section::default()
    };
    Ok(Findings { rows: Vec::new(), sections: vec![section], numbers: Value::Array(numbers) })
}

fn words(x: &OsStr, found: &OsStr) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["neighbors".into(), x.into(), "--output".into(), found.into()];
    words.extend(["--k", K, "--algorithm", "brute", "--threads", "2", "--format", "json"].map(OsString::from));
    words
}

/// Processor seconds of both, and operations per processor second.
fn cells(points: &Points, flops: f64, search: &Timed, plain: f64) -> Vec<String> {
    let speed = |time: f64| format!("{:.1}", flops / time / 1e9);
    vec![
        points.text(),
        seconds(search.cpu),
        seconds(plain),
        speed(search.cpu),
        speed(plain),
        format!("{:.2}", search.cpu / plain),
    ]
}
