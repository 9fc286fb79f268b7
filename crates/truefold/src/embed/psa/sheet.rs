//! What is laid out: the points and neighborhoods as given or, where there is noise, the graph and the frames of the
//! points without it.
//!
//! Noise has three effects: frames of few points are wrong, points between two sheets are neighbors of both, and
//! displacements along the surface are slightly wrong. The first two ruin a map, and [`Denoise`] removes them from the
//! frames and the graph. The third cannot be undone, so displacements stay as they were measured.

use super::super::pca;
use super::super::refinement::{Refining, least_r_n};
use super::{Denoising, Psa, TangentK};
use crate::data::Input;
use crate::denoise::put_between;
use crate::frames::{Tangents, local_coordinates, objective};
use crate::graph::Links;
use crate::laplacian::{LaplacianSolver, Weights};
use crate::local::Charts;
use crate::refine::Target;
use crate::suggest::tangent_size;
use crate::tear::{Layout, shortcuts};
use crate::warning::Warning;
use crate::{Denoise, Fit, Neighborhoods, Points, Problem, Refine, Result, Run};

/// The residual wanted of the positions: so small a share of what frames of neighbors differ by, between two limits. What
/// the frames cannot agree on is left in R_N, beside which the residual does not show.
const SHARE: f64 = 1e-3;
const STRICT: f64 = 1e-9;
const LOOSE: f64 = 1e-5;

/// The share of R_N that a step must gain in a map that was torn, unless another one is asked for: where R_N is below its
/// goal, and where it is not.
const NEAR_TOLERANCE: f64 = 5e-3;
const FAR_TOLERANCE: f64 = 3e-3;

/// Points, and the graph by which they are laid out.
pub(super) struct Sheet<'a> {
    psa: &'a Psa,
    /// The points as they were measured, which give the displacements.
    pub(super) measured: &'a Points,
    given: &'a Neighborhoods,
    /// What is without noise, where noise was removed.
    clean: Option<Clean>,
}

/// The points without noise.
struct Clean {
    points: Points,
    graph: Neighborhoods,
    /// The neighbors of each point as measured, from which noise was removed.
    around: Neighborhoods,
    /// The deviation of the noise.
    noise: f64,
}

