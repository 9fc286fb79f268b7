//! A request for a sample of a data set, and the sample.

use crate::Points;
use std::collections::BTreeMap;

/// What to draw: how many points, how noisy, from which seed, with which settings.
///
/// ```
/// use truefold::dataset::{self, Request};
///
/// let request = Request::new().with_points(500).with_noise(0.05).with_seed(7).with_setting("height", 4);
/// let sample = dataset::find("cylinder")?.sample(&request)?;
/// assert_eq!(sample.points.len(), 500);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// The number of points; the default of the data set if there is none.
    pub points: Option<usize>,
    /// The standard deviation of the Gaussian noise added to every coordinate; 0 for none.
    pub noise: f64,
    /// The seed of everything random: the same request gives the same bits.
    pub seed: u64,
    /// Settings of the data set by name, as text: `height` = `4`.
    pub settings: BTreeMap<String, String>,
}

impl Request {
    /// The default number of points, no noise, seed 0, every setting at its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// With exactly this many points.
    pub fn with_points(mut self, points: usize) -> Self {
        self.points = Some(points);
        self
    }

    /// With Gaussian noise of this standard deviation, added to the same points as without it.
    pub fn with_noise(mut self, noise: f64) -> Self {
        self.noise = noise;
        self
    }

    /// With this seed.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With a setting of the data set, by name; [`DatasetInfo::settings`](super::DatasetInfo::settings) lists them.
    pub fn with_setting(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.settings.insert(name.into(), value.to_string());
        self
    }
}

/// Points drawn from a data set, row for row with their true coordinates.
///
/// ```
/// use truefold::dataset::{self, Request};
///
/// let sample = dataset::find("helix")?.sample(&Request::new())?;
/// assert_eq!(sample.points.columns(), Some(["x", "y", "z"].map(String::from).as_slice()));
/// assert_eq!(sample.truth.columns(), Some(["arc_length".to_string()].as_slice()));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sample {
    /// The points, with the noise that was asked for; if there are several pieces, labels name the piece of each point.
    pub points: Points,
    /// The true coordinates of each point on the surface, without noise.
    pub truth: Points,
}
