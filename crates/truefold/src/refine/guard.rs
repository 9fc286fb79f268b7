//! The other side of a refinement: whether what lies together in the map belongs together.
//!
//! The targets look at the neighborhoods of the data alone. Where these have more dimensions than the map, lowering a target
//! without end lays strangers over each other, which reverse R_C tells. A step that would raise it by more than the slack is
//! refused.

use super::Refine;
use crate::data::Input;
use crate::forces::mean_r_c;
use crate::local::{THICK, thickness};
use crate::{Neighborhoods, Points, Result, Run};

/// The largest dimension of a map that is looked at in both directions.
pub(super) const MOST_DIM: usize = 3;

/// What a refinement may cost on the other side.
pub(super) struct Guard<'a> {
    input: Input<'a>,
    neighborhoods: &'a Neighborhoods,
    most: f64,
}

impl<'a> Guard<'a> {
    /// The guard of a refinement from `start`; none where the data have as few dimensions as the map.
    pub(super) fn new(
        refine: &Refine,
        (input, neighborhoods): (Input<'a>, &'a Neighborhoods),
        start: &Points,
        run: &Run,
    ) -> Result<Option<Self>> {
        let Some(slack) = refine.slack else { return Ok(None) };
        if !is_thick(&input, neighborhoods, start.dim())? {
            return Ok(None);
        }
        let first = reverse_r_c(&input, neighborhoods, start, &run.quiet())?;
        Ok(first.map(|first| Self { input, neighborhoods, most: first + slack }))
    }

    /// Whether a map costs no more than it may.
    pub(super) fn admits(&self, map: &Points, run: &Run) -> Result<bool> {
        Ok(reverse_r_c(&self.input, self.neighborhoods, map, run)?.is_none_or(|now| now <= self.most))
    }
}

/// Whether the data have more dimensions than a map of `dim`, which is one to look at; no where not all distances are known.
pub(super) fn is_thick(input: &Input<'_>, neighborhoods: &Neighborhoods, dim: usize) -> Result<bool> {
    // Points that a map puts together need not be joined by a known distance.
    let knows_all = !matches!(input, Input::Distances(distances) if distances.values().is_none());
    if dim > MOST_DIM || !knows_all {
        return Ok(false);
    }
    Ok(thickness(input, neighborhoods, dim)? > THICK)
}

/// The mean of R_C over the neighborhoods of the map, as many as the data's on average; none beyond three dimensions.
pub(super) fn reverse_r_c(
    input: &Input<'_>,
    neighborhoods: &Neighborhoods,
    map: &Points,
    run: &Run,
) -> Result<Option<f64>> {
    let found = Neighborhoods::nearest(map, neighborhoods.usual_k(), run)?;
    mean_r_c(input, &found, map, run)
}
