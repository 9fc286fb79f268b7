//! A part of an input: some of its points, and the neighborhoods among them.

use super::Input;
use crate::{Distances, Neighborhoods, Points};

/// Some rows of an input with the neighborhoods among them, renumbered in their order.
///
/// ```
/// use truefold::local::{Input, Part};
/// use truefold::{Neighborhoods, Points, Run};
///
/// let points = Points::new(4, 1, vec![0.0, 1.0, 8.0, 9.0])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 1, &Run::new())?;
/// let part = Part::new(&Input::Points(&points), &neighborhoods, &[2, 3]);
/// assert_eq!((part.input().len(), part.neighborhoods().neighbors(0)), (2, &[1][..]));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Part {
    kept: Kept,
    neighborhoods: Neighborhoods,
}

#[derive(Debug, Clone)]
enum Kept {
    Points(Points),
    Distances(Distances),
}

impl Part {
    /// The part of `input` that these rows make.
    pub fn new(input: &Input<'_>, neighborhoods: &Neighborhoods, rows: &[u32]) -> Self {
        let kept = match input {
            Input::Points(points) => Kept::Points(points.select(rows)),
            Input::Distances(distances) => Kept::Distances(distances.select(rows)),
        };
        Self { kept, neighborhoods: neighborhoods.restricted(rows) }
    }

    /// The points, or the distances among them.
    pub fn input(&self) -> Input<'_> {
        match &self.kept {
            Kept::Points(points) => Input::Points(points),
            Kept::Distances(distances) => Input::Distances(distances),
        }
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
