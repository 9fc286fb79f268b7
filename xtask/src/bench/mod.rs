//! `cargo xtask bench NAME`: time and memory of the tool, beside those of other programs, in one run.
//!
//! Everything runs on the same two processors, other programs in turn with the tool, so that other load on the machine
//! affects all alike. Timings are compared with their targets and never fail the chore; a command that fails does. Only
//! the full run of all parts writes the published pages; quick sizes and single parts go to another folder, unless
//! `--publish` asks for a page of these parts alone, which says what is missing. With `--resume` a full run takes the parts
//! that ended before with the same program from there.

mod closed;
mod dask;
mod embed;
mod gpu;
mod kept;
mod machine;
mod maps;
mod measure;
mod neighbors;
mod noise;
mod page;
mod peers;
mod python;
mod report;
mod rivals;
mod table;
mod timed;
mod transform;
mod verdict;

use crate::environment;
use crate::project::{cargo, root, succeed, target};
use anyhow::{Context, Result, bail};
use kept::Kept;
use machine::Machine;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::PathBuf;
use table::{Row, Section};
use timed::Bench;

/// The results of one part of a benchmark.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Findings {
    /// Claims, with their targets.
    rows: Vec<Row>,
    /// Further tables.
    sections: Vec<Section>,
    /// All numbers behind both.
    numbers: Value,
}

/// One part of a benchmark, at the sizes given.
type Measurement<S> = fn(&Bench, &S) -> Result<Findings>;

/// A benchmark by its parts.
struct Benchmark<S: 'static> {
    name: &'static str,
    /// How to read its timings.
    note: &'static str,
    /// The Python packages whose versions matter.
    packages: &'static [&'static str],
    /// Examples that it needs, each with its package.
    examples: &'static [(&'static str, &'static str)],
    /// The sizes of the published page.
    full: S,
    /// Small sizes, to see in a minute that everything runs; the targets do not apply to them.
    quick: S,
    parts: &'static [(&'static str, Measurement<S>)],
}

/// What was asked for.
struct Wanted<'a> {
    quick: bool,
    resume: bool,
    /// Whether single parts make the published page.
    publish: bool,
    /// The parts; all if there are none.
    parts: Vec<&'a str>,
    data: Option<PathBuf>,
}

/// Runs the benchmark of this name; the words are `--quick`, `--resume`, `--publish`, `--data DIR` with the folder of data
/// that do not belong to the project, and the parts wanted, or all parts if none is named.
pub fn run(name: &str, words: &[&str]) -> Result<()> {
    if name == "gpu" {
        return gpu::run(words);
    }
    const SWITCHES: [&str; 3] = ["--quick", "--resume", "--publish"];
    let [quick, resume, publish] = SWITCHES.map(|word| words.contains(&word));
    if quick && publish {
        bail!("--quick sizes are not published: leave out --quick or --publish");
    }
    let mut parts: Vec<&str> = words.iter().copied().filter(|word| !SWITCHES.contains(word)).collect();
    let data = match parts.iter().position(|word| *word == "--data") {
        Some(at) if at + 1 < parts.len() => Some(PathBuf::from(parts.drain(at..at + 2).nth(1).unwrap_or_default())),
        Some(_) => bail!("--data needs a folder"),
        None => None,
    };
    if data.is_some() && !matches!(name, "verdict" | "neighbors" | "maps" | "transform") {
        bail!("bench {name} reads no other data: leave out --data");
    }
    let wanted = Wanted { quick, resume, publish, parts, data };
    match name {
        "measure" => measure::BENCHMARK.run(&wanted),
        "embed" => embed::BENCHMARK.run(&wanted),
        "peers" => peers::BENCHMARK.run(&wanted),
        "report" => report::BENCHMARK.run(&wanted),
        "python" => python::BENCHMARK.run(&wanted),
        "transform" => transform::BENCHMARK.run(&wanted),
        "noise" => noise::BENCHMARK.run(&wanted),
        "verdict" => verdict::BENCHMARK.run(&wanted),
        "neighbors" => neighbors::BENCHMARK.run(&wanted),
        "dask" => dask::BENCHMARK.run(&wanted),
        "closed" => closed::BENCHMARK.run(&wanted),
        "rivals" => rivals::BENCHMARK.run(&wanted),
        "maps" => maps::BENCHMARK.run(&wanted),
        "large-maps" => maps::LARGE.run(&wanted),
        _ => bail!(
            "there is no benchmark `{name}`; there are measure, embed, peers, report, python, transform, noise, verdict, \
             neighbors, gpu, maps, large-maps, dask, closed and rivals"
        ),
    }
}

