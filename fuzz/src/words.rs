//! Command lines: commands, options and values as the tool has them, and others.
//!
//! A line is stored as its words with a zero byte after each.

use crate::draw::Draw;
use crate::edit::NUMBERS;
use crate::target::Target;
use anyhow::Result;
use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

/// A command with what may follow it.
struct Command {
    name: String,
    options: Vec<String>,
    values: Vec<String>,
}

/// Values that some option takes, or nearly.
const VALUES: [&str; 24] = [
    "x.csv",
    "y.npy",
    "-",
    "--",
    "",
    "6..18:3",
    "6..",
    "..",
    "18..6",
    "6,,9",
    "auto",
    "psa",
    "psa,isomap",
    "psa.tear=false",
    "tear=",
    "=",
    "a=b=c",
    "euclidean",
    "precomputed",
    "json",
    "0.99",
    "1:2:3",
    "é",
    "\u{1b}[31m",
];

fn commands() -> &'static [Command] {
    static COMMANDS: OnceLock<Vec<Command>> = OnceLock::new();
    COMMANDS.get_or_init(|| {
        let mut tool = truefold_cli::command();
        tool.build();
        tool.get_subcommands()
            .map(|command| {
                let options =
                    command.get_arguments().filter_map(|argument| argument.get_long()).map(|long| format!("--{long}"));
                let values = command.get_arguments().flat_map(clap::Arg::get_possible_values);
                let values = values.map(|value| value.get_name().to_owned());
                Command { name: command.get_name().to_owned(), options: options.collect(), values: values.collect() }
            })
            .collect()
    })
}

/// A line of words.
pub fn line(draw: &mut Draw) -> Vec<u8> {
    let command = draw.pick(commands());
    let mut words = vec![command.name.clone()];
    for _ in 0..draw.below(9) {
        match draw.below(10) {
            0..=3 if !command.options.is_empty() => words.push(draw.pick(&command.options).clone()),
            4 if !command.values.is_empty() => words.push(draw.pick(&command.values).clone()),
            5 => words.push((*draw.pick(&NUMBERS)).to_owned()),
            6 if !command.options.is_empty() => {
                words.push(format!("{}={}", draw.pick(&command.options), draw.pick(&VALUES)));
            }
            _ => words.push((*draw.pick(&VALUES)).to_owned()),
        }
    }
    join(&words)
}

fn join(words: &[String]) -> Vec<u8> {
    words.iter().flat_map(|word| word.bytes().chain([0])).collect()
}

/// A right line of some commands.
pub fn seeds(_: &Target) -> Result<Vec<Vec<u8>>> {
    let lines = [
        "generate swiss-roll --points 100 --output x.csv",
        "neighbors x.csv --k 5 --output n.npy",
        "measure x.csv y.csv --k 12 --format json",
        "embed x.csv --method psa --set tear=false --output y.csv",
        "compare x.csv --methods psa,isomap --k 6..18:3",
        "sweep x.csv --method isomap --k 6..30:4 --dim 1..3",
        "stability x.csv a.csv b.csv",
        "transform m.truefold x.csv --output y.csv",
    ];
    Ok(lines.iter().map(|line| join(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())).collect())
}

/// Reads the line as the tool would.
pub fn feed(path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let words = bytes.split(|&byte| byte == 0).map(word);
    truefold_cli::check([OsString::from("truefold")].into_iter().chain(words.filter(|word| !word.is_empty())))
        .map_err(|error| format!("{:?}", error.kind()))
}

#[cfg(unix)]
fn word(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn word(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
