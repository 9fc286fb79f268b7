//! A k-d tree with tight boxes, queried leaf by leaf: exact, in any dimension, ties by row.
//!
//! The points are copied in the order of the leaves, each leaf coordinate by coordinate, so that one query is compared
//! with a whole leaf in a few vector instructions. All queries of a leaf walk the tree together: a node is skipped if
//! its box is farther from the box of the leaf than the farthest neighbor that any of them still keeps. Boxes are
//! measured by the same operations in the same order as points, and rounding is monotone, so the lists are exactly
//! those of all pairs, bit for bit.
//!
//! If many distances are equal (lattices, copies of a point), a node at the same distance is skipped by its least row
//! number, so that even n copies of one point cost a logarithm per query.

mod ask;
mod build;
mod walk;

use super::Norm;

/// Points per leaf.
const LEAF: usize = 16;

/// A k-d tree over rows.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    len: usize,
    dim: usize,
    norm: Norm,
    /// The row of each place, leaf by leaf; `u32::MAX` after the last point.
    rows: Vec<u32>,
    /// The coordinates, leaf by leaf, in a leaf axis by axis; infinite after the last point.
    coordinates: Vec<f64>,
    /// In preorder: the left child follows its parent.
    nodes: Vec<Node>,
    /// For each node the low corner, then the high one.
    boxes: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// The number of the right child; or the number of the leaf, with the highest bit set.
    link: u32,
    /// The least row number among its points.
    least_row: u32,
}

impl Node {
    const LEAF: u32 = 1 << 31;

    #[inline(always)]
    fn leaf(self) -> Option<usize> {
        (self.link & Self::LEAF != 0).then_some((self.link & !Self::LEAF) as usize)
    }
}

impl Tree {
    /// The number of leaves.
    pub(crate) fn leaves(&self) -> usize {
        self.rows.len() / LEAF
    }

    /// The rows leaf by leaf; a place without a row holds a number beyond all rows.
    pub(crate) fn order(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows.iter().copied()
    }
}
