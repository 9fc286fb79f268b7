//! The report of many points: its size, and how long a reader waits for it in a browser that renders in software.

use super::table::{Row, count, megabytes, seconds};
use super::timed::{Bench, median};
use super::{Benchmark, Findings};
use crate::browser;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::fs;

/// How large the data are.
pub struct Sizes {
    points: usize,
    visits: usize,
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "report",
    note: "A swiss roll and four maps of it in one report. Seconds to the first panel are from opening the file until \
           the panel is painted, in headless Chromium with software rendering, the median of several visits; the \
           others are from the reader's action until the result is on the screen. 200,000 points are shown in each \
           panel.",
    packages: &["numpy"],
    examples: &[("truefold-report", "sample_report")],
    full: Sizes { points: 1_000_000, visits: 5 },
    quick: Sizes { points: 20_000, visits: 1 },
    parts: &[("page", page)],
};

/// The largest size of the page, and the longest time a reader should wait.
const BYTES: f64 = 40e6;
const SECONDS: f64 = 10.0;

fn milliseconds(seconds: f64) -> String {
    format!("{:.0} ms", 1e3 * seconds)
}

fn page(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let chromium = match browser::find_or_install()? {
        Ok(path) => path,
        Err(reason) => bail!("no browser: {reason}"),
    };
    let page = bench.file(&format!("report-{}.html", sizes.points));
    let points = OsString::from(sizes.points.to_string());
    let words: [&OsStr; 3] = ["maps".as_ref(), &points, &page];
    let made = bench.example("sample_report", &words)?;
    let size = fs::metadata(&page).context("the report was not written")?.len() as f64;
    let mut visits = Vec::new();
    for _ in 0..sizes.visits {
        let words: [&OsStr; 2] = [chromium.as_ref(), &page];
        visits.push(bench.script("visit_report.py", None, &words)?.output);
    }
    let middle = |key: &str| -> Result<f64> {
        let values: Option<Vec<f64>> = visits.iter().map(|visit| visit[key].as_f64()).collect();
        Ok(median(values.with_context(|| format!("a visit printed no {key}"))?))
    };
    let (first, all) = (middle("first_panel_seconds")?, middle("all_panels_seconds")?);
    let what = |what: &str| format!("report of {} points, four maps: {what}", count(sizes.points));
    let plain = |name: &str, figure: String| Row { what: what(name), figure, ..Row::default() };
    let rows = vec![
        Row { target: "< 40 MB".into(), holds: Some(size < BYTES), ..plain("size", megabytes(size)) },
        Row { target: "<= 10 s".into(), holds: Some(first <= SECONDS), ..plain("first panel", seconds(first)) },
        plain("all panels", seconds(all)),
        plain("zoom into one", milliseconds(middle("zoom_seconds")?)),
        plain("turn the data", milliseconds(middle("turn_seconds")?)),
        plain("select half the points, in all panels", milliseconds(middle("select_seconds")?)),
        plain("other colors, in all panels", milliseconds(middle("recolor_seconds")?)),
    ];
    let numbers = json!({
        "points": sizes.points,
        "page_bytes": size,
        "seconds_to_make_with_its_measures": made.wall,
        "peak_bytes": made.peak,
        "visits": visits,
    });
    Ok(Findings { rows, sections: Vec::new(), numbers })
}
