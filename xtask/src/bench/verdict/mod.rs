//! Verdicts on maps that people use, on maps with planted faults, on true and on unrelated maps, and what they cost.

mod faults;
mod maps;
mod surfaces;
mod time;

use super::Benchmark;

/// How much is measured.
pub struct Sizes {
    /// Digits that are mapped.
    digits: usize,
    /// Seeds of every planted fault and of every unrelated map.
    seeds: u64,
    /// Points of the surfaces.
    points: usize,
    /// Rows of 50 numbers that are searched exactly, and approximately.
    exact: usize,
    approximate: usize,
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "verdict",
    note: "k = 12 everywhere; no other option given, except that quadratic measures look at 1,000 digits.",
    packages: &["numpy", "scikit-learn", "umap-learn", "openTSNE", "pacmap"],
    examples: &[],
    full: Sizes { digits: 10_000, seeds: 10, points: 2_000, exact: 130_000, approximate: 1_000_000 },
    quick: Sizes { digits: 1_500, seeds: 2, points: 1_000, exact: 5_000, approximate: 10_000 },
    parts: &[("maps", maps::run), ("surfaces", surfaces::run), ("faults", faults::run), ("time", time::run)],
};
