//! Tearing: a surface that closes on itself is cut open along the shortest seams that let it lie flat.
//!
//! 1. Frames and positions are carried down a tree of shortest paths from the center of the graph. Two branches that
//!    meet on the far side disagree about where they are, and the pairs between them are torn.
//! 2. The rest is laid out, and rounds restore what fits and tear what does not (`rounds.rs`).
//! 3. The map should not lie on itself: trees with other roots are tried where it does (`sample.rs`). All of this is done on
//!    a sample of the points, whose seams are then carried over to all of them.
//!
//! Whether to tear is judged before the map of the whole is refined, while what does not fit is spread over the surface:
//! a share of it that does not depend on n, k or the unit. A surface that is only curved has a map that is stretched
//! but turned over nowhere, or a projection that is; one that closes on itself has folds, as long as it is wide. Where
//! there are none, only a few shortcuts between sheets are torn. Cost: O(n k log n), a layout, and a few rounds.

use super::folds::turned_share;
use super::mismatch::{self, EdgeGraph};
use super::rounds::{Cutter, TornMap};
use super::sample::{Sample, torn_by_sample};
use super::seams::Seams;
use super::surface::{Surface, thickness};
use crate::data::Input;
use crate::frames::Tangents;
use crate::local::THICK;
use crate::warning::Warning;
use crate::{Fit, Neighborhoods, Points, Result, Run, Tear};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An excess above this calls for a look at folds before a refinement, and for a second start after it.
pub(crate) const WRINKLED: f64 = 0.005;
/// So does, for the look, one above this share of the bound: thin neighborhoods show folds in a small excess. Below the
/// least, lengths are right to one in a hundred.
const SHARE_OF_BOUND: f64 = 0.2;
const LEAST_EXCESS: f64 = 1e-4;
/// A pair that is off by more than this share of the root mean square distance to the neighbors is torn.
pub(super) const TOLERATED: f64 = 0.8;

/// The number of rounds with one tolerated value; more follow while they gain much (`rounds.rs`).
const ROUNDS: usize = 12;

/// A tree that tears more than this share found noise, not branches that meet: nothing is torn unless asked for.
const MOST_AT_FIRST: f64 = 0.3;

/// Unless asked for, a tear is made only if it leaves at most this share of the misfit of the whole.
const WORTHWHILE: f64 = 0.1;

/// A map is folded if its folds are longer than this, in units of the reach of the surface; seams that are shorter cut a few
/// shortcuts, not a surface.
const LONG: f64 = 0.05;
/// A sample decides alone, without the whole, where its folds are so many times longer than that: its frames are aligned less
/// well than those of all points.
const CLEARLY: f64 = 3.0;

/// Without folds, seams of the tree that are so many times too long are not tried: rounds restore most pairs of a tree that
/// goes around shortcuts, but not all.
const MOST_RESTORED: f64 = 4.0;

/// Whether R_N is so far above its bound that there may be folds.
pub(crate) fn may_have_folds(excess: f64, bound: f64) -> bool {
    excess > (SHARE_OF_BOUND * bound).clamp(LEAST_EXCESS, WRINKLED)
}

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
    /// Refines positions by so many steps.
    fn improve(&self, rest: &Neighborhoods, y: Vec<f64>, steps: usize, fit: &mut Fit<'_>) -> Result<Vec<f64>>;
    /// The lower bound of R_N of the whole.
    fn bound(&self, dim: usize, run: &Run) -> Result<f64>;
    /// The same way to lay out some of the points, which have neighborhoods of their own.
    fn of_part<'a>(&'a self, points: &'a Points, neighborhoods: &'a Neighborhoods) -> Box<dyn Layout + 'a>;
    /// The projection of the points onto their principal axes, where they span as many.
    fn projection(&self, dim: usize, run: &Run) -> Result<Option<Points>>;
    /// R_N on what is left, in multiples of its bound, up to which pairs are restored.
    fn goal(&self) -> f64;
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
    let map = UntornMap::new(&surface, &tangents, (y, layout.bound(tangents.dim(), fit.run())?), fit.run())?;
    fit.lap("judgment");
    map.tell(fit);
    if !map.calls_for_a_tear(asked) {
        return Ok(None);
    }
    let mut folded = false;
    let torn = fit.attempt(|fit| {
        let torn = map.tear(layout, &mut tangents, asked, &mut folded, fit)?;
        fit.lap("seams");
        torn.map(|(torn, is_seam)| finished(layout, torn, is_seam, &mut tangents, fit)).transpose()
    })?;
    fit.fact("folded", folded);
    Ok(torn)
}

