//! Broken files given to the tool as a user gives them: it ends with a result or with one sentence.

use crate::draw::Draw;
use crate::limit::Limit;
use crate::target::{TARGETS, Target};
use crate::watch::quick_folder;
use crate::worker::save;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What came of the files of one reader.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    pub name: &'static str,
    pub runs: u64,
    /// Runs that ended with a result.
    pub results: u64,
    pub findings: u64,
}

/// How often, how long and where.
pub struct Plan<'a> {
    pub tool: &'a Path,
    /// The folder in which findings are stored.
    pub findings: &'a Path,
    pub seed: u64,
    /// The most runs.
    pub runs: u64,
    pub time: Duration,
}

/// The seconds that a run may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// The findings stored of one reader by one lane.
const STORED: u64 = 20;

/// All readers but the last, which reads command lines.
fn readers() -> &'static [Target] {
    &TARGETS[..TARGETS.len() - 1]
}

impl Plan<'_> {
    /// Runs the tool on broken files of all kinds, with limits of memory and time; the tallies in the order of the table.
    ///
    /// A run is made from its number, so that the same seed gives the same runs on any number of processors.
    pub fn run(&self) -> Result<Vec<Tally>> {
        let seeds: Vec<Vec<Vec<u8>>> = readers().iter().map(|target| (target.seeds)(target)).collect::<Result<_>>()?;
        let _limit = Limit::new();
        let (next, end) = (AtomicU64::new(0), Instant::now() + self.time);
        let lanes = std::thread::available_parallelism().map_or(2, usize::from);
        let lane = || -> Result<Vec<Tally>> {
            let folder = quick_folder()?;
            std::fs::write(folder.path().join("good.npy"), &seeds[2][0])?;
            let mut tallies = vec![Tally::default(); readers().len()];
            while Instant::now() < end {
                let number = next.fetch_add(1, Relaxed);
                if number >= self.runs {
                    break;
                }
                let mut draw = Draw::new(self.seed.wrapping_add(number.wrapping_mul(0xD134_2543_DE82_EF95)));
                let at = draw.below(tallies.len());
                self.once(&mut draw, &readers()[at], &seeds[at], folder.path(), &mut tallies[at])?;
            }
            Ok(tallies)
        };
        let made: Vec<Vec<Tally>> = std::thread::scope(|scope| {
            let lanes: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
            lanes.into_iter().map(|lane| lane.join().expect("a lane returns its errors")).collect::<Result<_>>()
        })?;
        let sum = |at: usize, count: fn(&Tally) -> u64| made.iter().map(|tallies| count(&tallies[at])).sum();
        let tally = |(at, target): (usize, &Target)| Tally {
            name: target.name,
            runs: sum(at, |tally| tally.runs),
            results: sum(at, |tally| tally.results),
            findings: sum(at, |tally| tally.findings),
        };
        Ok(readers().iter().enumerate().map(tally).collect())
    }

    /// One run, and what came of it.
    fn once(
        &self,
        draw: &mut Draw,
        target: &Target,
        seeds: &[Vec<u8>],
        folder: &Path,
        tally: &mut Tally,
    ) -> Result<()> {
        let input = target.next(draw, seeds);
        let path = folder.join(format!("broken.{}", target.ending));
        std::fs::write(&path, &input)?;
        tally.runs += 1;
        match once(self.tool, target, &path, folder, draw)? {
            Ok(result) => tally.results += u64::from(result),
            Err(what) => {
                tally.findings += 1;
                // A fault that every file shows would fill the disk.
                if tally.findings <= STORED {
                    save(self.findings, target, &input, &format!("through the tool: {what}"))?;
                }
            }
        }
        Ok(())
    }
}

/// One run: whether there was a result, or what was wrong.
fn once(tool: &Path, target: &Target, broken: &Path, folder: &Path, draw: &mut Draw) -> Result<Result<bool, String>> {
    let good = folder.join("good.npy");
    let (broken, good) = (broken.to_string_lossy(), good.to_string_lossy());
    let made = folder.join("made.npy");
    let made = made.to_string_lossy();
    let words: Vec<&str> = match target.name {
        "models" => vec!["transform", &broken, &good, "--output", &made],
        "neighbor lists" => vec!["measure", &good, &good, "--neighbors", &broken],
        "sparse" | "triplets" => vec!["neighbors", &broken, "--metric", "precomputed", "--k", "1", "--output", &made],
        _ => match draw.below(4) {
            0 => vec!["measure", &broken, &good, "--k", "3"],
            1 => vec!["measure", &good, &broken, "--k", "3"],
            2 => vec!["suggest", &broken],
            _ => vec!["embed", &broken, "--method", "pca", "--k", "2", "--dim", "1", "--output", &made],
        },
    };
    let mut child = Command::new(tool)
        .args(&words)
        .args(["--threads", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .context("the tool did not start")?;
    let Some(mut errors) = child.stderr.take() else { bail!("the tool has no standard error") };
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut errors, &mut text).map(|_| text)
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Err(format!("{words:?} took too long")));
        }
        std::thread::sleep(Duration::from_micros(500));
    };
    let text = reader.join().map_err(|_| anyhow::anyhow!("reading the messages panicked"))??;
    Ok(judged(status.code(), &String::from_utf8_lossy(&text)).map_err(|what| format!("{words:?}: {what}")))
}

/// Whether there was a result, by the exit status and the messages.
fn judged(status: Option<i32>, text: &str) -> Result<bool, String> {
    let errors = text.lines().filter(|line| line.starts_with("error: ")).count();
    let strange = text.chars().any(|letter| letter.is_control() && letter != '\n');
    match status {
        Some(0) if !strange && errors == 0 => Ok(true),
        Some(1 | 2) if !strange && errors == 1 && text.lines().count() == 1 => Ok(false),
        _ => Err(format!("status {status:?}, messages {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::judged;

    #[test]
    fn a_result_or_one_sentence() {
        assert!(judged(Some(0), "").unwrap());
        assert!(!judged(Some(1), "error: x.csv: is empty\n").unwrap());
        for (status, text) in [
            (Some(101), "thread 'main' panicked\n"),
            (None, ""),
            (Some(1), ""),
            (Some(1), "thread panicked\nerror: is damaged\n"),
            (Some(1), "error: \u{1b}[2J\n"),
        ] {
            assert!(judged(status, text).is_err(), "{text:?}");
        }
    }
}
