//! The Procrustes statistics of all neighborhoods of one kind, and the scores that are means of them.
//!
//! For neighborhood i and a statistic G the value is G_i / |H X_i|^2 (or G_i itself), beside the same quotient of the
//! least possible statistic and of the one that chance gives. Cost: O(n m r min(m, q)) for neighborhoods of m members.

use super::{Chance, Evaluation, Score};
use crate::local::{self, Drawn, Fit, Fitter};
use crate::{Neighborhoods, Result};
use std::ops::Range;

/// Points that share work space.
const BLOCK: usize = 512;

/// The statistics of all neighborhoods of one kind, by row.
#[derive(Debug)]
pub(crate) struct Fits {
    pub(crate) fits: Vec<Fit>,
    pub(crate) chances: Vec<local::Chance>,
}

impl Fits {
    /// Those of `neighborhoods`.
    pub(super) fn new(evaluation: &Evaluation<'_>, neighborhoods: &Neighborhoods, stage: &str) -> Result<Self> {
        let (arch, walk, count) = (pulp::Arch::new(), neighborhoods.walk(), neighborhoods.len());
        let row_at = |place: usize| walk.map_or(place, |walk| walk[place] as usize);
        let (input, embedding, seed) = (evaluation.input(), evaluation.embedding(), evaluation.run().seed());
        let mut fits = vec![Fit::default(); count];
        let mut chances = vec![local::Chance::default(); count];
        let some = |range: Range<usize>| {
            // All lists first: they may lie anywhere in memory, and many cache misses at once cost no more than one.
            let (mut lists, mut ends) = (Vec::new(), Vec::with_capacity(range.len()));
            for place in range.clone() {
                lists.extend_from_slice(evaluation.members(neighborhoods, row_at(place)));
                ends.push(lists.len());
            }
            let mut found = Vec::with_capacity(ends.len());
            let (mut fitter, filled) = (Fitter::default(), &mut found);
            // Moving the data in makes the closure part of the code that is compiled for the machine's vector width.
            arch.dispatch(
                #[inline(always)]
                move || {
                    let mut start = 0;
                    for (end, place) in ends.into_iter().zip(range) {
                        // Without its center, a point that has no neighbors has nothing to fit.
                        filled.push(if start == end {
                            (Fit::default(), local::Chance::default())
                        } else {
                            let fit = fitter.fit(input, embedding, &lists[start..end])?;
                            (fit, fitter.chance(draws_of(seed, evaluation.number_of(row_at(place)))))
                        });
                        start = end;
                    }
                    Ok(())
                },
            )?;
            Ok(found)
        };
        let mut rows = (0..count).map(row_at);
        evaluation.run().waves(stage, count, BLOCK, some, |found| {
            for ((fit, chance), row) in found.into_iter().zip(&mut rows) {
                (fits[row], chances[row]) = (fit, chance);
            }
        })?;
        Ok(Self { fits, chances })
    }

    /// The mean of `statistic` divided by the extent of X, with its bound and what chance gives.
    ///
    /// A neighborhood of X without extent has no scale to compare with and is left out.
    pub(crate) fn normalized(
        &self,
        statistic: impl Fn(&Fit) -> f64,
        chance: impl Fn(&local::Chance) -> Drawn,
    ) -> Score {
        let share = |fit: &Fit, part: f64| if fit.extent > 0.0 { part / fit.extent } else { f64::NAN };
        self.score(
            |fit| share(fit, statistic(fit)),
            |fit| share(fit, fit.bound),
            |fit, drawn| {
                let drawn = chance(drawn);
                Drawn { mean: share(fit, drawn.mean), variance: share(fit, share(fit, drawn.variance)) }
            },
        )
    }

    /// The mean of a value of each neighborhood, with its bound and what chance gives.
    pub(super) fn score(
        &self,
        value: impl Fn(&Fit) -> f64,
        bound: impl Fn(&Fit) -> f64,
        chance: impl Fn(&Fit, &local::Chance) -> Drawn,
    ) -> Score {
        let values = self.fits.iter().map(value).collect();
        let score = Score::mean(values, Some(self.fits.iter().map(bound).collect()));
        let drawn: Vec<Drawn> = self.fits.iter().zip(&self.chances).map(|(fit, drawn)| chance(fit, drawn)).collect();
        let per_point: Vec<f64> = drawn.iter().map(|drawn| drawn.mean).collect();
        let (mean, left_out) = super::mean_of_finite(&per_point);
        let variance: f64 = drawn.iter().map(|drawn| drawn.variance).filter(|variance| !variance.is_nan()).sum();
        let error = variance.sqrt() / (drawn.len() - left_out).max(1) as f64;
        let chance = Chance { value: mean, error: (error > 0.0).then_some(error) };
        Score { chance: Some(chance), per_point_chance: Some(per_point), ..score }
    }
}

/// The seed of the draws of one row: another for every row and every run.
pub(crate) fn draws_of(seed: u64, row: u64) -> u64 {
    (seed ^ 0xA076_1D64_78BD_642F).wrapping_mul(0xE703_7ED1_A0B4_28DB).wrapping_add(row << 20)
}
