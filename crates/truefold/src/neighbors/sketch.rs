//! A sketch of the rows in single precision: few coordinates that keep most of every distance, and never make one longer.
//!
//! Rows are centered, scaled by a power of two and, where few directions hold most of their variance, projected on these:
//! a_i = V'(x_i - m), V orthonormal, so |a_i - a_j| <= |x_i - x_j|. The squares |a_i|^2 are lowered by a bound of all
//! errors, so that |a_i|^2 + |a_j|^2 - 2 a_i'a_j, as the kernel computes it, is never more than the true value. The bound:
//! with u = 2^-24, g(t) = t u / (1 - t u), the product of r terms errs by at most g(r) (|a_i|^2 + |a_j|^2), and a
//! projection by e |x_i|, e = sqrt(r) (g(q) + 2 u), which moves a squared distance by at most (4 e + 2 e^2) (|x_i|^2 +
//! |x_j|^2).
//! Neither the axes nor the projection depend on the instruction set. The rows lie in an order in which neighbors are
//! mostly near each other in memory. Cost: n q r multiplications; memory: 4 n (r + 2) bytes.

use super::halving::Halving;
use super::kernel::{Panels, Products, Rows};
use super::principal::Axes;
use super::rough::{Doubt, Plain, UNIT};
use super::{Norm, Space};
use crate::error::Advice;
use crate::random::hash;
use crate::{Result, Run, memory};
use rayon::prelude::*;

/// Numbers that are projected together, about.
const TASK: usize = 1 << 20;
/// Rows that the order keeps together.
const TOGETHER: usize = 64;

/// Where the rows are, and how far apart.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    mean: Vec<f64>,
    /// A power of two that brings the farthest coordinate to between a half and one.
    pub(super) scale: f64,
}

impl Frame {
    pub(super) fn of(space: &Space, run: &Run) -> Result<Self> {
        let (dim, ration) = (space.dim(), space.ration(Space::READ));
        let parts = run.chunks("sketching", space.len(), 4096, |range| {
            let mut part = vec![[0.0, f64::INFINITY, f64::NEG_INFINITY]; dim];
            let mut room = Vec::new();
            for row in range {
                ration.rows(1);
                for ([sum, least, most], &value) in part.iter_mut().zip(space.row(row, &mut room)) {
                    *sum += value;
                    *least = least.min(value);
                    *most = most.max(value);
                }
            }
            Ok(part)
        })?;
        let axis = |axis: usize| {
            let mean = parts.iter().map(|part| part[axis][0] / space.len() as f64).sum::<f64>();
            let far = |part: &Vec<[f64; 3]>| (part[axis][2] - mean).max(mean - part[axis][1]);
            (mean, parts.iter().map(far).fold(0.0, f64::max))
        };
        let (mean, far): (Vec<f64>, Vec<f64>) = (0..dim).map(axis).unzip();
        let largest = far.into_iter().fold(0.0, f64::max);
        let exponent = if largest > 0.0 { -(largest.log2().ceil() as i32) } else { 0 };
        let most = space.largest_exponent();
        Ok(Self { mean, scale: 2.0_f64.powi(exponent.clamp(-most, most)) })
    }

    /// The mean of the rows.
    pub(super) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Writes a row relative to the mean, scaled.
    pub(super) fn read(&self, space: &Space, row: usize, room: &mut Vec<f64>, out: &mut [f32]) {
        let cells = space.row(row, room).iter().zip(&self.mean).zip(out);
        cells.for_each(|((value, mean), out)| *out = ((value - mean) * self.scale) as f32);
    }
}

/// Rows of a space in few coordinates.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    values: Vec<f32>,
    squares: Vec<f32>,
    dim: usize,
    norm: Norm,
    scale: f64,
    whole: bool,
    /// The share of the squares of two rows below which a value of the kernel is mostly error.
    doubtful: f32,
    doubt: Doubt,
    order: Vec<u32>,
}

impl Sketch {
    /// The share of the variance that serves where the rest is looked at anyway.
    pub(super) const ENOUGH: f64 = 0.9;