/// Tears the surface where a sample of it clearly has folds, before the whole is laid out; nothing where it has none or short
/// ones or does not show the seams, and where the surface has too few points for a sample.
pub(crate) fn torn_at_sight(layout: &dyn Layout, tangents: &Tangents, fit: &mut Fit<'_>) -> Result<Option<Vec<f64>>> {
    let (run, dim) = (fit.run(), tangents.dim());
    let surface = Surface::new(layout.points(), layout.neighborhoods(), run)?;
    let graph = EdgeGraph::new(&surface, tangents, run)?;
    let Some(sample) = Sample::of(&surface, &graph, dim, run)? else { return Ok(None) };
    fit.lap("sample");
    let part = layout.of_part(&sample.points, &sample.neighborhoods);
    let (small, mut turned) = (Surface::new(&sample.points, &sample.neighborhoods, run)?, sample.tangents.clone());
    let y = fit.unrecorded(|fit| part.lay_out(&sample.neighborhoods, &mut turned, fit))?;
    let map = UntornMap::new(&small, &turned, (&y, part.bound(dim, run)?), run)?;
    let edges = EdgeGraph::new(&small, &turned, run)?;
    let reach = edges.reach(small.points);
    let is_clear = small.length(map.turned, reach) > CLEARLY * LONG;
    let is_folded = is_clear && map.calls_for_a_tear(false) && map.is_folded(&*part, &turned, reach, run)?;
    fit.lap("judgment");
    if !is_folded {
        return Ok(None);
    }
    let most = WORTHWHILE * map.misfit;
    let cutter = Cutter { layout, surface: &surface, bound: layout.bound(dim, run)?, most, rounds: ROUNDS, steps: 1 };
    fit.attempt(|fit| {
        let mut tangents = tangents.clone();
        let torn = sample.seams_of_all(&cutter, &mut tangents, fit)?.filter(|torn| torn.misfit <= most);
        fit.lap("seams");
        let Some(torn) = torn else { return Ok(None) };
        map.tell(fit);
        fit.fact("folded", true);
        let is_seam = is_long(&surface, torn.share, reach);
        finished(layout, torn, is_seam, &mut tangents, fit).map(Some)
    })
}

/// Whether a line across which this share of the memberships lies is a seam or a fold, and not only a few shortcuts.
fn is_long(surface: &Surface<'_>, share: f64, reach: f64) -> bool {
    surface.length(share, reach) > LONG
}

/// The positions of what is left, and what is told of the tear: seams, or shortcuts.
fn finished(
    layout: &dyn Layout,
    torn: TornMap,
    is_seam: bool,
    tangents: &mut Tangents,
    fit: &mut Fit<'_>,
) -> Result<Vec<f64>> {
    let input = Input::Points(layout.points());
    let tear = Tear::new(layout.neighborhoods(), &torn.rest, |a, b| input.distance(a, b));
    let y = layout.finish(&torn.rest, tangents, torn.y, fit)?;
    fit.fact("tolerated", torn.tolerated);
    let (pairs, share) = (tear.pairs().len(), tear.share());
    if is_seam {
        fit.warn(Warning::Torn { pairs, share });
    } else {
        fit.fact("shortcuts", pairs);
        fit.fact("shortcut_share", share);
        fit.warn(Warning::Shortcuts { pairs, share });
    }
    fit.tear(Some(tear));
    Ok(y)
}

