//! `truefold stability`, and ellipses in figures.

mod running;

use running::{done, truefold};
use serde_json::Value;
use std::path::Path;

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&done(folder, arguments)).unwrap()
}

/// A roll, its true map, and a map of it in which the rows from 200 to 399 trade their places.
fn maps(folder: &Path) {
    done(folder, &["generate", "swiss-roll", "--points", "800", "--output", "x.npy", "--truth", "z.csv"]);
    let text = std::fs::read_to_string(folder.join("z.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (head, rows) = (lines[0], &lines[1..]);
    let traded = |at: usize| if (200..400).contains(&at) { rows[200 + (at - 200) * 77 % 200] } else { rows[at] };
    let write = |name: &str, rows: Vec<&str>| {
        std::fs::write(folder.join(name), format!("{head}\n{}\n", rows.join("\n"))).unwrap();
    };
    write("traded.csv", (0..800).map(traded).collect());
    write("short.csv", rows[..700].to_vec());
}

#[test]
fn maps_are_compared_point_by_point() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    maps(folder);
    let arguments = ["stability", "x.npy", "z.csv", "traded.csv", "--k", "10"];
    let text = done(folder, &arguments);
    assert!(
        text.starts_with("800 points in 3 dimensions, 2 maps in 2 dimensions, 1 pair of maps compared\n"),
        "{text}"
    );
    assert!(text.contains("are unstable: the maps disagree") && text.contains("maps disagree in neighbors"), "{text}");
    let options = ["--format", "json", "--per-point", "p.csv", "--figure", "f.svg"];
    let found = json(folder, &[&arguments[..], &options].concat());
    let count = |kind: &str| found["counts"][kind].as_u64().unwrap();
    assert!(count("unstable") >= 200 && count("faithful") + count("unstable") + count("wrong") == 800, "{found}");
    assert_eq!(found["maps"][1]["name"], "traded.csv");
    assert!(found["shape"]["skill"].as_f64().unwrap() < 0.9 && found["seconds"]["total"].is_f64());
    let table = std::fs::read_to_string(folder.join("p.csv")).unwrap();
    assert!(table.starts_with("row,kind,shape,shape_chance,shape_skill,neighbors,") && table.lines().count() == 801);
    let told = |row: usize| table.lines().nth(row + 1).unwrap().split(',').nth(1).unwrap().to_owned();
    assert_eq!((200..400).filter(|&row| told(row) == "unstable").count(), 200);
    assert_eq!(std::fs::read_to_string(folder.join("f.svg")).unwrap().matches("<circle").count(), 1600);
    let threads = [&arguments[..], &["--format", "json", "--threads", "1"]].concat();
    assert_eq!(json(folder, &threads)["shape"], found["shape"]);
}

#[test]
fn maps_that_lack_rows_are_matched_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let named = |rows: &[u32], scale: f64| {
        let place = |row: u32| (f64::from(row * 7 % 31), f64::from(row * 11 % 29));
        let line = |&row: &u32| format!("p{row},{},{}\n", scale * place(row).0, scale * place(row).1);
        format!("id,a,b\n{}", rows.iter().map(line).collect::<String>())
    };
    let all: Vec<u32> = (0..120).collect();
    let odd: Vec<u32> = (0..120).rev().filter(|row| row % 5 != 0).collect();
    std::fs::write(folder.join("x.csv"), named(&all, 1.0)).unwrap();
    std::fs::write(folder.join("a.csv"), named(&all, 2.0)).unwrap();
    std::fs::write(folder.join("b.csv"), named(&odd, 3.0)).unwrap();
    let names = ["--id-column", "id", "--y-id-column", "id", "--k", "8"];
    let found = json(folder, &[&["stability", "x.csv", "a.csv", "b.csv", "--format", "json"], &names[..]].concat());
    assert_eq!((&found["maps"][1]["points"], &found["counts"]["faithful"]), (&96.into(), &96.into()));
    assert!(found["shape"]["value"].as_f64().unwrap() < 1e-12 && found["counts"]["unknown"] == 24);
}

#[test]
fn figures_have_ellipses_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    maps(folder);
    let refine = ["refine", "x.npy", "z.csv", "--iterations", "1", "--output", "y.csv", "--figure", "f.svg"];
    let compare = ["compare", "x.npy", "--methods", "pca,ltsa", "--figure", "f.svg"];
    for command in [&refine[..], &compare] {
        let lines = |arguments: &[&str]| {
            done(folder, arguments);
            std::fs::read_to_string(folder.join("f.svg")).unwrap().matches("<polyline").count()
        };
        let without = lines(command);
        assert!(lines(&[command, &["--ellipses"]].concat()) > without + 100, "{command:?}");
    }
    let output = truefold(folder, &["compare", "x.npy", "--ellipses"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("--ellipses"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_cannot_be_compared_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    maps(folder);
    let said = |arguments: &[&str]| {
        let output = truefold(folder, arguments);
        assert!(!output.status.success() && output.stdout.is_empty());
        (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
    };
    let (text, code) = said(&["stability", "x.npy", "z.csv"]);
    assert_eq!(text, "error: maps = 1 is less than 2: agreement needs two maps; name two or more files Y\n");
    assert_eq!(code, 2);
    let (text, _) = said(&["stability", "x.npy", "z.csv", "short.csv"]);
    assert!(text.starts_with("error: short.csv: has 700 rows for 800 points; give a row for every point"), "{text}");
    assert!(text.contains("--y-id-column"), "{text}");
    let (text, code) = said(&["stability", "x.npy", "z.csv", "z.csv", "--level", "1.5"]);
    assert!(text.contains("--level 1.5") && code == 2, "{text}");
}
