//! One method on one sample: the map, its error, what it stretches and tears; and the picture of all maps of a sample.

use super::Method;
use super::data::Data;
use crate::bench::timed::{Attempt, Bench, Bounds};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

/// The name of the tool.
pub const OURS: &str = "truefold";

/// The points of a data set, drawn.
pub struct Sample<'a> {
    data: &'a Data,
    pub points: usize,
    x: OsString,
    truth: OsString,
}

/// What one method made of a sample.
pub struct Trial {
    pub method: &'static str,
    pub program: &'static str,
    pub normalizes: bool,
    pub points: usize,
    /// The map; `None` where the program was too slow or failed.
    pub map: Option<Map>,
    /// The file of the map, by whose name the picture calls it.
    file: OsString,
}

/// The figures of a map.
#[derive(Debug, Clone, Copy)]
pub struct Map {
    /// Where the true map is known.
    pub error: Option<f64>,
    /// On what is left where something was torn, and its bound.
    pub r_n: f64,
    pub bound: f64,
    pub distortion: f64,
    pub torn: f64,
    pub seconds: f64,
}

impl<'a> Sample<'a> {
    /// Draws the points.
    pub fn draw(bench: &Bench, data: &'a Data, most: usize, seed: u64) -> Result<Self> {
        let points = data.points.min(most);
        let file = |of: &str| bench.file(&format!("rivals-{}{of}.npy", data.name));
        let sample = Self { data, points, x: file(""), truth: file("-truth") };
        let (count, seed) = (points.to_string(), seed.to_string());
        let mut words: Vec<&OsStr> = vec!["generate".as_ref()];
        words.extend(data.words.iter().map(OsStr::new));
        words.extend(["--points", &count, "--seed", &seed, "--output"].map(OsStr::new));
        words.extend([sample.x.as_os_str(), OsStr::new("--truth"), &sample.truth]);
        bench.tool(&words)?;
        Ok(sample)
    }

    /// Embeds the points and measures the map.
    pub fn trial(&self, bench: &Bench, method: &Method, bounds: Bounds) -> Result<Trial> {
        let folder = bench.file(&format!("rivals-{}", self.data.name));
        fs::create_dir_all(&folder).context("cannot make the folder of the maps")?;
        let name =
            if method.program == OURS { method.name.to_owned() } else { format!("{} {}", method.program, method.name) };
        let file = Path::new(&folder).join(format!("{name}.npy")).into_os_string();
        let found = match method.program {
            OURS => Some(self.ours(bench, method, &file)?),
            _ => self.other(bench, method, bounds, &file)?,
        };
        let map = match found {
            None => None,
            Some(found) => {
                let words = ["--measures", "distortion"].map(OsStr::new);
                let distortion = of(&self.measured(bench, &file, &words)?["measures"], "distortion")?;
                Some(Map { error: self.error(bench, method, &file)?, distortion, ..found })
            }
        };
        let Method { name: method, program, normalizes, .. } = *method;
        Ok(Trial { method, program, normalizes, points: self.points, map, file })
    }

    fn ours(&self, bench: &Bench, method: &Method, file: &OsStr) -> Result<Map> {
        let (k, dim) = (self.data.k.to_string(), self.data.dim.to_string());
        let mut words: Vec<&OsStr> = vec!["embed".as_ref(), &self.x];
        words.extend(
            ["--method", method.name, "--k", &k, "--dim", &dim, "--format", "json", "--output"].map(OsStr::new),
        );
        words.push(file);
        let report = bench.tool(&words)?.output;
        let (torn, values) = match &report["tear"] {
            Value::Null => (0.0, &report),
            tear => (of(tear, "share")?, tear),
        };
        let seconds = of(&report["seconds"], "neighbors")? + of(&report["seconds"], "embed")?;
        Map::new(values, torn, seconds)
    }

    fn other(&self, bench: &Bench, method: &Method, bounds: Bounds, file: &OsStr) -> Result<Option<Map>> {
        let (k, dim) = (self.data.k.to_string(), self.data.dim.to_string());
        let [program, name, k, dim] = [method.program, method.name, &k, &dim].map(OsStr::new);
        match bench.attempt("peer.py", bounds, &[program, name, &self.x, k, file, dim])? {
            Attempt::TooSlow | Attempt::Failed => Ok(None),
            Attempt::Done(timed) => {
                let values = self.measured(bench, file, &["--measures", "r_n"].map(OsStr::new))?;
                Ok(Some(Map::new(&values, 0.0, timed.seconds()?)?))
            }
        }
    }

    /// What the tool measures of a map.
    fn measured(&self, bench: &Bench, file: &OsStr, more: &[&OsStr]) -> Result<Value> {
        let k = self.data.k.to_string();
        let mut words: Vec<&OsStr> = vec!["measure".as_ref(), &self.x, file];
        words.extend(["--k", &k, "--format", "json"].map(OsStr::new));
        words.extend(more);
        Ok(bench.tool(&words)?.output)
    }

    /// The error after a rigid motion, or after a linear map where the method has a scale of its own.
    fn error(&self, bench: &Bench, method: &Method, file: &OsStr) -> Result<Option<f64>> {
        if !self.data.truth {
            return Ok(None);
        }
        let report = bench.script("map_error.py", None, &[file, self.truth.as_os_str()])?.output;
        of(&report, if method.normalizes { "affine" } else { "error" }).map(Some)
    }

    /// A picture of all maps, colored by the first true coordinate, `rivals-NAME.png` in `folder`.
    pub fn draw_maps(&self, bench: &Bench, trials: &[Trial], folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).context("cannot make the folder of the pictures")?;
        let (k, large) = (self.data.k.to_string(), bench.file("rivals-large.png"));
        let mut words: Vec<&OsStr> = vec!["measure".as_ref(), &self.x];
        words.extend(trials.iter().filter(|trial| trial.map.is_some()).map(|trial| trial.file.as_os_str()));
        words.extend(["--k", &k, "--measures", "r_n", "--format", "json", "--truth"].map(OsStr::new));
        words.extend([self.truth.as_os_str(), OsStr::new("--figure"), &large]);
        bench.tool(&words)?;
        let small = folder.join(format!("rivals-{}.png", self.data.name)).into_os_string();
        bench.script("small_picture.py", None, &[&large, &small])?;
        Ok(())
    }
}

impl Map {
    /// From what the tool reports of R_N.
    fn new(report: &Value, torn: f64, seconds: f64) -> Result<Self> {
        let (r_n, bound) = (of(&report["measures"], "r_n")?, of(&report["lower_bounds"], "r_n")?);
        ensure!(r_n.is_finite() && bound.is_finite(), "R_N is no number");
        Ok(Self { error: None, r_n, bound, distortion: f64::NAN, torn, seconds })
    }
}

impl Trial {
    /// Every number.
    pub fn json(&self) -> Value {
        let map = self.map.map(|map| {
            json!({
                "error": map.error, "r_n": map.r_n, "bound": map.bound, "distortion": map.distortion, "torn": map.torn,
                "seconds": map.seconds,
            })
        });
        json!({"method": self.method, "program": self.program, "points": self.points, "map": map})
    }
}

/// A number of a report.
fn of(report: &Value, name: &str) -> Result<f64> {
    report[name].as_f64().with_context(|| format!("a report has no {name}"))
}
