//! Models that earlier versions wrote are read, and place points where they did; models of later versions are refused.
//!
//! `before/` was made by version 0.1.0: 60 points of a Swiss roll (seed 1) embedded with k = 8 and seed 3 and saved, and eight
//! others (seed 2) placed by `truefold transform`. A file that is there stays there.
#![cfg(feature = "formats")]

use std::path::{Path, PathBuf};
use truefold::io::{ReadOptions, read};
use truefold::{Model, Run};

fn before(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/before").join(name)
}

#[test]
fn models_of_0_1_are_read_and_place_points_where_they_did() {
    let run = Run::new();
    let new = read(before("new.csv"), &ReadOptions::default()).unwrap();
    for method in ["psa", "pca", "isomap", "umap"] {
        let model = Model::load(before(&format!("{method}.truefold")), &run).unwrap();
        assert_eq!((model.origin().method.as_str(), model.origin().seed), (method, 3));
        assert_eq!((model.points().len(), model.points().dim(), model.embedding().dim()), (60, 3, 2));
        let fitted = model.transform(model.points(), &run).unwrap();
        assert_eq!(fitted.points.values(), model.embedding().values(), "{method}: fitted points stay where they are");
        let placed = model.transform(&new, &run).unwrap();
        let wanted = read(before(&format!("{method}-placed.csv")), &ReadOptions::default()).unwrap();
        let size = wanted.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        for (value, wanted) in placed.points.values().iter().zip(wanted.values()) {
            // Another processor may round otherwise.
            assert!((value - wanted).abs() <= 1e-9 * size, "{method}: {value} in place of {wanted}");
        }
    }
}

#[test]
fn a_model_of_a_later_version_is_refused_with_both_versions() {
    use std::io::{Cursor, Read, Write};

    let bytes = std::fs::read(before("pca.truefold")).unwrap();
    let mut old = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut later = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..old.len() {
        let mut entry = old.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        if name == "manifest.json" {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains("\"version\": 1,"), "{text}");
            bytes = text.replace("\"version\": 1,", "\"version\": 2,").into_bytes();
        }
        later.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        later.write_all(&bytes).unwrap();
    }
    let error = Model::from_bytes(&later.finish().unwrap().into_inner(), &Run::new()).unwrap_err().to_string();
    let wanted = "is a model of version 2, and this program reads up to version 1; use a newer truefold, or save the model again \
                  with this one";
    assert!(error.ends_with(wanted), "{error}");
}
