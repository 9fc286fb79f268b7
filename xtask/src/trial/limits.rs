//! Every command, and some calls from Python, under limits on the address space: a result or a sentence, never an abort.

use super::{Options, folder, made, tool};
use crate::project::root;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const USE: &str = "cargo xtask trial limits [--tool TOOL] [--python PYTHON] [--seconds N] [--only WORD]";

/// The limits, in megabytes.
const LIMITS: [u64; 3] = [40, 400, 3000];
/// The sizes, in points.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// A run that takes longer is stopped: that it did not abort so far is all that is known of it.
const SECONDS: u64 = 30;

/// What is run at every size and limit; `@x` is a file of points, `@z` their true coordinates, `@c` the points as text, `@p`
/// as Parquet, `@o` an output. What needs the square of the points, or hours, is refused or stopped.
const LINES: &[&str] = &[
    "generate swiss-roll --points @n --output @o.npy --truth @o.z.npy",
    "generate plane --points @n --output @o.csv",
    "generate plane --points @n --output @o.parquet",
    "neighbors @x --k 12 --output @o.npy",
    "neighbors @c --k 12 --output @o.csv",
    "neighbors @p --k 12 --output @o.npy",
    "neighbors @x --k 500 --output @o.npy",
    "neighbors @x --k 12 --algorithm brute --output @o.npy",
    "neighbors @x --k 12 --approximate --output @o.npy",
    "neighbors @x --radius 3 --output @o.csv",
    "measure @x @z --k 12",
    "measure @x @z --k 12 --measures all --per-point @o.csv --format json",
    "measure @c @z --k 12 --report @o.html --figure @o.png",
    "embed @x --method auto --k auto --dim auto --output @o.csv",
    "embed @x --method psa --output @o.npy --save-model @o.truefold --torn @o.torn.csv",
    "embed @x --method gp --output @o.npy",
    "embed @x --method pca --output @o.npy",
    "embed @x --method factor-analysis --output @o.npy",
    "embed @x --method mds --output @o.npy",
    "embed @x --method isomap --output @o.npy",
    "embed @x --method isomap --set memory=100000 --output @o.npy",
    "embed @x --method landmark-isomap --output @o.npy",
    "embed @x --method c-isomap --output @o.npy",
    "embed @x --method ptu --output @o.npy",
    "embed @x --method lle --output @o.npy",
    "embed @x --method modified-lle --output @o.npy",
    "embed @x --method ltsa --output @o.npy",
    "embed @x --method hessian-eigenmaps --output @o.npy",
    "embed @x --method laplacian-eigenmaps --output @o.npy",
    "embed @x --method diffusion-maps --output @o.npy",
    "embed @x --method sde --output @o.npy",
    "embed @x --method conformal-eigenmaps --output @o.npy",
    "embed @x --method llc --output @o.npy",
    "embed @x --method global-coordination --output @o.npy",
    "embed @x --method coordinated-pca --output @o.npy",
    "embed @x --method lsml --output @o.npy",
    "embed @x --method tsne --output @o.npy",
    "embed @x --method umap --output @o.npy",
    "embed @x --method faithful --output @o.npy",
    "denoise @x --output @o.npy",
    "refine @x @z --output @o.npy",
    "refine @x @z --penalty 1 --output @o.npy",
    "compare @x --methods pca,ltsa --k 8,12",
    "compare @x --methods pca,ltsa --report @o.html",
    "sweep @x --method ltsa --k 8,12 --dim 1,2",
    "suggest @x",
    "stability @x @z @z",
    "transform @m @x --output @o.npy",
    "paper --only swiss-roll --methods lle --output @o.paper",
    "demo --output @o.demo",
    "methods",
    "measures",
    "datasets",
    "man",
    "completions bash",
];

/// How one run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Result,
    Sentence,
    Stopped,
    Abort,
}

#[derive(Default)]
struct Counts([usize; 4]);

impl Counts {
    fn add(&mut self, end: End) {
        self.0[end as usize] += 1;
    }

    fn told(&self) -> String {
        let [results, sentences, stopped, aborts] = self.0;
        format!(
            "{results} results, {sentences} refused in a sentence, {stopped} still running when stopped, {aborts} aborts"
        )
    }
}

struct Settings<'a> {
    tool: Option<&'a str>,
    python: Option<&'a str>,
    time: Duration,
    only: &'a str,
}