    /// A sketch that holds the share `enough` of the variance, about.
    pub(super) fn new(space: &Space, enough: f64, run: &Run) -> Result<Self> {
        let frame = Frame::of(space, run)?;
        let axes = if space.norm() == Norm::Squares { Axes::of(space, &frame, enough, run)? } else { None };
        Self::along(space, &frame, axes.as_ref(), run)
    }

    /// A sketch that leaves nothing out.
    pub(super) fn whole(space: &Space, run: &Run) -> Result<Self> {
        Self::along(space, &Frame::of(space, run)?, None, run)
    }

    fn along(space: &Space, frame: &Frame, axes: Option<&Axes>, run: &Run) -> Result<Self> {
        let (count, dim) = (space.len(), axes.map_or(space.dim(), Axes::len));
        let fewer = Advice::mend_data("give fewer points or coordinates");
        let mut sketch = Self {
            values: memory::filled(0.0, count * dim, format!("a search among {count} points"), fewer)?,
            squares: vec![0.0; count],
            dim,
            norm: space.norm(),
            scale: frame.scale,
            whole: axes.is_none(),
            doubtful: 0.0,
            doubt: Doubt::of(space.dim(), space.rough_error(frame.scale)),
            order: Vec::new(),
        };
        sketch.doubtful = (10.0 * sketch.error_share(space.dim())) as f32;
        sketch.fill(space, frame, axes, run)?;
        // What follows reads the sketch for a long time, and the rows themselves only at the end.
        space.set_aside();
        sketch.order = Halving::grow(sketch.rows(), TOGETHER, hash(run.seed(), 0x5EED), run)?.rows;
        sketch.arrange();
        Ok(sketch)
    }

    fn fill(&mut self, space: &Space, frame: &Frame, axes: Option<&Axes>, run: &Run) -> Result<()> {
        let (panels, ration) = (axes.map(Axes::panels), space.ration(Space::READ));
        let (norm, dim, width, share) = (self.norm, self.dim, space.dim(), self.error_share(space.dim()));
        let task = (TASK / width).clamp(8, 256);
        let chunks = self.values.par_chunks_mut(task * dim).zip(self.squares.par_chunks_mut(task)).enumerate();
        run.install(|| {
            chunks.try_for_each(|(chunk, (values, squares))| {
                run.check()?;
                let mut room = Vec::new();
                let mut rows = vec![0.0; squares.len() * width];
                for (place, out) in rows.chunks_exact_mut(width).enumerate() {
                    frame.read(space, chunk * task + place, &mut room, out);
                }
                ration.rows(squares.len());
                project(&rows, width, panels.as_ref(), values);
                let rows = rows.chunks_exact(width).zip(values.chunks_exact(dim));
                for (square, (row, sketch)) in squares.iter_mut().zip(rows) {
                    let exact = match norm {
                        Norm::Squares => sum_of_squares(sketch) - share * sum_of_squares(row),
                        Norm::Absolutes => -share * row.iter().map(|value| f64::from(value.abs())).sum::<f64>(),
                    };
                    // Numbers below the smallest of single precision are lost: the last term covers them.
                    *square = ((exact - 1e-30) as f32).next_down();
                }
                Ok(())
            })
        })
    }

    /// How much of the squares of two rows the errors of their product may be.
    fn error_share(&self, width: usize) -> f64 {
        let gamma = |terms: usize| terms as f64 * UNIT / (1.0 - terms as f64 * UNIT);
        let moved = if self.whole { 0.0 } else { (self.dim as f64).sqrt() * (gamma(width) + 2.0 * UNIT) };
        let product = gamma(self.dim) * (1.0 + moved) * (1.0 + moved);
        1.01 * (product + 16.0 * UNIT + 4.0 * moved + 2.0 * moved * moved)
    }