impl Sheet<'_> {
    /// Whether noise was removed.
    pub(super) fn is_denoised(&self) -> bool {
        self.clean.is_some()
    }

    /// Where noise was removed, names the shortcuts of the map `y`, and moves points between two sheets.
    ///
    /// The links of a point that was moved lead far to either sheet and are left out of what the map keeps together, but only
    /// those that were far before are shortcuts.
    pub(super) fn settle(&self, y: &mut [f64], fit: &mut Fit<'_>) -> Result<()> {
        let Some(Clean { points, around, noise, .. }) = &self.clean else { return Ok(()) };
        // In a torn map the two sides of a seam are far apart too, and a point beside it lies between no sheets.
        let torn = fit.torn().is_some();
        shortcuts::record(self.measured, self.given, y, fit)?;
        if torn {
            return Ok(());
        }
        let between = put_between(self.measured, points, around, *noise, y, fit.run())?;
        fit.fact("between_sheets", between);
        if between > 0 {
            shortcuts::tear_stretched(self.measured, self.given, y, fit)?;
        }
        fit.lap("between");
        Ok(())
    }

    /// Aligns the frames and solves for the positions; where frames that a tree carried differ by more than small angles,
    /// which takes longest, `torn` is asked first whether there is a tear to make.
    pub(super) fn lay_out_or(
        &self,
        rest: &Neighborhoods,
        tangents: &mut Tangents,
        fit: &mut Fit<'_>,
        torn: impl FnOnce(&Tangents, &mut Fit<'_>) -> Result<Option<Vec<f64>>>,
    ) -> Result<Laid> {
        let (run, aligner) = (fit.run(), self.psa.aligner());
        let links = Links::new(rest, run)?;
        fit.lap("links");
        let angles = aligner.carried(tangents, &links, run)?;
        fit.lap("carry");
        if angles.is_none()
            && let Some(torn) = torn(tangents, fit)?
        {
            return Ok(Laid::Torn(torn));
        }
        let solver = LaplacianSolver::new(rest, Weights::Uniform, self.psa.solver, run.seed(), run)?;
        fit.lap("factor");
        match angles {
            Some(angles) => aligner.align_angles(tangents, &angles, &solver, fit)?,
            None => aligner.align_carried(tangents, links, &solver, fit)?,
        }
        fit.lap("align");
        self.positions(rest, tangents, &solver, fit).map(Laid::Whole)
    }

    /// The points as they are, with frames that are known.
    pub(super) fn plain<'a>(psa: &'a Psa, measured: &'a Points, given: &'a Neighborhoods) -> Sheet<'a> {
        Sheet { psa, measured, given, clean: None }
    }

    /// The positions that agree best with frames that are aligned already.
    pub(super) fn placed(&self, rest: &Neighborhoods, tangents: &Tangents, fit: &mut Fit<'_>) -> Result<Points> {
        let run = fit.run();
        let solver = LaplacianSolver::new(rest, Weights::Uniform, self.psa.solver, run.seed(), run)?;
        fit.lap("factor");
        self.start(self.positions(rest, tangents, &solver, fit)?)
    }

    /// The positions that agree best with aligned frames.
    fn positions(
        &self,
        rest: &Neighborhoods,
        tangents: &Tangents,
        solver: &LaplacianSolver<'_>,
        fit: &mut Fit<'_>,
    ) -> Result<Vec<f64>> {
        let run = fit.run();
        let f = objective(tangents, rest, run)?;
        fit.fact("f", f);
        let per_edge = f / (rest.memberships() - rest.len()).max(1) as f64;
        fit.fact("f_per_edge", per_edge);
        fit.lap("objective");
        let local = |index: usize, rows: &mut [f64]| {
            local_coordinates(self.measured, rest.members(index), tangents, index, rows);
        };
        let sides = solver.right_hand_side(tangents.dim(), local, run)?;
        fit.lap("coordinates");
        let tolerance = (SHARE * per_edge.sqrt()).clamp(STRICT, LOOSE);
        let solved = solver.solve(&sides, tangents.dim(), None, tolerance, run)?;
        fit.fact("solve_steps", solved.iterations);
        fit.fact("solve_residual", solved.residual);
        fit.lap("solve");
        Ok(solved.values)
    }

    /// The refinement that follows, if there is one.
    pub(super) fn refinement(&self) -> Option<Refine> {
        self.psa.refinement(self.is_denoised())
    }

    /// The measured points with coordinates as a start of a refinement.
    pub(super) fn start(&self, y: Vec<f64>) -> Result<Points> {
        Points::new(self.measured.len(), y.len() / self.measured.len(), y)
    }
}

/// What came of laying out a surface.
pub(super) enum Laid {
    /// The map of the whole.
    Whole(Vec<f64>),
    /// That of what is left after a tear.
    Torn(Vec<f64>),
}

impl Laid {
    fn into_values(self) -> Vec<f64> {
        match self {
            Self::Whole(values) | Self::Torn(values) => values,
        }
    }
}

impl Layout for Sheet<'_> {
    fn points(&self) -> &Points {
        self.clean.as_ref().map_or(self.measured, |clean| &clean.points)
    }

    fn neighborhoods(&self) -> &Neighborhoods {
        self.clean.as_ref().map_or(self.given, |clean| &clean.graph)
    }

    fn lay_out(&self, rest: &Neighborhoods, tangents: &mut Tangents, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        self.lay_out_or(rest, tangents, fit, |_, _| Ok(None)).map(Laid::into_values)
    }

    fn improve(&self, rest: &Neighborhoods, y: Vec<f64>, steps: usize, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        // Steps of refinement are enough to find the seams, and cheaper than aligning all frames again.
        // Whatever is refined in the end, seams are found by R_N.
        let refine = Refine { target: Target::RN, solver: self.psa.solver, iterations: steps, ..Refine::default() };
        let charts = Charts::new(Input::Points(self.points()), rest, fit.run())?;
        let refined = refine.improve_charts(&charts, self.start(y)?, fit.run())?;
        fit.lap("rounds");
        Ok(refined.values)
    }

    fn bound(&self, dim: usize, run: &Run) -> Result<f64> {
        least_r_n(&Input::Points(self.points()), self.neighborhoods(), dim, run)
    }

    fn of_part<'a>(&'a self, points: &'a Points, neighborhoods: &'a Neighborhoods) -> Box<dyn Layout + 'a> {
        Box::new(Sheet { psa: self.psa, measured: points, given: neighborhoods, clean: None })
    }

    fn projection(&self, dim: usize, run: &Run) -> Result<Option<Points>> {
        pca::projected(&Input::Points(self.points()), dim, run)
    }

    fn goal(&self) -> f64 {
        self.psa.tear_goal
    }

    fn finish(
        &self,
        rest: &Neighborhoods,
        tangents: &mut Tangents,
        y: Vec<f64>,
        fit: &mut Fit<'_>,
    ) -> Result<Vec<f64>> {
        let Some(refine) = self.refinement() else { return self.lay_out(rest, tangents, fit) };
        let charts = Charts::new(Input::Points(self.measured), rest, fit.run())?;
        let start = self.start(y)?;
        let (refining, value) = Refining::judge(&refine, &charts, &start, fit)?;
        if refine.tolerance != Refine::default().tolerance {
            return refining.go_on(start, value, fit);
        }
        // Strain that is left beside the seams goes slowly, and is a share of the goal.
        let tolerance = if refining.is_within(value, self.goal()) { NEAR_TOLERANCE } else { FAR_TOLERANCE };
        refining.in_short(&Refine { tolerance, ..refine.clone() }).go_on(start, value, fit)
    }
}

