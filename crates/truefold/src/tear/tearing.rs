//! Tearing: a surface that closes on itself is cut open along the shortest seams that let it lie flat.
//!
//! 1. Frames and positions are carried down a tree of shortest paths from the center of the graph. Two branches that
//!    meet on the far side disagree about where they are, and the pairs between them are torn.
//! 2. The rest is laid out. A pair that fits in that map is restored, a pair that does not is torn, and so on until
//!    nothing changes: this restores what was torn only because errors add up along the tree, and shortens the seams.
//!    Then points at a seam move to the side where more of their neighbors are, and the rounds go on.
//!
//! With e_ij how far the membership (i, j) is off in units of its radius, and t the tolerated value, both halves of a
//! round lower sum min(e_ij^2, t^2): the map on what is kept, then the choice of what is kept. A seam therefore grows as
//! long as it removes more strain than it costs, which makes it depend on curvature: around a cycle of neighbors on a
//! curved surface the displacements do not add up to zero, and where this defect cannot be spread any thinner, tearing
//! costs less. Where few pairs do not fit the map of the whole, the rounds first start from these: if the surface lies
//! flat without them, they were shortcuts between sheets, and nothing else is torn. A folded map does not fit at its
//! folds, however low its R_N; a map that is only stretched, such as that of a hemisphere, fits everywhere and is not
//! torn. Cost: O(n k log n) and a layout or a few steps of refinement a round.

use super::mismatch;
use super::seams::Seams;
use super::straighten::straighten;
use super::surface::{Surface, thickness};
use crate::data::Input;
use crate::frames::Tangents;
use crate::local::THICK;
use crate::warning::Warning;
use crate::{Fit, Neighborhoods, Points, Result, Run, Tear};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An excess above this after refinement calls for a second start.
pub(crate) const WRINKLED: f64 = 0.005;
/// A pair that is off by more than this share of the root mean square distance to the neighbors is torn.
const TOLERATED: f64 = 0.8;

/// The largest number of rounds from one start.
const ROUNDS: usize = 30;

/// How often seams are straightened.
const STRAIGHTENINGS: usize = 3;

/// The steps of refinement in a round.
pub(crate) const STEPS: usize = 8;

/// Unless asked for, no more than this share of the memberships is torn.
const MOST_TORN: f64 = 0.15;

/// A tree that tears more than this share found noise, not branches that meet: nothing is torn unless asked for.
const MOST_AT_FIRST: f64 = 0.3;

/// Unless asked for, a tear is made only if it leaves at most this share of the misfit of the whole.
const WORTHWHILE: f64 = 0.5;

/// Up to this share of the memberships may be shortcuts.
const FEW: f64 = 0.01;

/// A misfit up to this is flat.
const FLAT: f64 = 5e-4;

/// Unless asked for, the whole is torn only if at least this share of its memberships does not fit.
const FOLDED: f64 = 0.002;

/// Whether a surface that closes on itself is torn, so that the rest of it lies flat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Tearing {
    /// Where the map of the whole has wrinkles that a tear removes.
    #[default]
    Auto,
    /// Wherever something does not fit.
    Always,
    /// Nowhere.
    Never,
}

impl TryFrom<Value> for Tearing {
    type Error = String;

    fn try_from(value: Value) -> std::result::Result<Self, String> {
        match &value {
            Value::Bool(true) => Ok(Self::Always),
            Value::Bool(false) => Ok(Self::Never),
            Value::String(word) if word == "auto" => Ok(Self::Auto),
            _ => Err(format!("{value} is not one of auto, true, false")),
        }
    }
}

impl From<Tearing> for Value {
    fn from(tearing: Tearing) -> Self {
        match tearing {
            Tearing::Auto => "auto".into(),
            Tearing::Always => true.into(),
            Tearing::Never => false.into(),
        }
    }
}

