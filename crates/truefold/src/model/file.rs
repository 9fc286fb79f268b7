//! A model as bytes: an archive of arrays with a manifest, versioned and checked.
//!
//! The arrays are `points`, `embedding`, `offsets` and `members`, each a `.npy` that NumPy reads; local maps and the
//! search tree are rebuilt on loading. `manifest.json` names the format, its version, the method with its
//! parameters, and a checksum of the arrays.

use super::{Fitted, Model, Parts};
use crate::error::Advice;
use crate::io::{self, Archived};
use crate::{Error, Metric, Neighborhoods, Origin, Points, Result, Run};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The version of the format that is written; this one and those before it are read.
pub const VERSION: u32 = 1;

const FORMAT: &str = "truefold model";

#[derive(Serialize, Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    program: String,
    method: String,
    parameters: Value,
    seed: u64,
    metric: String,
    metric_scale: bool,
    points: usize,
    input_dim: usize,
    dim: usize,
    columns: Option<Vec<String>>,
    checksum: String,
}

impl Model {
    /// Writes the model to a file, completely or not at all.
    ///
    /// ```
    /// use truefold::{Model, Neighborhoods, Points, Run};
    ///
    /// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])?;
    /// let run = Run::new();
    /// let model = Model::of(&x, &x, &Neighborhoods::nearest(&x, 3, &run)?, &run)?;
    /// let directory = tempfile::tempdir().unwrap();
    /// let path = directory.path().join("square.truefold");
    /// model.save(&path)?;
    /// assert_eq!(Model::load(&path, &run)?.points(), model.points());
    ///
    /// std::fs::write(&path, "something else").unwrap();
    /// let error = Model::load(&path, &run).unwrap_err().to_string();
    /// assert!(error.ends_with("is not a truefold model; give a saved truefold model"));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.parts.save(path)
    }

    /// Reads a model that [`save`](Self::save) wrote.
    pub fn load(path: impl AsRef<Path>, run: &Run) -> Result<Self> {
        Self::from_parts(Parts::load(path)?, run)
    }

    /// The bytes of the file that [`save`](Self::save) writes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.parts.to_bytes()
    }

    /// A model from the bytes that [`to_bytes`](Self::to_bytes) gave.
    pub fn from_bytes(bytes: &[u8], run: &Run) -> Result<Self> {
        Self::from_parts(Parts::read(bytes, Path::new("the model"))?, run)
    }

    /// An error where no model can be written to `path`: another ending than `.truefold`, or no place for it.
    pub fn check_path(path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        if path.extension().is_none_or(|ending| ending != "truefold") {
            return Err(Error::file(path, "a model is written as .truefold", Advice::mend_file("choose this ending")));
        }
        io::check_writable(path)
    }
}

impl Parts {
    /// Writes the parts to a file, completely or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let bytes = self.to_bytes()?;
        io::atomic(path.as_ref(), |out| std::io::Write::write_all(out, &bytes))
    }

    /// Reads the parts of a model that was saved.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::read(&io::bytes(path)?, path)
    }

    /// The bytes of the file that [`save`](Self::save) writes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let (offsets, members) = self.neighborhoods.numbers();
        let arrays = [
            ("points", Archived::points(&self.points)),
            ("embedding", Archived::points(&self.embedding)),
            ("offsets", Archived::whole(&offsets)),
            ("members", Archived::whole(&members)),
        ];
        let manifest = Manifest {
            format: FORMAT.into(),
            version: VERSION,
            program: concat!("truefold ", env!("CARGO_PKG_VERSION")).into(),
            method: self.origin.method.clone(),
            parameters: self.origin.parameters.clone(),
            seed: self.origin.seed,
            metric: self.metric.name().into(),
            metric_scale: self.origin.metric_scale,
            points: self.points.len(),
            input_dim: self.points.dim(),
            dim: self.embedding.dim(),
            columns: self.points.columns().map(<[String]>::to_vec),
            checksum: checksum(&self.points, &self.embedding, &offsets, &members),
        };
        let failed = |cause: String| Error::data(format!("the model cannot be written ({cause})"), "free some memory");
        let manifest = serde_json::to_string_pretty(&manifest).map_err(|cause| failed(cause.to_string()))?;
        io::write_archive(&manifest, &arrays).map_err(|cause| failed(cause.to_string()))
    }

    fn read(bytes: &[u8], path: &Path) -> Result<Self> {
        let mut archive = io::Archive::open(bytes, path, "truefold model")?;
        let manifest = manifest(&archive.text("manifest.json")?, path)?;
        let inconsistent = |what: &str| {
            Error::file(path, format!("is a damaged model: {what}"), Advice::mend_file("save the model again"))
        };
        let (values, images) = (archive.real("points")?, archive.real("embedding")?);
        let (offsets, members) = (archive.whole("offsets")?, archive.whole("members")?);
        let table = |dim: usize, values: Vec<f64>| {
            Points::new(manifest.points, dim, values).map_err(|problem| inconsistent(&problem.to_string()))
        };
        let mut points = table(manifest.input_dim, values)?;
        if let Some(columns) = manifest.columns {
            points = points.with_columns(columns).map_err(|problem| inconsistent(&problem.to_string()))?;
        }
        let embedding = table(manifest.dim, images)?;
        if checksum(&points, &embedding, &offsets, &members) != manifest.checksum {
            return Err(inconsistent("its arrays do not have the checksum of its manifest"));
        }
        let neighborhoods = Neighborhoods::from_numbers(&offsets, &members, manifest.points)
            .ok_or_else(|| inconsistent("its neighborhoods are not those of its points"))?;
        let metric: Metric = manifest.metric.parse().map_err(|problem: Error| inconsistent(&problem.to_string()))?;
        let origin = Fitted {
            method: manifest.method,
            parameters: manifest.parameters,
            seed: manifest.seed,
            metric_scale: manifest.metric_scale,
        };
        Self { points, embedding, neighborhoods: neighborhoods.into(), metric, origin }
            .checked()
            .map_err(|problem| inconsistent(&problem.to_string()))
    }
}

