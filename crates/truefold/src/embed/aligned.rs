//! What the methods that align neighborhoods share: who is in a neighborhood, and coordinates from the alignment
//! matrix.
//!
//! Y = sqrt(n) [v_1, ..., v_d], the unit eigenvectors of the smallest eigenvalues of M after that of the constant
//! vector: every coordinate has mean zero and variance one, whatever the size of the data. Cost: see `solve/eigen`.

use super::renumbered::renumbered;
use crate::embedding::Outcome;
use crate::history::{Stop, Stopwatch};
use crate::spectral::alignment::Alignment;
use crate::spectral::{Sparse, Spectrum, smallest};
use crate::warning::{Deficient, Warning};
use crate::{Error, Neighborhoods, Problem, Result, Run};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Eigenvalues that agree to this share cannot be told apart.
const EQUAL: f64 = 1e-6;
/// Eigenvalues below this share of the largest diagonal entry are rounding.
const ZERO: f64 = 1e-13;

/// A residual of more than this share of the next eigenvalue leaves errors that show.
const POOR: f64 = 1e-3;
/// A residual that rounding may leave.
const ROUNDING: f64 = 1e-9;

/// Neighborhoods with or without their centers.
#[derive(Debug)]
pub(super) struct Lists<'a> {
    neighborhoods: &'a Neighborhoods,
    with_center: Vec<bool>,
    /// Points that are in no neighborhood but their own.
    pub(super) unheld: usize,
}

impl<'a> Lists<'a> {
    /// With all centers, or only with those that are in no other neighborhood: without it nothing would place them.
    pub(super) fn new(neighborhoods: &'a Neighborhoods, centers: bool) -> Self {
        let mut held = vec![false; neighborhoods.len()];
        for index in 0..neighborhoods.len() {
            neighborhoods.neighbors(index).iter().for_each(|&member| held[member as usize] = true);
        }
        let unheld = held.iter().filter(|&&held| !held).count();
        Self { neighborhoods, with_center: held.iter().map(|&held| centers || !held).collect(), unheld }
    }

    /// The members of neighborhood `index`.
    pub(super) fn members(&self, index: usize) -> &'a [u32] {
        if self.with_center[index] { self.neighborhoods.members(index) } else { self.neighborhoods.neighbors(index) }
    }

    /// Warns of points whose neighborhoods got their centers although the others have none.
    pub(super) fn warn(&self, centers: bool, outcome: &mut Outcome) {
        if self.unheld > 0 && !centers {
            outcome.facts.insert("unheld".into(), self.unheld.into());
            outcome.warnings.push(Warning::Unlisted { unlisted: self.unheld, points: self.with_center.len() });
        }
    }
}

/// How many directions the neighborhoods span, counted while they are worked on.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    deficient: AtomicUsize,
    largest: AtomicUsize,
}

impl Ranks {
    /// A neighborhood spans `rank` of `needed` directions.
    pub(super) fn count(&self, rank: usize, needed: usize) {
        self.largest.fetch_max(rank, Ordering::Relaxed);
        if rank < needed {
            self.deficient.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An error if no neighborhood spans the directions needed, a warning if some do not.
    pub(super) fn judge(&self, count: usize, needed: usize, outcome: &mut Outcome) -> Result<()> {
        let (deficient, largest) = (self.deficient.load(Ordering::Relaxed), self.largest.load(Ordering::Relaxed));
        if largest < needed {
            return Err(Error::RankDeficient {
                what: format!("the neighborhoods of all {count} points span").into(),
                given: largest,
                needed,
                advice: "choose fewer dimensions or a larger k, and remove points that are equal".into(),
            });
        }
        outcome.facts.insert("rank_deficient".into(), deficient.into());
        if deficient > 0 {
            outcome.warnings.push(Warning::RankDeficient {
                of: Deficient::Neighborhoods,
                deficient,
                all: count,
                wanted: needed,
            });
        }
        Ok(())
    }
}

/// Embeds `problem` by the alignment matrix that `build` makes in the stage of this name.
pub(super) fn aligned(
    problem: &Problem<'_>,
    stage: &str,
    run: &Run,
    build: impl FnOnce(&Problem<'_>, &mut Outcome, &mut Stopwatch) -> Result<Alignment>,
) -> Result<Outcome> {
    renumbered(problem, |problem| {
        let mut watch = Stopwatch::start();
        let mut outcome = Outcome::direct(Vec::new());
        let matrix = build(problem, &mut outcome, &mut watch)?;
        watch.lap(stage);
        embed(&matrix, problem, &mut outcome, run)?;
        watch.lap("eigenvectors");
        outcome.stages = watch.stages();
        Ok(outcome)
    })
}

/// Writes the coordinates that the alignment matrix has into `outcome`.
fn embed(matrix: &Alignment, problem: &Problem<'_>, outcome: &mut Outcome, run: &Run) -> Result<()> {
    let count = problem.len();
    let null = vec![1.0 / (count as f64).sqrt(); count];
    let spectrum = eigenvectors(matrix, &null, problem, outcome, run)?;
    let length = (count as f64).sqrt();
    outcome.values = spectrum.vectors;
    outcome.values.iter_mut().for_each(|value| *value *= length);
    Ok(())
}

/// The smallest eigenpairs, with what there is to say about them.
pub(super) fn eigenvectors(
    matrix: &impl Sparse,
    null: &[f64],
    problem: &Problem<'_>,
    outcome: &mut Outcome,
    run: &Run,
) -> Result<Spectrum> {
    let dim = problem.dim();
    let spectrum = smallest(matrix, null, dim, problem.neighborhoods(), run)?;
    spectrum.report(&mut outcome.facts);
    if spectrum.residual > POOR * spectrum.next.unwrap_or(spectrum.scale) / spectrum.scale + ROUNDING {
        outcome.stop = Stop::MaxIterations;
        outcome.warnings.push(Warning::InexactEigenvectors {
            residual: spectrum.residual,
            next: spectrum.next.unwrap_or(spectrum.scale) / spectrum.scale,
            steps: spectrum.steps,
        });
    }
    if let (Some(next), Some(&last)) = (spectrum.next, spectrum.values.last()) {
        if next <= ZERO * spectrum.scale {
            outcome.warnings.push(Warning::AmbiguousCoordinates { dim, next });
        } else if next - last <= EQUAL * next {
            outcome.warnings.push(Warning::EqualEigenvalues { dim });
        }
    }
    Ok(spectrum)
}

/// An error unless some point has `needed` neighbors.
pub(super) fn check_k(neighborhoods: &Neighborhoods, needed: usize, method: &str, dim: usize) -> Result<()> {
    let given = neighborhoods.largest_k();
    if given >= needed {
        return Ok(());
    }
    Err(Error::parameter(
        "k",
        given,
        format!("is too small: {method} in {dim} dimensions needs at least {needed} neighbors"),
        "choose a larger k or fewer dimensions",
    ))
}
