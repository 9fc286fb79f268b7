//! `truefold.dask` on worker processes of this machine, beside one process on the same points; what a worker needs, and what a large
//! cluster would take.

mod memory;
mod model;
mod plan;

use super::neighbors::points::{Kind, Points};
use super::table::{Row, count, number, seconds};
use super::timed::Bench;
use super::{Benchmark, Findings, python};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::OsString;

/// How large the data are.
pub struct Sizes {
    /// Points of the roll, and the chunks that they are in.
    roll: (usize, usize),
    /// Points with which workers are counted.
    workers: usize,
    /// Vectors of 50 numbers, and the chunks that they are in.
    vectors: (usize, usize),
    /// Points of rolls whose memory is looked at, few and many, and vectors.
    memory: [usize; 3],
    /// Points in chunks by which the costs of stages are known: two lengths of chunks, and many chunks.
    model: [(usize, usize); 3],
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "dask",
    note: "k = 12, workers of one thread each, which read their own chunks of a file. Processor seconds are those of all workers, \
           of the scheduler and of the client; those of one process are of `truefold` in Python with two threads. Bytes moved \
           are those that workers send to each other.",
    packages: &["numpy", "dask", "distributed"],
    examples: &[],
    full: Sizes {
        roll: (10_000_000, 40),
        workers: 4_000_000,
        vectors: (3_000_000, 40),
        memory: [1_000_000, 4_000_000, 100_000],
        model: [(2_000_000, 8), (500_000, 8), (100_000, 80)],
    },
    quick: Sizes {
        roll: (100_000, 8),
        workers: 50_000,
        vectors: (60_000, 8),
        memory: [50_000, 100_000, 10_000],
        model: [(100_000, 8), (50_000, 8), (20_000, 70)],
    },
    parts: &[
        ("roll", roll),
        ("workers", workers),
        ("vectors", vectors),
        ("memory", memory::memory),
        ("model", model::model),
    ],
};

const STAGES: [&str; 3] = ["kneighbors", "measure", "fit"];
/// Neighbors of each point.
const K: f64 = 12.0;
/// The workers of most parts.
const WORKERS: Workers = Workers { count: 4, threads: 1, bytes: 2_000_000_000 };
/// No workers: one process.
const ALONE: Workers = Workers { count: 0, threads: 0, bytes: 0 };

/// Worker processes, and the threads and bytes of each.
#[derive(Debug, Clone, Copy)]
struct Workers {
    count: usize,
    threads: usize,
    bytes: u64,
}

/// What a script found of each stage.
struct Found(Value);

impl Found {
    fn of(&self, stage: &str, what: &str) -> Result<f64> {
        self.0[stage][what].as_f64().with_context(|| format!("the script printed no {what} of {stage}"))
    }
}

/// Runs stages on workers; in one process where there are none.
fn stages(
    bench: &Bench,
    (x, z): (&OsString, &OsString),
    chunks: usize,
    workers: Workers,
    stages: &[&str],
) -> Result<Found> {
    let mut words = vec![x.clone(), z.clone()];
    let Workers { count, threads, bytes } = workers;
    words.extend([chunks.to_string(), count.to_string(), threads.to_string(), bytes.to_string()].map(OsString::from));
    words.extend(stages.iter().map(OsString::from));
    Ok(Found(bench.script("dask_run.py", None, &words)?.output))
}

/// Neighbors, measures and a map of a roll.
fn roll(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    python::install(bench)?;
    let (points, chunks) = sizes.roll;
    let (x, z) = bench.swiss_roll(points)?;
    let many = stages(bench, (&x, &z), chunks, WORKERS, &STAGES)?;
    // One after the other, each in a process of its own, so that each has its own peak.
    let mut alone = json!({});
    for stage in STAGES {
        alone[stage] = stages(bench, (&x, &z), 0, ALONE, &[stage])?.0[stage].take();
    }
    let one = Found(alone);
    let what = format!("{} points in {chunks} chunks, {}", count(points), crew());
    let mut rows = Vec::new();
    let (mut total, mut alone) = (0.0, 0.0);
    for stage in STAGES {
        let told = |found: &Found| costs(found, stage);
        (total, alone) = (total + many.of(stage, "cpu")?, alone + one.of(stage, "cpu")?);
        rows.push(Row {
            what: format!("{what}: {stage}: bytes moved between workers a point"),
            tool: told(&many)?,
            beside: format!("one process: {}", told(&one)?),
            figure: format!("{:.0} bytes", many.of(stage, "moved")? / points as f64),
            ..Row::default()
        });
    }
    let share = total / alone;
    rows.push(Row {
        what: format!("{what}: processor time of all three stages"),
        tool: seconds(total),
        beside: format!("one process: {}", seconds(alone)),
        figure: format!("ratio {share:.2}"),
        target: "<= 1.5".to_owned(),
        holds: Some(share <= 1.5),
    });
    rows.extend(map_rows(&what, &many, &one)?);
    rows.push(same(&what, "kneighbors", "distance", &many, &one)?);
    rows.push(same(&what, "measure", "r_n", &many, &one)?);
    Ok(Findings { rows, numbers: json!({"workers": many.0, "one process": one.0}), ..Findings::default() })
}

