//! One analyzer: a Gaussian of the global coordinates and, given these, a linear Gaussian model of the data.
//!
//! p(g | s) = N(kappa_s, V_s), p(x | g, s) = N(mu_s + M_s (g - kappa_s), Psi_s). Its best parameters depend on the points
//! through weighted moments alone, w_n = q_ns / sum_n q_ns: mu_s = sum w x, kappa_s = sum w g, and
//! C_gg = sum w ((g - kappa)(g - kappa)' + Sigma_n), C_xg = sum w (x - mu)(g - kappa)', diag C_xx. What an analyzer makes of
//! C_gg, C_xg and C_xx is what methods differ in ([`Analysis`]). Cost: O(q d) a point and analyzer.

use super::State;
use super::memberships::Memberships;
use crate::linalg::{SymmetricEigen, add_scaled, dot};
use std::f64::consts::TAU;

/// Analyzers that explain less than this many points explain none.
const NOTHING: f64 = 1e-9;

/// How an analyzer is fitted to moments of its points.
pub(in crate::embed) trait Analysis: Sync {
    /// The M, Psi and V of the greatest bound.
    fn fitted(&self, moments: &Moments, bounds: &Bounds) -> Parameters;
}

/// Weighted moments of the points of an analyzer.
#[derive(Debug)]
pub(in crate::embed) struct Moments {
    /// C_xg, a row of d numbers for each variable.
    pub(in crate::embed) cross: Vec<f64>,
    /// C_gg, d x d.
    pub(in crate::embed) within: Vec<f64>,
    /// The diagonal of C_xx.
    pub(in crate::embed) squares: Vec<f64>,
}

/// The least variances allowed: without them an analyzer of few points could have any likelihood.
#[derive(Debug)]
pub(in crate::embed) struct Bounds {
    /// Of the noise of each variable.
    pub(in crate::embed) noise: Vec<f64>,
    /// Of the global coordinates of an analyzer in any direction.
    pub(in crate::embed) spread: f64,
}

/// What an analyzer is besides its means.
#[derive(Debug)]
pub(in crate::embed) struct Parameters {
    /// M, a row of d numbers for each variable.
    pub(in crate::embed) map: Vec<f64>,
    /// The diagonal of Psi.
    pub(in crate::embed) noise: Vec<f64>,
    /// V, d x d.
    pub(in crate::embed) spread: Vec<f64>,
}

/// What the points have to know of a fitted analyzer.
#[derive(Debug, Default)]
pub(super) struct Analyzer {
    /// P = V^-1 + M'Psi^-1 M, the precision of g given x and s.
    pub(super) precision: Vec<f64>,
    /// p_s M'M.
    pub(super) metric: Vec<f64>,
    /// For each member log p(x, s) + log |P| / 2; none where the analyzer explains nothing.
    pub(super) evidence: Vec<f64>,
    /// For each member the mean of g given x and s, d numbers.
    pub(super) means: Vec<f64>,
}

/// Where an analyzer lies: the sum of its shares, and its means.
struct Place {
    total: f64,
    /// mu.
    center: Vec<f64>,
    /// kappa.
    origin: Vec<f64>,
}

/// Fits analyzer `index` to the coordinates and shares of a state, and tells what it makes of its members.
pub(super) fn analyze(
    index: usize,
    memberships: &Memberships,
    (values, width): (&[f64], usize),
    state: &State,
    analysis: &dyn Analysis,
    bounds: &Bounds,
) -> Analyzer {
    let dim = state.dim;
    let members = memberships.of_analyzer(index);
    let total: f64 = members.clone().map(|(_, place)| state.shares[place]).sum();
    if total <= NOTHING {
        return Analyzer::default();
    }
    let mut place = Place { total, center: vec![0.0; width], origin: vec![0.0; dim] };
    for (point, at) in members.clone() {
        let weight = state.shares[at] / total;
        add_scaled(&mut place.center, weight, &values[point * width..][..width]);
        add_scaled(&mut place.origin, weight, &state.coordinates[point * dim..][..dim]);
    }
    let moments = place.moments(members.clone(), values, state);
    let fitted = analysis.fitted(&moments, bounds);
    let rows = members.map(|(point, _)| &values[point * width..][..width]);
    place.told(&fitted, rows, memberships.points())
}

