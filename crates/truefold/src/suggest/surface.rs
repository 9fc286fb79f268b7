//! How noisy and how bent the surface is, and how many neighbors its tangents want.
//!
//! In a neighborhood whose spread along each tangent axis is t, noise of deviation s leaves (q - d) s^2 off the tangent
//! space and curvature leaves c t^2, so a line through the median of what is off the tangent space over t^2, by size,
//! tells both. The tangent space of m points is off by an angle of about sqrt(o / (m l)), with o what is off it and l
//! the spread along the shortest tangent axis: the tangents want the smallest neighborhoods that make this small, or
//! those that make it least.

use super::dimension::is_small;
use super::look::{Look, Spectrum, median};
use serde::Serialize;

/// An angle, in radians, by which tangents may be off.
const ANGLE: f64 = 0.05;
/// Larger neighborhoods must bring the angle down to this share of it to be worth their curvature.
const WORTH: f64 = 0.6;
/// A variance of noise below this share of that along the surface is the last of the curvature.
const NOTHING: f64 = 1e-3;

/// The noise and the curvature of the surface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Surface {
    /// The standard deviation of noise in each coordinate off the surface.
    pub noise: f64,
    /// The same relative to the radius of a neighborhood of the suggested size.
    pub relative_noise: f64,
    /// The radius of a circle as bent as the surface is along its most bent direction; none where it is flat.
    pub curvature_radius: Option<f64>,
    /// The radius of a neighborhood of the suggested size.
    pub neighborhood_radius: f64,
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
    /// Whether charts of this size see `dim` dimensions and no more.
    clear: bool,
}

/// Everything about the tangent spaces by size, for a surface of `dim` dimensions.
pub(super) struct Tangents {
    by_size: Vec<AtSize>,
    dim: usize,
    codimension: usize,
}

impl Tangents {
    pub(super) fn new(look: &Look<'_>, dim: usize) -> Self {
        let by_size = look
            .sizes
            .iter()
            .zip(&look.spectra)
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
                let share = spectra.iter().map(|one| one.share_beyond(dim)).sum::<f64>() / spectra.len() as f64;
                AtSize {
                    size,
                    clear: is_small(share, dim, size),
                    off: median(spectra.iter().map(off).collect()),
                    along: median(spectra.iter().map(along).collect()),
                    angle: median(spectra.iter().map(angle).collect()),
                }
            })
            .collect();
        Self { by_size, dim, codimension: look.points.dim() - dim }
    }

    /// The number of neighbors for tangents of neighborhoods of `k`, with the reason.
    pub(super) fn choose(&self, k: usize) -> (usize, String) {
        let at_k = self.by_size.iter().min_by_key(|at| at.size.abs_diff(k));
        let Some(at_k) = at_k.filter(|at| at.angle > ANGLE) else {
            let angle = at_k.map_or(0.0, |at| at.angle);
            return (k, format!("those of the graph do: their tangents are off by about {angle:.3} radians"));
        };
        let larger = || self.by_size.iter().filter(|at| at.size > k);
        let least = || larger().min_by(|a, b| a.angle.total_cmp(&b.angle));
        let enough = larger().find(|at| at.angle <= ANGLE);
        match enough.or_else(least).filter(|at| at.angle <= WORTH * at_k.angle) {
            Some(best) => (
                best.size,
                format!("tangents from {k} are off by about {:.2} radians, from these {:.2}", at_k.angle, best.angle),
            ),
            None => (
                k,
                format!(
                    "those of the graph: tangents are off by about {:.2} radians, and larger ones gain little",
                    at_k.angle
                ),
            ),
        }
    }

    /// The noise and the curvature, at neighborhoods of `k` whose radius is `radius`.
    pub(super) fn surface(&self, radius: f64) -> Surface {
        // Least squares of (s + c t^2) / o - 1, so that every size counts alike. Charts that see more dimensions take
        // noise for one of them, and are asked only where there are no others.
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
        let deviation = (noise / self.codimension.max(1) as f64).sqrt();
        // The variance of a parabola of curvature K over a ball of variance t is K^2 t^2 (2 d + 2) / (4 (d + 4)).
        let dim = self.dim as f64;
        let curvature = (4.0 * bend * (dim + 4.0) / (2.0 * dim + 2.0)).sqrt();
        Surface {
            noise: deviation,
            relative_noise: if radius > 0.0 { deviation / radius } else { 0.0 },
            curvature_radius: (curvature * radius > 1e-6).then(|| 1.0 / curvature),
            neighborhood_radius: radius,
        }
    }
}
