//! `compare` and `sweep` as a user runs them.

mod running;

use running::{done, truefold};
use serde_json::Value;
use std::path::Path;
use truefold::io::{ReadOptions, read};

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&done(folder, &[arguments, &["--format", "json"]].concat())).unwrap()
}

/// A folder with a data set in x.npy and its true coordinates in z.npy.
fn folder(name: &str, points: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["generate", name, "--points", points, "--output", "x.npy", "--truth", "z.npy"]);
    folder
}

#[test]
fn rows_hold_what_embed_and_measure_give() {
    let folder = folder("swiss-roll", "400");
    let result = json(
        folder.path(),
        &["compare", "x.npy", "--methods", "psa,lle", "--k", "8,12", "--set", "lle.reg=0.01", "--output", "maps"],
    );
    let rows = result["rows"].as_array().unwrap();
    let order: Vec<_> = rows.iter().map(|row| (row["method"].as_str().unwrap(), row["k"].as_u64().unwrap())).collect();
    assert_eq!(order, [("psa", 8), ("psa", 12), ("lle", 8), ("lle", 12)]);
    assert_eq!(rows[2]["parameters"]["reg"], 0.01);
    assert_eq!((&result["points"], &result["output_dim"]), (&Value::from(400), &Value::from(2)));
    assert_eq!(result["neighborhoods"][0]["components"], 1);
    for row in rows {
        let (method, k) = (row["method"].as_str().unwrap(), row["k"].to_string());
        let path = format!("maps/{method}-k{k}.csv");
        let measured =
            json(folder.path(), &["measure", "x.npy", &path, "--k", &k, "--measures", "r_n,r_c,overlap,collapse"]);
        assert_eq!(row["measures"], measured["measures"], "{path}");
        for name in ["r_n", "r_c"] {
            assert_eq!(row["lower_bounds"][name], measured["lower_bounds"][name]);
        }
        assert!(row["seconds"].as_f64().unwrap() > 0.0 && row["warnings"].is_array());
    }
    assert!(rows[0]["best"].as_array().unwrap().contains(&Value::from("r_n")));
    assert!(rows.iter().all(|row| row["verdict"]["score"].is_number() && row["chance"]["r_n"].is_number()));
}

