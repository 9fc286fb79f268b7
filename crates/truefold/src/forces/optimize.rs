//! The descent: forces, step, until the gradient is small.

use super::affinities::Affinities;
use super::attraction::{attraction, tension};
use super::descent::{Descent, Pace};
use super::field::Field;
use super::octree::Octree;
use super::order::{AGAIN, Order};
use super::shaping::{RENEWED, Shaping};
use crate::data::Input;
use crate::history::Stop;
use crate::{Fit, Neighborhoods, Result, Run};
use std::time::Instant;

/// The share of the last step that is made again.
const MOMENTUM: f64 = 0.8;
/// The longest step of a point, in the units of the map.
const LONGEST: f64 = 5.0;
/// Steps after which the divergence is recorded.
const RECORDED: usize = 250;

/// A phase of the descent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phase {
    pub(crate) exaggeration: f64,
    pub(crate) iterations: usize,
    pub(crate) tolerance: f64,
    pub(crate) rate: f64,
    /// How much shapes count beside neighbors, from 0 to 1.
    pub(crate) shape: f64,
}

/// What is optimized, and how.
pub(crate) struct Plan<'a> {
    pub(crate) affinities: Affinities,
    pub(crate) phases: &'a [Phase],
    pub(crate) dim: usize,
    /// The data and neighborhoods whose shapes count; needed only where they do.
    pub(crate) shapes: Option<(Input<'a>, &'a Neighborhoods)>,
    /// When a descent that looks at both sides ends.
    pub(crate) limits: Limits,
}

/// When a descent ends that looks at R_C and reverse R_C.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// How far they may rise above what they were at first.
    pub(crate) slack: Option<f64>,
    /// The share by which a step lowers their mean, at least.
    pub(crate) gain: Option<f64>,
    /// When time is up.
    pub(crate) deadline: Option<Instant>,
}

/// Writes the repulsion of all points to the forces, and gives the sum of the weights of all pairs.
pub(super) type Repulsion<'a, const D: usize> = &'a mut dyn FnMut(&[[f32; D]], &mut [[f32; D]], &Run) -> Result<f64>;

impl<'a> Plan<'a> {
    /// The map that the descent from `start` ends at.
    pub(crate) fn run(self, start: &[f64], fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        if self.dim == 3 {
            let mut octree = Octree::default();
            self.descend::<3>(start, &mut |places, forces, run| octree.repulsion(places, forces, run), fit)
        } else {
            // A line is a plane of no width.
            let mut field = Field::default();
            self.descend::<2>(start, &mut |places, forces, run| field.repulsion(places, forces, run), fit)
        }
    }

