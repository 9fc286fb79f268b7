//! A verdict that looks both ways and beside chance: a score, what happens to neighbors, and a class for every point.
//!
//! Forward and reverse are the skills of R_C on the neighborhoods of the data and of the map, (chance - value) /
//! (chance - best): 1 the best possible, 0 chance. The score is the geometric mean sqrt(forward * reverse), each at least
//! 0: a map that is at chance in one direction scores 0, however good it is in the other. R_C leaves every neighborhood
//! its own scale, so that maps which choose their own scales are judged like the others.
//!
//! Points are told from chance by three tests, of the neighbors kept and of the shape in either direction, combined by
//! Simes and held to a false discovery rate by Benjamini and Hochberg. Cost: a neighbor search in the map, one fit for
//! each point and direction, and O(k^2) comparisons of row numbers for each point.

mod class;
mod neighbors;

pub use class::{Class, Counts};

use crate::Result;
use crate::graph::is_on_itself;
use crate::groups::Groups;
use crate::measure::{Better, Evaluation, FAR, Fits, Score};
use crate::statistics::{Hypergeometric, adjusted, simes};
use class::class_of;
use neighbors::{AtPoint, AtPoints, at_points};
use std::collections::HashMap;

/// What is said of one embedding, looked at both ways.
///
/// ```
/// use truefold::{Class, Judge, Neighborhoods, Run, dataset};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(1000))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &Run::new())?;
/// let judgment = Judge::of_points(&roll.points, &neighborhoods).judge(&roll.truth, &Run::new())?;
/// let verdict = judgment.verdict.unwrap();
/// assert!(verdict.score > 0.99 && verdict.counts.of_class(Class::Faithful) > 990);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// Both directions in one number: 1 the best possible, 0 chance.
    pub score: f64,
    /// The skill of R_C on the neighborhoods of the data: what the map kept.
    pub forward: f64,
    /// The skill of R_C on the neighborhoods of the map: whether what it shows is real.
    pub reverse: f64,
    /// The share of a neighborhood's shape that no embedding of this dimension can keep, on average.
    pub out_of_reach: f64,
    /// What happens to neighbors, on average.
    pub neighbors: NeighborFacts,
    /// The false discovery rate at which points were told from chance.
    pub level: f64,
    /// How many points are of each class.
    pub counts: Counts,
    /// What is said of each point, where it is kept.
    pub points: Option<PointVerdicts>,
}

/// What happens to neighbors, on average over all points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NeighborFacts {
    /// The share of a point's neighbors that are as near in the map: both lists have the same length.
    pub kept: f64,
    /// The same for rows in random order.
    pub kept_by_chance: f64,
    /// The share of the map's neighbors that are false: they have no neighbor in common with the point in the data.
    pub false_share: f64,
    /// The share of the data's neighbors that are missing: they have no neighbor in common with the point in the map.
    pub missing_share: f64,
    /// The share of random points that are not near a point in the data: what `false_share` is by chance.
    pub false_by_chance: f64,
    /// The share of random points that are not near a point in the map: what `missing_share` is by chance.
    pub missing_by_chance: f64,
    /// How many times farther away than the true neighbors the map's neighbors are in the data, at the median point.
    pub farther_in_data: f64,
    /// How many times farther away than the map's neighbors the true neighbors are in the map, at the median point.
    pub farther_in_map: f64,
}

/// What is said of each point.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PointVerdicts {
    /// The class of each point.
    pub classes: Vec<Class>,
    /// The p-value of each point against chance, adjusted for their number: at most the level, it is told from chance.
    pub p_values: Vec<f64>,
    /// The skill of R_C on the true neighbors that the map shows near the point; NaN where they are too few.
    pub skill: Vec<f64>,
    /// The share of the map's neighbors that are false.
    pub false_shares: Vec<f64>,
    /// The share of the data's neighbors that are missing in the map.
    pub missing_shares: Vec<f64>,
    /// How many times farther away than the true neighbors the map's neighbors are in the data.
    pub farther_in_data: Vec<f64>,
    /// How many times farther away than the map's neighbors the true neighbors are in the map.
    pub farther_in_map: Vec<f64>,
}

