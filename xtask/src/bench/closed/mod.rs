//! Surfaces that close on themselves and open ones, at many sizes: which of them psa tears, how much, what is left, and how long it
//! takes; the same where they are uneven (`changed`).

mod changed;
mod times;

use super::table::{Row, Section, count, head, number};
use super::timed::{Bench, greatest, median};
use super::{Benchmark, Findings};
use anyhow::Result;
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// Surfaces of one number of points.
struct Size {
    points: usize,
    neighbors: &'static [usize],
    seeds: u64,
}

/// What is tried.
pub(super) struct Sizes {
    /// Of all surfaces as they are.
    even: &'static [Size],
    /// Points of surfaces that are uneven, and of those with one long coordinate.
    uneven: &'static [usize],
    long: &'static [usize],
    /// Points of surfaces whose time is taken beside that of a roll.
    timed: &'static [usize],
    /// Points of surfaces that need only come out.
    largest: usize,
}

const ALL: &[usize] = &[8, 12, 20];

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "closed",
    note: "psa with no option but k; seconds are those of the embedding.",
    packages: &["numpy"],
    examples: &[],
    full: Sizes {
        even: &[
            Size { points: 1_000, neighbors: ALL, seeds: 5 },
            Size { points: 3_000, neighbors: ALL, seeds: 5 },
            Size { points: 10_000, neighbors: ALL, seeds: 5 },
            Size { points: 30_000, neighbors: ALL, seeds: 5 },
            Size { points: 100_000, neighbors: ALL, seeds: 1 },
        ],
        uneven: &[3_000, 10_000, 30_000],
        long: &[10_000, 100_000],
        timed: &[3_000, 10_000, 30_000, 100_000],
        largest: 1_000_000,
    },
    quick: Sizes {
        even: &[Size { points: 1_000, neighbors: &[12], seeds: 1 }],
        uneven: &[1_000],
        long: &[1_000],
        timed: &[1_000],
        largest: 3_000,
    },
    parts: &[
        ("closed", closed),
        ("open", open),
        ("goals", goals),
        ("times", times::times),
        ("uneven", changed::uneven),
        ("units", changed::units),
    ],
};

const CLOSED: &[&str] = &["cylinder", "moebius", "flat-torus", "torus", "sphere", "klein-bottle"];
const OPEN: &[&str] = &["swiss-roll", "swiss-roll-hole", "s-curve", "plane", "hemisphere", "twin-peaks"];
/// Goals of R_N on what is left, in multiples of its bound.
const GOALS: &[&str] = &["1.2", "1.5", "2", "3", "5", "10"];

/// What psa made of one sample.
struct Trial {
    /// The share of the pairs of neighbors that are torn.
    torn: f64,
    /// Whether what was torn are a few shortcuts between sheets.
    shortcuts: bool,
    /// R_N over its bound, on what is left where something was torn.
    times: f64,
    seconds: f64,
    facts: Value,
}

impl Trial {
    /// Whether the surface is torn, and not only freed of shortcuts.
    fn is_torn(&self) -> bool {
        self.torn > 0.0 && !self.shortcuts
    }
}

/// All samples of one surface, one size and one k.
struct Group {
    name: &'static str,
    points: usize,
    k: usize,
    trials: Vec<Trial>,
}

impl Group {
    fn torn(&self) -> usize {
        self.trials.iter().filter(|trial| trial.is_torn()).count()
    }

    fn shortcuts(&self) -> usize {
        self.trials.iter().filter(|trial| trial.shortcuts).count()
    }

    fn middle(&self, of: impl Fn(&Trial) -> f64) -> f64 {
        median(self.trials.iter().map(of).collect())
    }

    fn json(&self) -> Value {
        let trial = |trial: &Trial| json!({"torn": trial.torn, "shortcuts": trial.shortcuts, "times": trial.times, "seconds": trial.seconds, "facts": trial.facts});
        json!({"name": self.name, "points": self.points, "k": self.k, "trials": self.trials.iter().map(trial).collect::<Vec<_>>()})
    }
}

fn closed(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let groups = groups(bench, sizes.even, CLOSED)?;
    let (all, torn) = totals(&groups);
    let whole = Row {
        what: "closed surfaces that are torn".to_owned(),
        tool: format!("{torn} of {all}"),
        figure: format!("{} left whole", all - torn),
        target: "0".to_owned(),
        holds: Some(torn == all),
        ..Row::default()
    };
    let curved = groups.iter().filter(|group| ["sphere", "torus"].contains(&group.name));
    let worst = greatest(curved.flat_map(|group| group.trials.iter().map(|trial| trial.times)));
    let left = Row {
        what: "spheres and tori: R_N on what is left over its bound, greatest".to_owned(),
        figure: number(worst),
        target: "<= 2".to_owned(),
        holds: Some(worst <= 2.0),
        ..Row::default()
    };
    Ok(Findings {
        rows: vec![whole, left],
        sections: vec![section("Closed surfaces", &groups)],
        numbers: numbers(&groups),
    })
}

