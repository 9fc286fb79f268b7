//! `cargo xtask pace`: whether one build of the tool is slower than another.
//!
//! The tool's rows of `cargo xtask bench embed` and `bench measure`, without the other programs. Both builds run each
//! command in turn, so that other load on the machine affects both. A row shows the least seconds of several rounds, because
//! noise only adds time.

use crate::project::target;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const USE: &str = "cargo xtask pace --before TOOL --after TOOL [--rounds N]";

/// The ratio up to which a build does not count as slower: a smaller difference may be noise.
const NOISE: f64 = 1.03;

/// Rounds of a command that takes less than a second, unless another number is given; longer ones take fewer.
const ROUNDS: usize = 15;

/// The files that the commands read: name and the words of `generate`.
const DATA: &[(&str, &str)] = &[
    ("roll1000", "swiss-roll --points 1000"),
    ("roll10000", "swiss-roll --points 10000"),
    ("roll100000", "swiss-roll --points 100000"),
    ("roll1000000", "swiss-roll --points 1000000"),
    ("cylinder", "cylinder --points 5000"),
];

/// What is timed: a title, and the words of the command; `@NAME` is a file, `@NAME.z` its true coordinates.
const COMMANDS: &[(&str, &str)] = &[
    ("psa, 1,000", "embed @roll1000 --method psa --k 12 --output @out"),
    ("psa, 10,000", "embed @roll10000 --method psa --k 12 --output @out"),
    ("psa, 100,000", "embed @roll100000 --method psa --k 12 --output @out"),
    ("psa, 1,000,000", "embed @roll1000000 --method psa --k 12 --output @out"),
    ("psa, cylinder, 5,000", "embed @cylinder --method psa --k 12 --output @out"),
    ("gp, 1,000", "embed @roll1000 --method gp --k 12 --output @out"),
    ("gp, 10,000", "embed @roll10000 --method gp --k 12 --output @out"),
    ("gp, 100,000", "embed @roll100000 --method gp --k 12 --output @out"),
    ("gp without refinement, 1,000,000", "embed @roll1000000 --method gp --set refine=none --k 12 --output @out"),
    ("ltsa, 100,000", "embed @roll100000 --method ltsa --k 12 --output @out"),
    ("lle, 10,000", "embed @roll10000 --method lle --k 12 --output @out"),
    ("landmark-isomap, 100,000", "embed @roll100000 --method landmark-isomap --k 12 --output @out"),
    ("measure, 10,000", "measure @roll10000 @roll10000.z --k 12"),
    ("measure, 100,000", "measure @roll100000 @roll100000.z --k 12"),
    ("measure, 1,000,000", "measure @roll1000000 @roll1000000.z --k 12"),
    ("trustworthiness, 100,000", "measure @roll100000 @roll100000.z --k 12 --measures trustworthiness"),
    ("collapse, 100,000", "measure @roll100000 @roll100000.z --k 12 --measures collapse"),
    ("neighbors, 1,000,000", "neighbors @roll1000000 --k 12 --output @out"),
    ("neighbors by brute force, 10,000", "neighbors @roll10000 --k 12 --algorithm brute --output @out"),
];

/// Times both builds and prints the ratios.
pub fn run(words: &[&str]) -> Result<()> {
    let (mut before, mut after, mut most) = (None, None, ROUNDS);
    for pair in words.chunks(2) {
        match pair {
            ["--before", tool] => before = Some(Path::new(*tool)),
            ["--after", tool] => after = Some(Path::new(*tool)),
            ["--rounds", number] => most = number.parse().context("--rounds needs a whole number")?,
            _ => bail!("say {USE}"),
        }
    }
    let (Some(before), Some(after)) = (before, after) else { bail!("say {USE}") };
    let folder = target()?.join("pace");
    std::fs::create_dir_all(&folder).context("cannot make target/pace")?;
    for (name, made) in DATA {
        let line = format!("generate {made} --seed 1 --output @{name} --truth @{name}.z");
        timed(before, &line, &folder)?;
    }
    println!("{:<36} {:>10} {:>10} {:>7}", "seconds", "before", "after", "ratio");
    let mut ratios = Vec::new();
    for (title, line) in COMMANDS {
        let (old, new) = in_turn(before, after, line, &folder, most)?;
        let ratio = new / old;
        println!("{title:<36} {old:>10.4} {new:>10.4} {ratio:>7.3}");
        ratios.push(ratio);
    }
    let slower = ratios.iter().filter(|&&ratio| ratio > NOISE).count();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    let within = 100.0 * (NOISE - 1.0);
    println!(
        "pace: {} rows, {slower} slower by more than {within:.0} %; geometric mean of after / before {mean:.3}, largest {largest:.3}",
        ratios.len()
    );
    Ok(())
}

/// The least seconds of both builds over the rounds.
fn in_turn(before: &Path, after: &Path, line: &str, folder: &Path, most: usize) -> Result<(f64, f64)> {
    let (mut old, mut new) = (timed(before, line, folder)?, timed(after, line, folder)?);
    let rounds = if old < 1.0 { most } else { (most / 3).clamp(3, 5) };
    for round in 1..rounds {
        // The one that goes first changes, as the second finds the caches of the first.
        let order = if round % 2 == 0 {
            [(before, &mut old), (after, &mut new)]
        } else {
            [(after, &mut new), (before, &mut old)]
        };
        for (tool, least) in order {
            *least = least.min(timed(tool, line, folder)?);
        }
    }
    Ok((old, new))
}

/// The seconds of one command.
fn timed(tool: &Path, line: &str, folder: &Path) -> Result<f64> {
    let mut command = Command::new(tool);
    for word in line.split_whitespace() {
        match word.strip_prefix('@') {
            Some(name) => command.arg(folder.join(format!("{name}.npy"))),
            None => command.arg(word),
        };
    }
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{} did not start", tool.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    if !output.status.success() {
        bail!("`{line}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(seconds)
}
