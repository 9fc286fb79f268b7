//! Principal axes of points: their coordinates along the directions of largest variance.
//!
//! Y = H X V with V the first d eigenvectors of X'H X, H the centering matrix. Up to [`DENSE_UP_TO`] dimensions q X'H X
//! is written down, O(n q^2); beyond, block Lanczos applies H X X'H, O(n q) a step.

use super::column_block::gram;
use super::covariance::{CHUNK, DENSE_UP_TO, Moments, centered};
use super::{Spectrum, principal, scaled_coordinates};
use crate::linalg::{SymmetricEigen, dot, square};
use crate::{Points, Result, Run};
use rayon::prelude::*;
use serde_json::{Map, Value};

/// Coordinates along the principal axes.
pub(crate) struct PrincipalAxes {
    /// n rows of d.
    pub(crate) values: Vec<f64>,
    /// How many of the d directions the points span.
    pub(crate) rank: usize,
    /// The eigenpairs, where they were iterated.
    spectrum: Option<Spectrum>,
    explained: Explained,
}

impl PrincipalAxes {
    /// The share of the variance along these axes.
    pub(crate) fn share(&self) -> f64 {
        self.explained.share.iter().sum()
    }

    /// Writes what a reader of the fit may want to know.
    pub(crate) fn report(&self, facts: &mut Map<String, Value>) {
        if let Some(spectrum) = &self.spectrum {
            spectrum.report(facts);
        }
        // Beyond the range of numbers the share still tells.
        if self.explained.variance.iter().all(|value| value.is_finite()) {
            facts.insert("variance".into(), self.explained.variance.clone().into());
        }
        facts.insert("variance_share".into(), self.explained.share.clone().into());
    }
}

/// The first `dim` principal coordinates of the points.
pub(crate) fn principal_axes(points: &Points, dim: usize, run: &Run) -> Result<PrincipalAxes> {
    if points.dim() <= DENSE_UP_TO {
        Ok(run.install(|| by_scatter(points, dim)))
    } else {
        by_operator(points, dim, run)
    }
}

/// From the eigenvectors of the q x q matrix.
///
/// The points are centered chunk by chunk, so that nothing as large as they are is kept but the result.
fn by_scatter(points: &Points, dim: usize) -> PrincipalAxes {
    let width = points.dim();
    let (moments, unit) = Moments::in_range(points);
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&moments.scatter, width);
    // The axes beside each other, so that all coordinates of a point come from one pass over it.
    let axes: Vec<f64> = (0..width)
        .flat_map(|row| (0..dim).map(move |at| (row, at)))
        .map(|(row, at)| eigen.vector(at)[row] * unit)
        .collect();
    let values = moments.project(points, unit.recip(), &axes, dim);
    let total: f64 = eigen.values().iter().sum();
    let least = eigen.values()[0].max(0.0) * 1e-15 * width as f64;
    let rank = eigen.values()[..dim].iter().filter(|&&value| value > least).count();
    PrincipalAxes {
        values,
        rank,
        spectrum: None,
        explained: Explained::new(&eigen.values()[..dim], total, unit, points),
    }
}

/// From the eigenvectors of H X X'H, which is never written down.
fn by_operator(points: &Points, dim: usize, run: &Run) -> Result<PrincipalAxes> {
    let width = points.dim();
    let (centered, unit) = run.install(|| centered(points));
    let centered = &centered;
    let apply = |input: &[f64], output: &mut [f64], columns: usize| {
        let sums = gram(input, columns, centered, width);
        output.par_chunks_mut(columns).with_min_len(CHUNK).zip(centered.par_chunks(width)).for_each(|(out, row)| {
            for (out, sums) in out.iter_mut().zip(sums.chunks_exact(width)) {
                *out = dot(row, sums);
            }
        });
        Ok(())
    };
    let spectrum = principal(points.len(), dim, &apply, run)?;
    let total = square(centered);
    let explained = Explained::new(&spectrum.values, total, unit, points);
    let (mut values, rank) = scaled_coordinates(&spectrum);
    values.iter_mut().for_each(|value| *value *= unit);
    Ok(PrincipalAxes { values, rank, spectrum: Some(spectrum), explained })
}

/// The variance along each direction, and its share of all.
struct Explained {
    variance: Vec<f64>,
    share: Vec<f64>,
}

impl Explained {
    fn new(values: &[f64], total: f64, unit: f64, points: &Points) -> Self {
        let count = points.len() as f64;
        let share = |value: &f64| if total > 0.0 { value.max(0.0) / total } else { 0.0 };
        Self {
            variance: values.iter().map(|value| value.max(0.0) / count * unit * unit).collect(),
            share: values.iter().map(share).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_and_huge_points_have_the_coordinates_of_usual_ones_in_their_own_unit() {
        let rows: Vec<f64> = (0..120).map(|at| f64::from(at * 37 % 101) + 3.0).collect();
        let axes = |unit: f64| {
            let points = Points::new(40, 3, rows.iter().map(|value| value * unit).collect()).unwrap();
            principal_axes(&points, 2, &Run::new()).unwrap().values
        };
        let usual = axes(1.0);
        for unit in [2.0_f64.powi(-600), 2.0_f64.powi(600)] {
            for (value, usual) in axes(unit).iter().zip(&usual) {
                assert!((value / unit - usual).abs() < 1e-9, "{unit:e}: {value:e} {usual}");
            }
        }
    }
}
