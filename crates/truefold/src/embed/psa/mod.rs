//! Procrustes subspaces alignment (PSA): local PCA frames, turned until neighbors agree, then one linear system.
//!
//! 1. Frames P_i, q x d, by local PCA of each neighborhood.
//! 2. Rotations O_i so that A_i = P_i O_i make f = sum_i sum_(j in Neighbors(i)) |A_i - A_j|^2 small.
//! 3. Y from (sum_i H_i) Y = sum_i H_i X A_i, refined, turned onto its principal axes.
//!
//! X are the n points in q dimensions, d the dimension of the embedding, H_i the centering matrix of neighborhood i.
//! Goldberg and Ritov, section 4.2. Cost: O(n k q d) and a Laplacian solve; annealing takes its moves besides. When it
//! fails: on a surface that no flat picture fits, such as a sphere, the frames are a compromise and f shows it; with
//! noise as large as the neighborhoods the frames are noise, and a larger `tangent_k` helps.
//!
//! Differs from the paper: frames are aligned by synchronization unless annealing is asked for; both lower the same f.

mod annealing;
mod landmarks;
mod objective;
mod parameters;
mod positions;
mod sites;
#[cfg(test)]
mod tests;

pub(super) use parameters::INFO;
pub use parameters::{Alignment, Psa, Start};
pub(super) use positions::set_upright;

use super::refinement::refined;
use super::renumbered::renumbered;
use super::{Embedder, EmbedderInfo, pca};
use crate::embedding::{Outcome, Stopwatch};
use crate::local::{Charts, Input, Tangents};
use crate::solve::{LaplacianSolver, Links, Transports, Weights, compose, identities, synchronize};
use crate::{Neighborhoods, Points, Problem, Result, Run};

/// The residual wanted of the positions.
const TOLERANCE: f64 = 1e-9;

impl Embedder for Psa {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        coordinates(problem)?;
        self.check_values(problem)
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
        let mut tangents = match self.tangent_k {
            None => Tangents::new(points, neighborhoods, dim, run)?,
            Some(k) => {
                let wider = Neighborhoods::nearest(points, k.min(points.len() - 1), run)?;
                Tangents::new(points, &wider, dim, run)?
            }
        };
        watch.lap("tangents");
        let links = Links::new(neighborhoods, run)?;
        watch.lap("links");
        let solver = LaplacianSolver::new(neighborhoods, Weights::Uniform, self.solver, run.seed(), run)?;
        watch.lap("factor");

        self.align(&mut tangents, links, &solver, &mut outcome, run)?;
        watch.lap("align");
        let f = objective::objective(&tangents, neighborhoods, run)?;
        let directed = neighborhoods.memberships() - neighborhoods.len();
        outcome.facts.insert("f".into(), f.into());
        outcome.facts.insert("f_per_edge".into(), (f / directed as f64).into());
        watch.lap("objective");

        let local = |index: usize, rows: &mut [f64]| {
            positions::local_coordinates(points, neighborhoods.members(index), &tangents, index, rows);
        };
        let sides = solver.right_hand_side(dim, local, run)?;
        drop(tangents);
        watch.lap("coordinates");
        let solved = solver.solve(&sides, dim, None, TOLERANCE, run)?;
        outcome.facts.insert("solve_steps".into(), solved.iterations.into());
        outcome.facts.insert("solve_residual".into(), solved.residual.into());
        watch.lap("solve");
        drop(solver);
        outcome.values = solved.values;
        if let Some(refine) = self.refinement() {
            let charts = Charts::new(Input::Points(points), neighborhoods, run)?;
            watch.lap("charts");
            let start = Points::new(points.len(), dim, std::mem::take(&mut outcome.values))?;
            let flat = || pca::projected(&Input::Points(points), dim, run);
            let refined = refined(&refine, &charts, start, &[("projection", &flat)], &mut watch, run)?;
            outcome.continue_with(refined);
        }
        set_upright(&mut outcome.values, dim);
        outcome.stages = watch.stages();
        Ok(outcome)
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
        outcome.facts.insert("rank_deficient".into(), tangents.deficient().into());
        if tangents.deficient() > 0 {
            outcome.warnings.push(format!(
                "{} of {count} neighborhoods span fewer than {dim} directions; their frames were completed from the \
                 neighborhoods around them",
                tangents.deficient()
            ));
        }
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
                let found = landmarks::align(&mut transports, landmarks, run)?;
                outcome.facts.insert("landmarks".into(), landmarks.into());
                outcome.facts.insert("align_steps".into(), found.steps.into());
                outcome.facts.insert("align_residual".into(), found.residual.into());
                found.rotations
            }
            Alignment::Annealing => {
                let start = match self.start {
                    Start::Tree => transports.carried(),
                    Start::Identity => identities(count, dim),
                    Start::Random => annealing::random_rotations(count, dim, run),
                };
                let mut sites = sites::Sites::new(tangents, transports.links(), start, run)?;
                let found = annealing::anneal(&mut sites, self, run)?;
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
