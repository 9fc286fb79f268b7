//! Tearing: a surface that closes on itself is cut open along the shortest seams that let it lie flat.
//!
//! 1. Frames and positions are carried down a tree of shortest paths from the center of the graph. Two branches that
//!    meet on the far side disagree about where they are, and the pairs between them are torn.
//! 2. What is left is laid out. A pair that fits in that map goes back, one that does not is torn, and so on until
//!    nothing changes: this takes back what only drift along the tree tore, and shortens the seams. Then points at a
//!    seam go to the side that more of their neighbors are on, and the rounds go on.
//!
//! With e_ij how far the membership (i, j) is off in units of its radius, both halves of a round lower sum min(e_ij^2,
//! t^2): the map on what is kept, then the choice of what is kept, where t is what is tolerated. A seam is thus as long
//! as it relieves more strain than it costs, which is what makes it know about curvature: round a cycle of neighbors
//! on a curved surface the displacements do not add up to zero, and where the defect cannot be spread any thinner it
//! pays to tear. Where few pairs do not fit the map of the whole, the rounds are first begun there: if it lies flat
//! without them, they were shortcuts between sheets, and nothing else is torn. A map that is folded does not fit at its
//! folds, however low its R_N; one that is merely stretched, such as that of a hemisphere, fits everywhere and is left
//! whole. Cost: O(n k log n) and a layout or a few steps of refinement a round.

use super::mismatch;
use super::seams::Seams;
use super::straighten::straighten;
use crate::data::Input;
use crate::frames::Tangents;
use crate::{Neighborhoods, Points, Result, Run, Tear};

/// An excess above this after refinement calls for a second start.
pub(crate) const WRINKLED: f64 = 0.005;
/// A pair that is off by more than this share of the root mean square distance to the neighbors is torn.
const TOLERATED: f64 = 0.8;

/// The most rounds from one start.
const ROUNDS: usize = 30;

/// How often seams are straightened.
const STRAIGHTENINGS: usize = 3;

/// The steps of refinement in a round.
pub(crate) const STEPS: usize = 8;

/// A tear of more than this share of the memberships is no seam.
const MOST_TORN: f64 = 0.15;

/// Neighborhoods of which more than this share lies off their tangents are no piece of a surface: unasked nothing is torn.
const THICK: f64 = 0.1;

/// A tree that tears more than this share found noise, not branches that meet: unasked nothing is tried further.
const MOST_AT_FIRST: f64 = 0.3;

/// A tear is made unasked if it leaves at most this share of the misfit of the whole.
const WORTHWHILE: f64 = 0.5;

/// Up to this share of the memberships may be shortcuts.
const FEW: f64 = 0.01;

/// A misfit up to this is flat.
const FLAT: f64 = 5e-4;

/// The whole is torn unasked if at least this share of its memberships does not fit.
const FOLDED: f64 = 0.002;

/// The whole as it was mapped, and how much of it does not fit.
pub(crate) struct Whole<'a> {
    points: &'a Points,
    neighborhoods: &'a Neighborhoods,
    radii: Vec<f64>,
    y: &'a [f64],
    seams: Seams,
    /// The share of the extent of the neighborhoods that does not fit.
    pub(crate) misfit: f64,
}

/// What is left after tearing, and its map.
pub(crate) struct Torn {
    pub(crate) rest: Neighborhoods,
    pub(crate) y: Vec<f64>,
    pub(crate) rounds: usize,
    share: f64,
    misfit: f64,
}

/// Maps the neighborhoods that are left, from the map before where there is one.
pub(crate) type Lay<'a> = dyn FnMut(&Neighborhoods, &mut Tangents, Option<&[f64]>) -> Result<Vec<f64>> + 'a;

