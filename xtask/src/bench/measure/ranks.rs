//! Trustworthiness, which ranks all pairs: the tool's time and memory beside scikit-learn's, which holds all pairs.
//!
//! The tool ranks only false neighbors, so its time depends on the map: the true map has hardly any and is the easy
//! case, an unrelated map has only false ones and is the hard case. Both are shown; scikit-learn takes the same time
//! for either.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, count, megabytes, seconds};
use crate::bench::timed::{Bench, Timed, greatest, least};
use anyhow::Result;
use serde_json::json;
use std::ffi::{OsStr, OsString};

/// The address space that scikit-learn gets at the tool's size; one of its two matrices alone is larger.
const LIMIT: u64 = 12_000_000_000;

/// Times both at the size that scikit-learn can do, and tries it at the tool's.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let large = Maps::make(bench, sizes.ranks)?;
    let small = Maps::make(bench, sizes.ranks_beside)?;
    let limited = large.rival(bench, &large.truth, Some(LIMIT))?;
    let outcome = if limited.output["out_of_memory"] == true {
        "out of memory at 12 GB".to_owned()
    } else {
        format!("{}, {}", seconds(limited.seconds()?), megabytes(limited.peak))
    };
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    for (name, pick) in [("true map", Maps::truth as fn(&Maps) -> &OsStr), ("unrelated map", Maps::unrelated)] {
        let (mut runs, mut fewer, mut beside) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..sizes.long_repeats {
            runs.push(large.tool(bench, pick(&large))?);
            fewer.push(small.tool(bench, pick(&small))?);
            beside.push(small.rival(bench, pick(&small), None)?);
        }
        let wall = |runs: &[Timed]| least(runs.iter().map(|run| run.wall));
        let peak = |runs: &[Timed]| greatest(runs.iter().map(|run| run.peak));
        let others: Vec<f64> = beside.iter().map(Timed::seconds).collect::<Result<_>>()?;
        let other = least(others.iter().copied());
        rows.push(Row {
            what: format!("trustworthiness of the {name}, {} points: peak memory", count(sizes.ranks)),
            tool: format!("{}, {}", seconds(wall(&runs)), megabytes(peak(&runs))),
            beside: format!("sklearn.manifold.trustworthiness: {outcome}"),
            figure: megabytes(peak(&runs)),
            target: "< 1000 MB".to_owned(),
            holds: Some(peak(&runs) < 1e9),
        });
        rows.push(Row {
            what: format!("trustworthiness of the {name}, {} points", count(sizes.ranks_beside)),
            tool: format!("{}, {}", seconds(wall(&fewer)), megabytes(peak(&fewer))),
            beside: format!("sklearn.manifold.trustworthiness: {}, {}", seconds(other), megabytes(peak(&beside))),
            figure: format!("ratio {:.3}", wall(&fewer) / other),
            ..Row::default()
        });
        let value = |run: &Timed| run.output["measures"]["trustworthiness"].clone();
        numbers.push(json!({
            "map": name, "points": sizes.ranks, "wall_seconds": runs.iter().map(|run| run.wall).collect::<Vec<_>>(),
            "peak_bytes": peak(&runs), "value": value(&runs[0]), "points_beside": sizes.ranks_beside,
            "wall_seconds_beside": fewer.iter().map(|run| run.wall).collect::<Vec<_>>(),
            "peak_bytes_beside": peak(&fewer), "value_beside": value(&fewer[0]), "sklearn_seconds": others,
            "sklearn_peak_bytes": peak(&beside), "sklearn_value": beside[0].output["value"],
        }));
    }
    let numbers = json!({"k": 12, "sklearn_limit_bytes": LIMIT, "sklearn_at_the_limit": outcome, "maps": numbers});
    Ok(Findings { rows, numbers, ..Findings::default() })
}

/// A swiss roll with an easy and a hard map.
struct Maps {
    x: OsString,
    truth: OsString,
    unrelated: OsString,
}

impl Maps {
    fn make(bench: &Bench, points: usize) -> Result<Self> {
        let (x, truth) = bench.swiss_roll(points)?;
        let unrelated = bench.file(&format!("unrelated-{points}.npy"));
        bench.script("unrelated_map.py", None, &[points.to_string().as_ref(), unrelated.as_os_str()])?;
        Ok(Self { x, truth, unrelated })
    }

    fn truth(&self) -> &OsStr {
        &self.truth
    }

    fn unrelated(&self) -> &OsStr {
        &self.unrelated
    }

    fn tool(&self, bench: &Bench, map: &OsStr) -> Result<Timed> {
        let [a, b, c, d, e, f] = ["--k", "12", "--measures", "trustworthiness", "--format", "json"].map(OsStr::new);
        bench.tool(&["measure".as_ref(), self.x.as_os_str(), map, a, b, c, d, e, f])
    }

    fn rival(&self, bench: &Bench, map: &OsStr, limit: Option<u64>) -> Result<Timed> {
        bench.script("trustworthiness.py", limit, &[self.x.as_os_str(), map, "12".as_ref()])
    }
}
