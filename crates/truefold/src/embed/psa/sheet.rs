//! What is laid out: the points and neighborhoods as given or, where there is noise, the graph and the frames of the
//! points without it.
//!
//! Noise does three things: frames of few points are noise, points between two sheets are neighbors of both, and what
//! is measured along the surface is off a little. The first two ruin a map, and [`Denoise`] takes them out of the
//! frames and of the graph. The third cannot be undone, so displacements stay as they were measured.

use super::shortcuts::{Joined, joined};
use super::{Denoising, Psa, TangentK};
use crate::embedding::Outcome;
use crate::frames::Tangents;
use crate::history::Stopwatch;
use crate::suggest::tangent_size;
use crate::warning::Warning;
use crate::{Denoise, Neighborhoods, Points, Result, Run};

/// Points, and the graph that they are laid out by.
pub(super) struct Sheet<'a> {
    /// The points as they were measured: displacements are theirs.
    pub(super) measured: &'a Points,
    given: &'a Neighborhoods,
    clean: Option<(Points, Neighborhoods)>,
}

impl Sheet<'_> {
    /// The points that lie on the surface: frames, and what fits a map and what does not, are judged by them.
    pub(super) fn shape(&self) -> &Points {
        self.clean.as_ref().map_or(self.measured, |clean| &clean.0)
    }

    /// The neighborhoods that are laid out.
    pub(super) fn neighborhoods(&self) -> &Neighborhoods {
        self.clean.as_ref().map_or(self.given, |clean| &clean.1)
    }

    /// Whether noise was taken off.
    pub(super) fn is_denoised(&self) -> bool {
        self.clean.is_some()
    }
}

/// The sizes and rounds that were decided on.
struct Decision {
    /// Neighbors for tangents, where they are not those of the graph.
    size: Option<usize>,
    /// Rounds of denoising.
    rounds: usize,
}

impl Psa {
    /// Looks for noise where it was left to the data, takes it off, and estimates the frames.
    pub(super) fn sheet<'a>(
        &self,
        points: &'a Points,
        given: &'a Neighborhoods,
        dim: usize,
        outcome: &mut Outcome,
        watch: &mut Stopwatch,
        run: &Run,
    ) -> Result<(Sheet<'a>, Tangents)> {
        let decision = self.decide(points, given, dim, outcome, run)?;
        watch.lap("noise");
        let most = points.len() - 1;
        let size = decision.size.map(|size| size.min(most));
        if decision.rounds == 0 {
            let tangents = match size {
                None => Tangents::new(points, given, dim, run)?,
                Some(size) => Tangents::new(points, &Neighborhoods::nearest(points, size, run)?, dim, run)?,
            };
            watch.lap("tangents");
            return Ok((Sheet { measured: points, given, clean: None }, tangents));
        }
        let denoise = Denoise { dim, neighbors: size.map(|size| size.max(dim + 2)), rounds: decision.rounds };
        let denoised = denoise.run(points, run)?;
        watch.lap("denoise");
        let clean = denoised.points;
        // Without the noise tangents need fewer neighbors, and are less bent.
        let wider = (denoised.neighbors / 2).max(usual_k(given)).min(most);
        let tangents = Tangents::new(&clean, &Neighborhoods::nearest(&clean, wider, run)?, dim, run)?;
        watch.lap("tangents");
        let Joined { neighborhoods, cut, bridges } = joined(&clean, &tangents, given, run)?;
        watch.lap("graph");
        outcome.facts.insert("denoise_rounds".into(), denoised.rounds.into());
        outcome.facts.insert("noise".into(), denoised.noise.into());
        outcome.facts.insert("links_cut".into(), cut.into());
        outcome.facts.insert("bridges".into(), bridges.into());
        if self.denoise == Denoising::Auto {
            outcome.warnings.push(Warning::Noisy { deviation: denoised.noise, neighbors: denoised.neighbors });
        }
        Ok((Sheet { measured: points, given, clean: Some((clean, neighborhoods)) }, tangents))
    }

    /// From how many neighbors tangents are estimated and whether noise is taken off, as asked for or as the data say.
    fn decide(
        &self,
        points: &Points,
        given: &Neighborhoods,
        dim: usize,
        outcome: &mut Outcome,
        run: &Run,
    ) -> Result<Decision> {
        let asked = match self.denoise {
            Denoising::Auto => None,
            Denoising::Rounds(rounds) => Some(rounds),
        };
        let size = match self.tangent_k {
            TangentK::Graph => None,
            TangentK::Nearest(size) => Some(size),
            TangentK::Auto => {
                let k = usual_k(given);
                let Some(found) = tangent_size(points, dim, k, run)? else {
                    return Ok(Decision { size: None, rounds: asked.unwrap_or(0) });
                };
                outcome.facts.insert("tangent_k".into(), found.size.into());
                outcome.facts.insert("tangent_k_reason".into(), found.reason.to_string().into());
                let unasked = if found.noisy { Denoise::default().rounds } else { 0 };
                let size = found.noisy.then_some(found.size);
                return Ok(Decision { size, rounds: asked.unwrap_or(unasked) });
            }
        };
        Ok(Decision { size, rounds: asked.unwrap_or(0) })
    }
}

/// The mean number of neighbors.
fn usual_k(given: &Neighborhoods) -> usize {
    ((given.memberships() as f64 / given.len() as f64).round() as usize).saturating_sub(1).max(1)
}
