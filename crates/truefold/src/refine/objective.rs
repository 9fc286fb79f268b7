//! What a descent lowers: the target, plus the penalty and the stress if there are any.

use super::penalty::Penalty;
use super::stress::Stress;
use super::sweep::{Slope, Sweeper};
use crate::{Points, Result, Run};

/// The parts of the sum that is lowered.
pub(super) struct Objective<'a> {
    pub(super) sweeper: Sweeper<'a>,
    pub(super) penalty: Option<&'a Penalty<'a>>,
    /// With its weight.
    pub(super) stress: Option<(&'a Stress, f64)>,
}

impl Objective<'_> {
    /// The sum and its slope at `y`.
    pub(super) fn slope(&self, y: &Points, run: &Run) -> Result<Slope> {
        let mut slope = self.sweeper.slope(y, run)?;
        let counted = self.sweeper.counted();
        if let Some(penalty) = self.penalty {
            penalty.add(y, counted, self.sweeper.unit(), &mut slope, run)?;
        }
        if let Some((stress, weight)) = self.stress {
            stress.add(weight, y, counted, &mut slope, run)?;
        }
        Ok(slope)
    }
}
