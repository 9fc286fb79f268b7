//! All Procrustes statistics of one neighborhood in one pass: G, G_C, G of the local PCA, G_A, and the least possible.
//!
//! With C the chart of X_i and Y_i its centered embedding: Z = C'Y gives the rotation of G and G_C; the first d rows of
//! Z give that of the local PCA; the residual of C off the span of Y is G_A; the coordinates of C past the d-th are the
//! bound. Rotations of Y change none of these, so that Y of m or more dimensions is replaced by its own chart of at most
//! m - 1. Cost, with d at most m - 1: O(m r d + r d^2 + m d^2) beyond the charts.

use super::chance::{Chance, Pair, Permuter};
use super::chart::Chart;
use super::patch::gather_centered;
use super::rotation::Rotation;
use crate::data::Input;
use crate::linalg::{add_scaled, dot, square};
use crate::{Points, Result};

/// Up to so many dimensions Y is used as it is: its chart would cost more than it saves.
const FEW: usize = 16;

/// The statistics of one neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Fit {
    /// |H X|^2.
    pub(crate) extent: f64,
    /// G(X, Y).
    pub(crate) rigid: f64,
    /// G_C(X, Y).
    pub(crate) conformal: f64,
    /// G(X P, Y) with P the local PCA.
    pub(crate) principal: f64,
    /// The least squares of X - Y B' - 1 b' over all linear maps B.
    pub(crate) linear: f64,
    /// |H Y|^2.
    pub(crate) size: f64,
    /// The least G that any Y could have.
    pub(crate) bound: f64,
    /// Whether X and Y determine the rotation.
    pub(crate) determined: bool,
}

impl Fit {
    /// The scale c = tr L / |H Y|^2 by which Y fits X best, where both have an extent.
    pub(crate) fn scale(&self) -> Option<f64> {
        let trace = (self.extent + self.size - self.rigid) / 2.0;
        (self.extent > 0.0 && self.size > 0.0).then(|| trace / self.size)
    }
}

/// Work space for fits.
#[derive(Debug, Default)]
pub(crate) struct Fitter {
    chart: Chart,
    embedded: Vec<f64>,
    /// The chart of Y, where it has more dimensions than its members span.
    image: Chart,
    rotation: Rotation,
    carried: Vec<f64>,
    basis: Vec<f64>,
    members: usize,
    permuter: Permuter,
}

impl Fitter {
    /// Fits the embedding of `members` to their input.
    #[inline(always)]
    pub(crate) fn fit(&mut self, input: &Input<'_>, embedding: &Points, members: &[u32]) -> Result<Fit> {
        self.members = members.len();
        self.chart.fill(input, members)?;
        let size = self.chart.stride();
        if embedding.dim() < members.len().max(FEW) {
            gather_centered(&mut self.embedded, embedding, members, size);
        } else {
            self.image.fill(&Input::Points(embedding), members)?;
            self.embedded.clear();
            self.embedded.extend_from_slice(self.image.columns());
            // Y has room for all coordinates of X, also where its own chart has fewer.
            let room = self.chart.columns().len().max(size);
            self.embedded.resize(self.embedded.len().max(room), 0.0);
        }
        let dim = self.embedded.len() / size;
        let width = self.chart.width().max(dim);
        let columns = self.chart.columns();
        let principal = (dim * size).min(columns.len());
        let (extent, bound) = self.chart.extent_and_bound(dim);
        let mut fit = Fit { extent, bound, ..Fit::default() };

        fit.size = square(&self.embedded);
        self.rotation.find(columns, &self.embedded, size, width);
        fit.determined = self.rotation.rank() == embedding.dim();
        (fit.rigid, fit.conformal) = self.rotation.residuals(columns, &self.embedded, size, &mut self.carried);

        if width > dim {
            self.rotation.narrow(dim);
            let first = &columns[..principal];
            (fit.principal, _) = self.rotation.residuals(first, &self.embedded, size, &mut self.carried);
        } else {
            fit.principal = fit.rigid;
        }
        fit.linear = self.linear(size, dim);
        Ok(fit)
    }

    /// What the neighborhood that was fitted last would give by chance.
    #[inline(always)]
    pub(crate) fn chance(&mut self, seed: u64) -> Chance {
        let (permuter, pair) = self.pair();
        permuter.chance(&pair, seed)
    }

