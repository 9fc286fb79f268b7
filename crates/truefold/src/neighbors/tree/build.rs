//! Building the tree: halve the points at the median of their widest coordinate until a leaf is left.
//!
//! Every leaf but the last is full, so that nodes need not store where they end. Equal coordinates are divided by row
//! number, so that the depth is logarithmic for any data. Cost: n log n comparisons, halves in parallel.

use super::{LEAF, Node, Tree};
use crate::neighbors::Space;
use crate::{Result, Run, memory};

/// Points from which the widest coordinate of a large node is estimated.
const SAMPLE: usize = 256;
/// Nodes of fewer points are built by one thread.
const ALONE: usize = 8192;

impl Tree {
    /// The bytes that a tree of so many coordinates takes.
    pub(crate) fn size(len: usize, dim: usize) -> usize {
        len.saturating_mul(dim).saturating_mul(size_of::<f64>())
    }

    /// The tree of the rows of `space`.
    pub(crate) fn build(space: &Space, run: &Run) -> Result<Self> {
        let (len, dim, norm) = (space.len(), space.dim(), space.norm());
        let leaves = len.div_ceil(LEAF);
        let count = 2 * leaves - 1;
        let numbers = len as f64 * (dim * size_of::<f64>() + size_of::<u32>() + size_of::<u128>()) as f64;
        let boxes = count as f64 * (size_of::<Node>() + 2 * dim * size_of::<f64>()) as f64;
        memory::check(format!("a tree of {len} points"), numbers + boxes, "give fewer points")?;
        let mut tree = Self {
            len,
            dim,
            norm,
            rows: vec![u32::MAX; leaves * LEAF],
            coordinates: vec![f64::INFINITY; leaves * LEAF * dim],
            nodes: vec![Node::default(); count],
            boxes: vec![0.0; count * 2 * dim],
        };
        let mut keys: Vec<u128> = (0..len as u128).collect();
        let part = Subtree {
            first: 0,
            leaf: 0,
            keys: &mut keys,
            rows: &mut tree.rows,
            coordinates: &mut tree.coordinates,
            nodes: &mut tree.nodes,
            boxes: &mut tree.boxes,
        };
        let builder = Builder { space, dim, run };
        run.install(|| builder.build(part))?;
        Ok(tree)
    }
}

struct Builder<'a> {
    space: &'a Space<'a>,
    dim: usize,
    run: &'a Run,
}

/// A subtree to build: the numbers of its first node and leaf, and its share of everything.
struct Subtree<'a> {
    first: u32,
    leaf: u32,
    /// The rows in the low half; above them the coordinate that is being compared.
    keys: &'a mut [u128],
    rows: &'a mut [u32],
    coordinates: &'a mut [f64],
    nodes: &'a mut [Node],
    boxes: &'a mut [f64],
}

