//! The descent: forces, step, until the gradient is small.

use super::shaping::Shaping;
use crate::data::Input;
use crate::forces::{Affinities, Descent, Field, Octree, Pace, attraction, tension};
use crate::history::Stop;
use crate::{Fit, Neighborhoods, Result, Run};

/// The share of the last step that is made again.
const MOMENTUM: f64 = 0.8;
/// The longest step of a point, in the units of the map.
const LONGEST: f64 = 5.0;
/// Steps after which the divergence is recorded.
const RECORDED: usize = 250;

/// A phase of the descent.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Phase {
    pub(in super::super) exaggeration: f64,
    pub(in super::super) iterations: usize,
    pub(in super::super) tolerance: f64,
    pub(in super::super) rate: f64,
    /// How much shapes count beside neighbors, from 0 to 1.
    pub(in super::super) shape: f64,
}

/// What is optimized, and how.
pub(in super::super) struct Plan<'a> {
    pub(in super::super) affinities: &'a Affinities,
    pub(in super::super) phases: &'a [Phase],
    pub(in super::super) dim: usize,
    /// The data and neighborhoods whose shapes count; needed only where they do.
    pub(in super::super) shapes: Option<(Input<'a>, &'a Neighborhoods)>,
}

/// Writes the repulsion of all points to the forces, and gives the sum of the weights of all pairs.
type Repulsion<'a, const D: usize> = &'a mut dyn FnMut(&[[f32; D]], &mut [[f32; D]], &Run) -> Result<f64>;

impl Plan<'_> {
    /// The map that the descent from `start` ends at.
    pub(in super::super) fn run(&self, start: &[f64], fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        if self.dim == 3 {
            let mut octree = Octree::default();
            self.descend::<3>(start, &mut |places, forces, run| octree.repulsion(places, forces, run), fit)
        } else {
            // A line is a plane of no width.
            let mut field = Field::default();
            self.descend::<2>(start, &mut |places, forces, run| field.repulsion(places, forces, run), fit)
        }
    }

    fn descend<const D: usize>(&self, start: &[f64], repel: Repulsion<'_, D>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let run = fit.run();
        let row = |row: &[f64]| std::array::from_fn(|axis| row.get(axis).copied().unwrap_or(0.0));
        let mut state = State::<D>::new(start.chunks_exact(self.dim).map(row).collect());
        let total = self.phases.iter().map(|phase| phase.iterations).sum();
        let stage = run.stage("descent", total);
        let (mut stop, mut traced, mut steps, mut last) = (Stop::MaxIterations, Vec::new(), 0, None);
        for phase in self.phases {
            let mut descent = Descent::new(state.places.len());
            let mut shaping = match self.shapes {
                Some(shapes) if phase.shape > 0.0 => Some(Shaping::new(shapes, phase.shape, run)?),
                _ => None,
            };
            stop = Stop::MaxIterations;
            for step in 0..phase.iterations {
                let (sum, mut share) = state.forces(self, phase.exaggeration, repel, run)?;
                if usize::is_multiple_of(steps, RECORDED) {
                    traced.push(self.divergence(&state.narrow, sum, run)?);
                }
                if let Some(shaping) = &mut shaping {
                    share = shaping.bend(step, &state.narrow, &mut state.gradient, run)?;
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
        }
        drop(stage);
        let (sum, share) = state.forces(self, 1.0, repel, run)?;
        let divergence = self.divergence(&state.narrow, sum, run)?;
        traced.push(divergence);
        fit.lap("descent");
        fit.trace("kl_divergence", traced);
        fit.fact("kl_divergence", divergence);
        fit.fact("steps", steps);
        fit.fact("gradient", last.unwrap_or(share));
        fit.ended(stop);
        Ok(state.places.iter().flat_map(|place| place[..self.dim].iter().copied()).collect())
    }

    /// The Kullback-Leibler divergence of a map whose weights have this sum.
    fn divergence<const D: usize>(&self, places: &[[f32; D]], sum: f64, run: &Run) -> Result<f64> {
        Ok(self.affinities.entropy() + tension(self.affinities, places, run)? + sum.ln())
    }
}

/// The map, and the forces on it.
struct State<const D: usize> {
    places: Vec<[f64; D]>,
    narrow: Vec<[f32; D]>,
    attraction: Vec<[f32; D]>,
    repulsion: Vec<[f32; D]>,
    gradient: Vec<[f64; D]>,
}

impl<const D: usize> State<D> {
    fn new(places: Vec<[f64; D]>) -> Self {
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
    fn forces(&mut self, plan: &Plan, exaggeration: f64, repel: Repulsion<'_, D>, run: &Run) -> Result<(f64, f64)> {
        let Self { places, narrow, attraction: pulls, repulsion: pushes, gradient } = self;
        narrow.iter_mut().zip(places).for_each(|(narrow, place)| *narrow = place.map(|at| at as f32));
        let sum = repel(narrow, pushes, run)?;
        attraction(plan.affinities, narrow, pulls, run)?;
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
