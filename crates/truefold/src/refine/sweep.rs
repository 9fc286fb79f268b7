//! One pass over all neighborhoods: the value of the target at Y, its downhill direction, and the weights of the
//! Laplacian.
//!
//! With C_i the chart of X_i, Y_i centered, Z = C_i'Y_i = U L V', A_i = U V' and, for R_C, c_i = tr L / |Y_i|^2 (else
//! 1): the value is the mean of v_i |C_i - c_i Y_i A_i'|^2, v_i = 1 or 1 / |C_i|^2, and g = sum_i w_i (C_i A_i / c_i -
//! Y_i), w_i = v_i c_i^2, added over the rows of the members, is minus half n times its gradient: the best A_i and c_i
//! do not change to first order. L Y + g is the right-hand side of the exact step. Cost: O(n m r d), in parallel; the
//! rows are added in a fixed order, so that the bits do not depend on the number of threads.

use super::Target;
use crate::error::Advice;
use crate::linalg::{add_scaled, square};
use crate::local::{Chart, Charts, Rotation, gather_centered};
use crate::{Error, Points, Result, Run};
use std::ops::Range;

/// Neighborhoods per task.
const CHUNK: usize = 256;

/// Neighborhoods whose rows are held at once.
const WAVE: usize = 64 * CHUNK;

/// The weight of a neighborhood without extent, as a share of the lightest other one: enough to keep its members
/// together.
const FAINT: f64 = 1e-6;

/// What all passes share.
pub(super) struct Sweeper<'a> {
    charts: &'a Charts<'a>,
    target: Target,
    dim: usize,
    /// v_i; zero where the target leaves a neighborhood out.
    shares: Vec<f64>,
    /// The number of neighborhoods that count.
    counted: f64,
    faint: f64,
    /// The order of magnitude of the target: the mean extent of a neighborhood where extents are not divided out.
    unit: f64,
}

/// The target around one Y.
#[derive(Debug, Default)]
pub(super) struct Slope {
    /// The target.
    pub(super) value: f64,
    /// Minus half n times its gradient, row by row.
    pub(super) downhill: Vec<f64>,
    /// The weights w_i of the Laplacian.
    pub(super) weights: Vec<f64>,
    /// The mean of the scales c_i.
    pub(super) scale: f64,
    /// The penalty without its weight, where there is one.
    pub(super) penalty: f64,
}

/// The work space of one task and what it made.
#[derive(Default)]
struct Task {
    chart: Chart,
    columns: Vec<f64>,
    embedded: Vec<f64>,
    rotation: Rotation,
    carried: Vec<f64>,
    value: f64,
    scale: f64,
    rows: Vec<f64>,
    weights: Vec<f64>,
}

impl<'a> Sweeper<'a> {
    /// Whether the size of the map does not matter.
    pub(super) fn is_free_of_scale(&self) -> bool {
        self.target == Target::RC
    }

    /// Measures the extents of the neighborhoods, which the weights need.
    pub(super) fn new(charts: &'a Charts<'a>, target: Target, dim: usize, run: &Run) -> Result<Self> {
        let count = charts.neighborhoods().len();
        let extents = run.chunks("extents", count, CHUNK, |range| {
            let mut columns = Vec::new();
            Ok(range
                .map(|index| {
                    charts.gather(index, dim, &mut columns);
                    square(&columns)
                })
                .collect::<Vec<f64>>())
        })?;
        let mut shares = extents.concat();
        if shares.iter().all(|&extent| extent == 0.0) {
            return Err(Error::data(
                format!("every neighborhood of X is a single place: all {count} points coincide with their neighbors"),
                Advice::change("k", "remove duplicates, or choose a larger {k}"),
            ));
        }
        let unit = match target {
            Target::R | Target::RPca => shares.iter().sum::<f64>() / count as f64,
            _ => 1.0,
        };
        for share in &mut shares {
            *share = match target {
                Target::R | Target::RPca => 1.0,
                _ if *share > 0.0 => 1.0 / *share,
                _ => 0.0,
            };
        }
        let counted = shares.iter().filter(|&&share| share > 0.0).count() as f64;
        let faint = FAINT * shares.iter().copied().filter(|&share| share > 0.0).fold(f64::INFINITY, f64::min);
        Ok(Self { charts, target, dim, shares, counted, faint, unit })
    }

    /// The number of neighborhoods that count.
    pub(super) fn counted(&self) -> f64 {
        self.counted
    }

