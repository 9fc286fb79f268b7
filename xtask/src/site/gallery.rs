//! Live report pages, each with a picture, made by the tool from data sets that are always there.

use crate::project::{command, succeed};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Points that the tool makes: the data set, how many, and the file.
const SETS: [(&str, &str, &str); 3] =
    [("swiss-roll", "1500", "roll.npy"), ("torus", "2000", "torus.npy"), ("sphere", "2000", "sphere.npy")];

/// Data with labels that `maps_data.py` makes: the kind, how many, the points and the labels.
const LABELED: [(&str, &str, &str, &str); 2] =
    [("digits", "1797", "digits.npy", "digits.csv"), ("cells", "3000", "cells.npy", "cells.csv")];

/// The commands behind the pages; the last words name the page and the picture.
const PAGES: [(&str, &[&str]); 5] = [
    ("swiss-roll", &["compare", "roll.npy", "--methods", "psa,isomap,lle,ltsa,umap", "--ellipses"]),
    ("torus", &["compare", "torus.npy", "--methods", "psa,isomap,tsne"]),
    ("sphere", &["compare", "sphere.npy", "--methods", "psa,isomap,tsne"]),
    ("digits", &["compare", "digits.npy", "--methods", "faithful,tsne,umap,pca", "--labels", "digits.csv"]),
    ("cells", &["compare", "cells.npy", "--methods", "faithful,tsne,umap,pca", "--labels", "cells.csv"]),
];

/// The seeds of the maps that are laid beside each other.
const SEEDS: [&str; 3] = ["1", "2", "3"];

/// Makes all pages and pictures in `folder`, and leaves nothing else there.
pub fn make(python: &Path, tool: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let data = folder.with_file_name("gallery-data");
    fs::create_dir_all(&data)?;
    for (set, points, file) in SETS {
        run(tool, &data, &["generate", set, "--points", points, "--seed", "1", "--output", file])?;
    }
    for (kind, rows, file, labels) in LABELED {
        let mut maps = command(python, &["xtask/python/maps_data.py", kind, rows])?;
        maps.arg(data.join(file)).arg(data.join(labels));
        succeed(maps)?;
    }
    for (name, words) in PAGES {
        show(tool, &data, folder, name, words)?;
    }
    let maps: Vec<String> = SEEDS.iter().map(|seed| format!("umap-{seed}.npy")).collect();
    for (seed, map) in SEEDS.iter().zip(&maps) {
        run(tool, &data, &["embed", "digits.npy", "--method", "umap", "--seed", seed, "--output", map])?;
    }
    let beside: Vec<&str> = ["measure", "digits.npy"].into_iter().chain(maps.iter().map(String::as_str)).collect();
    show(tool, &data, folder, "seeds", &[&beside[..], &["--labels", "digits.csv"]].concat())?;
    fs::remove_dir_all(&data).context("the data of the gallery cannot be removed")
}

/// One page with its picture.
fn show(tool: &Path, data: &Path, folder: &Path, name: &str, words: &[&str]) -> Result<()> {
    let (page, picture) = (folder.join(format!("{name}.html")), folder.join(format!("{name}.png")));
    let outputs = ["--report", &page.to_string_lossy(), "--figure", &picture.to_string_lossy()].map(str::to_owned);
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    run(tool, data, &[words, &outputs].concat())
}

/// The tool in the folder of the data; its tables are on the pages.
fn run(tool: &Path, data: &Path, words: &[&str]) -> Result<()> {
    let mut run = command(tool, words)?;
    run.current_dir(data).stdout(Stdio::null());
    succeed(run)
}
