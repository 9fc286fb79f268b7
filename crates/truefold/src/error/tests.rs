//! What errors say in the words of different front ends, and that the library itself speaks of none of them.

use super::{Advice, Name, PlainVocabulary, Vocabulary};
use crate::dataset::{self, Request};
use crate::io::{self, ReadOptions};
use crate::{Distances, Error, Metric, Neighborhoods, Points, Run, Search};
use std::path::{Path, PathBuf};

/// Names as a command-line tool has them.
struct Tool;

impl Vocabulary for Tool {
    fn name(&self, name: &Name) -> String {
        match name {
            Name::Setting(name) => format!("--set {name}"),
            Name::Option(name) => format!("--{}", name.replace('_', "-")),
        }
    }
}

/// Errors of every module that reads or searches, each with the option that a tool must name in it.
fn errors() -> Vec<(Error, &'static str)> {
    let run = Run::new();
    let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 9.0]).unwrap();
    let text = |text: &str| io::read_from(text.as_bytes(), "standard input", &ReadOptions::default()).unwrap_err();
    let search = |search: Search| search.run(&points, &run).unwrap_err();
    let sample = |request| dataset::find("torus").unwrap().sample(&request).unwrap_err();
    let distances = Distances::sparse(3, vec![0, 1, 1, 1], vec![1], vec![1.0]).unwrap();
    let zeros = Points::new(2, 1, vec![0.0, 1.0]).unwrap();
    vec![
        (text("1,2\n3,x\n"), "--id-column"),
        (text("1,2\n3,\n"), "--drop-columns"),
        (io::read("points.xyz", &ReadOptions::default()).unwrap_err(), "--input-format"),
        (Run::new().with_threads(0).unwrap_err(), "--threads"),
        (search(Search::nearest(0)), "--k"),
        (search(Search::nearest(4)), "--k"),
        (search(Search::within(-1.0)), "--radius"),
        (search(Search::within(1.0)), "--radius"),
        (Search::nearest(2).run_on_distances(&distances, &run).unwrap_err(), "--k"),
        (Search::nearest(1).with_metric(Metric::Cosine).run(&zeros, &run).unwrap_err(), "--metric"),
        (Neighborhoods::nearest(&points, 2, &run).unwrap().first(3).unwrap_err(), "--k"),
        (sample(Request::new().with_points(0)), "--points"),
        (sample(Request::new().with_noise(-1.0)), "--noise"),
        (sample(Request::new().with_setting("tube", "wide")), "--set tube"),
        (sample(Request::new().with_setting("tube", 5)), "--set radius"),
    ]
}

#[test]
fn each_front_end_gets_its_own_names() {
    for (error, option) in errors() {
        let (tool, plain) = (error.worded(&Tool), error.worded(&PlainVocabulary));
        assert!(tool.contains(option), "no {option} in: {tool}");
        assert!(!plain.contains("--"), "{plain}");
        assert_eq!(plain, error.to_string());
        assert!(!plain.contains(['{', '}', '\n']), "{plain}");
    }
}

#[test]
fn every_error_says_what_to_do() {
    for (error, _) in errors() {
        assert!(error.advice().is_some_and(|advice| !advice.text.is_empty()), "{error}");
    }
}

#[test]
fn no_message_of_the_library_names_a_flag_or_a_command() {
    let mut found = Vec::new();
    let mut waiting = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else if path != Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/error/tests.rs")) {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.lines().zip(1..).filter(|(line, _)| !line.trim_start().starts_with("//"));
            found.extend(code.filter(|(line, _)| in_a_string(line)).map(|(_, at)| format!("{}:{at}", path.display())));
        }
    }
    assert!(found.is_empty(), "flags or commands in strings: {found:#?}");
}

/// Whether a string on this line holds a flag such as `--k`, or a command between backticks.
fn in_a_string(line: &str) -> bool {
    let strings = line.split('"').skip(1).step_by(2);
    let flag = |text: &str| text.split("--").skip(1).any(|after| after.starts_with(|c: char| c.is_ascii_lowercase()));
    strings.into_iter().any(|text| flag(text) || text.contains("`truefold"))
}

#[test]
fn a_message_is_one_line_whatever_a_file_names() {
    let error =
        Error::file(Path::new("x.npz"), "the array 'a\u{1b}[2J\nb' is damaged", Advice::mend_file("save it again"));
    assert_eq!(error.to_string(), "x.npz: the array 'a\u{fffd}[2J\u{fffd}b' is damaged; save it again");
}