#[test]
fn what_is_torn_is_told_beside_what_is_left() {
    let folder = folder("cylinder", "500");
    let arguments = ["compare", "x.npy", "--methods", "psa,pca", "--report", "t.html", "--figure", "t.svg"];
    let rows = json(folder.path(), &arguments)["rows"].take();
    let tear = &rows[0]["tear"];
    assert!(tear["share"].as_f64().unwrap() < 0.03 && tear["pairs"].as_u64().unwrap() > 0);
    assert!(tear["measures"]["r_n"].as_f64().unwrap() <= 1.1 * tear["lower_bounds"]["r_n"].as_f64().unwrap());
    assert!(rows[0]["measures"]["r_n"].as_f64() > tear["measures"]["r_n"].as_f64() && rows[1]["tear"].is_null());
    let page = std::fs::read_to_string(folder.path().join("t.html")).unwrap();
    assert!(page.contains("\"seam\":{") && page.contains("R_N left"));
    let svg = std::fs::read_to_string(folder.path().join("t.svg")).unwrap();
    assert!(svg.contains("equal colors belong together"));
    let text = done(folder.path(), &arguments[..4]);
    assert!(text.contains("torn") && text.contains("R_N left"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let csv = done(folder.path(), &[&arguments[..4], &["--format", "csv"]].concat());
    assert!(csv.lines().next().unwrap().contains(",torn_share,left_r_n,left_r_n_bound,compared_on,seconds"), "{csv}");
}

#[test]
fn a_torn_map_is_compared_by_what_is_left_and_marked() {
    // Few points: neighborhoods reach from sheet to sheet, and psa gives these pairs up.
    let folder = folder("swiss-roll", "400");
    let arguments = ["compare", "x.npy", "--methods", "psa,pca,isomap"];
    let rows = json(folder.path(), &arguments)["rows"].take();
    let (psa, pca) = (&rows[0], &rows[1]);
    let (whole, left) = (psa["measures"]["r_n"].as_f64().unwrap(), psa["tear"]["measures"]["r_n"].as_f64().unwrap());
    assert!(whole > pca["measures"]["r_n"].as_f64().unwrap() && left < pca["measures"]["r_n"].as_f64().unwrap());
    assert_eq!((&psa["compared_on"], &pca["compared_on"]), (&Value::from("left"), &Value::from("whole")));
    let best = |row: &Value| row["best"].as_array().unwrap().contains(&Value::from("r_n"));
    assert!(best(psa) && !best(pca) && !best(&rows[2]), "{rows}");
    let text = done(folder.path(), &arguments);
    let line = text.lines().find(|line| line.contains("psa\u{2020}")).unwrap();
    assert!(!line.contains("> 9999") && line.matches('\u{2020}').count() == 2, "{text}");
    let note = "\u{2020} was torn, and is compared by what is left";
    assert!(text.contains(note), "{text}");
    let markdown = done(folder.path(), &[&arguments[..], &["--format", "markdown"]].concat());
    assert!(markdown.contains(note) && markdown.contains("| psa\u{2020} |"), "{markdown}");
    let page = done(folder.path(), &[&arguments[..], &["--format", "html"]].concat());
    assert!(page.contains(note) && page.contains("psa\u{2020}"));
    let csv = done(folder.path(), &[&arguments[..], &["--format", "csv"]].concat());
    assert!(csv.lines().nth(1).unwrap().contains(",left,") && csv.lines().nth(2).unwrap().contains(",whole,"), "{csv}");
}

#[test]
fn a_failed_method_is_a_row_and_the_others_go_on() {
    let folder = folder("swiss-roll", "150");
    let arguments = ["compare", "x.npy", "--methods", "hessian-eigenmaps,pca", "--k", "4"];
    let result = json(folder.path(), &arguments);
    assert!(result["rows"][0]["error"].as_str().unwrap().contains("--k 4"));
    assert!(result["rows"][0].get("measures").is_none());
    assert!(result["rows"][1]["measures"]["r_n"].is_number());
    let text = done(folder.path(), &arguments);
    assert!(text.contains("hessian-eigenmaps*") && text.contains("failed"), "{text}");
    assert!(text.contains("hessian-eigenmaps, k = 4 failed: --k 4"), "{text}");
}

#[test]
fn every_format_tells_the_same() {
    let folder = folder("s-curve", "300");
    let common = ["compare", "x.npy", "--methods", "psa,isomap,ltsa", "--k", "8..12:4", "--without-center"];
    let with = |format: &str| done(folder.path(), &[&common[..], &["--format", format]].concat());
    let text = with("table");
    assert!(text.starts_with(
        "300 points in 3 dimensions, embedded in 2 dimensions\n\nk = 8 (euclidean; 1 connected component)"
    ));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("Measured without the centers"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colors where there is no terminal");
    let markdown = with("markdown");
    assert_eq!(markdown.matches("| method | score | R_N [R_C] | times best |").count(), 2, "{markdown}");
    assert!(markdown.contains("| **0.0"), "{markdown}");
    let csv = with("csv");
    assert_eq!(csv.lines().count(), 7);
    assert!(
        csv.starts_with("method,k,points,score,forward,reverse,r_n,r_n_bound,r_c,r_c_bound,overlap,collapse,seconds,peak_bytes,best,error\n")
    );
    let html = with("html");
    assert!(html.starts_with("<!doctype html>") && html.contains("R_N [R_C]") && html.contains("<strong>"));
    let json: Value = serde_json::from_str(&with("json")).unwrap();
    let first: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(first[6].parse::<f64>().unwrap(), json["rows"][0]["measures"]["r_n"].as_f64().unwrap());
    assert_eq!(json["center"], false);
}

#[test]
fn given_neighborhoods_radii_and_distances_are_one_column() {
    let folder = folder("s-curve", "200");
    done(folder.path(), &["neighbors", "x.npy", "--k", "10", "--output", "n.npy"]);
    let methods = ["--methods", "isomap,lle"];
    let compare = |x: &str, more: &[&str]| json(folder.path(), &[&["compare", x], &methods[..], more].concat());
    let direct = compare("x.npy", &["--k", "10"]);
    let given = compare("x.npy", &["--neighbors", "n.npy"]);
    for row in 0..2 {
        assert_eq!(direct["rows"][row]["measures"], given["rows"][row]["measures"]);
    }
    assert_eq!(given["rows"][0]["k"], 10);
    let within = compare("x.npy", &["--radius", "0.9"]);
    assert_eq!(within["rows"].as_array().unwrap().len(), 2);
    assert!(within["rows"][0]["k"].is_null() && within["neighborhoods"][0]["least_k"].is_number());

    let points = read(folder.path().join("x.npy"), &ReadOptions::default()).unwrap();
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let table = points.rows().flat_map(|a| points.rows().map(move |b| distance(a, b))).collect();
    truefold::io::write(folder.path().join("d.npy"), &truefold::Points::new(200, 200, table).unwrap()).unwrap();
    let distances = compare("d.npy", &["--metric", "precomputed", "--k", "10"]);
    let value = |result: &Value| result["rows"][0]["measures"]["r_n"].as_f64().unwrap();
    assert!((value(&direct) - value(&distances)).abs() < 1e-9);
}

#[test]
fn a_sweep_recommends_and_says_how_sure_it_is() {
    let folder = folder("swiss-roll", "600");
    let arguments = ["sweep", "x.npy", "--method", "ltsa", "--k", "8..12:2", "--dim", "1..3"];
    let result = json(folder.path(), &arguments);
    assert_eq!(result["rows"].as_array().unwrap().len(), 9);
    assert_eq!((&result["reference_k"], &result["measure"]), (&Value::from(12), &Value::from("r_c")));
    let recommendation = &result["recommendation"];
    assert_eq!(
        (&recommendation["dim"], &recommendation["dimension"]["confidence"]),
        (&Value::from(2), &Value::from("high"))
    );
    assert!([8, 10, 12].iter().any(|k| recommendation["k"] == *k));
    for row in result["rows"].as_array().unwrap() {
        let own = row["measures"]["r_c"].as_f64().unwrap();
        let reference = row["reference"]["measures"]["r_c"].as_f64().unwrap();
        assert_eq!(row["k"] == 12, own == reference, "{row}");
    }
    let text = done(folder.path(), &arguments);
    assert!(text.contains("\nd = 2\n") && text.contains("Choose d = 2:") && text.contains("confidence"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let csv = done(folder.path(), &[&arguments[..], &["--format", "csv"]].concat());
    assert_eq!((csv.lines().count(), csv.matches(",true,").count()), (10, 3));
    let markdown = done(folder.path(), &[&arguments[..], &["--format", "markdown"]].concat());
    assert_eq!(markdown.matches("| k | own R_N [R_C] |").count(), 3);
}

#[test]
fn reports_hold_the_tables_the_labels_and_how_to_repeat_them() {
    let folder = folder("s-curve", "200");
    let labels: String = (0..200).map(|at| format!("<b>{}</b>\n", at % 3)).collect();
    std::fs::write(folder.path().join("l.csv"), format!("kind\n{labels}")).unwrap();
    let shown = ["--truth", "z.npy", "--labels", "l.csv", "--report"];
    let said = done(
        folder.path(),
        &[&["compare", "x.npy", "--methods", "psa,pca", "--k", "8,10", "--figure", "c.svg"], &shown[..], &["c.html"]]
            .concat(),
    );
    assert!(said.trim_end().ends_with("Page written to c.html\nFigure written to c.svg"), "{said}");
    let page = std::fs::read_to_string(folder.path().join("c.html")).unwrap();
    assert!(page.contains("R_N [R_C]") && !page.contains("<b>0</b>"));
    done(folder.path(), &[&["sweep", "x.npy", "--method", "psa", "--k", "8..10"], &shown[..], &["s.html"]].concat());
    let page = std::fs::read_to_string(folder.path().join("s.html")).unwrap();
    assert!(page.contains("Choose k = "));
    let figure = std::fs::read_to_string(folder.path().join("c.svg")).unwrap();
    // The data and four embeddings, one mark for each point.
    assert_eq!(figure.matches("<circle").count(), 5 * 200);
}

#[test]
fn bad_requests_get_one_sentence_before_anything_is_computed() {
    let folder = folder("plane", "60");
    std::fs::write(folder.path().join("l.csv"), "a\nb\n").unwrap();
    std::fs::write(folder.path().join("two.csv"), "a,b\n".repeat(60)).unwrap();
    done(folder.path(), &["generate", "plane", "--points", "50", "--output", "other.npy"]);
    let compare: &[(&[&str], i32, &str)] = &[
        (&["--methods", "isomapp"], 2, "did you mean isomap"),
        (&["--methods", "pca,pca"], 2, "'pca' is given twice"),
        (&["--methods", ""], 2, "there is no method named ''"),
        (&["--k", ""], 2, "is not a list of whole numbers"),
        (&["--k", "9..6"], 2, "runs backwards"),
        (&["--k", "0"], 2, "holds a zero"),
        (&["--k", "6,9,6"], 2, "holds 6 twice"),
        (&["--k", "6,60"], 2, "--k 60 is more than 59: 60 points have 59 neighbors each"),
        (&["--dim", "0"], 2, "--dim 0"),
        (&["--dim", "11"], 2, "--dim 11"),
        (&["--measures", "r_m"], 2, "r_n"),
        (&["--sample", "10"], 2, "--sample 10 has no effect"),
        (&["--set", "lle.regg=1"], 2, "reg"),
        (&["--set", "reg=1"], 2, "is not of the form method.name=value"),
        (&["--methods", "lle", "--set", "lle.reg=-1"], 2, "--set lle.reg=-1 is not a positive number"),
        (&["--set", "sde.rank=4"], 2, "'sde', which is not compared"),
        (&["--methods", "pca", "--set", "pca.components=error"], 2, "all points at once"),
        (&["--k", "1", "--without-center"], 2, "--k 1 is less than 2: without its center"),
        (&["--metric", "euclidian"], 2, "euclidean"),
        (&["--report", "missing/out.html"], 1, "does not exist; create it first"),
        (&["--report", "out.pdf"], 1, "written as .html"),
        (&["--report", "out.html", "--labels", "l.csv"], 1, "holds 2 labels for 60 points"),
        (&["--report", "out.html", "--labels", "two.csv"], 1, "has 2 columns"),
        (&["--report", "out.html", "--truth", "other.npy"], 1, "50 true coordinates were given for 60 points"),
        (&["--report", "out.html", "--images", "3x5"], 2, "--images 3x5 is 15 pixels"),
        (&["--report", "out.html", "--images", "28"], 2, "is not of the form HEIGHTxWIDTH"),
        (&["--labels", "l.csv"], 1, "holds 2 labels for 60 points"),
        (&["--level", "2"], 2, "--level 2"),
        (&["--exact", "--measures", "r_n"], 2, "has no effect"),
        (&["--figure", "out.svg", "--image-shape", "2x5"], 2, "has no use without --report"),
        (&["--figure", "out.gif"], 1, "written as .svg or .png"),
        (&["--figure", "missing/out.svg"], 1, "does not exist; create it first"),
        (&["--output", "x.npy"], 1, "is a file, not a folder"),
        (&["--output", "missing/maps"], 1, "does not exist; create it first"),
    ];
    let sweep: &[(&[&str], i32, &str)] = &[
        (&["--method", "ltsaa", "--k", "6"], 2, "did you mean ltsa"),
        (&["--method", "lle", "--k", "12..6"], 2, "runs backwards"),
        (&["--method", "lle", "--k", "6..60"], 2, "--k 60 is more than 59"),
        (&["--method", "lle", "--k", "6", "--dim", "1,1"], 2, "holds 1 twice"),
        (&["--method", "lle", "--k", "6", "--dim", "9..12"], 2, "--dim 12"),
        (&["--method", "lle", "--k", "6", "--reference-k", "0"], 2, "--reference-k 0"),
        (&["--method", "lle", "--k", "6", "--set", "reg"], 2, "is not of the form name=value"),
        (&["--method", "lle", "--k", "6", "--report", "missing/out.html"], 1, "does not exist; create it first"),
    ];
    for (command, cases) in [("compare", compare), ("sweep", sweep)] {
        for (arguments, status, part) in cases {
            let output = truefold(folder.path(), &[&[command, "x.npy"], *arguments].concat());
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(*status), "{command} {arguments:?}: {message}");
            assert!(message.contains(part) && message.trim_end().lines().count() == 1, "{arguments:?}: {message}");
            assert!(output.stdout.is_empty());
        }
    }
    assert!(!folder.path().join("out.html").exists() && !folder.path().join("maps").exists());
}

#[test]
fn threads_do_not_change_a_number() {
    let folder = folder("swiss-roll", "300");
    let run = |threads: &str| {
        let mut result =
            json(folder.path(), &["compare", "x.npy", "--methods", "gp,lle", "--k", "7,9", "--threads", threads]);
        let rows = result["rows"].as_array_mut().unwrap();
        rows.iter_mut().map(|row| (row["measures"].take(), row["lower_bounds"].take())).collect::<Vec<_>>()
    };
    let one = run("1");
    assert!(one == run("2") && one == run("8"));
}

#[test]
fn the_help_names_the_default_methods() {
    let folder = tempfile::tempdir().unwrap();
    let help = done(folder.path(), &["compare", "--help"]);
    let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let defaults: Vec<String> =
        truefold::Method::defaults().unwrap().iter().map(|method| method.label().to_owned()).collect();
    assert!(flat.contains(&format!("[default: {}]", defaults.join(", "))), "{help}");
}