fn open(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let groups = groups(bench, sizes.even, OPEN)?;
    let (all, torn) = totals(&groups);
    let row = Row {
        what: "open surfaces that are left whole".to_owned(),
        tool: format!("{} of {all}", all - torn),
        figure: format!("{torn} torn"),
        target: "0".to_owned(),
        holds: Some(torn == 0),
        ..Row::default()
    };
    Ok(Findings { rows: vec![row], sections: vec![section("Open surfaces", &groups)], numbers: numbers(&groups) })
}

/// Torn share against R_N, chosen by `tear_goal`.
fn goals(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let points = sizes.timed[0];
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    for name in ["sphere", "torus", "hemisphere"] {
        for goal in GOALS {
            let goal = format!("tear_goal={goal}");
            let trial = trial(bench, (name, points, 12, 0), &["--set", "tear=true", "--set", &goal])?;
            rows.push(vec![name.to_owned(), goal.clone(), percent(trial.torn), number(trial.times)]);
            numbers.push(json!({"name": name, "goal": goal, "torn": trial.torn, "times": trial.times}));
        }
    }
    let section = Section {
        title: format!("Torn share against R_N, {} points, k = 12, tear = true", count(points)),
        head: head(&["surface", "goal", "torn", "R_N / bound on what is left"]),
        rows,
        ..Section::default()
    };
    Ok(Findings { rows: Vec::new(), sections: vec![section], numbers: json!(numbers) })
}

fn groups(bench: &Bench, sizes: &[Size], names: &'static [&'static str]) -> Result<Vec<Group>> {
    let mut groups = Vec::new();
    for size in sizes {
        println!("  {} points", count(size.points));
        for &name in names {
            for &k in size.neighbors {
                let trials = (0..size.seeds).map(|seed| trial(bench, (name, size.points, k, seed), &[]));
                groups.push(Group { name, points: size.points, k, trials: trials.collect::<Result<_>>()? });
            }
        }
    }
    Ok(groups)
}

/// Embeds one sample.
fn trial(bench: &Bench, (name, points, k, seed): (&str, usize, usize, u64), more: &[&str]) -> Result<Trial> {
    let x = generated(bench, name, points, seed)?;
    embedded(bench, &x, k, more)
}

/// One sample.
fn generated(bench: &Bench, name: &str, points: usize, seed: u64) -> Result<OsString> {
    let x = bench.file("closed.npy");
    let [points, seed] = [points.to_string(), seed.to_string()];
    let mut words: Vec<&OsStr> =
        ["generate", name, "--points", &points, "--seed", &seed, "--output"].map(OsStr::new).into();
    words.push(&x);
    bench.tool(&words)?;
    Ok(x)
}

/// The map of a sample.
fn embedded(bench: &Bench, x: &OsStr, k: usize, more: &[&str]) -> Result<Trial> {
    let (y, k) = (bench.file("closed-map.npy"), k.to_string());
    let mut words: Vec<&OsStr> = vec!["embed".as_ref(), x];
    words.extend(["--method", "psa", "--k", &k, "--format", "json"].map(OsStr::new));
    words.extend(more.iter().map(OsStr::new));
    words.extend(["--output".as_ref(), y.as_os_str()]);
    let report = bench.tool(&words)?.output;
    let (torn, values) = match &report["tear"] {
        Value::Null => (0.0, &report),
        tear => (tear["share"].as_f64().unwrap_or(f64::NAN), tear),
    };
    let [value, bound] = ["measures", "lower_bounds"].map(|of| values[of]["r_n"].as_f64().unwrap_or(f64::NAN));
    anyhow::ensure!(value.is_finite() && bound.is_finite(), "the report has no R_N");
    // A plane has a bound of nothing but rounding.
    let times = if value < 1e-20 || bound == 0.0 { 1.0 } else { value / bound };
    let time = report["seconds"]["embed"].as_f64().unwrap_or(f64::NAN);
    let shortcuts = report["facts"]["shortcuts"].as_u64().is_some_and(|pairs| pairs > 0);
    Ok(Trial { torn, shortcuts, times, seconds: time, facts: report["facts"].clone() })
}

fn totals(groups: &[Group]) -> (usize, usize) {
    (groups.iter().map(|group| group.trials.len()).sum(), groups.iter().map(Group::torn).sum())
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

fn numbers(groups: &[Group]) -> Value {
    json!(groups.iter().map(Group::json).collect::<Vec<_>>())
}

fn section(title: &str, groups: &[Group]) -> Section {
    let row = |group: &Group| {
        vec![
            group.name.to_owned(),
            count(group.points),
            group.k.to_string(),
            format!("{} of {}", group.torn(), group.trials.len()),
            group.shortcuts().to_string(),
            percent(group.middle(|trial| trial.torn)),
            number(group.middle(|trial| trial.times)),
            number(greatest(group.trials.iter().map(|trial| trial.times))),
        ]
    };
    Section {
        title: title.to_owned(),
        note: "Medians over the seeds, and the greatest R_N over its bound; on what is left where something was torn."
            .to_owned(),
        head: head(&["surface", "points", "k", "torn", "only shortcuts", "share", "R_N / bound", "greatest"]),
        rows: groups.iter().map(row).collect(),
        ..Section::default()
    }
}