/// Runs all and prints the counts.
pub fn run(words: &[&str]) -> Result<()> {
    let options = Options::read(words, &["--tool", "--python", "--seconds", "--only"], USE)?;
    let settings = Settings {
        tool: options.get("--tool"),
        python: options.get("--python"),
        time: Duration::from_secs(options.number("--seconds", SECONDS)?),
        only: options.get("--only").unwrap_or_default(),
    };
    if !LINES.iter().any(|line| line.contains(settings.only)) {
        bail!("no command has `{}` in it", settings.only);
    }
    let (tool, folder) = (tool(settings.tool)?, folder("limits")?);
    let mut all = Counts::default();
    for points in SIZES {
        prepare(&tool, &folder, points)?;
        if points == SIZES[0] {
            check(&tool, &folder, &settings)?;
        }
        for limit in LIMITS {
            let mut counts = Counts::default();
            for line in LINES.iter().filter(|line| line.contains(settings.only)) {
                let words = words_of(line, points);
                let mut command = under(limit, &tool);
                command.args(&words).current_dir(&folder);
                let (end, told) = ended(command, &folder, settings.time)?;
                if end == End::Abort {
                    println!("abort: {points} points, {limit} MB: truefold {}: {told}", words.join(" "));
                }
                counts.add(end);
                all.add(end);
            }
            println!("{points} points, {limit} MB: {}", counts.told());
        }
        clean(&folder)?;
    }
    match settings.python {
        Some(python) => from_python(python, &folder, settings.time, &mut all)?,
        None => println!("Python: skipped, as no --python with the package was given"),
    }
    println!("limits: {}", all.told());
    if all.0[End::Abort as usize] > 0 {
        bail!("some runs ended without a result or a sentence");
    }
    Ok(())
}

/// The files that the commands read.
fn prepare(tool: &Path, folder: &Path, points: usize) -> Result<()> {
    made(tool, folder, &format!("generate swiss-roll --points {points} --seed 1 --output x.npy --truth z.npy"))?;
    made(tool, folder, &format!("generate swiss-roll --points {points} --seed 1 --output x.csv"))?;
    made(tool, folder, &format!("generate swiss-roll --points {points} --seed 1 --output x.parquet"))?;
    // A model of fewer points, as models of a million take minutes.
    made(tool, folder, "generate swiss-roll --points 1000 --seed 2 --output few.npy")?;
    made(tool, folder, "embed few.npy --method ltsa --output few-map.npy --save-model m.truefold")
}

/// Without limits every line must work: a wrong one would count as refused.
fn check(tool: &Path, folder: &Path, settings: &Settings<'_>) -> Result<()> {
    for line in LINES.iter().filter(|line| line.contains(settings.only)) {
        let mut command = Command::new(tool);
        command.args(words_of(line, SIZES[0])).current_dir(folder);
        let (end, told) = ended(command, folder, settings.time)?;
        if !matches!(end, End::Result | End::Stopped) {
            bail!("truefold {line} does not work without limits: {told}");
        }
    }
    Ok(())
}

fn clean(folder: &Path) -> Result<()> {
    std::fs::remove_dir_all(folder).and_then(|()| std::fs::create_dir_all(folder)).context("cannot empty the folder")
}

fn words_of(line: &str, points: usize) -> Vec<String> {
    let named = |word: &str| match word {
        "@n" => points.to_string(),
        "@x" => "x.npy".to_owned(),
        "@z" => "z.npy".to_owned(),
        "@c" => "x.csv".to_owned(),
        "@p" => "x.parquet".to_owned(),
        "@m" => "m.truefold".to_owned(),
        _ => word.replace("@o", "out"),
    };
    line.split_whitespace().map(named).collect()
}

/// A program with so many megabytes of address space.
fn under(limit: u64, program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {}; exec \"$0\" \"$@\"", limit * 1024)]).arg(program);
    command
}

