//! The tool as a user runs it, in a fresh folder.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

fn truefold(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("truefold").unwrap();
    command.current_dir(folder);
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Standard output of a command that must succeed.
fn output(folder: &Path, arguments: &[&str]) -> String {
    let done = truefold(folder).args(arguments).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&output(folder, arguments)).unwrap()
}

/// Standard error and exit status of a command that must fail.
fn failure(folder: &Path, arguments: &[&str]) -> (String, i32) {
    let done = truefold(folder).args(arguments).assert().failure();
    let output = done.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} wrote to standard output");
    (String::from_utf8(output.stderr.clone()).unwrap(), output.status.code().unwrap())
}

#[test]
fn generate_and_measure_the_true_map() {
    let folder = folder();
    output(folder.path(), &["generate", "swiss-roll", "--points", "800", "--output", "x.npy", "--truth", "z.csv"]);
    let result =
        json(folder.path(), &["measure", "x.npy", "z.csv", "--k", "9", "--format", "json", "--per-point", "p.csv"]);
    assert_eq!(result["points"], 800);
    assert_eq!(result["input_dim"], 3);
    assert_eq!(result["output_dim"], 2);
    assert_eq!(result["neighborhoods"]["k"], 9);
    assert_eq!(result["neighborhoods"]["center"], true);
    assert_eq!(result["neighborhoods"]["components"], 1);
    for name in ["r", "r_n", "r_pca", "r_c", "r_a"] {
        let (value, bound) = (&result["measures"][name], &result["lower_bounds"][name]);
        assert!(value.as_f64().unwrap() >= bound.as_f64().unwrap(), "{name}");
    }
    assert!(result["measures"]["r_n"].as_f64().unwrap() < 0.01);
    let table = std::fs::read_to_string(folder.path().join("p.csv")).unwrap();
    assert_eq!(table.lines().count(), 801);
    assert!(table.starts_with("row,verdict,r,r_bound,r_chance,r_n,"));
    let column = |line: &str| line.split(',').nth(5).unwrap().parse::<f64>().unwrap();
    let mean = table.lines().skip(1).map(column).sum::<f64>() / 800.0;
    assert!((mean - result["measures"]["r_n"].as_f64().unwrap()).abs() < 1e-12);
}

#[test]
fn given_neighborhoods_and_distances_give_the_same_measures_as_points() {
    let folder = folder();
    output(folder.path(), &["generate", "s-curve", "--points", "300", "--output", "x.npy", "--truth", "z.npy"]);
    let points = truefold::io::read(folder.path().join("x.npy"), &truefold::io::ReadOptions::default()).unwrap();
    let distances: Vec<f64> = points
        .rows()
        .flat_map(|a| points.rows().map(move |b| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()))
        .collect();
    let table = truefold::Points::new(300, 300, distances).unwrap();
    truefold::io::write(folder.path().join("d.npy"), &table).unwrap();
    output(folder.path(), &["neighbors", "x.npy", "--k", "8", "--output", "n.npy"]);
    let common = ["--format", "json", "--measures", "all"];
    let measure = |x: &str, more: &[&str]| {
        json(folder.path(), &[&["measure", x, "z.npy"], more, common.as_slice()].concat())["measures"].clone()
    };
    let direct = measure("x.npy", &["--k", "8"]);
    let others =
        [measure("x.npy", &["--neighbors", "n.npy"]), measure("d.npy", &["--metric", "precomputed", "--k", "8"])];
    for other in others {
        for (name, value) in direct.as_object().unwrap() {
            let (a, b) = (value.as_f64().unwrap(), other[name].as_f64().unwrap());
            // The bins of stress end at the largest distance, which only a full table gives exactly.
            let tolerance = if name == "stress" { 1e-4 } else { 1e-6 };
            assert!((a - b).abs() <= tolerance * a.abs() + 1e-9, "{name}: {a} {b}");
        }
    }
}

#[test]
fn threads_and_repetition_change_nothing() {
    let folder = folder();
    output(folder.path(), &["generate", "torus", "--points", "600", "--output", "x.csv", "--truth", "z.csv"]);
    let run = |threads: &str| {
        let mut result = json(
            folder.path(),
            &[
                "measure",
                "x.csv",
                "z.csv",
                "--measures",
                "all",
                "--sample",
                "100",
                "--format",
                "json",
                "--threads",
                threads,
            ],
        );
        result.as_object_mut().unwrap().remove("seconds");
        result
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one, run("8"));
}