/// The manifest, once its format and version are checked.
fn manifest(text: &str, path: &Path) -> Result<Manifest> {
    let foreign = || Error::file(path, "is not a truefold model", Advice::mend_file("give a saved truefold model"));
    let damaged = |cause: serde_json::Error| {
        let advice = Advice::mend_file("save the model again");
        Error::file(path, "is a damaged model: its manifest cannot be read", advice).caused_by(cause)
    };
    let value: Value = serde_json::from_str(text).map_err(damaged)?;
    if value["format"] != FORMAT {
        return Err(foreign());
    }
    match value["version"].as_u64() {
        Some(version) if version > u64::from(VERSION) => Err(Error::file(
            path,
            format!("is a model of version {version}, and this program reads up to version {VERSION}"),
            Advice::mend_file("use a newer truefold, or save the model again with this one"),
        )),
        Some(1..) => serde_json::from_value(value).map_err(damaged),
        _ => Err(foreign()),
    }
}

/// Sixty-four bits that change with any bit of the arrays (Fowler, Noll and Vo's hash, a word at a time).
fn checksum(points: &Points, embedding: &Points, offsets: &[i64], members: &[i64]) -> String {
    let mut mixed = 0xCBF2_9CE4_8422_2325_u64;
    let mut mix = |word: u64| {
        mixed = (mixed ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        mixed ^= mixed >> 32;
    };
    for table in [points, embedding] {
        table.each_row(|_, row| row.iter().for_each(|value| mix(value.to_bits())));
    }
    offsets.iter().chain(members).for_each(|value| mix(value.cast_unsigned()));
    format!("{mixed:016x}")
}

impl Neighborhoods {
    /// The offsets and members as integers.
    fn numbers(&self) -> (Vec<i64>, Vec<i64>) {
        let mut offsets = vec![0];
        let mut members = Vec::with_capacity(self.memberships());
        for index in 0..self.len() {
            members.extend(self.members(index).iter().map(|&member| i64::from(member)));
            offsets.push(members.len() as i64);
        }
        (offsets, members)
    }

    /// The neighborhoods that [`numbers`](Self::numbers) gave; none where they cannot be those of `count` points.
    fn from_numbers(offsets: &[i64], members: &[i64], count: usize) -> Option<Self> {
        let places: Vec<usize> = offsets.iter().map(|&offset| usize::try_from(offset).ok()).collect::<Option<_>>()?;
        let rows: Vec<u32> = members
            .iter()
            .map(|&member| u32::try_from(member).ok().filter(|&row| (row as usize) < count))
            .collect::<Option<_>>()?;
        let whole = places.len() == count + 1 && places[0] == 0 && places[count] == rows.len();
        let centered = |(center, pair): (usize, &[usize])| {
            pair[0] < pair[1] && rows.get(pair[0]).is_some_and(|&row| row as usize == center)
        };
        (whole && places.windows(2).enumerate().all(centered)).then(|| Self::from_parts(places, rows, Origin::Given))
    }
}
