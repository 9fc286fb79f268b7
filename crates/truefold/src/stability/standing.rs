//! A value between the best possible and chance, for all points and for each.

use super::point::Tally;

/// A chance that is no further from the best than this tells nothing.
const NOTHING: f64 = 1e-12;

/// A mean over the points between the best possible and chance; lower is better.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Standing {
    /// The mean over the points.
    pub value: f64,
    /// The mean of the best possible: 0 between maps, the bound of R_C against the data.
    pub best: f64,
    /// The mean of what unrelated maps would have.
    pub chance: f64,
    /// The standard error of `chance` from the draws; 0 where it is exact.
    pub chance_error: f64,
    /// (chance - value) / (chance - best): 1 for the best possible, 0 for chance; none where these are the same.
    pub skill: Option<f64>,
    /// The standard error of `skill`: each point counts as many times less as a neighborhood has members, since what
    /// is found at neighbors is not independent.
    pub skill_error: Option<f64>,
    /// The value of each point; NaN where there is none.
    pub per_point: Vec<f64>,
    /// The best possible of each point.
    pub per_point_best: Vec<f64>,
    /// Chance at each point, from few draws.
    pub per_point_chance: Vec<f64>,
    /// The number of points without a value.
    pub left_out: usize,
}

impl Standing {
    /// From the sums of all points; `members` is the number of members of a usual neighborhood.
    pub(super) fn new<'a>(tallies: impl Iterator<Item = &'a Tally>, members: f64) -> Self {
        let (mut per_point, mut per_point_best, mut per_point_chance) = (Vec::new(), Vec::new(), Vec::new());
        let mut variance = 0.0;
        for tally in tallies {
            let mean = |sum: f64| if tally.count > 0 { sum / tally.count as f64 } else { f64::NAN };
            per_point.push(mean(tally.value));
            per_point_best.push(mean(tally.best));
            per_point_chance.push(mean(tally.chance));
            variance += tally.variance / tally.count.max(1).pow(2) as f64;
        }
        let known: Vec<usize> = (0..per_point.len()).filter(|&at| !per_point[at].is_nan()).collect();
        let count = known.len().max(1) as f64;
        let mean = |values: &[f64]| known.iter().map(|&at| values[at]).sum::<f64>() / count;
        let (value, best, chance) = (mean(&per_point), mean(&per_point_best), mean(&per_point_chance));
        let skill = skill(value, best, chance);
        let skill_error = skill.map(|skill| {
            let off =
                |at: usize| per_point_chance[at] - per_point[at] - skill * (per_point_chance[at] - per_point_best[at]);
            let squares = known.iter().map(|&at| off(at).powi(2)).sum::<f64>() / count;
            (squares * members / count).sqrt() / (chance - best)
        });
        let left_out = per_point.len() - known.len();
        let chance_error = variance.sqrt() / count;
        Self {
            value,
            best,
            chance,
            chance_error,
            skill,
            skill_error,
            per_point,
            per_point_best,
            per_point_chance,
            left_out,
        }
    }

    /// The skill at one point, where it has a value and chance is not the best.
    pub fn skill_at(&self, point: usize) -> Option<f64> {
        skill(self.per_point[point], self.per_point_best[point], self.per_point_chance[point])
    }
}

fn skill(value: f64, best: f64, chance: f64) -> Option<f64> {
    (chance - best > NOTHING).then(|| (chance - value) / (chance - best))
}