impl Verdict {
    /// The verdict on the embedding of `evaluation`; nothing where the neighborhoods are too small to tell anything, or
    /// only some of the distances are known.
    pub(crate) fn new(evaluation: &Evaluation<'_>) -> Result<Option<Self>> {
        if !evaluation.knows_all_distances() {
            return Ok(None);
        }
        let forward = evaluation.forward()?.normalized(|fit| fit.conformal, |chance| chance.conformal);
        let reverse = evaluation.reverse()?.normalized(|fit| fit.conformal, |chance| chance.conformal);
        let (Some(kept), Some(real)) = (forward.skill(Better::Lower), reverse.skill(Better::Lower)) else {
            return Ok(None);
        };
        let AtPoints { at, chance } = at_points(evaluation)?;
        let p_values = adjusted(&p_values(evaluation, &at)?);
        let level = evaluation.options().level;
        let classes: Vec<Class> =
            at.iter().zip(&p_values).map(|(at, &p_value)| class_of(at, chance, p_value <= level)).collect();
        let each = |of: fn(&AtPoint) -> f64| at.iter().map(of).collect::<Vec<f64>>();
        let points = PointVerdicts {
            p_values,
            skill: each(|at| at.skill),
            false_shares: each(|at| at.false_share),
            missing_shares: each(|at| at.missing_share),
            farther_in_data: each(|at| at.farther_in_data),
            farther_in_map: each(|at| at.farther_in_map),
            classes,
        };
        Ok(Some(Self {
            score: two_sided(kept, real),
            forward: kept,
            reverse: real,
            out_of_reach: forward.lower_bound.unwrap_or(0.0),
            neighbors: NeighborFacts::of(evaluation, &at, chance, &points),
            level,
            counts: Counts::of(&points.classes),
            points: Some(points),
        }))
    }

    /// Whether so much of the shape is out of reach that the map is to be read by its neighbors.
    pub fn leads_with_neighbors(&self) -> bool {
        self.out_of_reach > FAR
    }

    /// The score that the map would have with another skill forward, such as that on what a tear leaves.
    pub(crate) fn score_with(&self, forward: Option<&Score>) -> f64 {
        let forward = forward.and_then(|score| score.skill(Better::Lower)).unwrap_or(self.forward);
        two_sided(forward, self.reverse)
    }
}

/// The two-sided score on the neighborhoods of the points of each group, where their neighborhoods have room for one.
pub(super) fn scores_by_group(evaluation: &Evaluation<'_>, groups: &Groups) -> Result<Vec<Option<f64>>> {
    let skills = |fits: &Fits| {
        let mut sums = vec![(0.0, 0.0); groups.names().len()];
        for (row, (fit, chance)) in fits.fits.iter().zip(&fits.chances).enumerate() {
            if let Some(group) = groups.group(row).filter(|_| fit.extent > 0.0) {
                sums[group].0 += (chance.conformal.mean - fit.conformal) / fit.extent;
                sums[group].1 += (chance.conformal.mean - fit.bound) / fit.extent;
            }
        }
        sums
    };
    let both = skills(evaluation.forward()?).into_iter().zip(skills(evaluation.reverse()?));
    let score = |(forward, reverse): ((f64, f64), (f64, f64))| {
        (forward.1 > 0.0 && reverse.1 > 0.0).then(|| two_sided(forward.0 / forward.1, reverse.0 / reverse.1))
    };
    Ok(both.map(score).collect())
}

/// One score of two: at chance in either direction, it is zero.
fn two_sided(forward: f64, reverse: f64) -> f64 {
    (forward.max(0.0) * reverse.max(0.0)).sqrt()
}

/// The chance that a map unrelated to the data would agree with it at a point as well as this one does.
fn p_values(evaluation: &Evaluation<'_>, at: &[AtPoint]) -> Result<Vec<f64>> {
    let others = at.len() - 1;
    let mut tails: HashMap<usize, Hypergeometric> = HashMap::new();
    let (forward, reverse) = (evaluation.forward()?, evaluation.reverse()?);
    let both = forward.chances.iter().zip(&reverse.chances);
    Ok(at
        .iter()
        .zip(both)
        .map(|(at, (forward, reverse))| {
            let (neighbors, kept) = (at.neighbors as usize, at.kept as usize);
            let tails = tails.entry(neighbors).or_insert_with(|| Hypergeometric::new(others, neighbors));
            simes(&mut [tails.tail(kept), forward.p_value, reverse.p_value])
        })
        .collect())
}

impl NeighborFacts {
    /// Whether the map lies on itself: what it shows as neighbors are strangers at least half as often as random points.
    pub fn lies_on_itself(&self) -> bool {
        is_on_itself(self.false_share, self.false_by_chance)
    }

    fn of(evaluation: &Evaluation<'_>, at: &[AtPoint], chance: [f64; 2], points: &PointVerdicts) -> Self {
        let having: Vec<&AtPoint> = at.iter().filter(|at| at.neighbors > 0).collect();
        let count = having.len().max(1) as f64;
        let mean = |of: &dyn Fn(&AtPoint) -> f64| having.iter().map(|at| of(at)).sum::<f64>() / count;
        let others = evaluation.neighborhoods().len().saturating_sub(1).max(1) as f64;
        Self {
            kept: mean(&|at| f64::from(at.kept) / f64::from(at.neighbors)),
            kept_by_chance: mean(&|at| f64::from(at.neighbors) / others),
            false_share: mean(&|at| at.false_share),
            missing_share: mean(&|at| at.missing_share),
            false_by_chance: chance[0],
            missing_by_chance: chance[1],
            farther_in_data: median(&points.farther_in_data),
            farther_in_map: median(&points.farther_in_map),
        }
    }
}

/// The middle of the values that are numbers; 1, no farther than the others, where there is none.
fn median(values: &[f64]) -> f64 {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let middle = values.len() / 2;
    if values.is_empty() { 1.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}
