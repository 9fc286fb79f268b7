//! The outcome of classical scaling, which several methods end with.

use crate::embedding::Outcome;
use crate::spectral::ClassicalScaling;

/// The coordinates in `dim` dimensions, with what is to be said of them.
pub(super) fn scaled(scaling: &ClassicalScaling, dim: usize) -> Outcome {
    let mut outcome = Outcome::direct(scaling.values.clone());
    scaling.report(&mut outcome.facts);
    if scaling.rank < dim {
        outcome.warnings.push(format!(
            "the distances have {} positive directions, fewer than the {dim} asked for; the other coordinates are zero",
            scaling.rank
        ));
    }
    outcome
}
