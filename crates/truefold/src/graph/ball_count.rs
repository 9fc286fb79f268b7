//! How many points lie within a distance, and which: a k-d tree that counts boxes that lie completely inside.
//!
//! Points and boxes are measured by the same operations in the same order, and rounding is monotone, so a count is
//! exactly that of a comparison with all points. Cost: O(n log n) to build; a count visits only the boxes that the sphere cuts.

use crate::Points;
use crate::linalg::squared_distance;

/// Points per leaf.
const LEAF: usize = 16;

/// Points ready to be counted.
#[derive(Debug)]
pub(crate) struct BallCount {
    dim: usize,
    coordinates: Vec<f64>,
    /// The row of each point in `coordinates`.
    rows: Vec<u32>,
    /// In preorder: the left child follows its parent.
    nodes: Vec<Node>,
    /// For each node the low corner, then the high one.
    boxes: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    start: usize,
    end: usize,
    /// The right child; zero for a leaf.
    right: usize,
}

impl BallCount {
    pub(crate) fn new(points: &Points) -> Self {
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        let dim = points.dim();
        let mut tree = Self { dim, coordinates: Vec::new(), rows: Vec::new(), nodes: Vec::new(), boxes: Vec::new() };
        tree.build(points, &mut order, 0);
        tree.coordinates.reserve_exact(points.values().len());
        for &row in &order {
            tree.coordinates.extend_from_slice(points.row(row as usize));
        }
        tree.rows = order;
        tree
    }

    fn build(&mut self, points: &Points, order: &mut [u32], start: usize) {
        let (node, dim) = (self.nodes.len(), self.dim);
        self.nodes.push(Node { start, end: start + order.len(), right: 0 });
        let first = points.row(order[0] as usize);
        self.boxes.extend_from_slice(first);
        self.boxes.extend_from_slice(first);
        let (low, high) = self.boxes[node * 2 * dim..].split_at_mut(dim);
        for &row in order.iter() {
            for (axis, &value) in points.row(row as usize).iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        let widest = (0..dim).max_by(|&a, &b| (high[a] - low[a]).total_cmp(&(high[b] - low[b]))).unwrap_or(0);
        if order.len() <= LEAF || low[widest] == high[widest] {
            return;
        }
        let middle = order.len() / 2;
        let at = |row: u32| points.row(row as usize)[widest];
        order.select_nth_unstable_by(middle, |&a, &b| at(a).total_cmp(&at(b)));
        let (left, right) = order.split_at_mut(middle);
        self.build(points, left, start);
        self.nodes[node].right = self.nodes.len();
        self.build(points, right, start + middle);
    }

    /// The number of points whose squared distance from `center` is `inside`; if a distance is not, no larger one may be.
    pub(crate) fn count(&self, center: &[f64], inside: impl Fn(f64) -> bool) -> usize {
        let (mut total, mut open) = (0, vec![0]);
        while let Some(index) = open.pop() {
            let node = self.nodes[index];
            let (nearest, farthest) = self.reach(index, center);
            if inside(farthest) {
                total += node.end - node.start;
            } else if !inside(nearest) {
                continue;
            } else if node.right == 0 {
                let points = self.coordinates[node.start * self.dim..node.end * self.dim].chunks_exact(self.dim);
                total += points.filter(|point| inside(squared_distance(center, point))).count();
            } else {
                open.push(node.right);
                open.push(index + 1);
            }
        }
        total
    }

    /// Puts the rows of such points into `rows`, in the order of the tree, and stops at `most` of them.
    pub(crate) fn list(&self, center: &[f64], inside: impl Fn(f64) -> bool, most: usize, rows: &mut Vec<u32>) {
        rows.clear();
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let node = self.nodes[index];
            if rows.len() == most || !inside(self.reach(index, center).0) {
                continue;
            }
            if node.right > 0 {
                open.push(node.right);
                open.push(index + 1);
                continue;
            }
            let points = self.coordinates[node.start * self.dim..node.end * self.dim].chunks_exact(self.dim);
            let found = points
                .zip(&self.rows[node.start..node.end])
                .filter(|(point, _)| inside(squared_distance(center, point)));
            rows.extend(found.map(|(_, &row)| row).take(most - rows.len()));
        }
    }

    /// The least and the largest squared distance that a point in the box of a node can have from `center`.
    #[inline(always)]
    fn reach(&self, node: usize, center: &[f64]) -> (f64, f64) {
        let (low, high) = self.boxes[node * 2 * self.dim..(node + 1) * 2 * self.dim].split_at(self.dim);
        let (mut nearest, mut farthest) = (0.0, 0.0);
        for axis in 0..self.dim {
            let (below, above) = (low[axis] - center[axis], center[axis] - high[axis]);
            let (gap, span) = (below.max(above).max(0.0), below.abs().max(above.abs()));
            nearest += gap * gap;
            farthest += span * span;
        }
        (nearest, farthest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_a_comparison_with_all_points() {
        for dim in 1..4 {
            // Many copies and many equal distances.
            let values = (0..600 * dim).map(|i| ((i * i * 31) % 101) as f64 * 0.1).collect();
            let points = Points::new(600, dim, values).unwrap();
            let tree = BallCount::new(&points);
            for center in (0..600).step_by(7) {
                for radius in [0.0, 0.1, 0.3, 2.0, 50.0] {
                    let inside = |square: f64| square == 0.0 || square < radius * radius;
                    let expected =
                        points.rows().filter(|row| inside(squared_distance(points.row(center), row))).count();
                    assert_eq!(tree.count(points.row(center), inside), expected);
                    let mut rows = Vec::new();
                    tree.list(points.row(center), inside, 600, &mut rows);
                    assert!(
                        rows.iter().all(|&row| inside(squared_distance(points.row(center), points.row(row as usize))))
                    );
                    rows.sort_unstable();
                    rows.dedup();
                    assert_eq!(rows.len(), expected);
                    tree.list(points.row(center), inside, 5, &mut rows);
                    assert_eq!(rows.len(), expected.min(5));
                }
            }
        }
    }
}
