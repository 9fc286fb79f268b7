//! The iteration: slope, step, and the promise that the target never rises.
//!
//! Exact step: L x = g, Y + x, which is the closed form Y = L^+ sum w_i H_i T_i, T_i = C_i A_i / c_i, written as a
//! correction; conjugate gradients from x = 0 lower |L^(1/2)(x - L^+ g)| at every step, so that a solve which is cut
//! short lowers the target too. Simple step: x_j = g_j / sum of w_i over the neighborhoods that hold j, which is the
//! paper's average of A_i'(x_j - b_i). Goldberg and Ritov, sections 4.2 and 4.4. A stress beside the target is part of the
//! system of every step; a penalty, which pushes few points, is not, and its steps may have to be shortened more often.

use super::objective::Objective;
use super::stress::System;
use super::sweep::Slope;
use super::{Acceleration, Refine, Step, Target};
use crate::history::Stop;
use crate::laplacian::{LaplacianSolver, Weights};
use crate::linalg::Memory;
use crate::linalg::dot;
use crate::{Error, Neighborhoods, Points, Result, Run};
use std::time::Instant;

/// How far the system of an exact step is solved, relative to its right-hand side.
const SOLVE_TO: f64 = 1e-3;

/// The number of moves that the memory keeps.
const PAIRS: usize = 8;

/// How often a step that would raise the target is halved before it is given up.
const HALVINGS: usize = 4;

/// The same where points are pushed apart.
const HALVINGS_OF_PUSHES: usize = 12;

/// How many steps in a row must be too small to stop.
const PATIENCE: usize = 2;

/// What an iteration came to.
pub(super) struct Descent {
    pub(super) y: Points,
    pub(super) values: Vec<f64>,
    pub(super) stop: Stop,
    pub(super) scale: f64,
    /// The penalty at the end, without its weight.
    pub(super) penalty: f64,
    /// How many steps the memory bent, and how many of those raised the target and were taken back.
    pub(super) taken_back: usize,
}

/// Where the plain steps come from.
struct Plain<'a> {
    neighborhoods: &'a Neighborhoods,
    /// For each point the sum of the weights of the neighborhoods that hold it.
    degrees: Vec<f64>,
    way: Way<'a>,
}

