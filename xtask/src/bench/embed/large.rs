//! psa on two large swiss rolls: time, processor time, memory, and the growth from one to the other.

use super::Sizes;
use super::embedded::{Embedded, Files, PSA};
use crate::bench::Findings;
use crate::bench::table::{Row, Section, count, head, megabytes, number, seconds};
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::json;
use std::time::Duration;

/// How long nothing runs before each run. A virtual machine takes memory from its host page by page, which can take longer than all
/// else that is done with it (2 s a gigabyte, where memory that is there takes 0.04 s), and gives free memory back within a
/// minute: without the pause a small run would use what the run before it left, and a large one could not.
const REST: Duration = Duration::from_secs(60);

/// Runs psa once on the smaller roll, once on the larger, and once more on the smaller.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut all: [Embedded; 2] = [Embedded::new(&PSA), Embedded::new(&PSA)];
    for which in [0, 1, 0] {
        println!("  {} points", count(sizes.large[which]));
        let (x, truth) = bench.swiss_roll(sizes.large[which])?;
        std::thread::sleep(REST);
        all[which].repeat(bench, &Files { points: sizes.large[which], x, truth })?;
    }
    let table = |(points, run): (&usize, &Embedded)| -> Result<Vec<String>> {
        Ok(vec![
            count(*points),
            seconds(run.seconds()),
            seconds(run.cpu()),
            megabytes(run.peak()),
            format!("{:.7}", run.times_bound()?),
            format!("{} %", number(100.0 * run.error())),
            run.stages(),
        ])
    };
    let section = Section {
        title: "psa on large swiss rolls, k = 12".to_owned(),
        note: format!(
            "Of two runs on the smaller roll, one before the larger and one after it, the faster counts. Nothing runs for {} s \
             before each, so that every run begins with the memory of the machine as its host gives it.",
            REST.as_secs()
        ),
        head: head(&["points", "seconds", "processor seconds", "peak memory", "R_N / bound", "error", "stages"]),
        rows: sizes.large.iter().zip(&all).map(table).collect::<Result<_>>()?,
        page: None,
    };
    let numbers = json!({"k": 12, "points": sizes.large, "psa": all.iter().map(Embedded::json).collect::<Vec<_>>()});
    Ok(Findings { rows: claims(&all, sizes)?, sections: vec![section], numbers })
}

/// What is claimed of the larger roll, and of the growth up to it.
fn claims(all: &[Embedded; 2], sizes: &Sizes) -> Result<Vec<Row>> {
    let [smaller, larger] = all;
    let what = format!("psa, {} points, k = 12", count(sizes.large[1]));
    let times = [smaller.seconds(), larger.seconds()];
    let exponent = (times[1] / times[0]).ln() / (sizes.large[1] as f64 / sizes.large[0] as f64).ln();
    let bound = larger.times_bound()?;
    Ok(vec![
        Row {
            what: format!("{what}: peak memory"),
            figure: megabytes(larger.peak()),
            target: "< 8000 MB".to_owned(),
            holds: Some(larger.peak() < 8e9),
            ..Row::default()
        },
        Row {
            what: format!("{what}: processor time"),
            tool: seconds(larger.cpu()),
            figure: seconds(larger.cpu()),
            target: "<= 250 s".to_owned(),
            holds: Some(larger.cpu() <= 250.0),
            ..Row::default()
        },
        Row {
            what: format!("{what}: R_N over the least possible"),
            tool: format!("R_N {}", number(larger.measure("r_n")?)),
            figure: format!("{bound:.7}"),
            target: "<= 1.001".to_owned(),
            holds: Some(bound <= 1.001),
            ..Row::default()
        },
        Row {
            what: format!("psa, growth from {} to {} points", count(sizes.large[0]), count(sizes.large[1])),
            tool: format!("{}, {}", seconds(times[0]), seconds(times[1])),
            figure: format!("exponent {exponent:.2}"),
            target: "<= 1.05".to_owned(),
            holds: Some(exponent <= 1.05),
            ..Row::default()
        },
    ])
}
