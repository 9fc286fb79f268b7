//! Data sets with known true coordinates: surfaces to draw points from, and a family of pictures.
//!
//! A data set is one file: its map from true coordinates to points, how to draw from it uniformly by area, and its
//! settings. To add one, write its file, and add a `mod` line and a line in [`DATASETS`].
//!
//! ```
//! use truefold::dataset::{self, Request};
//!
//! let roll = dataset::find("swiss-roll")?;
//! let sample = roll.sample(&Request::new().with_points(100).with_seed(1))?;
//! assert_eq!((sample.points.len(), sample.points.dim(), sample.truth.dim()), (100, 3, 2));
//!
//! let error = dataset::find("swissroll").unwrap_err().to_string();
//! assert_eq!(error, "there is no data set named 'swissroll'; did you mean swiss-roll or swiss-roll-hole?");
//! # Ok::<(), truefold::Error>(())
//! ```

mod drawing;
mod request;
mod setting;

mod cylinder;
mod flat_torus;
mod glyph;
mod helix;
mod hemisphere;
mod klein_bottle;
mod moebius;
mod petals;
mod plane;
mod s_curve;
mod s_curve_hole;
mod s_curve_uneven;
mod solid_torus;
mod sphere;
mod spherical_cap;
mod spiral;
mod swiss_roll;
mod swiss_roll_hole;
mod torus;
mod twin_peaks;
mod two_pieces;

#[cfg(test)]
mod contract;
#[cfg(test)]
mod shape_tests;

pub use request::{Request, Sample};
pub use setting::{Setting, SettingKind};

use crate::error::{Advice, Bound, Limit, Text};
use crate::{Error, Points, Result, memory};
use drawing::{Drawing, Random};
use serde::Serialize;
use setting::Chosen;

/// All data sets.
///
/// ```
/// use truefold::dataset::DATASETS;
///
/// assert!(DATASETS.iter().any(|dataset| dataset.info().name == "klein-bottle"));
/// ```
pub static DATASETS: &[&Dataset] = &[
    &swiss_roll::DATASET,
    &swiss_roll_hole::DATASET,
    &s_curve::DATASET,
    &s_curve_hole::DATASET,
    &s_curve_uneven::DATASET,
    &plane::DATASET,
    &helix::DATASET,
    &two_pieces::DATASET,
    &cylinder::DATASET,
    &solid_torus::DATASET,
    &petals::DATASET,
    &flat_torus::DATASET,
    &spherical_cap::DATASET,
    &hemisphere::DATASET,
    &sphere::DATASET,
    &torus::DATASET,
    &moebius::DATASET,
    &klein_bottle::DATASET,
    &twin_peaks::DATASET,
    &glyph::DATASET,
];

/// The data set of this name.
///
/// ```
/// assert_eq!(truefold::dataset::find("torus")?.info().intrinsic_dim, 2);
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn find(name: &str) -> Result<&'static Dataset> {
    DATASETS
        .iter()
        .copied()
        .find(|dataset| dataset.info.name == name)
        .ok_or_else(|| Error::unknown("data set", name, DATASETS.iter().map(|dataset| dataset.info.name)))
}

/// The properties of a data set; the dimensions are those of the default settings.
///
/// ```
/// use truefold::dataset::{self, Isometric};
///
/// let info = dataset::find("cylinder")?.info();
/// assert_eq!((info.input_dim, info.intrinsic_dim), (3, 2));
/// assert_eq!(info.isometric, Isometric::Locally);
/// assert_eq!(info.truth, ["around", "height"]);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DatasetInfo {
    /// The name, in kebab case.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The number of coordinates of a point, q.
    pub input_dim: usize,
    /// The dimension of the surface, d: the number of true coordinates.
    pub intrinsic_dim: usize,
    /// The names of the true coordinates; a setting that adds a dimension uses the names after the first d.
    pub truth: &'static [&'static str],
    /// What the true coordinates are, in one line.
    pub truth_summary: &'static str,
    /// Whether the true coordinates keep lengths.
    pub isometric: Isometric,
    /// Whether the surface has no edge.
    pub closed: bool,
    /// The number of points of a request that gives none.
    pub default_points: usize,
    /// Its settings.
    pub settings: &'static [Setting],
}

