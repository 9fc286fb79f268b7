//! The layout: links pull as often as their weight says, and for each a few points drawn at random push.
//!
//! In every epoch all moves are computed from the same places and then made (Adam's steps, Kingma and Ba 2015), where the
//! original makes them one after the other: so the threads do not matter, and the draws depend on the seed, the epoch and
//! the point alone.

use super::curve::Curve;
use crate::forces::{Affinities, power};
use crate::random::hash;
use crate::{Result, Run};
use rayon::prelude::*;

/// Points of one task.
const TASK: usize = 512;
/// No coordinate of a single pull or push is longer.
const CLIP: f32 = 4.0;
/// How much of the mean step and of the mean square is kept.
const KEPT: [f32; 2] = [0.5, 0.9];
/// A push between points at one place is finite by this.
const APART: f32 = 1e-3;
/// Pairs that are looked at together.
const LANES: usize = 8;

/// What is laid out, and how.
pub(super) struct Layout<'a> {
    pub(super) affinities: &'a Affinities,
    pub(super) curve: Curve,
    pub(super) epochs: usize,
    pub(super) negatives: usize,
    pub(super) rate: f64,
    pub(super) dim: usize,
}

impl Layout<'_> {
    /// Moves the points of `start` and gives their places.
    pub(super) fn run(&self, start: &[f64], run: &Run) -> Result<Vec<f64>> {
        match self.dim {
            1 => self.move_all::<1>(start, run),
            2 => self.move_all::<2>(start, run),
            3 => self.move_all::<3>(start, run),
            4 => self.move_all::<4>(start, run),
            5..=8 => self.move_all::<8>(start, run),
            9..=16 => self.move_all::<16>(start, run),
            _ => self.move_all::<64>(start, run),
        }
    }

    fn move_all<const D: usize>(&self, start: &[f64], run: &Run) -> Result<Vec<f64>> {
        let row = |row: &[f64]| std::array::from_fn(|axis| row.get(axis).map_or(0.0, |at| *at as f32));
        let mut places: Vec<[f32; D]> = start.chunks_exact(self.dim).map(row).collect();
        let mut paces = vec![Pace::<D>::default(); places.len()];
        let strongest = self.affinities.strongest();
        let stage = run.stage("layout", self.epochs);
        for epoch in 0..self.epochs {
            run.check()?;
            let rate = self.rate * (1.0 - epoch as f64 / self.epochs as f64);
            let seed = hash(run.seed(), epoch as u64);
            let moves = Moves { layout: self, places: &places, epoch, strongest, seed };
            // The step of Adam without its bias at the beginning.
            let [first, second] = KEPT.map(|kept| 1.0 - kept.powi(epoch as i32 + 1));
            let step = Step { rate: rate as f32, first, second };
            let next: Vec<Vec<[f32; D]>> = run.install(|| {
                let tasks = paces.par_chunks_mut(TASK).enumerate();
                tasks
                    .map(|(task, paces)| pulp::Arch::new().dispatch(Task { moves: &moves, task, paces, step }))
                    .collect()
            });
            places = next.concat();
            stage.advance(1);
        }
        Ok(places.iter().flat_map(|place| place[..self.dim].iter().map(|at| f64::from(*at))).collect())
    }
}

/// What is remembered of the moves of a point.
#[derive(Debug, Clone, Copy)]
struct Pace<const D: usize> {
    mean: [f32; D],
    square: [f32; D],
}

impl<const D: usize> Default for Pace<D> {
    fn default() -> Self {
        Self { mean: [0.0; D], square: [0.0; D] }
    }
}

/// The step of an epoch.
#[derive(Debug, Clone, Copy)]
struct Step {
    rate: f32,
    first: f32,
    second: f32,
}

/// The moves of an epoch.
struct Moves<'a, const D: usize> {
    layout: &'a Layout<'a>,
    places: &'a [[f32; D]],
    epoch: usize,
    strongest: f32,
    seed: u64,
}

/// Some points of an epoch.
struct Task<'a, const D: usize> {
    moves: &'a Moves<'a, D>,
    task: usize,
    paces: &'a mut [Pace<D>],
    step: Step,
}

impl<const D: usize> pulp::WithSimd for Task<'_, D> {
    type Output = Vec<[f32; D]>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Vec<[f32; D]> {
        let Self { moves, task, paces, step } = self;
        let mut places = Vec::with_capacity(paces.len());
        for (row, pace) in (task * TASK..).zip(paces) {
            let moved = moves.of_point(row);
            let mut place = moves.places[row];
            for axis in 0..D {
                let [mean, square] = [&mut pace.mean[axis], &mut pace.square[axis]];
                *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * moved[axis];
                *square = KEPT[1] * *square + (1.0 - KEPT[1]) * moved[axis] * moved[axis];
                place[axis] += step.rate * (*mean / step.first) / ((*square / step.second).sqrt() + 1e-7);
            }
            places.push(place);
        }
        places
    }
}

