//! The measures against a slow reference, where its cases are present beside the project.

mod beside;

use beside::shared;
use std::path::PathBuf;
use truefold::Input;
use truefold::io::{ReadOptions, read, read_indices};
use truefold::measure::{Evaluation, Options, Score, find};
use truefold::{Neighborhoods, Points, Run};

fn score(x: &Points, y: &Points, neighborhoods: &Neighborhoods, center: bool, name: &str) -> Score {
    let run = Run::new();
    let options = Options { center, ..Options::default() };
    let evaluation = Evaluation::new(Input::Points(x), y, neighborhoods, options, &run).unwrap();
    find(name).unwrap().score(&evaluation).unwrap()
}

/// Equal to 1e-9 of the expected value; values below the rounding of the data's own size are zero for both.
fn close(value: f64, expected: f64, size: f64) -> bool {
    (value - expected).abs() <= 1e-9 * expected.abs() + 1e-24 * size
}

#[test]
fn every_case_agrees_with_and_without_the_center() {
    let Some(cases) = shared("oracle/cases") else { return };
    let mut folders: Vec<PathBuf> = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(!folders.is_empty());
    for folder in folders {
        let load = |name: &str| read(folder.join(name), &ReadOptions::default()).unwrap();
        let (x, y) = (load("x.npy"), load("y.npy"));
        let (_, columns, rows) = read_indices(folder.join("neighbours.npy"), &ReadOptions::default()).unwrap();
        let lists: Vec<&[i64]> = rows.chunks(columns).collect();
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
        let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
        let k = expected["k"].as_u64().unwrap() as usize;
        let searched = Neighborhoods::nearest(&x, k, &Run::new()).unwrap();
        for index in 0..x.len() {
            assert_eq!(searched.members(index), neighborhoods.members(index), "{}: row {index}", folder.display());
        }
        for (key, center) in [("with_centre", true), ("without_centre", false)] {
            let value = |name: &str| expected[key][name].as_f64().unwrap();
            let score = |name: &str| score(&x, &y, &neighborhoods, center, name);
            let size = value("R") / value("R_N").max(1e-300);
            for (name, reference, size) in
                [("r", "R", size), ("r_n", "R_N", 1.0), ("r_pca", "R_PCA", size), ("r_c", "R_C", 1.0)]
            {
                let found = score(name).value;
                assert!(
                    close(found, value(reference), size),
                    "{} {key} {name}: {found:e} instead of {:e}",
                    folder.display(),
                    value(reference)
                );
            }
            for (name, reference, size) in [("r", "lower_bound", size), ("r_n", "lower_bound_N", 1.0)] {
                let bound = score(name).lower_bound.unwrap();
                assert!(
                    close(bound, value(reference), size),
                    "{} {key} bound of {name}: {bound:e} instead of {:e}",
                    folder.display(),
                    value(reference)
                );
            }
        }
        let per_point = read(folder.join("per_point_r_n.npy"), &ReadOptions::default()).unwrap();
        let found = score(&x, &y, &neighborhoods, true, "r_n").per_point.unwrap();
        assert_eq!(found.len(), per_point.values().len(), "{}", folder.display());
        for (index, (&value, &reference)) in found.iter().zip(per_point.values()).enumerate() {
            assert!(close(value, reference, 1.0), "{} row {index}: {value:e}, {reference:e}", folder.display());
        }
        if folder.ends_with("plane-isometry") {
            assert!(score(&x, &y, &neighborhoods, true, "r_n").value < 1e-12);
        }
    }
}

#[test]
fn the_frey_faces_have_the_bound_that_the_paper_prints() {
    let Some(path) = shared("data/frey_faces.npy") else { return };
    let x = read(&path, &ReadOptions::default()).unwrap();
    let neighborhoods = Neighborhoods::nearest(&x, 6, &Run::new()).unwrap();
    // The bound depends on the dimension of Y alone; any three coordinates do.
    let y = Points::from_rows(&x.rows().map(|row| [row[0], row[100], row[200]]).collect::<Vec<_>>()).unwrap();
    let without = score(&x, &y, &neighborhoods, false, "r_n").lower_bound.unwrap();
    let with = score(&x, &y, &neighborhoods, true, "r_n").lower_bound.unwrap();
    assert_eq!((format!("{without:.4}"), format!("{with:.4}")), ("0.1096".to_owned(), "0.1579".to_owned()));
}
