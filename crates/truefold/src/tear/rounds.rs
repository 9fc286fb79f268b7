//! Rounds: the map of what is kept, then the choice of what is kept.
//!
//! A pair that fits in the map is restored, a pair that does not is torn, and so on until little changes: this restores
//! what was torn only because errors add up along a tree, and shortens the seams. Then points at a seam move to the side
//! where more of their neighbors are, and the rounds go on; then the same with a larger tolerated value, as long as R_N on
//! what is left stays below its goal.
//!
//! With e_ij how far the membership (i, j) is off in units of its radius, and t the tolerated value, both halves of a
//! round lower sum min(e_ij^2, t^2). A seam therefore grows as long as it removes more strain than it costs, which makes it
//! depend on curvature: around a cycle of neighbors on a curved surface the displacements do not add up to zero, and where
//! this defect cannot be spread any thinner, tearing costs less. R_N grows with t^2, and its bound is the square of how far
//! a neighborhood bends: t starts at a multiple of the root of the bound. Cost: a layout, and a step of refinement a round.

use super::mismatch;
use super::seams::Seams;
use super::straighten::straighten;
use super::surface::Surface;
use super::tearing::{Layout, TOLERATED};
use crate::frames::Tangents;
use crate::{Fit, Neighborhoods, Result};

/// At first pairs are torn that are off by more than so many times the square root of the bound of R_N: that is the strain
/// which adds about as much to R_N as there is in any case. From there the tolerated value grows by this factor.
const FIRST: f64 = 6.0;
const GROWTH: f64 = 1.5;
/// The least value: where faces are flat, what is off by less is rounding of the frames at their edges.
const LEAST: f64 = 0.012;

/// Rounds end when they change at most this share of what is torn.
const SETTLED: f64 = 0.02;

/// Past their number, rounds go on while what does not fit falls to this share or below and is not yet small enough.
const FALLING: f64 = 0.75;
/// In no case are there more rounds than so many times their number.
const MOST_TIMES: usize = 4;

/// Finds the seams of a surface.
pub(super) struct Cutter<'a> {
    pub(super) layout: &'a dyn Layout,
    pub(super) surface: &'a Surface<'a>,
    /// The lower bound of R_N, of which the goal is a multiple.
    pub(super) bound: f64,
    /// A tear that leaves more misfit than this is not worth it.
    pub(super) most: f64,
    /// The number of rounds with one tolerated value, unless little changes before or much after.
    pub(super) rounds: usize,
    /// The steps of refinement in a round.
    pub(super) steps: usize,
}

/// The neighborhoods that are left after tearing, and their map.
pub(super) struct TornMap {
    pub(super) rest: Neighborhoods,
    pub(super) seams: Seams,
    pub(super) y: Vec<f64>,
    /// The pairs that are left are off by about this many radii at most.
    pub(super) tolerated: f64,
    pub(super) share: f64,
    pub(super) misfit: f64,
}

