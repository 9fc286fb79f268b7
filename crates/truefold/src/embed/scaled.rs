//! The outcome of classical scaling, which several methods end with.

use crate::embedding::Outcome;
use crate::spectral::ClassicalScaling;
use crate::warning::{Spanning, Warning};

/// The coordinates in `dim` dimensions, with what is to be said of them.
pub(super) fn scaled(scaling: &ClassicalScaling, dim: usize) -> Outcome {
    let mut outcome = Outcome::direct(scaling.values.clone());
    scaling.report(&mut outcome.facts);
    if scaling.rank < dim {
        outcome.warnings.push(Warning::FewDirections { of: Spanning::Distances, found: scaling.rank, wanted: dim });
    }
    outcome
}
