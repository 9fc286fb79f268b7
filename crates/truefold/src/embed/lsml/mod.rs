//! Locally smooth manifold learning (LSML): a smooth field of tangent bases, learned for the whole surface, then one linear
//! system.
//!
//! 1. H(x) = sum_l f_l(x) Theta_l, a q x d basis at every place x, linear in p features f (`features.rs`).
//! 2. Theta and coordinates e_ij that make E, the mean over pairs of neighbors of (|H(x_ij) e_ij - (x_j - x_i)|^2 + a |e_ij|^2) / u
//!    and b |H(x_i) - H(x_ij)|^2, plus m |Theta|^2 / p, small, each in turn (`learning.rs`); x_ij is the middle of the pair, u
//!    the mean square distance of a pair.
//! 3. d_ij = H(x_ij)^+ (x_j - x_i), H made orthonormal, and Y the least of sum_i |H_i (Y - D_i)|^2: a Laplacian system.
//!
//! Dollar, Rabaud and Belongie, "Learning to traverse image manifolds" (NIPS 2006), sections 2 and 3, and "Non-isometric manifold
//! learning" (ICML 2007), sections 3 to 5. Smoothness over the whole surface ties together what local PCA finds at each point
//! alone, so noise in single tangents averages out. Cost: O(n k (log p + s q d)) for s features at a place, a Laplacian solve,
//! and the learning, which is free of n: O(p) pairs, each O((s d)^2), and a sparse system of p d unknowns a step. When it
//! fails: where sheets are nearer to each other than features reach, and on surfaces without a flat map, where E stays large.
//!
//! Differs from the paper: Theta starts from aligned local PCA, not at random several times; features are local and sum to one;
//! a step that balances the size of H against that of e takes the place of orthonormal bases, which are made at the end, so that
//! E never rises; D_i holds the d_ij of all members of a neighborhood, and not single pairs; beyond [`MOST_AXES`] dimensions
//! the points are replaced by their first principal coordinates.

mod bases;
mod features;
mod learning;
#[cfg(test)]
mod tests;

use super::pose::set_upright;
use super::psa::Psa;
use super::renumbered::renumbered;
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::error::{Advice, Bound, Name};
use crate::frames::Tangents;
use crate::graph::Links;
use crate::laplacian::{LaplacianSolver, Strategy, Weights};
use crate::linalg::{Polar, dot};
use crate::spectral::principal_axes;
use crate::warning::{Deficient, Warning};
use crate::{Error, Fit, Neighborhoods, Points, Problem, Result, Run};
use bases::Bases;
use features::Centers;
use learning::Learning;
use serde::{Deserialize, Serialize};

/// The most coordinates in which bases are learned.
const MOST_AXES: usize = 50;

/// The most unknowns per coordinate, p d, unless p is given.
const UNKNOWNS: usize = 1000;

/// The most features, times d, that may be asked for: the learning keeps nine tables of the square of this.
const MOST_UNKNOWNS: usize = 4000;

/// Points per feature, unless p is given.
const POINTS_PER_FEATURE: usize = 8;

/// The residual wanted of the positions.
const TOLERANCE: f64 = 1e-8;

/// Points whose pairs are placed at a time.
const BLOCK: usize = 4096;

/// Locally smooth manifold learning.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Lsml, fit, measure};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run)?;
/// let embedding = fit(&Lsml::default(), &Problem::new(&curve.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_n = &measure::evaluate(&curve.points, &embedding.points, &neighborhoods, &["r_n"])?[0];
/// assert!(r_n.times_bound().is_some_and(|times| times < 1.1));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lsml {
    /// The number of features; none chooses an eighth of the points, up to 1000 / d.
    pub features: Option<usize>,
    /// b, how much smoothness counts.
    pub smoothness: f64,
    /// a, how much the size of coordinates counts.
    pub shrinkage: f64,
    /// The most steps.
    pub iterations: usize,
    /// The learning ends when a step lowers E by less than this share of it.
    pub tolerance: f64,
}

impl Default for Lsml {
    fn default() -> Self {
        Self { features: None, smoothness: 4.0, shrinkage: 1e-3, iterations: 60, tolerance: 1e-4 }
    }
}

