//! How noisy and how curved the surface is, and how many neighbors its tangents need.
//!
//! In a neighborhood whose variance along each tangent axis is t, noise of deviation s puts (q - d) s^2 off the tangent
//! space and curvature c t^2, so a line fitted to the median of what is off the tangent space against t^2, by size, gives
//! both. The error of the tangent space of m points is an angle of about sqrt(o / (m l)), with o the variance off it and l
//! that along the shortest tangent axis. Where this is too large at the size of the graph's neighborhoods, tangents take
//! the size at which they stand out most: the largest mean of log(l / l'), with l' the variance along the first axis off
//! the tangent space. Noise makes this rise with the size, curvature and nearby sheets make it fall.

use super::dimension::is_small;
use super::reason::Reason;
use super::sample::{NeighborSample, Spectrum, median};
use serde::Serialize;

/// The largest error of accurate tangents, in radians.
const ANGLE: f64 = 0.05;
/// Larger neighborhoods must make tangents stand out by this factor more than smaller ones do: less is random. Without
/// noise they never do where tangents are not accurate.
const WORTH: f64 = 1.2;
/// Tangents that stand out by less than this factor belong to no surface.
const LEAST_GAP: f64 = 2.0;
/// A variance of noise below this share of that along the surface is left over from the curvature.
const NOTHING: f64 = 1e-3;

/// The noise and the curvature of the surface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Surface {
    /// The standard deviation of noise in each coordinate off the surface.
    pub noise: f64,
    /// The same relative to the radius of a neighborhood of the suggested size.
    pub relative_noise: f64,
    /// The radius of curvature along the most curved direction; none where the surface is flat.
    pub curvature_radius: Option<f64>,
}

/// What is off the tangent spaces at one size.
struct AtSize {
    size: usize,
    /// The median variance off the tangent space.
    off: f64,
    /// The median variance along a tangent axis.
    along: f64,
    /// The median angle by which the tangents are off.
    angle: f64,
    /// The geometric mean of the spread along the last tangent axis over that along the first other one.
    gap: f64,
    /// Whether charts of this size see `dim` dimensions and no more.
    clear: bool,
}

/// How many neighbors tangents need.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TangentSize {
    /// The number of neighbors: that of the graph, or more where there is noise.
    pub(crate) size: usize,
    /// Why.
    pub(crate) reason: Reason,
    /// The number with which tangents stand out most, noise or not.
    pub(crate) clearest: usize,
    /// Whether tangents of the graph's neighborhoods are too noisy and larger ones are clearer.
    pub(crate) noisy: bool,
}

/// Everything about the tangent spaces by size, for a surface of `dim` dimensions.
pub(super) struct Tangents {
    by_size: Vec<AtSize>,
    dim: usize,
    codimension: usize,
}

impl Tangents {
    pub(super) fn new(sample: &NeighborSample<'_>, dim: usize) -> Self {
        let by_size = sample
            .sizes
            .iter()
            .zip(&sample.spectra)
            .filter(|(size, _)| **size >= dim + 2)
            .map(|(&size, spectra)| {
                // A neighborhood of m points has m - 1 - d degrees of freedom off its own tangent space.
                let (free, members) = ((size - dim) as f64, (size + 1) as f64);
                let off = |one: &Spectrum| one.beyond(dim) / free;
                let along = |one: &Spectrum| (one.total - one.beyond(dim)) / (dim * size) as f64;
                let angle = |one: &Spectrum| {
                    let shortest = one.axes.get(dim - 1).copied().unwrap_or(0.0) / size as f64;
                    if shortest > 0.0 { (off(one) / (members * shortest)).sqrt() } else { 0.0 }
                };
                let gap = |one: &Spectrum| {
                    if one.total > 0.0 { (one.axis(dim - 1) / one.axis(dim)).ln() } else { 0.0 }
                };
                let share = spectra.iter().map(|one| one.share_beyond(dim)).sum::<f64>() / spectra.len() as f64;
                AtSize {
                    size,
                    clear: is_small(share, dim, size),
                    off: median(spectra.iter().map(off).collect()),
                    along: median(spectra.iter().map(along).collect()),
                    angle: median(spectra.iter().map(angle).collect()),
                    gap: (spectra.iter().map(gap).sum::<f64>() / spectra.len() as f64).exp(),
                }
            })
            .collect();
        Self { by_size, dim, codimension: sample.points.dim() - dim }
    }

