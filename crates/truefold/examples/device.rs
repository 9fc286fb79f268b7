//! Neighbors on a graphics processor: `device check` compares its lists with those of the processor on data of many kinds, exact
//! and approximate ones, `device time KIND N Q K` times one exact search, warmed up, five times, `device approximate KIND N Q K` one
//! approximate search on either side, and `device found` names the device. `cargo xtask bench gpu`
//! runs all but the approximate one.
#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use serde_json::json;
use std::time::Instant;
use truefold::{Algorithm, Device, Metric, Neighborhoods, Origin, Points, Result, Run, Search};

/// A number in [0, 1) that depends on the place alone.
fn uniform(at: u64) -> f64 {
    let mut bits = at.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A normal number, by Box and Muller.
fn normal(at: u64) -> f64 {
    let radius = (-2.0 * (1.0 - uniform(2 * at)).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(2 * at + 1)).cos()
}

/// Points of one kind, in single precision.
fn points(kind: &str, n: usize, q: usize) -> Result<Points> {
    let run = Run::new();
    let hidden = 10;
    let rows = run.chunks("making", n, 1024, |range| {
        let mut out = Vec::with_capacity(range.len() * q);
        for row in range {
            let at = |axis: usize| (row * q + axis) as u64;
            // One row in ten is a copy of one before.
            let source = if kind == "copies" && row % 10 == 9 { row / 2 } else { row };
            let inner: Vec<f64> = (0..hidden).map(|axis| normal((1 << 50) + (row * hidden + axis) as u64)).collect();
            for axis in 0..q {
                out.push(match kind {
                    "normal" => normal(at(axis)),
                    "copies" => normal((source * q + axis) as u64),
                    "ties" => (uniform(at(axis)) * 3.0).floor(),
                    "pixels" => (256.0 * (uniform(at(axis)) - 0.8).max(0.0) / 0.2).floor(),
                    "norms" => normal(at(axis)) * 10_f64.powf(12.0 * uniform((1 << 51) + row as u64) - 6.0),
                    "shifted" => 1000.0 + normal(at(axis)),
                    // A curved sheet of few dimensions, with a little noise in all.
                    _ => {
                        let along = |part: usize| uniform((1 << 52) + (axis * hidden + part) as u64) - 0.5;
                        let sum: f64 = inner.iter().enumerate().map(|(part, value)| value * along(part)).sum();
                        sum.sin() + 0.02 * normal(at(axis))
                    }
                } as f32);
            }
        }
        Ok(out)
    })?;
    Points::from_elements(n, q, rows.concat())
}

/// One search and its seconds.
fn searched(points: &Points, search: Search, device: Device) -> Result<(Neighborhoods, f64)> {
    let start = Instant::now();
    let found = search.with_device(device).run(points, &Run::new())?;
    Ok((found, start.elapsed().as_secs_f64()))
}

/// The same search on either side, and whether the lists are the same.
fn compared(what: &str, points: &Points, search: Search) -> Result<bool> {
    let (expected, here) = searched(points, search, Device::Cpu)?;
    let (found, there) = searched(points, search, Device::Gpu)?;
    let same = (0..points.len()).all(|row| found.members(row) == expected.members(row));
    let recall = match found.origin() {
        Origin::Approximate { recall, .. } => Some(recall),
        _ => None,
    };
    println!("{}", json!({"what": what, "same": same, "here": here, "there": there, "recall": recall}));
    Ok(same)
}

/// Whether the lists of both are the same, for every kind of data.
fn check() -> Result<bool> {
    let euclidean = Metric::Euclidean;
    let cases = [
        ("pixels", 60_000, 784, 12, euclidean),
        // More rows than a batch holds: both queues of the device have work.
        ("normal", 300_000, 50, 12, euclidean),
        ("copies", 200_000, 96, 12, euclidean),
        ("normal", 20_000, 50, 1, euclidean),
        ("normal", 20_000, 50, 12, euclidean),
        ("normal", 20_000, 50, 64, euclidean),
        ("normal", 20_000, 50, 200, euclidean),
        ("sheet", 40_000, 128, 12, euclidean),
        ("sheet", 20_000, 128, 12, Metric::Cosine),
        ("sheet", 20_000, 128, 12, Metric::Correlation),
        ("copies", 20_000, 64, 12, euclidean),
        ("ties", 20_000, 12, 12, euclidean),
        ("ties", 10_000, 6, 12, euclidean),
        ("norms", 20_000, 40, 12, euclidean),
        ("norms", 20_000, 40, 12, Metric::Cosine),
        ("shifted", 20_000, 40, 12, euclidean),
        ("normal", 1_000, 3, 12, euclidean),
    ];
    let mut all = true;
    for (kind, n, q, k, metric) in cases {
        let search = Search::nearest(k).with_metric(metric);
        all &= compared(&format!("{kind} {n} x {q}, k = {k}, {metric}"), &points(kind, n, q)?, search)?;
    }
    for (kind, n, q, k) in
        [("sheet", 60_000, 128, 12), ("sheet", 200_000, 50, 12), ("copies", 60_000, 96, 12), ("sheet", 60_000, 784, 64)]
    {
        let search = Search::nearest(k).with_algorithm(Algorithm::Approximate);
        all &= compared(&format!("{kind} {n} x {q}, k = {k}, approximate"), &points(kind, n, q)?, search)?;
    }
    Ok(all)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (name, version) = Device::found()?;
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["found"] => {
            println!("{}", json!({"name": name, "cuda": version}));
            Ok(())
        }
        ["check"] if check()? => Ok(()),
        ["check"] => Err("some lists differ".into()),
        ["time", kind, n, q, k] => {
            let (points, k) = (points(kind, n.parse()?, q.parse()?)?, k.parse()?);
            searched(&points, Search::nearest(k), Device::Gpu)?;
            let mut seconds = Vec::new();
            for _ in 0..5 {
                seconds.push(searched(&points, Search::nearest(k), Device::Gpu)?.1);
            }
            seconds.sort_by(f64::total_cmp);
            let (n, q) = (points.len(), points.dim());
            println!("{}", json!({"kind": kind, "n": n, "q": q, "k": k, "median": seconds[2], "seconds": seconds}));
            Ok(())
        }
        ["approximate", kind, n, q, k] => {
            let points = points(kind, n.parse()?, q.parse()?)?;
            let search = Search::nearest(k.parse()?).with_algorithm(Algorithm::Approximate);
            // The first warms both up.
            let runs = (0..3).map(|_| compared(&format!("{kind} {n} x {q}, k = {k}, approximate"), &points, search));
            if runs.collect::<Result<Vec<_>>>()?.contains(&false) {
                return Err("some lists differ".into());
            }
            Ok(())
        }
        _ => Err("device found, device check, device time KIND N Q K, or device approximate KIND N Q K".into()),
    }
}
