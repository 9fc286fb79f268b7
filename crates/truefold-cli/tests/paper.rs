//! `truefold paper` run as a user runs it, on parts that take seconds.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn truefold(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("truefold").unwrap();
    command.current_dir(folder);
    command
}

fn failure(folder: &Path, arguments: &[&str]) -> (String, i32) {
    let done = truefold(folder).args(arguments).assert().failure();
    let output = done.get_output();
    (String::from_utf8(output.stderr.clone()).unwrap(), output.status.code().unwrap())
}

#[test]
fn a_column_of_the_table_and_its_figures_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["paper", "--only", "cylinder,faces", "--methods", "psa,lle,isomap", "--k", "12,9", "--output", "made/here"];
    let done = truefold(folder.path()).args(arguments).assert().success();
    let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert!(text.contains("Faces left out: --data DIR"), "{text}");
    assert!(text.trim_end().ends_with("index.html"), "{text}");
    let made = folder.path().join("made/here");
    let results: Value = serde_json::from_str(&std::fs::read_to_string(made.join("results.json")).unwrap()).unwrap();
    assert_eq!(results["neighbors"], serde_json::json!([9, 12]));
    let set = &results["data_sets"][0];
    assert_eq!((&set["name"], &set["points"]), (&"cylinder".into(), &800.into()));
    for method in set["methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        let runs = method["runs"].as_array().unwrap();
        assert_eq!(runs.len(), if name == "psa" { 4 } else { 2 }, "{name}");
        // The table's value is the least of the runs, and none of them is below its bound.
        for measure in ["r_n", "r_c"] {
            let values = runs.iter().map(|run| run[measure].as_f64().unwrap());
            assert_eq!(method[measure]["value"].as_f64(), values.reduce(f64::min), "{name}");
        }
        assert!(runs.iter().all(|run| run["r_c"].as_f64() >= run["lower_bound"].as_f64()), "{name}");
    }
    let isomap = set["methods"].as_array().unwrap().iter().find(|method| method["name"] == "isomap").unwrap();
    assert_eq!(isomap["printed"]["r_n"], 0.34);
    for name in ["cylinder", "lle-over-k"] {
        let svg = std::fs::read_to_string(made.join(format!("figures/{name}.svg"))).unwrap();
        assert_eq!(svg.matches("<circle").count(), if name == "cylinder" { 4 * 800 } else { 3 * 800 });
        let png = std::fs::read(made.join(format!("figures/{name}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG"));
        for page in ["index.html", "index.md"] {
            let page = std::fs::read_to_string(made.join(page)).unwrap();
            assert!(page.contains(&format!("figures/{name}.png")) && page.contains("0.34 [0.25]"));
        }
    }
}

#[test]
fn wrong_use_is_told_before_anything_is_computed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    std::fs::write(folder.path().join("usps_twos.csv"), "1,2\n3,4\n").unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["paper", "--output", "o", "--only", "swissroll"], 2, "did you mean swiss-roll"),
        (&["paper", "--output", "o", "--methods", "umap"], 2, "there are gp, psa, lle"),
        (&["paper", "--output", "o", "--k", "1"], 2, "--k 1"),
        (&["paper", "--output", "o", "--data", "nowhere"], 1, "nowhere: is no folder"),
        (&["paper", "--output", "file"], 1, "file"),
        (
            &["paper", "--output", "o", "--data", ".", "--only", "twos"],
            1,
            "holds points of 2 dimensions where Twos has 256",
        ),
    ];
    for (arguments, status, part) in cases {
        let (message, code) = failure(folder.path(), arguments);
        assert_eq!(code, *status, "{arguments:?}: {message}");
        assert!(message.contains(part) && message.trim_end().lines().count() == 1, "{arguments:?}: {message}");
    }
    assert!(!folder.path().join("o/index.html").exists());
}
