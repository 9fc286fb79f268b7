//! Convolution of a grid of real numbers with an even kernel, by Fourier transforms.
//!
//! Rows are transformed in pairs, one as the real part and one as the imaginary part, then the columns, of which half is
//! enough as the grid is real; the product with the kernel and the way back follow at once. Nothing wraps around if the
//! transforms are as long as the grid and the reach of the kernel together. Cost: about 1.5 N transforms of N numbers for
//! N x N; memory: 12 bytes for each of N x N.

use super::fourier::{Columns, Fourier, LANES};
use crate::{Result, Run};
use rayon::prelude::*;
use std::f64::consts::TAU;

/// Rows that are transformed together.
const ROWS: usize = 2 * LANES;

/// Grids of one size, and a kernel.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    transforms: Transforms,
    /// The transform of the kernel, sixteen columns after the other.
    kernel: Vec<Vec<f32>>,
    batches: Vec<Columns>,
    panels: Vec<Columns>,
}

/// What a kernel is: its value by how many nodes across and down it is from its center, and a factor of its transform by
/// the frequency across and down, in radians.
pub(super) struct Kernel<V, F> {
    pub(super) value: V,
    pub(super) factor: F,
}

impl Plane {
    /// For transforms of so many numbers across and down, lengths by [`Fourier::length`].
    pub(super) fn new<V, F>([width, height]: [usize; 2], kernel: &Kernel<V, F>, run: &Run) -> Result<Self>
    where
        V: Fn(usize, usize) -> f32 + Sync,
        F: Fn(f64, f64) -> f64 + Sync,
    {
        let transforms = Transforms { across: Fourier::new(width), down: Fourier::new(height) };
        let near = |at: usize, len: usize| at.min(len - at);
        let mut grid = vec![0.0; width * height];
        run.install(|| {
            grid.par_chunks_mut(width).enumerate().for_each(|(row, cells)| {
                for (column, cell) in cells.iter_mut().enumerate() {
                    *cell = (kernel.value)(near(column, width), near(row, height));
                }
            });
        });
        let (mut batches, mut panels) = (Vec::new(), Vec::new());
        transforms.rows(&grid, width, &mut batches, run)?;
        transforms.columns(height, &batches, &mut panels, None, run)?;
        let angle = |at: usize, len: usize| TAU * near(at, len) as f64 / len as f64;
        // A quarter, as the halves of sums of pairs are left out twice: here, and when the kernel is used.
        let share = 0.25 / (width * height) as f64;
        let factors = |(panel, columns): (usize, &Columns)| {
            let cell = |(at, value): (usize, &f32)| {
                let (row, column) = (at / LANES, (panel * LANES + at % LANES).min(width / 2));
                (share * (kernel.factor)(angle(column, width), angle(row, height)) * f64::from(*value)) as f32
            };
            columns.real.iter().enumerate().map(cell).collect()
        };
        let kernel = run.install(|| panels.par_iter().enumerate().map(factors).collect());
        Ok(Self { transforms, kernel, batches: Vec::new(), panels: Vec::new() })
    }

    /// Replaces a grid of rows of `width` numbers by its convolution with the kernel.
    pub(super) fn convolve(&mut self, grid: &mut [f32], width: usize, run: &Run) -> Result<()> {
        let Self { transforms, kernel, batches, panels } = self;
        transforms.rows(grid, width, batches, run)?;
        transforms.columns(grid.len() / width, batches, panels, Some(kernel), run)?;
        transforms.back(panels, batches, grid, width, run)
    }
}

#[derive(Debug, Clone)]
struct Transforms {
    across: Fourier,
    down: Fourier,
}

impl Transforms {
    /// Transforms the rows of a grid, pairs of them in one, sixteen pairs in a batch.
    fn rows(&self, grid: &[f32], width: usize, batches: &mut Vec<Columns>, run: &Run) -> Result<()> {
        let len = self.across.len();
        batches.resize_with((grid.len() / width).div_ceil(ROWS), Columns::default);
        let pairs = batches.par_iter_mut().zip(grid.par_chunks(ROWS * width));
        run.install(|| {
            pairs.try_for_each_init(Columns::default, |room, (batch, rows)| {
                run.check()?;
                batch.clear(len);
                for (row, cells) in rows.chunks_exact(width).enumerate() {
                    let to = if row % 2 == 0 { &mut batch.real } else { &mut batch.imaginary };
                    let to = to.iter_mut().skip(row / 2).step_by(LANES);
                    to.zip(cells).for_each(|(to, cell)| *to = *cell);
                }
                self.across.transform(batch, room);
                Ok(())
            })
        })
    }

    /// Takes the pairs of `rows` rows apart and transforms the columns; with a kernel, there and back again.
    fn columns(
        &self,
        rows: usize,
        batches: &[Columns],
        panels: &mut Vec<Columns>,
        kernel: Option<&[Vec<f32>]>,
        run: &Run,
    ) -> Result<()> {
        let width = self.across.len();
        panels.resize_with((width / 2 + 1).div_ceil(LANES), Columns::default);
        run.install(|| {
            panels.par_iter_mut().enumerate().try_for_each_init(Columns::default, |room, (number, panel)| {
                run.check()?;
                panel.clear(self.down.len());
                for (batch, first) in batches.iter().zip((0..rows).step_by(ROWS)) {
                    take_apart(batch, width, number * LANES, panel, first);
                }
                self.down.transform(panel, room);
                let Some(kernel) = kernel else { return Ok(()) };
                for part in [&mut panel.real, &mut panel.imaginary] {
                    part.iter_mut().zip(&kernel[number]).for_each(|(cell, factor)| *cell *= factor);
                }
                panel.swap();
                self.down.transform(panel, room);
                panel.swap();
                Ok(())
            })
        })
    }

