//! Files that are not what they should be.

use super::Model;
use crate::dataset::{self, Request};
use crate::io::{Archive, Archived, write_archive};
use crate::memory::tests::asks_for;
use crate::{Neighborhoods, Points, Run};
use std::path::Path;

fn model() -> Model {
    let sample = dataset::find("s-curve").unwrap().sample(&Request::new().with_points(60)).unwrap();
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(&sample.points, 6, &run).unwrap();
    Model::of(&sample.points, &sample.truth, &neighborhoods, &run).unwrap()
}

fn refusal(bytes: &[u8]) -> String {
    let text = Model::from_bytes(bytes, &Run::new()).unwrap_err().to_string();
    assert!(text.starts_with("the model: ") && text.contains("; ") && !text.contains('\n'), "{text}");
    text
}

/// The model's bytes with its manifest changed.
fn altered(from: &str, to: &str) -> Vec<u8> {
    let model = model();
    let bytes = model.to_bytes().unwrap();
    let mut archive = Archive::open(&bytes, Path::new("x"), "model").unwrap();
    let manifest = archive.text("manifest.json").unwrap();
    assert!(manifest.contains(from), "{manifest}");
    let (offsets, members) = (archive.whole("offsets").unwrap(), archive.whole("members").unwrap());
    let arrays = [
        ("points", Archived::points(model.points())),
        ("embedding", Archived::points(model.embedding())),
        ("offsets", Archived::whole(&offsets)),
        ("members", Archived::whole(&members)),
    ];
    write_archive(&manifest.replace(from, to), &arrays).unwrap()
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    assert_eq!(model().to_bytes().unwrap(), model().to_bytes().unwrap());
}

#[test]
fn no_flipped_bit_goes_unnoticed() {
    let model = model();
    let bytes = model.to_bytes().unwrap();
    let run = Run::new().with_threads(1).unwrap();
    let fresh = Points::new(1, 3, vec![0.1, 0.2, 0.3]).unwrap();
    let placed = model.transform(&fresh, &run).unwrap();
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(3) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        match Model::from_bytes(&damaged, &run) {
            Err(_) => {
                refused += 1;
                refusal(&damaged);
            }
            // Bits that mean nothing, such as dates, may be what they like.
            Ok(other) => assert_eq!(other.transform(&fresh, &run).unwrap(), placed, "byte {at}"),
        }
    }
    assert!(refused * 3 > bytes.len() * 9 / 10 - 300, "{refused} of {}", bytes.len() / 3);
}

#[test]
fn files_cut_short_and_foreign_files_are_refused() {
    let bytes = model().to_bytes().unwrap();
    for length in [0, 1, 4, 100, bytes.len() / 2, bytes.len() - 30, bytes.len() - 1] {
        refusal(&bytes[..length]);
    }
    assert!(refusal(b"").contains("is not a truefold model"));
    assert!(refusal(&bytes[..bytes.len() / 2]).contains("cut short or damaged"));
    assert!(refusal(b"\x93NUMPY").contains("is not a truefold model"));
    let other = write_archive("{}", &[]).unwrap();
    assert!(refusal(&other).contains("is not a truefold model"));
}

#[test]
fn newer_versions_and_contradictions_are_named() {
    let newer = refusal(&altered("\"version\": 1", "\"version\": 2"));
    assert!(newer.contains("is a model of version 2, and this program reads up to version 1; use a newer"), "{newer}");
    assert!(refusal(&altered("\"version\": 1", "\"version\": \"x\"")).contains("is not a truefold model"));
    assert!(refusal(&altered("\"metric\": \"euclidean\"", "\"metric\": \"taxi\"")).contains("no metric named 'taxi'"));
    assert!(refusal(&altered("\"points\": 60", "\"points\": 61")).contains("damaged"));
    assert!(refusal(&altered("\"checksum\": \"", "\"checksum\": \"f")).contains("checksum"));
    assert!(refusal(&altered("\"seed\"", "\"sead\"")).contains("manifest cannot be read"));
}

#[test]
fn what_a_model_and_new_points_hold_is_compared_with_the_memory_that_is_there() {
    let (model, run) = (model(), Run::new());
    // Where a map lies, its sizes, its radii and its misfits.
    asks_for(60 * (2 * 8 + 2 * 4 + 4 * 8), || {
        Model::of(model.points(), model.embedding(), model.neighborhoods(), &run)
    });
    // A place in the plane and six numbers of trust.
    asks_for(60 * (2 + 6) * 8, || model.transform(model.points(), &run));
}