#[test]
fn csv_comes_from_standard_input_and_ids_and_labels_go_through() {
    let folder = folder();
    let rows: String = (0..40).map(|at| format!("p{at},{},{},c{}\n", at % 8, at / 8, at % 2)).collect();
    let plane: String = (0..40).map(|at| format!("{},{}\n", at % 8, at / 8)).collect();
    std::fs::write(folder.path().join("y.csv"), plane).unwrap();
    let done = truefold(folder.path())
        .args([
            "measure",
            "-",
            "y.csv",
            "--id-column",
            "name",
            "--label-column",
            "class",
            "--k",
            "5",
            "--per-point",
            "p.tsv",
        ])
        .write_stdin(format!("name,u,v,class\n{rows}"))
        .assert()
        .success();
    let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert!(text.contains("40 points in 2 dimensions, embedded in 2 dimensions"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 88), "{text}");
    assert!(!text.contains('\u{1b}'), "colors in a pipe");
    let table = std::fs::read_to_string(folder.path().join("p.tsv")).unwrap();
    assert!(table.starts_with("id\tlabel\tverdict\tr\t"), "{table}");
    assert!(table.lines().nth(1).unwrap().starts_with("p0\tc0\t"));
}

#[test]
fn an_approximate_search_keeps_its_promise_or_says_why_it_was_exact() {
    let folder = folder();
    let noise = |at: u64| {
        let mixed = (at + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64
    };
    let points = truefold::Points::new(30_000, 24, (0..720_000).map(noise).collect()).unwrap();
    truefold::io::write(folder.path().join("x.npy"), &points).unwrap();
    let search = |more: &[&str]| {
        let words =
            [&["neighbors", "x.npy", "--k", "10", "--output", "n.npy", "--format", "json", "--approximate"], more];
        json(folder.path(), &words.concat())
    };
    let facts = search(&["--recall", "0.6"]);
    let told = &facts["neighborhoods"]["approximate"];
    assert!(told["recall"].as_f64().unwrap() >= 0.6 && told["wanted"] == 0.6, "{facts}");
    assert!(facts["seconds"]["neighbors"].as_f64().unwrap() > 0.0, "{facts}");
    assert_eq!(search(&["--recall", "1"])["neighborhoods"]["exact_instead"]["reason"], "as_fast");
}

#[test]
fn a_radius_pads_short_rows() {
    let folder = folder();
    std::fs::write(folder.path().join("line.csv"), "0\n1\n2\n4\n").unwrap();
    output(folder.path(), &["neighbors", "line.csv", "--radius", "2", "--output", "r.csv"]);
    let (rows, columns, values) =
        truefold::io::read_indices(folder.path().join("r.csv"), &truefold::io::ReadOptions::default()).unwrap();
    assert_eq!((rows, columns), (4, 4));
    assert_eq!(values, [0, 1, 2, -1, 1, 0, 2, -1, 2, 1, 0, 3, 3, 2, -1, -1]);
}

#[test]
fn the_demo_ends_with_reports_and_its_findings() {
    let folder = folder();
    let text = output(folder.path(), &["demo"]);
    assert!(text.trim_end().ends_with("report.html"), "{text}");
    for line in [
        "psa is nearest to the best possible map",
        " is the least faithful: it loses ",
        "No flat map of a whole cylinder",
        "psa cuts it open",
    ] {
        assert!(text.contains(line), "no '{line}' in {text}");
    }
    let file = |name: &str| folder.path().join("truefold-demo").join(name);
    for (report, title) in [("report.html", "swiss roll"), ("cylinder.html", "cylinder")] {
        let page = std::fs::read_to_string(file(report)).unwrap();
        assert!(page.contains(&format!("<title>How faithful are these maps of a {title}?</title>")));
    }
    for set in ["swiss-roll", "cylinder"] {
        for part in ["", "-truth", "-psa", "-isomap", "-lle", "-ltsa", "-pca"] {
            assert!(file(&format!("{set}{part}.csv")).is_file(), "{set}{part}");
        }
    }
    let judged = json(
        folder.path(),
        &["measure", "truefold-demo/swiss-roll.csv", "truefold-demo/swiss-roll-psa.csv", "--format", "json"],
    );
    let (value, bound) = (&judged["measures"]["r_n"], &judged["lower_bounds"]["r_n"]);
    assert!(value.as_f64().unwrap() < 1.1 * bound.as_f64().unwrap(), "{judged}");
}

#[test]
fn lists_and_completions_are_complete() {
    let folder = folder();
    let measures = output(folder.path(), &["measures"]);
    for measure in truefold::measure::MEASURES {
        assert!(measures.contains(measure.info().name));
    }
    let datasets = json(folder.path(), &["datasets", "--format", "json"]);
    assert_eq!(datasets.as_array().unwrap().len(), truefold::dataset::DATASETS.len());
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(output(folder.path(), &["completions", shell]).contains("truefold"));
    }
}

