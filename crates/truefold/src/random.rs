//! Numbers that look random and depend on their key alone, so that no order of drawing matters.

/// A well-mixed function of two numbers (the finalizer of splitmix64).
#[inline(always)]
pub(crate) fn hash(a: u64, b: u64) -> u64 {
    let mut mixed = a.wrapping_add(b.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A number from 0 to below 1, of two numbers.
#[inline(always)]
pub(crate) fn uniform(a: u64, b: u64) -> f64 {
    (hash(a, b) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_neighboring_keys_are_spread_evenly_and_are_not_related() {
        let (count, mut bins, mut product) = (100_000, [0_u32; 10], 0.0);
        for key in 0..count {
            let [one, next] = [uniform(7, key), uniform(7, key + 1)];
            assert!((0.0..1.0).contains(&one));
            bins[(10.0 * one) as usize] += 1;
            product += (one - 0.5) * (next - 0.5) / count as f64;
        }
        assert!(bins.iter().all(|bin| bin.abs_diff(10_000) < 500), "{bins:?}");
        assert!(product.abs() < 1e-3, "{product}");
    }
}