/// Whether a short step in the true coordinates is as long as the step on the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Isometric {
    /// Everywhere: the true coordinates are a perfect embedding.
    Globally,
    /// Away from a seam, across which the coordinates jump by a period: without a cut, no perfect embedding exists.
    Locally,
    /// No: the coordinates stretch the surface.
    No,
}

/// A data set: a line of the table [`DATASETS`].
///
/// ```
/// use truefold::dataset::{self, Request};
///
/// let sphere = dataset::find("sphere")?;
/// let sample = sphere.sample(&Request::new().with_points(10).with_setting("radius", 2))?;
/// assert!(sample.points.rows().all(|x| (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 4.0).abs() < 1e-12));
///
/// let error = sphere.sample(&Request::new().with_points(0)).unwrap_err();
/// assert_eq!(error.to_string(), "points = 0 is not from 1 to 4294967295; leave points out for 2000");
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug)]
pub struct Dataset {
    info: DatasetInfo,
    draw: fn(&Chosen, usize, &mut Random) -> Result<Drawing>,
}

impl Dataset {
    /// The greatest noise: more than is of use, and far below where squares overflow.
    const MOST_NOISE: f64 = 1e100;

    /// Its properties.
    pub fn info(&self) -> &DatasetInfo {
        &self.info
    }

    /// Draws the points that `request` asks for; the same request gives the same bits.
    pub fn sample(&self, request: &Request) -> Result<Sample> {
        let chosen = Chosen::read(self.info.settings, &request.settings)?;
        let points = request.points.unwrap_or(self.info.default_points);
        if !(1..=Points::MOST).contains(&points) {
            let advice = Text::of("leave {points} out for ").and(self.info.default_points.to_string());
            return Err(Error::parameter(
                "points",
                points,
                Bound::Within(1.0, Points::MOST as f64),
                Advice::leave_out("points", advice),
            ));
        }
        if !(0.0..=Self::MOST_NOISE).contains(&request.noise) {
            return Err(Error::parameter(
                "noise",
                request.noise,
                Limit::because(Bound::Within(0.0, Self::MOST_NOISE), "it is a standard deviation"),
                Advice::change("noise", "set {noise} to 0 for none"),
            ));
        }
        // The dimensions are those of the places at the least; one that has more is told when they are drawn.
        let advice = Advice::leave_out("points", "choose fewer {points}");
        let task = format!("{points} points of {}", self.info.name);
        memory::check(task, (size_of::<f64>() * 2) as f64 * points as f64, advice)?;
        let mut drawing = (self.draw)(&chosen, points, &mut Random::new(request.seed, Random::PLACES))?;
        if request.noise > 0.0 {
            let mut random = Random::new(request.seed, Random::NOISE);
            for value in &mut drawing.places {
                *value += request.noise * random.normal();
            }
        }
        self.sample_of(points, drawing)
    }

    fn sample_of(&self, points: usize, drawing: Drawing) -> Result<Sample> {
        let names = self.info.truth.iter().take(drawing.truth_dim).map(|name| name.to_string()).collect();
        let mut sample = Sample {
            points: Points::new(points, drawing.input_dim, drawing.places)?
                .with_columns(axis_names(drawing.input_dim))?,
            truth: Points::new(points, drawing.truth_dim, drawing.truth)?.with_columns(names)?,
        };
        if let Some(labels) = drawing.labels {
            sample.points = sample.points.with_labels(labels.clone())?;
            sample.truth = sample.truth.with_labels(labels)?;
        }
        Ok(sample)
    }
}

fn axis_names(dim: usize) -> Vec<String> {
    if dim <= 3 {
        ["x", "y", "z"].into_iter().take(dim).map(str::to_owned).collect()
    } else {
        (1..=dim).map(|axis| format!("x{axis}")).collect()
    }
}