    /// What a penalty without a dimension is multiplied by to be comparable with the target.
    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    /// The target and its slope at `y`.
    pub(super) fn slope(&self, y: &Points, run: &Run) -> Result<Slope> {
        let count = y.len();
        let (downhill, weights) = (vec![0.0; count * self.dim], Vec::with_capacity(count));
        let mut slope = Slope { downhill, weights, ..Slope::default() };
        let arch = pulp::Arch::new();
        for wave in (0..count).step_by(WAVE) {
            let length = WAVE.min(count - wave);
            let tasks = run.chunks("Procrustes rotations", length, CHUNK, |range| {
                let mut task = Task::default();
                arch.dispatch(
                    #[inline(always)]
                    || task.work(self, y, wave + range.start..wave + range.end),
                )?;
                Ok(task)
            })?;
            let mut index = wave;
            for task in tasks {
                slope.value += task.value;
                slope.scale += task.scale;
                slope.weights.extend_from_slice(&task.weights);
                let mut rows = task.rows.chunks_exact(self.dim);
                for _ in &task.weights {
                    for (&member, row) in self.charts.neighborhoods().members(index).iter().zip(&mut rows) {
                        add_scaled(&mut slope.downhill[member as usize * self.dim..][..self.dim], 1.0, row);
                    }
                    index += 1;
                }
            }
        }
        slope.value /= self.counted;
        slope.scale /= self.counted;
        Ok(slope)
    }
}

impl Task {
    #[inline(always)]
    fn work(&mut self, sweeper: &Sweeper<'_>, y: &Points, range: Range<usize>) -> Result<()> {
        let dim = sweeper.dim;
        for index in range {
            let members = sweeper.charts.neighborhoods().members(index);
            let size = members.len();
            let width = if sweeper.target == Target::RPca {
                sweeper.charts.gather_principal(index, dim, &mut self.chart, &mut self.columns)?;
                dim
            } else {
                sweeper.charts.gather(index, 0, &mut self.columns)
            };
            gather_centered(&mut self.embedded, y, members, size);
            self.rotation.find(&self.columns, &self.embedded, size, width);
            let share = sweeper.shares[index];
            let scale = if sweeper.target == Target::RC { self.rotation.scale(square(&self.embedded)) } else { 1.0 };
            let weight = if share > 0.0 && scale > 0.0 { share * scale * scale } else { sweeper.faint };
            if share > 0.0 {
                self.value += share * self.residual(size, width, dim, scale);
                self.scale += scale;
            }
            self.weights.push(weight);
            self.add_rows(size, dim, weight, if scale > 0.0 { 1.0 / scale } else { 0.0 });
        }
        Ok(())
    }

    /// |C - c Y A'|^2, summed directly and not as a difference of large terms.
    ///
    /// A chart with fewer coordinates than Y counts as zero along the others. A need not be known there: it is
    /// equivalent to sum |C A - c Y|^2.
    #[inline(always)]
    fn residual(&mut self, size: usize, width: usize, dim: usize, scale: f64) -> f64 {
        let mut sum = 0.0;
        if width < dim {
            for (column, coordinate) in self.embedded.chunks_exact(size).enumerate() {
                self.carried.clear();
                self.carried.extend(coordinate.iter().map(|value| -scale * value));
                for (axis, source) in self.columns.chunks_exact(size).enumerate() {
                    add_scaled(&mut self.carried, self.rotation.entry(axis, column), source);
                }
                sum += square(&self.carried);
            }
            return sum;
        }
        for (axis, source) in self.columns.chunks_exact(size).enumerate() {
            self.carried.clear();
            self.carried.extend_from_slice(source);
            for (column, coordinate) in self.embedded.chunks_exact(size).enumerate() {
                add_scaled(&mut self.carried, -scale * self.rotation.entry(axis, column), coordinate);
            }
            sum += square(&self.carried);
        }
        sum
    }

    /// The rows w (C A / c - Y) of the members, one after the other.
    #[inline(always)]
    fn add_rows(&mut self, size: usize, dim: usize, weight: f64, inverse: f64) {
        let start = self.rows.len();
        self.rows.resize(start + size * dim, 0.0);
        for column in 0..dim {
            self.carried.clear();
            self.carried.resize(size, 0.0);
            for (source, &turn) in self.columns.chunks_exact(size).zip(self.rotation.column(column)) {
                add_scaled(&mut self.carried, turn, source);
            }
            let embedded = &self.embedded[column * size..][..size];
            let out = self.rows[start + column..].iter_mut().step_by(dim);
            for ((out, image), placed) in out.zip(&self.carried).zip(embedded) {
                *out = weight * (image * inverse - placed);
            }
        }
    }
}
