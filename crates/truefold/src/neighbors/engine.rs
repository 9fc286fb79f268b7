//! The exact ways to search, behind one door.

use super::shortlist::Emit;
use super::{Algorithm, Space, Tree};
use crate::{Result, Run};
use std::sync::atomic::{AtomicU64, Ordering};

/// A space made ready for one exact way of searching it.
pub(super) enum Engine {
    Tree(Tree),
}

impl Engine {
    /// The engine that is asked for, or the faster one.
    pub(super) fn new(space: &Space, algorithm: Algorithm, run: &Run) -> Result<Self> {
        let _ = algorithm;
        Ok(Self::Tree(Tree::build(space.values(), space.len(), space.dim(), space.norm(), run)?))
    }

    /// What it is.
    pub(super) fn algorithm(&self) -> Algorithm {
        match self {
            Self::Tree(_) => Algorithm::Tree,
        }
    }

    /// Brings the `k` nearest other points of each row.
    pub(super) fn each_nearest(&self, k: usize, emit: Emit, run: &Run) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.each_nearest(&|_| k, emit, run),
        }
    }

    /// Brings the other points of each row whose value is at most `limit`.
    pub(super) fn each_within(&self, limit: f64, emit: Emit, run: &Run) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.each_within(limit, emit, run),
        }
    }

    /// The value from each row to its nearest other one.
    pub(super) fn nearest_values(&self, count: usize, run: &Run) -> Result<Vec<f64>> {
        let values: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
        let store = |row: u32, list: &[(f64, u32)]| {
            values[row as usize].store(list[0].0.to_bits(), Ordering::Relaxed);
            Ok(())
        };
        self.each_nearest(1, &store, run)?;
        Ok(values.into_iter().map(|value| f64::from_bits(value.into_inner())).collect())
    }
}
