//! A million points of 16 intrinsic dimensions beside pynndescent, and how the time grows up to there.

use super::Sizes;
use super::approximate::{Collected, compare, promised};
use super::claims::growth;
use super::points::{Kind, Points};
use super::programs;
use crate::bench::Findings;
use crate::bench::table::count;
use crate::bench::timed::Bench;
use anyhow::Result;

/// Points that are ranked exactly to measure a recall.
const SAMPLE: usize = 1_000;
/// The widths, each with the most of pynndescent's time.
const WIDTHS: [(usize, f64); 2] = [(64, 0.8), (384, 0.5)];
/// The most of pynndescent's memory.
const MEMORY: f64 = 0.5;
/// The greatest exponent of the growth.
const EXPONENT: f64 = 1.15;

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut findings = Collected::default();
    for (width, most) in WIDTHS {
        let kind = Kind::euclidean("curved", width);
        let known = Points::make(bench, kind, sizes.growth[0])?.known(bench, SAMPLE)?;
        println!("  {}", known.points.text());
        let fewer = promised(bench, &known)?;
        let known = Points::make(bench, kind, sizes.growth[1])?.known(bench, SAMPLE)?;
        let compared = compare(bench, &known, &programs::pynndescent_on_many(), 1)?;
        findings.rows.extend(compared.times(Some(most)));
        findings.rows.push(compared.memory(MEMORY));
        let [from, to] = sizes.growth.map(count);
        let what = format!("curved x {width}: growth from {from} to {to} points");
        findings.rows.push(growth(&what, sizes.growth, &fewer, &compared.ours, EXPONENT));
        findings.add(&compared);
    }
    Ok(findings.finish())
}