    /// Brings the rows into their order, along the cycles of the permutation.
    fn arrange(&mut self) {
        let (dim, count) = (self.dim, self.squares.len());
        let mut done = vec![false; count];
        let mut room = vec![0.0; dim];
        for start in 0..count {
            if done[start] {
                continue;
            }
            room.copy_from_slice(&self.values[start * dim..][..dim]);
            let square = self.squares[start];
            let mut at = start;
            loop {
                done[at] = true;
                let from = self.order[at] as usize;
                if from == start {
                    self.values[at * dim..][..dim].copy_from_slice(&room);
                    self.squares[at] = square;
                    break;
                }
                self.values.copy_within(from * dim..(from + 1) * dim, at * dim);
                self.squares[at] = self.squares[from];
                at = from;
            }
        }
    }

    /// The order alone, and what is known of full values, for when no row of the sketch is looked at any more.
    pub(super) fn without_rows(self) -> Self {
        Self { values: Vec::new(), squares: Vec::new(), ..self }
    }

    /// The rows for the kernel, by their place in the order.
    pub(super) fn rows(&self) -> Rows<'_> {
        Rows { values: &self.values, squares: &self.squares, dim: self.dim, norm: self.norm }
    }

    /// The numbers of a row.
    pub(super) fn width(&self) -> usize {
        self.dim
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.squares.len()
    }

    /// Whether nothing is left out, so that distances in the sketch are those of the space up to rounding.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The share of the squares of two rows up to which [`Self::near_value`] sums once more.
    pub(super) fn doubtful(&self) -> f32 {
        self.doubtful
    }

    /// How far full values may be from the true ones.
    pub(super) fn doubt(&self) -> Doubt {
        self.doubt
    }

    /// The rows of the space in the order of the sketch.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of each row of the space.
    pub(super) fn place_of(&self) -> Vec<u32> {
        let mut place_of = vec![0; self.order.len()];
        self.order.iter().zip(0..).for_each(|(&row, place)| place_of[row as usize] = place);
        place_of
    }

    /// The value of two places within the sketch alone; `bound` is what the kernel has computed of it, which serves
    /// where its error is small.
    #[inline(always)]
    pub(super) fn near_value(&self, a: u32, b: u32, bound: f32) -> f32 {
        let of_both = self.squares[a as usize] + self.squares[b as usize];
        if self.norm == Norm::Squares && bound > 0.0 && bound > self.doubtful * of_both {
            bound
        } else {
            self.value(a, b)
        }
    }

    /// The value of two places within the sketch alone.
    #[inline(always)]
    pub(super) fn value(&self, a: u32, b: u32) -> f32 {
        let rows = [a, b].map(|place| &self.values[place as usize * self.dim..][..self.dim]);
        pulp::Arch::new().dispatch(Plain { norm: self.norm, rows, scale: 1.0 })
    }

    /// The value of the two rows at these places in the space itself, in the units of the sketch.
    #[inline(always)]
    pub(super) fn full_value(&self, space: &Space, a: u32, b: u32) -> f32 {
        space.rough(self.order[a as usize] as usize, self.order[b as usize] as usize, self.scale)
    }

    /// A value of the space in the units of the sketch, rounded up.
    pub(super) fn scaled(&self, value: f64) -> f32 {
        let factor = if self.norm == Norm::Squares { self.scale * self.scale } else { self.scale };
        ((value * factor) as f32 + self.doubt.tiny()).next_up()
    }
}

fn project(rows: &[f32], width: usize, panels: Option<&Panels>, out: &mut [f32]) {
    match panels {
        Some(panels) => pulp::Arch::new().dispatch(Products { rows, dim: width, panels, out }),
        None => out.copy_from_slice(rows),
    }
}

pub(super) fn sum_of_squares(row: &[f32]) -> f64 {
    // In eight sums, which a processor adds to side by side.
    let mut sums = [0.0; 8];
    let (blocks, rest) = row.as_chunks::<8>();
    for block in blocks.iter().copied().chain([std::array::from_fn(|at| rest.get(at).copied().unwrap_or(0.0))]) {
        sums.iter_mut().zip(block).for_each(|(sum, value)| *sum += f64::from(value) * f64::from(value));
    }
    sums.iter().sum()
}
