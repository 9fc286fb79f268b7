//! The neighbor search and the measures, beside scipy and scikit-learn.

mod brute;
mod ranks;
mod scaling;
mod tree;

use super::Benchmark;

/// How large the data are.
pub struct Sizes {
    tree: usize,
    brute: usize,
    scaling: [(usize, usize); 3],
    ranks: usize,
    ranks_beside: usize,
    repeats: usize,
    long_repeats: usize,
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "measure",
    note: "Seconds are the least of several runs, those by size medians.",
    packages: &["numpy", "scipy", "scikit-learn"],
    examples: &[],
    full: Sizes {
        tree: 1_000_000,
        brute: 60_000,
        scaling: [(10_000, 41), (100_000, 11), (1_000_000, 5)],
        ranks: 50_000,
        ranks_beside: 10_000,
        repeats: 3,
        long_repeats: 2,
    },
    quick: Sizes {
        tree: 100_000,
        brute: 6_000,
        scaling: [(1_000, 21), (10_000, 11), (100_000, 5)],
        ranks: 5_000,
        ranks_beside: 2_000,
        repeats: 2,
        long_repeats: 1,
    },
    parts: &[("tree", tree::run), ("brute", brute::run), ("scaling", scaling::run), ("ranks", ranks::run)],
};
