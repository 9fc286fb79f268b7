//! `suggest`, `--k auto` and `--dim auto` as a user runs them.

mod running;

use running::{done, truefold};
use serde_json::Value;
use std::path::Path;

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&done(folder, arguments)).unwrap()
}

#[test]
fn a_roll_is_described_in_words_in_json_and_point_by_point() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    done(path, &["generate", "swiss-roll", "--points", "1500", "--output", "x.npy"]);
    let text = done(path, &["suggest", "x.npy", "--per-point", "p.csv", "--figure", "map.svg"]);
    assert!(text.starts_with("1,500 points in 3 dimensions\n"), "{text}");
    for part in
        ["--dim", "all estimates agree", "maximum likelihood", "two nearest", "charts", "No noise", "has an edge"]
    {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let table = std::fs::read_to_string(path.join("p.csv")).unwrap();
    assert_eq!(table.lines().next(), Some("row,dimension,radius,off_tangent,sidedness"));
    assert_eq!(table.lines().count(), 1501);
    assert_eq!(std::fs::read_to_string(path.join("map.svg")).unwrap().matches("<circle").count(), 1500);
    let found = json(path, &["suggest", "x.npy", "--format", "json", "--sample", "500"]);
    assert_eq!((&found["dim"], &found["k"], &found["sample"]), (&Value::from(2), &Value::from(12), &Value::from(500)));
    assert_eq!((&found["edge"]["closed"], &found["graph"]["components"]), (&Value::from(false), &Value::from(1)));
    assert_eq!(found["estimates"].as_array().unwrap().len(), 3);
}

#[test]
fn a_dimension_that_charts_cannot_tell_is_not_made_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // Sines of 60 frequencies that no small whole numbers relate: a line that fills a box of 60 dimensions.
    let value =
        |row: usize, column: usize| (row as f64 * 12.9898 + (column as f64 + 2.0).sqrt() * row as f64 * 78.233).sin();
    let lines = (0..400).map(|row| (0..60).map(|column| value(row, column).to_string()).collect::<Vec<_>>().join(","));
    std::fs::write(path.join("x.csv"), lines.collect::<Vec<_>>().join("\n")).unwrap();
    let found = json(path, &["suggest", "x.csv", "--format", "json"]);
    let charts = found["estimates"].as_array().unwrap().iter().find(|one| one["name"] == "charts").unwrap();
    assert_eq!(charts, &serde_json::json!({"name": "charts", "value": null, "low": 8.0, "high": null}));
    assert!(found["dim"].as_u64().unwrap() > 8 && found["surface"].is_null() && found["edge"].is_null(), "{found}");
    let text = done(path, &["suggest", "x.csv"]);
    assert!(text.contains("at least 8  not determined") && !text.contains("flat") && !text.contains("8.000"), "{text}");
    let sweep = ["sweep", "x.csv", "--method", "pca", "--k", "12", "--dim", "1..3"];
    let swept = json(path, &[&sweep[..], &["--format", "json"]].concat());
    let choice = &swept["recommendation"]["dimension"];
    assert_eq!((&choice["dim"], &choice["determined"]), (&Value::from(3), &Value::from(false)), "{swept}");
    assert!(done(path, &sweep).contains("No d of this sweep holds the neighborhoods"));
}

#[test]
fn embed_takes_what_the_data_call_for_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    done(path, &["generate", "helix", "--output", "x.npy"]);
    let suggested = json(path, &["suggest", "x.npy", "--format", "json"]);
    let k = &suggested["k"];
    assert_ne!(k, &Value::from(12), "the default would show nothing");
    let embed = ["embed", "x.npy", "--method", "psa", "--k", "auto", "--dim", "auto", "--output", "y.csv"];
    let result = json(path, &[&embed[..], &["--format", "json"]].concat());
    assert_eq!((&result["output_dim"], &result["neighborhoods"]["k"]), (&Value::from(1), k));
    assert_eq!((&result["chosen"]["dim"]["value"], &result["chosen"]["k"]["value"]), (&Value::from(1), k));
    let text = done(path, &embed);
    assert!(text.contains("dim = 1 chosen: ") && text.contains(&format!("k = {k} chosen: ")), "{text}");
    let fixed =
        json(path, &["embed", "x.npy", "--method", "psa", "--dim", "1", "--output", "y.csv", "--format", "json"]);
    assert_eq!((&fixed["chosen"], &fixed["neighborhoods"]["k"]), (&Value::Null, &Value::from(12)));
    let measured = json(path, &["measure", "x.npy", "y.csv", "--k", "auto", "--format", "json"]);
    assert_eq!(&measured["neighborhoods"]["k"], k);
}