    /// What `fit`, which was made last, would have for G_C by chance, on average, from the same draws.
    #[inline(always)]
    pub(crate) fn conformal_by_chance(&mut self, fit: &Fit, seed: u64) -> f64 {
        if fit.extent == 0.0 || fit.size == 0.0 {
            return fit.extent;
        }
        let (permuter, pair) = self.pair();
        fit.extent * permuter.conformal(&pair, seed).mean
    }

    /// The two configurations that were fitted last.
    #[inline(always)]
    fn pair(&mut self) -> (&mut Permuter, Pair<'_>) {
        let stride = self.chart.stride();
        let pair = Pair {
            source: self.chart.columns(),
            target: &self.embedded,
            stride,
            members: self.members,
            rank: self.basis.len() / stride,
        };
        (&mut self.permuter, pair)
    }

    /// What is left of the chart off the span of the embedding's coordinates.
    #[inline(always)]
    fn linear(&mut self, size: usize, dim: usize) -> f64 {
        self.basis.clear();
        for column in self.embedded[..dim * size].chunks_exact(size) {
            let before = square(column);
            let start = self.basis.len();
            self.basis.extend_from_slice(column);
            let (done, fresh) = self.basis.split_at_mut(start);
            for _twice in 0..2 {
                for unit in done.chunks_exact(size) {
                    add_scaled(fresh, -dot(fresh, unit), unit);
                }
            }
            let length = square(fresh);
            // A coordinate that the others give already, up to rounding, adds nothing to the span.
            if length <= before * 1e-24 || length == 0.0 {
                self.basis.truncate(start);
            } else {
                let scale = 1.0 / length.sqrt();
                fresh.iter_mut().for_each(|value| *value *= scale);
            }
        }
        let mut left = 0.0;
        for column in self.chart.columns().chunks_exact(size) {
            self.carried.clear();
            self.carried.extend_from_slice(column);
            for unit in self.basis.chunks_exact(size) {
                let share = dot(&self.carried, unit);
                add_scaled(&mut self.carried, -share, unit);
            }
            left += square(&self.carried);
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn a_point_alone_has_nothing_to_fit() {
        let x = Points::new(2, 3, vec![1.0, -2.0, 0.5, 3.0, 1.0, 4.0]).unwrap();
        let y = Points::new(2, 2, vec![0.3, 0.1, -5.0, 2.0]).unwrap();
        let mut fitter = Fitter::default();
        assert_eq!(fitter.fit(&Input::Points(&x), &y, &[1]).unwrap(), Fit::default());
        assert_eq!(fitter.chance(3), Chance::default());
    }

    #[test]
    fn a_map_of_many_dimensions_is_fitted_like_the_same_figure_in_few() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let (count, few, many) = (9, 7, 40);
        let mut numbers = |count: usize| (0..count).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f64>>();
        let x = Points::new(count, 4, numbers(count * 4)).unwrap();
        let figure = Points::new(count, few, numbers(count * few)).unwrap();
        // Every coordinate is repeated five times, divided by the root of five: a rotation into more dimensions.
        let spread = |row: &[f64]| (0..many).map(|at| row.get(at / 5).map_or(0.0, |v| v / 5f64.sqrt())).collect();
        let rows: Vec<Vec<f64>> = (0..count).map(|row| spread(figure.row(row))).collect();
        let wide = Points::from_rows(&rows).unwrap();
        let members: Vec<u32> = (0..count as u32).collect();
        let found = |y: &Points| {
            let mut fitter = Fitter::default();
            let fit = fitter.fit(&Input::Points(&x), y, &members).unwrap();
            let chance = fitter.chance(5);
            let drawn =
                [chance.rigid.mean, chance.conformal.mean, chance.principal.mean, chance.linear, chance.p_value];
            (dim_of(&fitter), [fit.rigid, fit.conformal, fit.principal, fit.linear, fit.size, fit.bound], drawn)
        };
        let (one, other) = (found(&figure), found(&wide));
        assert_eq!((one.0, other.0), (few, few));
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10);
        assert!(near(&one.1, &other.1) && near(&one.2, &other.2), "{one:?} {other:?}");
        let place = Points::new(count, many, vec![2.0; count * many]).unwrap();
        let (_, fit, _) = found(&place);
        assert!((fit[0] - fit[1]).abs() < 1e-12 && fit[4] == 0.0 && fit[5] == 0.0, "{fit:?}");
    }

    /// The number of coordinates in which the last embedding was fitted.
    fn dim_of(fitter: &Fitter) -> usize {
        fitter.embedded.len() / fitter.chart.stride()
    }
}
