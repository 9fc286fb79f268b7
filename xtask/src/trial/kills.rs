//! Commands that write, killed at random moments: every file is whole, and the next run leaves none but its own.

use super::{Options, folder, made, tool};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const USE: &str = "cargo xtask trial kills [--count N] [--tool TOOL] [--seed N]";

/// Kills in all, unless another number is given.
const COUNT: usize = 500;

/// The commands, of one file and of several, and most formats.
const LINES: &[&str] = &[
    "generate swiss-roll --points 20000 --seed 3 --output made.csv --truth made.parquet",
    "neighbors x.npy --k 12 --output lists.csv",
    "embed x.npy --method ltsa --k 10 --output map.npy --save-model map.truefold",
    "measure x.npy z.npy --k 10 --per-point points.tsv --report page.html",
    "compare x.npy --methods pca,ltsa --k 10 --report compared.html --figure compared.svg",
];

/// So many bytes of both ends of a page are looked at.
const ENDS: usize = 12;

/// The files of a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// What came of all kills.
#[derive(Default)]
struct Found {
    /// Runs that were killed before their end.
    killed: usize,
    /// Those that had ended already.
    ended: usize,
    /// Kills after which a temporary file lay there.
    temporary: usize,
    torn: Vec<String>,
    left: Vec<String>,
}

/// Kills and looks.
pub fn run(words: &[&str]) -> Result<()> {
    let options = Options::read(words, &["--count", "--tool", "--seed"], USE)?;
    let (count, seed) = (options.number("--count", COUNT)?, options.number("--seed", 1)?);
    if count == 0 {
        bail!("--count needs at least 1");
    }
    let (tool, mut moments, mut all) = (tool(options.get("--tool"))?, Moments(seed), Found::default());
    for (place, line) in LINES.iter().enumerate() {
        let share = count / LINES.len() + usize::from(place < count % LINES.len());
        let found = kill(&tool, line, share, &mut moments)?;
        println!("{}: {}", line.split(' ').next().unwrap_or_default(), found.told());
        all.join(found);
    }
    println!("kills: {}", all.told());
    for finding in all.torn.iter().chain(&all.left) {
        println!("{finding}");
    }
    if !(all.torn.is_empty() && all.left.is_empty()) {
        bail!("some kills left torn or temporary files");
    }
    Ok(())
}

impl Found {
    fn join(&mut self, other: Self) {
        self.killed += other.killed;
        self.ended += other.ended;
        self.temporary += other.temporary;
        self.torn.extend(other.torn);
        self.left.extend(other.left);
    }

    fn told(&self) -> String {
        format!(
            "{} killed, {} had ended; {} left a temporary file until the next run, {} torn files, {} files left over after it",
            self.killed,
            self.ended,
            self.temporary,
            self.torn.len(),
            self.left.len()
        )
    }
}

/// Kills one command `count` times; every second time over the files of a run before.
fn kill(tool: &Path, line: &str, count: usize, moments: &mut Moments) -> Result<Found> {
    let mut found = Found::default();
    let folder = folder("kills")?;
    made(tool, &folder, "generate swiss-roll --points 5000 --seed 1 --output x.npy --truth z.npy")?;
    let given = files(&folder)?;
    let start = Instant::now();
    made(tool, &folder, line)?;
    let (time, whole) = (start.elapsed(), files(&folder)?);
    for turn in 0..count {
        if turn % 2 == 0 {
            for name in whole.keys().filter(|name| !given.contains_key(*name)) {
                fs::remove_file(folder.join(name)).context("an output cannot be removed")?;
            }
        }
        let mut command = Command::new(tool);
        command.args(line.split_whitespace()).current_dir(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().context("the tool did not start")?;
        std::thread::sleep(time.mul_f64(moments.next()));
        child.kill().context("the run cannot be killed")?;
        match child.wait().context("the run cannot be waited for")?.code() {
            None => found.killed += 1,
            Some(_) => found.ended += 1,
        }
        let after = files(&folder)?;
        found.temporary += usize::from(after.keys().any(|name| !whole.contains_key(name)));
        let what = |name: &str| format!("{name} after kill {turn} of truefold {line}");
        let is_torn = |name: &String, bytes: &[u8]| whole.get(name).is_some_and(|known| !is_whole(name, bytes, known));
        found.torn.extend(after.iter().filter(|(name, bytes)| is_torn(name, bytes)).map(|(name, _)| what(name)));
        made(tool, &folder, line)?;
        let next = files(&folder)?;
        found.torn.extend(next.iter().filter(|(name, bytes)| is_torn(name, bytes)).map(|(name, _)| what(name)));
        found.torn.extend(whole.keys().filter(|name| !next.contains_key(*name)).map(|name| what(name)));
        found.left.extend(next.keys().filter(|name| !whole.contains_key(*name)).map(|name| what(name)));
        for name in next.keys().filter(|name| !whole.contains_key(*name)) {
            fs::remove_file(folder.join(name)).context("a left-over file cannot be removed")?;
        }
    }
    Ok(found)
}

/// Whether a file is as a run that ended wrote it. Pages hold times, which differ: of them the two ends are looked at.
fn is_whole(name: &str, bytes: &[u8], known: &[u8]) -> bool {
    let ends = |bytes: &[u8]| [&bytes[..ENDS.min(bytes.len())], &bytes[bytes.len().saturating_sub(ENDS)..]].concat();
    if name.ends_with(".html") { ends(bytes) == ends(known) } else { bytes == known }
}

fn files(folder: &Path) -> Result<Files> {
    let entries = fs::read_dir(folder).context("the folder cannot be read")?;
    entries
        .map(|entry| {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, fs::read(&path)?))
        })
        .collect::<std::io::Result<Files>>()
        .context("the folder cannot be read")
}

/// Random shares of the time of a run, up to a twentieth beyond its end.
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> f64 {
        // Knuth's linear congruences; the high bits are random enough.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1.05 * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torn_files_are_seen() {
        assert!(is_whole("map.npy", b"123", b"123") && !is_whole("map.npy", b"12", b"123"));
        let (page, later) = (b"<html><body>1 second</body></html>\n", b"<html><body>2 seconds</body></html>\n");
        assert!(is_whole("page.html", page, later) && !is_whole("page.html", &page[..20], later));
    }

    #[test]
    fn moments_are_spread_over_the_run() {
        let mut moments = Moments(1);
        let all: Vec<f64> = (0..1000).map(|_| moments.next()).collect();
        assert!(all.iter().all(|share| (0.0..1.05).contains(share)));
        assert!(all.iter().filter(|&&share| share < 0.5).count() > 400);
    }
}
