//! The stress of distances along the graph, which unfolds: S = sum over points i and landmarks l of
//! (|y_i - y_l| - g_il)^2 / sum of g_il^2, g the shortest paths.
//!
//! Where |y_i - y_l| > 0 each term is at most |y_i - y_l - g_il u|^2, u the direction from y_l to y_i now, with equality
//! at this Y. The matrix of that quadratic is the Laplacian of all pairs (i, l), which needs no storage: row i of it
//! times Y is L y_i minus the sum over the landmarks, and for a landmark n y_i minus the sum over all points besides. So
//! a step solves (sum_i w_i H_i + w S's) x = slope by conjugate gradients scaled by the diagonal. De Leeuw (1977) for the
//! quadratic; landmarks as in Landmark-Isomap. Cost: L shortest-path searches, 4 n L bytes, n L distances a slope.

use super::sweep::Slope;
use crate::graph::{Adjacency, LengthGraph, spread_landmarks};
use crate::laplacian::conjugate_gradient::{Limits, LinearSystem, Operator, Preconditioner, conjugate_gradient};
use crate::linalg::{add_scaled, distance};
use crate::{Neighborhoods, Points, Result, Run};
use rayon::prelude::*;

/// The number of landmarks.
const LANDMARKS: usize = 50;

/// Points per task.
const CHUNK: usize = 256;

/// How accurately the system of a step is solved, and in how many steps at most.
const LIMITS: Limits = Limits::new(1e-2, 100).carried();

/// The distances along a graph from all points to landmarks.
pub(super) struct Stress {
    landmarks: Vec<u32>,
    /// Landmark by landmark.
    lengths: Vec<f32>,
    /// The sum of their squares.
    total: f64,
}

impl Stress {
    /// Spreads landmarks over a connected graph.
    pub(super) fn new(graph: &LengthGraph, run: &Run) -> Result<Self> {
        let mut lengths = Vec::with_capacity(LANDMARKS.min(graph.len()) * graph.len());
        let (landmarks, _) = spread_landmarks(graph, LANDMARKS, run, |distances| {
            lengths.extend(distances.iter().map(|&distance| distance as f32));
        })?;
        let total = lengths.iter().map(|&length| f64::from(length) * f64::from(length)).sum();
        Ok(Self { landmarks, lengths, total })
    }

    /// The root mean square distance.
    pub(super) fn extent(&self) -> f64 {
        (self.total / self.lengths.len() as f64).sqrt()
    }

    /// The weight of one pair in the quadratic of a mean over `counted`.
    fn share(&self, weight: f64, counted: f64) -> f64 {
        weight * counted / self.total
    }

    /// Adds `weight` times the stress of `y` and its slope, where the slope is that of a mean over `counted`.
    pub(super) fn add(&self, weight: f64, y: &Points, counted: f64, slope: &mut Slope, run: &Run) -> Result<()> {
        let (count, dim, share) = (y.len(), y.dim(), self.share(weight, counted));
        let parts = run.chunks("distances to landmarks", count, CHUNK, |range| {
            let mut sum = 0.0;
            let mut own = vec![0.0; range.len() * dim];
            let mut others = vec![0.0; self.landmarks.len() * dim];
            let mut way = vec![0.0; dim];
            for (landmark, other) in others.chunks_exact_mut(dim).enumerate() {
                let place = y.row(self.landmarks[landmark] as usize);
                let lengths = &self.lengths[landmark * count..][range.clone()];
                for ((point, &wanted), own) in range.clone().zip(lengths).zip(own.chunks_exact_mut(dim)) {
                    let (row, wanted) = (y.row(point), f64::from(wanted));
                    let length = distance(row, place);
                    sum += (length - wanted) * (length - wanted);
                    if length > 0.0 {
                        let force = share * (wanted / length - 1.0);
                        way.iter_mut().zip(row.iter().zip(place)).for_each(|(way, (to, from))| *way = to - from);
                        add_scaled(own, force, &way);
                        add_scaled(other, -force, &way);
                    }
                }
            }
            Ok((sum, own, others))
        })?;
        for (part, (sum, own, others)) in parts.iter().enumerate() {
            slope.value += weight * sum / self.total;
            add_scaled(&mut slope.downhill[part * CHUNK * dim..][..own.len()], 1.0, own);
            for (&landmark, other) in self.landmarks.iter().zip(others.chunks_exact(dim)) {
                add_scaled(&mut slope.downhill[landmark as usize * dim..][..dim], 1.0, other);
            }
        }
        Ok(())
    }

