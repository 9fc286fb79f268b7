//! `embed --save-model` and `transform` as a user runs them.

mod running;

use running::{done, truefold};
use serde_json::Value;
use std::path::Path;
use truefold::io::{ReadOptions, read};

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = truefold(folder, arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    text
}

/// A folder with x.csv, new.csv of the same roll, y.npy and m.truefold.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    done(path, &["generate", "swiss-roll", "--points", "800", "--output", "x.csv"]);
    done(path, &["generate", "swiss-roll", "--points", "300", "--seed", "9", "--output", "new.csv"]);
    let said = done(path, &["embed", "x.csv", "--method", "psa", "--output", "y.npy", "--save-model", "m.truefold"]);
    assert!(said.contains("The model for new points is in m.truefold"));
    folder
}

#[test]
fn fitted_points_come_back_and_new_ones_have_a_confidence() {
    let folder = folder();
    let path = folder.path();
    done(path, &["transform", "m.truefold", "x.csv", "--output", "again.npy"]);
    assert_eq!(std::fs::read(path.join("y.npy")).unwrap(), std::fs::read(path.join("again.npy")).unwrap());
    let arguments =
        ["transform", "m.truefold", "new.csv", "--output", "p.csv", "--confidence", "c.csv", "--format", "json"];
    let result: Value = serde_json::from_str(&done(path, &arguments)).unwrap();
    assert_eq!((&result["points"], &result["output_dim"]), (&Value::from(300), &Value::from(2)));
    assert_eq!((&result["model"]["method"], &result["model"]["points"]), (&Value::from("psa"), &Value::from(800)));
    let median = result["confidence"]["median"].as_f64().unwrap();
    assert!((0.3..=1.0).contains(&median), "{median}");
    assert_eq!(read(path.join("p.csv"), &ReadOptions::default()).unwrap().len(), 300);
    let table = std::fs::read_to_string(path.join("c.csv")).unwrap();
    assert_eq!(table.lines().next(), Some("row,confidence,distance,off_tangent,disagreement,misfit,support"));
    assert_eq!(table.lines().count(), 301);
    assert!(table.lines().all(|line| line.split(',').count() == 7));
    let text = done(path, &["transform", "m.truefold", "new.csv", "--output", "p.csv", "--figure", "p.svg"]);
    assert!(text.starts_with("300 points placed in 2 dimensions by a model of 800 points fitted with psa\n"), "{text}");
    assert_eq!(std::fs::read_to_string(path.join("p.svg")).unwrap().matches("<circle").count(), 1100);
}

#[test]
fn what_cannot_be_is_said_in_one_sentence_and_nothing_is_written() {
    let folder = folder();
    let path = folder.path();
    let transform = |model: &str, x: &str| {
        let text = refused(path, &["transform", model, x, "--output", "out.csv"]);
        assert!(!path.join("out.csv").exists());
        text
    };
    assert!(transform("none.truefold", "new.csv").contains("there is no such file"));
    assert!(transform("x.csv", "new.csv").contains("is not a truefold model"));
    let whole = std::fs::read(path.join("m.truefold")).unwrap();
    std::fs::write(path.join("half.truefold"), &whole[..whole.len() / 2]).unwrap();
    assert!(transform("half.truefold", "new.csv").contains("cut short or damaged"));
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    std::fs::write(path.join("flipped.truefold"), flipped).unwrap();
    assert!(transform("flipped.truefold", "new.csv").contains("damaged"));
    std::fs::write(path.join("flat.csv"), "1,2\n3,4\n").unwrap();
    assert!(transform("m.truefold", "flat.csv").contains("have 2 dimensions and the fitted ones 3"));
    std::fs::write(path.join("holes.csv"), "x,y,z\n1,2,nan\n").unwrap();
    assert!(transform("m.truefold", "holes.csv").contains("row 1"));

    let embed = |extra: &[&str]| {
        let mut arguments = vec!["embed", "x.csv", "--method", "psa", "--output", "out.csv"];
        arguments.extend(extra);
        let text = refused(path, &arguments);
        assert!(!path.join("out.csv").exists());
        text
    };
    assert!(embed(&["--save-model", "m.npz"]).contains("a model is written as .truefold; choose this ending"));
    assert!(embed(&["--save-model", "missing/m.truefold"]).contains("does not exist; create it first"));
    assert!(embed(&["--save-model", "m.truefold", "--metric", "precomputed"]).contains("from distances alone"));
}