impl Builder<'_> {
    fn build(&self, part: Subtree) -> Result<()> {
        if part.nodes.len() == 1 {
            self.leaf(part);
            return Ok(());
        }
        self.run.check()?;
        let left_leaves = part.nodes.len().div_ceil(2) / 2;
        let left_nodes = 2 * left_leaves - 1;
        let points = part.keys.len();
        let axis = self.widest(part.keys);
        for key in part.keys.iter_mut() {
            let row = *key as u32;
            let mut value = [0.0];
            self.space.read_from(row as usize, axis, &mut value);
            *key = u128::from(sortable(value[0])) << 32 | u128::from(row);
        }
        part.keys.select_nth_unstable(left_leaves * LEAF);

        let (this, nodes) = part.nodes.split_at_mut(1);
        let (this_box, boxes) = part.boxes.split_at_mut(2 * self.dim);
        let (left_keys, right_keys) = part.keys.split_at_mut(left_leaves * LEAF);
        let (left_rows, right_rows) = part.rows.split_at_mut(left_leaves * LEAF);
        let (left_coordinates, right_coordinates) = part.coordinates.split_at_mut(left_leaves * LEAF * self.dim);
        let (left, right) = nodes.split_at_mut(left_nodes);
        let (left_boxes, right_boxes) = boxes.split_at_mut(left_nodes * 2 * self.dim);
        let right_first = part.first + 1 + left_nodes as u32;
        let left_part = Subtree {
            first: part.first + 1,
            leaf: part.leaf,
            keys: left_keys,
            rows: left_rows,
            coordinates: left_coordinates,
            nodes: left,
            boxes: left_boxes,
        };
        let right_part = Subtree {
            first: right_first,
            leaf: part.leaf + left_leaves as u32,
            keys: right_keys,
            rows: right_rows,
            coordinates: right_coordinates,
            nodes: right,
            boxes: right_boxes,
        };
        if points > ALONE {
            let (left_done, right_done) = rayon::join(|| self.build(left_part), || self.build(right_part));
            left_done.and(right_done)?;
        } else {
            self.build(left_part)?;
            self.build(right_part)?;
        }
        this[0] = Node { link: right_first, least_row: left[0].least_row.min(right[0].least_row) };
        for axis in 0..self.dim {
            this_box[axis] = left_boxes[axis].min(right_boxes[axis]);
            this_box[self.dim + axis] = left_boxes[self.dim + axis].max(right_boxes[self.dim + axis]);
        }
        Ok(())
    }

    fn leaf(&self, part: Subtree) {
        // In order of rows, the order in which ties are kept.
        part.keys.iter_mut().for_each(|key| *key &= u128::from(u32::MAX));
        part.keys.sort_unstable();
        let (low, high) = part.boxes.split_at_mut(self.dim);
        low.fill(f64::INFINITY);
        high.fill(f64::NEG_INFINITY);
        let mut room = Vec::new();
        for (place, &key) in part.keys.iter().enumerate() {
            let row = key as u32;
            part.rows[place] = row;
            for (axis, &value) in self.space.row(row as usize, &mut room).iter().enumerate() {
                part.coordinates[axis * LEAF + place] = value;
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        part.nodes[0] = Node { link: Node::LEAF | part.leaf, least_row: part.rows[0] };
    }

    /// The coordinate with the widest range, estimated on an even sample.
    fn widest(&self, keys: &[u128]) -> usize {
        let step = if keys.len() > 4 * SAMPLE { keys.len() / SAMPLE } else { 1 };
        let mut best = (0, f64::NEG_INFINITY);
        // Sixteen coordinates at a time, to use every cache line that is fetched.
        for start in (0..self.dim).step_by(16) {
            let width = (self.dim - start).min(16);
            let (mut low, mut high) = ([f64::INFINITY; 16], [f64::NEG_INFINITY; 16]);
            for key in keys.iter().step_by(step) {
                let mut point = [0.0; 16];
                self.space.read_from(*key as u32 as usize, start, &mut point[..width]);
                for (axis, &value) in point[..width].iter().enumerate() {
                    low[axis] = low[axis].min(value);
                    high[axis] = high[axis].max(value);
                }
            }
            for axis in 0..width {
                if high[axis] - low[axis] > best.1 {
                    best = (start + axis, high[axis] - low[axis]);
                }
            }
        }
        best.0
    }
}

/// Bits that compare like the number; both zeros are equal.
#[inline(always)]
fn sortable(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::asks_for;
    use crate::{Metric, Points};

    #[test]
    fn what_a_tree_holds_is_compared_with_the_memory_that_is_there() {
        let points = Points::new(40, 3, (0..120).map(|at| f64::from(at * at % 37)).collect()).unwrap();
        let space = Space::new(&points, Metric::Euclidean).unwrap();
        // A point, its number and its key; five nodes over three leaves, and their corners.
        asks_for(40 * (3 * 8 + 4 + 16) + 5 * (8 + 2 * 3 * 8), || Tree::build(&space, &Run::new()));
    }
}
