//! What is told of data with noise and of data without: how many dimensions they have, and whether they are noisy.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, Section, count, head};
use crate::bench::timed::Bench;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// Data of which the answer is known.
#[derive(Debug)]
pub struct Known {
    /// Where they come from.
    source: Source,
    /// The numbers of points, each drawn with as many seeds as the sizes say.
    points: &'static [usize],
    /// How many dimensions they have, and whether noise is to be seen in them.
    answer: u64,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    /// A built-in data set with this noise.
    BuiltIn(&'static str, &'static str),
    /// A built-in data set without noise, ten times as dense at one end.
    Uneven(&'static str),
    /// A solid of three dimensions.
    Solid(&'static str),
}

const fn of(source: Source, points: &'static [usize], answer: u64) -> Known {
    Known { source, points, answer }
}

const ROLLS: &[usize] = &[1_500, 2_500, 5_000, 20_000];
const SMALL_AND_LARGE: &[usize] = &[500, 2_500, 20_000];

/// The answer is the number of dimensions.
static DIMENSIONS: &[Known] = &[
    of(Source::BuiltIn("swiss-roll", "1"), ROLLS, 2),
    of(Source::BuiltIn("s-curve", "0.15"), ROLLS, 2),
    of(Source::BuiltIn("hemisphere", "0.1"), ROLLS, 2),
    of(Source::BuiltIn("cylinder", "0.1"), ROLLS, 2),
    of(Source::BuiltIn("twin-peaks", "0.1"), ROLLS, 2),
    of(Source::BuiltIn("helix", "0.1"), ROLLS, 1),
    of(Source::Solid("cube"), SMALL_AND_LARGE, 3),
    of(Source::Solid("ball"), SMALL_AND_LARGE, 3),
    of(Source::Solid("cloud"), SMALL_AND_LARGE, 3),
    of(Source::Solid("ring"), SMALL_AND_LARGE, 3),
];

/// The answer is whether psa finds noise.
static NOISY: &[Known] = &[
    of(Source::BuiltIn("swiss-roll", "0.6"), &[900], 1),
    of(Source::BuiltIn("swiss-roll", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("swiss-roll-hole", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("s-curve", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("cylinder", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("hemisphere", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("sphere", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("torus", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("moebius", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("klein-bottle", "0"), SMALL_AND_LARGE, 0),
    of(Source::BuiltIn("twin-peaks", "0"), SMALL_AND_LARGE, 0),
    of(Source::Uneven("swiss-roll"), SMALL_AND_LARGE, 0),
    of(Source::Uneven("s-curve"), SMALL_AND_LARGE, 0),
    of(Source::Uneven("twin-peaks"), SMALL_AND_LARGE, 0),
];

/// How many dimensions `suggest` names.
pub(super) fn dimensions(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let ask = |x: &OsString| -> Result<u64> {
        let words: [&OsStr; 4] = ["suggest".as_ref(), x, "--format".as_ref(), "json".as_ref()];
        let report = bench.tool(&words)?.output;
        report["dim"].as_u64().context("the tool printed no dim")
    };
    let title = "Dimensions that suggest names";
    findings(bench, sizes, (title, "as many dimensions as there are"), DIMENSIONS, ask)
}

/// Whether psa finds noise.
pub(super) fn recognition(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let ask = |x: &OsString| -> Result<u64> {
        let y = bench.file("told-map.npy");
        let words = ["--method", "psa", "--set", "tear=false", "--set", "refine=none", "--format", "json", "--output"];
        let mut line: Vec<&OsStr> = vec!["embed".as_ref(), x];
        line.extend(words.map(OsStr::new));
        line.push(&y);
        let report = bench.tool(&line)?.output;
        Ok(u64::from(report["facts"]["denoise_rounds"].is_u64()))
    };
    let title = "Whether psa finds noise: 1 if it does";
    findings(bench, sizes, (title, "noise found where there is some, and nowhere else"), NOISY, ask)
}

fn findings(
    bench: &Bench,
    sizes: &Sizes,
    (title, claim): (&str, &str),
    known: &[Known],
    ask: impl Fn(&OsString) -> Result<u64>,
) -> Result<Findings> {
    let mut section = Section {
        title: title.to_owned(),
        note: format!("Seeds 0 to {}, one answer each.", sizes.told_seeds - 1),
        head: head(&["data", "points", "answers", "right"]),
        ..Section::default()
    };
    let (mut numbers, mut right, mut all) = (Vec::new(), 0, 0);
    for one in known {
        for &points in one.points.iter().filter(|&&points| points <= sizes.told_points) {
            let answers: Vec<u64> =
                (0..sizes.told_seeds).map(|seed| ask(&one.source.make(bench, points, seed)?)).collect::<Result<_>>()?;
            right += answers.iter().filter(|&&answer| answer == one.answer).count();
            all += answers.len();
            let listed = answers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            println!("  {}, {points} points: {listed}", one.source.name());
            section.rows.push(vec![one.source.name(), count(points), listed, one.answer.to_string()]);
            let row: Value =
                json!({ "data": one.source.name(), "points": points, "answers": answers, "right": one.answer });
            numbers.push(row);
        }
    }
    let row = Row {
        what: claim.to_owned(),
        tool: format!("{right} of {all} data sets"),
        figure: (all - right).to_string(),
        target: "0 wrong".to_owned(),
        holds: Some(right == all),
        ..Row::default()
    };
    Ok(Findings { rows: vec![row], sections: vec![section], numbers: json!(numbers) })
}

impl Source {
    fn name(self) -> String {
        match self {
            Self::BuiltIn(name, "0") => name.to_owned(),
            Self::BuiltIn(name, noise) => format!("{name}, noise {noise}"),
            Self::Uneven(name) => format!("{name}, ten times as dense at one end"),
            Self::Solid(name) => format!("solid {name}"),
        }
    }

    /// The file with so many points.
    fn make(self, bench: &Bench, points: usize, seed: u64) -> Result<OsString> {
        let [x, z, part] = ["told.npy", "told-truth.npy", "told-part.npy"].map(|name| bench.file(name));
        let (drawn, number) = (points.to_string(), seed.to_string());
        let generate = |name: &str, drawn: &str, noise: &str| {
            let mut words: Vec<&OsStr> =
                ["generate", name, "--points", drawn, "--noise", noise, "--seed", &number].map(OsStr::new).into();
            words.extend([OsStr::new("--output"), &x, OsStr::new("--truth"), &z]);
            bench.tool(&words).map(drop)
        };
        match self {
            Self::BuiltIn(name, noise) => generate(name, &drawn, noise)?,
            Self::Uneven(name) => {
                generate(name, &(6 * points).to_string(), "0")?;
                let words: [&OsStr; 6] = ["uneven".as_ref(), &x, &z, drawn.as_ref(), number.as_ref(), &part];
                bench.script("noise_data.py", None, &words)?;
                return Ok(part);
            }
            Self::Solid(name) => {
                let words: [&OsStr; 5] = ["solid".as_ref(), name.as_ref(), drawn.as_ref(), number.as_ref(), &x];
                bench.script("noise_data.py", None, &words)?;
            }
        }
        Ok(x)
    }
}
