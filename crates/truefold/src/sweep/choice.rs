//! The choice of k for one d, from the loss of every point on the reference neighborhoods.

use serde::Serialize;

/// Differences below this share of the lowest loss do not count, however small their standard error.
const NEGLIGIBLE: f64 = 0.01;

/// Standard errors from which on a difference is beyond doubt.
const SURE: f64 = 3.0;

/// How sure a choice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The sweep cannot tell.
    Low,
    /// More likely than not.
    Moderate,
    /// Beyond doubt, as far as this sweep goes.
    High,
}

impl Confidence {
    /// The name that people read.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Moderate => "moderate",
            Self::High => "high",
        }
    }
}

/// The nearest k that is not as good.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rival {
    /// The number of neighbors.
    pub k: usize,
    /// How much worse it is than the best.
    pub difference: f64,
    /// The standard error of the difference.
    pub standard_error: f64,
}

/// The k to choose for one d.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NeighborsChoice {
    /// The dimension.
    pub dim: usize,
    /// The k to choose: the smallest of those that are as good as the best.
    pub k: usize,
    /// Its loss: the mean over the reference neighborhoods of R_N, or R_C, each counted as at most 1.
    pub loss: f64,
    /// The k with the lowest loss.
    pub best_k: usize,
    /// All k that are as good as the best, the chosen one first.
    pub as_good: Vec<usize>,
    /// The nearest other k.
    pub rival: Option<Rival>,
    /// The k that were not compared, as their graphs have more components than those of other k.
    pub in_pieces: Vec<usize>,
    /// Whether the chosen k is the smallest or the largest that was compared, and some others are worse.
    pub at_edge: bool,
    /// How sure it is.
    pub confidence: Confidence,
}

/// One k: the components of its graph, and the loss of each point on the reference neighborhoods, NaN where it has none.
pub(super) struct Contender {
    pub(super) k: usize,
    pub(super) components: usize,
    pub(super) values: Vec<f64>,
}

impl Contender {
    fn mean(&self) -> f64 {
        mean(self.values.iter().copied().filter(|value| !value.is_nan())).0
    }
}

/// Chooses among `contenders`, smallest k first.
pub(super) fn choose(dim: usize, contenders: &[Contender], reference_k: usize) -> Option<NeighborsChoice> {
    let fewest = contenders.iter().map(|one| one.components).min()?;
    let (fair, others): (Vec<_>, Vec<_>) = contenders.iter().partition(|one| one.components == fewest);
    // Of equal means the first counts, which has the smallest k.
    let best = *fair.iter().min_by(|a, b| a.mean().total_cmp(&b.mean()))?;
    let lowest = best.mean();
    let gaps: Vec<Rival> = fair.iter().map(|one| gap(one, best, reference_k)).collect();
    let is_as_good = |gap: &&Rival| gap.difference <= gap.standard_error.max(NEGLIGIBLE * lowest);
    let as_good: Vec<usize> = gaps.iter().filter(is_as_good).map(|gap| gap.k).collect();
    let worse = || gaps.iter().filter(|gap| !is_as_good(gap));
    let rival = worse().min_by(|a, b| a.difference.total_cmp(&b.difference)).copied();
    let chosen = fair.iter().find(|one| one.k == as_good[0])?;
    let ends = [fair.first()?.k, fair.last()?.k];
    let at_edge = rival.is_some() && ends.contains(&chosen.k);
    let confidence = match rival {
        None => Confidence::Low,
        Some(_) if at_edge || worse().any(|gap| gap.difference < SURE * gap.standard_error) => Confidence::Moderate,
        Some(_) => Confidence::High,
    };
    Some(NeighborsChoice {
        dim,
        k: chosen.k,
        loss: chosen.mean(),
        best_k: best.k,
        as_good,
        rival,
        in_pieces: others.iter().map(|one| one.k).collect(),
        at_edge,
        confidence,
    })
}

/// The mean difference of `one` from `best` over the points that have both, and its standard error.
fn gap(one: &Contender, best: &Contender, reference_k: usize) -> Rival {
    let pairs = || one.values.iter().zip(&best.values).map(|(a, b)| a - b).filter(|value| !value.is_nan());
    let (difference, count) = mean(pairs());
    let spread = mean(pairs().map(|value| (value - difference) * (value - difference))).0;
    // Neighborhoods share their points with about as many others as they have members.
    let independent = (count as f64 / (reference_k + 1) as f64).max(1.0);
    Rival { k: one.k, difference, standard_error: (spread / independent).sqrt() }
}

fn mean(values: impl Iterator<Item = f64>) -> (f64, usize) {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    (sum / count.max(1) as f64, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,000 points whose values alternate about `mean`.
    fn contender(k: usize, components: usize, mean: f64, spread: f64) -> Contender {
        let values = (0..1000).map(|at| if at % 2 == 0 { mean + spread } else { mean - spread }).collect();
        Contender { k, components, values }
    }

    #[test]
    fn the_smallest_of_equals_is_chosen_and_sureness_follows_the_gap() {
        // Differences from k = 12 are constant, so their standard error is zero.
        let contenders: Vec<_> = [(6, 0.30), (9, 0.1005), (12, 0.10), (15, 0.1008), (18, 0.2)]
            .map(|(k, mean)| contender(k, 1, mean, 0.01))
            .into();
        let choice = choose(2, &contenders, 18).unwrap();
        assert_eq!((choice.k, choice.best_k, choice.as_good.as_slice()), (9, 12, &[9, 12, 15][..]));
        assert_eq!(choice.rival.map(|rival| rival.k), Some(18));
        assert_eq!((choice.confidence, choice.at_edge), (Confidence::High, false));
        assert!((choice.loss - 0.1005).abs() < 1e-12);
    }

    #[test]
    fn the_standard_error_counts_overlapping_neighborhoods_once() {
        // The differences are +- 0.3 about 0.05: 1,000 points as 100 give a standard error of 0.03.
        let contenders = [contender(6, 1, 0.2, 0.0), contender(9, 1, 0.25, 0.3), contender(12, 1, 0.21, 0.3)];
        let choice = choose(2, &contenders, 9).unwrap();
        let rival = choice.rival.unwrap();
        assert_eq!((choice.k, rival.k), (6, 9));
        assert!((rival.standard_error - 0.03).abs() < 1e-12 && (rival.difference - 0.05).abs() < 1e-12);
        assert_eq!((choice.as_good.as_slice(), choice.confidence), (&[6, 12][..], Confidence::Moderate));
        assert!(choice.at_edge);
    }

    #[test]
    fn graphs_in_pieces_are_set_aside_and_ties_are_no_choice() {
        let contenders = [contender(4, 3, 0.01, 0.0), contender(6, 1, 0.2, 0.0), contender(8, 1, 0.2, 0.0)];
        let choice = choose(1, &contenders, 8).unwrap();
        assert_eq!((choice.k, choice.in_pieces.as_slice()), (6, &[4][..]));
        assert_eq!((choice.confidence, choice.rival, choice.at_edge), (Confidence::Low, None, false));
        assert!(choose(1, &[], 8).is_none());
    }

    #[test]
    fn points_that_one_of_them_left_out_are_not_compared() {
        let mut part = contender(6, 1, 0.1, 0.0);
        part.values[..500].fill(f64::NAN);
        let mut whole = contender(8, 1, 0.3, 0.0);
        whole.values[..500].fill(9.0);
        let choice = choose(2, &[part, whole], 8).unwrap();
        assert!((choice.rival.unwrap().difference - 0.2).abs() < 1e-12);
    }
}