    fn descend<const D: usize>(
        mut self,
        start: &[f64],
        repel: Repulsion<'_, D>,
        fit: &mut Fit<'_>,
    ) -> Result<Vec<f64>> {
        let run = fit.run();
        let row = |row: &[f64]| std::array::from_fn(|axis| row.get(axis).copied().unwrap_or(0.0));
        let mut state = State::<D>::new(start.chunks_exact(self.dim).map(row).collect());
        let total = self.phases.iter().map(|phase| phase.iterations).sum();
        let stage = run.stage("descent", total);
        let (mut stop, mut traced, mut steps, mut last) = (Stop::MaxIterations, Vec::new(), 0, None);
        let mut order = Order::new(state.places.len());
        for phase in self.phases {
            let mut descent = Descent::new(state.places.len());
            order.renew(&mut state.places, &mut self.affinities, &mut descent, run)?;
            let mut shaping = self.shaping(phase, &order, run)?;
            let mut watch = Watch::<D> { limits: self.limits, ..Watch::default() };
            stop = Stop::MaxIterations;
            for step in 0..phase.iterations {
                if step == AGAIN && shaping.is_none() {
                    order.renew(&mut state.places, &mut self.affinities, &mut descent, run)?;
                }
                let (sum, mut share) = state.forces(&self, phase.exaggeration, repel, run)?;
                if usize::is_multiple_of(steps, RECORDED) {
                    traced.push(self.divergence(&state.narrow, sum, run)?);
                }
                if let Some(shaping) = &mut shaping {
                    share = shaping.bend(step, &state.narrow, &mut state.gradient, run)?;
                    if let Some(reason) = watch.end(shaping.looked_up, &mut state.places) {
                        stop = reason;
                        break;
                    }
                }
                last = Some(share);
                if share < phase.tolerance {
                    stop = Stop::Converged;
                    break;
                }
                let pace = Pace { rate: phase.rate, momentum: MOMENTUM, longest: LONGEST };
                descent.step(&mut state.places, &state.gradient, pace);
                steps += 1;
                stage.advance(1);
            }
            if let Some(shaping) = shaping.as_mut().filter(|_| self.limits.slack.is_some() && stop != Stop::Stalled) {
                state.forces(&self, phase.exaggeration, repel, run)?;
                shaping.bend(0, &state.narrow, &mut state.gradient, run)?;
                if watch.is_lost(shaping.looked_up, &mut state.places) {
                    stop = Stop::Stalled;
                }
            }
        }
        drop(stage);
        let (sum, share) = state.forces(&self, 1.0, repel, run)?;
        let divergence = self.divergence(&state.narrow, sum, run)?;
        traced.push(divergence);
        fit.lap("descent");
        fit.trace("kl_divergence", traced);
        fit.fact("kl_divergence", divergence);
        fit.fact("steps", steps);
        fit.fact("gradient", last.unwrap_or(share));
        fit.ended(stop);
        Ok(order.restored(&state.places, self.dim))
    }

    /// The shapes that count in a phase, of points in this order.
    fn shaping<const D: usize>(&self, phase: &Phase, order: &Order, run: &Run) -> Result<Option<Shaping<'a, D>>> {
        let Some((input, neighborhoods)) = self.shapes.filter(|_| phase.shape > 0.0) else { return Ok(None) };
        let near = order.neighborhoods(neighborhoods);
        Shaping::new(input, near.as_ref().unwrap_or(neighborhoods), order.rows(), phase.shape, run).map(Some)
    }

    /// How many times as large a map should be so that its divergence is least.
    pub(crate) fn best_scale(&self, map: &[f64], run: &Run) -> Result<f64> {
        if self.dim == 3 {
            let mut octree = Octree::default();
            self.scale::<3>(map, &mut |places, forces, run| octree.repulsion(places, forces, run), run)
        } else {
            let mut field = Field::default();
            self.scale::<2>(map, &mut |places, forces, run| field.repulsion(places, forces, run), run)
        }
    }

    fn scale<const D: usize>(&self, map: &[f64], repel: Repulsion<'_, D>, run: &Run) -> Result<f64> {
        let largest = map.iter().fold(0.0_f64, |most, at| most.max(at.abs()));
        if largest == 0.0 {
            return Ok(1.0);
        }
        let mut forces = vec![[0.0; D]; self.affinities.len()];
        let mut divergence = |extent: f64| -> Result<f64> {
            let at = |row: &[f64], axis: usize| row.get(axis).map_or(0.0, |at| (at / largest * extent) as f32);
            let places: Vec<[f32; D]> =
                map.chunks_exact(self.dim).map(|row| std::array::from_fn(|axis| at(row, axis))).collect();
            let sum = repel(&places, &mut forces, run)?;
            self.divergence(&places, sum, run)
        };
        // The least of a few sizes, from one unit on until it rises, and then between its neighbors.
        let (mut best, mut factor) = ((f64::INFINITY, 1.0), 2.0_f64);
        for power in 0..=9 {
            let extent = 2.0_f64.powi(power);
            let value = divergence(extent)?;
            if value > best.0 {
                break;
            }
            best = (value, extent);
        }
        for _ in 0..4 {
            factor = factor.sqrt();
            for extent in [best.1 / factor, best.1 * factor] {
                let value = divergence(extent)?;
                best = if value < best.0 { (value, extent) } else { best };
            }
        }
        Ok(best.1 / largest)
    }

    /// The Kullback-Leibler divergence of a map whose weights have this sum.
    fn divergence<const D: usize>(&self, places: &[[f32; D]], sum: f64, run: &Run) -> Result<f64> {
        Ok(self.affinities.entropy() + tension(&self.affinities, places, run)? + sum.ln())
    }
}

