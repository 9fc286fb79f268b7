//! Noise removed from a surface: every point is moved, along the normal only, onto the sheet that it came from.
//!
//! 1. Learning. The points x_j near a place z, weighed by exp(-|z - x_j|^2 / 2 h^2), have a mean and a plane of d
//!    principal axes. Between two sheets this is the plane of a bridge and of neither sheet; so neighbors agree on
//!    their planes, each with a vote that depends on how clearly its own stands out. Then z moves to the mean, along the
//!    normal of the agreed plane. This is repeated for some rounds, each place starting at its point; the x_j stay fixed.
//! 2. Placing. Every point starts again from where it was measured and moves onto the learned sheets, by a kernel half
//!    as wide: it reaches the nearest sheet, independently of the rounds before.
//!
//! The first step finds ridges of the density (Ozertem and Erdogmus 2011, subspace constrained mean shift); the
//! agreement and the second step are this library's own. Coordinates along the surface stay as measured: noise and
//! position cannot be told apart there. Cost: a search for m neighbors, and O(n m q d^2) a round; beyond m coordinates
//! the planes cost O(n m^2 (q + m)). When it fails: sheets nearer than about four deviations of the noise share points
//! that no method can separate, and a surface whose radius of curvature is as small as the kernel is wide is flattened.

mod between;
mod kernel;
mod plane;
mod sheets;
#[cfg(test)]
mod tests;

pub(crate) use between::put_between;

use crate::error::{Advice, Bound, Limit};
use crate::linalg::squared_distance;
use crate::memory::{self, Need};
use crate::suggest::{Reason, tangent_size};
use crate::{Error, Neighborhoods, Points, Result, Run};
use serde::Serialize;
use sheets::Sheets;

/// How noise is removed.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Denoise, Run};
///
/// let noisy = dataset::find("s-curve")?.sample(&Request::new().with_noise(0.1))?;
/// let clean = dataset::find("s-curve")?.sample(&Request::new())?;
/// let denoised = Denoise { dim: 2, ..Denoise::default() }.run(&noisy.points, &Run::new())?;
/// assert!((0.05..0.15).contains(&denoised.moved));
/// # let off = |points: &truefold::Points| -> f64 {
/// #     points.values().iter().zip(clean.points.values()).map(|(a, b)| (a - b).powi(2)).sum()
/// # };
/// # assert!(off(&denoised.points) < 0.85 * off(&noisy.points), "{} {}", off(&denoised.points), off(&noisy.points));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Denoise {
    /// The number of dimensions of the surface, d.
    pub dim: usize,
    /// The number of neighbors of a place; if none is given, the one with which tangents stand out most.
    pub neighbors: Option<usize>,
    /// The rounds in which the sheets are learned.
    pub rounds: usize,
}

impl Default for Denoise {
    fn default() -> Self {
        Self { dim: 2, neighbors: None, rounds: 4 }
    }
}

/// Points without their noise.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Denoised {
    /// The points, with the ids, labels and columns of the noisy ones.
    #[serde(skip)]
    pub points: Points,
    /// The number of neighbors of a place.
    pub neighbors: usize,
    /// Why.
    pub neighbors_reason: Reason,
    /// The rounds.
    pub rounds: usize,
    /// The root mean square distance by which points were moved.
    pub moved: f64,
    /// The same per direction off the surface: an estimate of the standard deviation of the noise.
    pub noise: f64,
    /// The neighbors of each place, as they were measured.
    #[serde(skip)]
    pub(crate) around: Neighborhoods,
}

impl Denoise {
    /// Removes the noise from `points`.
    pub fn run(&self, points: &Points, run: &Run) -> Result<Denoised> {
        self.check(points)?;
        points.check_squares("X")?;
        let most = points.len() - 1;
        let (neighbors, neighbors_reason) = match self.neighbors {
            Some(neighbors) => (neighbors.min(most), Reason::Asked),
            None => self.choose(points, run)?,
        };
        self.check_memory(points, neighbors)?;
        let lists = Neighborhoods::nearest(points, neighbors, run)?;
        let start = Sheets::new(points, &lists, self.dim, run)?;
        let values = (0..self.rounds).try_fold(start, |sheets, _| sheets.learned(run))?.placed(run)?;
        let moved = (squared_distance(&values, points.values()) / points.len() as f64).sqrt();
        let codimension = (points.dim() - self.dim) as f64;
        let denoised = Denoised {
            points: points.moved(values)?,
            neighbors,
            neighbors_reason,
            rounds: self.rounds,
            moved,
            noise: moved / codimension.sqrt(),
            around: lists,
        };
        Ok(denoised)
    }

    /// An error if the lists, and of every point three places, two frames and three numbers, need more memory than there is:
    /// where it was, its mean and where it goes, its own frame and the agreed one.
    fn check_memory(&self, points: &Points, neighbors: usize) -> Result<()> {
        let numbers = (3 + 2 * self.dim) * points.dim() + 3;
        let need = Need::of((size_of::<f64>() * numbers) as f64, size_of::<u32>() as f64);
        let (count, advice) = (points.len(), "give fewer points, or choose fewer {neighbors}");
        let bytes = need.bytes(count, count.saturating_mul(neighbors + 1));
        memory::check(format!("denoising {count} points"), bytes, Advice::change("neighbors", advice))
    }

    /// The number of neighbors with which tangents stand out most.
    fn choose(&self, points: &Points, run: &Run) -> Result<(usize, Reason)> {
        let least = (3 * self.dim + 6).min(points.len() - 1);
        Ok(match tangent_size(points, self.dim, least, run)? {
            Some(found) => (found.clearest.min(points.len() - 1), Reason::TangentsClearest),
            None => (least, Reason::TooFewPointsToCompare { dim: self.dim }),
        })
    }

    /// An error unless `points` can be denoised with these settings.
    pub fn check(&self, points: &Points) -> Result<()> {
        if points.dim() < 2 {
            return Err(Error::data(
                "the points have a single coordinate, which leaves no direction off a surface",
                Advice::mend_data("give points with at least two coordinates"),
            ));
        }
        if self.dim == 0 || self.dim >= points.dim() {
            return Err(Error::parameter(
                "dim",
                self.dim,
                Limit::because(Bound::Within(1.0, (points.dim() - 1) as f64), "noise is what lies off the surface"),
                Advice::change("dim", "choose a {dim} below the number of coordinates"),
            ));
        }
        if points.len() < self.dim + 3 {
            return Err(Error::TooFewPoints {
                task: "denoising".into(),
                needed: self.dim + 3,
                given: points.len(),
                advice: Box::new(Advice::mend_data("give more points")),
            });
        }
        if let Some(neighbors) = self.neighbors.filter(|&neighbors| neighbors < self.dim + 2) {
            let reason = format!("a plane of {} dimensions and a direction off it need that many", self.dim);
            return Err(Error::parameter(
                "neighbors",
                neighbors,
                Limit::because(Bound::AtLeast((self.dim + 2) as f64), reason),
                Advice::change("neighbors", "choose a larger number, or leave it out"),
            ));
        }
        if self.rounds == 0 {
            let advice = Advice::change("rounds", "choose at least 1");
            return Err(Error::parameter("rounds", 0, Bound::AtLeast(1.0), advice));
        }
        Ok(())
    }
}
