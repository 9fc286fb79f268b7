//! Planted faults, true maps and unrelated maps: what share of each gets which verdict.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, Section, head};
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;

const CLASSES: [&str; 5] = ["faithful", "shape_lost", "false_neighbors", "neighbors_missing", "chance"];

/// A kind of map, and the verdicts that its fault should get.
struct Kind {
    name: &'static str,
    expected: &'static [&'static str],
}

const FAULTS: &[Kind] = &[
    Kind { name: "seam", expected: &["neighbors_missing"] },
    Kind { name: "swapped", expected: &["chance"] },
    Kind { name: "folded", expected: &["false_neighbors"] },
    Kind { name: "scattered", expected: &["chance", "false_neighbors", "neighbors_missing"] },
];
const TRUE: &[&str] = &["true roll", "true plane", "true s-curve"];
const UNRELATED: &[&str] = &["unrelated roll", "unrelated gaussian", "unrelated clusters"];

/// Counts of verdicts, where the fault was planted, where nothing is wrong, and near the fault.
type Counts = BTreeMap<&'static str, BTreeMap<&'static str, u64>>;

pub(super) fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut cells, mut numbers) = (Vec::new(), Vec::new(), Map::new());
    let mut counted = |name: &str| -> Result<Vec<Counts>> {
        println!("  {name}");
        let each: Vec<Counts> = (0..sizes.seeds).map(|seed| count(bench, name, seed)).collect::<Result<_>>()?;
        cells.extend(["planted", "near", "sound"].into_iter().filter_map(|place| line(name, place, &each)));
        numbers.insert(name.to_owned(), json!(each));
        Ok(each)
    };
    for kind in FAULTS {
        rows.extend(found(kind, &counted(kind.name)?));
    }
    for name in TRUE {
        let each = counted(name)?;
        let share = 1.0 - all(&each, "sound", &CLASSES[1..]) as f64 / all(&each, "sound", &CLASSES) as f64;
        rows.push(claim(format!("{name}: faithful"), share, ">= 0.99", share >= 0.99));
    }
    for name in UNRELATED {
        let each = counted(name)?;
        let points = all(&each, "sound", &CLASSES) as f64;
        let share = all(&each, "sound", &CLASSES[..4]) as f64 / points;
        let most = 0.05 + 2.0 * (0.05 * 0.95 / points).sqrt();
        rows.push(claim(format!("{name}: any verdict but chance"), share, &format!("<= {most:.4}"), share <= most));
    }
    let section = Section {
        title: "Planted faults".to_owned(),
        note: "Points with each verdict over all seeds. Seam: a cylinder cut open, planted are the points that lose at \
               least a quarter of their neighbors to the other side. Swapped: 200 rows of a true map exchanged. Folded: one \
               of nine clusters laid onto another. Scattered: the points of one of nine clusters anywhere in the map. Near \
               are points with some planted neighbors, which count for neither side."
            .to_owned(),
        head: head(&["map", "points", "faithful", "shape lost", "false neighbors", "neighbors missing", "chance"]),
        rows: cells,
        ..Section::default()
    };
    Ok(Findings { rows, sections: vec![section], numbers: Value::Object(numbers) })
}

/// The verdicts on one map.
fn count(bench: &Bench, name: &str, seed: u64) -> Result<Counts> {
    let [x, y, t, p] = ["fault-x.npy", "fault-y.npy", "fault-t.npy", "fault.csv"].map(|name| bench.file(name));
    let seed = seed.to_string();
    let make: [&OsStr; 6] = ["make".as_ref(), name.as_ref(), seed.as_ref(), &x, &y, &t];
    bench.script("verdict_faults.py", None, &make)?;
    let measure: [&OsStr; 7] =
        ["measure".as_ref(), &x, &y, "--per-point".as_ref(), &p, "--format".as_ref(), "json".as_ref()];
    bench.tool(&measure)?;
    let judge: [&OsStr; 3] = ["judge".as_ref(), &t, &p];
    let found = bench.script("verdict_faults.py", None, &judge)?.output;
    let of = |place: &str| CLASSES.map(|class| (class, found[place][class].as_u64().unwrap_or(0))).into();
    Ok(["planted", "near", "sound"].map(|place| (place, of(place))).into())
}

fn all(each: &[Counts], place: &str, classes: &[&str]) -> u64 {
    each.iter().flat_map(|counts| classes.iter().map(|class| counts[place][class])).sum()
}

fn line(name: &str, place: &str, each: &[Counts]) -> Option<Vec<String>> {
    let mut cells = vec![name.to_owned(), place.to_owned()];
    cells.extend(CLASSES.map(|class| all(each, place, &[class]).to_string()));
    (all(each, place, &CLASSES) > 0).then_some(cells)
}

/// Recall and false discovery rate of a planted fault.
fn found(kind: &Kind, each: &[Counts]) -> [Row; 2] {
    let hits = all(each, "planted", kind.expected) as f64;
    let recall = hits / all(each, "planted", &CLASSES) as f64;
    let wrong = all(each, "sound", kind.expected) as f64;
    let rate = wrong / (wrong + hits).max(1.0);
    let named = kind.expected.join(" or ").replace('_', " ");
    [
        claim(format!("{}: recall of \"{named}\"", kind.name), recall, ">= 0.9", recall >= 0.9),
        claim(format!("{}: false discovery rate of \"{named}\"", kind.name), rate, "<= 0.1", rate <= 0.1),
    ]
}

fn claim(what: String, share: f64, target: &str, holds: bool) -> Row {
    Row { what, figure: format!("{share:.4}"), target: target.to_owned(), holds: Some(holds), ..Row::default() }
}
