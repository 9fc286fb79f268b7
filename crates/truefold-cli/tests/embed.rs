//! `embed`, `refine` and `methods` as a user runs them.

mod running;
#[path = "running/signals.rs"]
mod signals;

use running::{done, truefold};
use serde_json::Value;
use signals::stopping;
use std::path::Path;
use truefold::io::{ReadOptions, read};

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&done(folder, arguments)).unwrap()
}

fn generate(folder: &Path, name: &str, points: &str) {
    done(folder, &["generate", name, "--points", points, "--output", "x.npy", "--truth", "z.npy"]);
}

#[test]
fn both_methods_unroll_the_roll_and_say_what_they_did() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "swiss-roll", "1600");
    for method in ["gp", "psa"] {
        let result = json(
            folder.path(),
            &[
                "embed", "x.npy", "--method", method, "--k", "12", "--output", "y.npy", "--format", "json", "--seed",
                "5",
            ],
        );
        let (value, bound) = (&result["measures"]["r_n"], &result["lower_bounds"]["r_n"]);
        assert!(value.as_f64().unwrap() <= 1.02 * bound.as_f64().unwrap(), "{method}: {value} {bound}");
        assert_eq!((result["method"].as_str(), result["seed"].as_u64()), (Some(method), Some(5)));
        assert!(
            result["parameters"].is_object() && result["stop"].is_string() && result["seconds"]["embed"].is_number()
        );
        let points = read(folder.path().join("y.npy"), &ReadOptions::default()).unwrap();
        assert_eq!((points.len(), points.dim()), (1600, 2));
        let again = json(folder.path(), &["measure", "x.npy", "y.npy", "--k", "12", "--format", "json"]);
        assert_eq!(&again["measures"]["r_n"], value);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "s-curve", "900");
    for method in ["gp", "psa"] {
        let run = |threads: &str| {
            json(
                folder.path(),
                &["embed", "x.npy", "--method", method, "--output", "y.npy", "--format", "json", "--threads", threads],
            );
            std::fs::read(folder.path().join("y.npy")).unwrap()
        };
        let one = run("1");
        assert!(one == run("2") && one == run("8"), "{method}");
    }
}

#[test]
fn several_components_are_laid_out_left_out_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "two-pieces", "600");
    let embed = |components: &str| {
        let set = format!("components={components}");
        truefold(folder.path(), &["embed", "x.npy", "--method", "psa", "--set", &set, "--output", "y.csv"])
    };
    let done = embed("side-by-side");
    assert!(done.status.success());
    assert!(String::from_utf8_lossy(&done.stdout).contains("2 connected components"));
    assert_eq!(read(folder.path().join("y.csv"), &ReadOptions::default()).unwrap().len(), 600);
    assert!(embed("largest").status.success());
    let largest = read(folder.path().join("y.csv"), &ReadOptions::default()).unwrap();
    assert!((300..600).contains(&largest.len()) && largest.ids().is_some());
    std::fs::remove_file(folder.path().join("y.csv")).unwrap();
    let refused = embed("error");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("2 connected components"));
    assert!(!folder.path().join("y.csv").exists());
}

#[test]
fn refinement_lowers_its_target_for_an_embedding_from_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "hemisphere", "800");
    let value = |target: &str| {
        let result = json(
            folder.path(),
            &["refine", "x.npy", "z.npy", "--k", "9", "--target", target, "--output", "w.npy", "--format", "json"],
        );
        let trace: Vec<f64> = serde_json::from_value(result["traces"][0]["values"].clone()).unwrap();
        assert!(trace.is_sorted_by(|before, after| after <= before), "{target}: {trace:?}");
        assert!(trace[trace.len() - 1] < trace[0], "{target}");
        result["measures"].clone()
    };
    let before =
        json(folder.path(), &["measure", "x.npy", "z.npy", "--k", "9", "--format", "json"])["measures"].clone();
    assert!(value("r-n")["r_n"].as_f64() < before["r_n"].as_f64());
    assert!(value("r-c")["r_c"].as_f64() < before["r_c"].as_f64());
    // However it is typed.
    assert!(value("r_c") == value("r-c") && value("R_C") == value("r-c"));
    let measured = |names: &str| {
        json(folder.path(), &["measure", "x.npy", "z.npy", "--k", "9", "--measures", names, "--format", "json"])
    };
    assert_eq!(measured("R_N,r-c")["measures"], measured("r_n,r_c")["measures"]);
}

#[test]
fn a_penalty_unfolds_a_projection() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "s-curve", "400");
    json(folder.path(), &["embed", "x.npy", "--method", "pca", "--k", "9", "--output", "y.npy", "--format", "json"]);
    let refine = ["refine", "x.npy", "y.npy", "--k", "9", "--penalty", "1", "--output", "w.npy"];
    let result = json(folder.path(), &[&refine[..], &["--format", "json"]].concat());
    let fact = |name: &str| result["facts"][name].as_f64().unwrap();
    assert!(fact("collapse_before") > 0.0 && fact("penalty_before") > 0.0, "{}", result["facts"]);
    assert_eq!(fact("collapse_after"), 0.0, "{}", result["facts"]);
    assert_eq!(result["parameters"]["penalty"], 1.0);
    let output = truefold(folder.path(), &[&refine[..], &["--figure", "shown.png"]].concat());
    assert!(folder.path().join("shown.png").exists());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("r_n + 1 penalty from") && text.contains(", the map was unfolded"), "{text}");
}

