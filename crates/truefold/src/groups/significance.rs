//! Tails of the Poisson distribution, ranks that hold a median, and which of many tests to believe.
//!
//! Benjamini and Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B 57 (1995);
//! the interval of a median is that of the sign test, which holds for any distribution.

/// P(N >= count) for N with a Poisson distribution of this mean, where count is above the mean; otherwise 1.
pub(super) fn poisson_at_least(count: usize, mean: f64) -> f64 {
    if count as f64 <= mean {
        return 1.0;
    }
    let mut term = poisson(count, mean);
    let (mut sum, mut at) = (term, count as f64);
    while term > sum * f64::EPSILON {
        at += 1.0;
        term *= mean / at;
        sum += term;
    }
    sum
}

/// P(N <= count) for N with a Poisson distribution of this mean, where count is below the mean; otherwise 1.
pub(super) fn poisson_at_most(count: usize, mean: f64) -> f64 {
    if count as f64 >= mean {
        return 1.0;
    }
    let mut term = poisson(count, mean);
    let (mut sum, mut at) = (term, count as f64);
    while at > 0.0 && term > sum * f64::EPSILON {
        term *= at / mean;
        at -= 1.0;
        sum += term;
    }
    sum
}

fn poisson(count: usize, mean: f64) -> f64 {
    if mean <= 0.0 {
        return if count == 0 { 1.0 } else { 0.0 };
    }
    (count as f64 * mean.ln() - mean - ln_factorial(count)).exp()
}

/// ln n!, beyond 32 by Stirling's series.
fn ln_factorial(n: usize) -> f64 {
    if n <= 32 {
        return (2..=n).map(|i| (i as f64).ln()).sum();
    }
    let n = n as f64;
    (n + 0.5) * n.ln() - n + 0.5 * std::f64::consts::TAU.ln() + 1.0 / (12.0 * n) - 1.0 / (360.0 * n.powi(3))
}

/// How many of `count` values in order may be cut off at each end so that what is left holds the median of what they
/// were drawn from with a chance of at least 1 - `level`; nothing where not even all values do.
pub(super) fn median_cut(count: usize, level: f64) -> Option<usize> {
    let one_side = level / 2.0;
    let total = ln_factorial(count) - count as f64 * std::f64::consts::LN_2;
    let mut below = 0.0;
    for cut in 0..=count {
        // The chance that at most `cut` values lie below the median.
        below += (total - ln_factorial(cut) - ln_factorial(count - cut)).exp();
        if below > one_side {
            return cut.checked_sub(1);
        }
    }
    None
}

/// Which of the tests with these p-values are discoveries, at most a share `level` of them false on average.
pub(super) fn discoveries(p_values: &[f64], level: f64) -> Vec<bool> {
    let mut sorted = p_values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let is_small = |place: &usize| sorted[*place] <= level * (*place + 1) as f64 / count;
    let limit = (0..sorted.len()).rev().find(is_small).map(|place| sorted[place]);
    p_values.iter().map(|&p| limit.is_some_and(|limit| p <= limit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-9, "{value} {expected}");
    }

    #[test]
    fn tails_are_the_sums_of_their_terms() {
        near(poisson_at_most(0, 3.0), (-3.0_f64).exp());
        near(poisson_at_most(2, 3.0), 8.5 * (-3.0_f64).exp());
        near(poisson_at_least(3, 1.0), 1.0 - 2.5 * (-1.0_f64).exp());
        assert_eq!((poisson_at_most(5, 5.0), poisson_at_least(5, 5.0), poisson_at_least(0, 0.0)), (1.0, 1.0, 1.0));
        // Both tails and the term between them make one, where factorials come from the series.
        near(poisson_at_most(99, 100.0) + poisson_at_least(101, 100.0) + poisson(100, 100.0), 1.0);
    }

    #[test]
    fn the_interval_of_a_median_is_that_of_the_sign_test() {
        // P(all of 6 above) = 1 / 64; of 10 values, 1 + 10 of 1024 lie with at most one below.
        assert_eq!((median_cut(5, 0.05), median_cut(6, 0.05), median_cut(10, 0.05)), (None, Some(0), Some(1)));
        assert_eq!((median_cut(0, 0.05), median_cut(1000, 0.05)), (None, Some(468)));
    }

    #[test]
    fn discoveries_are_those_of_the_step_up_rule() {
        // The third is above its own limit 0.03 but below that of the fourth.
        assert_eq!(discoveries(&[0.9, 0.001, 0.035, 0.031, 0.02], 0.05), [false, true, true, true, true]);
        assert_eq!(discoveries(&[0.06, 0.5], 0.05), [false, false]);
        assert!(discoveries(&[], 0.05).is_empty());
    }
}
