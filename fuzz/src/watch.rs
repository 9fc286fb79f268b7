//! The process that starts workers, two or more at a time, counts what they did, and stores the inputs that ended them.

use crate::target::{TARGETS, Target};
use crate::worker::{HUNG, input_path, save};
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long and where.
pub struct Plan {
    pub seed: u64,
    /// For all readers together.
    pub time: Duration,
    /// The most inputs of one reader.
    pub inputs: u64,
    /// The folder in which findings are stored.
    pub findings: PathBuf,
    /// Only this reader.
    pub only: Option<String>,
}

/// What came of one reader.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Tally {
    pub name: &'static str,
    pub inputs: u64,
    pub accepted: u64,
    /// Inputs kept because they reached new code.
    pub kept: u64,
    pub ended: u64,
    pub megabytes: u64,
    pub seconds: f64,
}

/// Feeds all readers; the tallies in the order of the table.
pub fn feed_all(plan: &Plan) -> Result<Vec<Tally>> {
    let wanted = |target: &&Target| plan.only.as_ref().is_none_or(|only| only == target.name);
    let targets: Vec<&Target> = TARGETS.iter().filter(wanted).collect();
    let side_by_side = std::thread::available_parallelism().map_or(2, usize::from).min(targets.len().max(1));
    let end = Instant::now() + plan.time;
    let (next, tallies) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| -> Result<()> {
        let lane = || -> Result<()> {
            while let Some((at, target)) = Some(next.fetch_add(1, Relaxed)).and_then(|at| Some((at, *targets.get(at)?)))
            {
                // What one reader leaves, because it had all its inputs, goes to those after it.
                let rounds = targets.len().div_ceil(side_by_side) - at / side_by_side;
                let share = end.saturating_duration_since(Instant::now()) / rounds as u32;
                let tally = feed(target, plan, share)?;
                tallies.lock().expect("no lane panics while it holds the list").push((at, tally));
            }
            Ok(())
        };
        let lanes: Vec<_> = (0..side_by_side).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().try_for_each(|lane| lane.join().expect("a lane returns its errors"))
    })?;
    let mut tallies = tallies.into_inner().expect("all lanes have ended");
    tallies.sort_by_key(|(at, _)| *at);
    Ok(tallies.into_iter().map(|(_, tally)| tally).collect())
}

/// Feeds one reader, by one worker after the other where inputs end them.
fn feed(target: &'static Target, plan: &Plan, time: Duration) -> Result<Tally> {
    let start = Instant::now();
    let mut tally = Tally { name: target.name, ..Tally::default() };
    let folder = quick_folder()?;
    while start.elapsed() < time && tally.inputs < plan.inputs {
        let left = time.saturating_sub(start.elapsed());
        let seed = plan.seed.wrapping_add(tally.ended.wrapping_mul(1_000_003));
        let (status, last) = worker(target, (folder.path(), &plan.findings), seed, left, plan.inputs - tally.inputs)?;
        tally.inputs += last[0];
        tally.accepted += last[1];
        tally.kept += last[2];
        tally.megabytes = tally.megabytes.max(last[3]);
        if status.success() {
            break;
        }
        tally.ended += 1;
        let what =
            if status.code() == Some(HUNG) { "took too long".to_owned() } else { format!("ended with {status}") };
        save(&plan.findings, target, &std::fs::read(input_path(folder.path(), target)).unwrap_or_default(), &what)?;
        // A reader that ends at every other input shows the same again and again.
        if tally.ended >= 8 {
            break;
        }
    }
    tally.seconds = start.elapsed().as_secs_f64();
    Ok(tally)
}

/// A folder in memory where there is one: an input is written and read once.
pub fn quick_folder() -> Result<TempDir> {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.or_else(|_| tempfile::tempdir()).context("there is no folder for inputs")
}

/// One worker to its end, with the folders of inputs and of findings; how it ended, and the last numbers that it told.
fn worker(
    target: &Target,
    folders: (&Path, &Path),
    seed: u64,
    time: Duration,
    inputs: u64,
) -> Result<(ExitStatus, [u64; 4])> {
    let words = [target.name.to_owned(), seed.to_string(), time.as_millis().to_string(), inputs.to_string()];
    let mut child = Command::new(std::env::current_exe()?)
        .arg("worker")
        .args(words)
        .args([folders.0, folders.1])
        // Its panics and aborts are told here; counts of places are looked at in memory.
        .env("LLVM_PROFILE_FILE", "/dev/null")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("a worker did not start")?;
    let mut last = [0; 4];
    let out = child.stdout.take().context("a worker has no output")?;
    for line in BufReader::new(out).lines() {
        let numbers: Vec<u64> = line?.split(' ').filter_map(|number| number.parse().ok()).collect();
        last = numbers.try_into().unwrap_or(last);
    }
    Ok((child.wait()?, last))
}
