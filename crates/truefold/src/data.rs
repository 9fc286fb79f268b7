//! What is embedded or judged: points, or only the distances among them; owned, borrowed, or a part of them.

use crate::error::Advice;
use crate::{Distances, Error, Neighborhoods, Points, Result};

/// Points, or only the distances among them, owned.
///
/// ```
/// use truefold::{Data, Points};
///
/// let data = Data::Points(Points::new(2, 1, vec![0.0, 1.0])?);
/// assert_eq!((data.input().len(), data.input().dim()), (2, Some(1)));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub enum Data {
    /// Coordinates.
    Points(Points),
    /// Distances alone.
    Distances(Distances),
}

impl Data {
    /// The same, borrowed.
    pub fn input(&self) -> Input<'_> {
        match self {
            Self::Points(points) => Input::Points(points),
            Self::Distances(distances) => Input::Distances(distances),
        }
    }

    /// The points; `None` for distances.
    pub fn points(&self) -> Option<&Points> {
        match self {
            Self::Points(points) => Some(points),
            Self::Distances(_) => None,
        }
    }
}

/// The input side of an embedding or an evaluation: points, or only the distances among them.
///
/// Distances may be such that no points in a Euclidean space have them. A chart then loses what classical scaling
/// cannot show.
///
/// ```
/// use truefold::{Distances, Input, Points};
///
/// let distances = Distances::dense(2, vec![0.0, 1.0, 1.0, 0.0])?;
/// let input = Input::Distances(&distances);
/// assert_eq!((input.len(), input.dim()), (2, None));
/// assert!(input.check_embedding(&Points::new(2, 1, vec![0.0, 1.0])?).is_ok());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// Coordinates.
    Points(&'a Points),
    /// Distances alone: a chart is then the classical scaling of the distances among its members.
    Distances(&'a Distances),
}

impl Input<'_> {
    /// The number of points.
    #[expect(clippy::len_without_is_empty, reason = "an input is never empty")]
    pub fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Distances(distances) => distances.len(),
        }
    }

    /// An error unless `embedding` has a row for each point and no more dimensions than the input.
    pub fn check_embedding(&self, embedding: &Points) -> Result<()> {
        check_pair(self.len(), self.dim().unwrap_or(self.len().saturating_sub(1)), embedding)
    }

    /// Whether the distance of any two points is known, as the neighborhoods of a map need it.
    pub(crate) fn knows_all_distances(&self) -> bool {
        match self {
            Self::Points(_) => true,
            Self::Distances(distances) => distances.values().is_some(),
        }
    }

    /// The number of coordinates; `None` for distances.
    pub fn dim(&self) -> Option<usize> {
        match self {
            Self::Points(points) => Some(points.dim()),
            Self::Distances(_) => None,
        }
    }

    /// The Euclidean distance between two points, or the given distance; infinite if it is not known.
    pub(crate) fn distance(&self, a: usize, b: usize) -> f64 {
        match self {
            Self::Points(points) => points.squared_distance(a, b).sqrt(),
            // Neighbors were found among the known distances, so a pair without one counts as unreachable.
            Self::Distances(distances) => distances.get(a, b).unwrap_or(f64::INFINITY),
        }
    }
}

/// An error unless Y has as many points as X and no more dimensions.
pub(crate) fn check_pair(points: usize, input_dim: usize, embedding: &Points) -> Result<()> {
    if points != embedding.len() {
        return Err(Error::data(
            format!("X has {points} points and Y has {}", embedding.len()),
            Advice::mend_data("row i of Y must be the embedding of row i of X"),
        ));
    }
    if embedding.dim() > input_dim {
        return Err(Error::data(
            format!("Y has {} dimensions, but X has only {input_dim}", embedding.dim()),
            Advice::mend_data("an embedding has at most as many dimensions as the data; were X and Y swapped?"),
        ));
    }
    Ok(())
}

/// Some rows of an input with the neighborhoods among them, renumbered in their order.
///
/// ```
/// use truefold::{Input, Neighborhoods, Part, Points, Run};
///
/// let points = Points::new(4, 1, vec![0.0, 1.0, 8.0, 9.0])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 1, &Run::new())?;
/// let part = Part::new(&Input::Points(&points), &neighborhoods, &[2, 3]);
/// assert_eq!((part.input().len(), part.neighborhoods().neighbors(0)), (2, &[1][..]));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Part {
    data: Data,
    neighborhoods: Neighborhoods,
}

impl Part {
    /// The part of `input` that consists of these rows.
    pub fn new(input: &Input<'_>, neighborhoods: &Neighborhoods, rows: &[u32]) -> Self {
        let data = match input {
            Input::Points(points) => Data::Points(points.select(rows)),
            Input::Distances(distances) => Data::Distances(distances.select(rows)),
        };
        Self { data, neighborhoods: neighborhoods.restricted(rows) }
    }

    /// The points, or the distances among them.
    pub fn input(&self) -> Input<'_> {
        self.data.input()
    }

    /// The neighborhoods among them.
    pub fn neighborhoods(&self) -> &Neighborhoods {
        &self.neighborhoods
    }
}

impl Neighborhoods {
    /// The neighborhoods of `rows` alone, renumbered in their order; neighbors outside are dropped.
    pub fn restricted(&self, rows: &[u32]) -> Self {
        let mut place = vec![u32::MAX; self.len()];
        for (at, &row) in rows.iter().enumerate() {
            place[row as usize] = at as u32;
        }
        let mut offsets = vec![0];
        let mut members = Vec::new();
        for &row in rows {
            members.extend(
                self.members(row as usize).iter().map(|&member| place[member as usize]).filter(|&at| at != u32::MAX),
            );
            offsets.push(members.len());
        }
        Self::from_parts(offsets, members, self.origin().clone())
    }
}
