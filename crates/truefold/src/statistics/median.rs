//! Which values of a sample hold the median of what they were drawn from: the interval of the sign test.
//!
//! Of m values, the number below the median has a binomial distribution with chance 1/2, whatever they were drawn from;
//! so x_(c + 1) to x_(m - c) miss the median with a chance of 2 P(B <= c).

/// How many of `count` values in order may be cut off at each end so that what is left holds the median of what they
/// were drawn from with a chance of at least 1 - `level`; nothing where not even all values do.
pub(crate) fn median_cut(count: usize, level: f64) -> Option<usize> {
    let log = |value: usize| libm::lgamma(value as f64 + 1.0);
    let total = log(count) - count as f64 * std::f64::consts::LN_2;
    let mut below = 0.0;
    for cut in 0..=count {
        // The chance that at most `cut` values lie below the median.
        below += (total - log(cut) - log(count - cut)).exp();
        if below > level / 2.0 {
            return cut.checked_sub(1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_those_of_the_sign_test() {
        // P(all of 6 above) = 1 / 64; of 10 values, at most one lies below with a chance of 11 / 1024.
        assert_eq!((median_cut(5, 0.05), median_cut(6, 0.05), median_cut(10, 0.05)), (None, Some(0), Some(1)));
        assert_eq!((median_cut(0, 0.05), median_cut(1000, 0.05)), (None, Some(468)));
    }
}
