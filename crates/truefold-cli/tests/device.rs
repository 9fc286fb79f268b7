//! The choice of a device: every command that searches takes it, no result depends on it, and what is missing is said.

mod running;

use running::{done, truefold};
use std::path::Path;

/// Points in so many dimensions that all pairs are searched.
fn write_points(folder: &Path) {
    let value = |row: u32, axis: u32| (f64::from(row * 37 + axis * axis * 11) * 0.731).sin();
    let line = |row| (0..24).map(|axis| value(row, axis).to_string()).collect::<Vec<_>>().join(",");
    std::fs::write(folder.join("x.csv"), (0..700).map(|row| line(row) + "\n").collect::<String>()).unwrap();
}

/// The commands, each with the file that it writes, if any.
const COMMANDS: &[(&[&str], Option<&str>)] = &[
    (&["neighbors", "x.csv", "--k", "7", "--output", "n.csv"], Some("n.csv")),
    (&["neighbors", "x.csv", "--k", "7", "--approximate", "--output", "n.csv"], Some("n.csv")),
    (&["neighbors", "x.csv", "--k", "auto", "--output", "n.csv"], Some("n.csv")),
    (&["embed", "x.csv", "--k", "7", "--method", "tsne", "--set", "iterations=30", "--output", "y.csv"], Some("y.csv")),
    (&["suggest", "x.csv"], None),
    (&["denoise", "x.csv", "--output", "d.csv"], Some("d.csv")),
];

#[test]
fn no_result_depends_on_the_device() {
    let folder = tempfile::tempdir().unwrap();
    write_points(folder.path());
    for (words, file) in COMMANDS {
        let with = |device: &[&str]| {
            let said = done(folder.path(), &[words, device].concat());
            // Times differ; what was found does not.
            file.map_or(said.into_bytes(), |file| std::fs::read(folder.path().join(file)).unwrap())
        };
        let plain = with(&[]);
        for device in ["auto", "cpu"] {
            assert_eq!(with(&["--device", device]), plain, "{words:?} {device}");
        }
        match ::truefold::Device::found() {
            Ok(_) => assert_eq!(with(&["--device", "gpu"]), plain, "{words:?}"),
            Err(missing) => {
                let refused = truefold(folder.path(), &[words, &["--device", "gpu"][..]].concat());
                let said = String::from_utf8(refused.stderr).unwrap();
                let why =
                    missing.to_string().replace("for device", "for --device").replace("device = gpu", "--device gpu");
                assert_eq!(said, format!("error: {why}\n"), "{words:?}");
                assert_eq!(refused.stdout.len(), 0, "{words:?}");
            }
        }
    }
}

#[test]
fn a_device_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_points(folder.path());
    let refused = truefold(folder.path(), &["suggest", "x.csv", "--device", "tpu"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("auto, cpu, gpu"), "{said}");
}
