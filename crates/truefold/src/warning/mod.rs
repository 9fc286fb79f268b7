//! What a reader should know before trusting a result, as facts; each front end puts them into words.

mod text;

use crate::error::{Text, Vocabulary};
use std::fmt;

/// Something about a result that a reader might not expect.
///
/// ```
/// use truefold::Warning;
///
/// let warning = Warning::SideBySide { components: 2 };
/// assert!(warning.to_string().starts_with("the neighborhood graph has 2 connected components"));
/// assert_eq!(warning.name(), "side-by-side");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Only the largest connected component was embedded.
    OnlyLargest {
        /// The number of components.
        components: usize,
        /// The points of the largest.
        embedded: usize,
        /// All points.
        points: usize,
    },
    /// Connected components were embedded one by one.
    SideBySide {
        /// The number of components.
        components: usize,
    },
    /// The neighborhood graph is not connected, and measures do not compare its components.
    SeveralComponents {
        /// The number of components.
        components: usize,
    },
    /// The graph is not connected, so a map of it is not unfolded.
    NotUnfolded {
        /// The number of components.
        components: usize,
    },
    /// A component spans fewer dimensions than were asked for.
    FlatComponent {
        /// The points of the component.
        points: usize,
        /// The dimensions that it spans.
        spanned: usize,
        /// The dimensions asked for.
        wanted: usize,
    },
    /// Points or distances have fewer directions than were asked for.
    FewDirections {
        /// What was embedded.
        of: Spanning,
        /// The directions that there are.
        found: usize,
        /// The directions asked for.
        wanted: usize,
    },
    /// Some neighborhoods or local models span fewer directions than the embedding has.
    RankDeficient {
        /// What spans them.
        of: Deficient,
        /// How many span fewer.
        deficient: usize,
        /// How many there are.
        all: usize,
        /// The directions that are needed.
        wanted: usize,
    },
    /// Points that are in no other point's neighbor list.
    Unlisted {
        /// How many.
        unlisted: usize,
        /// All points.
        points: usize,
    },
    /// Eigenvectors that are not accurate.
    InexactEigenvectors {
        /// Their residual, relative to the matrix.
        residual: f64,
        /// The next eigenvalue, relative to the matrix.
        next: f64,
        /// The steps of the iteration.
        steps: usize,
    },
    /// A few points hold nearly all of a coordinate.
    HeldByFew {
        /// The coordinate, counted from 1.
        coordinate: usize,
        /// The fewest points that hold the share.
        holders: usize,
        /// All points.
        points: usize,
        /// The share of the coordinate's variance.
        share: f64,
    },
    /// Outliers count less in the variance of the coordinates, of which they would have held some.
    CountedLess {
        /// The points that count less than half.
        counted_less: usize,
        /// All points.
        points: usize,
        /// The coordinates that a few points would have held.
        coordinates: usize,
    },
    /// More directions fit equally well than were taken.
    AmbiguousCoordinates {
        /// The dimension of the embedding.
        dim: usize,
        /// The eigenvalue of the first direction that was not taken.
        next: f64,
    },
    /// The last eigenvalue that was taken equals the first that was not.
    EqualEigenvalues {
        /// The dimension of the embedding.
        dim: usize,
    },
    /// Neighborhoods that were placed although they could be turned or mirrored.
    LooseOverlaps {
        /// How many.
        open: usize,
        /// How many were placed.
        placed: usize,
    },
    /// The solution needs more dimensions than were asked for.
    VarianceOutside {
        /// The dimensions asked for.
        dim: usize,
        /// The share of the variance that they hold.
        share: f64,
        /// What more dimensions would keep better.
        keeps: KeptByMore,
    },
    /// Constraints that are not met to the tolerance.
    Violated {
        /// The rounds.
        rounds: usize,
        /// The largest relative violation.
        largest: f64,
        /// The tolerance.
        wanted: f64,
    },
    /// Variables that factors explain entirely, so that their noise is at the least allowed.
    NoNoise {
        /// How many.
        at_bound: usize,
        /// All variables that are not constant.
        variables: usize,
        /// The least noise allowed, as a share of a variable's variance.
        floor: f64,
    },
    /// More unknowns than covariances, so that the noise is not determined.
    TooManyFactors {
        /// The factors asked for.
        factors: usize,
        /// The variables that are not constant.
        variables: usize,
    },
    /// A surface was torn, so that the rest is flat.
    Torn {
        /// The pairs of neighbors.
        pairs: usize,
        /// Their share of the memberships.
        share: f64,
    },
    /// A surface was left whole although its map is far from the best possible.
    LeftWhole {
        /// R_N in multiples of its bound.
        times: f64,
        /// Whether it folded before it was refined, and so does its projection onto a plane.
        folded: bool,
    },
    /// Pairs of neighbors on different sheets, which are far apart in the map.
    Shortcuts {
        /// The pairs of neighbors.
        pairs: usize,
        /// Their share of the memberships.
        share: f64,
    },
    /// Noise was found, and removed before frames and links were computed.
    Noisy {
        /// Its standard deviation.
        deviation: f64,
        /// The number of neighbors over which it was averaged out.
        neighbors: usize,
    },
    /// One coordinate is many times as long as others, so that neighbors reach across the surface: it was mapped in units of
    /// its own first.
    UnlikeUnits {
        /// The coordinate, counted from 1.
        coordinate: usize,
        /// How many times as long it is.
        times: f64,
    },
    /// Neighborhoods in which X and Y do not determine the rotation.
    OpenRotation {
        /// How many.
        neighborhoods: usize,
    },
    /// Neighborhoods without a value, as all their points of X coincide.
    LeftOut {
        /// The symbol of the measure.
        symbol: &'static str,
        /// How many.
        neighborhoods: usize,
    },
    /// Only some distances are known, so that the map's own neighborhoods cannot be judged.
    ForwardOnly,
    /// Most of what the map shows as near is not near in the data.
    LiesOnItself {
        /// The share of the map's neighbors that are false.
        false_share: f64,
        /// The skill of R_C on the neighborhoods of the map, where it was measured.
        reverse: Option<f64>,
    },
    /// A refinement would have laid strangers over each other, and another was made in its place.
    RefusedRefinement {
        /// The name of the measure that it lowered.
        measure: &'static str,
    },
    /// A refinement made the map worse in one direction.
    RefinedWorse {
        /// The two-sided score before.
        before: f64,
        /// The two-sided score after.
        after: f64,
        /// The share of false neighbors before.
        false_before: f64,
        /// The share of false neighbors after.
        false_after: f64,
    },
}

