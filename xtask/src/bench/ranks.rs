//! Trustworthiness, which ranks all pairs: the tool's time and memory beside scikit-learn's, which holds all pairs.

use super::Sizes;
use super::table::{Row, count, megabytes, seconds};
use super::timed::{Bench, greatest, least};
use anyhow::Result;
use serde_json::{Value, json};
use std::ffi::OsStr;

/// The address space that scikit-learn gets at the tool's size: half of what its two matrices would fill.
const LIMIT: u64 = 12_000_000_000;

/// Times both at the size that scikit-learn can do, and tries it at the tool's.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<(Vec<Row>, Value)> {
    let (x, z) = bench.swiss_roll(sizes.ranks)?;
    let (small_x, small_z) = bench.swiss_roll(sizes.ranks_beside)?;
    let words = |x, z| -> [&OsStr; 9] {
        let [a, b, c, d, e, f] = ["--k", "12", "--measures", "trustworthiness", "--format", "json"].map(OsStr::new);
        ["measure".as_ref(), x, z, a, b, c, d, e, f]
    };
    let (mut runs, mut small, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..sizes.long_repeats {
        runs.push(bench.tool(&words(&x, &z))?);
        small.push(bench.tool(&words(&small_x, &small_z))?);
        let words = [small_x.as_os_str(), small_z.as_os_str(), "12".as_ref()];
        beside.push(bench.script("trustworthiness.py", None, &words)?);
    }
    let large = bench.script("trustworthiness.py", Some(LIMIT), &[x.as_os_str(), z.as_os_str(), "12".as_ref()])?;
    let wall = least(runs.iter().map(|run| run.wall));
    let peak = greatest(runs.iter().map(|run| run.peak));
    let small_wall = least(small.iter().map(|run| run.wall));
    let other: Vec<f64> = beside.iter().map(|run| run.seconds()).collect::<Result<_>>()?;
    let other_peak = greatest(beside.iter().map(|run| run.peak));
    let outcome = if large.output["out_of_memory"] == true {
        "out of memory at 12 GB".to_owned()
    } else {
        format!("{}, {}", seconds(large.seconds()?), megabytes(large.peak))
    };
    let (size, small_size) = (count(sizes.ranks), count(sizes.ranks_beside));
    let rows = vec![
        Row {
            what: format!("trustworthiness, {size} points: peak memory"),
            tool: format!("{}, {}", seconds(wall), megabytes(peak)),
            beside: format!("sklearn.manifold.trustworthiness: {outcome}"),
            figure: megabytes(peak),
            target: "< 1000 MB".to_owned(),
            holds: Some(peak < 1e9),
        },
        Row {
            what: format!("trustworthiness, {small_size} points"),
            tool: format!("{}, {}", seconds(small_wall), megabytes(greatest(small.iter().map(|run| run.peak)))),
            beside: format!(
                "sklearn.manifold.trustworthiness: {}, {}",
                seconds(least(other.iter().copied())),
                megabytes(other_peak)
            ),
            figure: format!("ratio {:.2}", small_wall / least(other.iter().copied())),
            ..Row::default()
        },
    ];
    let numbers = json!({
        "points": sizes.ranks, "k": 12, "wall_seconds": runs.iter().map(|run| run.wall).collect::<Vec<_>>(),
        "peak_bytes": peak, "value": runs[0].output["measures"]["trustworthiness"], "sklearn_there": outcome,
        "points_beside": sizes.ranks_beside, "wall_seconds_beside": small_wall, "sklearn_seconds": other,
        "sklearn_peak_bytes": other_peak, "value_beside": small[0].output["measures"]["trustworthiness"],
        "sklearn_value": beside[0].output["value"],
    });
    Ok((rows, numbers))
}