impl Place {
    /// The moments of the members, with their places, about the means.
    fn moments(&self, members: impl Iterator<Item = (usize, usize)>, values: &[f64], state: &State) -> Moments {
        let (width, dim) = (self.center.len(), self.origin.len());
        let mut moments =
            Moments { cross: vec![0.0; width * dim], within: vec![0.0; dim * dim], squares: vec![0.0; width] };
        let (mut x, mut g) = (vec![0.0; width], vec![0.0; dim]);
        for (point, at) in members {
            let weight = state.shares[at] / self.total;
            if weight == 0.0 {
                continue;
            }
            difference(&mut x, &values[point * width..][..width], &self.center);
            difference(&mut g, &state.coordinates[point * dim..][..dim], &self.origin);
            add_scaled(&mut moments.within, weight, &state.uncertainty[point * dim * dim..][..dim * dim]);
            for (row, a) in moments.within.chunks_exact_mut(dim).zip(&g) {
                add_scaled(row, weight * a, &g);
            }
            for ((row, square), a) in moments.cross.chunks_exact_mut(dim).zip(&mut moments.squares).zip(&x) {
                add_scaled(row, weight * a, &g);
                *square += weight * a * a;
            }
        }
        moments
    }

    /// What the fitted analyzer makes of the rows of its members, among `count` points in all.
    fn told<'a>(&self, fitted: &Parameters, rows: impl Iterator<Item = &'a [f64]>, count: usize) -> Analyzer {
        let (width, dim) = (self.center.len(), self.origin.len());
        let share = self.total / count as f64;
        let mut eigen = SymmetricEigen::default();
        let (precision, log_spread) = inverted(&fitted.spread, dim, &mut eigen);
        let mut analyzer = Analyzer { precision, metric: vec![0.0; dim * dim], ..Analyzer::default() };
        for (row, noise) in fitted.map.chunks_exact(dim).zip(&fitted.noise) {
            for (at, a) in row.iter().enumerate() {
                add_scaled(&mut analyzer.precision[at * dim..][..dim], a / noise, row);
                add_scaled(&mut analyzer.metric[at * dim..][..dim], share * a, row);
            }
        }
        let (posterior, _) = inverted(&analyzer.precision, dim, &mut eigen);
        let log_noise: f64 = fitted.noise.iter().map(|noise| noise.ln()).sum();
        // |Psi + M V M'| = |Psi| |V| |P|, and the last of these goes out against log |P| / 2.
        let constant = share.ln() - 0.5 * (log_noise + log_spread + width as f64 * TAU.ln());
        let (mut x, mut pull) = (vec![0.0; width], vec![0.0; dim]);
        for values in rows {
            difference(&mut x, values, &self.center);
            pull.fill(0.0);
            let mut form = 0.0;
            for ((row, noise), a) in fitted.map.chunks_exact(dim).zip(&fitted.noise).zip(&x) {
                add_scaled(&mut pull, a / noise, row);
                form += a * a / noise;
            }
            for (row, origin) in posterior.chunks_exact(dim).zip(&self.origin) {
                analyzer.means.push(origin + dot(row, &pull));
            }
            let explained: f64 = posterior.chunks_exact(dim).zip(&pull).map(|(row, a)| a * dot(row, &pull)).sum();
            analyzer.evidence.push(constant - 0.5 * (form - explained));
        }
        analyzer
    }
}

fn difference(out: &mut [f64], a: &[f64], b: &[f64]) {
    out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = a - b);
}

/// The inverse of a positive definite matrix, and the logarithm of its determinant.
pub(super) fn inverted(matrix: &[f64], dim: usize, eigen: &mut SymmetricEigen) -> (Vec<f64>, f64) {
    eigen.decompose(matrix, dim);
    let values: Vec<f64> = eigen.values().iter().map(|value| value.max(f64::MIN_POSITIVE)).collect();
    (rebuilt(eigen, dim, |at| 1.0 / values[at]), values.iter().map(|value| value.ln()).sum())
}

/// The matrix with the eigenvectors of another one, and other eigenvalues.
pub(in crate::embed) fn rebuilt(eigen: &SymmetricEigen, dim: usize, value: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut matrix = vec![0.0; dim * dim];
    for at in 0..dim {
        let vector = eigen.vector(at);
        for (row, a) in matrix.chunks_exact_mut(dim).zip(vector) {
            add_scaled(row, value(at) * a, vector);
        }
    }
    matrix
}
