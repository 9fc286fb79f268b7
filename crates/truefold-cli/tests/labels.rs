//! `measure --labels` as a user runs it.

mod running;

use running::{done, truefold};
use serde_json::Value;
use std::path::Path;

/// A roll in x.csv, its true coordinates in z.csv, what is seen of it from the side in y.csv, and eight strips along it as
/// labels in l.csv, the first ten of them missing.
fn roll(folder: &Path) {
    done(folder, &["generate", "swiss-roll", "--points", "1600", "--output", "x.csv", "--truth", "z.csv"]);
    let lines = |name: &str| -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let side: Vec<String> = lines("x.csv").iter().map(|row| format!("{},{}\n", row[0], row[1])).collect();
    std::fs::write(folder.join("y.csv"), format!("a,b\n{}", side.concat())).unwrap();
    let strip = |row: &Vec<String>| (row[0].parse::<f64>().unwrap() / 11.2).floor();
    let strips: Vec<String> = lines("z.csv").iter().map(|row| format!("strip {}\n", strip(row))).collect();
    let missing = "NA\n".repeat(10);
    std::fs::write(folder.join("l.csv"), format!("label\n{missing}{}", strips[10..].concat())).unwrap();
}

#[test]
fn a_roll_seen_from_the_side_has_strips_that_touch_in_the_map_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    roll(path);
    let text = done(path, &["measure", "x.csv", "y.csv", "--labels", "l.csv"]);
    for part in ["strip 0", "10 points without label were left out.", "Touching in the map but not in the data: "] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let json = |map: &str| -> Value {
        let shown = done(path, &["measure", "x.csv", map, "--labels", "l.csv", "--format", "json"]);
        serde_json::from_str::<Value>(&shown).unwrap()["labels"].take()
    };
    let (side, truth) = (json("y.csv"), json("z.csv"));
    assert_eq!((&side["points"], &side["unlabeled"]), (&Value::from(1600), &Value::from(10)));
    assert!(!side["touching"]["map_only"].as_array().unwrap().is_empty());
    assert!(side["accuracy"]["map"].as_f64() < side["accuracy"]["data"].as_f64());
    assert!(side["by_label"][0]["score"].is_number());
    for empty in
        [&truth["touching"]["map_only"], &truth["touching"]["data_only"], &truth["distances"]["do_not_compare"]]
    {
        assert_eq!(empty.as_array().map(Vec::len), Some(0), "{truth}");
    }
    assert!(side["by_label"][3]["foreign"].as_f64() > truth["by_label"][3]["foreign"].as_f64());
}

#[test]
fn labels_that_make_no_groups_are_told_unless_they_color_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    roll(path);
    std::fs::write(path.join("all.csv"), (0..1600).map(|row| format!("{row}\n")).collect::<String>()).unwrap();
    let output = truefold(path, &["measure", "x.csv", "z.csv", "--labels", "all.csv"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("the 1600 labels are all different, so they make no groups"), "{told}");
    done(path, &["measure", "x.csv", "z.csv", "--labels", "all.csv", "--figure", "map.svg"]);
    let several = done(path, &["measure", "x.csv", "y.csv", "z.csv", "--labels", "l.csv"]);
    assert!(several.contains("labels told") && several.contains("Best by the score: z"), "{several}");
    // A column of the data serves as well as a file.
    let [x, l] = ["x.csv", "l.csv"].map(|name| std::fs::read_to_string(path.join(name)).unwrap());
    let rows: Vec<String> = x.lines().zip(l.lines()).map(|(row, label)| format!("{row},{label}\n")).collect();
    std::fs::write(path.join("both.csv"), rows.concat()).unwrap();
    let text = done(path, &["measure", "both.csv", "z.csv", "--label-column", "label"]);
    assert!(text.contains("strip 0") && text.contains("Neighbors in the map tell the label of"), "{text}");
}
