//! The distances by which neighbors are found.

use crate::{Error, Result};

/// How far apart two points are when neighbors are looked for.
///
/// The Procrustes measures always compare the coordinates as given: the metric only says who is a neighbor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Metric {
    /// The straight line.
    #[default]
    Euclidean,
    /// The sum of the absolute differences.
    Manhattan,
    /// One minus the cosine of the angle at the origin; no point may be all zeros.
    Cosine,
    /// One minus the correlation of the coordinates; no point may have all coordinates equal.
    Correlation,
}

impl Metric {
    /// All metrics, as [`std::str::FromStr`] knows them.
    pub const ALL: [Self; 4] = [Self::Euclidean, Self::Manhattan, Self::Cosine, Self::Correlation];

    /// The name used by the tool.
    pub fn name(self) -> &'static str {
        match self {
            Self::Euclidean => "euclidean",
            Self::Manhattan => "manhattan",
            Self::Cosine => "cosine",
            Self::Correlation => "correlation",
        }
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Metric {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|metric| metric.name() == name)
            .ok_or_else(|| Error::unknown("metric", name, Self::ALL.iter().map(|metric| metric.name())))
    }
}
