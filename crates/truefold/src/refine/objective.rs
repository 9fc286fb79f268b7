//! What a descent lowers: the target, plus the penalty and the stress if there are any.

use super::guard::Guard;
use super::penalty::Penalty;
use super::stress::Stress;
use super::sweep::{Slope, Sweeper};
use crate::laplacian::Effort;
use crate::{Points, Result, Run};

/// Where the size of the map does not matter to the target, no step makes it so many times as large.
const BLOWN_UP: f64 = 4.0;

/// The parts of the sum that is lowered.
pub(super) struct Objective<'a> {
    pub(super) sweeper: Sweeper<'a>,
    pub(super) penalty: Option<&'a Penalty<'a>>,
    /// With its weight.
    pub(super) stress: Option<(&'a Stress, f64)>,
    /// Refuses maps that cost too much on the other side.
    pub(super) guard: Option<&'a Guard<'a>>,
    /// All but so many first points stay where they are.
    pub(super) free: Option<usize>,
    /// How well the system of an exact step is solved.
    pub(super) effort: Effort,
}

impl Objective<'_> {
    /// Whether a map that is lower may be taken: not if it is blown up, nor if it costs too much on the other side.
    pub(super) fn admits(&self, there: &Points, from: &Points, run: &Run) -> Result<bool> {
        let extent = |points: &Points| points.values().iter().fold(0.0_f64, |most, at| most.max(at.abs()));
        if self.sweeper.is_free_of_scale() && extent(there) > BLOWN_UP * extent(from) {
            return Ok(false);
        }
        self.guard.map_or(Ok(true), |guard| guard.admits(there, run))
    }

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
        if let Some(free) = self.free {
            slope.downhill[free * y.dim()..].fill(0.0);
        }
        Ok(slope)
    }
}
