//! The likelihood of factor analysis, with the loadings that are best for given noise put in.
//!
//! In units of the deviations of the variables S is the matrix of correlations, S_jj = 1. For noise psi_j = exp(t_j) let
//! theta_1 >= theta_2 >= ... be the eigenvalues of Psi^(-1/2) S Psi^(-1/2), u_k their vectors. The best L has the columns
//! Psi^(1/2) u_k sqrt(theta_k - 1), k <= d, none where theta_k <= 1, and leaves
//! f(t) = log |Sigma| + tr(Sigma^-1 S) = sum_j (t_j + exp(-t_j)) + sum_k (log theta_k + 1 - theta_k),
//! df / dt_j = 1 - exp(-t_j) + sum_k (theta_k - 1) u_jk^2 = (Sigma_jj - S_jj) / psi_j.
//! Lawley (1940), Joreskog, "Some contributions to maximum likelihood factor analysis" (1967). Cost: the d largest
//! eigenpairs, O(q^3) where S is written down, O(n q d) a step of block Lanczos elsewhere.

use crate::linalg::{SymmetricEigen, square};
use crate::spectral::{Covariance, Largest, largest};
use crate::{Result, Run};

/// The variables that are not constant, in units of their deviations.
pub(super) struct Variables<'a> {
    covariance: Covariance<'a>,
    count: usize,
    /// The columns that are not constant.
    kept: Vec<usize>,
    /// The deviations of these, in the unit of the covariance.
    deviations: Vec<f64>,
    /// All columns.
    width: usize,
    /// S, where it is written down.
    correlations: Option<Vec<f64>>,
}

/// The best likelihood for given noise.
pub(super) struct Concentrated {
    /// f, which is -2 / n times the logarithm of the likelihood but for constants.
    pub(super) value: f64,
    /// df / dt.
    pub(super) gradient: Vec<f64>,
    /// theta_k, at least one.
    pub(super) strengths: Vec<f64>,
    /// u_k where theta_k > 1, zero elsewhere: a row of d numbers for each variable.
    pub(super) axes: Vec<f64>,
}

impl<'a> Variables<'a> {
    pub(super) fn new(covariance: Covariance<'a>, count: usize) -> Self {
        let squares = covariance.squares();
        let width = squares.len();
        let kept: Vec<usize> = (0..width).filter(|&column| squares[column] > 0.0).collect();
        let deviations: Vec<f64> = kept.iter().map(|&column| (squares[column] / count as f64).sqrt()).collect();
        let correlations = covariance.matrix().map(|matrix| {
            let of = |a: usize, b: usize| {
                if a == b {
                    1.0
                } else {
                    matrix[kept[a] * width + kept[b]] / (squares[kept[a]].sqrt() * squares[kept[b]].sqrt())
                }
            };
            (0..kept.len()).flat_map(|a| (0..kept.len()).map(move |b| (a, b))).map(|(a, b)| of(a, b)).collect()
        });
        Self { covariance, count, kept, deviations, width, correlations }
    }

    /// The number of variables that are not constant.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// The sum of the logarithms of the deviations, in the unit of the points.
    pub(super) fn log_deviations(&self) -> f64 {
        let unit = self.covariance.unit().ln();
        self.deviations.iter().map(|deviation| deviation.ln() + unit).sum()
    }

    /// For the noise exp(t), with `dim` factors.
    pub(super) fn concentrated(&self, t: &[f64], dim: usize, run: &Run) -> Result<Concentrated> {
        let (mut strengths, mut axes) = match &self.correlations {
            Some(matrix) => run.install(|| dense(matrix, t, dim)),
            None => self.iterated(t, dim, run)?,
        };
        for (factor, strength) in strengths.iter_mut().enumerate().filter(|(_, strength)| **strength <= 1.0) {
            *strength = 1.0;
            axes.iter_mut().skip(factor).step_by(dim).for_each(|value| *value = 0.0);
        }
        let explained: f64 = strengths.iter().map(|theta| theta.ln() + 1.0 - theta).sum();
        let value = t.iter().map(|t| t + (-t).exp()).sum::<f64>() + explained;
        let gradient = t.iter().zip(axes.chunks_exact(dim)).map(|(t, axes)| {
            let loaded: f64 = axes.iter().zip(&strengths).map(|(u, theta)| (theta - 1.0) * u * u).sum();
            1.0 - (-t).exp() + loaded
        });
        let gradient = gradient.collect();
        Ok(Concentrated { value, gradient, strengths, axes })
    }

