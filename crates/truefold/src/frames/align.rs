//! The alignment of frames: rotations O_i for which f = sum over links of |P_i O_i - P_j O_j|^2 is small.
//!
//! Four algorithms lower the same f: see [`synchronize`](mod@super::synchronize), [`landmarks`](super::landmarks),
//! [`annealing`](super::annealing), and the tree of [`Transports::carried`].

use super::{
    Annealing, Sites, Tangents, Transports, align_by_landmarks, anneal, compose, identities, random_rotations,
    synchronize,
};
use crate::graph::Links;
use crate::laplacian::LaplacianSolver;
use crate::{Fit, Result};
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
        let run = fit.run();
        let mut transports = Transports::between(tangents, links, run)?;
        fit.fact("f_least", transports.least());
        let rotations = match self.alignment {
            Alignment::Tree => transports.carried(),
            Alignment::Synchronize => {
                let mut rotations = transports.carried();
                transports.turn(&rotations, run);
                let found = synchronize(&mut transports, solver, run)?;
                fit.fact("align_steps", found.steps);
                fit.fact("align_residual", found.residual);
                compose(&mut rotations, &found.rotations, tangents.dim(), run);
                rotations
            }
            Alignment::Landmarks => {
                let count = tangents.len();
                let landmarks = self.landmarks.unwrap_or((count as f64).sqrt().ceil() as usize).min(count);
                let found = align_by_landmarks(&mut transports, landmarks, run)?;
                fit.fact("landmarks", landmarks);
                fit.fact("align_steps", found.steps);
                fit.fact("align_residual", found.residual);
                found.rotations
            }
            Alignment::Annealing => self.anneal(tangents, &transports, fit)?,
        };
        drop(transports);
        tangents.turn(&rotations, run);
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
