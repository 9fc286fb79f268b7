//! What must be equal, on random data: exact searches and naive search, one thread and eight, the library and the tool.
//!
//! Points have ties, copies, rounded coordinates and wide ranges, since these are where algorithms part.

use crate::draw::Draw;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use truefold::embed::EMBEDDERS;
use truefold::{Algorithm, Embedding, Error, Method, Neighborhoods, Points, Problem, Run, Search, io};

/// How many comparisons were made, and what differed.
#[derive(Debug, Default)]
pub struct Compared {
    pub searches: u64,
    pub maps: u64,
    pub tool_maps: u64,
    pub differences: Vec<String>,
}

/// Compares until the time is over; `cases` gets the data and maps for comparisons from Python.
pub fn compare(tool: &Path, folder: &Path, seed: u64, time: Duration) -> Result<Compared> {
    let cases = folder.join("cases");
    std::fs::create_dir_all(&cases)?;
    let (mut compared, mut list) = (Compared::default(), String::new());
    let end = Instant::now() + time;
    for round in 0_u64.. {
        if round > 0 && Instant::now() >= end {
            break;
        }
        let mut draw = Draw::new(seed.wrapping_add(round));
        let points = random_points(&mut draw)?;
        let k = 1 + draw.below((points.len() - 1).min(12));
        searches(&points, k, round, &mut compared)?;
        maps(&mut draw, &points, k, round, &mut compared)?;
        // A process for each is slow.
        if round % 8 == 0 {
            let case = Case { name: format!("case{}", round / 8), method: draw.pick(EMBEDDERS).info.name, k };
            if beside_tool(tool, &cases, &case, &points, &mut compared)? {
                let _ = writeln!(list, "{} {} {k}", case.name, case.method);
            }
        }
    }
    std::fs::write(cases.join("cases.txt"), list)?;
    Ok(compared)
}

/// Some points: uniform, on a grid, with copies, with a far one, or of many dimensions.
fn random_points(draw: &mut Draw) -> Result<Points> {
    let widest = *draw.pick(&[4, 4, 4, 60]);
    let (len, dim) = (5 + draw.below(80), 1 + draw.below(widest));
    let kind = draw.below(5);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for _ in 0..len {
        let row = (0..dim).map(|_| match kind {
            0 => draw.below(4) as f64,
            1 => (draw.unit() - 0.5) * 2_f64.powi(draw.below(40) as i32 - 20),
            _ => draw.unit(),
        });
        rows.push(row.collect());
    }
    if kind == 2 {
        for _ in 0..len / 3 {
            let copy = rows[draw.below(len)].clone();
            rows[draw.below(len)] = copy;
        }
    }
    if kind == 3 {
        rows[draw.below(len)].fill(1e5);
    }
    Ok(Points::from_rows(&rows)?)
}

/// The lists of every exact search and of the definition.
fn searches(points: &Points, k: usize, round: u64, compared: &mut Compared) -> Result<()> {
    let wanted = naive(points, k);
    for algorithm in [Algorithm::Tree, Algorithm::Brute, Algorithm::Auto] {
        for threads in [1, 8] {
            let run = Run::new().with_threads(threads)?;
            let found = Search::nearest(k).with_algorithm(algorithm).run(points, &run)?;
            compared.searches += 1;
            if let Some(row) = (0..points.len()).find(|&row| found.neighbors(row) != wanted[row]) {
                let what = format!("round {round}: {algorithm:?} on {threads} threads, k = {k}, row {row}");
                compared.differences.push(what);
            }
        }
    }
    Ok(())
}

/// The k nearest by squared distances summed in the order of the coordinates, ties by row number.
fn naive(points: &Points, k: usize) -> Vec<Vec<u32>> {
    let rows: Vec<&[f64]> = points.rows().collect();
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let nearest = |row: usize| {
        let mut others: Vec<(f64, u32)> = (0..rows.len())
            .filter(|&other| other != row)
            .map(|other| (distance(rows[row], rows[other]), other as u32))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others.into_iter().take(k).map(|(_, other)| other).collect()
    };
    (0..rows.len()).map(nearest).collect()
}

/// The map of a method or its error.
fn map(name: &str, points: &Points, k: usize, dim: usize, run: &Run) -> Result<Embedding, Error> {
    let neighborhoods = Neighborhoods::nearest(points, k, run)?;
    Method::new(name, &[])?.fit(&Problem::new(points, &neighborhoods, dim)?, run)
}

/// A map with one thread and with eight, bit for bit, or the same sentence.
fn maps(draw: &mut Draw, points: &Points, k: usize, round: u64, compared: &mut Compared) -> Result<()> {
    let name = draw.pick(EMBEDDERS).info.name;
    let dim = 1 + draw.below(2);
    let with = |threads| -> Result<String> {
        let run = Run::new().with_seed(round).with_threads(threads)?;
        Ok(match map(name, points, k, dim, &run) {
            Ok(made) => bits(made.points.values()),
            Err(error) => error.to_string(),
        })
    };
    compared.maps += 1;
    if with(1)? != with(8)? {
        compared.differences.push(format!("round {round}: {name}, k = {k}, d = {dim}, on 1 and 8 threads"));
    }
    Ok(())
}

fn bits(values: &[f64]) -> String {
    values.iter().fold(String::new(), |mut text, value| {
        let _ = write!(text, "{:016x}", value.to_bits());
        text
    })
}

/// A map that the tool makes too.
struct Case {
    name: String,
    method: &'static str,
    k: usize,
}

/// The same map by the tool; whether there is one.
fn beside_tool(tool: &Path, cases: &Path, case: &Case, points: &Points, compared: &mut Compared) -> Result<bool> {
    let (x, y) = (cases.join(format!("{}-x.npy", case.name)), cases.join(format!("{}-y.npy", case.name)));
    io::write(&x, points)?;
    let status = Command::new(tool)
        .arg("embed")
        .arg(&x)
        .args(["--method", case.method, "--k", &case.k.to_string(), "--dim", "2", "--seed", "7", "--output"])
        .arg(&y)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("the tool did not start")?;
    compared.tool_maps += 1;
    let made = map(case.method, points, case.k, 2, &Run::new().with_seed(7));
    let same = match (&made, status.success()) {
        (Ok(made), true) => {
            let written = io::read(&y, &io::ReadOptions::default())?;
            bits(written.values()) == bits(made.points.values())
        }
        // The tool measures its map too, which may be refused where the map itself is there.
        (_, false) => true,
        (Err(_), true) => false,
    };
    if !same {
        compared
            .differences
            .push(format!("{}: {}, k = {}, by the library and by the tool", case.name, case.method, case.k));
    }
    Ok(made.is_ok() && status.success())
}
