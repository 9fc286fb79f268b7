//! The verdicts on surfaces that are ten times as dense at one end, and on surfaces of which one coordinate is a hundred times as long.

use super::super::Findings;
use super::super::table::{Row, Section, count, head, number};
use super::super::timed::Bench;
use super::{CLOSED, OPEN, Sizes, Trial, embedded, generated, percent};
use anyhow::Result;
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// From so many times as many points the dense and the sparse are drawn.
const DRAWN_FROM: usize = 4;

pub(super) fn uneven(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let made = |name: &str, points: usize, axis: usize| {
        let x = generated(bench, name, DRAWN_FROM * points, axis as u64)?;
        let points = points.to_string();
        changed(bench, &["uneven".as_ref(), &x, &x, points.as_ref(), "0".as_ref()])
    };
    verdicts(
        bench,
        "Ten times as dense at one end of the first coordinate, k = 12",
        sizes.uneven,
        &["seed 0", "seed 1"],
        made,
    )
}

pub(super) fn units(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let made = |name: &str, points: usize, axis: usize| {
        let (x, axis) = (generated(bench, name, points, 0)?, axis.to_string());
        changed(bench, &["long".as_ref(), &x, axis.as_ref(), "100".as_ref()])
    };
    verdicts(bench, "One coordinate a hundred times as long, k = 12", sizes.long, &["x", "y", "z"], made)
}

/// A file with changed points.
fn changed(bench: &Bench, words: &[&OsStr]) -> Result<OsString> {
    let output = bench.file("changed.npy");
    bench.script("noise_data.py", None, &[words, &[&output]].concat())?;
    Ok(output)
}

/// Which surfaces are torn, each changed in several ways.
fn verdicts(
    bench: &Bench,
    title: &str,
    sizes: &[usize],
    ways: &[&str],
    made: impl Fn(&str, usize, usize) -> Result<OsString>,
) -> Result<Findings> {
    let (mut rows, mut table, mut numbers) = (Vec::new(), Vec::new(), Vec::<Value>::new());
    for &points in sizes {
        println!("  {} points", count(points));
        let (mut same, mut all) = (0, 0);
        for name in CLOSED.iter().chain(OPEN) {
            let mut cells = vec![(*name).to_owned(), count(points)];
            for (number_of_way, way) in ways.iter().enumerate() {
                let found = embedded(bench, &made(name, points, number_of_way)?, 12, &[])?;
                all += 1;
                same += usize::from(found.is_torn() == CLOSED.contains(name));
                cells.push(told(&found));
                numbers.push(json!({"name": name, "points": points, "way": way, "torn": found.torn, "times": found.times, "facts": found.facts}));
            }
            table.push(cells);
        }
        rows.push(Row {
            what: format!("{title}, {} points: closed surfaces torn, open ones whole", count(points)),
            tool: format!("{same} of {all}"),
            figure: format!("{} otherwise", all - same),
            target: "0".to_owned(),
            holds: Some(same == all),
            ..Row::default()
        });
    }
    let section = Section {
        title: title.to_owned(),
        note: "The torn share of the pairs of neighbors, and R_N over its bound on what is left.".to_owned(),
        head: [head(&["surface", "points"]), head(ways)].concat(),
        rows: table,
        ..Section::default()
    };
    Ok(Findings { rows, sections: vec![section], numbers: json!(numbers) })
}

fn told(found: &Trial) -> String {
    let left = number(found.times);
    match (found.is_torn(), found.shortcuts) {
        (true, _) => format!("{}, {left} x", percent(found.torn)),
        (false, true) => format!("shortcuts, {left} x"),
        (false, false) => format!("whole, {left} x"),
    }
}
