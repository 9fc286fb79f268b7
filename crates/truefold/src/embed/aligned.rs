//! What the methods that align neighborhoods share: the members of a neighborhood, alignment matrices, and coordinates
//! from their eigenvectors.
//!
//! Y = sqrt(n) [v_1, ..., v_d], the unit eigenvectors of the smallest eigenvalues of M after that of the constant
//! vector: every coordinate has mean zero and variance one, whatever the size of the data. Cost: see
//! [`smallest`](crate::spectral::smallest).

use super::renumbered::renumbered;
use crate::error::{Advice, Bound, Limit};
use crate::history::Stop;
use crate::local::{AffineBasis, AroundCenter, reconstruction_weights};
use crate::spectral::alignment::{Alignment, Form, Share};
use crate::spectral::spread::{Localized, MOST_OF_IT, held_by_few};
use crate::spectral::{Sparse, Spectrum, Spread, smallest, spread};
use crate::warning::{Deficient, Warning};
use crate::{Error, Fit, Neighborhoods, Problem, Result, Run};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Eigenvalues that agree to this share cannot be told apart.
const EQUAL: f64 = 1e-6;
/// Eigenvalues below this share of the largest diagonal entry are rounding errors.
const ZERO: f64 = 1e-13;

/// A residual of more than this share of the next eigenvalue leaves visible errors.
const POOR: f64 = 1e-3;
/// A residual that rounding may leave.
const ROUNDING: f64 = 1e-9;

/// Neighborhoods with or without their centers.
#[derive(Debug)]
pub(super) struct Lists<'a> {
    neighborhoods: &'a Neighborhoods,
    with_center: Vec<bool>,
    /// Points that are in no other point's neighborhood.
    unlisted: usize,
}

impl<'a> Lists<'a> {
    /// With all centers, or only with those that are in no other neighborhood: nothing else would place them.
    pub(super) fn new(neighborhoods: &'a Neighborhoods, centers: bool) -> Self {
        let mut listed = vec![false; neighborhoods.len()];
        for index in 0..neighborhoods.len() {
            neighborhoods.neighbors(index).iter().for_each(|&member| listed[member as usize] = true);
        }
        let unlisted = if centers { 0 } else { listed.iter().filter(|&&listed| !listed).count() };
        Self { neighborhoods, with_center: listed.iter().map(|&listed| centers || !listed).collect(), unlisted }
    }