/// How a command ended, and what it said last.
fn ended(mut command: Command, folder: &Path, time: Duration) -> Result<(End, String)> {
    let place = folder.join("stderr");
    let heard = File::create(&place).context("cannot make a file for what a run says")?;
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(heard).spawn().context("sh did not start")?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().context("a run cannot be waited for")? {
            Some(status) => break Some(status),
            None if start.elapsed() > time => {
                child.kill().context("a run cannot be stopped")?;
                child.wait().context("a run cannot be waited for")?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let text = std::fs::read(&place).context("what a run said cannot be read")?;
    Ok(judged(status, &String::from_utf8_lossy(&text)))
}

fn judged(status: Option<ExitStatus>, text: &str) -> (End, String) {
    let last = text.trim_end().lines().last().unwrap_or_default();
    let Some(status) = status else { return (End::Stopped, String::new()) };
    let end = match status.code() {
        Some(0) => End::Result,
        Some(1 | 2) if text.lines().any(|line| line.starts_with("error: ")) => End::Sentence,
        _ => End::Abort,
    };
    (end, format!("{status}: {last}"))
}

/// Some calls from Python, each in an interpreter of its own that limits itself once the package is loaded.
fn from_python(python: &str, folder: &Path, time: Duration, all: &mut Counts) -> Result<()> {
    let script = root()?.join("xtask/python/limits.py");
    // A path holds in the folder of the trial too; a name is looked for as ever.
    let python = match python.contains(['/', '\\']) {
        true => std::path::absolute(python).context("the interpreter has no place")?,
        false => python.into(),
    };
    let python = python.as_path();
    let names =
        Command::new(python).arg(&script).output().with_context(|| format!("{} did not start", python.display()))?;
    if !names.status.success() {
        bail!("the package cannot be called: {}", String::from_utf8_lossy(&names.stderr).trim());
    }
    let names = String::from_utf8(names.stdout).context("the calls have odd names")?;
    let mut counts = Counts::default();
    for points in SIZES {
        for limit in LIMITS {
            for name in names.split_whitespace() {
                let mut command = Command::new(python);
                command.arg(&script).args([name, &points.to_string(), &limit.to_string()]).current_dir(folder);
                let (end, told) = ended(command, folder, time)?;
                if end == End::Abort {
                    println!("abort: {points} points, {limit} MB more: Python's {name}: {told}");
                }
                counts.add(end);
                all.add(end);
            }
        }
    }
    println!("Python: {}", counts.told());
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn only_results_and_sentences_pass() {
        let end = |raw: i32, text: &str| judged(Some(ExitStatus::from_raw(raw)), text).0;
        assert!(end(0, "") == End::Result);
        assert!(end(1 << 8, "Note: this\nerror: the memory is not enough\n") == End::Sentence);
        assert!(end(1 << 8, "memory allocation of 8 bytes failed") == End::Abort);
        assert!(end(101 << 8, "error: thread panicked") == End::Abort);
        assert!(end(6, "error: x") == End::Abort && end(11, "") == End::Abort);
        assert!(judged(None, "").0 == End::Stopped);
    }

    #[test]
    fn lines_become_words() {
        assert_eq!(words_of("embed @x --output @o.npy", 7), ["embed", "x.npy", "--output", "out.npy"]);
        assert_eq!(words_of("generate plane --points @n", 7)[3], "7");
    }

    /// The names in one of the project's tables: what follows `before` at the beginnings of its lines, as the tool writes it.
    fn table(file: &str, head: &str, before: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let (_, table) = text.split_once(head).unwrap();
        let lines = table.lines().skip(1).take_while(|line| !line.starts_with([']', '}']));
        let name = |line: &str| {
            let name: String = line.strip_prefix(before)?.chars().take_while(char::is_ascii_alphanumeric).collect();
            name.starts_with(|letter: char| letter.is_ascii_uppercase()).then(|| dashed(&name))
        };
        lines.filter_map(name).collect()
    }

    /// `LandmarkIsomap` as `landmark-isomap`.
    fn dashed(name: &str) -> String {
        let dash = |(at, letter): (usize, char)| {
            let dash = if at > 0 && letter.is_ascii_uppercase() { "-" } else { "" };
            format!("{dash}{}", letter.to_ascii_lowercase())
        };
        name.chars().enumerate().map(dash).collect()
    }

    /// Whether a line has these words, one after the other.
    fn has(line: &str, words: &[&str]) -> bool {
        line.split_whitespace().collect::<Vec<_>>().windows(words.len()).any(|some| some == words)
    }

    #[test]
    fn every_command_and_every_method_has_a_line() {
        assert_eq!(dashed("LandmarkIsomap"), "landmark-isomap");
        let commands = table("crates/truefold-cli/src/args/mod.rs", "pub(crate) enum Command {", "    ");
        let methods = table("crates/truefold/src/embed/mod.rs", "pub static EMBEDDERS", "    Entry::of::<");
        assert!(commands.len() > 15 && methods.len() > 20, "{commands:?} {methods:?}");
        for command in &commands {
            assert!(LINES.iter().any(|line| line.split(' ').next() == Some(command)), "no line tries `{command}`");
        }
        for method in &methods {
            let is_tried = LINES.iter().any(|line| has(line, &["embed", "@x", "--method", method]));
            assert!(is_tried, "no line tries the method `{method}`");
        }
        for line in LINES {
            let mut words = line.split(' ');
            let command = words.next().unwrap();
            assert!(commands.iter().any(|known| known == command), "there is no command `{command}`");
            if let (true, Some(method)) = (command == "embed", words.nth(2)) {
                assert!(method == "auto" || methods.iter().any(|known| known == method), "no method `{method}`");
            }
        }
    }
}
