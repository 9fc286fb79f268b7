//! The median of points of which some were drawn from each of several groups, and its standard error.
//!
//! A value drawn from a group stands for size / drawn points. The share of points below the median is a mean over groups,
//! with variance v = sum_c (n_c / n)^2 (1 - m_c / n_c) p_c (1 - p_c) / (m_c - 1), where p_c is the share of the m_c values
//! drawn from the n_c points of group c that are below. The standard error is half the distance of the quantiles
//! 1/2 - sqrt(v) and 1/2 + sqrt(v): Woodruff, Journal of the American Statistical Association 47, 1952.

/// Shares nearer to each other than this are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// A group of points, how many were drawn from it, and the values of those of them that have one.
pub(super) struct Group {
    pub(super) size: usize,
    pub(super) drawn: usize,
    pub(super) values: Vec<f64>,
}

impl Group {
    /// The number of points for which a value stands.
    fn weight(&self) -> f64 {
        self.size as f64 / self.drawn as f64
    }
}

/// The median and its standard error, which is none where all points were drawn; nothing without values.
pub(super) fn median(groups: &[Group]) -> Option<(f64, Option<f64>)> {
    let valued = || groups.iter().filter(|group| !group.values.is_empty());
    let total: f64 = valued().map(|group| group.weight() * group.values.len() as f64).sum();
    let mut shares: Vec<(f64, f64)> = valued()
        .flat_map(|group| {
            let share = group.weight() / total;
            group.values.iter().map(move |&value| (value, share))
        })
        .collect();
    shares.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let median = quantile(&shares, 0.5)?;
    if groups.iter().all(|group| group.drawn == group.size) {
        return Some((median, None));
    }
    let share = |group: &Group| group.weight() * group.values.len() as f64 / total;
    let variance: f64 = valued().map(|group| spread(group, median) * share(group).powi(2)).sum();
    let reach = variance.sqrt().min(0.5);
    let error = 0.5 * (quantile(&shares, 0.5 + reach)? - quantile(&shares, 0.5 - reach)?);
    Some((median, Some(error)))
}

/// The variance of the share of values of a group that are below the median.
fn spread(group: &Group, median: f64) -> f64 {
    let count = group.values.len() as f64;
    let below = group.values.iter().filter(|&&value| value < median).count() as f64;
    let at = group.values.iter().filter(|&&value| value == median).count() as f64;
    let share = (below + 0.5 * at) / count;
    let correction = 1.0 - group.drawn as f64 / group.size as f64;
    if count > 1.0 { correction * share * (1.0 - share) / (count - 1.0) } else { 0.0 }
}

/// The value below which this share lies: the mean of two where the share ends between them.
fn quantile(shares: &[(f64, f64)], wanted: f64) -> Option<f64> {
    let mut below = 0.0;
    for (place, &(value, share)) in shares.iter().enumerate() {
        below += share;
        if below > wanted + ROUNDING {
            return Some(value);
        }
        if below > wanted - ROUNDING {
            let next = shares.get(place + 1).map_or(value, |next| next.0);
            return Some(value + 0.5 * (next - value));
        }
    }
    shares.last().map(|last| last.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(size: usize, values: &[f64]) -> Group {
        Group { size, drawn: values.len(), values: values.to_vec() }
    }

    #[test]
    fn it_is_the_middle_value_or_the_mean_of_two() {
        assert_eq!(median(&[group(3, &[5.0, 1.0, 2.0])]), Some((2.0, None)));
        assert_eq!(median(&[group(4, &[5.0, 1.0, 2.0, 3.0])]), Some((2.5, None)));
        assert_eq!(median(&[group(2, &[1.0, 9.0]), group(2, &[2.0, 4.0])]), Some((3.0, None)));
        assert_eq!(median(&[group(4, &[])]), None);
        // A point without a value is left out; it does not make a sample of the others.
        assert_eq!(median(&[Group { size: 3, drawn: 3, values: vec![1.0, 2.0] }]), Some((1.5, None)));
        // One value stands for eight points, and outweighs three that stand for one each.
        let (value, error) = median(&[group(3, &[1.0, 1.5, 2.0]), group(16, &[7.0, 7.0])]).unwrap();
        assert!(value == 7.0 && error.is_some());
    }

    #[test]
    fn the_error_is_the_spread_of_the_median_over_samples() {
        use crate::measure::Sampling;
        let all: Vec<f64> = (0..2000).map(|at| (f64::from(at) / 400.0).exp()).collect();
        let (truth, none) = median(&[group(2000, &all)]).unwrap();
        assert!(none.is_none());
        let draws = 500;
        let (mut squares, mut told) = (0.0, 0.0);
        for seed in 0..draws {
            // Two groups, of which the smaller is sampled more densely.
            let drawn = |first: usize, size: usize, wanted: usize| {
                let rows = Sampling::Points(wanted).rows(size, seed).unwrap();
                let values: Vec<f64> = rows.iter().map(|&row| all[first + row as usize]).collect();
                group(size, &values)
            };
            let (value, error) = median(&[drawn(0, 1200, 60), drawn(1200, 800, 160)]).unwrap();
            squares += (value - truth).powi(2) / draws as f64;
            told += error.unwrap() / draws as f64;
        }
        let ratio = squares.sqrt() / told;
        assert!((0.85..1.15).contains(&ratio), "{ratio}");
    }
}
