//! Simulated annealing of the frames: random turns of single frames, accepted by the change of f and a temperature.
//!
//! A move picks a site i and an orthogonal matrix R at random and replaces A_i by A_i R. It is accepted if f falls, and
//! with probability exp(-change / T) if f rises. T starts where a stated share of the uphill moves among samples would
//! be accepted and is multiplied by `cooling` after every sweep of as many moves as there are sites. R is uniform on
//! O(d) (the polar factor of a Gaussian matrix) for one move in ten; for another one it aligns A_i with a random
//! neighbor, which moves the walls between regions that disagree; and otherwise it is uniform but drawn toward the
//! identity, polar((1 - s) I + s R), with the step s adjusted so that four moves in ten are accepted. Outer iterations
//! freeze the largest cluster of aligned frames and anneal the others, until the cluster holds 99 of 100; if it stops
//! growing, or holds all but is twisted, all are annealed again. At the end, zero-temperature sweeps replace each O_i by
//! the minimizer of f given its neighbors, which no random move can beat. The best configuration seen is returned, so
//! the result is never worse than the start.
//!
//! Goldberg and Ritov, section 4.3, after Kirkpatrick, Gelatt and Vecchi (1983). Cost: O(k d^3) a move, serial. When it
//! fails: if it cools too fast, twists remain that no single move can undo; more sweeps and a `cooling` nearer 1 help.
//!
//! Differs from the paper: the cooling scheme, left open there, is stated; taking over from a neighbor, starting
//! again and the final sweeps are new.

use super::sites::Sites;
use crate::history::Stop;
use crate::linalg::{Nearest, dot, multiply};
use crate::{Result, Run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use std::time::Instant;

/// The stream of random numbers that belongs to annealing.
const STREAM: u64 = 11;
/// Moves sampled to set the first temperature.
const SAMPLES: usize = 1000;
/// One move in this many is uniform on O(d), and another one takes over from a neighbor.
const LEAP: usize = 10;
const TARGET_ACCEPTANCE: f64 = 0.4;
const SMALLEST_STEP: f64 = 1e-4;
/// Outer iterations end when the largest cluster holds this share of the sites.
const ALMOST_ALL: f64 = 0.99;
/// And when this share of the links is aligned.
const ALMOST_ALL_LINKS: f64 = 0.999;
/// A run that adds less than this share of the sites to the largest cluster did not help.
const GROWTH: f64 = 0.01;
/// Zero-temperature sweeps end when one lowers f by less than this share.
const SETTLED: f64 = 1e-7;
const MOST_SETTLING: usize = 3000;

/// What annealing found.
#[derive(Debug)]
pub(crate) struct Annealed {
    /// The rotations with the least f seen.
    pub(crate) rotations: Vec<f64>,
    /// f after each sweep.
    pub(crate) trace: Vec<f64>,
    pub(crate) stop: Stop,
    /// The share of the sites in the largest cluster of aligned frames.
    pub(crate) cluster: f64,
    /// The sweeps made, those of temperature zero included.
    pub(crate) sweeps: usize,
}

/// How long to anneal, and how hot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Annealing {
    /// Sweeps over all sites in one run from hot to cold.
    pub(crate) sweeps: usize,
    /// The most runs.
    pub(crate) outer: usize,
    /// The factor of the temperature from sweep to sweep.
    pub(crate) cooling: f64,
    /// The share of uphill moves that the first temperature accepts.
    pub(crate) first_share: f64,
    /// The most seconds, where there is a limit.
    pub(crate) time_limit: Option<f64>,
}

/// A random orthogonal matrix for each site.
pub(crate) fn random_rotations(count: usize, dim: usize, run: &Run) -> Vec<f64> {
    let mut moves = Moves::new(dim, run.seed());
    let mut rotations = Vec::with_capacity(count * dim * dim);
    for _ in 0..count {
        moves.uniform();
        rotations.extend_from_slice(&moves.turn);
    }
    rotations
}

