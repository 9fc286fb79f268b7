//! What a reader should know before trusting a result, as facts; each front end puts them into words.

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
    /// A surface was torn, so that the rest is flat.
    Torn {
        /// The pairs of neighbors.
        pairs: usize,
        /// Their share of the memberships.
        share: f64,
    },
    /// Pairs of neighbors that are far apart in the map of noisy data.
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
}

/// What has too few directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spanning {
    /// The points.
    Points,
    /// The distances.
    Distances,
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
            Self::AmbiguousCoordinates { .. } => "ambiguous-coordinates",
            Self::EqualEigenvalues { .. } => "equal-eigenvalues",
            Self::LooseOverlaps { .. } => "loose-overlaps",
            Self::VarianceOutside { .. } => "variance-outside",
            Self::Violated { .. } => "violated",
            Self::Torn { .. } => "torn",
            Self::Shortcuts { .. } => "shortcuts",
            Self::Noisy { .. } => "noisy",
            Self::OpenRotation { .. } => "open-rotation",
            Self::LeftOut { .. } => "left-out",
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
            | Self::AmbiguousCoordinates { .. }
            | Self::EqualEigenvalues { .. }
            | Self::VarianceOutside { .. }
            | Self::Violated { .. } => self.about_the_solution(),
            Self::Torn { .. } | Self::Shortcuts { .. } | Self::Noisy { .. } => self.about_the_surface(),
            Self::OpenRotation { .. } | Self::LeftOut { .. } => self.about_measures(),
        }
    }

    fn about_components(&self) -> Text {
        match self {
            Self::OnlyLargest { components, embedded, points } => format!(
                "the neighborhood graph has {components} connected components; only the largest, {embedded} of {points} \
                 points, was embedded"
            )
            .into(),
            Self::SideBySide { components } => format!(
                "the neighborhood graph has {components} connected components; each was embedded separately and they \
                 were placed side by side: distances between them mean nothing"
            )
            .into(),
            Self::SeveralComponents { components } => format!(
                "the neighborhood graph has {components} connected components; their positions relative to each other \
                 are not measured"
            )
            .into(),
            Self::NotUnfolded { components } => format!(
                "the neighborhood graph has {components} connected components: points that lie on each other are pushed \
                 apart, but the map is not unfolded"
            )
            .into(),
            Self::FlatComponent { points, spanned, wanted } => format!(
                "a connected component of {points} points spans {spanned} of {wanted} dimensions; its other coordinates \
                 are zero"
            )
            .into(),
            _ => Text::default(),
        }
    }

    fn about_neighborhoods(&self) -> Text {
        match self {
            Self::FewDirections { of, found, wanted } => {
                let of = match of {
                    Spanning::Points => "points span",
                    Spanning::Distances => "distances have",
                };
                format!(
                    "the {of} {found} directions, fewer than the {wanted} asked for; the other coordinates are zero"
                )
                .into()
            }
            Self::RankDeficient { of, deficient, all, wanted } => {
                let (what, done) = match of {
                    Deficient::Neighborhoods => ("neighborhoods", "they constrain their points only in those"),
                    Deficient::Frames => {
                        ("neighborhoods", "their frames were completed from the neighborhoods around them")
                    }
                    Deficient::Models => ("local models", "they place their points only in those"),
                };
                format!("{deficient} of {all} {what} span fewer than {wanted} directions; {done}").into()
            }
            Self::Unlisted { unlisted, points } => format!(
                "{unlisted} of {points} points are in no other point's neighbor list; their positions are less reliable"
            )
            .into(),
            Self::LooseOverlaps { open, placed } => Text::from(format!(
                "{open} of {placed} neighborhoods share too few embedded points to fix their rotation, so parts of the \
                 map may be turned or mirrored; "
            ))
            .and("a larger {k} avoids this"),
            _ => Text::default(),
        }
    }

    fn about_the_solution(&self) -> Text {
        match self {
            Self::InexactEigenvectors { residual, next, steps } => format!(
                "the eigenvectors are inexact: after {steps} steps their residual is {residual:.1e} relative to the \
                 matrix, where the next eigenvalue is {next:.1e}"
            )
            .into(),
            Self::AmbiguousCoordinates { dim, next } => format!(
                "more than {dim} directions fit the neighborhoods equally well (eigenvalue {} is {next:.1e}), and {dim} \
                 of them were taken: the points may lie in fewer dimensions, repeat, or have too few neighbors",
                dim + 2
            )
            .into(),
            Self::EqualEigenvalues { dim } => format!(
                "eigenvalues {} and {} are equal to six digits, so the last coordinate is not unique",
                dim + 1,
                dim + 2
            )
            .into(),
            Self::VarianceOutside { dim, share, keeps } => {
                let keeps = match keeps {
                    KeptByMore::Shapes => "the shapes of the neighborhoods need more",
                    KeptByMore::Distances => "the distances between neighbors need more",
                };
                format!("{dim} dimensions hold {:.1} % of the variance of the solution: {keeps}", 100.0 * share).into()
            }
            Self::Violated { rounds, largest, wanted } => Text::from(format!(
                "after {rounds} rounds a squared distance is still violated by {largest:.1e} of it, where {wanted:.1e} \
                 was wanted; "
            ))
            .and("a larger {set rounds} or a smaller {k} may help"),
            _ => Text::default(),
        }
    }

    fn about_the_surface(&self) -> Text {
        match self {
            Self::Torn { pairs, share } => Text::from(format!(
                "no flat map keeps all neighbors together: {pairs} pairs, {:.2} % of the memberships, were torn so that \
                 the rest lies flat; ",
                100.0 * share
            ))
            .and("{set tear=false} keeps it whole"),
            Self::Shortcuts { pairs, share } => format!(
                "{pairs} pairs of neighbors, {:.2} % of the memberships, lie far apart in the map: noise brought them \
                 together, or the surface was torn there",
                100.0 * share
            )
            .into(),
            Self::Noisy { deviation, neighbors } => Text::from(format!(
                "the data are noisy, with a standard deviation of about {deviation:.2}: frames and links were computed \
                 after the noise was removed by averaging over {neighbors} neighbors; "
            ))
            .and("{set tangent_k=null} uses the data as they are"),
            _ => Text::default(),
        }
    }

    fn about_measures(&self) -> Text {
        let counted = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        match self {
            Self::OpenRotation { neighborhoods } => format!(
                "in {} X and Y do not fix the rotation in some direction; it was completed, which changes no value",
                counted(*neighborhoods, "neighborhood", "neighborhoods")
            )
            .into(),
            Self::LeftOut { symbol, neighborhoods } => format!(
                "{symbol}: {} left out, as all their points of X coincide",
                counted(*neighborhoods, "neighborhood was", "neighborhoods were")
            )
            .into(),
            _ => Text::default(),
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
