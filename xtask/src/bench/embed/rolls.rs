//! Swiss rolls of growing size: psa and gp in turn with scipy's search of the same points, and with tapkee at one size.

use super::claims::claims;
use super::embedded::{Embedded, Files, GP, PSA, RAW_GP, measure, times_bound};
use super::{Roll, Sizes};
use crate::bench::Findings;
use crate::bench::table::{Section, count, head, megabytes, number, seconds};
use crate::bench::timed::{Bench, Timed, greatest, least};
use anyhow::Result;
use serde_json::{Value, json};
use std::ffi::OsStr;

/// All runs on one roll.
pub struct Measured {
    pub points: usize,
    pub psa: Embedded,
    pub gp: Embedded,
    pub raw_gp: Embedded,
    pub scipy: Rival,
    /// At one size only.
    pub tapkee: Option<Rival>,
}

/// The runs of another program, and the tool's measures of its map, if it makes one.
pub struct Rival {
    runs: Vec<Timed>,
    judgment: Value,
}

/// Runs everything; the claims and the table by size.
pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut rolls = Vec::new();
    for roll in sizes.rolls {
        rolls.push(measured(bench, roll, roll.points == sizes.middle)?);
    }
    let mut rows = Vec::new();
    for roll in &rolls {
        for embedded in [&roll.psa, &roll.gp, &roll.raw_gp] {
            rows.push(vec![
                count(roll.points),
                embedded.method.title.to_owned(),
                seconds(embedded.seconds()),
                megabytes(embedded.peak()),
                number(embedded.times_bound()?),
                number(embedded.measure("r_c")?),
                format!("{} %", number(100.0 * embedded.error())),
                embedded.stages(),
            ]);
        }
        if let Some(tapkee) = &roll.tapkee {
            rows.push(vec![
                count(roll.points),
                "tapkee LTSA".to_owned(),
                seconds(tapkee.seconds()?),
                megabytes(tapkee.peak()),
                number(tapkee.times_bound()?),
                number(tapkee.measure("r_c")?),
                String::new(),
                String::new(),
            ]);
        }
        let mut search = vec![count(roll.points), "cKDTree".to_owned(), seconds(roll.scipy.seconds()?)];
        search.push(megabytes(roll.scipy.peak()));
        search.resize(8, String::new());
        rows.push(search);
    }
    let section = Section {
        title: "Swiss rolls by size, k = 12".to_owned(),
        note: "The error is |H Z - H Y A| / |H Z| of the map Y from the true coordinates Z, after the best rigid \
               motion A. The tool's seconds include reading, neighbors, measures and writing; tapkee's are of the \
               call alone; cKDTree's are of building the tree and of finding 13 points for each with 2 workers. LTSA \
               normalizes its map, so compare R_C for it. Stages are in seconds, and only those of a hundredth of the \
               time or more."
            .to_owned(),
        head: head(&["points", "method", "seconds", "peak memory", "R_N / bound", "R_C", "error", "stages"]),
        rows,
        page: None,
    };
    let numbers = json!({"k": 12, "rolls": rolls.iter().map(Measured::json).collect::<Result<Vec<_>>>()?});
    Ok(Findings { rows: claims(&rolls, sizes)?, sections: vec![section], numbers })
}

fn measured(bench: &Bench, roll: &Roll, with_tapkee: bool) -> Result<Measured> {
    let (x, truth) = bench.swiss_roll(roll.points)?;
    let files = Files { points: roll.points, x, truth };
    let mut all = Measured {
        points: roll.points,
        psa: Embedded::new(&PSA),
        gp: Embedded::new(&GP),
        raw_gp: Embedded::new(&RAW_GP),
        scipy: Rival::new(),
        tapkee: with_tapkee.then(Rival::new),
    };
    let map = bench.file("tapkee.npy");
    for round in 0..roll.repeats {
        println!("  {} points, round {} of {}", count(files.points), round + 1, roll.repeats);
        all.psa.repeat(bench, &files)?;
        all.scipy.runs.push(bench.script("tree_search.py", None, &[&files.x, OsStr::new("12")])?);
        if round < roll.gp_repeats {
            all.gp.repeat(bench, &files)?;
        }
        all.raw_gp.repeat(bench, &files)?;
        if let Some(tapkee) = &mut all.tapkee {
            let [program, method] = ["tapkee", "ltsa"].map(OsStr::new);
            tapkee.runs.push(bench.script("peer.py", None, &[program, method, &files.x, OsStr::new("12"), &map])?);
        }
    }
    if let Some(tapkee) = &mut all.tapkee {
        let [k, twelve, format, json] = ["--k", "12", "--format", "json"].map(OsStr::new);
        tapkee.judgment = bench.tool(&["measure".as_ref(), files.x.as_os_str(), &map, k, twelve, format, json])?.output;
    }
    Ok(all)
}

impl Measured {
    fn json(&self) -> Result<Value> {
        let mut numbers = json!({
            "points": self.points, "psa": self.psa.json(), "gp": self.gp.json(), "raw_gp": self.raw_gp.json(),
            "scipy": self.scipy.json()?,
        });
        if let Some(tapkee) = &self.tapkee {
            numbers["tapkee"] = tapkee.json()?;
        }
        Ok(numbers)
    }
}

impl Rival {
    fn new() -> Self {
        Self { runs: Vec::new(), judgment: Value::Null }
    }

    fn all_seconds(&self) -> Result<Vec<f64>> {
        self.runs.iter().map(Timed::seconds).collect()
    }

    /// The least seconds that its script measured.
    pub fn seconds(&self) -> Result<f64> {
        Ok(least(self.all_seconds()?))
    }

    fn peak(&self) -> f64 {
        greatest(self.runs.iter().map(|run| run.peak))
    }

    /// A measure of its map.
    pub fn measure(&self, name: &str) -> Result<f64> {
        measure(&self.judgment, name)
    }

    fn times_bound(&self) -> Result<f64> {
        times_bound(&self.judgment)
    }

    fn json(&self) -> Result<Value> {
        let mut numbers = json!({"seconds": self.all_seconds()?, "peak_bytes": self.peak()});
        if !self.judgment.is_null() {
            numbers["measures"] = self.judgment["measures"].clone();
        }
        Ok(numbers)
    }
}
