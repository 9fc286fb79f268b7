//! The memory that a worker needs: a formula beside what workers of this machine took.

use super::super::neighbors::points::{Kind, Points};
use super::super::table::{Row, Section, count, head};
use super::super::timed::{Bench, greatest, least};
use super::super::{Findings, python};
use super::{K, Sizes, Workers, stages};
use anyhow::Result;
use serde_json::json;
use std::ffi::OsString;

/// A worker with everything loaded and nothing to do.
const IDLE: f64 = 250e6;
/// Workers must not begin to spill: they have more than they need.
const PLENTY: u64 = 8_000_000_000;

/// What a worker has to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    /// Rows of all its chunks together, and of a chunk or cell.
    pub(super) rows: f64,
    pub(super) cell: f64,
    pub(super) threads: f64,
    /// The columns of X and the bytes of its numbers; the columns of the map.
    pub(super) columns: f64,
    pub(super) width: f64,
    pub(super) dimensions: f64,
    /// Rows of the sample that one worker fits.
    pub(super) sample: f64,
}

/// The bytes that it needs for a stage: what it holds of each row, and what a task needs besides for each row of a cell.
pub(super) fn needed(stage: &str, load: &Load) -> f64 {
    let (x, y) = (load.columns * load.width, 8.0 * load.dimensions);
    let (held, at_work, fit) = match stage {
        "kneighbors" => (2.0 * x + 8.0 + 24.0 * K, 16.0 * load.columns + 16.0 * K, 0.0),
        "measure" => (3.0 * (x + y) + 16.0 + 40.0 * K, 16.0 * load.columns + 48.0 * K, 0.0),
        _ => {
            let sample = load.sample * (130.0 * (K + 1.0) + 12.0 * load.columns);
            (2.0 * x + y + 24.0 * K, 16.0 * load.columns + 16.0 * K, sample)
        }
    };
    IDLE + load.rows * held + load.threads * load.cell * at_work + fit
}

/// The formulas, in words.
const FORMULAS: &str = "Bytes that a worker needs: 250 MB and h N + w T M, where N are the rows of all its chunks together, M those of a \
    chunk or cell, T its threads, q the columns of X and b the bytes of a number there, d the columns of the map. \
    kneighbors: h = 2 b q + 24 k + 8, w = 16 q + 16 k. measure of R_N, R_C and overlap: h = 3 (b q + 8 d) + 40 k + 16, w = 16 q + 48 k. \
    fit: h = 2 b q + 8 d + 24 k, w = 16 q + 16 k, and one worker 130 (k + 1) + 12 q for each row of the sample. Workers had more \
    memory than they need, so that nothing was written to disk; measured is the most that one of them took.";

/// One run: points, their chunks, and the workers.
struct Case<'a> {
    files: (&'a OsString, &'a OsString),
    what: String,
    points: usize,
    shape: (f64, f64),
    chunks: usize,
    workers: (usize, usize),
    stages: Vec<String>,
}

/// A stage of a run: its line of the table, and the bytes by the formula and of the worker that took most.
struct Checked {
    cells: Vec<String>,
    formula: f64,
    measured: f64,
}

impl Checked {
    fn share(&self) -> f64 {
        self.measured / self.formula
    }
}

impl Case<'_> {
    fn run(&self, bench: &Bench) -> Result<Vec<Checked>> {
        let (count, threads) = self.workers;
        let names: Vec<&str> = self.stages.iter().map(String::as_str).collect();
        let found = stages(bench, self.files, self.chunks, Workers { count, threads, bytes: PLENTY }, &names)?;
        let checked = |stage: &str| {
            let (title, sample) = stage.split_once(':').unwrap_or((stage, "0"));
            let load = Load {
                rows: self.points as f64 / count as f64,
                cell: self.points as f64 / self.chunks as f64,
                threads: threads as f64,
                columns: self.shape.0,
                width: self.shape.1,
                dimensions: 2.0,
                sample: sample.parse()?,
            };
            let (formula, measured) = (needed(title, &load), found.of(stage, "peak")?);
            let cells = vec![
                self.what.clone(),
                self.chunks.to_string(),
                format!("{count} x {threads}"),
                title.to_owned(),
                format!("{:.2} GB", formula / 1e9),
                format!("{:.2} GB", measured / 1e9),
                format!("{:.2}", measured / formula),
            ];
            Ok(Checked { cells, formula, measured })
        };
        names.into_iter().map(checked).collect()
    }
}

/// The formula beside real workers.
pub(super) fn memory(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    python::install(bench)?;
    let [few, many, vectors] = sizes.memory;
    let (small, large) = (bench.swiss_roll(few)?, bench.swiss_roll(many)?);
    let made = Points::make(bench, Kind::euclidean("curved", 50), vectors)?;
    let no_truth = OsString::from("-");
    let roll = |points: usize, chunks: usize, workers: (usize, usize)| Case {
        files: if points == few { (&small.0, &small.1) } else { (&large.0, &large.1) },
        what: format!("roll, {}", count(points)),
        points,
        shape: (3.0, 8.0),
        chunks,
        workers,
        stages: vec!["kneighbors".to_owned(), "measure".to_owned(), format!("fit:{}", points / 20)],
    };
    let cases = [
        roll(few, 16, (1, 1)),
        roll(few, 4, (1, 1)),
        roll(few, 4, (1, 2)),
        roll(many, 16, (2, 1)),
        Case {
            files: (&made.x, &no_truth),
            what: made.text(),
            points: vectors,
            shape: (50.0, 4.0),
            chunks: 4,
            workers: (1, 1),
            stages: vec!["kneighbors".to_owned(), "measure".to_owned()],
        },
    ];
    let mut rows = Vec::new();
    for case in &cases {
        rows.extend(case.run(bench)?);
    }
    let shares = || rows.iter().map(Checked::share);
    let (lowest, highest) = (least(shares()), greatest(shares()));
    let row = Row {
        what: "memory of a worker, measured over the formula below".to_owned(),
        tool: format!("{lowest:.2} to {highest:.2} in {} runs", rows.len()),
        figure: format!("{highest:.2} at most"),
        target: "<= 1".to_owned(),
        holds: Some(highest <= 1.0),
        ..Row::default()
    };
    let section = Section {
        title: "Memory of a worker".to_owned(),
        note: FORMULAS.to_owned(),
        head: head(&["data", "chunks", "workers x threads", "stage", "formula", "measured", "share"]),
        rows: rows.iter().map(|row| row.cells.clone()).collect(),
        page: None,
    };
    let numbers =
        rows.iter().map(|row| json!({"run": row.cells[..4], "formula": row.formula, "measured": row.measured}));
    Ok(Findings { rows: vec![row], sections: vec![section], numbers: numbers.collect() })
}
