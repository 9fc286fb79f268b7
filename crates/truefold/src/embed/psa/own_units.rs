//! Surfaces whose coordinates have very different units: looked at in units of their own, then mapped in the given ones.
//!
//! Where one coordinate is many times as long as the others, the nearest points lie on all sides of a surface: there is no
//! telling from them whether it closes on itself. In its own units (`tear/units.rs`) it is mapped as any other, torn or whole.
//! With s the points in these units, x = D s, and A_i the Procrustes rotation that puts neighborhood i into this map:
//!
//! 1. A pair of the given neighborhoods is left out that lies much farther apart in the map than in s: seams, and links from
//!    one side to the other. So is one that is much longer along its tangents, |D A_i A_i'(s_j - s_i)|, than in x: it leads
//!    across an edge that is sharp in x.
//! 2. The polar factor of D A_i is the frame of the tangents in x that is turned as the map is. The positions that agree best
//!    with these frames are the start: (sum_i H_i) Y = sum_i H_i X F_i, over the neighborhoods in own units. Where the
//!    surface bends everywhere, this does not lie flat; then links across edges stay, and the start is over what is left if
//!    its R_N is lower.
//! 3. A refinement over what is left follows. It finds nothing folded. Where the surface was to be whole and this is far from
//!    its bound, the given units decide: what is nearly flat in own units may be a deep cup in the given ones.
//!
//! Cost: that of a map, twice. When it fails: where so few of the given neighbors are left that they do not span the surface,
//! lengths across it are not measured.

use super::sheet::Sheet;
use super::{Psa, Tearing};
use crate::data::Input;
use crate::embed::refinement::Refining;
use crate::frames::Tangents;
use crate::linalg::{Polar, add_scaled, distance, dot, square};
use crate::local::{Charts, Rotation};
use crate::tear::shortcuts::{self, STRETCHED};
use crate::tear::{OwnUnits, may_be_torn, radii};
use crate::warning::{Deficient, Warning};
use crate::{Error, Fit, Neighborhoods, Points, Problem, Result, Run, Tear};

/// R_N up to which the start lies flat without what leads across edges: it does where the surface bends along lines alone.
const FLAT: f64 = 0.1;

impl Psa {
    /// The map by way of the data's own units; nothing where the given ones serve as well.
    pub(super) fn in_own_units(
        &self,
        points: &Points,
        problem: &Problem<'_>,
        fit: &mut Fit<'_>,
    ) -> Result<Option<Vec<f64>>> {
        let (given, dim, run) = (problem.neighborhoods(), problem.dim(), fit.run());
        if self.tear == Tearing::Never || shortcuts::searched(given).is_none() {
            return Ok(None);
        }
        let units = OwnUnits::of(points, dim, run)?;
        fit.lap("units");
        let Some(units) = units else { return Ok(None) };
        // Numbers far beyond those of the sample may have no place in its units.
        let Ok(scaled) = units.scaled(points) else { return Ok(None) };
        let own = self.own_map(&scaled, given, dim, run)?;
        fit.lap("map in own units");
        let Some(own) = own else { return Ok(None) };
        let Some((y, rest)) = self.mapped(points, given, (&own, units.lengths()), fit)? else { return Ok(None) };
        fit.fact("own_units", units.lengths().to_vec());
        fit.warn(Warning::UnlikeUnits { coordinate: units.longest() + 1, times: units.times() });
        fit.fact("rank_deficient", own.deficient);
        if own.deficient > 0 {
            let (deficient, all) = (own.deficient, points.len());
            fit.warn(Warning::RankDeficient { of: Deficient::Frames, deficient, all, wanted: dim });
        }
        let input = Input::Points(points);
        let tear = Tear::new(given, &rest, |a, b| input.distance(a, b));
        let (pairs, share) = (tear.pairs().len(), tear.share());
        if own.is_torn && pairs > 0 {
            fit.warn(Warning::Torn { pairs, share });
        } else if pairs > 0 {
            fit.fact("shortcuts", pairs);
            fit.fact("shortcut_share", share);
            fit.warn(Warning::Shortcuts { pairs, share });
        }
        fit.tear((pairs > 0).then_some(tear));
        Ok(Some(y))
    }

