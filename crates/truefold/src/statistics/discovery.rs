//! Many tests at once: the p-value of several tests of one point, and the false discovery rate over all points.
//!
//! Simes: p = min over j of (m / j) p_(j) for the m ordered p-values of one point. Benjamini and Hochberg (1995): the
//! points whose adjusted p-value, min over j >= i of (n / j) p_(j), is at most the level hold at most that share of
//! points for which there was nothing to find, on average. Cost: O(n log n).

/// One p-value for the hypothesis that nothing is to be found by any of these tests.
pub(crate) fn simes(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let count = values.len() as f64;
    values.iter().zip(1..).map(|(value, place)| value * count / f64::from(place)).fold(1.0, f64::min)
}

/// The p-values adjusted for their number: those at most q are found at a false discovery rate of q.
pub(crate) fn adjusted(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    let mut adjusted = vec![1.0; values.len()];
    let mut least = 1.0_f64;
    for (place, &row) in order.iter().enumerate().rev() {
        least = least.min(values[row] * values.len() as f64 / (place + 1) as f64);
        adjusted[row] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_benjamini_and_hochberg_finds_four() {
        // Their example of 1995, 15 tests, of which four are found at 0.05.
        let values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ];
        let found = adjusted(&values);
        assert_eq!(found.iter().filter(|&&value| value <= 0.05).count(), 4);
        assert!((found[3] - 0.0095 * 15.0 / 4.0).abs() < 1e-12 && found[14] == 1.0);
        assert_eq!(adjusted(&[]), Vec::<f64>::new());
    }

    #[test]
    fn simes_is_the_smallest_after_correction() {
        assert_eq!(simes(&mut [0.5, 0.01, 0.9]), 0.03);
        assert_eq!(simes(&mut [0.02, 0.02, 0.02]), 0.02);
        assert_eq!(simes(&mut [1.0, 1.0]), 1.0);
    }
}
