//! What a score is worth: the share of places with such a score that are right, learned from fitted points left out.
//!
//! A place is right if it is no farther from the place that the fit itself gave the point than half of the point's
//! neighbors are: |y - y_i| <= s_i, the spread of x_i. Some fitted points, at even intervals, are placed as if they were
//! new, by the others; every second one together with the K points nearest to it left out, as if it were in a hole.
//! The latter count only below the scores that the former have (all but the lowest hundredth), and tell what places
//! farther out are worth. The share of right places rises with the score: bins of equally many places are pooled where
//! it does not (Ayer and others 1955), and between the bins it is interpolated. A score of 0, infinitely far away, has
//! the share 0, and one of 1, on a fitted point, has 1. Fitted points lie on their surface, and so do those in holes, so
//! nothing is learned of points off it: those farther off, t, than all but a hundredth of the ordinary ones, o, lose the
//! factor (1 + o^2) / (1 + t^2). Cost: that of placing 2,000 points without a search.

use super::Model;
use super::placer::{Placer, Refit, Trust};
use crate::linalg::squared_distance;
use crate::neighbors::Space;
use crate::{Result, Run};

/// The most fitted points that are left out.
const MOST: usize = 2000;
/// Points that are left out by one task.
const TASK: usize = 64;
/// One in so many ordinary scores is below those where points in holes count.
const LOWEST: usize = 100;
/// The most bins, and the fewest places in each where there are two.
const BINS: usize = 20;
const FEWEST: usize = 25;

/// A rising function from scores to shares, by its corners between (0, 0) and (1, 1).
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Calibration {
    corners: Vec<(f64, f64)>,
    /// How far off the tangent space points may be before they lose confidence by it.
    off_tangent: f64,
}

/// One fitted point, placed as a new one.
#[derive(Debug, Clone, Copy)]
struct Trial {
    score: f64,
    off_tangent: f64,
    is_right: bool,
    in_hole: bool,
}

impl Calibration {
    /// Learned from the points of the model.
    pub(super) fn of(model: &Model, run: &Run) -> Result<Self> {
        let space = Space::new(&model.parts.points, model.parts.metric)?;
        let embedding = &model.parts.embedding;
        let count = model.distinct.as_ref().map_or(embedding.len(), Vec::len);
        let tried = count.min(MOST);
        let parts = run.chunks("calibration", tried, TASK, |range| {
            let mut placer = Placer::new(model, &space);
            let mut refit = Refit::new(embedding.dim());
            let mut trials = Vec::with_capacity(range.len());
            for at in range {
                let place = at * count / tried;
                let row = model.distinct.as_ref().map_or(place, |rows| rows[place] as usize);
                let in_hole = at % 2 == 1;
                let gap = if in_hole { model.spreads.votes } else { 0 };
                let Some(trust) = placer.place_left_out(row, gap, &mut refit)? else { continue };
                let off = squared_distance(&placer.image, embedding.row(row)).sqrt();
                if trust.is_known() && off.is_finite() {
                    let is_right = off <= model.spreads.get(row);
                    trials.push(Trial { score: trust.score(), off_tangent: trust.off_tangent, is_right, in_hole });
                }
            }
            Ok(trials)
        })?;
        Ok(Self::from_trials(parts.into_iter().flatten().collect()))
    }

    fn from_trials(mut trials: Vec<Trial>) -> Self {
        trials.sort_by(|a, b| a.score.total_cmp(&b.score));
        let mut off: Vec<f64> = trials.iter().filter(|trial| !trial.in_hole).map(|trial| trial.off_tangent).collect();
        off.sort_by(|a, b| b.total_cmp(a));
        let off_tangent = off.get(off.len() / LOWEST).copied().unwrap_or(0.0);
        let ordinary: Vec<f64> = trials.iter().filter(|trial| !trial.in_hole).map(|trial| trial.score).collect();
        let lowest = ordinary.get(ordinary.len() / LOWEST).copied().unwrap_or(f64::INFINITY);
        trials.retain(|trial| !trial.in_hole || trial.score < lowest);
        let bins = (trials.len() / FEWEST).clamp(1, BINS).min(trials.len());
        let mut corners = Vec::with_capacity(bins);
        // Neighboring bins that were pooled: how many, and the mean of their shares.
        let mut pools: Vec<(usize, f64)> = Vec::new();
        for bin in 0..bins {
            let some = &trials[bin * trials.len() / bins..(bin + 1) * trials.len() / bins];
            let right = some.iter().filter(|trial| trial.is_right).count();
            corners.push(some.iter().map(|trial| trial.score).sum::<f64>() / some.len() as f64);
            // Half a place right and half a place wrong is known beforehand: no finite number of places makes sure.
            pools.push((1, (right as f64 + 0.5) / (some.len() as f64 + 1.0)));
            while let [.., (before, low), (after, high)] = pools[..]
                && low >= high
            {
                let pooled = (before as f64 * low + after as f64 * high) / (before + after) as f64;
                pools.truncate(pools.len() - 2);
                pools.push((before + after, pooled));
            }
        }
        let shares = pools.into_iter().flat_map(|(count, share)| std::iter::repeat_n(share, count));
        Self { corners: corners.into_iter().zip(shares).collect(), off_tangent }
    }

