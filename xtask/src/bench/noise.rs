//! Noisy swiss rolls with no option but the method: the errors of the maps of psa and of scikit-learn's methods, beside
//! the error that would remain if the true surface were known. And what is told of noisy data: see `told`.

mod told;

use super::table::{Row, Section, count, head, number, seconds};
use super::timed::{Attempt, Bench, Bounds, greatest};
use super::{Benchmark, Findings};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// One kind of roll.
pub struct Roll {
    points: usize,
    noise: &'static str,
    /// The first seed, and how many there are.
    first: u64,
    seeds: u64,
    /// For how many of them the other programs run.
    peers: u64,
    /// What the error should be at most.
    target: Target,
}

#[derive(Clone, Copy, PartialEq)]
enum Target {
    /// It is shown only.
    None,
    /// The greatest over the seeds.
    Greatest(f64),
    /// The median over the seeds, against that of the nearest places on the true surface.
    MedianOfNearest,
}

/// The rolls, and for what is told of data the seeds of each and the most points.
pub struct Sizes {
    rolls: &'static [Roll],
    told_seeds: u64,
    told_points: usize,
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "noise",
    note: "Swiss rolls, k = 12, d = 2, no other option given; all methods in turn on the same points.",
    packages: &["numpy", "scipy", "scikit-learn"],
    examples: &[],
    full: Sizes {
        rolls: &[
            Roll { points: 2_500, noise: "0", first: 0, seeds: 1, peers: 1, target: Target::None },
            Roll { points: 2_500, noise: "0.25", first: 0, seeds: 1, peers: 1, target: Target::None },
            Roll { points: 2_500, noise: "0.5", first: 0, seeds: 10, peers: 3, target: Target::Greatest(0.03) },
            Roll { points: 2_500, noise: "1", first: 0, seeds: 10, peers: 3, target: Target::Greatest(0.1) },
            // Seeds that were not looked at when the method was made.
            Roll { points: 2_500, noise: "1", first: 100, seeds: 10, peers: 0, target: Target::MedianOfNearest },
            Roll { points: 20_000, noise: "0.3", first: 0, seeds: 3, peers: 1, target: Target::Greatest(0.02) },
        ],
        told_seeds: 3,
        told_points: 20_000,
    },
    quick: Sizes {
        rolls: &[Roll { points: 1_500, noise: "0.5", first: 0, seeds: 1, peers: 1, target: Target::Greatest(0.05) }],
        told_seeds: 1,
        told_points: 1_500,
    },
    parts: &[("rolls", run), ("dimensions", told::dimensions), ("recognition", told::recognition)],
};

const PEERS: &[&str] = &["isomap", "ltsa", "lle"];
const BOUNDS: Bounds = Bounds { bytes: 16_000_000_000, seconds: 60 };

/// The result of one method on one roll.
struct Trial {
    seed: u64,
    method: &'static str,
    program: &'static str,
    /// The error after a rigid motion, after a linear map, and the seconds; or why there is no map.
    result: Result<(f64, f64, f64), &'static str>,
    /// The facts that psa reported.
    facts: Value,
}

/// All results of one kind of roll.
struct Measured<'a> {
    roll: &'a Roll,
    trials: Vec<Trial>,
    /// For each seed the error of the nearest points on the true surface.
    nearest: Vec<f64>,
}

fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let measured: Vec<Measured<'_>> = sizes.rolls.iter().map(|roll| measure(bench, roll)).collect::<Result<_>>()?;
    let mut section = Section {
        title: "All maps".to_owned(),
        note: "The error is |H Z - H Y A| / |H Z| of the map Y from the true coordinates Z, after the best rigid \
               motion A; 'up to a linear map' uses the best linear map instead, because LTSA and LLE choose their own \
               scale. 'Nearest' is the error if the true surface were known and every point were put at the place on \
               it nearest to where it was measured: noise that moves a point along the surface, or toward another \
               turn of the roll, cannot be removed by any method. Shortcuts are pairs of neighbors that psa \
               recognized as brought together by noise."
            .to_owned(),
        head: head(&[
            "points",
            "noise",
            "seed",
            "nearest",
            "method",
            "program",
            "error",
            "up to a linear map",
            "seconds",
            "shortcuts",
        ]),
        ..Section::default()
    };
    for of in &measured {
        for trial in &of.trials {
            let (error, affine, time) = match trial.result {
                Ok((error, affine, time)) => (number(error), number(affine), seconds(time)),
                Err(why) => (why.to_owned(), String::new(), String::new()),
            };
            section.rows.push(vec![
                count(of.roll.points),
                of.roll.noise.to_owned(),
                trial.seed.to_string(),
                number(of.nearest[(trial.seed - of.roll.first) as usize]),
                trial.method.to_owned(),
                trial.program.to_owned(),
                error,
                affine,
                time,
                trial.facts["shortcuts"].as_u64().map_or_else(String::new, |pairs| pairs.to_string()),
            ]);
        }
    }
    let rows = measured.iter().filter_map(claim).collect();
    let numbers = measured.iter().map(json_of).collect::<Vec<_>>();
    Ok(Findings { rows, sections: vec![section], numbers: json!(numbers) })
}