    /// The number of neighbors for tangents of neighborhoods of `k`.
    pub(super) fn choose(&self, k: usize) -> TangentSize {
        let same = |reason: Reason, clearest: usize| TangentSize { size: k, reason, clearest, noisy: false };
        let Some(at_k) = self.by_size.iter().min_by_key(|at| at.size.abs_diff(k)) else {
            return same(Reason::TooFewPointsForTangents, k);
        };
        let from_k = || self.by_size.iter().filter(|at| at.size >= at_k.size);
        // The smaller of two that are equally clear.
        let best = from_k().fold(at_k, |best, at| if at.gap > best.gap { at } else { best });
        let clearest = best.size.max(k);
        let angle = at_k.angle;
        if angle <= ANGLE {
            return same(Reason::TangentsAccurate { angle }, clearest);
        }
        // Few points may seem to have a tangent by chance, so the best is compared with the least gap before it.
        let least = from_k().filter(|at| at.size <= best.size).fold(f64::INFINITY, |least, at| least.min(at.gap));
        if best.size <= k || best.gap < LEAST_GAP || best.gap < WORTH * least {
            return same(Reason::TangentsGainLittle { angle }, clearest);
        }
        let reason = Reason::TangentsGain { k, angle, size: best.size, size_angle: best.angle, gap: best.gap };
        TangentSize { size: best.size, reason, clearest, noisy: true }
    }

    /// The noise and the curvature, at neighborhoods whose radius is `radius`.
    ///
    /// Noise that small charts count as a dimension is known already, as its deviation: fitted to them it would be too small.
    pub(super) fn surface(&self, radius: f64, known: Option<f64>) -> Surface {
        // Least squares of (s + c t^2) / o - 1, so that every size counts the same. Charts that show more dimensions
        // mistake noise for one of them, and are used only where there are no others.
        let (mut one, mut mixed, mut square, mut right, mut right_square) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let clear = self.by_size.iter().filter(|at| at.clear).count() >= 3;
        for at in self.by_size.iter().filter(|at| at.off > 0.0 && at.along > 0.0 && (at.clear || !clear)) {
            let (a, b) = (1.0 / at.off, at.along * at.along / at.off);
            one += a * a;
            mixed += a * b;
            square += b * b;
            right += a;
            right_square += b;
        }
        let determinant = one * square - mixed * mixed;
        let (mut noise, mut bend) = if determinant > 1e-12 * one * square {
            ((right * square - right_square * mixed) / determinant, (one * right_square - mixed * right) / determinant)
        } else {
            (0.0, 0.0)
        };
        if noise < 0.0 {
            (noise, bend) = (0.0, if square > 0.0 { right_square / square } else { 0.0 });
        } else if bend < 0.0 {
            (noise, bend) = (if one > 0.0 { right / one } else { 0.0 }, 0.0);
        }
        let smallest = self.by_size.first().map_or(0.0, |at| at.along);
        if noise < NOTHING * smallest {
            noise = 0.0;
        }
        let deviation = known.unwrap_or_else(|| (noise / self.codimension.max(1) as f64).sqrt());
        // The variance of a parabola of curvature K over a ball of variance t is K^2 t^2 (2 d + 2) / (4 (d + 4)).
        let dim = self.dim as f64;
        let curvature = (4.0 * bend * (dim + 4.0) / (2.0 * dim + 2.0)).sqrt();
        Surface {
            noise: deviation,
            relative_noise: if radius > 0.0 { deviation / radius } else { 0.0 },
            curvature_radius: (curvature * radius > 1e-6).then(|| 1.0 / curvature),
        }
    }
}