    /// The map of points in their own units; nothing where these do not lie on one surface.
    fn own_map<'a>(
        &self,
        scaled: &'a Points,
        given: &Neighborhoods,
        dim: usize,
        run: &Run,
    ) -> Result<Option<OwnMap<'a>>> {
        let Some(found) = shortcuts::searched_again(scaled, given, run)? else { return Ok(None) };
        let lists = given.in_same_order(found);
        if lists.components().count() > 1 {
            return Ok(None);
        }
        let (problem, mut fit) = (Problem::new(scaled, &lists, dim)?, Fit::new(run));
        let (sheet, tangents) = match self.sheet(scaled, &problem, &mut fit) {
            Err(Error::RankDeficient { .. }) => return Ok(None),
            found => found?,
        };
        if sheet.is_denoised() || !may_be_torn(&sheet, &tangents, self.tear, run)? {
            return Ok(None);
        }
        let deficient = tangents.deficient();
        let y = self.embed_sheet(&sheet, tangents, &mut fit)?;
        let is_torn = fit.torn().is_some() && !fit.facts().contains_key("shortcuts");
        let rest = fit.torn().map(|torn| torn.rest(&lists));
        let radii = radii(scaled, &lists, run)?;
        let (rest, rotations) = (rest.unwrap_or(lists), Vec::new());
        let mut own = OwnMap { scaled, y, dim, is_torn, deficient, radii, rest, rotations };
        own.rotations = own.rotations(run)?;
        Ok(Some(own))
    }

    /// The map of the points, and what is left of the given neighborhoods; nothing where no map of the whole comes near its bound.
    fn mapped(
        &self,
        points: &Points,
        given: &Neighborhoods,
        (own, lengths): (&OwnMap<'_>, &[f64]),
        fit: &mut Fit<'_>,
    ) -> Result<Option<(Vec<f64>, Neighborhoods)>> {
        let run = fit.run();
        let frames = own.frames(lengths, run)?;
        let near = own.near(given);
        let smooth = own.smooth(points, (given, &near), lengths, run)?;
        fit.lap("links");
        let sheet = Sheet::plain(self, points, given);
        // Along the surface an edge is nothing, while the given neighborhoods do not see around it.
        let start = sheet.placed(&own.rest, &frames, fit)?;
        let Some(refine) = sheet.refinement() else { return Ok(Some((start.into_values(), smooth))) };
        // A pair that holds the rest together is told as torn all the same: the map in own units puts it far apart.
        let all = shortcuts::held_together(&smooth, &own.rest);
        let charts = Charts::new(Input::Points(points), &all, run)?;
        let (refining, value) = Refining::judge(&refine, &charts, &start, fit)?;
        if value <= FLAT {
            let y = refining.go_on(start, value, fit)?;
            return Ok(self.looked_back(&refining, y, own, fit)?.map(|y| (y, smooth)));
        }
        // Where a surface bends everywhere, what is long along tangents need not be long along the surface.
        let all = shortcuts::held_together(&near, &own.rest);
        let charts = Charts::new(Input::Points(points), &all, run)?;
        let other = sheet.placed(&all, &frames, fit)?;
        let (refining, y) = Refining::begin_with_lower(&refine, &charts, start, Some(other), fit)?;
        Ok(self.looked_back(&refining, y, own, fit)?.map(|y| (y, near)))
    }

    /// The map `y`, with a word where it lies on itself; nothing where it is to be whole and is far from its bound: what is flat
    /// enough in its own units need not be so in the given ones, as a shallow bowl becomes a deep cup.
    fn looked_back(
        &self,
        refining: &Refining<'_>,
        y: Vec<f64>,
        own: &OwnMap<'_>,
        fit: &mut Fit<'_>,
    ) -> Result<Option<Vec<f64>>> {
        if !own.is_torn && refining.far_above(&y, fit.run())?.is_some() {
            return Ok(None);
        }
        refining.look_back(&y, fit)?;
        Ok(Some(y))
    }
}

/// The map of points in their own units.
struct OwnMap<'a> {
    scaled: &'a Points,
    y: Vec<f64>,
    dim: usize,
    /// Whether the surface was torn, and not only freed of shortcuts.
    is_torn: bool,
    /// Frames of too few directions.
    deficient: usize,
    /// The root mean square distance from each point to its neighbors.
    radii: Vec<f64>,
    /// What is left of the neighborhoods.
    rest: Neighborhoods,
    /// A_i for all points, column by column.
    rotations: Vec<f64>,
}

