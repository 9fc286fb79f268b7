//! The iteration: slope, step, and a guarantee that the target never rises.
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
use crate::laplacian::{Effort, HeldLaplacian, LaplacianSolver, Limits, Weights};
use crate::linalg::{DescentMemory, dot};
use crate::{Error, Neighborhoods, Points, Result, Run};
use std::ops::ControlFlow;
use std::time::Instant;

/// How far the system of an exact step is solved, relative to its right-hand side.
const SOLVE_TO: f64 = 1e-3;

/// The same where few steps follow: they need not be the best, as the memory makes up for what a rough solve leaves.
const SOLVE_ROUGHLY_TO: f64 = 0.1;

/// The same where points are held: what is farther off than these steps reach is right already.
const SOLVE_AROUND: Limits = Limits::new(1e-2, 24).carried();

/// The number of moves that the memory keeps.
const PAIRS: usize = 8;

/// How often a step that would raise the target is halved before giving up.
const HALVINGS: usize = 4;

/// The same where points are pushed apart.
const HALVINGS_OF_PUSHES: usize = 12;

/// How many steps in a row must be too small to stop.
const PATIENCE: usize = 2;

/// Where a descent ended.
pub(super) struct Descent {
    pub(super) y: Points,
    pub(super) values: Vec<f64>,
    pub(super) stop: Stop,
    pub(super) scale: f64,
    /// The penalty at the end, without its weight.
    pub(super) penalty: f64,
    /// Steps of the memory that raised the target and were undone.
    pub(super) taken_back: usize,
}

/// Computes plain steps.
struct PlainSteps<'a> {
    neighborhoods: &'a Neighborhoods,
    /// For each point the sum of the weights of the neighborhoods that hold it.
    degrees: Vec<f64>,
    system: StepSystem<'a>,
    /// How far the system of an exact step is solved.
    tolerance: f64,
}