/// How good the map is.
fn map_rows(what: &str, many: &Found, one: &Found) -> Result<Vec<Row>> {
    let fit = &many.0["fit"];
    let values: Vec<f64> = fit["r_n"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let last = values.last().context("the script printed no r_n of fit")?;
    let (times, error) = (last / many.of("fit", "bound")?, many.of("fit", "error")?);
    let sample = count(many.of("fit", "sample")? as usize);
    Ok(vec![
        Row {
            what: format!("{what}: fit: R_N of all points"),
            tool: format!("{} after {} rounds; {sample} points in the sample", number(*last), values.len() - 1),
            figure: format!("{times:.4} times the bound"),
            target: "<= 1.05".to_owned(),
            holds: Some(times <= 1.05),
            ..Row::default()
        },
        Row {
            what: format!("{what}: fit: distance from the true map"),
            tool: format!("{:.4} %", 100.0 * error),
            beside: format!("one process: {:.4} %", 100.0 * one.of("fit", "error")?),
            figure: format!("{:.4} %", 100.0 * error),
            target: "<= 0.05 %".to_owned(),
            holds: Some(error <= 5e-4),
        },
    ])
}

/// That a value is the same up to the order of sums.
fn same(what: &str, stage: &str, name: &str, many: &Found, one: &Found) -> Result<Row> {
    let (value, expected) = (many.of(stage, name)?, one.of(stage, name)?);
    let off = (value / expected - 1.0).abs();
    Ok(Row {
        what: format!("{what}: {stage}: mean {name}, beside one process"),
        tool: format!("{value:e}"),
        beside: format!("{expected:e}"),
        figure: format!("{off:.1e} apart"),
        target: "<= 1e-12".to_owned(),
        holds: Some(off <= 1e-12),
    })
}

/// Approximate neighbors and measures of vectors.
fn vectors(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    python::install(bench)?;
    let (points, chunks) = sizes.vectors;
    let made = Points::make(bench, Kind::euclidean("curved", 50), points)?;
    let files = (&made.x, &OsString::from("-"));
    let many = stages(bench, files, chunks, WORKERS, &["vectors"])?;
    let one = stages(bench, files, 0, ALONE, &["vectors"])?;
    let what = format!("{} in {chunks} chunks, {}: neighbors at recall 0.99, and measures", made.text(), crew());
    let told = |found: &Found| costs(found, "vectors");
    let share = many.of("vectors", "cpu")? / one.of("vectors", "cpu")?;
    let (recall, alone) = (many.of("vectors", "recall")?, one.of("vectors", "recall")?);
    let facts = &many.0["vectors"]["facts"];
    let rows = vec![
        Row {
            what: format!("{what}: processor time"),
            tool: format!(
                "{}; {} cells, {:.2} copies",
                told(&many)?,
                facts["cells"],
                facts["copies"].as_f64().unwrap_or(f64::NAN)
            ),
            beside: format!("one process: {}", told(&one)?),
            figure: format!("ratio {share:.2}"),
            target: "<= 1.5".to_owned(),
            holds: Some(share <= 1.5),
        },
        Row {
            what: format!("{what}: recall"),
            tool: format!("{recall:.4}"),
            beside: format!("one process: {alone:.4}"),
            figure: format!("{recall:.4}"),
            target: ">= 0.99".to_owned(),
            holds: Some(recall >= 0.99),
        },
        Row {
            what: format!("{what}: bytes moved between workers a point"),
            figure: format!("{:.0} bytes", many.of("vectors", "moved")? / points as f64),
            ..Row::default()
        },
    ];
    Ok(Findings { rows, numbers: json!({"workers": many.0, "one process": one.0}), ..Findings::default() })
}

/// The workers in words.
fn crew() -> String {
    format!("{} workers of {:.0} GB", WORKERS.count, WORKERS.bytes as f64 / 1e9)
}

/// What a stage cost, in words.
fn costs(found: &Found, stage: &str) -> Result<String> {
    let [cpu, wall, peak] = ["cpu", "wall", "peak"].map(|name| found.of(stage, name));
    Ok(format!(
        "{} of processors, {} by the clock, at most {:.2} GB a process",
        seconds(cpu?),
        seconds(wall?),
        peak? / 1e9
    ))
}

/// `measure` with one worker and with two.
fn workers(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    python::install(bench)?;
    let (x, z) = bench.swiss_roll(sizes.workers)?;
    let wall = |count: usize| -> Result<f64> {
        let workers = Workers { count, bytes: 2 * WORKERS.bytes, ..WORKERS };
        stages(bench, (&x, &z), 16, workers, &["measure"])?.of("measure", "wall")
    };
    let (one, two) = (wall(1)?, wall(2)?);
    let row = Row {
        what: format!("measure on {} points in 16 chunks, from one worker of one thread to two", count(sizes.workers)),
        tool: format!("{} by the clock", seconds(two)),
        beside: format!("one worker: {}", seconds(one)),
        figure: format!("{:.2} times shorter", one / two),
        target: ">= 1.7".to_owned(),
        holds: Some(one / two >= 1.7),
    };
    Ok(Findings { rows: vec![row], numbers: json!({"one": one, "two": two}), ..Findings::default() })
}