/// From how many neighbors frames are estimated, and how often noise is removed.
struct Preparation {
    /// The number of neighbors; nothing for those of the graph.
    tangent_k: Option<usize>,
    /// Rounds of denoising.
    rounds: usize,
}

impl Psa {
    /// Looks for noise where that is left to the data, removes it, and estimates the frames.
    pub(super) fn sheet<'a>(
        &'a self,
        points: &'a Points,
        problem: &Problem<'a>,
        fit: &mut Fit<'_>,
    ) -> Result<(Sheet<'a>, Tangents)> {
        let (given, dim, run) = (problem.neighborhoods(), problem.dim(), fit.run());
        let chosen = self.preparation(points, problem, fit)?;
        fit.lap("noise");
        let most = points.len() - 1;
        let size = chosen.tangent_k.map(|size| size.min(most));
        let sheet = Sheet { psa: self, measured: points, given, clean: None };
        if chosen.rounds == 0 {
            let tangents = match size {
                None => Tangents::new(points, given, dim, run)?,
                Some(size) => Tangents::new(points, &Neighborhoods::nearest(points, size, run)?, dim, run)?,
            };
            fit.lap("tangents");
            return Ok((sheet, tangents));
        }
        let denoise = Denoise { dim, neighbors: size.map(|size| size.max(dim + 2)), rounds: chosen.rounds };
        let denoised = denoise.run(points, run)?;
        fit.lap("denoise");
        let clean = denoised.points;
        // Without noise tangents need fewer neighbors, and then follow the curvature better.
        let wider = (denoised.neighbors / 2).max(given.usual_k()).min(most);
        let tangents = Tangents::new(&clean, &Neighborhoods::nearest(&clean, wider, run)?, dim, run)?;
        fit.lap("tangents");
        let joined = shortcuts::joined(&clean, &tangents, given, run)?;
        fit.lap("graph");
        fit.fact("denoise_rounds", denoised.rounds);
        fit.fact("noise", denoised.noise);
        fit.fact("links_cut", joined.cut);
        fit.fact("bridges", joined.bridges);
        if self.denoise == Denoising::Auto {
            fit.warn(Warning::Noisy { deviation: denoised.noise, neighbors: denoised.neighbors });
        }
        let (graph, around, noise) = (joined.neighborhoods, denoised.around, denoised.noise);
        Ok((Sheet { clean: Some(Clean { points: clean, graph, around, noise }), ..sheet }, tangents))
    }

    /// What was asked for or, where that is left open, what the data need.
    fn preparation(&self, points: &Points, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Preparation> {
        let asked = match self.denoise {
            Denoising::Auto => None,
            Denoising::Rounds(rounds) => Some(rounds),
        };
        let tangent_k = match self.tangent_k {
            TangentK::Graph => None,
            TangentK::Nearest(size) => Some(size),
            TangentK::Auto => {
                let k = problem.neighborhoods().usual_k();
                let Some(found) = tangent_size(points, problem.dim(), k, fit.run())? else {
                    return Ok(Preparation { tangent_k: None, rounds: asked.unwrap_or(0) });
                };
                fit.fact("tangent_k", found.size);
                fit.fact("tangent_k_reason", found.reason.to_string());
                let unasked = if found.noisy { Denoise::default().rounds } else { 0 };
                let tangent_k = found.noisy.then_some(found.size);
                return Ok(Preparation { tangent_k, rounds: asked.unwrap_or(unasked) });
            }
        };
        Ok(Preparation { tangent_k, rounds: asked.unwrap_or(0) })
    }
}
