//! How the time per point of `truefold measure` grows with the number of points.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, count};
use crate::bench::timed::{Bench, greatest, least, median};
use anyhow::{Context, Result};
use serde_json::json;
use std::ffi::OsStr;

/// Times every size several times, in rounds over the sizes so that they share the machine's moods; medians count.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut files = Vec::new();
    for (points, _) in sizes.scaling {
        files.push(bench.swiss_roll(points)?);
    }
    let rounds = sizes.scaling.iter().map(|(_, repeats)| *repeats).max().unwrap_or(0);
    let mut runs = vec![Vec::new(); files.len()];
    for round in 0..rounds {
        for (place, (x, z)) in files.iter().enumerate() {
            let repeats = sizes.scaling[place].1;
            // Spread the few runs of a large size evenly over the many rounds of a small one.
            if (round * repeats) / rounds == ((round + 1) * repeats) / rounds {
                continue;
            }
            let words: [&OsStr; 7] =
                ["measure".as_ref(), x, z, "--k".as_ref(), "12".as_ref(), "--format".as_ref(), "json".as_ref()];
            runs[place].push(bench.tool(&words)?);
        }
    }
    let mut table = Vec::new();
    for ((points, _), runs) in sizes.scaling.iter().zip(&runs) {
        let stage = |name: &str| -> Result<f64> {
            let times: Option<Vec<f64>> = runs.iter().map(|run| run.output["seconds"][name].as_f64()).collect();
            Ok(median(times.with_context(|| format!("the JSON of measure has no seconds of {name}"))?))
        };
        table.push((
            *points,
            median(runs.iter().map(|run| run.wall).collect()),
            [stage("read")?, stage("neighbors")?, stage("measures")?, stage("total")?],
        ));
    }
    let micro = |time: f64, points: usize| time / points as f64 * 1e6;
    let range = table.iter().map(|(points, ..)| count(*points)).collect::<Vec<_>>().join(", ");
    let mut rows = Vec::new();
    let mut ratios = serde_json::Map::new();
    for (name, pick) in [("the tool's own total", true), ("the whole process", false)] {
        let each: Vec<f64> =
            table.iter().map(|(points, wall, stages)| micro(if pick { stages[3] } else { *wall }, *points)).collect();
        let ratio = greatest(each.iter().copied()) / least(each.iter().copied());
        ratios.insert(name.to_owned(), json!(ratio));
        rows.push(Row {
            what: format!("measure, time per point at n = {range}, {name}"),
            tool: each.iter().map(|time| format!("{time:.2}")).collect::<Vec<_>>().join(", ") + " us",
            figure: format!("largest / smallest {ratio:.2}"),
            target: "<= 1.25".to_owned(),
            holds: Some(ratio <= 1.25),
            ..Row::default()
        });
    }
    let numbers = json!({
        "k": 12, "ratios": ratios,
        "sizes": table.iter().zip(&runs).map(|((points, wall, [read, neighbors, measures, total]), runs)| json!({
            "points": points, "runs": runs.len(), "wall_seconds": wall, "read": read, "neighbors": neighbors,
            "measures": measures, "total": total, "cpu_seconds": median(runs.iter().map(|run| run.cpu).collect()),
        })).collect::<Vec<_>>(),
    });
    Ok(Findings { rows, numbers, ..Findings::default() })
}