/// The error of psa over the seeds against its target.
fn claim(of: &Measured<'_>) -> Option<Row> {
    let errors = |method: &str| {
        let trials = of.trials.iter().filter(|trial| trial.method == method);
        trials.filter_map(|trial| trial.result.ok().map(|result| result.0)).collect::<Vec<f64>>()
    };
    let own = errors("psa");
    let (figure, target, which) = match of.roll.target {
        Target::None => return None,
        Target::Greatest(target) => (greatest(own.iter().copied()), target, "greatest"),
        Target::MedianOfNearest => (middle(&own), middle(&of.nearest), "median"),
    };
    let (first, seeds) = (of.roll.first, of.roll.seeds);
    let seeds = if seeds == 1 { String::new() } else { format!(", {which} of seeds {first} to {}", first + seeds - 1) };
    Some(Row {
        what: format!("{} points, noise {}: error of the map{seeds}", count(of.roll.points), of.roll.noise),
        tool: own.iter().map(|&error| number(error)).collect::<Vec<_>>().join(", "),
        beside: format!(
            "nearest on the true surface {}; scikit-learn's Isomap {}",
            of.nearest.iter().map(|&error| number(error)).collect::<Vec<_>>().join(", "),
            errors("isomap").iter().map(|&error| number(error)).collect::<Vec<_>>().join(", ")
        ),
        figure: number(figure),
        target: format!("<= {}", number(target)),
        holds: Some(figure <= target),
    })
}

/// The median; for an even number of values, the mean of the two in the middle.
fn middle(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    0.5 * (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2])
}

fn measure<'a>(bench: &Bench, roll: &'a Roll) -> Result<Measured<'a>> {
    let mut measured = Measured { roll, trials: Vec::new(), nearest: Vec::new() };
    for seed in roll.first..roll.first + roll.seeds {
        println!("  {} points, noise {}, seed {seed}", roll.points, roll.noise);
        let [x, z, y] = ["noisy.npy", "noisy-truth.npy", "noisy-map.npy"].map(|name| bench.file(name));
        let (points, number) = (roll.points.to_string(), seed.to_string());
        let mut words: Vec<&OsStr> =
            ["generate", "swiss-roll", "--points", &points, "--noise", roll.noise, "--seed", &number]
                .map(OsStr::new)
                .into();
        words.extend([OsStr::new("--output"), &x, OsStr::new("--truth"), &z]);
        bench.tool(&words)?;
        let mut words: Vec<&OsStr> = vec!["embed".as_ref(), &x];
        words.extend(["--method", "psa", "--format", "json", "--output"].map(OsStr::new));
        words.push(&y);
        let report = bench.tool(&words)?.output;
        let stage =
            |name: &str| report["seconds"][name].as_f64().with_context(|| format!("the tool printed no {name}"));
        let seconds = stage("neighbors")? + stage("embed")?;
        let errors = errors(bench, &x, &z, &y)?;
        measured.nearest.push(errors.nearest);
        let facts = report["facts"].clone();
        let result = Ok((errors.rigid, errors.affine, seconds));
        measured.trials.push(Trial { seed, method: "psa", program: "truefold", result, facts });
        for &method in PEERS.iter().filter(|_| seed < roll.first + roll.peers) {
            let words: [&OsStr; 5] = ["scikit-learn".as_ref(), method.as_ref(), &x, "12".as_ref(), &y];
            let result = match bench.attempt("peer.py", BOUNDS, &words)? {
                Attempt::TooSlow => Err("stopped, too slow"),
                Attempt::Failed => Err("ended with an error"),
                Attempt::Done(timed) => {
                    let errors = self::errors(bench, &x, &z, &y)?;
                    Ok((errors.rigid, errors.affine, timed.seconds()?))
                }
            };
            measured.trials.push(Trial { seed, method, program: "scikit-learn", result, facts: Value::Null });
        }
    }
    Ok(measured)
}

/// The errors of a map.
struct Errors {
    nearest: f64,
    rigid: f64,
    affine: f64,
}

fn errors(bench: &Bench, x: &OsString, z: &OsString, y: &OsString) -> Result<Errors> {
    let report = bench.script("noise_error.py", None, &[x, z, y])?.output;
    let of = |name: &str| report[name].as_f64().with_context(|| format!("noise_error.py printed no {name}"));
    Ok(Errors { nearest: of("nearest")?, rigid: of("error")?, affine: of("affine")? })
}

fn json_of(of: &Measured<'_>) -> Value {
    json!({
        "points": of.roll.points,
        "noise": of.roll.noise,
        "nearest": of.nearest,
        "trials": of.trials.iter().map(|trial| json!({
            "seed": trial.seed,
            "method": trial.method,
            "program": trial.program,
            "error": trial.result.ok().map(|result| result.0),
            "error_affine": trial.result.ok().map(|result| result.1),
            "seconds": trial.result.ok().map(|result| result.2),
            "failure": trial.result.err(),
            "facts": trial.facts,
        })).collect::<Vec<_>>(),
    })
}
