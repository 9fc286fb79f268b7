//! How long closed surfaces take beside a swiss roll of as many points.

use super::super::Findings;
use super::super::table::{Row, Section, count, head, number, seconds};
use super::super::timed::{Bench, median};
use super::{CLOSED, Sizes, percent, trial};
use anyhow::Result;
use serde_json::json;

/// Each surface is embedded so often, in turn with the roll.
const RUNS: usize = 5;
/// What a closed surface may take, in times of the roll.
const MOST: f64 = 5.0;

pub(super) fn times(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut table, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for &points in sizes.timed {
        println!("  {} points", count(points));
        let mut taken = vec![Vec::new(); CLOSED.len() + 1];
        for _ in 0..RUNS {
            for (name, taken) in ["swiss-roll"].iter().chain(CLOSED).zip(&mut taken) {
                taken.push(trial(bench, (name, points, 12, 1), &[])?.seconds);
            }
        }
        let middle: Vec<f64> = taken.into_iter().map(median).collect();
        let ratios: Vec<f64> = middle[1..].iter().map(|one| one / middle[0]).collect();
        table.push(
            [vec![count(points), seconds(middle[0])], ratios.iter().map(|one| format!("{one:.1} x")).collect()]
                .concat(),
        );
        let (slowest, most) = CLOSED
            .iter()
            .zip(&ratios)
            .fold(("", 0.0), |most, (name, &one)| if one > most.1 { (*name, one) } else { most });
        rows.push(Row {
            what: format!("{} points, k = 12: the slowest closed surface beside a swiss roll", count(points)),
            tool: slowest.to_owned(),
            beside: seconds(middle[0]),
            figure: format!("{most:.1} x"),
            target: format!("<= {MOST}"),
            holds: Some(most <= MOST),
        });
        numbers.push(json!({"points": points, "roll": middle[0], "ratios": ratios}));
    }
    let mut largest = Vec::new();
    for name in ["swiss-roll"].iter().chain(CLOSED) {
        println!("  {name}, {} points", count(sizes.largest));
        let found = trial(bench, (name, sizes.largest, 12, 1), &[])?;
        largest.push(vec![(*name).to_owned(), percent(found.torn), number(found.times), seconds(found.seconds)]);
        numbers.push(json!({"points": sizes.largest, "name": name, "torn": found.torn, "times": found.times, "seconds": found.seconds}));
    }
    let sections = vec![
        Section {
            title: "Seconds of closed surfaces beside a swiss roll, k = 12".to_owned(),
            note: format!("Medians of {RUNS} runs by the clock, all surfaces in turn; in times of the roll's."),
            head: [head(&["points", "swiss-roll"]), head(CLOSED)].concat(),
            rows: table,
            ..Section::default()
        },
        Section {
            title: format!("{} points, k = 12, one run each", count(sizes.largest)),
            head: head(&["surface", "torn", "R_N / bound on what is left", "seconds"]),
            rows: largest,
            ..Section::default()
        },
    ];
    Ok(Findings { rows, sections, numbers: json!(numbers) })
}