#[test]
fn embed_takes_the_method_that_suits_the_data_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    done(path, &["generate", "swiss-roll", "--points", "600", "--output", "x.npy"]);
    let suggested = json(path, &["suggest", "x.npy", "--dim", "3", "--format", "json"]);
    assert_eq!((&suggested["picture"]["method"], &suggested["coordinates"]["dim"]), (&"psa".into(), &Value::from(2)));
    assert_eq!((&suggested["asked"]["method"], &suggested["asked"]["dim"]), (&"pca".into(), &Value::from(3)));
    let embed = ["embed", "x.npy", "--method", "auto", "--output", "y.npy"];
    let text = done(path, &embed);
    assert!(text.starts_with("method = psa chosen: the data are a surface of 2 dimensions"), "{text}");
    assert!(text.contains("psa in "), "{text}");
    let result = json(path, &[&embed[..], &["--k", "auto", "--dim", "auto", "--format", "json"]].concat());
    assert_eq!((&result["method"], &result["chosen"]["method"]["value"]), (&"psa".into(), &"psa".into()));
    assert_eq!(result["chosen"]["method"]["reason"], suggested["coordinates"]["reason"]);
    assert!(result["chosen"]["k"]["value"].is_u64() && result["chosen"]["dim"]["value"] == 2, "{result}");
    let automatic = std::fs::read(path.join("y.npy")).unwrap();
    done(path, &["embed", "x.npy", "--method", "psa", "--k", "auto", "--dim", "auto", "--output", "z.npy"]);
    assert!(automatic == std::fs::read(path.join("z.npy")).unwrap(), "the same bits as by name");
    done(path, &[&embed[..], &["--set", "tear=false"]].concat());
    std::fs::remove_file(path.join("y.npy")).unwrap();
    let refused = |more: &[&str]| {
        let output = truefold(path, &[&embed[..], more].concat());
        assert!(!output.status.success() && !path.join("y.npy").exists());
        String::from_utf8(output.stderr).unwrap()
    };
    let told = refused(&["--set", "perplexity=20"]);
    assert!(
        told.contains("--set perplexity=20 belongs to another method: psa was chosen, which has alignment"),
        "{told}"
    );
    assert!(refused(&["--set", "perplexity"]).contains("is not of the form name=value"));
    // Distances, and few points.
    let line = |row: usize| (0..40).map(|at: usize| at.abs_diff(row).to_string()).collect::<Vec<_>>().join(",");
    std::fs::write(path.join("d.csv"), (0..40).map(line).collect::<Vec<_>>().join("\n")).unwrap();
    let distances =
        ["embed", "d.csv", "--method", "auto", "--metric", "precomputed", "--dim", "1", "--output", "y.npy"];
    assert!(done(path, &distances).starts_with("method = gp chosen: "));
    std::fs::write(path.join("few.csv"), "0,1,2\n1,0,1\n2,1,7\n5,5,5\n").unwrap();
    let few = ["embed", "few.csv", "--method", "auto", "--k", "2", "--output", "y.npy"];
    assert!(done(path, &few).starts_with("method = pca chosen: 4 different points are too few"));
}

#[test]
fn what_cannot_be_chosen_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("d.csv"), "0,1,2\n1,0,1\n2,1,0\n").unwrap();
    let refused = |arguments: &[&str]| {
        let output = truefold(path, arguments);
        assert!(!output.status.success() && output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let embed = ["embed", "d.csv", "--method", "psa", "--output", "y.csv", "--metric", "precomputed", "--k", "auto"];
    assert!(refused(&embed).contains("auto needs the coordinates of the points, and X holds distances"));
    assert!(refused(&["suggest", "d.csv"]).contains("a suggestion needs at least 20 points, but there are 3"));
    assert!(refused(&["suggest", "d.csv", "--per-point", "p.npy"]).contains("written as .csv or .tsv"));
    assert!(refused(&["suggest", "d.csv", "--figure", "p.gif"]).contains(".svg or .png"));
    assert!(refused(&["suggest", "d.csv", "--metric", "taxi"]).contains("no metric named 'taxi'"));
    assert!(refused(&["suggest", "d.csv", "--sample", "0"]).contains("--sample 0"));
    assert!(refused(&["suggest", "d.csv", "--dim", "0"]).contains("--dim 0"));
    assert!(
        refused(&["measure", "d.csv", "d.csv", "--k", "some"]).contains("neither a whole number nor the word auto")
    );
    assert!(!path.join("y.csv").exists() && !path.join("p.npy").exists());
}
