//! Numbers that look random and depend on their key alone, so that no order of drawing matters.

/// What the states of a stream are apart: 2^64 over the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of splitmix64: every bit of the outcome depends on every bit given.
#[inline(always)]
pub(crate) fn mix(bits: u64) -> u64 {
    let mut mixed = bits;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A well-mixed function of two numbers.
#[inline(always)]
pub(crate) fn hash(a: u64, b: u64) -> u64 {
    mix(a.wrapping_add(b.wrapping_mul(STEP)).wrapping_add(STEP))
}

/// A stream of random numbers (splitmix64): so cheap to begin that each neighborhood or vertex has its own, and the order in
/// which they are worked on does not matter.
#[derive(Debug)]
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream of a seed.
    #[inline(always)]
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of a seed and a key, unrelated to those of other keys.
    #[inline(always)]
    pub(crate) fn of(seed: u64, key: u64) -> Self {
        Self(mix(seed ^ mix(key)))
    }

    /// The next 64 random bits.
    #[inline(always)]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// The next number in [0, 1).
    #[inline(always)]
    pub(crate) fn unit(&mut self) -> f64 {
        as_unit(self.bits())
    }
}

#[inline(always)]
fn as_unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number from 0 to below 1, of two numbers.
#[inline(always)]
pub(crate) fn uniform(a: u64, b: u64) -> f64 {
    as_unit(hash(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_splitmix64() {
        // The first numbers of its authors' program for the seed 1234567.
        let mut stream = Stream::new(1_234_567);
        let known = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(known.map(|_| stream.bits()), known);
        assert_eq!(hash(1_234_567, 2), known[2]);
        assert_ne!(Stream::of(1, 2).bits(), Stream::of(2, 1).bits());
        assert!((0..1000).all(|_| (0.0..1.0).contains(&stream.unit())));
    }

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