impl<S> Benchmark<S> {
    fn run(&self, wanted: &Wanted<'_>) -> Result<()> {
        let (quick, parts) = (wanted.quick, &wanted.parts);
        if let Some(unknown) = parts.iter().find(|wanted| self.parts.iter().all(|(name, _)| name != *wanted)) {
            let names: Vec<&str> = self.parts.iter().map(|(name, _)| *name).collect();
            bail!("bench {} has no part `{unknown}`; its parts are {}", self.name, names.join(", "));
        }
        let bench = self.prepare()?.with_data(wanted.data.clone());
        let machine = Machine::inspect(&bench, self.packages)?;
        let (mut rows, mut sections, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        let mut numbers = Map::from_iter([("machine".to_owned(), machine.json()), ("quick".to_owned(), json!(quick))]);
        for (name, part) in self.parts.iter().filter(|(name, _)| parts.is_empty() || parts.contains(name)) {
            match self.findings(&bench, name, *part, wanted) {
                Ok(findings) => {
                    rows.extend(findings.rows);
                    sections.extend(findings.sections);
                    numbers.insert((*name).to_owned(), findings.numbers);
                }
                Err(error) => {
                    println!("failed: {name}: {error:#}");
                    failed.push(*name);
                }
            }
        }
        let verdicts: Vec<String> = rows.iter().filter_map(Row::verdict).collect();
        let mut made = format!("Made by `cargo xtask bench {}` on {machine}. {}", self.name, self.note);
        let published = !quick && (parts.is_empty() || wanted.publish);
        let missing = self.missing(parts);
        if published && !missing.is_empty() {
            made.push_str(&format!(" **Not measured in this run: {}.**", missing.join(", ")));
        }
        if !published {
            made.push_str(" **Not the published run: quick sizes or single parts.**");
        }
        let pages = page::pages(self.name, &made, &rows, &sections, published);
        pages.iter().for_each(|page| println!("\n{}", page.text));
        verdicts.iter().for_each(|verdict| println!("{verdict}"));
        if !failed.is_empty() {
            bail!("nothing was written, as these parts failed: {}", failed.join(", "));
        }
        let (folder, shown) = match published {
            true => (root()?.join("docs"), "docs"),
            false => (target()?.join("bench").join("quick"), "target/bench/quick"),
        };
        fs::create_dir_all(folder.join("benchmarks")).context("cannot make the folder for the results")?;
        for page in &pages {
            page.write(&folder)?;
            println!("written: {shown}/{}", page.path);
        }
        let data = format!("benchmarks/{}.json", self.name);
        fs::write(folder.join(&data), format!("{:#}\n", Value::Object(numbers)))
            .with_context(|| format!("cannot write {data}"))?;
        println!("written: {shown}/{data}");
        Ok(())
    }

    /// The parts that were not asked for.
    fn missing(&self, parts: &[&str]) -> Vec<&'static str> {
        let names = self.parts.iter().map(|(name, _)| *name);
        names.filter(|name| !parts.is_empty() && !parts.contains(name)).collect()
    }

    /// What a part finds, or found with the same program where that may be taken.
    fn findings(&self, bench: &Bench, name: &str, part: Measurement<S>, wanted: &Wanted<'_>) -> Result<Findings> {
        if wanted.quick {
            println!("measuring: {name}");
            return part(bench, &self.quick);
        }
        let kept = Kept::new(bench, self.name, name)?;
        if let Some(findings) = kept.read().filter(|_| wanted.resume) {
            println!("measured before: {name}");
            return Ok(findings);
        }
        println!("measuring: {name}");
        let findings = part(bench, &self.full)?;
        kept.write(&findings)?;
        Ok(findings)
    }

    /// Builds the tool and makes the Python environment.
    fn prepare(&self) -> Result<Bench> {
        println!("cargo build --release");
        succeed(cargo(&["build", "--quiet", "--release"])?)?;
        for (package, example) in self.examples {
            succeed(cargo(&["build", "--quiet", "--release", "--package", package, "--example", example])?)?;
        }
        match environment::prepare_with(environment::BENCHMARKS)? {
            Ok(python) => Bench::new(python),
            Err(reason) => bail!("no Python environment: {reason}"),
        }
    }
}