/// Anneals `sites` from the rotations they have.
pub(crate) fn anneal(sites: &mut Sites<'_>, settings: &Annealing, run: &Run) -> Result<Annealed> {
    let mut state = State {
        start: Instant::now(),
        moves: Moves::new(sites.dim(), run.seed().wrapping_add(1)),
        f: sites.objective(),
        best: (sites.objective(), sites.rotations().to_vec()),
        values: vec![sites.objective()],
        settings,
    };
    let stage = run.stage("annealing", settings.outer * settings.sweeps);
    let mut active: Vec<u32> = (0..sites.len() as u32).collect();
    let mut stop = Stop::MaxIterations;
    let (mut share, mut before) = (0.0, 0.0);
    for _ in 0..settings.outer {
        if !state.cool(sites, &active, run, &stage)? {
            stop = Stop::Deadline;
        }
        let cluster = sites.largest_cluster();
        share = cluster.iter().filter(|&&inside| inside).count() as f64 / sites.len() as f64;
        // Around a twist every site may be in the cluster although links at its core are not aligned.
        let whole = share >= ALMOST_ALL;
        if whole && sites.misaligned() < 1.0 - ALMOST_ALL_LINKS {
            stop = Stop::Converged;
        }
        if stop != Stop::MaxIterations {
            break;
        }
        let again = whole || share < before + GROWTH;
        before = if again { 0.0 } else { share };
        active = (0..sites.len() as u32).filter(|&site| again || !cluster[site as usize]).collect();
    }
    // The last configuration is cold; the best one may be the start itself.
    if !state.settle(sites, run)? {
        stop = Stop::Deadline;
    }
    if state.f > state.best.0 {
        sites.set_rotations(&state.best.1);
        state.settle(sites, run)?;
        state.values.push(state.f.min(state.best.0));
        let cluster = sites.largest_cluster();
        share = cluster.iter().filter(|&&inside| inside).count() as f64 / sites.len() as f64;
    }
    let sweeps = state.values.len() - 1;
    Ok(Annealed { rotations: sites.rotations().to_vec(), trace: state.values, stop, cluster: share, sweeps })
}

struct State<'a> {
    start: Instant,
    moves: Moves,
    f: f64,
    best: (f64, Vec<f64>),
    values: Vec<f64>,
    settings: &'a Annealing,
}