impl OwnMap<'_> {
    fn place(&self, row: usize) -> &[f64] {
        &self.y[row * self.dim..][..self.dim]
    }

    /// The Procrustes rotations that put neighborhoods into the map.
    fn rotations(&self, run: &Run) -> Result<Vec<f64>> {
        let (rows, dim) = (self.scaled.dim(), self.dim);
        let parts = run.chunks("frames", self.rest.len(), 512, |range| {
            let (mut rotation, mut offset) = (Rotation::default(), vec![0.0; rows]);
            let mut rotations = Vec::with_capacity(range.len() * rows * dim);
            for center in range {
                let members = self.rest.members(center);
                let mean = |axis: usize| {
                    members.iter().map(|&member| self.place(member as usize)[axis]).sum::<f64>() / members.len() as f64
                };
                let mean: Vec<f64> = (0..dim).map(mean).collect();
                rotation.begin(rows, dim);
                for &member in members {
                    // As places are centered, rows need not be.
                    self.scaled.difference(member as usize, center, &mut offset);
                    let place = self.place(member as usize).iter().zip(&mean).map(|(place, mean)| place - mean);
                    rotation.add_member(&offset, place);
                }
                rotation.decompose();
                rotations.extend_from_slice(rotation.matrix());
            }
            Ok(rotations)
        })?;
        Ok(parts.concat())
    }

    /// The columns of A_i.
    fn axes(&self, index: usize) -> std::slice::ChunksExact<'_, f64> {
        let rows = self.scaled.dim();
        self.rotations[index * rows * self.dim..][..rows * self.dim].chunks_exact(rows)
    }

    /// The polar factors of D A_i, where D are these `lengths`.
    fn frames(&self, lengths: &[f64], run: &Run) -> Result<Tangents> {
        let rows = self.scaled.dim();
        let parts = run.chunks("frames", self.rest.len(), 512, |range| {
            let (mut polar, mut span, mut frames) = (Polar::default(), Vec::new(), Vec::new());
            for index in range {
                span.clear();
                span.extend(
                    self.axes(index).flat_map(|axis| axis.iter().zip(lengths).map(|(cell, length)| cell * length)),
                );
                polar.decompose(&span, rows, self.dim);
                frames.extend_from_slice(polar.factor());
            }
            Ok(frames)
        })?;
        Ok(Tangents::of_values(rows, self.dim, parts.concat()))
    }

    /// The pairs of the given neighborhoods that the map keeps together.
    fn near(&self, given: &Neighborhoods) -> Neighborhoods {
        let own = Input::Points(self.scaled);
        given.filtered(|_, a, b| {
            let (a, b) = (a as usize, b as usize);
            let usual = own.distance(a, b).max(self.radii[a]).max(self.radii[b]);
            // Copies of a point have no radius, and nothing to tear.
            usual == 0.0 || distance(self.place(a), self.place(b)) <= STRETCHED * usual
        })
    }

    /// Those of them that do not lead across an edge of `points`, which are in units of these `lengths`.
    fn smooth(
        &self,
        points: &Points,
        (given, near): (&Neighborhoods, &Neighborhoods),
        lengths: &[f64],
        run: &Run,
    ) -> Result<Neighborhoods> {
        let (radii, input) = (radii(points, given, run)?, Input::Points(points));
        Ok(near.filtered(|_, a, b| {
            let (a, b) = (a as usize, b as usize);
            let along = 0.5 * (self.along(a, (a, b), lengths) + self.along(b, (a, b), lengths));
            along <= STRETCHED * input.distance(a, b).max(radii[a]).max(radii[b])
        }))
    }

    /// How long the way between two points is along the tangents at a point, in units of these `lengths`.
    fn along(&self, at: usize, (a, b): (usize, usize), lengths: &[f64]) -> f64 {
        let (mut offset, mut along) = (vec![0.0; lengths.len()], vec![0.0; lengths.len()]);
        self.scaled.difference(b, a, &mut offset);
        self.axes(at).for_each(|axis| add_scaled(&mut along, dot(axis, &offset), axis));
        along.iter_mut().zip(lengths).for_each(|(along, length)| *along *= length);
        square(&along).sqrt()
    }
}
