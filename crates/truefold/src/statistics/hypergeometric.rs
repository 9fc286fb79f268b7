//! How many of k chosen points are among k others by chance: the hypergeometric distribution and its upper tail.
//!
//! P(H = h) = C(k, h) C(N - k, k - h) / C(N, k) for two unrelated sets of k of N points.

/// The upper tails for two sets of one size.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hypergeometric {
    /// P(H >= h) for h = 0 to k.
    tails: Vec<f64>,
}

impl Hypergeometric {
    /// Two sets of `chosen` of `count` points.
    pub(crate) fn new(count: usize, chosen: usize) -> Self {
        let chosen = chosen.min(count);
        let least = (2 * chosen).saturating_sub(count);
        let ways = |n: usize, k: usize| {
            let log = |value: usize| libm::lgamma(value as f64 + 1.0);
            log(n) - log(k) - log(n - k)
        };
        let chance = |shared: usize| match shared < least {
            true => 0.0,
            false => (ways(chosen, shared) + ways(count - chosen, chosen - shared) - ways(count, chosen)).exp(),
        };
        let mut tails: Vec<f64> = (0..=chosen).map(chance).collect();
        for at in (0..chosen).rev() {
            tails[at] += tails[at + 1];
        }
        // Rounding of the logarithms: the least number that can be shared is certain.
        tails[..=least].fill(1.0);
        tails.iter_mut().for_each(|tail| *tail = tail.min(1.0));
        Self { tails }
    }

    /// The chance that at least `shared` points are in both sets.
    pub(crate) fn tail(&self, shared: usize) -> f64 {
        self.tails.get(shared).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_shares_of_all_pairs_of_sets() {
        // All subsets of 3 of 7 points against the first three.
        let sets: Vec<u32> = (0..1_u32 << 7).filter(|set| set.count_ones() == 3).collect();
        let tails = Hypergeometric::new(7, 3);
        for shared in 0..=4 {
            let with = sets.iter().filter(|&&set| (set & 0b111).count_ones() >= shared).count();
            assert!((tails.tail(shared as usize) - with as f64 / sets.len() as f64).abs() < 1e-12, "{shared}");
        }
    }

    #[test]
    fn more_than_half_of_all_points_must_share_some() {
        let tails = Hypergeometric::new(10, 8);
        assert_eq!((tails.tail(6), tails.tail(0)), (1.0, 1.0));
        assert!(tails.tail(7) < 1.0 && tails.tail(9) == 0.0);
        assert_eq!(Hypergeometric::new(3, 5).tail(3), 1.0);
    }
}
