//! The methods on swiss rolls of growing size, beside scipy's search and tapkee, and the Laplacian solver behind them.

mod claims;
mod embedded;
mod large;
mod rolls;
mod solver;
mod unfold;

use super::Benchmark;

/// How large the data are, and how often everything runs.
pub struct Sizes {
    /// Swiss rolls, smallest first.
    rolls: &'static [Roll],
    /// The points of the roll that tapkee embeds too, and on which gp is held against the paper.
    middle: usize,
    /// The points of two large rolls, for psa alone.
    large: [usize; 2],
    /// Swiss rolls whose projections are opened again, smallest first.
    unfolded: &'static [usize],
    /// Points of the Laplacians, and repeats.
    solver: &'static [(usize, usize)],
    /// The most points that the exact factor is made for.
    exact_up_to: usize,
}

/// One swiss roll.
struct Roll {
    points: usize,
    repeats: usize,
    /// Repeats of gp with its refinement, the slowest.
    gp_repeats: usize,
}

const fn roll(points: usize, repeats: usize, gp_repeats: usize) -> Roll {
    Roll { points, repeats, gp_repeats }
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "embed",
    note: "Seconds are the least of several runs.",
    packages: &["numpy", "scipy", "tapkee"],
    examples: &[("truefold", solver::EXAMPLE)],
    full: Sizes {
        rolls: &[roll(1_000, 5, 5), roll(10_000, 5, 3), roll(100_000, 3, 2), roll(1_000_000, 2, 1)],
        middle: 100_000,
        large: [1_000_000, 10_000_000],
        unfolded: &[5_000, 20_000, 100_000],
        solver: &[(500, 5), (1_000, 5), (2_000, 5), (5_000, 5), (10_000, 5), (100_000, 3), (1_000_000, 1)],
        exact_up_to: 100_000,
    },
    quick: Sizes {
        rolls: &[roll(1_000, 2, 2), roll(10_000, 2, 1)],
        middle: 10_000,
        large: [10_000, 50_000],
        unfolded: &[3_000, 6_000],
        solver: &[(1_000, 2), (2_000, 2), (5_000, 2)],
        exact_up_to: 5_000,
    },
    parts: &[("rolls", rolls::run), ("large", large::run), ("unfold", unfold::run), ("solver", solver::run)],
};