#[test]
fn a_cylinder_is_torn_and_the_torn_pairs_are_told() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "cylinder", "800");
    let embed = |more: &[&str]| {
        let arguments = ["embed", "x.npy", "--method", "psa", "--output", "y.npy", "--torn", "torn.csv"];
        truefold(folder.path(), &[&arguments[..], more].concat())
    };
    let result: Value = serde_json::from_slice(&embed(&["--format", "json"]).stdout).unwrap();
    let tear = &result["tear"];
    assert!(tear["share"].as_f64().unwrap() < 0.03);
    assert!(tear["measures"]["r_n"].as_f64().unwrap() <= 1.1 * tear["lower_bounds"]["r_n"].as_f64().unwrap());
    assert!(result["measures"]["r_n"].as_f64().unwrap() > 1.0);
    let lines = std::fs::read_to_string(folder.path().join("torn.csv")).unwrap();
    assert!(lines.starts_with("row,other_row,along\n"));
    assert_eq!(lines.lines().count() as u64, tear["pairs"].as_u64().unwrap() + 1);
    assert!(String::from_utf8_lossy(&embed(&[]).stdout).contains("% of the memberships. On what is left:"));

    let whole: Value = serde_json::from_slice(&embed(&["--set", "tear=false", "--format", "json"]).stdout).unwrap();
    assert!(whole["tear"].is_null() && whole["measures"]["r_n"].as_f64().unwrap() < 0.1);
    assert_eq!(std::fs::read_to_string(folder.path().join("torn.csv")).unwrap().lines().count(), 1);
    let wrong = embed(&["--set", "tear=maybe"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--set tear=maybe is not one of auto, true, false"));
}

#[test]
fn bad_requests_get_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "plane", "60");
    let cases: &[(&[&str], i32, &str)] = &[
        (&["embed", "x.npy", "--method", "psaa", "--output", "y.npy"], 2, "did you mean psa"),
        (&["embed", "x.npy", "--method", "gp", "--set", "refin=none", "--output", "y.npy"], 2, "refine"),
        (&["embed", "x.npy", "--method", "gp", "--set", "iterations=many", "--output", "y.npy"], 2, "iterations"),
        (&["embed", "x.npy", "--method", "gp", "--set", "components=some", "--output", "y.npy"], 2, "side-by-side"),
        // Before anything is read.
        (&["embed", "none.npy", "--method", "lle", "--set", "reg=-1", "--output", "y.npy"], 2, "--set reg=-1"),
        (
            &["embed", "x.npy", "--method", "pca", "--set", "components=error", "--output", "y.npy"],
            2,
            "all points at once",
        ),
        (&["embed", "x.npy", "--method", "psa", "--dim", "0", "--output", "y.npy"], 2, "--dim 0"),
        (&["embed", "x.npy", "--method", "psa", "--dim", "11", "--output", "y.npy"], 2, "--dim 11"),
        (&["embed", "x.npy", "--method", "psa", "--k", "60", "--output", "y.npy"], 2, "--k 60"),
        (&["embed", "x.npy", "--method", "psa", "--output", "y.what"], 1, "y.what"),
        (&["refine", "x.npy", "z.npy", "--target", "r-x", "--output", "y.npy"], 2, "r-pca"),
        (&["refine", "x.npy", "z.npy", "--tolerance", "2", "--output", "y.npy"], 2, "--tolerance 2"),
        (&["refine", "x.npy", "z.npy", "--penalty", "-1", "--output", "y.npy"], 2, "--penalty -1"),
        (&["refine", "z.npy", "x.npy", "--output", "y.npy"], 1, "swapped"),
    ];
    for (arguments, status, part) in cases {
        let output = truefold(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*status), "{arguments:?}: {message}");
        assert!(message.contains(part) && message.trim_end().lines().count() == 1, "{arguments:?}: {message}");
    }
    assert!(!folder.path().join("y.npy").exists());
}

#[test]
fn the_list_of_methods_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let methods = json(folder.path(), &["methods", "--format", "json"]);
    for entry in methods.as_array().unwrap() {
        let names: Vec<&str> =
            entry["parameters"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        let keys: Vec<&String> = entry["defaults"].as_object().unwrap().keys().collect();
        assert_eq!(names, keys, "{}", entry["name"]);
    }
    assert_eq!(methods.as_array().unwrap().len(), truefold::embed::EMBEDDERS.len());
}

/// Interrupted while it embeds, the tool says so, and nothing is left behind.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "swiss-roll", "2000");
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    let set = ["--set", "alignment=annealing", "--set", "sweeps=1000000", "--set", "cooling=0.999999"];
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("truefold"))
        .current_dir(folder.path())
        .args(["embed", "x.npy", "--method", "psa", "--output", "y.npy"])
        .args(set)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
    let (name, status) = stopping();
    let signal = std::process::Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{message}");
    assert!(message.starts_with("error: ") && message.trim_end().lines().count() == 1, "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before);
}
