//! What a reader needs to interpret the numbers: the processor, and the versions of the other programs.

use super::timed::Bench;
use crate::project::command;
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::fmt;
use std::fs;

/// The machine and its Python.
pub struct Machine {
    processor: String,
    processors: usize,
    /// Python itself, then the packages, each with its version.
    versions: Vec<(String, String)>,
}

impl Machine {
    /// This machine, and the versions of these Python packages.
    pub fn inspect(bench: &Bench, packages: &[&str]) -> Result<Self> {
        let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
        let ask = "import platform, sys\n\
            from importlib.metadata import version\n\
            print(platform.python_version(), *map(version, sys.argv[1:]))";
        let output = command(bench.python(), &["-c", ask])?.args(packages).output().context("Python did not start")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut words = text.split_whitespace();
        let mut version = |name: &str| (name.to_owned(), words.next().unwrap_or("unknown").to_owned());
        let versions = std::iter::once(&"Python").chain(packages).map(|name| version(name)).collect();
        Ok(Self {
            processor: processor.unwrap_or_else(|| "unknown".to_owned()),
            processors: std::thread::available_parallelism().map_or(1, |count| count.get().min(2)),
            versions,
        })
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let mut machine = Map::new();
        machine.insert("processor".to_owned(), json!(self.processor));
        machine.insert("processors_used".to_owned(), json!(self.processors));
        machine.extend(self.versions.iter().map(|(name, version)| (name.to_lowercase(), json!(version))));
        Value::Object(machine)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{} ({} processors used)", self.processor, self.processors)?;
        self.versions.iter().try_for_each(|(name, version)| write!(text, ", {name} {version}"))
    }
}
