//! New points in a fitted map: of a swiss roll, where the truth is known, and of digits, beside other programs.

mod digits;
mod reliability;
mod rolls;

use super::Benchmark;

/// How many points are fitted, and how many follow.
pub struct Sizes {
    rolls: &'static [(usize, usize)],
    repeats: usize,
    digits: (usize, usize),
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "transform",
    note: "Swiss roll, psa, k = 12; digits with default parameters. Seconds are the least of several runs.",
    packages: &["numpy", "scikit-learn", "umap-learn", "openTSNE"],
    examples: &[("truefold", reliability::EXAMPLE)],
    full: Sizes { rolls: &[(5_000, 95_000), (50_000, 950_000)], repeats: 3, digits: (10_000, 2_000) },
    quick: Sizes { rolls: &[(5_000, 95_000)], repeats: 1, digits: (2_000, 500) },
    parts: &[("rolls", rolls::run), ("digits", digits::run), ("reliability", reliability::run)],
};

/// The methods whose maps of digits take new points.
const METHODS: [&str; 3] = ["tsne", "umap", "faithful"];
