//! Maps of data that have more dimensions than the picture, beside openTSNE, umap-learn, scikit-learn and PaCMAP: what
//! they cost and what they keep.

mod beside;
mod data;
mod divergence;
mod front;
mod judged;
mod million;

use super::Benchmark;

/// How large the data are.
pub struct Sizes {
    /// Digits that all programs map.
    digits: usize,
    /// Points of the fronts, and of the divergences.
    few: usize,
    /// Points between which the growth is measured.
    growth: [usize; 2],
}

/// How to read the tables of both benchmarks.
const NOTE: &str = "Two dimensions, default parameters, two threads each. Seconds are processor seconds of all threads. Those of \
     truefold are of its whole process, `embed --approximate`, with reading and measuring; those of other programs are of \
     their call alone, after everything was compiled and loaded. Memory is the peak of the whole process. Every map is judged \
     by `truefold measure --approximate --measures all --sample 1000`, k = 12; the score is that of the verdict, label \
     accuracy that of a point's 10 nearest in the map.";
const FULL: Sizes = Sizes { digits: 70_000, few: 10_000, growth: [100_000, 1_000_000] };
const QUICK: Sizes = Sizes { digits: 2_000, few: 1_000, growth: [2_000, 8_000] };

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "maps",
    note: NOTE,
    packages: &["numpy", "scikit-learn", "umap-learn", "openTSNE", "pacmap"],
    examples: &[],
    full: FULL,
    quick: QUICK,
    parts: &[("beside", beside::run), ("divergence", divergence::run), ("front", front::run)],
};

/// What maps of a million points cost, which takes long and needs no other program.
pub(super) static LARGE: Benchmark<Sizes> = Benchmark {
    name: "large-maps",
    note: NOTE,
    packages: &["numpy"],
    examples: &[],
    full: FULL,
    quick: QUICK,
    parts: &[("million", million::run)],
};
