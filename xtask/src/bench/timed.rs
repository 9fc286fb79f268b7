//! Commands with their time and peak memory, through `xtask/python/timed.py`.

use crate::project::{command, example, root, target, tool};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The programs and the data folder of a benchmark.
pub struct Bench {
    python: PathBuf,
    scripts: PathBuf,
    tool: PathBuf,
    folder: PathBuf,
    data: Option<PathBuf>,
}

/// What another program may use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Address space, in bytes.
    pub bytes: u64,
    /// Seconds from start to end.
    pub seconds: u64,
}

/// How a run of another program ended.
#[derive(Debug, Clone)]
pub enum Attempt {
    /// It succeeded.
    Done(Timed),
    /// It was stopped after the seconds allowed.
    TooSlow,
    /// It ended with an error, for example when memory did not suffice.
    Failed,
}

/// Time and memory of one run of a command.
#[derive(Debug, Clone)]
pub struct Timed {
    /// Seconds from start to end.
    pub wall: f64,
    /// Seconds of all processors.
    pub cpu: f64,
    /// The largest resident memory, in bytes.
    pub peak: f64,
    /// What it printed, if that was JSON.
    pub output: Value,
}

impl Bench {
    /// With this interpreter; data go to `target/bench`.
    pub fn new(python: PathBuf) -> Result<Self> {
        let folder = target()?.join("bench");
        fs::create_dir_all(&folder).context("cannot make target/bench")?;
        Ok(Self { python, scripts: root()?.join("xtask").join("python"), tool: tool()?, folder, data: None })
    }

    /// With a folder of data that do not belong to the project.
    pub fn with_data(self, data: Option<PathBuf>) -> Self {
        Self { data, ..self }
    }

    /// The folder of data that do not belong to the project, where it was given.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// The program that is measured.
    pub fn program(&self) -> &Path {
        &self.tool
    }

    /// The interpreter.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// A file among the benchmark's data.
    pub fn file(&self, name: &str) -> OsString {
        self.folder.join(name).into_os_string()
    }

    /// Runs the tool.
    pub fn tool<W: AsRef<OsStr>>(&self, words: &[W]) -> Result<Timed> {
        let mut line = vec![self.tool.clone().into_os_string()];
        line.extend(words.iter().map(|word| word.as_ref().to_owned()));
        self.run("truefold", &[], line)
    }

    /// Runs one of the examples.
    pub fn example<W: AsRef<OsStr>>(&self, name: &str, words: &[W]) -> Result<Timed> {
        let mut line = vec![example(name)?.into_os_string()];
        line.extend(words.iter().map(|word| word.as_ref().to_owned()));
        self.run(name, &[], line)
    }

    /// Runs one of the scripts, its address space limited to `limit` bytes if given.
    pub fn script<W: AsRef<OsStr>>(&self, name: &str, limit: Option<u64>, words: &[W]) -> Result<Timed> {
        let mut line = vec![self.python.clone().into_os_string(), self.scripts.join(name).into_os_string()];
        line.extend(words.iter().map(|word| word.as_ref().to_owned()));
        let limit = limit.map(|bytes| ["--limit".to_owned(), bytes.to_string()]);
        self.run(name, limit.as_ref().map_or(&[], |words| words.as_slice()), line)
    }

    /// A swiss roll and its true coordinates.
    pub fn swiss_roll(&self, points: usize) -> Result<(OsString, OsString)> {
        let (x, z) = (self.file(&format!("roll-{points}.npy")), self.file(&format!("truth-{points}.npy")));
        let count = points.to_string();
        let words: [&OsStr; 10] = [
            "generate".as_ref(),
            "swiss-roll".as_ref(),
            "--points".as_ref(),
            count.as_ref(),
            "--seed".as_ref(),
            "1".as_ref(),
            "--output".as_ref(),
            &x,
            "--truth".as_ref(),
            &z,
        ];
        self.tool(&words)?;
        Ok((x, z))
    }

    /// Runs another program, which may exceed the memory or the seconds allowed, or fail.
    pub fn attempt<W: AsRef<OsStr>>(&self, name: &str, bounds: Bounds, words: &[W]) -> Result<Attempt> {
        let mut line = vec![self.python.clone().into_os_string(), self.scripts.join(name).into_os_string()];
        line.extend(words.iter().map(|word| word.as_ref().to_owned()));
        let options = ["--limit", &bounds.bytes.to_string(), "--seconds", &bounds.seconds.to_string()];
        let report = self.report(&options.map(str::to_owned), line, std::process::Stdio::null())?;
        Ok(if report["timed_out"] == true {
            Attempt::TooSlow
        } else if report["status"] != 0 {
            Attempt::Failed
        } else {
            Attempt::Done(Timed::new(&report)?)
        })
    }

    fn run(&self, name: &str, options: &[String], line: Vec<OsString>) -> Result<Timed> {
        let report = self.report(options, line, std::process::Stdio::inherit())?;
        if report["status"] != 0 {
            bail!("{name} ended with status {}", report["status"]);
        }
        Timed::new(&report)
    }

    /// The report of `timed.py` on a command.
    fn report(&self, options: &[String], line: Vec<OsString>, errors: std::process::Stdio) -> Result<Value> {
        let mut timed = command(&self.python, &[])?;
        timed.arg(self.scripts.join("timed.py")).args(options).args(line);
        let output = timed.stderr(errors).output().context("Python did not start")?;
        serde_json::from_slice(&output.stdout).context("timed.py printed no JSON")
    }
}

impl Timed {
    fn new(report: &Value) -> Result<Self> {
        let number = |key: &str| report[key].as_f64().with_context(|| format!("timed.py gave no {key}"));
        Ok(Self {
            wall: number("wall_seconds")?,
            cpu: number("cpu_seconds")?,
            peak: number("peak_bytes")?,
            output: report["output"].as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null),
        })
    }

    /// The seconds that the script itself measured.
    pub fn seconds(&self) -> Result<f64> {
        self.output["seconds"].as_f64().context("a script printed no seconds")
    }
}

/// The least of some numbers.
pub fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

/// The greatest of some numbers.
pub fn greatest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// The median; for an even number of values, the upper of the two in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
