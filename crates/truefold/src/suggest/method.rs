//! Which method suits the data, for coordinates and for a picture, and why.
//!
//! The rules, the first that holds:
//!
//! 1. The projection onto the principal axes is as good as any map: `pca`.
//! 2. The map has too many dimensions to be looked at, and the data more still, or as many as they have coordinates: shapes
//!    are kept as far as they can (`gp`, which finds what `psa` does there and is faster).
//! 3. The neighborhoods lie off their best planes of as many dimensions as the map has: the data have more dimensions than the
//!    map, which keeps neighbors together (`faithful`; `tsne` where the data fill a few dimensions, as the pull towards shapes
//!    then lets strangers lie among each other).
//! 4. The map has more dimensions than the data: a curve in the plane may lie on itself without any loss of shape, which
//!    methods that look at the data's neighborhoods alone do not prevent (`faithful`).
//! 5. It is a surface of as many dimensions as the map: `psa`, which keeps lengths.

use super::method_reason::MethodReason;
use crate::data::Input;
use crate::local::{THICK, thickness};
use crate::{Distances, Neighborhoods, Result};
use serde::Serialize;

/// R_N of a projection that is at most this far above its bound is as good as the best: less is left of wrinkles by any method.
const NOTHING: f64 = 0.005;
/// The largest dimension of a map to look at.
const MOST_SEEN: usize = 3;
/// Where charts see fewer dimensions than this, the data fill a few; at this size and above charts tell no more.
const FEW: f64 = 8.0;

/// A method, the number of dimensions of its map, and why this method.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Method, Run, Suggest};
///
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(1000))?;
/// let choice = Suggest::default().run(&roll.points, &Run::new())?.picture;
/// assert_eq!((choice.method, choice.dim), ("psa", 2));
/// let made = Method::chosen(&choice, &[])?.embed(&roll.points, 12, choice.dim)?;
/// assert!(made.judgment.score().is_some_and(|score| score > 0.99));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The method's name in the table of methods.
    pub method: &'static str,
    /// The number of dimensions of the map.
    pub dim: usize,
    /// Why this method.
    pub reason: MethodReason,
}

/// What a choice depends on.
pub(super) struct Looks {
    /// The number of dimensions of the data, d.
    pub(super) dim: usize,
    /// The same as charts see it, where they do.
    pub(super) charted: Option<f64>,
    /// The number of coordinates, q.
    pub(super) coordinates: usize,
    /// Whether the surface closes on itself.
    pub(super) closed: bool,
}

impl Looks {
    /// The method for a map of `dim` dimensions, off whose best planes lies `thick` of the neighborhoods, and above whose
    /// bound R_N of a projection is at most by `excess`.
    pub(super) fn choose(&self, dim: usize, thick: f64, excess: f64) -> Choice {
        let seen = dim <= MOST_SEEN;
        let (method, reason) = if dim >= self.coordinates {
            ("pca", MethodReason::AllCoordinates)
        } else if excess <= NOTHING {
            ("pca", MethodReason::ProjectionIsBest { excess })
        } else if !seen && (thick > THICK || self.charted.is_none_or(|charted| charted > dim as f64)) {
            ("gp", MethodReason::ShapesOfMany { share: thick })
        } else if thick > THICK {
            match self.charted.filter(|&charted| charted < FEW) {
                Some(_) => ("tsne", MethodReason::FillFewDimensions { share: thick, dim: self.dim.max(dim + 1) }),
                None => ("faithful", MethodReason::MoreThanTheMap { share: thick }),
            }
        } else if dim > self.dim && seen {
            ("faithful", MethodReason::RoomToLieOnItself { data: self.dim })
        } else if self.closed {
            ("psa", MethodReason::ClosedSurface)
        } else {
            ("psa", MethodReason::Surface { dim: self.dim.min(dim) })
        };
        Choice { method, dim, reason }
    }
}

impl Choice {
    /// The method for so few points that nothing can be told of a surface.
    pub(super) fn of_few(points: usize, dim: usize) -> Self {
        Self { method: "pca", dim, reason: MethodReason::TooFewToTell { points } }
    }

    /// The method for data of which only distances are known.
    ///
    /// ```
    /// use truefold::suggest::Choice;
    /// use truefold::{Distances, Run, Search};
    ///
    /// // Points along a line.
    /// let table: Vec<f64> = (0..30 * 30).map(|at: i32| f64::from((at / 30 - at % 30).abs())).collect();
    /// let distances = Distances::dense(30, table)?;
    /// let neighborhoods = Search::nearest(8).run_on_distances(&distances, &Run::new())?;
    /// assert_eq!(Choice::of_distances(&distances, &neighborhoods, 1)?.method, "gp");
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn of_distances(distances: &Distances, neighborhoods: &Neighborhoods, dim: usize) -> Result<Self> {
        neighborhoods.check_len(distances.len())?;
        // Points that a map puts together need not be joined by a known distance.
        if distances.values().is_none() {
            return Ok(Self { method: "gp", dim, reason: MethodReason::SomeDistances });
        }
        let share = thickness(&Input::Distances(distances), neighborhoods, dim)?;
        let (method, reason) = match share > THICK && dim <= MOST_SEEN {
            true => ("faithful", MethodReason::MoreThanTheMap { share }),
            false => ("gp", MethodReason::DistancesOfASurface),
        };
        Ok(Self { method, dim, reason })
    }
}
