//! The paper's data sets: three that are drawn, two that are read where they are there.

use super::printed::{CYLINDER, FACES, HEMISPHERE, Printed, SWISS_ROLL, TWOS};
use std::path::{Path, PathBuf};
use truefold::dataset::{self, Request};
use truefold::error::Advice;
use truefold::io::{self, ReadOptions};
use truefold::{Error, Points};

/// Endings of files that are looked for, in this order.
const ENDINGS: [&str; 6] = ["npy", "npz", "mat", "parquet", "csv", "tsv"];

/// A data set of the paper.
pub(super) struct Set {
    /// The name, as in `--only`.
    pub(super) name: &'static str,
    /// The name in words.
    pub(super) title: &'static str,
    /// What it is, in a few words.
    pub(super) about: &'static str,
    pub(super) printed: &'static Printed,
    /// The height and width of a picture, where points are pictures.
    pub(super) pixels: Option<(usize, usize)>,
    provenance: Provenance,
}

/// Where the points come from.
enum Provenance {
    Drawn { dataset: &'static str },
    Read { stems: &'static [&'static str] },
}

pub(super) static SETS: [Set; 5] = [
    Set {
        name: "swiss-roll",
        title: "Swiss roll",
        about: "a sheet rolled up: isometric to a rectangle",
        printed: &SWISS_ROLL,
        pixels: None,
        provenance: Provenance::Drawn { dataset: "swiss-roll" },
    },
    Set {
        name: "hemisphere",
        title: "Hemisphere",
        about: "half a sphere: cannot be flattened without stretching",
        printed: &HEMISPHERE,
        pixels: None,
        provenance: Provenance::Drawn { dataset: "hemisphere" },
    },
    Set {
        name: "cylinder",
        title: "Cylinder",
        about: "flat locally, but no flat map of the whole",
        printed: &CYLINDER,
        pixels: None,
        provenance: Provenance::Drawn { dataset: "cylinder" },
    },
    Set {
        name: "faces",
        title: "Faces",
        about: "gray pictures of one face, 28 x 20 pixels",
        printed: &FACES,
        pixels: Some((28, 20)),
        provenance: Provenance::Read { stems: &["frey_faces", "frey_rawface"] },
    },
    Set {
        name: "twos",
        title: "Twos",
        about: "handwritten twos, 16 x 16 pixels",
        printed: &TWOS,
        pixels: Some((16, 16)),
        provenance: Provenance::Read { stems: &["usps_twos"] },
    },
];

/// A data set with its points.
pub(super) struct Loaded {
    pub(super) set: &'static Set,
    pub(super) points: Points,
    /// The true coordinates, where they are known.
    pub(super) truth: Option<Points>,
    /// The command or file that it comes from.
    pub(super) origin: String,
}

impl Set {
    /// Draws or reads the points; an explanation where there is no file.
    pub(super) fn load(&'static self, folder: Option<&Path>) -> Result<Result<Loaded, String>, Error> {
        match &self.provenance {
            Provenance::Drawn { dataset } => {
                let sample = dataset::find(dataset)?.sample(&Request::new().with_points(self.printed.points))?;
                let origin = format!("truefold generate {dataset} --points {}", self.printed.points);
                Ok(Ok(Loaded { set: self, points: sample.points, truth: Some(sample.truth), origin }))
            }
            Provenance::Read { stems } => {
                let Some(path) = folder.and_then(|folder| find(folder, stems)) else {
                    let wanted = format!("a file {}.npy (or .mat, .csv, ...)", stems.join(".npy or "));
                    return Ok(Err(match folder {
                        Some(folder) => format!("{} left out: {} has no {wanted}", self.title, folder.display()),
                        None => format!("{} left out: --data DIR names a folder with {wanted}", self.title),
                    }));
                };
                let points = upright(io::read(&path, &ReadOptions::default())?, self.printed.input_dim);
                if points.dim() != self.printed.input_dim {
                    let problem = format!(
                        "holds points of {} dimensions where {} has {}",
                        points.dim(),
                        self.title,
                        self.printed.input_dim
                    );
                    return Err(Error::file(
                        &path,
                        problem,
                        Advice::mend_data("give the pictures as rows of pixels, or leave out {data}"),
                    ));
                }
                let origin = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Ok(Ok(Loaded { set: self, points, truth: None, origin }))
            }
        }
    }
}

fn find(folder: &Path, stems: &[&str]) -> Option<PathBuf> {
    let names = stems.iter().flat_map(|stem| ENDINGS.map(|ending| format!("{stem}.{ending}")));
    names.map(|name| folder.join(name)).find(|path| path.is_file())
}

/// Pictures as rows: the faces are often handed on with a picture in each column.
fn upright(points: Points, dim: usize) -> Points {
    if points.dim() == dim || points.len() != dim {
        return points;
    }
    let (rows, columns) = (points.len(), points.dim());
    let turned = (0..rows * columns).map(|at| points.row(at % rows)[at / rows]).collect();
    Points::new(columns, rows, turned).unwrap_or(points)
}
