//! The sentences of warnings, by what they are about.

use super::{Deficient, KeptByMore, Spanning, Warning};
use crate::error::Text;

impl Warning {
    pub(super) fn about_components(&self) -> Text {
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

    pub(super) fn about_neighborhoods(&self) -> Text {
        match self {
            Self::FewDirections { of, found, wanted } => {
                let of = match of {
                    Spanning::Points => "points span",
                    Spanning::Distances => "distances have",
                    Spanning::Covariances => "covariances of the variables show",
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

    pub(super) fn about_factors(&self) -> Text {
        match self {
            Self::NoNoise { at_bound, variables, floor } => format!(
                "{at_bound} of {variables} variables have no noise of their own where the likelihood is greatest (a Heywood                  case), and were given {floor:e} of their variance; factors may stand for single variables"
            )
            .into(),
            Self::TooManyFactors { factors, variables } => format!(
                "{factors} factors of {variables} variables are more unknowns than there are covariances: other noise and                  other factors fit as well as these"
            )
            .into(),
            _ => Text::default(),
        }
    }

    pub(super) fn about_the_solution(&self) -> Text {
        match self {
            Self::InexactEigenvectors { residual, next, steps } => format!(
                "the eigenvectors are inexact: after {steps} steps their residual is {residual:.1e} relative to the \
                 matrix, where the next eigenvalue is {next:.1e}; on data of many dimensions faithful, tsne and psa need \
                 none"
            )
            .into(),
            Self::HeldByFew { coordinate, holders, points, share } => format!(
                "coordinate {coordinate} shows a few points alone: {holders} of {points} hold {:.0} % of its variance, and it \
                 tells little of the others; faithful, tsne or psa suit such data better",
                100.0 * share
            )
            .into(),
            Self::CountedLess { counted_less, points, coordinates } => format!(
                "a few outliers would have taken {coordinates} of the coordinates, so that {counted_less} of {points} points, \
                 which are held loosely, count less in the variance of the map; they are placed by their neighborhoods as all \
                 others"
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

    pub(super) fn about_the_surface(&self) -> Text {
        match self {
            Self::Torn { pairs, share } => Text::from(format!(
                "no flat map keeps all neighbors together: {pairs} pairs, {:.2} % of the memberships, were torn so that \
                 the rest lies flat; ",
                100.0 * share
            ))
            .and("{set tear=false} keeps it whole"),
            Self::LeftWhole { times, folded: true } => Text::from(format!(
                "R_N is {times:.1} times its bound: the map is folded, and a tear would not make the rest lie flat; "
            ))
            .and("another {k} may help, or {set tear=true}"),
            Self::LeftWhole { times, folded: false } => Text::from(format!(
                "R_N is {times:.1} times its bound: a flat map of this surface is stretched, but need not be folded, and it \
                 was left whole; "
            ))
            .and("{set tear=true} tears it"),
            Self::Shortcuts { pairs, share } => format!(
                "{pairs} pairs of neighbors, {:.2} % of the memberships, lie far apart in the map: noise or too large a k \
                 brought them together, or the surface was torn there",
                100.0 * share
            )
            .into(),
            Self::Noisy { deviation, neighbors } => Text::from(format!(
                "the data are noisy, with a standard deviation of about {deviation:.2}: frames and links were computed \
                 after the noise was removed by averaging over {neighbors} neighbors; "
            ))
            .and("{set tangent_k=null} uses the data as they are"),
            Self::UnlikeUnits { coordinate, times } => format!(
                "coordinate {coordinate} is {times:.0} times as long as others, so that neighbors reach across the surface: it \
                 was looked at in units of its own, and mapped in the given ones; where these mean nothing, rescale the data"
            )
            .into(),
            _ => Text::default(),
        }
    }

    pub(super) fn about_measures(&self) -> Text {
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

    pub(super) fn about_the_verdict(&self) -> Text {
        match self {
            Self::ForwardOnly => {
                "only some distances are known, so that the map's own neighborhoods are not judged and there is \
                                  no verdict; a full table of distances, or points, would tell"
                    .into()
            }
            Self::LiesOnItself { false_share, reverse } => format!(
                "the map lies on itself: {:.0} % of what it shows as neighbors are not near each other in the data{}",
                100.0 * false_share,
                reverse.map_or(String::new(), |reverse| format!(
                    ", and their shape is {:.0} % of the way from chance to the best possible",
                    100.0 * reverse.max(0.0)
                ))
            )
            .into(),
            Self::RefusedRefinement { measure } => Text::from(format!(
                "the map that {measure} alone leads to lays strangers over each other and was refused; this one costs no \
                 more on that side than the slack; "
            ))
            .and("{slack} sets it"),
            Self::RefinedWorse { before, after, false_before, false_after } => format!(
                "the refinement made the map worse when it is looked at both ways: the score went from {before:.3} to \
                 {after:.3}, and false neighbors from {:.1} % to {:.1} %",
                100.0 * false_before,
                100.0 * false_after
            )
            .into(),
            _ => Text::default(),
        }
    }
}
