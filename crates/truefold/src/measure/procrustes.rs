//! The Procrustes statistics of all neighborhoods of one kind, and the scores that are means of them.
//!
//! For neighborhood i and a statistic G the value is G_i / |H X_i|^2 (or G_i itself), beside the same quotient of the
//! least possible statistic and of the one that chance gives. Cost: O(n m r min(m, q)) for neighborhoods of m members.

use super::{Chance, Evaluation, Score};
use crate::local::{self, Drawn, Fit, Fitter};
use crate::{Neighborhoods, Result, memory};
use std::ops::Range;

/// Points that share work space.
const BLOCK: usize = 512;

/// The statistics of all neighborhoods of one kind, by row.
#[derive(Debug)]
pub(crate) struct Fits {
    pub(crate) fits: Vec<Fit>,
    /// None where nobody asked.
    pub(crate) chances: Vec<local::Chance>,
}

impl Fits {
    /// The bytes that are held for each point.
    pub(crate) const BYTES: usize = size_of::<Fit>() + size_of::<local::Chance>();

    /// Those of `neighborhoods`; where one has the same members as the one of the same point in `known`, its statistics are
    /// taken from there.
    pub(super) fn new(
        evaluation: &Evaluation<'_>,
        neighborhoods: &Neighborhoods,
        known: Option<(&Neighborhoods, &Self)>,
        stage: &str,
    ) -> Result<Self> {
        let (arch, walk, count) = (pulp::Arch::new(), neighborhoods.walk(), neighborhoods.len());
        let row_at = |place: usize| walk.map_or(place, |walk| walk[place] as usize);
        let (input, embedding, run) = (evaluation.input(), evaluation.embedding(), evaluation.run());
        let (seed, options) = (run.seed(), evaluation.options());
        let is_asked = options.chance || options.verdict;
        let task = || format!("the statistics of {count} neighborhoods");
        let mut fits = memory::filled(Fit::default(), count, task(), "give fewer points")?;
        let drawn = if is_asked { count } else { 0 };
        let mut chances = memory::filled(local::Chance::default(), drawn, task(), "give fewer points")?;
        let some = |range: Range<usize>| {
            // All lists first: they may lie anywhere in memory, and many cache misses at once cost no more than one.
            let (mut lists, mut ends) = (Vec::new(), Vec::with_capacity(range.len()));
            for row in range.clone().map(row_at) {
                lists.extend_from_slice(evaluation.members(neighborhoods, row));
                ends.push(lists.len());
            }
            let mut found = Vec::with_capacity(range.len());
            let (mut fitter, filled) = (Fitter::default(), &mut found);
            // Moving the data in makes the closure part of the code that is compiled for the machine's vector width.
            arch.dispatch(
                #[inline(always)]
                move || {
                    let mut start = 0;
                    for (end, row) in ends.into_iter().zip(range.map(row_at)) {
                        let list = &mut lists[start..end];
                        let same = known.filter(|(others, _)| same_members(evaluation.members(others, row), list));
                        filled.push(if let Some((_, fits)) = same {
                            (fits.fits[row], fits.chances.get(row).copied().unwrap_or_default())
                        } else if list.len() < 2 {
                            // Fewer than two members have nothing to fit: a point without neighbors, or with a single one where
                            // centers are left out.
                            (Fit::default(), local::Chance::default())
                        } else {
                            // Neighborhoods of many members take long.
                            run.check()?;
                            // Sums and draws are those of the members, however a search ordered them.
                            list.sort_unstable_by_key(|&member| evaluation.number_of(member as usize));
                            let fit = fitter.fit(input, embedding, list)?;
                            let draws = is_asked.then(|| draws_of(seed, evaluation.number_of(row)));
                            (fit, draws.map(|draws| fitter.chance(draws)).unwrap_or_default())
                        });
                        start = end;
                    }
                    Ok(())
                },
            )?;
            Ok(found)
        };
        let mut rows = (0..count).map(row_at);
        run.waves(stage, count, BLOCK, some, |found| {
            for ((fit, chance), row) in found.into_iter().zip(&mut rows) {
                fits[row] = fit;
                chances.get_mut(row).into_iter().for_each(|known| *known = chance);
            }
        })?;
        Ok(Self { fits, chances })
    }