impl<'a> Whole<'a> {
    /// Judges the map `y` of all neighborhoods.
    pub(crate) fn new(
        points: &'a Points,
        neighborhoods: &'a Neighborhoods,
        tangents: &Tangents,
        y: &'a [f64],
        run: &Run,
    ) -> Result<Self> {
        let radii = mismatch::radii(points, neighborhoods, run)?;
        let all = Seams::none(neighborhoods);
        let found = mismatch::of_map(points, neighborhoods, tangents, &all.kept, y, &radii, run)?;
        let seams = Seams::new(neighborhoods, &found.off, TOLERATED);
        Ok(Self { points, neighborhoods, radii, y, seams, misfit: found.misfit })
    }

    /// The share of the memberships that do not fit.
    pub(crate) fn unfit(&self) -> f64 {
        self.seams.share(self.neighborhoods)
    }

    /// Whether it is to be torn, unasked or `asked`.
    pub(crate) fn calls_for_a_tear(&self, asked: bool) -> bool {
        if asked { self.unfit() > 0.0 } else { self.misfit > WRINKLED && self.unfit() >= FOLDED }
    }

    /// Tears what does not fit; unless `asked`, only where that leaves clearly less misfit and tears little.
    pub(crate) fn tear(
        &self,
        tangents: &mut Tangents,
        asked: bool,
        run: &Run,
        lay: &mut Lay<'_>,
    ) -> Result<Option<Torn>> {
        if !asked && mismatch::off_tangents(self.points, self.neighborhoods, tangents, run)? > THICK {
            return Ok(None);
        }
        if self.unfit() <= FEW {
            let few = self.rounds(self.seams.clone(), Some(self.y.to_vec()), tangents, run, lay)?;
            if few.as_ref().is_some_and(|torn| torn.misfit <= FLAT) {
                return Ok(few);
            }
        }
        let off = mismatch::of_tree(self.points, self.neighborhoods, tangents, &self.radii, run)?;
        let seams = Seams::new(self.neighborhoods, &off, TOLERATED);
        if !asked && seams.share(self.neighborhoods) > MOST_AT_FIRST {
            return Ok(None);
        }
        let torn = self.rounds(seams, None, tangents, run, lay)?;
        let worthwhile = |torn: &Torn| torn.misfit <= WORTHWHILE * self.misfit && torn.share <= MOST_TORN;
        Ok(torn.filter(|torn| asked || worthwhile(torn)))
    }

    /// The pairs that were torn where `rest` is left.
    pub(crate) fn seam(&self, rest: &Neighborhoods) -> Tear {
        let input = Input::Points(self.points);
        Tear::new(self.neighborhoods, rest, |a, b| input.distance(a, b))
    }

    /// Lays out what is left and tears anew what does not fit there, until nothing changes; nothing if all fits.
    fn rounds(
        &self,
        mut seams: Seams,
        mut before: Option<Vec<f64>>,
        tangents: &mut Tangents,
        run: &Run,
        lay: &mut Lay<'_>,
    ) -> Result<Option<Torn>> {
        let mut straightenings = 0;
        for rounds in 1..=ROUNDS {
            if seams.torn() == 0 {
                break;
            }
            let rest = seams.rest(self.neighborhoods);
            let y = lay(&rest, tangents, before.as_deref())?;
            let found = mismatch::of_map(self.points, self.neighborhoods, tangents, &seams.kept, &y, &self.radii, run)?;
            let mut next = Seams::new(self.neighborhoods, &found.off, TOLERATED);
            let settled = next == seams;
            if settled && rounds < ROUNDS && straightenings < STRAIGHTENINGS {
                straightenings += 1;
                let (points, whole) = (self.points, self.neighborhoods);
                let limits = (self.radii.as_slice(), TOLERATED);
                let mut placed = y.clone();
                if straighten(points, whole, tangents, limits, &mut next, &mut placed)
                    && next.torn() < seams.torn()
                    && next.rest(whole).components().count() == 1
                {
                    seams = next;
                    before = Some(placed);
                    continue;
                }
            }
            if settled || rounds == ROUNDS {
                let share = seams.share(self.neighborhoods);
                return Ok(Some(Torn { rest, y, rounds, share, misfit: found.misfit }));
            }
            seams = next;
            before = Some(y);
        }
        Ok(None)
    }
}