enum Way<'a> {
    Simple,
    Exact(Box<LaplacianSolver<'a>>),
    Stressed(System<'a>),
}

impl<'a> Plain<'a> {
    fn new(
        refine: &Refine,
        objective: &Objective<'_>,
        neighborhoods: &'a Neighborhoods,
        weights: &[f64],
        run: &Run,
    ) -> Result<Self> {
        let way = match (objective.stress, refine.step) {
            (Some((stress, weight)), _) => {
                Way::Stressed(stress.system(weight, objective.sweeper.counted(), neighborhoods, weights))
            }
            (None, Step::Simple) => Way::Simple,
            (None, Step::Exact) => {
                let weights = Weights::Each(weights.to_vec());
                Way::Exact(Box::new(LaplacianSolver::new(neighborhoods, weights, refine.solver, run.seed(), run)?))
            }
        };
        Ok(Self { neighborhoods, degrees: degrees(neighborhoods, weights), way })
    }

    /// Takes on the weights of another Y.
    fn reweight(&mut self, weights: &[f64], run: &Run) -> Result<()> {
        self.degrees = degrees(self.neighborhoods, weights);
        if let Way::Exact(solver) = &mut self.way {
            solver.reweight(Weights::Each(weights.to_vec()), run)?;
        }
        Ok(())
    }

    fn step(&self, downhill: &[f64], dim: usize, run: &Run) -> Result<Vec<f64>> {
        match &self.way {
            Way::Simple => {}
            Way::Stressed(system) => return system.step(downhill, dim, run),
            Way::Exact(solver) => match solver.solve(downhill, dim, None, SOLVE_TO, run) {
                // Weights too far apart for the solver; the simple step lowers the target too.
                Err(Error::Solver { .. }) => {}
                solution => return solution.map(|solution| solution.values),
            },
        }
        let mut step = downhill.to_vec();
        for (row, degree) in step.chunks_exact_mut(dim).zip(&self.degrees) {
            row.iter_mut().for_each(|value| *value /= degree);
        }
        Ok(step)
    }
}

fn degrees(neighborhoods: &Neighborhoods, weights: &[f64]) -> Vec<f64> {
    let mut degrees = vec![0.0; weights.len()];
    for (index, weight) in weights.iter().enumerate() {
        for &member in neighborhoods.members(index) {
            degrees[member as usize] += weight;
        }
    }
    degrees
}

/// Lowers the target from `start` until a limit of `refine` is reached.
pub(super) fn descend(
    refine: &Refine,
    objective: &Objective<'_>,
    neighborhoods: &Neighborhoods,
    start: Points,
    run: &Run,
) -> Result<Descent> {
    let begun = Instant::now();
    let dim = start.dim();
    let stage = run.stage("refinement", refine.iterations);
    let run = &run.quiet();
    let mut y = start;
    let mut slope = objective.slope(&y, run)?;
    let mut plain = Plain::new(refine, objective, neighborhoods, &slope.weights, run)?;
    let mut memory = Memory::new(PAIRS);
    let mut values = vec![slope.value];
    let (mut stop, mut small, mut taken_back) = (Stop::MaxIterations, 0, 0);
    for _ in 0..refine.iterations {
        run.check()?;
        if refine.time_limit.is_some_and(|limit| begun.elapsed().as_secs_f64() >= limit) {
            stop = Stop::Deadline;
            break;
        }
        let mut next = None;
        if !memory.is_empty() {
            let step = memory.step(&slope.downhill, |rest| plain.step(rest, dim, run))?;
            let trials = if slope.penalty > 0.0 { HALVINGS } else { 1 };
            next = lower(objective, &y, &slope, &step, trials, run)?;
            if next.is_none() {
                memory.clear();
                taken_back += 1;
            }
        }
        if next.is_none() {
            let step = plain.step(&slope.downhill, dim, run)?;
            let halvings = if slope.penalty > 0.0 { HALVINGS_OF_PUSHES } else { HALVINGS };
            next = lower(objective, &y, &slope, &step, halvings, run)?;
            if next.is_none() {
                // What the step promises of the target, were it quadratic.
                let promised = dot(&step, &slope.downhill) / objective.sweeper.counted();
                stop = if promised <= refine.tolerance * slope.value { Stop::Converged } else { Stop::Stalled };
                break;
            }
        }
        let Some((there, fresh)) = next else { break };
        small = if slope.value - fresh.value <= refine.tolerance * slope.value { small + 1 } else { 0 };
        if refine.acceleration == Acceleration::QuasiNewton {
            let moved = there.values().iter().zip(y.values()).map(|(new, old)| new - old).collect();
            let change = slope.downhill.iter().zip(&fresh.downhill).map(|(old, new)| old - new).collect();
            memory.push(moved, change);
        }
        (y, slope) = (there, fresh);
        if refine.target == Target::RC {
            plain.reweight(&slope.weights, run)?;
        }
        values.push(slope.value);
        stage.advance(1);
        if small == PATIENCE {
            stop = Stop::Converged;
            break;
        }
    }
    Ok(Descent { y, values, stop, scale: slope.scale, penalty: slope.penalty, taken_back })
}

/// Y and its slope after `step`, or after the first of its halves and quarters that lowers the target.
fn lower(
    objective: &Objective<'_>,
    y: &Points,
    slope: &Slope,
    step: &[f64],
    trials: usize,
    run: &Run,
) -> Result<Option<(Points, Slope)>> {
    let mut length = 1.0;
    for _ in 0..trials {
        let values = y.values().iter().zip(step).map(|(value, step)| value + length * step).collect();
        let there = Points::new(y.len(), y.dim(), values)?;
        let fresh = objective.slope(&there, run)?;
        if fresh.value < slope.value {
            return Ok(Some((there, fresh)));
        }
        length /= 2.0;
    }
    Ok(None)
}
