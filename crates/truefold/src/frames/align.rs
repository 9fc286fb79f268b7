//! The alignment of frames: rotations O_i for which f = sum over links of |P_i O_i - P_j O_j|^2 is small.
//!
//! Four algorithms lower the same f: see [`synchronize`](mod@super::synchronize), and [`angles`](super::angles) for the
//! plane, [`landmarks`](super::landmarks), [`annealing`](super::annealing), and the tree of [`Tangents::carry`].

use super::{
    Angles, Annealing, Sites, Synchronized, Tangents, Transports, align_by_landmarks, anneal, identities,
    random_rotations, synchronize,
};
use crate::graph::Links;
use crate::laplacian::LaplacianSolver;
use crate::{Fit, Result, Run};
use serde::{Deserialize, Serialize};

/// How frames are aligned. All lower the same f.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alignment {
    /// Frames from a tree, then one inverse iteration with the connection Laplacian.
    #[default]
    Synchronize,
    /// Frames carried down a breadth-first tree from a central point.
    Tree,
    /// Frames are aligned within cells around landmarks, then the landmarks with each other.
    Landmarks,
    /// Simulated annealing, as in the paper.
    Annealing,
}

/// Where annealing starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnnealingStart {
    /// From the frames of the tree.
    #[default]
    Tree,
    /// From the frames as local PCA gives them.
    Identity,
    /// From frames turned at random.
    Random,
}

/// An algorithm with its settings.
#[derive(Debug, Clone)]
pub(crate) struct Aligner {
    pub(crate) alignment: Alignment,
    /// The number of landmarks; the square root of n where it is not given.
    pub(crate) landmarks: Option<usize>,
    pub(crate) start: AnnealingStart,
    pub(crate) annealing: Annealing,
}

impl Aligner {
    /// Turns the frames so that f is small; `solver` is the preconditioner of the connection Laplacian.
    pub(crate) fn align(
        &self,
        tangents: &mut Tangents,
        links: Links,
        solver: &LaplacianSolver<'_>,
        fit: &mut Fit<'_>,
    ) -> Result<()> {
        match self.carried(tangents, &links, fit.run())? {
            Some(angles) => self.align_angles(tangents, &angles, solver, fit),
            None => self.align_carried(tangents, links, solver, fit),
        }
    }

    /// Carries the frames down a tree where the algorithm begins with that, and gives the angles between them where these
    /// are all that is left to align.
    pub(crate) fn carried<'l>(
        &self,
        tangents: &mut Tangents,
        links: &'l Links,
        run: &Run,
    ) -> Result<Option<Angles<'l>>> {
        if matches!(self.alignment, Alignment::Tree | Alignment::Synchronize) {
            tangents.carry(links.walk(links.center()).steps().map(|(point, before, _)| (point, before)), run);
        }
        if self.alignment == Alignment::Synchronize { Angles::between(tangents, links, run) } else { Ok(None) }
    }

    /// Turns frames that differ by small angles.
    pub(crate) fn align_angles(
        &self,
        tangents: &mut Tangents,
        angles: &Angles<'_>,
        solver: &LaplacianSolver<'_>,
        fit: &mut Fit<'_>,
    ) -> Result<()> {
        fit.fact("f_least", angles.least());
        let found = angles.synchronize(solver, fit.run())?;
        turned(tangents, found, fit);
        Ok(())
    }

    /// Turns frames that were [carried](Self::carried) and differ by more than small angles.
    pub(crate) fn align_carried(
        &self,
        tangents: &mut Tangents,
        links: Links,
        solver: &LaplacianSolver<'_>,
        fit: &mut Fit<'_>,
    ) -> Result<()> {
        let run = fit.run();
        let mut transports = Transports::between(tangents, links, run)?;
        fit.fact("f_least", transports.least());
        match self.alignment {
            Alignment::Tree => {}
            Alignment::Synchronize => {
                let found = synchronize(&mut transports, solver, run)?;
                drop(transports);
                turned(tangents, found, fit);
            }
            Alignment::Landmarks => {
                let count = tangents.len();
                let landmarks = self.landmarks.unwrap_or((count as f64).sqrt().ceil() as usize).min(count);
                fit.fact("landmarks", landmarks);
                let found = align_by_landmarks(&mut transports, landmarks, run)?;
                turned(tangents, found, fit);
            }
            Alignment::Annealing => {
                let rotations = self.anneal(tangents, &transports, fit)?;
                tangents.turn(&rotations, run);
            }
        }
        Ok(())
    }

    fn anneal(&self, tangents: &Tangents, transports: &Transports, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (count, dim, run) = (tangents.len(), tangents.dim(), fit.run());
        let start = match self.start {
            AnnealingStart::Tree => transports.carried(),
            AnnealingStart::Identity => identities(count, dim),
            AnnealingStart::Random => random_rotations(count, dim, run),
        };
        let mut sites = Sites::new(tangents, transports.links(), start, run)?;
        let found = anneal(&mut sites, &self.annealing, run)?;
        fit.ended(found.stop);
        fit.fact("annealing_sweeps", found.sweeps);
        fit.fact("aligned_cluster", found.cluster);
        fit.trace("f", found.trace);
        Ok(found.rotations)
    }
}

/// Turns the frames as was found.
fn turned(tangents: &mut Tangents, found: Synchronized, fit: &mut Fit<'_>) {
    fit.fact("align_steps", found.steps);
    fit.fact("align_residual", found.residual);
    tangents.turn(&found.rotations, fit.run());
}