/// Watches both sides.
#[derive(Default)]
struct Watch<const D: usize> {
    limits: Limits,
    first: Option<[f64; 2]>,
    /// The mean of both when they were last looked at.
    last: Option<f64>,
    /// The places then, which did no harm.
    kept: Vec<[f64; D]>,
}

impl<const D: usize> Watch<D> {
    /// Whether a side is lost; then `places` are again those that were last looked at.
    fn is_lost(&mut self, now: Option<[f64; 2]>, places: &mut Vec<[f64; D]>) -> bool {
        let (Some(slack), Some(now)) = (self.limits.slack, now) else { return false };
        let first = *self.first.get_or_insert(now);
        if now.iter().zip(first).any(|(now, first)| *now > first + slack) {
            std::mem::swap(places, &mut self.kept);
            return true;
        }
        self.kept.clone_from(places);
        false
    }

    /// Why the descent ends, if it does.
    fn end(&mut self, now: Option<[f64; 2]>, places: &mut Vec<[f64; D]>) -> Option<Stop> {
        if self.is_lost(now, places) {
            return Some(Stop::Stalled);
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stop::Deadline);
        }
        let mean = now.map(|[one, other]| (one + other) / 2.0)?;
        let settled = |gain: f64, last: f64| last - mean <= gain * RENEWED as f64 * mean;
        let converged = self.limits.gain.zip(self.last).is_some_and(|(gain, last)| settled(gain, last));
        self.last = Some(mean);
        converged.then_some(Stop::Converged)
    }
}

/// The map, and the forces on it.
pub(super) struct State<const D: usize> {
    places: Vec<[f64; D]>,
    narrow: Vec<[f32; D]>,
    attraction: Vec<[f32; D]>,
    repulsion: Vec<[f32; D]>,
    pub(super) gradient: Vec<[f64; D]>,
}

impl<const D: usize> State<D> {
    pub(super) fn new(places: Vec<[f64; D]>) -> Self {
        let count = places.len();
        let forces = vec![[0.0; D]; count];
        Self {
            narrow: forces.clone(),
            attraction: forces.clone(),
            repulsion: forces,
            gradient: vec![[0.0; D]; count],
            places,
        }
    }

    /// The gradient; the sum of the weights of all pairs, and the length of the gradient over that of the attraction.
    pub(super) fn forces(
        &mut self,
        plan: &Plan,
        exaggeration: f64,
        repel: Repulsion<'_, D>,
        run: &Run,
    ) -> Result<(f64, f64)> {
        let Self { places, narrow, attraction: pulls, repulsion: pushes, gradient } = self;
        narrow.iter_mut().zip(places).for_each(|(narrow, place)| *narrow = place.map(|at| at as f32));
        let sum = repel(narrow, pushes, run)?;
        attraction(&plan.affinities, narrow, pulls, run)?;
        let (mut length, mut pulled) = (0.0, 0.0);
        for ((gradient, pull), push) in gradient.iter_mut().zip(pulls).zip(pushes) {
            for axis in 0..plan.dim {
                let pull = exaggeration * f64::from(pull[axis]);
                gradient[axis] = pull - f64::from(push[axis]) / sum;
                length += gradient[axis] * gradient[axis];
                pulled += pull * pull;
            }
        }
        Ok((sum, if pulled > 0.0 { (length / pulled).sqrt() } else { 0.0 }))
    }
}
