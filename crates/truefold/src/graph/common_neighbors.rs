//! Which points are near one point in a neighbor graph: those that have a neighbor in common with it, themselves included.
//!
//! This is wider than the lists and has no number to choose: the 13th neighbor of 12 is no stranger. Cost: O(k log k) for
//! each point asked about.

use crate::Neighborhoods;

/// The point from which others are looked at.
#[derive(Debug, Default)]
pub(crate) struct CommonNeighbors {
    sorted: Vec<u32>,
}

impl CommonNeighbors {
    /// Looks from the point of this row.
    pub(crate) fn look_from(&mut self, graph: &Neighborhoods, row: usize) {
        self.sorted.clear();
        self.sorted.extend_from_slice(graph.members(row));
        self.sorted.sort_unstable();
    }

    /// Whether `other` is near that point in the same graph.
    pub(crate) fn has(&self, graph: &Neighborhoods, other: u32) -> bool {
        graph.members(other as usize).iter().any(|member| self.sorted.binary_search(member).is_ok())
    }
}