impl Cutter<'_> {
    /// Tears what is off by little at first, and then tolerates more as long as the rest fits well enough; nothing where it
    /// fits without a tear.
    /// The frames come back turned.
    pub(super) fn stages(&self, seams: Seams, tangents: &mut Tangents, fit: &mut Fit<'_>) -> Result<Option<TornMap>> {
        let Some(first) = self.begun(seams, tangents, fit)? else { return Ok(None) };
        self.grown(first, tangents, fit)
    }

    /// Tears what is off by little; nothing where all fits. The frames come back turned.
    pub(super) fn begun(&self, seams: Seams, tangents: &mut Tangents, fit: &mut Fit<'_>) -> Result<Option<TornMap>> {
        if seams.torn() == 0 {
            return Ok(None);
        }
        // What is carried along a tree is ragged; frames that are aligned on what is left are not.
        let y = self.layout.lay_out(&seams.rest(self.surface.neighborhoods), tangents, fit)?;
        self.settle((seams, y), self.first(), tangents, fit)
    }

    /// Tolerates more as long as the rest fits well enough; nothing where it then fits without a tear.
    pub(super) fn grown(&self, mut best: TornMap, tangents: &Tangents, fit: &mut Fit<'_>) -> Result<Option<TornMap>> {
        let mut tolerated = best.tolerated;
        while self.fits(&best) && tolerated < TOLERATED {
            tolerated = (GROWTH * tolerated).min(TOLERATED);
            let map = (best.seams.clone(), best.y.clone());
            let Some(mut torn) = self.settle(map, tolerated, tangents, fit)? else { return Ok(None) };
            // Seams that a larger value did not change are those of a surface that lies flat without them.
            if torn.seams == best.seams && tolerated < TOLERATED {
                tolerated = TOLERATED;
                let Some(last) = self.settle((torn.seams, torn.y), tolerated, tangents, fit)? else { return Ok(None) };
                torn = last;
            }
            if !self.fits(&torn) {
                break;
            }
            best = torn;
        }
        Ok(Some(best))
    }

    /// Settles seams that were found elsewhere with a tolerated value, and with smaller ones as long as the rest does not fit
    /// well enough.
    pub(super) fn tightened(
        &self,
        mut map: (Seams, Vec<f64>),
        mut tolerated: f64,
        tangents: &Tangents,
        fit: &mut Fit<'_>,
    ) -> Result<Option<TornMap>> {
        loop {
            let torn = self.settle(map, tolerated, tangents, fit)?;
            match torn {
                Some(torn) if !self.fits(&torn) && tolerated > self.first() => {
                    tolerated = (tolerated / GROWTH).max(self.first());
                    map = (torn.seams, torn.y);
                }
                torn => return Ok(torn),
            }
        }
    }

    /// The first tolerated value.
    fn first(&self) -> f64 {
        (FIRST * self.bound.sqrt()).clamp(LEAST, TOLERATED)
    }

    /// Whether what is left is as near to its bound as is wanted.
    fn fits(&self, torn: &TornMap) -> bool {
        self.is_enough(torn.misfit)
    }

    /// Whether this misfit is small enough.
    fn is_enough(&self, misfit: f64) -> bool {
        // Where there is no bound to speak of, what is off by the least value is as good as nothing.
        let bound = self.bound.max((LEAST / FIRST).powi(2));
        misfit <= ((self.layout.goal() - 1.0) * bound).min(self.most)
    }

    /// Refines what is left and tears anew what does not fit there, until little changes, then straightens the seams and does
    /// so again; nothing if all fits.
    pub(super) fn settle(
        &self,
        (mut seams, mut y): (Seams, Vec<f64>),
        tolerated: f64,
        tangents: &Tangents,
        fit: &mut Fit<'_>,
    ) -> Result<Option<TornMap>> {
        let whole = self.surface.neighborhoods;
        let (mut straightened, mut before) = (false, f64::INFINITY);
        for round in 1.. {
            if seams.torn() == 0 {
                break;
            }
            let rest = seams.rest(whole);
            y = fit.unrecorded(|fit| self.layout.improve(&rest, y, self.steps, fit))?;
            let found = mismatch::of_map(self.surface, tangents, &seams.kept, &y, fit.run())?;
            let mut next = Seams::new(whole, &found.off, tolerated);
            let changed = next.kept.iter().zip(&seams.kept).filter(|(one, other)| one != other).count();
            let settled = changed as f64 <= SETTLED * seams.torn() as f64;
            let falls = found.misfit <= FALLING * before && !self.is_enough(found.misfit);
            let done = round >= if falls { MOST_TIMES * self.rounds } else { self.rounds };
            before = found.misfit;
            if settled && !straightened && !done {
                straightened = true;
                let mut placed = y.clone();
                if straighten(self.surface, tangents, tolerated, &mut next, &mut placed, fit.run())?
                    && next.torn() < seams.torn()
                    && next.rest(whole).components().count() == 1
                {
                    (seams, y) = (next, placed);
                    continue;
                }
            }
            if settled || done {
                let (share, misfit) = (seams.share(whole), found.misfit);
                return Ok(Some(TornMap { rest, seams, y, tolerated, share, misfit }));
            }
            seams = next;
        }
        Ok(None)
    }
}
