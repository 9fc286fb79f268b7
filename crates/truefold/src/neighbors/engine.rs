//! The exact ways to search behind one door, and the choice between them.

use super::brute::Brute;
use super::direct::Direct;
use super::shortlist::Emit;
use super::{Algorithm, Norm, Reach, Space, Tiles, Tree};
use crate::{Result, Run};
use std::sync::atomic::{AtomicU64, Ordering};

/// A space made ready for one exact way of searching it.
pub(super) enum Engine<'a> {
    Tree(Tree),
    Brute(Brute<'a>),
    Direct(Direct<'a>),
}

impl<'a> Engine<'a> {
    /// The engine that is asked for, or the faster one.
    pub(super) fn new(space: &'a Space<'a>, algorithm: Algorithm, reach: Reach, run: &Run) -> Result<Self> {
        if algorithm == Algorithm::Brute {
            return Ok(Self::brute(space));
        }
        let tree = Tree::build(space.values(), space.len(), space.dim(), space.norm(), run)?;
        let _ = reach;
        Ok(Self::Tree(tree))
    }

    fn brute(space: &'a Space<'a>) -> Self {
        match (space.norm(), Tiles::new(space)) {
            (Norm::Squares, Some(tiles)) => Self::Brute(Brute::new(space, tiles)),
            _ => Self::Direct(Direct::new(space)),
        }
    }

    /// What it is.
    pub(super) fn algorithm(&self) -> Algorithm {
        match self {
            Self::Tree(_) => Algorithm::Tree,
            Self::Brute(_) | Self::Direct(_) => Algorithm::Brute,
        }
    }

    /// Brings the `k` nearest other points of each row.
    pub(super) fn each_nearest(&self, k: usize, emit: Emit, run: &Run) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.each_nearest(&|_| k, emit, run),
            Self::Brute(brute) => brute.each_nearest(k, emit, run),
            Self::Direct(direct) => direct.each_nearest(k, emit, run),
        }
    }

    /// Brings the other points of each row whose value is at most `limit`.
    pub(super) fn each_within(&self, limit: f64, emit: Emit, run: &Run) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.each_within(limit, emit, run),
            Self::Brute(brute) => brute.each_within(limit, emit, run),
            Self::Direct(direct) => direct.each_within(limit, emit, run),
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
