//! Why a number was suggested: facts, worded by each front end.

use crate::error::{Text, Vocabulary};
use std::fmt;

/// Why a number was chosen.
///
/// ```
/// use truefold::suggest::Reason;
///
/// let reason = Reason::TangentsGainLittle { angle: 0.56 };
/// assert_eq!(
///     reason.to_string(),
///     "same as k: the tangent error is about 0.56 rad, and more neighbors would not help"
/// );
/// assert_eq!(reason.name(), "tangents-gain-little");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The caller asked for it.
    Asked,
    /// All estimates of the dimension agree.
    EstimatesAgree,
    /// Local PCA finds fewer dimensions than the estimates from distances.
    FewerByLocalPca,
    /// Wide neighborhoods show fewer dimensions than small ones, above a floor of noise that small ones count as dimensions.
    AboveNoise {
        /// The number of dimensions that small neighborhoods show.
        charted: usize,
        /// The number of neighbors with which the dimensions stand out most.
        size: usize,
        /// The spread along them there, relative to that of the noise.
        gap: f64,
        /// The deviation of the noise in each direction.
        deviation: f64,
    },
    /// The median of the estimates.
    MedianEstimate,
    /// The median of the estimates exceeds what the data allow.
    LimitedByData,
    /// The estimates from distances alone: charts show only that there are many dimensions.
    DistancesAlone {
        /// The least number that charts allow.
        at_least: usize,
    },
    /// The usual number of neighbors, 3 d + 6.
    Usual {
        /// d.
        dim: usize,
    },
    /// The smallest number of neighbors that leaves the graph in as few components as any number that was tried.
    FewestComponents {
        /// The number of neighbors.
        k: usize,
        /// The components with it.
        components: usize,
    },
    /// There are too few points to compare numbers of neighbors for tangents.
    TooFewPointsForTangents,
    /// Tangents from the neighborhoods of the graph are accurate.
    TangentsAccurate {
        /// Their error in radians.
        angle: f64,
    },
    /// More neighbors would not make tangents stand out more.
    TangentsGainLittle {
        /// The error of the tangents from the neighborhoods of the graph, in radians.
        angle: f64,
    },
    /// Tangents from more neighbors stand out more.
    TangentsGain {
        /// The neighbors of the graph.
        k: usize,
        /// The error of the tangents from them, in radians.
        angle: f64,
        /// The suggested number of neighbors.
        size: usize,
        /// The error of the tangents from those, in radians.
        size_angle: f64,
        /// The spread along these tangents, relative to that across them.
        gap: f64,
    },
    /// The number of neighbors with which tangents stand out most.
    TangentsClearest,
    /// 3 d + 6, as there are too few points to compare numbers of neighbors.
    TooFewPointsToCompare {
        /// d.
        dim: usize,
    },
}

impl Reason {
    /// A short name, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::EstimatesAgree => "estimates-agree",
            Self::FewerByLocalPca => "fewer-by-local-pca",
            Self::AboveNoise { .. } => "above-noise",
            Self::MedianEstimate => "median-estimate",
            Self::LimitedByData => "limited-by-data",
            Self::DistancesAlone { .. } => "distances-alone",
            Self::Usual { .. } => "usual",
            Self::FewestComponents { .. } => "fewest-components",
            Self::TooFewPointsForTangents => "too-few-points-for-tangents",
            Self::TangentsAccurate { .. } => "tangents-accurate",
            Self::TangentsGainLittle { .. } => "tangents-gain-little",
            Self::TangentsGain { .. } => "tangents-gain",
            Self::TangentsClearest => "tangents-clearest",
            Self::TooFewPointsToCompare { .. } => "too-few-points-to-compare",
        }
    }

    /// In the terms of a front end, without a full stop.
    pub fn worded(&self, vocabulary: &dyn Vocabulary) -> String {
        self.text().worded(vocabulary)
    }

    /// The sentence, with the names of what a user can set as facts.
    pub fn text(&self) -> Text {
        match self {
            Self::Asked => "as asked".into(),
            Self::EstimatesAgree => "all estimates agree".into(),
            Self::FewerByLocalPca => {
                "local PCA finds fewer dimensions; noise inflates distance-based estimates".into()
            }
            Self::AboveNoise { charted, size, gap, .. } => format!(
                "with {size} neighbors the spread along so many is {gap:.1} times that across them, and with fewer \
                 neighbors it is less, as with noise, which small neighborhoods count as dimensions: they show {charted}"
            )
            .into(),
            Self::MedianEstimate => "the median of the estimates".into(),
            Self::LimitedByData => "the median of the estimates, limited by the dimensions of the data".into(),
            Self::DistancesAlone { at_least } => format!(
                "the distances alone suggest it, and such estimates are often too low; local PCA tells only that there are at \
                 least {at_least}"
            )
            .into(),
            Self::Usual { dim } => {
                format!("3 d + 6 for d = {dim}: enough overlap to fix each frame, and neighborhoods stay small").into()
            }
            Self::FewestComponents { k, components: 1 } => {
                format!("the graph is connected from {k} neighbors on").into()
            }
            Self::FewestComponents { k, components } => {
                format!("the graph has {components} components from {k} neighbors on, and more with fewer").into()
            }
            Self::TooFewPointsForTangents => "same as {k}: there are too few points to compare sizes".into(),
            Self::TangentsAccurate { angle } => {
                Text::of("same as {k}: ").and(format!("the tangent error is only about {angle:.3} rad"))
            }
            Self::TangentsGainLittle { angle } => Text::of("same as {k}: ")
                .and(format!("the tangent error is about {angle:.2} rad, and more neighbors would not help")),
            Self::TangentsGain { k, angle, size, size_angle, gap } => format!(
                "the tangent error is about {angle:.2} rad with {k} neighbors and {size_angle:.2} rad with {size}, where \
                 the spread along the tangents is largest relative to that across them, {gap:.1} times"
            )
            .into(),
            Self::TangentsClearest => {
                "the size at which the spread along the tangents is largest relative to that across them".into()
            }
            Self::TooFewPointsToCompare { dim } => {
                format!("3 d + 6 for d = {dim}: there are too few points to compare sizes").into()
            }
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text())
    }
}

impl serde::Serialize for Reason {
    /// As its sentence.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