/// What has too few directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spanning {
    /// The points.
    Points,
    /// The distances.
    Distances,
    /// The covariances of the variables, beyond what their noise explains.
    Covariances,
}

/// What spans too few directions, and what was done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deficient {
    /// Neighborhoods, which constrain their points only in the directions that they span.
    Neighborhoods,
    /// Neighborhoods, whose frames were completed from those around them.
    Frames,
    /// Local models, which place their points only in the directions that they span.
    Models,
}

/// What more dimensions would keep better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptByMore {
    /// The shapes of the neighborhoods.
    Shapes,
    /// The distances between neighbors.
    Distances,
}

impl Warning {
    /// A short name, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::OnlyLargest { .. } => "only-largest",
            Self::SideBySide { .. } => "side-by-side",
            Self::SeveralComponents { .. } => "several-components",
            Self::NotUnfolded { .. } => "not-unfolded",
            Self::FlatComponent { .. } => "flat-component",
            Self::FewDirections { .. } => "few-directions",
            Self::RankDeficient { .. } => "rank-deficient",
            Self::Unlisted { .. } => "unlisted",
            Self::InexactEigenvectors { .. } => "inexact-eigenvectors",
            Self::HeldByFew { .. } => "held-by-few",
            Self::CountedLess { .. } => "counted-less",
            Self::AmbiguousCoordinates { .. } => "ambiguous-coordinates",
            Self::EqualEigenvalues { .. } => "equal-eigenvalues",
            Self::LooseOverlaps { .. } => "loose-overlaps",
            Self::VarianceOutside { .. } => "variance-outside",
            Self::Violated { .. } => "violated",
            Self::NoNoise { .. } => "no-noise",
            Self::TooManyFactors { .. } => "too-many-factors",
            Self::Torn { .. } => "torn",
            Self::LeftWhole { .. } => "left-whole",
            Self::Shortcuts { .. } => "shortcuts",
            Self::Noisy { .. } => "noisy",
            Self::UnlikeUnits { .. } => "unlike-units",
            Self::OpenRotation { .. } => "open-rotation",
            Self::LeftOut { .. } => "left-out",
            Self::ForwardOnly => "forward-only",
            Self::LiesOnItself { .. } => "lies-on-itself",
            Self::RefusedRefinement { .. } => "refused-refinement",
            Self::RefinedWorse { .. } => "refined-worse",
        }
    }

    /// In the terms of a front end, without a full stop.
    pub fn worded(&self, vocabulary: &dyn Vocabulary) -> String {
        self.text().worded(vocabulary)
    }

    /// The sentence, with the names of what a user can set as facts.
    pub fn text(&self) -> Text {
        match self {
            Self::OnlyLargest { .. }
            | Self::SideBySide { .. }
            | Self::SeveralComponents { .. }
            | Self::NotUnfolded { .. }
            | Self::FlatComponent { .. } => self.about_components(),
            Self::FewDirections { .. }
            | Self::RankDeficient { .. }
            | Self::Unlisted { .. }
            | Self::LooseOverlaps { .. } => self.about_neighborhoods(),
            Self::InexactEigenvectors { .. }
            | Self::HeldByFew { .. }
            | Self::CountedLess { .. }
            | Self::AmbiguousCoordinates { .. }
            | Self::EqualEigenvalues { .. }
            | Self::VarianceOutside { .. }
            | Self::Violated { .. } => self.about_the_solution(),
            Self::NoNoise { .. } | Self::TooManyFactors { .. } => self.about_factors(),
            Self::Torn { .. }
            | Self::LeftWhole { .. }
            | Self::Shortcuts { .. }
            | Self::Noisy { .. }
            | Self::UnlikeUnits { .. } => self.about_the_surface(),
            Self::OpenRotation { .. } | Self::LeftOut { .. } => self.about_measures(),
            Self::ForwardOnly
            | Self::LiesOnItself { .. }
            | Self::RefusedRefinement { .. }
            | Self::RefinedWorse { .. } => self.about_the_verdict(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text())
    }
}

impl serde::Serialize for Warning {
    /// As its sentence.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