/// The map of a surface that was not torn, and how much of it does not fit.
struct UntornMap<'a> {
    surface: &'a Surface<'a>,
    /// The lower bound of R_N.
    bound: f64,
    /// The share of the extent of the neighborhoods that does not fit.
    misfit: f64,
    /// The share of the memberships that do not fit.
    unfit: f64,
    /// The share of the memberships that the map turns over; nothing where it fits.
    turned: f64,
}

impl<'a> UntornMap<'a> {
    fn new(surface: &'a Surface<'a>, tangents: &Tangents, (y, bound): (&[f64], f64), run: &Run) -> Result<Self> {
        let whole = surface.neighborhoods;
        let found = mismatch::of_map(surface, tangents, &Seams::none(whole).kept, y, run)?;
        let unfit = Seams::new(whole, &found.off, TOLERATED).share(whole);
        let turned = if may_have_folds(found.misfit, bound) { turned_share(surface, tangents, y, run)? } else { 0.0 };
        Ok(Self { surface, bound, misfit: found.misfit, unfit, turned })
    }

    /// Records how much does not fit.
    fn tell(&self, fit: &mut Fit<'_>) {
        fit.fact("misfit", self.misfit);
        fit.fact("unfit_share", self.unfit);
        fit.fact("turned_share", self.turned);
    }

    /// Whether to look for a tear.
    fn calls_for_a_tear(&self, asked: bool) -> bool {
        may_have_folds(self.misfit, self.bound) || (asked && self.unfit > 0.0)
    }

    /// Tears what does not fit, and tells whether that is a seam; unless `asked`, only where the map is `folded`, which is told,
    /// or lies flat without a few shortcuts.
    fn tear(
        &self,
        layout: &dyn Layout,
        tangents: &mut Tangents,
        asked: bool,
        folded: &mut bool,
        fit: &mut Fit<'_>,
    ) -> Result<Option<(TornMap, bool)>> {
        let (surface, run) = (self.surface, fit.run());
        let graph = EdgeGraph::new(surface, tangents, run)?;
        let reach = graph.reach(surface.points);
        let is_long = |share: f64| is_long(surface, share, reach);
        *folded = self.is_folded(layout, tangents, reach, run)?;
        let most = if asked { f64::INFINITY } else { WORTHWHILE * self.misfit };
        let cutter = Cutter { layout, surface, bound: self.bound, most, rounds: ROUNDS, steps: 1 };
        let torn = if *folded {
            torn_by_sample(&cutter, &graph, tangents, fit)?
        } else {
            let root = graph.roots(1).next().unwrap_or(0);
            let off = graph.tree(surface, root, tangents, run)?;
            let seams = Seams::new(surface.neighborhoods, &off, TOLERATED);
            let share = seams.share(surface.neighborhoods);
            if !asked && (share > MOST_AT_FIRST || is_long(share / MOST_RESTORED)) {
                return Ok(None);
            }
            cutter.stages(seams, tangents, fit)?
        };
        let worthwhile = |torn: &TornMap| torn.misfit <= most && (asked || *folded || !is_long(torn.share));
        Ok(torn.filter(worthwhile).map(|torn| {
            let is_seam = asked || is_long(torn.share);
            (torn, is_seam)
        }))
    }

    /// Whether the map of a surface that reaches so far from its middle has folds, and the projection onto the principal
    /// axes too: else those of the map come from frames that were not aligned well, and a refinement from there takes them
    /// out.
    fn is_folded(&self, layout: &dyn Layout, tangents: &Tangents, reach: f64, run: &Run) -> Result<bool> {
        let is_long = |share: f64| is_long(self.surface, share, reach);
        if !is_long(self.turned) {
            return Ok(false);
        }
        let Some(flat) = layout.projection(tangents.dim(), run)? else { return Ok(true) };
        Ok(is_long(turned_share(self.surface, tangents, flat.values(), run)?))
    }
}