    /// The matrix of steps at this weight, with `weights` for the neighborhoods.
    pub(super) fn system<'a>(
        &self,
        weight: f64,
        counted: f64,
        neighborhoods: &'a Neighborhoods,
        weights: &[f64],
    ) -> System<'a> {
        let holders = Adjacency::holders(neighborhoods);
        let (count, share) = (neighborhoods.len(), self.share(weight, counted));
        let means: Vec<f64> =
            weights.iter().enumerate().map(|(at, weight)| weight / neighborhoods.members(at).len() as f64).collect();
        let mut pairs = vec![share * self.landmarks.len() as f64; count];
        let mut landmarks = vec![false; count];
        for &landmark in &self.landmarks {
            pairs[landmark as usize] += share * count as f64;
            landmarks[landmark as usize] = true;
        }
        let degrees: Vec<f64> = (0..count)
            .map(|point| pairs[point] + holders.of(point).iter().map(|&at| weights[at as usize]).sum::<f64>())
            .collect();
        let diagonal = (0..count)
            .map(|point| {
                // A landmark forms no pair with itself, but both of its sums include it.
                let own = if landmarks[point] { 2.0 * share } else { 0.0 };
                degrees[point] - own - holders.of(point).iter().map(|&at| means[at as usize]).sum::<f64>()
            })
            .collect();
        System { neighborhoods, holders, means, degrees, diagonal, landmarks, share }
    }
}

/// The Laplacian of the neighborhoods and of the pairs of points and landmarks.
pub(super) struct System<'a> {
    neighborhoods: &'a Neighborhoods,
    holders: Adjacency,
    /// For each neighborhood its weight over its size.
    means: Vec<f64>,
    degrees: Vec<f64>,
    diagonal: Vec<f64>,
    landmarks: Vec<bool>,
    share: f64,
}

impl System<'_> {
    /// The step at this slope.
    pub(super) fn step(&self, downhill: &[f64], dim: usize, run: &Run) -> Result<Vec<f64>> {
        let mut step = vec![0.0; downhill.len()];
        let preconditioner = &Diagonal(&self.diagonal);
        let system = LinearSystem { operator: self, preconditioner, rhs: downhill, columns: dim };
        conjugate_gradient(&system, &mut step, LIMITS, run)?;
        Ok(step)
    }
}

impl Operator for System<'_> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        scratch.resize(input.len(), 0.0);
        scratch.par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, means)| {
            for (at, mean) in (chunk * CHUNK..).zip(means.chunks_exact_mut(columns)) {
                mean.fill(0.0);
                for &member in self.neighborhoods.members(at) {
                    add_scaled(mean, self.means[at], &input[member as usize * columns..][..columns]);
                }
            }
        });
        let (mut all, mut marked) = (vec![0.0; columns], vec![0.0; columns]);
        for (row, &landmark) in input.chunks_exact(columns).zip(&self.landmarks) {
            add_scaled(&mut all, self.share, row);
            if landmark {
                add_scaled(&mut marked, self.share, row);
            }
        }
        let means = &*scratch;
        output.par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, output)| {
            for (point, out) in (chunk * CHUNK..).zip(output.chunks_exact_mut(columns)) {
                out.fill(0.0);
                add_scaled(out, self.degrees[point], &input[point * columns..][..columns]);
                add_scaled(out, -1.0, &marked);
                if self.landmarks[point] {
                    add_scaled(out, -1.0, &all);
                }
                for &at in self.holders.of(point) {
                    add_scaled(out, -1.0, &means[at as usize * columns..][..columns]);
                }
            }
        });
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn project(&self, values: &mut [f64], columns: usize) {
        let mut mean = vec![0.0; columns];
        let each = columns as f64 / values.len() as f64;
        values.chunks_exact(columns).for_each(|row| add_scaled(&mut mean, each, row));
        values.chunks_exact_mut(columns).for_each(|row| add_scaled(row, -1.0, &mean));
    }
}

struct Diagonal<'a>(&'a [f64]);

impl Preconditioner for Diagonal<'_> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, _: &mut Vec<f64>) {
        let rows = output.chunks_exact_mut(columns).zip(input.chunks_exact(columns)).zip(self.0);
        for ((output, input), &diagonal) in rows {
            for (output, input) in output.iter_mut().zip(input) {
                *output = if diagonal > 0.0 { input / diagonal } else { 0.0 };
            }
        }
    }
}