/// How a method lays out a surface, or what is left of it after a tear.
pub(crate) trait Layout {
    /// The points that lie on the surface.
    fn points(&self) -> &Points;
    /// All neighborhoods.
    fn neighborhoods(&self) -> &Neighborhoods;
    /// Aligns the frames, which come back turned, and solves for the positions.
    fn lay_out(&self, rest: &Neighborhoods, tangents: &mut Tangents, fit: &mut Fit<'_>) -> Result<Vec<f64>>;
    /// Refines positions by [`STEPS`] steps.
    fn improve(&self, rest: &Neighborhoods, y: Vec<f64>, fit: &mut Fit<'_>) -> Result<Vec<f64>>;
    /// The final positions after a tear.
    fn finish(&self, rest: &Neighborhoods, tangents: &mut Tangents, y: Vec<f64>, fit: &mut Fit<'_>)
    -> Result<Vec<f64>>;
}

/// Whether the points may lie on a surface to be torn, or are asked to: where their neighborhoods lie off their tangents,
/// they do not.
pub(crate) fn may_be_torn(layout: &dyn Layout, tangents: &Tangents, tearing: Tearing, run: &Run) -> Result<bool> {
    Ok(match tearing {
        Tearing::Always => true,
        Tearing::Never => false,
        Tearing::Auto => thickness(layout.points(), layout.neighborhoods(), tangents, run)? <= THICK,
    })
}

/// Tears the surface whose map is `y` where that is asked for, or worth it: the positions of what is left, or nothing
/// where it is left whole.
pub(crate) fn torn_apart(
    layout: &dyn Layout,
    mut tangents: Tangents,
    y: &[f64],
    tearing: Tearing,
    fit: &mut Fit<'_>,
) -> Result<Option<Vec<f64>>> {
    let surface = Surface::new(layout.points(), layout.neighborhoods(), fit.run())?;
    let asked = tearing == Tearing::Always;
    let map = UntornMap::new(&surface, &tangents, y, fit.run())?;
    fit.lap("judgment");
    fit.fact("misfit", map.misfit);
    fit.fact("unfit_share", map.unfit());
    if !map.calls_for_a_tear(asked) {
        return Ok(None);
    }
    fit.attempt(|fit| {
        let torn = map.tear(layout, &mut tangents, asked, fit)?;
        fit.lap("seams");
        let Some(torn) = torn else { return Ok(None) };
        let input = Input::Points(surface.points);
        let tear = Tear::new(surface.neighborhoods, &torn.rest, |a, b| input.distance(a, b));
        let y = layout.finish(&torn.rest, &mut tangents, torn.y, fit)?;
        fit.fact("tear_rounds", torn.rounds);
        fit.warn(Warning::Torn { pairs: tear.pairs().len(), share: tear.share() });
        fit.tear(Some(tear));
        Ok(Some(y))
    })
}

/// The map of a surface that was not torn, and how much of it does not fit.
struct UntornMap<'a> {
    surface: &'a Surface<'a>,
    y: &'a [f64],
    seams: Seams,
    /// The share of the extent of the neighborhoods that does not fit.
    misfit: f64,
}

/// The neighborhoods that are left after tearing, and their map.
struct TornMap {
    rest: Neighborhoods,
    y: Vec<f64>,
    rounds: usize,
    share: f64,
    misfit: f64,
}

impl<'a> UntornMap<'a> {
    fn new(surface: &'a Surface<'a>, tangents: &Tangents, y: &'a [f64], run: &Run) -> Result<Self> {
        let all = Seams::none(surface.neighborhoods);
        let found = mismatch::of_map(surface, tangents, &all.kept, y, run)?;
        let seams = Seams::new(surface.neighborhoods, &found.off, TOLERATED);
        Ok(Self { surface, y, seams, misfit: found.misfit })
    }

    /// The share of the memberships that do not fit.
    fn unfit(&self) -> f64 {
        self.seams.share(self.surface.neighborhoods)
    }

    /// Whether to look for a tear.
    fn calls_for_a_tear(&self, asked: bool) -> bool {
        if asked { self.unfit() > 0.0 } else { self.misfit > WRINKLED && self.unfit() >= FOLDED }
    }

    /// Tears what does not fit; unless `asked`, only where that leaves clearly less misfit and tears little.
    fn tear(
        &self,
        layout: &dyn Layout,
        tangents: &mut Tangents,
        asked: bool,
        fit: &mut Fit<'_>,
    ) -> Result<Option<TornMap>> {
        let whole = self.surface.neighborhoods;
        if self.unfit() <= FEW {
            let few = self.rounds(layout, self.seams.clone(), Some(self.y.to_vec()), tangents, fit)?;
            if few.as_ref().is_some_and(|torn| torn.misfit <= FLAT) {
                return Ok(few);
            }
        }
        let off = mismatch::of_tree(self.surface, tangents, fit.run())?;
        let seams = Seams::new(whole, &off, TOLERATED);
        if !asked && seams.share(whole) > MOST_AT_FIRST {
            return Ok(None);
        }
        let torn = self.rounds(layout, seams, None, tangents, fit)?;
        let worthwhile = |torn: &TornMap| torn.misfit <= WORTHWHILE * self.misfit && torn.share <= MOST_TORN;
        Ok(torn.filter(|torn| asked || worthwhile(torn)))
    }

    /// Lays out what is left and tears anew what does not fit there, until nothing changes; nothing if all fits.
    fn rounds(
        &self,
        layout: &dyn Layout,
        mut seams: Seams,
        mut before: Option<Vec<f64>>,
        tangents: &mut Tangents,
        fit: &mut Fit<'_>,
    ) -> Result<Option<TornMap>> {
        let whole = self.surface.neighborhoods;
        let mut straightenings = 0;
        for rounds in 1..=ROUNDS {
            if seams.torn() == 0 {
                break;
            }
            let rest = seams.rest(whole);
            let start = match before {
                Some(before) => before,
                None => layout.lay_out(&rest, tangents, fit)?,
            };
            let y = fit.unrecorded(|fit| layout.improve(&rest, start, fit))?;
            let found = mismatch::of_map(self.surface, tangents, &seams.kept, &y, fit.run())?;
            let mut next = Seams::new(whole, &found.off, TOLERATED);
            let settled = next == seams;
            if settled && rounds < ROUNDS && straightenings < STRAIGHTENINGS {
                straightenings += 1;
                let mut placed = y.clone();
                if straighten(self.surface, tangents, TOLERATED, &mut next, &mut placed)
                    && next.torn() < seams.torn()
                    && next.rest(whole).components().count() == 1
                {
                    (seams, before) = (next, Some(placed));
                    continue;
                }
            }
            if settled || rounds == ROUNDS {
                let share = seams.share(whole);
                return Ok(Some(TornMap { rest, y, rounds, share, misfit: found.misfit }));
            }
            (seams, before) = (next, Some(y));
        }
        Ok(None)
    }
}
