//! Why a method was suggested: facts, worded by each front end.

use crate::error::{Text, Vocabulary};
use std::fmt;

/// Why a method was chosen.
///
/// ```
/// use truefold::suggest::MethodReason;
///
/// let reason = MethodReason::Surface { dim: 2 };
/// assert_eq!(reason.to_string(), "the data are a surface of 2 dimensions, whose lengths this keeps");
/// assert_eq!(reason.name(), "surface");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MethodReason {
    /// The map has as many dimensions as the data have coordinates.
    AllCoordinates,
    /// No map keeps the neighborhoods better than the projection onto the principal axes.
    ProjectionIsBest {
        /// The most by which its R_N is above the least possible.
        excess: f64,
    },
    /// The data have more dimensions than the map, which is one to look at.
    MoreThanTheMap {
        /// The share of an average neighborhood that no map of so few dimensions can show.
        share: f64,
    },
    /// The same, and the data fill only a few dimensions.
    FillFewDimensions {
        /// The share of an average neighborhood that no map of so few dimensions can show.
        share: f64,
        /// The number of dimensions that they fill.
        dim: usize,
    },
    /// The data have more dimensions than the map, and this has too many to be looked at.
    ShapesOfMany {
        /// The share of an average neighborhood that no map of so few dimensions can show.
        share: f64,
    },
    /// The map has more dimensions than the data.
    RoomToLieOnItself {
        /// The number of dimensions of the data.
        data: usize,
    },
    /// A surface that closes on itself.
    ClosedSurface,
    /// A surface.
    Surface {
        /// Its number of dimensions.
        dim: usize,
    },
    /// Distances among points of a surface.
    DistancesOfASurface,
    /// Distances of which not all are known.
    SomeDistances,
    /// Too few different points to tell anything of a surface.
    TooFewToTell {
        /// How many there are.
        points: usize,
    },
}

impl MethodReason {
    /// A short name, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::AllCoordinates => "all-coordinates",
            Self::ProjectionIsBest { .. } => "projection-is-best",
            Self::MoreThanTheMap { .. } => "more-than-the-map",
            Self::FillFewDimensions { .. } => "fill-few-dimensions",
            Self::ShapesOfMany { .. } => "shapes-of-many",
            Self::RoomToLieOnItself { .. } => "room-to-lie-on-itself",
            Self::ClosedSurface => "closed-surface",
            Self::Surface { .. } => "surface",
            Self::DistancesOfASurface => "distances-of-a-surface",
            Self::SomeDistances => "some-distances",
            Self::TooFewToTell { .. } => "too-few-to-tell",
        }
    }

    /// In the terms of a front end, without a full stop.
    pub fn worded(&self, vocabulary: &dyn Vocabulary) -> String {
        self.text().worded(vocabulary)
    }

    /// The sentence, with the names of what a user can set as facts.
    pub fn text(&self) -> Text {
        match self {
            Self::AllCoordinates => "a map of as many dimensions as the data only turns them".into(),
            Self::ProjectionIsBest { excess } => match excess {
                exact if *exact < 1e-9 => "the points lie flat, and their projection loses nothing".into(),
                excess => format!(
                    "the points lie almost flat: R_N of their projection is at most {excess:.4} above the least possible"
                )
                .into(),
            },
            Self::MoreThanTheMap { share } => format!(
                "the data have more dimensions than the map, which cannot show {:.0} % of a neighborhood: it keeps neighbors \
                 together first, then their shape",
                100.0 * share
            )
            .into(),
            Self::FillFewDimensions { share, dim } => format!(
                "the data fill {dim} dimensions, and the map cannot show {:.0} % of a neighborhood: it only keeps neighbors \
                 together",
                100.0 * share
            )
            .into(),
            Self::ShapesOfMany { share } => format!(
                "coordinates that keep the shape of neighborhoods as far as they can; {:.0} % of it needs more dimensions",
                100.0 * share
            )
            .into(),
            Self::RoomToLieOnItself { data: 1 } => {
                "the data are a curve, and this keeps it from lying on itself in a map of more dimensions".into()
            }
            Self::RoomToLieOnItself { data } => format!(
                "the data have {data} dimensions, and this keeps them from lying on each other in a map of more"
            )
            .into(),
            Self::ClosedSurface => {
                "the surface closes on itself: it is torn along a seam that is reported, and the rest keeps its lengths".into()
            }
            Self::Surface { dim: 1 } => "the data are a curve, whose lengths this keeps".into(),
            Self::Surface { dim } => format!("the data are a surface of {dim} dimensions, whose lengths this keeps").into(),
            Self::DistancesOfASurface => {
                "the neighborhoods fit into the map, and this keeps their lengths from distances alone".into()
            }
            Self::SomeDistances => "only some distances are known, and this needs those of neighbors alone".into(),
            Self::TooFewToTell { points } => {
                format!("{points} different points are too few to tell whether they lie on a surface").into()
            }
        }
    }
}

impl fmt::Display for MethodReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text())
    }
}

impl serde::Serialize for MethodReason {
    /// As its sentence.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
