//! A few eigenvectors of large symmetric matrices: the largest of any operator, the smallest of sparse semidefinite
//! ones.
//!
//! [`largest`] is block Lanczos on a closure; [`smallest`] turns the smallest into the largest by a sparse factor, or
//! iterates with a preconditioner where that factor would be too large. Known null vectors are projected out of every
//! block, so that they are never found, whatever the rounding. Everything is stored row by row and
//! summed in fixed chunks: the same bits on any number of threads.

pub(crate) mod alignment;
mod classical_scaling;
mod column_block;
mod covariance;
mod iterate;
mod lanczos;
mod landmark_scaling;
mod principal;
mod principal_axes;
mod smallest;
pub(crate) mod spread;
mod symmetric_rows;
#[cfg(test)]
mod tests;
mod weighted;

pub(crate) use classical_scaling::{ClassicalScaling, classical_scaling};
use column_block::gram;
pub(crate) use covariance::{Covariance, centered};
pub(crate) use lanczos::{Largest, largest};
pub(crate) use landmark_scaling::landmark_scaling;
pub(crate) use principal::{principal, scaled_coordinates};
pub(crate) use principal_axes::principal_axes;
pub(crate) use smallest::{Sparse, counted, smallest};
pub(crate) use spread::{Spread, spread};
pub(crate) use symmetric_rows::SymmetricRows;

use serde_json::{Map, Value};

/// Eigenpairs, and how good they are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spectrum {
    /// The eigenvalues in the order asked for: largest or smallest first.
    pub(crate) values: Vec<f64>,
    /// The next eigenvalue, where it is known.
    pub(crate) next: Option<f64>,
    /// The unit eigenvectors, n rows of `values.len()` numbers.
    pub(crate) vectors: Vec<f64>,
    /// The largest |A v - l v|, recomputed from A, relative to the size of A.
    pub(crate) residual: f64,
    /// The size of A that the residual is relative to.
    pub(crate) scale: f64,
    /// How often A, or its inverse, was applied to a block.
    pub(crate) steps: usize,
    /// The entries of the sparse factor, where there was one.
    pub(crate) factor_entries: Option<usize>,
    /// How they were found.
    pub(crate) way: &'static str,
}

impl Spectrum {
    /// Adds what a reader of the fit may want to know.
    pub(crate) fn report(&self, facts: &mut Map<String, Value>) {
        facts.insert("eigenvalues".into(), self.values.clone().into());
        if let Some(next) = self.next {
            facts.insert("eigenvalue_next".into(), next.into());
        }
        facts.insert("eigen_residual".into(), self.residual.into());
        facts.insert("eigen_steps".into(), self.steps.into());
        facts.insert("eigen_way".into(), self.way.into());
        if let Some(entries) = self.factor_entries {
            facts.insert("factor_entries".into(), entries.into());
        }
    }
}

/// What eigenpairs leave: |A v - l v|.
struct Residual<'a> {
    vectors: &'a [f64],
    images: &'a [f64],
    values: &'a [f64],
}

impl Residual<'_> {
    /// The largest over the columns, relative to `scale`.
    fn largest(&self, scale: f64) -> f64 {
        let largest = self.lengths().into_iter().fold(0.0, f64::max);
        if scale > 0.0 { largest / scale } else { largest }
    }

    /// That of every column.
    fn lengths(&self) -> Vec<f64> {
        let columns = self.values.len();
        let rest: Vec<f64> = self
            .images
            .chunks_exact(columns)
            .zip(self.vectors.chunks_exact(columns))
            .flat_map(|(image, vector)| {
                image.iter().zip(vector).zip(self.values).map(|((image, vector), value)| image - value * vector)
            })
            .collect();
        let squares = gram(&rest, columns, &rest, columns);
        (0..columns).map(|at| squares[at * columns + at].sqrt()).collect()
    }
}
