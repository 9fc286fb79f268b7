//! Random-projection trees: points on the same side of many random cuts are likely neighbors.
//!
//! A node is cut by the plane halfway between two of its points drawn at random (Dasgupta and Freund 2008; the cut is
//! Annoy's). If nearly all points are on one side of it, a hash divides them instead. Cost: q multiplications per
//! point and level.

use crate::{Result, Run};

/// Points per leaf, at most.
const LEAF: usize = 48;

/// The rows of one tree in the order of its leaves, and where each leaf begins.
pub(super) struct Grove {
    pub(super) rows: Vec<u32>,
    pub(super) starts: Vec<u32>,
}

/// `count` trees over single-precision rows.
pub(super) fn forest(values: &[f32], dim: usize, count: usize, run: &Run) -> Result<Vec<Grove>> {
    run.chunks("cutting", count, 1, |tree| grow(values, dim, hash(run.seed(), tree.start as u64), run))
}

fn grow(values: &[f32], dim: usize, seed: u64, run: &Run) -> Result<Grove> {
    let len = values.len() / dim;
    let mut rows: Vec<u32> = (0..len as u32).collect();
    let mut starts = Vec::new();
    let mut waiting = vec![(0, len, 0_u64)];
    let mut sides = Vec::new();
    while let Some((start, end, depth)) = waiting.pop() {
        if end - start <= LEAF {
            starts.push(start as u32);
            continue;
        }
        run.check()?;
        let part = &mut rows[start..end];
        let key = hash(seed, hash(start as u64, depth));
        let draw = |number: u64| part[(hash(key, number) % part.len() as u64) as usize] as usize;
        let (a, b) = (draw(1), draw(2));
        let (a, b) = (&values[a * dim..][..dim], &values[b * dim..][..dim]);
        pulp::Arch::new().dispatch(Cut { values, dim, a, b, rows: part, sides: &mut sides });
        let right = sides.iter().filter(|side| **side).count();
        // Many copies of a point, or an unlucky draw: halving by a hash always ends.
        if right.min(part.len() - right) * 20 < part.len() {
            sides.iter_mut().zip(&*part).for_each(|(side, row)| *side = hash(key, u64::from(*row)) & 1 == 1);
        }
        let (mut left_rows, mut right_rows) = (Vec::new(), Vec::new());
        for (side, row) in sides.iter().zip(&*part) {
            if *side { right_rows.push(*row) } else { left_rows.push(*row) }
        }
        let middle = start + left_rows.len();
        part[..left_rows.len()].copy_from_slice(&left_rows);
        part[left_rows.len()..].copy_from_slice(&right_rows);
        waiting.push((middle, end, depth + 1));
        waiting.push((start, middle, depth + 1));
    }
    starts.push(len as u32);
    Ok(Grove { rows, starts })
}

/// For each row, whether it is nearer to `b` than to `a`.
struct Cut<'a> {
    values: &'a [f32],
    dim: usize,
    a: &'a [f32],
    b: &'a [f32],
    rows: &'a [u32],
    sides: &'a mut Vec<bool>,
}

impl pulp::WithSimd for Cut<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        self.sides.clear();
        let normal: Vec<f32> = self.a.iter().zip(self.b).map(|(a, b)| b - a).collect();
        let middle: Vec<f32> = self.a.iter().zip(self.b).map(|(a, b)| 0.5 * (a + b)).collect();
        for &row in self.rows {
            let point = &self.values[row as usize * self.dim..][..self.dim];
            self.sides.push(
                lanes(point, &normal, |at, normal| at * normal) > lanes(&middle, &normal, |at, normal| at * normal),
            );
        }
    }
}

/// A sum over pairs of coordinates in sixteen lanes, in a fixed order: the same bits with any instruction set.
#[inline(always)]
pub(super) fn lanes(a: &[f32], b: &[f32], term: impl Fn(f32, f32) -> f32) -> f32 {
    let mut sums = [0.0_f32; 16];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..16 {
            sums[lane] += term(a[lane], b[lane]);
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] += term(*a, *b);
    }
    for width in [8, 4, 2, 1] {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    sums[0]
}

/// A well-mixed function of two numbers (the finalizer of splitmix64).
#[inline(always)]
pub(super) fn hash(a: u64, b: u64) -> u64 {
    let mut mixed = a.wrapping_add(b.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
