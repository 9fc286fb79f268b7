//! One process that feeds one reader, within limits of memory and of time for each input.
//!
//! The input lies in a file while it is read, so that it is there when the process is killed. A panic is caught and stored; a
//! hang ends the process with [`HUNG`]; an allocation that fails ends it with a signal.

use crate::draw::Draw;
use crate::guide::Guide;
use crate::limit::Limit;
use crate::target::Target;
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The exit status of a worker whose input took too long.
pub const HUNG: i32 = 9;
/// The seconds that an input may take; good ones take a millisecond.
const PATIENCE: Duration = Duration::from_secs(10);
/// Inputs stored of one panic.
const STORED: usize = 2;

/// What a worker is to do.
pub struct Order {
    pub seed: u64,
    pub time: Duration,
    /// The most inputs.
    pub inputs: u64,
    /// The folder in which the input lies while it is read.
    pub inputs_at: PathBuf,
    /// The folder in which findings are stored.
    pub findings_at: PathBuf,
}

/// What a worker has done so far; a thread of its own tells it while inputs are read.
#[derive(Default)]
struct Counts {
    inputs: AtomicU64,
    accepted: AtomicU64,
    kept: AtomicU64,
}

/// The file in which the input lies.
pub fn input_path(folder: &Path, target: &Target) -> PathBuf {
    folder.join(format!("input.{}", target.ending))
}

/// Feeds the reader until the time is over.
pub fn work(target: &Target, order: &Order) -> Result<()> {
    let _limit = Limit::new();
    let place = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&place);
    // Panics that the library catches itself are no findings, and their messages nobody's business.
    std::panic::set_hook(Box::new(move |panic| {
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string().replace('\n', " ");
    }));
    let counts = Arc::new(Counts::default());
    watch(Arc::clone(&counts));
    let path = input_path(&order.inputs_at, target);
    let mut found = (target.seeds)(target)?;
    let (mut draw, mut guide, mut panics) = (Draw::new(order.seed), Guide::new(), HashMap::new());
    let end = Instant::now() + order.time;
    while Instant::now() < end && counts.inputs.load(Relaxed) < order.inputs {
        let input = target.next(&mut draw, &found);
        std::fs::write(&path, &input).context("the input cannot be written")?;
        counts.inputs.fetch_add(1, Relaxed);
        match catch_unwind(AssertUnwindSafe(|| (target.feed)(&path))) {
            Ok(Ok(())) => drop(counts.accepted.fetch_add(1, Relaxed)),
            Ok(Err(sentence)) if is_sentence(&sentence) => {}
            Ok(Err(sentence)) => store(order, target, &input, &format!("no sentence: {sentence:?}"), &mut panics)?,
            Err(_) => {
                let place = place.lock().unwrap_or_else(PoisonError::into_inner).clone();
                store(order, target, &input, &place, &mut panics)?;
            }
        }
        if guide.is_new() && found.len() < 20_000 {
            found.push(input);
            counts.kept.fetch_add(1, Relaxed);
        }
    }
    tell(&counts);
    Ok(())
}

/// Whether a message is one line that a terminal shows as it is.
pub fn is_sentence(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

/// Stores an input with what came of it, unless enough of the kind are stored.
fn store(order: &Order, target: &Target, input: &[u8], what: &str, known: &mut HashMap<String, usize>) -> Result<()> {
    let kind = what.split(": ").take(2).collect::<String>();
    let count = known.entry(kind).or_insert(0);
    *count += 1;
    if *count <= STORED { save(&order.findings_at, target, input, what) } else { Ok(()) }
}

/// Writes a finding beside the others.
pub fn save(findings: &Path, target: &Target, input: &[u8], what: &str) -> Result<()> {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let name = format!("{}-{:08x}", target.name.replace(' ', "-"), hasher.finish() as u32);
    std::fs::create_dir_all(findings)?;
    std::fs::write(findings.join(format!("{name}.{}", target.ending)), input)?;
    Ok(std::fs::write(findings.join(format!("{name}.txt")), format!("{what}\n"))?)
}

/// Tells the counts while inputs are read, and ends the process when one takes too long.
fn watch(counts: Arc<Counts>) {
    std::thread::spawn(move || {
        let (mut last, mut since) = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let now = counts.inputs.load(Relaxed);
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() > PATIENCE {
                tell(&counts);
                std::process::exit(HUNG);
            }
            tell(&counts);
        }
    });
}

/// A line of numbers for the process that started this one.
fn tell(counts: &Counts) {
    let line = [&counts.inputs, &counts.accepted, &counts.kept].map(|count| count.load(Relaxed).to_string()).join(" ");
    let mut out = std::io::stdout().lock();
    // Who started this may be gone.
    let _ = writeln!(out, "{line} {}", held_megabytes()).and_then(|()| out.flush());
}

/// The most memory that the process has held, where the system tells.
fn held_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}
