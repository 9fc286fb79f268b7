//! Procrustes subspaces alignment (PSA): local PCA frames, turned until neighbors agree, then one linear system.
//!
//! 1. Frames P_i, q x d, by local PCA of each neighborhood.
//! 2. Rotations O_i so that A_i = P_i O_i make f = sum_i sum_(j in Neighbors(i)) |A_i - A_j|^2 small.
//! 3. Y from (sum_i H_i) Y = sum_i H_i X A_i, refined, turned onto its principal axes.
//!
//! X are the n points in q dimensions, d the dimension of the embedding, H_i the centering matrix of neighborhood i.
//! Goldberg and Ritov, section 4.2. Cost: O(n k q d) and a Laplacian solve; annealing takes its moves besides. When it
//! fails: on a surface that no flat picture fits, such as a sphere, the frames are a compromise and f shows it; where
//! sheets are nearer to each other than about four deviations of the noise, points between them go to the wrong one.
//!
//! Differs from the paper: frames are aligned by synchronization unless annealing is asked for; both lower the same f.

#[cfg(test)]
mod noise_tests;
mod parameters;
mod sheet;
mod shortcuts;
#[cfg(test)]
mod tests;

pub(super) use parameters::INFO;
pub use parameters::{Alignment, Denoising, Psa, Start, TangentK, Tearing};

use super::pose::set_upright;
use super::refinement::{is_smooth, refined_again, refined_once};
use super::renumbered::renumbered;
use super::{Embedder, EmbedderInfo, pca};
use crate::data::Input;
use crate::embedding::Outcome;
use crate::frames::{
    Sites, Tangents, Transports, align_by_landmarks, anneal, compose, identities, local_coordinates, objective,
    random_rotations, synchronize,
};
use crate::history::Stopwatch;
use crate::local::Charts;
use crate::tear::{self, Whole};
use crate::warning::{Deficient, Warning};

use crate::graph::Links;
use crate::laplacian::{LaplacianSolver, Weights};

use crate::{Neighborhoods, Points, Problem, Refine, Result, Run};
use sheet::Sheet;

/// The residual wanted of the positions.
const TOLERANCE: f64 = 1e-9;

impl Embedder for Psa {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        self.check_values()
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        coordinates(problem)?;
        self.check_size(problem)
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        renumbered(problem, |problem| {
            self.embed_points(coordinates(problem)?, problem.neighborhoods(), problem.dim(), run)
        })
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The coordinates, without which there are no frames to align.
fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "psa aligns tangents in the space of the data, and distances alone have none",
        "give the points, or use gp",
    )
}

impl Psa {
    fn embed_points(&self, points: &Points, neighborhoods: &Neighborhoods, dim: usize, run: &Run) -> Result<Outcome> {
        let mut watch = Stopwatch::start();
        let mut outcome = Outcome::direct(Vec::new());
        let (sheet, tangents) = self.sheet(points, neighborhoods, dim, &mut outcome, &mut watch, run)?;
        outcome.facts.insert("rank_deficient".into(), tangents.deficient().into());
        if tangents.deficient() > 0 {
            outcome.warnings.push(Warning::RankDeficient {
                of: Deficient::Frames,
                deficient: tangents.deficient(),
                all: points.len(),
                wanted: dim,
            });
        }
        self.embed_frames(&sheet, tangents, &mut outcome, &mut watch, run)?;
        if sheet.is_denoised() {
            shortcuts::report(points, neighborhoods, dim, &mut outcome, run)?;
            watch.lap("shortcuts");
        }
        set_upright(&mut outcome.values, dim);
        outcome.stages = watch.stages();
        Ok(outcome)
    }

    /// Embeds the neighborhoods as they are, or torn where that leaves wrinkles which a tear takes out.
    fn embed_frames(
        &self,
        sheet: &Sheet<'_>,
        mut tangents: Tangents,
        outcome: &mut Outcome,
        watch: &mut Stopwatch,
        run: &Run,
    ) -> Result<()> {
        let (points, neighborhoods, dim) = (sheet.measured, sheet.neighborhoods(), tangents.dim());
        outcome.values = self.lay(points, neighborhoods, &mut tangents, outcome, watch, run)?;
        let tangents = (self.tear != Tearing::Never).then_some(tangents);
        let mut refining = None;
        if let Some(refine) = self.refinement(sheet.is_denoised()) {
            let charts = Charts::new(Input::Points(points), neighborhoods, run)?;
            watch.lap("charts");
            let start = Points::new(points.len(), dim, std::mem::take(&mut outcome.values))?;
            let (first, bound) = refined_once(&refine, &charts, start, watch, run)?;
            outcome.continue_with(first);
            refining = Some((refine, charts, bound));
        }
        let asked = self.tear == Tearing::Always;
        // The misfit is a part of what R_N is above its bound: a map near the bound needs no second look.
        let smooth = refining.as_ref().is_some_and(|(refine, _, bound)| is_smooth(refine, outcome, *bound));
        if let Some(mut tangents) = tangents.filter(|_| asked || !smooth) {
            let whole = Whole::new(sheet.shape(), neighborhoods, &tangents, &outcome.values, run)?;
            watch.lap("judgment");
            outcome.facts.insert("misfit".into(), whole.misfit.into());
            outcome.facts.insert("unfit_share".into(), whole.unfit().into());
            if whole.calls_for_a_tear(asked)
                && let Some(torn) = self.torn(sheet, &whole, &mut tangents, asked, watch, run)?
            {
                outcome.traces.clear();
                outcome.continue_with(torn);
                return Ok(());
            }
        }
        if let Some((refine, charts, bound)) = &refining {
            let flat = || pca::projected(&Input::Points(points), dim, run);
            refined_again(refine, charts, outcome, *bound, &[("projection", &flat)], watch, run)?;
        }
        Ok(())
    }