impl<const D: usize> Moves<'_, D> {
    /// The sum of the pulls and pushes on a point.
    #[inline(always)]
    fn of_point(&self, row: usize) -> [f32; D] {
        let (others, weights) = self.layout.affinities.of_row(row);
        let (mut sums, mut due) = ([[0.0_f32; LANES]; D], Lanes::new(row));
        let (key, mut draws) = (hash(self.seed, row as u64), 0);
        let mut negatives = Lanes::new(row);
        for (&other, &weight) in others.iter().zip(weights) {
            // A link of full weight pulls in every epoch, one of half the weight in every other.
            let share = f64::from(weight / self.strongest);
            if ((self.epoch + 1) as f64 * share).floor() <= (self.epoch as f64 * share).floor() {
                continue;
            }
            due.push(other, |lanes| self.pull(row, lanes, &mut sums));
            for _ in 0..self.layout.negatives {
                let drawn = (((hash(key, draws) >> 32) * self.places.len() as u64) >> 32) as u32;
                draws += 1;
                negatives.push(drawn, |lanes| self.push(row, lanes, &mut sums));
            }
        }
        due.rest(|lanes| self.pull(row, lanes, &mut sums));
        negatives.rest(|lanes| self.push(row, lanes, &mut sums));
        sums.map(|[a, b, c, d, e, f, g, h]| ((a + e) + (b + f)) + ((c + g) + (d + h)))
    }

    /// The differences of a point from some others, and their squared lengths.
    #[inline(always)]
    fn apart(&self, row: usize, others: &[u32; LANES]) -> ([[f32; LANES]; D], [f32; LANES]) {
        let place = self.places[row];
        let (mut apart, mut squares) = ([[0.0; LANES]; D], [0.0; LANES]);
        for lane in 0..LANES {
            let other = self.places[others[lane] as usize];
            for axis in 0..D {
                apart[axis][lane] = place[axis] - other[axis];
            }
        }
        for apart in &apart {
            for lane in 0..LANES {
                squares[lane] += apart[lane] * apart[lane];
            }
        }
        (apart, squares)
    }

    /// Adds the pulls of some others, twice, as each link is one of both its points.
    #[inline(always)]
    fn pull(&self, row: usize, others: &[u32; LANES], sums: &mut [[f32; LANES]; D]) {
        let (apart, squares) = self.apart(row, others);
        let (a, b) = (self.layout.curve.a as f32, self.layout.curve.b as f32);
        let factor = squares.map(|square| {
            let square = square.max(1e-30);
            let power = power(square, b);
            -2.0 * a * b * power / (square * (1.0 + a * power))
        });
        add(sums, &apart, &factor, 2.0);
    }

    /// Adds the pushes of some others.
    #[inline(always)]
    fn push(&self, row: usize, others: &[u32; LANES], sums: &mut [[f32; LANES]; D]) {
        let (apart, squares) = self.apart(row, others);
        let (a, b) = (self.layout.curve.a as f32, self.layout.curve.b as f32);
        let factor = squares.map(|square| 2.0 * b / ((APART + square) * (1.0 + a * power(square.max(1e-30), b))));
        add(sums, &apart, &factor, 1.0);
    }
}

#[inline(always)]
fn add<const D: usize>(sums: &mut [[f32; LANES]; D], apart: &[[f32; LANES]; D], factor: &[f32; LANES], times: f32) {
    for (sums, apart) in sums.iter_mut().zip(apart) {
        for lane in 0..LANES {
            sums[lane] += times * (factor[lane] * apart[lane]).clamp(-CLIP, CLIP);
        }
    }
}

/// Others that are collected until there are enough; what is missing at the end is the point itself, which does nothing.
struct Lanes {
    others: [u32; LANES],
    count: usize,
    own: u32,
}

impl Lanes {
    #[inline(always)]
    fn new(row: usize) -> Self {
        Self { others: [row as u32; LANES], count: 0, own: row as u32 }
    }

    #[inline(always)]
    fn push(&mut self, other: u32, full: impl FnOnce(&[u32; LANES])) {
        self.others[self.count] = other;
        self.count += 1;
        if self.count == LANES {
            full(&self.others);
            self.count = 0;
            self.others = [self.own; LANES];
        }
    }

    #[inline(always)]
    fn rest(&self, some: impl FnOnce(&[u32; LANES])) {
        if self.count > 0 {
            some(&self.others);
        }
    }
}