    /// The eigenpairs where S is not written down.
    fn iterated(&self, t: &[f64], dim: usize, run: &Run) -> Result<(Vec<f64>, Vec<f64>)> {
        // From the unit of the points to that in which the noise is one.
        let factors: Vec<f64> =
            t.iter().zip(&self.deviations).map(|(t, deviation)| (-0.5 * t).exp() / deviation).collect();
        let apply = |input: &[f64], output: &mut [f64], columns: usize| {
            let mut wide = vec![0.0; self.width * columns];
            for ((row, &column), factor) in input.chunks_exact(columns).zip(&self.kept).zip(&factors) {
                wide[column * columns..][..columns]
                    .iter_mut()
                    .zip(row)
                    .for_each(|(wide, value)| *wide = factor * value);
            }
            let mut image = vec![0.0; wide.len()];
            self.covariance.apply(&wide, &mut image, columns);
            for ((row, &column), factor) in output.chunks_exact_mut(columns).zip(&self.kept).zip(&factors) {
                let image = &image[column * columns..][..columns];
                row.iter_mut().zip(image).for_each(|(row, image)| *row = factor * image / self.count as f64);
            }
            Ok(())
        };
        let found = run.install(|| largest(Largest::of(self.len(), dim), run.seed(), &|_, _| (), &apply, run))?;
        let mut strengths = found.values;
        strengths.resize(dim, 0.0);
        let mut axes = vec![0.0; self.len() * dim];
        for (out, row) in axes.chunks_exact_mut(dim).zip(found.vectors.chunks_exact(found.columns)) {
            out[..found.columns].copy_from_slice(row);
        }
        Ok((strengths, axes))
    }

    /// The posterior means Theta^-1 (Theta - 1)^(1/2) U' Psi^(-1/2) (x - mu), a row of d numbers a point.
    pub(super) fn scores(&self, t: &[f64], best: &Concentrated) -> Vec<f64> {
        let dim = best.strengths.len();
        let mut map = vec![0.0; self.width * dim];
        for (at, &column) in self.kept.iter().enumerate() {
            let factor = (-0.5 * t[at]).exp() / self.deviations[at];
            for (factor_at, theta) in best.strengths.iter().enumerate() {
                map[column * dim + factor_at] = factor * best.axes[at * dim + factor_at] * (theta - 1.0).sqrt() / theta;
            }
        }
        self.covariance.project(&map, dim)
    }
}

/// The eigenpairs of Psi^(-1/2) S Psi^(-1/2).
fn dense(correlations: &[f64], t: &[f64], dim: usize) -> (Vec<f64>, Vec<f64>) {
    let size = t.len();
    let factors: Vec<f64> = t.iter().map(|t| (-0.5 * t).exp()).collect();
    let mut scaled = correlations.to_vec();
    for (row, factor) in scaled.chunks_exact_mut(size).zip(&factors) {
        row.iter_mut().zip(&factors).for_each(|(value, other)| *value *= factor * other);
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&scaled, size);
    let found = dim.min(size);
    let mut strengths = eigen.values()[..found].to_vec();
    strengths.resize(dim, 0.0);
    let mut axes = vec![0.0; size * dim];
    for factor in 0..found {
        let vector = eigen.vector(factor);
        debug_assert!((square(vector) - 1.0).abs() < 1e-8);
        axes.iter_mut().skip(factor).step_by(dim).zip(vector).for_each(|(out, value)| *out = *value);
    }
    (strengths, axes)
}