/// A command that must fail, its exit status, and parts of its sentence.
type Case = (&'static [&'static str], i32, &'static [&'static str]);

const BAD_FILES: &[Case] = &[
    (&["measure", "nan.csv", "three.csv"], 1, &["nan.csv", "row 2", "column 2", "NaN"]),
    (&["measure", "infinity.csv", "three.csv"], 1, &["infinity.csv", "row 3", "column 1"]),
    (&["measure", "empty.csv", "y.csv"], 1, &["empty.csv", "empty"]),
    (&["measure", "header.csv", "y.csv"], 1, &["header.csv", "header"]),
    (&["measure", "ragged.csv", "y.csv"], 1, &["ragged.csv", "row 2", "3"]),
    (&["measure", "text.csv", "y.csv"], 1, &["text.csv", "row 2", "(line 3)", "cat", "--label-column"]),
    (&["measure", "cut.npy", "y.csv"], 1, &["cut.npy", "bytes"]),
    (&["measure", "missing.csv", "y.csv"], 1, &["missing.csv", "no such file"]),
    (&["measure", "x.csv", "y.csv", "--per-point", "no/where.csv"], 1, &["no/where.csv"]),
    (&["measure", "x.csv", "y.csv", "--per-point", "x.csv"], 1, &["x.csv", "another file"]),
    (&["measure", "-", "-"], 2, &["standard input"]),
    (&["generate", "plane", "--output", "no/where.npy"], 1, &["no/where.npy"]),
    (&["generate", "plane", "--output", "x.what"], 1, &["x.what", ".npy"]),
    (&["generate", "plane", "--output", "a.npy", "--truth", "a.xyz"], 1, &["a.xyz", ".npy"]),
];

const BAD_DATA: &[Case] = &[
    (&["measure", "short.csv", "y.csv"], 1, &["X has 20 points and Y has 30", "row i of Y"]),
    (&["measure", "x.csv", "four.csv"], 1, &["Y has 4 dimensions, but X has only 3"]),
    (&["measure", "one.csv", "one.csv"], 1, &["at least 2 points", "there is 1"]),
    (&["measure", "equal.csv", "equal.csv"], 1, &["all 30 points coincide"]),
    (&["measure", "three.csv", "three.csv", "--neighbors", "lists.csv"], 1, &["99"]),
    (&["measure", "four.csv", "y.csv", "--metric", "precomputed"], 1, &["square", "30 rows and 4 columns"]),
    (&["measure", "x.csv", "y.csv", "--metric", "precomputed"], 1, &["x.csv", "row 1, column 1", "no row number"]),
    (&["measure", "huge.csv", "y.csv"], 1, &["row 2, column 1 of X", "1e200", "rescale"]),
    (&["measure", "tiny.csv", "y.csv"], 1, &["within", "rescale"]),
];