impl Recipe for Lsml {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "lsml",
        title: "Locally smooth manifold learning",
        summary: "learns a smooth field of tangent bases for the whole surface, and lays the points out by it",
        metric_scale: true,
        graph: GraphUse::Components,
        default: false,
        cost: "time n k q d and a Laplacian solve; the learning is free of n; memory n k d",
        parameters: &[
            ParameterInfo::new(
                "features",
                &[Values::Whole(1, usize::MAX), Values::Null],
                "the number of features, of which the bases are made; null chooses an eighth of the points, up to 1000 / d",
            ),
            ParameterInfo::new("smoothness", &[Values::Above(0.0)], "how much it counts that bases change slowly"),
            ParameterInfo::new(
                "shrinkage",
                &[Values::Above(0.0)],
                "how much it counts that local coordinates are small",
            ),
            ParameterInfo::new("iterations", &[Values::Whole(0, usize::MAX)], "the most steps of the learning"),
            ParameterInfo::new(
                "tolerance",
                &[Values::FromBelow(0.0, 1.0)],
                "the learning ends when a step lowers its error by less than this share",
            ),
        ],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let most = (MOST_UNKNOWNS / problem.dim()).max(1).min(coordinates(problem)?.len());
        match self.features {
            Some(given) if given > most => {
                let advice = Advice::change(Name::setting("features"), "choose fewer, or leave it out");
                Err(Error::parameter(Name::setting("features"), given, Bound::AtMost(most as f64), advice))
            }
            _ => Ok(()),
        }
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        renumbered(problem, fit, |problem, fit| {
            let (points, dim, run) = (coordinates(problem)?, problem.dim(), fit.run());
            let (points, unit) = prepared(points, dim, fit)?;
            let neighborhoods = problem.neighborhoods();
            let solver = LaplacianSolver::new(neighborhoods, Weights::Uniform, Strategy::Auto, run.seed(), run)?;
            fit.lap("factor");
            let tangents = aligned(&points, neighborhoods, &solver, dim, fit)?;
            let most = UNKNOWNS.div_ceil(dim).max(20);
            let wanted = self.features.unwrap_or((points.len() / POINTS_PER_FEATURE).min(most)).clamp(1, points.len());
            let centers = Centers::spread(&points, wanted, dim)?;
            fit.fact("features", centers.len());
            let learning = Learning::new(self, &points, neighborhoods, &centers, run)?;
            let mut bases = learning.start(&tangents)?;
            drop(tangents);
            fit.lap("start");
            let (trace, stop) = learning.learn(&mut bases, run)?;
            fit.fact("learning_steps", trace.len() - 1);
            fit.trace("error of the bases", trace);
            fit.ended(stop);
            fit.lap("learning");
            let steps = displacements(&points, neighborhoods, &centers, &bases, run)?;
            let rows = |index: usize, rows: &mut [f64]| {
                let places = neighborhoods.places(index);
                rows.copy_from_slice(&steps[places.start * dim..places.end * dim]);
            };
            let sides = solver.right_hand_side(dim, rows, run)?;
            let solved = solver.solve(&sides, dim, None, TOLERANCE, run)?;
            fit.fact("solve_residual", solved.residual);
            fit.lap("solve");
            let mut y = solved.values;
            y.iter_mut().for_each(|value| *value *= unit);
            set_upright(&mut y, dim);
            Ok(y)
        })
    }
}

/// The coordinates, without which there are no bases to learn.
fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "lsml learns tangents in the space of the data, and distances alone have none",
        "give the points, or use gp",
    )
}

/// The points in a unit in which no square leaves the range of numbers, along their principal axes where they have many
/// coordinates; and that unit.
fn prepared(points: &Points, dim: usize, fit: &mut Fit<'_>) -> Result<(Points, f64)> {
    let most = MOST_AXES.max(2 * dim);
    let (mut values, width) = if points.dim().min(points.len()) > most {
        let found = principal_axes(points, most, fit.run())?;
        fit.fact("share_of_variance", found.share());
        (found.values, most)
    } else {
        (points.rows_in(0..points.len(), &mut Vec::new()).to_vec(), points.dim())
    };
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    // A power of two, so that nothing is rounded.
    let unit = if largest > 0.0 { 2.0_f64.powi(largest.log2().round().clamp(-1000.0, 1000.0) as i32) } else { 1.0 };
    values.iter_mut().for_each(|value| *value /= unit);
    fit.lap("axes");
    Ok((Points::new(points.len(), width, values)?, unit))
}

/// Tangents by local PCA, turned until neighbors agree.
fn aligned(
    points: &Points,
    neighborhoods: &Neighborhoods,
    solver: &LaplacianSolver<'_>,
    dim: usize,
    fit: &mut Fit<'_>,
) -> Result<Tangents> {
    let run = fit.run();
    let mut tangents = Tangents::new(points, neighborhoods, dim, run)?;
    let deficient = tangents.deficient();
    if deficient > 0 {
        fit.warn(Warning::RankDeficient { of: Deficient::Frames, deficient, all: points.len(), wanted: dim });
    }
    let links = Links::new(neighborhoods, run)?;
    Psa::default().aligner().align(&mut tangents, links, solver, fit)?;
    fit.lap("align");
    Ok(tangents)
}

/// For each member of each neighborhood its coordinates about the center, by the basis halfway between them.
fn displacements(
    points: &Points,
    neighborhoods: &Neighborhoods,
    centers: &Centers,
    bases: &Bases,
    run: &Run,
) -> Result<Vec<f64>> {
    let (width, dim) = (points.dim(), bases.dim);
    let mut steps = vec![0.0; neighborhoods.memberships() * dim];
    for start in (0..points.len()).step_by(BLOCK) {
        run.check()?;
        let block = start..(start + BLOCK).min(points.len());
        let first = neighborhoods.places(start).start;
        let pairs: Vec<(u32, u32)> = block
            .flat_map(|index| neighborhoods.members(index).iter().map(move |&member| (index as u32, member)))
            .collect();
        let features = centers.features(&middles(points, &pairs)?, run)?;
        let out = &mut steps[first * dim..][..pairs.len() * dim];
        run.quiet().chunks_into("displacements", (out, dim), 256, |range, out| {
            let (mut basis, mut polar, mut away) = (vec![0.0; width * dim], Polar::default(), vec![0.0; width]);
            for (pair, step) in range.zip(out.chunks_exact_mut(dim)) {
                let (from, to) = pairs[pair];
                if from == to {
                    continue;
                }
                bases.at(features.of(pair), &mut basis);
                polar.decompose(&basis, width, dim);
                points.difference(to as usize, from as usize, &mut away);
                for (value, axis) in step.iter_mut().zip(polar.factor().chunks_exact(width)) {
                    *value = dot(axis, &away);
                }
            }
            Ok(())
        })?;
    }
    Ok(steps)
}

/// The places halfway between the points of pairs.
fn middles(points: &Points, pairs: &[(u32, u32)]) -> Result<Points> {
    let mut values = Vec::with_capacity(pairs.len() * points.dim());
    for &(from, to) in pairs {
        let ends = points.row(from as usize).iter().zip(points.row(to as usize));
        values.extend(ends.map(|(from, to)| 0.5 * (from + to)));
    }
    Points::new(pairs.len(), points.dim(), values)
}