    /// The mean of `statistic` divided by the extent of X, with its bound and what chance gives, if that was asked for.
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

    /// The mean of a value of each neighborhood, with its bound and what chance gives, if that was asked for.
    pub(super) fn score(
        &self,
        value: impl Fn(&Fit) -> f64,
        bound: impl Fn(&Fit) -> f64,
        chance: impl Fn(&Fit, &local::Chance) -> Drawn,
    ) -> Score {
        let values = self.fits.iter().map(value).collect();
        let score = Score::mean(values, Some(self.fits.iter().map(bound).collect()));
        if self.chances.is_empty() {
            return score;
        }
        let drawn: Vec<Drawn> = self.fits.iter().zip(&self.chances).map(|(fit, drawn)| chance(fit, drawn)).collect();
        let per_point: Vec<f64> = drawn.iter().map(|drawn| drawn.mean).collect();
        let (mean, left_out) = super::mean_of_finite(&per_point);
        let variance: f64 = drawn.iter().map(|drawn| drawn.variance).filter(|variance| !variance.is_nan()).sum();
        let error = variance.sqrt() / (drawn.len() - left_out).max(1) as f64;
        let chance = Chance { value: mean, error: (error > 0.0).then_some(error) };
        Score { chance: Some(chance), per_point_chance: Some(per_point), ..score }
    }
}

/// Whether two lists have the same members, none of which stands in a list twice.
fn same_members(one: &[u32], other: &[u32]) -> bool {
    one.len() == other.len() && one.iter().all(|member| other.contains(member))
}

/// The seed of the draws of one row: another for every row and every run.
pub(crate) fn draws_of(seed: u64, row: u64) -> u64 {
    (seed ^ 0xA076_1D64_78BD_642F).wrapping_mul(0xE703_7ED1_A0B4_28DB).wrapping_add(row << 20)
}

#[cfg(test)]
mod tests {
    use super::super::{Evaluation, Options, find};
    use crate::dataset::{self, Request};
    use crate::{Input, Neighborhoods, Run};

    #[test]
    fn statistics_do_not_depend_on_the_order_of_members_and_may_be_taken_from_the_data() {
        let cloud = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(300)).unwrap();
        let (x, run) = (&cloud.points, Run::new());
        // Some neighborhoods of the true map are those of the data, and others are not.
        let y = &cloud.truth;
        let forward = Neighborhoods::nearest(x, 8, &run).unwrap();
        let lists: Vec<Vec<i64>> =
            (0..300).map(|row| forward.neighbors(row).iter().rev().map(|&near| i64::from(near)).collect()).collect();
        let backward = Neighborhoods::of_first(300, &lists).unwrap();
        let values = |neighborhoods: &Neighborhoods, names: &[&str]| {
            let evaluation = Evaluation::new(Input::Points(x), y, neighborhoods, Options::default(), &run).unwrap();
            let scores = names.iter().map(|name| find(name).unwrap().score(&evaluation).unwrap());
            scores.map(|score| (score.per_point, score.per_point_chance)).collect::<Vec<_>>()
        };
        assert_eq!(values(&forward, &["r_n", "r_c"]), values(&backward, &["r_n", "r_c"]));
        let alone = values(&forward, &["reverse_r_n"]);
        let after = values(&forward, &["r_n", "reverse_r_n"]);
        assert_eq!(alone[0], after[1]);
        let options = Options { chance: false, verdict: false, ..Options::default() };
        let evaluation = Evaluation::new(Input::Points(x), y, &forward, options, &run).unwrap();
        let plain = find("r_n").unwrap().score(&evaluation).unwrap();
        assert!(plain.per_point == after[0].0 && plain.per_point_chance.is_none() && plain.chance.is_none());
        let pairs = after[0].0.as_ref().unwrap().iter().zip(after[1].0.as_ref().unwrap());
        let same = pairs.filter(|(one, other)| one == other).count();
        assert!((50..300).contains(&same), "{same}");
    }
}