const BAD_OPTIONS: &[Case] = &[
    (&["measure", "x.csv", "y.csv", "--k", "30"], 2, &["--k 30 is more than 29"]),
    (&["measure", "x.csv", "y.csv", "--k", "0"], 2, &["--k 0 is less than 1"]),
    (&["neighbors", "lonely.csv", "--radius", "1.5", "--output", "n.npy"], 2, &["1.5", "row 4", "48"]),
    (&["neighbors", "lonely.csv", "--radius", "-1", "--output", "n.npy"], 2, &["--radius -1 is not a positive number"]),
    (&["generate", "swis-roll", "--output", "a.npy"], 2, &["swis-roll", "did you mean swiss-roll"]),
    (&["generate", "cylinder", "--set", "hight=3", "--output", "a.npy"], 2, &["hight", "height"]),
    (&["generate", "plane", "--points", "0", "--output", "a.npy"], 2, &["--points 0 is not from 1"]),
    (&["generate", "plane", "--noise", "NaN", "--output", "a.npy"], 2, &["--noise NaN is not from 0"]),
    (&["generate", "plane", "--noise", "-1", "--output", "a.npy"], 2, &["--noise -1 is not from 0"]),
    (&["measure", "x.csv", "y.csv", "--measures", "trust"], 2, &["trust", "trustworthiness"]),
    (&["measure", "x.csv", "y.csv", "--metric", "euclid"], 2, &["euclid", "euclidean"]),
    (&["measure", "x.csv", "y.csv", "--sample", "10"], 2, &["--sample 10 has no effect"]),
    (&["measure", "x.csv", "y.csv", "--k", "1", "--without-center"], 2, &["--k 1 is less than 2", "single point"]),
    (&["measure", "x.csv", "y.csv", "--sample", "10", "--exact"], 2, &["cannot be used with"]),
    (&["measure", "x.csv", "y.csv", "--sample", "1"], 2, &["--sample 1 "]),
    (&["measure", "x.csv", "y.csv", "--steps", "1"], 2, &["--steps 1 "]),
    (&["measure", "x.csv", "y.csv", "--threads", "0"], 2, &["--threads 0 is not from 1 to 4096"]),
    (&["measure", "x.csv", "y.csv", "--k", "3", "--radius", "2"], 2, &["cannot be used with"]),
];

/// Writes the files of the cases, good and bad ones.
fn write_files(path: &Path) {
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    output(path, &["generate", "plane", "--points", "30", "--set", "dim=3", "--output", "x.csv", "--truth", "y.csv"]);
    output(path, &["generate", "plane", "--points", "20", "--set", "dim=3", "--output", "short.csv"]);
    write("nan.csv", "1,2\n3,NaN\n5,6\n");
    write("infinity.csv", "1,2\n3,4\n-inf,6\n");
    write("empty.csv", "");
    write("header.csv", "a,b\n");
    write("ragged.csv", "1,2\n3,4,5\n");
    write("text.csv", "a,b\n1,2\n3,cat\n");
    write("one.csv", "1,2,3\n");
    write("equal.csv", &"1,1,1\n".repeat(30));
    write("lonely.csv", "0\n1\n2\n50\n");
    write("lists.csv", "0,1\n1,99\n");
    write("three.csv", "1,2\n3,4\n5,6\n");
    write("four.csv", &(0..30).map(|at| format!("{at},1,2,3\n")).collect::<String>());
    write("huge.csv", &(0..30).map(|at| format!("{at}e200,1,2\n")).collect::<String>());
    write("tiny.csv", &(0..30).map(|at| format!("{at}e-170,1e-170,2e-170\n")).collect::<String>());
    output(path, &["generate", "plane", "--points", "30", "--output", "whole.npy"]);
    let bytes = std::fs::read(path.join("whole.npy")).unwrap();
    std::fs::write(path.join("cut.npy"), &bytes[..bytes.len() - 100]).unwrap();
}

#[test]
fn bad_input_gets_one_clear_sentence() {
    let folder = folder();
    let path = folder.path();
    write_files(path);
    for (arguments, status, parts) in [BAD_FILES, BAD_DATA, BAD_OPTIONS].concat() {
        let (message, code) = failure(path, arguments);
        assert_eq!(code, status, "{arguments:?}: {message}");
        for part in parts {
            assert!(message.to_lowercase().contains(&part.to_lowercase()), "{arguments:?}: no '{part}' in: {message}");
        }
        if code == 1 || !message.contains("Usage:") {
            assert_eq!(message.trim_end().lines().count(), 1, "{arguments:?}: {message}");
        }
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    }
    assert!(!path.join("n.npy").exists() && !path.join("a.npy").exists());
}

#[test]
fn constant_columns_and_duplicates_have_an_answer() {
    let folder = folder();
    let rows: String = (0..60).map(|at| format!("{},7,{}\n", at % 10 / 2, at / 10)).collect();
    std::fs::write(folder.path().join("x.csv"), rows).unwrap();
    let plane: String = (0..60).map(|at| format!("{},{}\n", at % 10 / 2, at / 10)).collect();
    std::fs::write(folder.path().join("y.csv"), plane).unwrap();
    let result =
        json(folder.path(), &["measure", "x.csv", "y.csv", "--k", "6", "--measures", "all", "--format", "json"]);
    assert!(result["measures"]["r_n"].as_f64().unwrap() < 1e-12, "{result}");
}
