//! The other side of a refinement: whether what lies together in the map belongs together.
//!
//! The targets look at the neighborhoods of the data alone. Lowering one may lay strangers over each other, which reverse R_C
//! tells: it may not end above its first value by more than the slack. Where the data have more dimensions than the map this
//! is the usual end of a descent, and every step is looked at; a map of a surface may have to pass through worse ones to
//! unfold, so that its end is looked at first.

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
    /// Whether every step is looked at from the beginning.
    pub(super) is_strict: bool,
}

impl<'a> Guard<'a> {
    /// The guard of a refinement from `start`; none where there is no slack to keep, or the other side cannot be seen.
    pub(super) fn new(
        refine: &Refine,
        (input, neighborhoods): (Input<'a>, &'a Neighborhoods),
        start: &Points,
        run: &Run,
    ) -> Result<Option<Self>> {
        let Some(slack) = refine.slack else { return Ok(None) };
        if !is_seen(&input, start.dim()) {
            return Ok(None);
        }
        let is_strict = is_thick(&input, neighborhoods, start.dim())?;
        let first = reverse_r_c(&input, neighborhoods, start, &run.quiet())?;
        Ok(first.map(|first| Self { input, neighborhoods, most: first + slack, is_strict }))
    }

    /// Whether a map costs no more than it may.
    pub(super) fn admits(&self, map: &Points, run: &Run) -> Result<bool> {
        Ok(reverse_r_c(&self.input, self.neighborhoods, map, run)?.is_none_or(|now| now <= self.most))
    }
}

/// Whether the other side of a map of `dim` dimensions can be looked at.
fn is_seen(input: &Input<'_>, dim: usize) -> bool {
    // Points that a map puts together need not be joined by a known distance.
    dim <= MOST_DIM && !matches!(input, Input::Distances(distances) if distances.values().is_none())
}

/// Whether the data have more dimensions than a map of `dim`, which is one to look at; no where not all distances are known.
pub(super) fn is_thick(input: &Input<'_>, neighborhoods: &Neighborhoods, dim: usize) -> Result<bool> {
    if !is_seen(input, dim) {
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