impl State<'_> {
    fn in_time(&self) -> bool {
        self.settings.time_limit.is_none_or(|limit| self.start.elapsed().as_secs_f64() < limit)
    }

    /// One run from the first temperature to the last over the `active` sites; false if time ran out.
    fn cool(&mut self, sites: &mut Sites<'_>, active: &[u32], run: &Run, stage: &crate::Stage<'_>) -> Result<bool> {
        let mut temperature = self.first_temperature(sites, active);
        let mut step = 1.0;
        for _ in 0..self.settings.sweeps {
            run.check()?;
            if !self.in_time() {
                return Ok(false);
            }
            let (mut tried, mut accepted) = (0, 0);
            for _ in 0..active.len() {
                let site = active[self.moves.below(active.len())] as usize;
                let kind = self.moves.below(LEAP);
                let change = match kind {
                    0 => self.moves.propose(sites, site, 1.0),
                    1 => self.moves.take_over(sites, site),
                    _ => self.moves.propose(sites, site, step),
                };
                let accept = change <= 0.0 || self.moves.unit() < (-change / temperature).exp();
                if accept {
                    sites.set(site, &self.moves.trial);
                    self.f += change;
                }
                if kind > 1 {
                    tried += 1;
                    accepted += usize::from(accept);
                }
            }
            if tried > 0 {
                let excess = accepted as f64 / tried as f64 - TARGET_ACCEPTANCE;
                step = (step * (0.5 * excess).exp()).clamp(SMALLEST_STEP, 1.0);
            }
            self.record(sites);
            temperature *= self.settings.cooling;
            stage.advance(1);
        }
        Ok(true)
    }

    /// The temperature at which the stated share of sampled uphill moves would be accepted, on average.
    fn first_temperature(&mut self, sites: &Sites<'_>, active: &[u32]) -> f64 {
        let mut rises = Vec::new();
        for _ in 0..SAMPLES {
            let site = active[self.moves.below(active.len())] as usize;
            let change = self.moves.propose(sites, site, 1.0);
            if change > 0.0 {
                rises.push(change);
            }
        }
        let Some(most) = rises.iter().copied().reduce(f64::max) else { return f64::MIN_POSITIVE };
        let share =
            |temperature: f64| rises.iter().map(|rise| (-rise / temperature).exp()).sum::<f64>() / rises.len() as f64;
        // The share grows with the temperature; at the upper end it is above the one wanted.
        let (mut low, mut high) = (0.0, most / -self.settings.first_share.ln());
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if share(middle) < self.settings.first_share { low = middle } else { high = middle }
        }
        high.max(f64::MIN_POSITIVE)
    }

    /// Zero-temperature sweeps until f stays; false if time ran out.
    fn settle(&mut self, sites: &mut Sites<'_>, run: &Run) -> Result<bool> {
        self.f = sites.objective();
        for _ in 0..MOST_SETTLING {
            run.check()?;
            if !self.in_time() {
                return Ok(false);
            }
            let fallen = sites.settle();
            self.f -= fallen;
            self.values.push(self.f);
            if fallen <= SETTLED * self.f.abs() {
                break;
            }
        }
        self.f = sites.objective();
        Ok(true)
    }

    fn record(&mut self, sites: &Sites<'_>) {
        self.values.push(self.f);
        if self.f < self.best.0 {
            self.best.0 = self.f;
            self.best.1.copy_from_slice(sites.rotations());
        }
    }
}

/// Draws moves.
struct Moves {
    dim: usize,
    random: ChaCha8Rng,
    nearest: Nearest,
    gauss: Vec<f64>,
    turn: Vec<f64>,
    field: Vec<f64>,
    trial: Vec<f64>,
}

impl Moves {
    fn new(dim: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(STREAM);
        let cells = || vec![0.0; dim * dim];
        Self { dim, random, nearest: Nearest::default(), gauss: cells(), turn: cells(), field: cells(), trial: cells() }
    }

    fn unit(&mut self) -> f64 {
        self.random.random()
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count - 1)
    }

    /// A matrix uniform on O(d), into `turn`.
    fn uniform(&mut self) {
        for value in &mut self.gauss {
            *value = self.random.sample(StandardNormal);
        }
        self.nearest.find(&self.gauss, self.dim, &mut self.turn);
    }

    /// Puts a random turn of `site` into `trial` and returns how much f would rise.
    fn propose(&mut self, sites: &Sites<'_>, site: usize, step: f64) -> f64 {
        self.uniform();
        // With one dimension there is nothing between the identity and the reflection.
        if step < 1.0 && self.dim > 1 {
            for (at, value) in self.gauss.iter_mut().enumerate() {
                let identity = f64::from(u8::from(at % (self.dim + 1) == 0));
                *value = (1.0 - step) * identity + step * self.turn[at];
            }
            self.nearest.find(&self.gauss, self.dim, &mut self.turn);
        }
        multiply(sites.rotation(site), &self.turn, self.dim, &mut self.trial);
        self.rise(sites, site)
    }

    /// Puts the rotation that aligns `site` with a random neighbor into `trial` and returns how much f would rise.
    fn take_over(&mut self, sites: &Sites<'_>, site: usize) -> f64 {
        let places = sites.places(site);
        let place = places.start + self.below(places.len());
        sites.aligning(place, &mut self.nearest, &mut self.trial);
        self.rise(sites, site)
    }

    fn rise(&mut self, sites: &Sites<'_>, site: usize) -> f64 {
        sites.field(site, &mut self.field);
        2.0 * (dot(sites.rotation(site), &self.field) - dot(&self.trial, &self.field))
    }
}
