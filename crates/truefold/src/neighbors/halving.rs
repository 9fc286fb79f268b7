//! Trees that put near points into the same leaf: each node is halved across the line through two far points.
//!
//! Of a few random pairs the farthest gives the direction, and the points are halved by their order along it (Dasgupta
//! and Freund 2008 cut at random; Annoy halfway between the two). Leaves have nearly equal size. Cost: q multiplications
//! a point and level.

use super::Norm;
use super::kernel::{AHEAD, Rows};
use super::rough::{Plain, lanes};
use crate::random::hash;
use crate::{Result, Run};

/// Random pairs of points, the farthest of which gives the direction of a cut.
const DRAWS: u64 = 4;

/// The rows of one tree in the order of its leaves, and where each leaf begins; the last number is the end.
pub(super) struct Halving {
    pub(super) rows: Vec<u32>,
    pub(super) starts: Vec<u32>,
}

impl Halving {
    /// A tree whose leaves have at most `leaf` rows.
    pub(super) fn grow(rows: Rows, leaf: usize, seed: u64, run: &Run) -> Result<Self> {
        let mut halving = Self { rows: (0..rows.squares.len() as u32).collect(), starts: Vec::new() };
        let mut waiting = vec![(0, halving.rows.len(), 0_u64)];
        let mut places = Vec::new();
        while let Some((start, end, depth)) = waiting.pop() {
            if end - start <= leaf {
                halving.starts.push(start as u32);
                continue;
            }
            run.check()?;
            let part = &mut halving.rows[start..end];
            let normal = direction(rows, part, hash(seed, hash(start as u64, depth)));
            places.clear();
            pulp::Arch::new().dispatch(Project { rows, normal: &normal, part, places: &mut places });
            let leaves = part.len().div_ceil(leaf);
            let middle = part.len() * (leaves / 2) / leaves;
            places.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            part.iter_mut().zip(&places).for_each(|(row, place)| *row = place.1);
            waiting.push((start + middle, end, depth + 1));
            waiting.push((start, start + middle, depth + 1));
        }
        halving.starts.push(halving.rows.len() as u32);
        Ok(halving)
    }

    /// Leaves of consecutive rows, of nearly equal size.
    pub(super) fn in_order(count: usize, leaf: usize) -> Self {
        let leaves = count.div_ceil(leaf);
        let starts = (0..=leaves).map(|number| (number * count / leaves) as u32).collect();
        Self { rows: (0..count as u32).collect(), starts }
    }

    /// The rows of one leaf.
    pub(super) fn leaf(&self, number: usize) -> &[u32] {
        &self.rows[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// How many leaves there are.
    pub(super) fn leaves(&self) -> usize {
        self.starts.len() - 1
    }
}

/// The difference of the farthest of a few pairs.
fn direction(rows: Rows, part: &[u32], key: u64) -> Vec<f32> {
    let draw = |number: u64| rows.row(part[(hash(key, number) % part.len() as u64) as usize]);
    let pairs = (0..DRAWS).map(|pair| (draw(2 * pair), draw(2 * pair + 1)));
    let length = |(a, b): &(&[f32], &[f32])| {
        pulp::Arch::new().dispatch(Plain { norm: Norm::Squares, rows: [*a, *b], scale: 1.0 })
    };
    let (a, b) = pairs.max_by(|one, other| length(one).total_cmp(&length(other))).unwrap_or((draw(0), draw(1)));
    a.iter().zip(b).map(|(a, b)| b - a).collect()
}

/// The place of each row along a direction.
struct Project<'a> {
    rows: Rows<'a>,
    normal: &'a [f32],
    part: &'a [u32],
    places: &'a mut Vec<(f32, u32)>,
}

impl pulp::WithSimd for Project<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, simd: S) {
        // A loop, as an iterator would leave this function and its instruction set.
        for (at, &row) in self.part.iter().enumerate() {
            if let Some(&ahead) = self.part.get(at + AHEAD) {
                self.rows.fetch(ahead);
            }
            let place = lanes(simd, self.rows.row(row), self.normal, |at, normal| at * normal);
            self.places.push((place, row));
        }
    }
}