    /// The confidence in a place.
    pub(super) fn confidence(&self, trust: Trust) -> f64 {
        let squared = |part: f64| 1.0 + part * part;
        self.share(trust.score()) * (squared(self.off_tangent) / squared(trust.off_tangent)).min(1.0)
    }

    /// The share of places with such a score that are right.
    fn share(&self, score: f64) -> f64 {
        let after = self.corners.partition_point(|corner| corner.0 <= score);
        let low = after.checked_sub(1).map_or((0.0, 0.0), |before| self.corners[before]);
        let high = self.corners.get(after).copied().unwrap_or((1.0, 1.0));
        let width = high.0 - low.0;
        let share = if width > 0.0 { low.1 + (high.1 - low.1) * ((score - low.0) / width) } else { high.1 };
        share.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trials(count: usize, right: impl Fn(f64) -> bool) -> Vec<Trial> {
        let score = |at: usize| (at as f64 + 0.5) / count as f64;
        (0..count)
            .map(|at| Trial { score: score(at), off_tangent: 0.1, is_right: right(score(at)), in_hole: false })
            .collect()
    }

    #[test]
    fn without_trials_the_share_is_the_score() {
        let none = Calibration::from_trials(Vec::new());
        for score in [0.0, 0.25, 1.0] {
            assert_eq!(none.share(score), score);
        }
    }

    #[test]
    fn shares_are_those_of_the_trials_and_rise() {
        // Of ten trials in a row as many are right as the first digit of the score says.
        let mut all = trials(1000, |_| false);
        for (at, trial) in all.iter_mut().enumerate() {
            trial.is_right = at % 10 < at / 100;
        }
        let learned = Calibration::from_trials(all);
        let shares: Vec<f64> = (0..=200).map(|at| learned.share(f64::from(at) / 200.0)).collect();
        assert!(shares.windows(2).all(|pair| pair[0] <= pair[1]), "{shares:?}");
        assert_eq!((shares[0], shares[200]), (0.0, 1.0));
        for digit in 1..9 {
            let (found, expected) = (learned.share((f64::from(digit) + 0.5) / 10.0), f64::from(digit) / 10.0);
            assert!((found - expected).abs() < 0.03, "{found} {expected}");
        }
    }

    #[test]
    fn bins_against_the_order_are_pooled() {
        // Scores that say the opposite of what they should are all worth the same.
        let learned = Calibration::from_trials(trials(1000, |score| score < 0.5));
        assert!((learned.share(0.3) - 0.5).abs() < 0.01 && (learned.share(0.3) - learned.share(0.7)).abs() < 1e-12);
        let equal = trials(100, |score| score < 0.25).into_iter().map(|trial| Trial { score: 0.4, ..trial }).collect();
        let learned = Calibration::from_trials(equal);
        assert!((learned.share(0.4) - 0.25).abs() < 0.02, "{learned:?}");
        assert!(learned.share(0.2) < learned.share(0.4) && learned.share(0.4) < learned.share(0.7));
    }

    #[test]
    fn holes_count_below_all_others_alone() {
        let mut all = trials(1000, |_| true);
        all.iter_mut().for_each(|trial| trial.score = 0.5 + trial.score / 2.0);
        let before = Calibration::from_trials(all.clone()).share(0.8);
        let hole = |score: f64| Trial { score, off_tangent: 0.1, is_right: false, in_hole: true };
        all.extend((0..500).map(|at| hole(0.3 + f64::from(at) / 1000.0)));
        let learned = Calibration::from_trials(all);
        assert!((learned.share(0.8) - before).abs() < 0.01, "{learned:?}");
        assert!(learned.share(0.4) < 0.05, "{learned:?}");
    }
}
