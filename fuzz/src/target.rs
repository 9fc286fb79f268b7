//! Everything that reads what others wrote, one line each: how good input looks, how it is broken, and who reads it.

use crate::draw::Draw;
use crate::edit::edit;
use crate::{structure, words};
use anyhow::{Context, Result};
use std::path::Path;
use truefold::io::{self, ReadOptions};
use truefold::{Error, Method, Model, Neighborhoods, Points, Problem, Run};

/// One reader.
pub struct Target {
    pub name: &'static str,
    /// The ending of its files.
    pub ending: &'static str,
    /// Good inputs.
    pub seeds: fn(&Target) -> Result<Vec<Vec<u8>>>,
    /// An input with the structure of the format, made from nothing or from a good one; before edits of its bytes.
    build: fn(&mut Draw, &[u8]) -> Vec<u8>,
    /// Reads the file; an error is the sentence that a user gets.
    pub feed: fn(&Path) -> Result<(), String>,
}

/// All of them.
pub static TARGETS: [Target; 15] = [
    Target { name: "csv", ending: "csv", seeds: written, build: |draw, _| structure::table(draw), feed: points },
    Target { name: "tsv", ending: "tsv", seeds: written, build: |draw, _| structure::table(draw), feed: points },
    Target { name: "npy", ending: "npy", seeds: written, build: |draw, _| structure::array(draw), feed: points },
    Target { name: "npz", ending: "npz", seeds: written, build: structure::repacked, feed: points },
    Target { name: "mat", ending: "mat", seeds: written, build: structure::matlab, feed: points },
    Target { name: "parquet", ending: "parquet", seeds: written, build: same, feed: points },
    Target { name: "fbin", ending: "fbin", seeds: raw, build: same, feed: points },
    Target { name: "u8bin", ending: "u8bin", seeds: raw, build: same, feed: points },
    Target { name: "fvecs", ending: "fvecs", seeds: raw, build: same, feed: points },
    Target { name: "bvecs", ending: "bvecs", seeds: raw, build: same, feed: points },
    Target { name: "sparse", ending: "npz", seeds: compressed_rows, build: structure::repacked, feed: sparse },
    Target { name: "triplets", ending: "csv", seeds: triplets, build: |draw, _| structure::table(draw), feed: sparse },
    Target {
        name: "neighbor lists",
        ending: "npy",
        seeds: lists,
        build: |draw, _| structure::array(draw),
        feed: neighbors,
    },
    Target { name: "models", ending: "truefold", seeds: models, build: structure::repacked, feed: model },
    Target {
        name: "options",
        ending: "words",
        seeds: words::seeds,
        build: |draw, _| words::line(draw),
        feed: words::feed,
    },
];

impl Target {
    /// The next input: good, built anew or found before, and then edited or left.
    pub fn next(&self, draw: &mut Draw, found: &[Vec<u8>]) -> Vec<u8> {
        let mut input = draw.pick(found).clone();
        if draw.one_in(2) {
            input = (self.build)(draw, &input);
        }
        // What was built is often wrong already; what was not must be changed.
        if draw.below(3) > 0 {
            let other: &Vec<u8> = draw.pick(found);
            edit(draw, &mut input, other);
        }
        input
    }
}

fn same(_: &mut Draw, seed: &[u8]) -> Vec<u8> {
    seed.to_vec()
}

fn sentence(error: Error) -> String {
    error.to_string()
}

fn points(path: &Path) -> Result<(), String> {
    io::read(path, &ReadOptions::default()).map(drop).map_err(sentence)
}

fn sparse(path: &Path) -> Result<(), String> {
    let known = io::is_sparse(path);
    let matrix = io::sparse::read(path, &ReadOptions::default()).map_err(sentence)?;
    let entries: usize = (0..matrix.rows.min(1000)).map(|row| matrix.row(row).count()).sum();
    assert!(entries <= matrix.values.len() && (known || path.extension() != Some("npz".as_ref())));
    Ok(())
}

fn neighbors(path: &Path) -> Result<(), String> {
    let (_, columns, cells) = io::read_indices(path, &ReadOptions::default()).map_err(sentence)?;
    let lists: Vec<Vec<i64>> =
        cells.chunks(columns).map(|row| row.iter().copied().filter(|&member| member != -1).collect()).collect();
    Neighborhoods::from_lists(&lists).map(drop).map_err(sentence)
}

fn model(path: &Path) -> Result<(), String> {
    let run = Run::new();
    let model = Model::load(path, &run).map_err(sentence)?;
    model.transform(&model.points().select(&[0]), &run).map(drop).map_err(sentence)
}

/// Twelve points of three coordinates, in a bent row.
fn bent() -> Result<Points> {
    let rows: Vec<[f64; 3]> = (0..12_i32)
        .map(|at| {
            let at = f64::from(at);
            [at.cos() + 0.1 * at, at.sin(), 0.25 * at * at]
        })
        .collect();
    Ok(Points::from_rows(&rows)?)
}

/// What the library writes, with and without names, labels and headings.
fn written(target: &Target) -> Result<Vec<Vec<u8>>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(format!("seed.{}", target.ending));
    let plain = bent()?;
    let names = (0..12).map(|at| format!("p{at}")).collect();
    let labels = (0..12).map(|at| ["low", "high \"x\""][at % 2].to_owned()).collect();
    let headings = ["a", "b", "c"].map(str::to_owned).to_vec();
    let full = plain.clone().with_ids(names)?.with_labels(labels)?.with_columns(headings)?;
    let mut seeds = Vec::new();
    for points in [&plain, &full, &plain.select(&[3])] {
        io::write(&path, points)?;
        seeds.push(std::fs::read(&path)?);
    }
    Ok(seeds)
}