    /// Tears what does not fit and embeds what is left, where that is worth it.
    fn torn(
        &self,
        sheet: &Sheet<'_>,
        whole: &Whole<'_>,
        tangents: &mut Tangents,
        asked: bool,
        watch: &mut Stopwatch,
        run: &Run,
    ) -> Result<Option<Outcome>> {
        let (points, dim) = (sheet.measured, tangents.dim());
        let mut outcome = Outcome::direct(Vec::new());
        let refine = self.refinement(sheet.is_denoised());
        // To find the seams a few steps of refinement do in place of aligning all frames anew, asked for or not.
        let few = refine.clone().unwrap_or(Refine { solver: self.solver, ..Refine::default() });
        let few = Refine { iterations: tear::STEPS.min(few.iterations), ..few };
        let mut lay = |rest: &Neighborhoods, tangents: &mut Tangents, before: Option<&[f64]>| -> Result<Vec<f64>> {
            let y = match before {
                Some(before) => before.to_vec(),
                None => self.lay(points, rest, tangents, &mut outcome, watch, run)?,
            };
            let charts = Charts::new(Input::Points(sheet.shape()), rest, run)?;
            Ok(refined_once(&few, &charts, Points::new(points.len(), dim, y)?, watch, run)?.0.values)
        };
        let torn = whole.tear(tangents, asked, run, &mut lay)?;
        watch.lap("seams");
        let Some(torn) = torn else { return Ok(None) };
        let tear = whole.seam(&torn.rest);
        match &refine {
            Some(refine) => {
                let charts = Charts::new(Input::Points(points), &torn.rest, run)?;
                let start = Points::new(points.len(), dim, torn.y)?;
                outcome.continue_with(refined_once(refine, &charts, start, watch, run)?.0);
            }
            None => outcome.values = self.lay(points, &torn.rest, tangents, &mut outcome, watch, run)?,
        }
        outcome.facts.insert("tear_rounds".into(), torn.rounds.into());
        outcome.warnings.push(Warning::Torn { pairs: tear.pairs().len(), share: tear.share() });
        outcome.tear = Some(tear);
        Ok(Some(outcome))
    }

    /// Aligns the frames, which come back turned, and solves for the positions.
    fn lay(
        &self,
        points: &Points,
        neighborhoods: &Neighborhoods,
        tangents: &mut Tangents,
        outcome: &mut Outcome,
        watch: &mut Stopwatch,
        run: &Run,
    ) -> Result<Vec<f64>> {
        let links = Links::new(neighborhoods, run)?;
        watch.lap("links");
        let solver = LaplacianSolver::new(neighborhoods, Weights::Uniform, self.solver, run.seed(), run)?;
        watch.lap("factor");
        self.align(tangents, links, &solver, outcome, run)?;
        watch.lap("align");
        let f = objective(tangents, neighborhoods, run)?;
        let directed = neighborhoods.memberships() - neighborhoods.len();
        outcome.facts.insert("f".into(), f.into());
        outcome.facts.insert("f_per_edge".into(), (f / directed as f64).into());
        watch.lap("objective");
        let local = |index: usize, rows: &mut [f64]| {
            local_coordinates(points, neighborhoods.members(index), tangents, index, rows);
        };
        let sides = solver.right_hand_side(tangents.dim(), local, run)?;
        watch.lap("coordinates");
        let solved = solver.solve(&sides, tangents.dim(), None, TOLERANCE, run)?;
        outcome.facts.insert("solve_steps".into(), solved.iterations.into());
        outcome.facts.insert("solve_residual".into(), solved.residual.into());
        watch.lap("solve");
        Ok(solved.values)
    }

    /// Turns the frames so that f is small.
    fn align(
        &self,
        tangents: &mut Tangents,
        links: Links,
        solver: &LaplacianSolver<'_>,
        outcome: &mut Outcome,
        run: &Run,
    ) -> Result<()> {
        let (count, dim) = (tangents.len(), tangents.dim());
        let mut transports = Transports::between(tangents, links, run)?;
        outcome.facts.insert("f_least".into(), transports.least().into());
        let rotations = match self.alignment {
            Alignment::Tree => transports.carried(),
            Alignment::Synchronize => {
                let mut rotations = transports.carried();
                transports.turn(&rotations, run);
                let found = synchronize(&mut transports, solver, run)?;
                outcome.facts.insert("align_steps".into(), found.steps.into());
                outcome.facts.insert("align_residual".into(), found.residual.into());
                compose(&mut rotations, &found.rotations, dim, run);
                rotations
            }
            Alignment::Landmarks => {
                let landmarks = self.landmarks.unwrap_or((count as f64).sqrt().ceil() as usize).min(count);
                let found = align_by_landmarks(&mut transports, landmarks, run)?;
                outcome.facts.insert("landmarks".into(), landmarks.into());
                outcome.facts.insert("align_steps".into(), found.steps.into());
                outcome.facts.insert("align_residual".into(), found.residual.into());
                found.rotations
            }
            Alignment::Annealing => {
                let start = match self.start {
                    Start::Tree => transports.carried(),
                    Start::Identity => identities(count, dim),
                    Start::Random => random_rotations(count, dim, run),
                };
                let mut sites = Sites::new(tangents, transports.links(), start, run)?;
                let found = anneal(&mut sites, &self.annealing(), run)?;
                outcome.stop = found.stop;
                outcome.facts.insert("annealing_sweeps".into(), found.sweeps.into());
                outcome.facts.insert("aligned_cluster".into(), found.cluster.into());
                outcome.traces.push(found.trace);
                found.rotations
            }
        };
        drop(transports);
        tangents.turn(&rotations, run);
        Ok(())
    }
}