    /// The members of neighborhood `index`.
    fn members(&self, index: usize) -> &'a [u32] {
        if self.with_center[index] { self.neighborhoods.members(index) } else { self.neighborhoods.neighbors(index) }
    }

    /// Warns of neighborhoods that have their centers although the others have none.
    fn warn(&self, fit: &mut Fit<'_>) {
        if self.unlisted > 0 {
            fit.fact("unheld", self.unlisted);
            fit.warn(Warning::Unlisted { unlisted: self.unlisted, points: self.with_center.len() });
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
    fn count(&self, rank: usize, needed: usize) {
        self.largest.fetch_max(rank, Ordering::Relaxed);
        if rank < needed {
            self.deficient.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An error if no neighborhood spans the directions needed, a warning if some do not.
    fn judge(&self, count: usize, needed: usize, fit: &mut Fit<'_>) -> Result<()> {
        let (deficient, largest) = (self.deficient.load(Ordering::Relaxed), self.largest.load(Ordering::Relaxed));
        if largest < needed {
            return Err(Error::RankDeficient {
                what: format!("the neighborhoods of all {count} points span").into(),
                given: largest,
                needed,
                advice: "choose fewer dimensions or a larger {k}, and remove points that are equal".into(),
            });
        }
        fit.fact("rank_deficient", deficient);
        if deficient > 0 {
            let of = Deficient::Neighborhoods;
            fit.warn(Warning::RankDeficient { of, deficient, all: count, wanted: needed });
        }
        Ok(())
    }
}

/// M = (I - W)'(I - W) with the weights of LLE, regularized by `reg`.
pub(super) fn weight_alignment(problem: &Problem<'_>, reg: f64, run: &Run) -> Result<Alignment> {
    let input = problem.input();
    Alignment::new(problem.len(), Form::Squares, run, |index, around: &mut AroundCenter, share: &mut Share| {
        share.members.extend_from_slice(problem.neighborhoods().members(index));
        let gram = around.fill(&input, &share.members)?;
        share.factor.push(1.0);
        share.factor.resize(share.members.len(), 0.0);
        reconstruction_weights(gram, reg, &mut share.factor[1..])?;
        share.factor[1..].iter_mut().for_each(|weight| *weight = -*weight);
        Ok(())
    })
}

/// M = sum_i S_i (I - G_i G_i') S_i', G_i an orthonormal basis of the affine functions of the tangent coordinates.
pub(super) fn tangent_alignment(problem: &Problem<'_>, lists: &Lists<'_>, fit: &mut Fit<'_>) -> Result<Alignment> {
    basis_alignment(problem, lists, Form::Complements, fit, |basis, _| 0..basis.len())
}

/// M from functions on each neighborhood: `choose` is given a basis of the affine ones and the number of directions,
/// may add functions, and names those that make the factor.
pub(super) fn basis_alignment(
    problem: &Problem<'_>,
    lists: &Lists<'_>,
    form: Form,
    fit: &mut Fit<'_>,
    choose: impl Fn(&mut AffineBasis, usize) -> Range<usize> + Send + Sync,
) -> Result<Alignment> {
    let (input, dim, ranks) = (problem.input(), problem.dim(), Ranks::default());
    let make = |index: usize, basis: &mut AffineBasis, share: &mut Share| {
        share.members.extend_from_slice(lists.members(index));
        let rank = basis.fill(&input, &share.members, dim)?;
        ranks.count(rank, dim);
        let chosen = choose(basis, rank);
        for place in 0..share.members.len() {
            share.factor.extend(chosen.clone().map(|at| basis.column(at)[place]));
        }
        Ok(())
    };
    let matrix = Alignment::new(problem.len(), form, fit.run(), make)?;
    ranks.judge(problem.len(), dim, fit)?;
    lists.warn(fit);
    Ok(matrix)
}

/// Embeds `problem` by the alignment matrix that `build` makes in the stage of this name.
pub(super) fn aligned(
    problem: &Problem<'_>,
    stage: &str,
    fit: &mut Fit<'_>,
    build: impl FnOnce(&Problem<'_>, &mut Fit<'_>) -> Result<Alignment>,
) -> Result<Vec<f64>> {
    renumbered(problem, fit, |problem, fit| {
        let matrix = build(problem, fit)?;
        fit.lap(stage);
        let count = problem.len();
        let null = vec![1.0 / (count as f64).sqrt(); count];
        let mut values = spread_out(&matrix, &null, problem, fit)?.vectors;
        let length = (count as f64).sqrt();
        values.iter_mut().for_each(|value| *value *= length);
        fit.lap("eigenvectors");
        Ok(values)
    })
}

/// The smallest eigenpairs after the null vector, in which outliers count less where they would take a coordinate.
fn spread_out(matrix: &impl Sparse, null: &[f64], problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Spectrum> {
    let found = spread(matrix, null, problem.dim(), problem.neighborhoods(), fit.run())?;
    let Spread { spectrum, first, left, counted_less } = found;
    if counted_less > 0 {
        fit.fact("counted_less", counted_less);
        fit.warn(Warning::CountedLess { counted_less, points: null.len(), coordinates: first.len() });
    }
    told(spectrum, &left, problem, fit)
}

/// The smallest eigenpairs after the null vector, as they are: where eigenvalues have a meaning of their own.
pub(super) fn eigenvectors(
    matrix: &impl Sparse,
    null: &[f64],
    problem: &Problem<'_>,
    fit: &mut Fit<'_>,
) -> Result<Spectrum> {
    let spectrum = smallest(matrix, null, problem.dim(), problem.neighborhoods(), fit.run())?;
    let held = held_by_few(&spectrum.vectors, null, problem.dim(), problem.neighborhoods());
    told(spectrum, &held, problem, fit)
}

/// Eigenpairs with warnings about their accuracy, and about coordinates that a few points hold.
fn told(spectrum: Spectrum, held: &[Localized], problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Spectrum> {
    let dim = problem.dim();
    spectrum.report(fit.facts());
    for one in held {
        let (coordinate, holders, points) = (one.coordinate + 1, one.points, problem.len());
        fit.warn(Warning::HeldByFew { coordinate, holders, points, share: MOST_OF_IT });
    }
    let next = spectrum.next.unwrap_or(spectrum.scale) / spectrum.scale;
    if spectrum.residual > POOR * spectrum.next.unwrap_or(spectrum.scale) / spectrum.scale + ROUNDING {
        fit.ended(Stop::MaxIterations);
        fit.warn(Warning::InexactEigenvectors { residual: spectrum.residual, next, steps: spectrum.steps });
    }
    if let (Some(next), Some(&last)) = (spectrum.next, spectrum.values.last()) {
        if next <= ZERO * spectrum.scale {
            fit.warn(Warning::AmbiguousCoordinates { dim, next });
        } else if next - last <= EQUAL * next {
            fit.warn(Warning::EqualEigenvalues { dim });
        }
    }
    Ok(spectrum)
}

/// An error unless some point has `needed` neighbors.
pub(super) fn check_k(problem: &Problem<'_>, needed: usize, method: &str) -> Result<()> {
    let (given, dim) = (problem.neighborhoods().largest_k(), problem.dim());
    if given >= needed {
        return Ok(());
    }
    let reason = format!("{method} in {dim} dimensions needs that many neighbors");
    let limit = Limit::because(Bound::AtLeast(needed as f64), reason);
    Err(Error::parameter("k", given, limit, Advice::change("k", "choose a larger {k} or fewer dimensions")))
}

/// An error unless there are two points more than dimensions.
pub(super) fn check_count(problem: &Problem<'_>, method: &str) -> Result<()> {
    let (given, dim) = (problem.len(), problem.dim());
    if given >= dim + 2 {
        return Ok(());
    }
    let task = format!("{method} in {dim} dimensions").into();
    let advice = Advice::change("dim", "choose fewer dimensions or give more points");
    Err(Error::TooFewPoints { task, needed: dim + 2, given, advice: Box::new(advice) })
}
