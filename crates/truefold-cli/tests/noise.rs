//! Noisy data as a user embeds and denoises them.

mod running;

use running::{done, truefold};
use serde_json::Value;

#[test]
fn noise_is_told_of_and_shortcuts_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    done(path, &["generate", "swiss-roll", "--points", "1500", "--noise", "0.9", "--seed", "1", "--output", "x.npy"]);
    let told = done(
        path,
        &["embed", "x.npy", "--method", "psa", "--output", "y.npy", "--torn", "torn.csv", "--format", "json"],
    );
    let told: Value = serde_json::from_str(&told).unwrap();
    assert!(told["facts"]["tangent_k"].as_u64().unwrap() > 12);
    let pairs = told["facts"]["shortcuts"].as_u64().unwrap();
    assert!(pairs > 0 && told["tear"]["pairs"] == pairs, "{}", told["facts"]);
    let table = std::fs::read_to_string(path.join("torn.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, pairs + 1);
    assert!(told["warnings"].to_string().contains("the data are noisy"));
}

#[test]
fn denoise_writes_points_nearer_to_their_surface() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    done(path, &["generate", "s-curve", "--points", "1000", "--noise", "0.1", "--output", "x.csv"]);
    let text = done(path, &["denoise", "x.csv", "--output", "z.csv"]);
    assert!(text.starts_with("1,000 points moved onto 2 dimensions by 0."), "{text}");
    let told = done(
        path,
        &["denoise", "x.csv", "--output", "z.csv", "--dim", "auto", "--tangent-k", "30", "--format", "json"],
    );
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (told["neighbors"].as_u64(), told["dim"].as_u64(), told["points"].as_u64()),
        (Some(30), Some(2), Some(1000))
    );
    assert!((0.07..0.13).contains(&told["noise"].as_f64().unwrap()), "{told}");
    let refused = truefold(path, &["denoise", "x.csv", "--output", "z.csv", "--dim", "3"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--dim 3"));
}