    /// Joins pairs of rows and transforms them back.
    fn back(
        &self,
        panels: &[Columns],
        batches: &mut [Columns],
        grid: &mut [f32],
        width: usize,
        run: &Run,
    ) -> Result<()> {
        let rows = grid.par_chunks_mut(ROWS * width).enumerate();
        run.install(|| {
            batches.par_iter_mut().zip(rows).try_for_each_init(Columns::default, |room, (batch, (number, rows))| {
                run.check()?;
                join(panels, self.across.len(), number * ROWS, batch);
                batch.swap();
                self.across.transform(batch, room);
                batch.swap();
                for (row, cells) in rows.chunks_exact_mut(width).enumerate() {
                    let from = if row % 2 == 0 { &batch.real } else { &batch.imaginary };
                    let from = from.iter().skip(row / 2).step_by(LANES);
                    cells.iter_mut().zip(from).for_each(|(cell, from)| *cell = *from);
                }
                Ok(())
            })
        })
    }
}

/// Twice the transforms of the rows from `first` on, at sixteen frequencies from `from` on, out of those of pairs.
fn take_apart(batch: &Columns, width: usize, from: usize, panel: &mut Columns, first: usize) {
    let most = (panel.real.len() / LANES - first).min(ROWS);
    for lane in 0..LANES.min((width / 2 + 1).saturating_sub(from)) {
        let (at, mirrored) = (from + lane, (width - from - lane) % width);
        let cells =
            |part: &'_ [f32], at: usize| -> [f32; LANES] { std::array::from_fn(|pair| part[at * LANES + pair]) };
        let [real, imaginary] = [&batch.real, &batch.imaginary].map(|part| [cells(part, at), cells(part, mirrored)]);
        for pair in 0..most.div_ceil(2) {
            let place = (first + 2 * pair) * LANES + lane;
            panel.real[place] = real[0][pair] + real[1][pair];
            panel.imaginary[place] = imaginary[0][pair] - imaginary[1][pair];
            if 2 * pair + 1 < most {
                panel.real[place + LANES] = imaginary[0][pair] + imaginary[1][pair];
                panel.imaginary[place + LANES] = real[1][pair] - real[0][pair];
            }
        }
    }
}

/// The transforms of pairs of rows from `first` on, out of those of single rows.
fn join(panels: &[Columns], width: usize, first: usize, batch: &mut Columns) {
    batch.clear(width);
    for at in 0..=width / 2 {
        let (panel, lane, mirrored) = (&panels[at / LANES], at % LANES, (width - at) % width);
        let rows = panel.real.len() / LANES;
        for pair in 0..LANES.min((rows - first).div_ceil(2)) {
            let place = (first + 2 * pair) * LANES + lane;
            let cell = |part: &[f32], place: usize| part.get(place).copied().unwrap_or(0.0);
            let [a, b] = [cell(&panel.real, place), cell(&panel.imaginary, place)];
            let [c, d] = [cell(&panel.real, place + LANES), cell(&panel.imaginary, place + LANES)];
            let to = mirrored * LANES + pair;
            (batch.real[to], batch.imaginary[to]) = (a + d, c - b);
            let to = at * LANES + pair;
            (batch.real[to], batch.imaginary[to]) = (a - d, b + c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convolution_is_the_sum_that_defines_it() {
        let run = Run::new();
        let value =
            |across: usize, down: usize| 1.0 / (1.0 + 0.3 * (across * across) as f32 + 0.7 * (down * down) as f32);
        for (width, height) in [(7, 5), (20, 33), (45, 64), (3, 70), (40, 1)] {
            let lengths = [width, height].map(|size: usize| Fourier::length(2 * size));
            let mut plane = Plane::new(lengths, &Kernel { value, factor: |_, _| 1.0 }, &run).unwrap();
            let given: Vec<f32> = (0..width * height).map(|at| ((at * 31 % 17) as f32) - 8.0).collect();
            let mut grid = given.clone();
            plane.convolve(&mut grid, width, &run).unwrap();
            for _ in 0..2 {
                for (at, found) in grid.iter().enumerate() {
                    let term = |(other, charge): (usize, &f32)| {
                        let (across, down) =
                            ((at % width).abs_diff(other % width), (at / width).abs_diff(other / width));
                        f64::from(value(across, down)) * f64::from(*charge)
                    };
                    let sum: f64 = given.iter().enumerate().map(term).sum();
                    assert!((sum - f64::from(*found)).abs() < 1e-3, "{width} {height} {at}: {sum} {found}");
                }
                // The room of the last time leaves no trace.
                grid.clone_from(&given);
                plane.convolve(&mut grid, width, &run).unwrap();
            }
        }
    }
}