/// Rows of three numbers in a raw format: two, and as many as there are good points.
fn raw(target: &Target) -> Result<Vec<Vec<u8>>> {
    let bytes = matches!(target.name, "u8bin" | "bvecs");
    let cell = |cell: u8| if bytes { vec![cell] } else { f32::from(cell).to_le_bytes().to_vec() };
    let count = |count: u8| u32::from(count).to_le_bytes().to_vec();
    let row = |at: u8| -> Vec<u8> { [at, at * at, 7 * at % 12].into_iter().flat_map(cell).collect() };
    let file = |rows: u8| -> Vec<u8> {
        if target.name.ends_with("bin") {
            [count(rows), count(3)].into_iter().chain((0..rows).map(row)).flatten().collect()
        } else {
            (0..rows).flat_map(|at| [count(3), row(at)].concat()).collect()
        }
    };
    Ok(vec![file(2), file(12)])
}

/// An array of NumPy of whole numbers, as scipy and others write it.
fn whole(kind: &str, shape: &str, cells: &[i64]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    header.resize(117, b' ');
    header.push(b'\n');
    let mut bytes = b"\x93NUMPY\x01\0\x76\0".to_vec();
    bytes.extend(header);
    for &cell in cells {
        match kind {
            "<i4" => bytes.extend((cell as i32).to_le_bytes()),
            "<f8" => bytes.extend((cell as f64).to_le_bytes()),
            _ => bytes.extend(cell.to_le_bytes()),
        }
    }
    bytes
}

/// A matrix of distances as scipy's `save_npz` writes it, in compressed rows and as triplets.
fn compressed_rows(_: &Target) -> Result<Vec<Vec<u8>>> {
    let named = |layout: &str| {
        let mut bytes = whole("|S3", "()", &[]);
        bytes.extend(layout.bytes());
        ("format.npy".to_owned(), bytes)
    };
    let entry = |name: &str, kind: &str, shape: &str, cells: &[i64]| (format!("{name}.npy"), whole(kind, shape, cells));
    let both = [entry("shape", "<i8", "(2,)", &[3, 3]), entry("data", "<f8", "(4,)", &[1, 1, 2, 2])];
    let mut draw = Draw::new(0);
    let rows = [entry("indices", "<i4", "(4,)", &[1, 0, 2, 1]), entry("indptr", "<i4", "(4,)", &[0, 1, 3, 4])];
    let pairs = [entry("row", "<i4", "(4,)", &[0, 1, 1, 2]), entry("col", "<i4", "(4,)", &[1, 0, 2, 1])];
    Ok(vec![
        structure::archive(&mut draw, &[&[named("csr")], &both[..], &rows[..]].concat()),
        structure::archive(&mut draw, &[&[named("csc")], &both[..], &rows[..]].concat()),
        structure::archive(&mut draw, &[&[named("coo")], &both[..], &pairs[..]].concat()),
    ])
}

fn triplets(_: &Target) -> Result<Vec<Vec<u8>>> {
    Ok(vec![b"row,column,distance\n0,1,1\n1,0,1\n1,2,2\n2,1,2\n".to_vec()])
}

fn lists(_: &Target) -> Result<Vec<Vec<u8>>> {
    let cells = [0, 1, 2, 1, 0, 2, 2, 1, -1, 3, 2, 1];
    // One of as many rows as there are good points.
    let ring: Vec<i64> = (0..12).flat_map(|at| [at, (at + 1) % 12, (at + 11) % 12]).collect();
    let few = ["<i8", "<i4", "<f8"].map(|kind| whole(kind, "(4, 3)", &cells));
    Ok(few.into_iter().chain([whole("<i8", "(12, 3)", &ring)]).collect())
}

/// Saved models: of local maps, and of votes.
fn models(_: &Target) -> Result<Vec<Vec<u8>>> {
    let (points, run) = (bent()?, Run::new());
    let neighborhoods = Neighborhoods::nearest(&points, 5, &run)?;
    ["pca", "umap"]
        .into_iter()
        .map(|method| {
            let fitted = Method::new(method, &[])?.fit(&Problem::new(&points, &neighborhoods, 1)?, &run)?;
            Ok(Model::new(&points, &fitted, &neighborhoods, &run)?.to_bytes()?)
        })
        .collect::<Result<_>>()
        .context("a model of twelve points could not be made")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was found before, or is like it: `cases/READER--what.ending`.
    #[test]
    fn past_findings_end_in_a_result_or_a_sentence() {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
        let mut readers = std::collections::BTreeSet::new();
        for entry in std::fs::read_dir(cases).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let reader = name.split_once("--").unwrap().0.replace('-', " ");
            let target = TARGETS.iter().find(|target| target.name == reader).unwrap();
            if let Err(message) = (target.feed)(&path) {
                assert!(crate::worker::is_sentence(&message), "{name}: {message:?}");
            }
            readers.insert(reader);
        }
        assert!(readers.len() > 8, "{readers:?}");
    }

    #[test]
    fn every_reader_takes_its_good_inputs_and_refuses_some_broken_ones() {
        let folder = tempfile::tempdir().unwrap();
        for target in &TARGETS {
            let path = folder.path().join(format!("input.{}", target.ending));
            let seeds = (target.seeds)(target).unwrap();
            for seed in &seeds {
                std::fs::write(&path, seed).unwrap();
                (target.feed)(&path).unwrap_or_else(|problem| panic!("{}: {problem}", target.name));
            }
            let mut draw = Draw::new(5);
            let mut refused = 0;
            for _ in 0..200 {
                std::fs::write(&path, target.next(&mut draw, &seeds)).unwrap();
                refused += usize::from((target.feed)(&path).is_err());
            }
            assert!((20..200).contains(&refused), "{}: {refused}", target.name);
        }
    }
}
