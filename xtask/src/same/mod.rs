//! `cargo xtask same`: whether two builds of the tool give a user the same.

mod compare;
mod record;
mod runs;
mod times;
mod wrong;

use crate::project::target;
use anyhow::{Context, Result, bail};
use compare::{Class, Difference, Verdict};
use std::path::Path;
use std::time::Instant;

const USE: &str =
    "cargo xtask same --before TOOL --after TOOL, or --against FILE --after TOOL, or --before TOOL --write FILE";

/// The most lines that are printed of one run and class.
const LINES: usize = 20;

/// Records one build and writes it, or records and compares two.
pub fn run(words: &[&str]) -> Result<()> {
    let mut options = Options::default();
    for pair in words.chunks(2) {
        let &[name, value] = pair else { bail!("{} has no value; say {USE}", pair[0]) };
        let option = match name {
            "--before" => &mut options.before,
            "--after" => &mut options.after,
            "--against" => &mut options.against,
            "--write" => &mut options.write,
            _ => bail!("there is no option {name}; say {USE}"),
        };
        *option = Some(Path::new(value));
    }
    match options {
        Options { before: Some(tool), write: Some(file), after: None, against: None } => {
            let outcomes = recorded(tool, "before")?;
            record::write(&outcomes, file)?;
            println!("same: {} runs recorded", outcomes.len());
            Ok(())
        }
        Options { before: Some(old), after: Some(new), against: None, write: None } => {
            judge(&compare::compare(&recorded(old, "before")?, &recorded(new, "after")?))
        }
        Options { against: Some(file), after: Some(new), before: None, write: None } => {
            let before = record::read(file)?;
            judge(&compare::compare(&before, &recorded(new, "after")?))
        }
        _ => bail!("say {USE}"),
    }
}

/// What was asked for.
#[derive(Default)]
struct Options<'a> {
    before: Option<&'a Path>,
    after: Option<&'a Path>,
    against: Option<&'a Path>,
    write: Option<&'a Path>,
}

fn recorded(tool: &Path, name: &str) -> Result<Vec<record::Outcome>> {
    let start = Instant::now();
    let folder = target()?.join("same").join(name);
    let outcomes = record::record(tool, &folder).with_context(|| format!("the build {name} was not recorded"))?;
    println!("{name}: {} runs in {:.0} s, kept in target/same/{name}", outcomes.len(), start.elapsed().as_secs_f64());
    Ok(outcomes)
}

/// Prints every difference and a closing line; an error where something else was computed.
fn judge(verdict: &Verdict) -> Result<()> {
    for class in Class::ALL {
        let of_class: Vec<&Difference> =
            verdict.differences.iter().filter(|difference| difference.class == class).collect();
        for of_run in of_class.chunk_by(|a, b| a.command == b.command) {
            println!("\n{}: truefold {}", class.name(), of_run[0].command);
            tell(of_run);
        }
    }
    let counts: Vec<String> = Class::ALL
        .iter()
        .zip(&verdict.counts)
        .map(|(class, (same, all))| format!("{} {same} of {all}", class.name()))
        .collect();
    println!("\nsame: {} runs: {}", verdict.runs, counts.join(", "));
    if verdict.differences.iter().any(|difference| difference.class.is_grave()) {
        bail!("the two builds do not compute the same");
    }
    Ok(())
}

/// Prints the differences of one run and class.
fn tell(differences: &[&Difference]) {
    let lines: Vec<String> = differences.iter().flat_map(|difference| told(difference)).collect();
    lines.iter().take(LINES).for_each(|line| println!("{line}"));
    if lines.len() > LINES {
        println!("  ... and {} lines more", lines.len() - LINES);
    }
}

/// A place, and the lines that are not the same there.
fn told(difference: &Difference) -> Vec<String> {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (difference.before.lines().collect(), difference.after.lines().collect());
    let alike = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
    let rest = before[alike..].iter().rev().zip(after[alike..].iter().rev());
    let ending = rest.take_while(|(before, after)| before == after).count();
    let numbers = match difference.class {
        Class::Text if numbers(&difference.before) != numbers(&difference.after) => " (in its numbers, too)",
        _ => "",
    };
    let mut lines = vec![format!("  {}{numbers}", difference.place)];
    lines.extend(before[alike..before.len() - ending].iter().map(|line| format!("    before: {line}")));
    lines.extend(after[alike..after.len() - ending].iter().map(|line| format!("    after:  {line}")));
    lines
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<&str> {
    let inside = |letter: char| letter.is_ascii_digit() || letter == '.';
    let parts = text.split(|letter: char| !inside(letter)).map(|part| part.trim_matches('.'));
    parts.filter(|part| !part.is_empty()).collect()
}