/// What a plain step solves.
enum StepSystem<'a> {
    /// The diagonal alone.
    Diagonal,
    /// The Laplacian of the neighborhoods.
    Laplacian(Box<LaplacianSolver<'a>>),
    /// The Laplacian of the neighborhoods and that of the stress.
    Stressed(System<'a>),
    /// The Laplacian of the points that are not held.
    Held(Box<HeldLaplacian<'a>>),
}

impl<'a> PlainSteps<'a> {
    fn new(
        refine: &Refine,
        objective: &Objective<'_>,
        neighborhoods: &'a Neighborhoods,
        weights: &[f64],
        run: &Run,
    ) -> Result<Self> {
        let system = match (objective.stress, refine.step) {
            (Some((stress, weight)), _) => {
                StepSystem::Stressed(stress.system(weight, objective.sweeper.counted(), neighborhoods, weights))
            }
            (None, Step::Simple) => StepSystem::Diagonal,
            (None, Step::Exact) => match objective.free {
                Some(free) => StepSystem::Held(Box::new(HeldLaplacian::new(neighborhoods, weights, free, run))),
                None => {
                    let weights = Weights::Each(weights.to_vec());
                    let how = (refine.solver, run.seed());
                    let solver = LaplacianSolver::with(neighborhoods, weights, how, objective.effort, run)?;
                    StepSystem::Laplacian(Box::new(solver))
                }
            },
        };
        let tolerance = match objective.effort {
            Effort::Full => SOLVE_TO,
            Effort::Rough => SOLVE_ROUGHLY_TO,
        };
        Ok(Self { neighborhoods, degrees: degrees(neighborhoods, weights), system, tolerance })
    }

    /// Takes on the weights of another Y.
    fn reweight(&mut self, weights: &[f64], run: &Run) -> Result<()> {
        self.degrees = degrees(self.neighborhoods, weights);
        if let StepSystem::Laplacian(solver) = &mut self.system {
            solver.reweight(Weights::Each(weights.to_vec()), run)?;
        }
        if let StepSystem::Held(system) = &mut self.system {
            system.reweight(weights, run);
        }
        Ok(())
    }

    fn step(&self, downhill: &[f64], dim: usize, run: &Run) -> Result<Vec<f64>> {
        match &self.system {
            StepSystem::Diagonal => {}
            StepSystem::Stressed(system) => return system.step(downhill, dim, run),
            StepSystem::Held(system) => return system.solve(downhill, dim, SOLVE_AROUND, run),
            StepSystem::Laplacian(solver) => match solver.solve(downhill, dim, None, self.tolerance, run) {
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
    let stage = run.stage("refinement", refine.iterations);
    let run = &run.quiet();
    let mut slope = objective.slope(&start, run)?;
    let plain = PlainSteps::new(refine, objective, neighborhoods, &slope.weights, run)?;
    let mut stepper = Stepper { refine, objective, plain, memory: DescentMemory::new(PAIRS), taken_back: 0 };
    let mut y = start;
    let mut values = vec![slope.value];
    let (mut stop, mut small) = (Stop::MaxIterations, 0);
    for _ in 0..refine.iterations {
        run.check()?;
        if refine.time_limit.is_some_and(|limit| begun.elapsed().as_secs_f64() >= limit) {
            stop = Stop::Deadline;
            break;
        }
        let (there, fresh) = match stepper.step(&y, &slope, run)? {
            ControlFlow::Continue(lower) => lower,
            ControlFlow::Break(reason) => {
                stop = reason;
                break;
            }
        };
        small = if slope.value - fresh.value <= refine.tolerance * slope.value { small + 1 } else { 0 };
        stepper.learn((&y, &slope), (&there, &fresh), run)?;
        (y, slope) = (there, fresh);
        values.push(slope.value);
        stage.advance(1);
        if small == PATIENCE {
            stop = Stop::Converged;
            break;
        }
    }
    let (scale, penalty) = (slope.scale, slope.penalty);
    Ok(Descent { y, values, stop, scale, penalty, taken_back: stepper.taken_back })
}

/// Takes the steps of one descent.
struct Stepper<'a> {
    refine: &'a Refine,
    objective: &'a Objective<'a>,
    plain: PlainSteps<'a>,
    memory: DescentMemory,
    /// Steps of the memory that raised the target and were undone.
    taken_back: usize,
}

impl Stepper<'_> {
    /// A lower Y and its slope, by a step of the memory or, where that fails, a plain one; else why there is none.
    fn step(&mut self, y: &Points, slope: &Slope, run: &Run) -> Result<ControlFlow<Stop, (Points, Slope)>> {
        let dim = y.dim();
        if !self.memory.is_empty() {
            let step = self.memory.step(&slope.downhill, |rest| self.plain.step(rest, dim, run))?;
            let trials = if slope.penalty > 0.0 { HALVINGS } else { 1 };
            if let Some(lower) = lower(self.objective, y, slope, &step, trials, run)? {
                return Ok(ControlFlow::Continue(lower));
            }
            self.memory.clear();
            self.taken_back += 1;
        }
        let step = self.plain.step(&slope.downhill, dim, run)?;
        let halvings = if slope.penalty > 0.0 { HALVINGS_OF_PUSHES } else { HALVINGS };
        if let Some(lower) = lower(self.objective, y, slope, &step, halvings, run)? {
            return Ok(ControlFlow::Continue(lower));
        }
        // What the step would gain, were the target quadratic.
        let promised = dot(&step, &slope.downhill) / self.objective.sweeper.counted();
        let converged = promised <= self.refine.tolerance * slope.value;
        Ok(ControlFlow::Break(if converged { Stop::Converged } else { Stop::Stalled }))
    }

    /// Remembers a step, and takes on the weights after it.
    fn learn(&mut self, from: (&Points, &Slope), to: (&Points, &Slope), run: &Run) -> Result<()> {
        if self.refine.acceleration == Acceleration::QuasiNewton {
            let moved = to.0.values().iter().zip(from.0.values()).map(|(new, old)| new - old).collect();
            let change = from.1.downhill.iter().zip(&to.1.downhill).map(|(old, new)| old - new).collect();
            self.memory.push(moved, change);
        }
        if self.refine.target == Target::RC {
            self.plain.reweight(&to.1.weights, run)?;
        }
        Ok(())
    }
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
        if fresh.value < slope.value && objective.admits(&there, y, run)? {
            return Ok(Some((there, fresh)));
        }
        length /= 2.0;
    }
    Ok(None)
}
